"""CVODE with the face of SciPy's steppers: one step at a time, and what lies inside the last one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .methods.cvode import Cvode
from .ode import Ode

Floats = NDArray[np.float64]
MOVED = 1e-7  # of a state's size: one that was put back by less needs no new start, which is slow
MOST_STEPS = 100_000  # inside of one


def cvode_class() -> Any:
    """scikit-sundae's wrapper."""
    try:
        from sksundae.cvode import CVODE
    except ImportError:
        raise ImportError(
            "Cvode needs scikit-sundae, which is not installed: pip install scikit-sundae, or use jourdain.Radau"
        ) from None
    return CVODE


class CvodeSteps:
    """t, y, nfev, status, `step`, `dense_output` as SciPy's `OdeSolver` has them."""

    def __init__(self, ode: Ode, method: Cvode, t: float, y: Floats, final: float) -> None:
        self.ode, self.final = ode, final
        self.t, self.t_old = t, t
        self.y = self._own = y
        self.status = "running"
        self.nfev = 0
        self._solver = cvode_class()(
            self._rates, jacfn=self._slopes, rtol=method.rtol, atol=method.atol, max_num_steps=MOST_STEPS,
            max_step=method.longest_step if np.isfinite(method.longest_step) else 0.0,
        )  # fmt: skip
        self._start()

    def step(self) -> str | None:
        """One more; a message where it failed."""
        if np.abs(self.y - self._own).max() > MOVED * (1.0 + np.abs(self.y).max()):
            self._start()  # put back on the constraints
        self.t_old = self.t
        while True:
            found = self._solver.step(self.final, method="onestep", tstop=self.final)
            if not found.success:
                self.status = "failed"
                return f"step size: {found.message}"
            if found.t > self.t:  # after a look inside it says first where it had been
                break
        self.t, self.y = float(found.t), np.array(found.y)
        self._own = self.y
        if self.t >= self.final:
            self.status = "finished"
        return None

    def dense_output(self) -> Inside:
        """The states between the ends of the last step; until the next."""
        return Inside(self._solver.step, self.t_old, self.t, self.y)

    def _start(self) -> None:
        self._own = self.y
        self._solver.init_step(self.t, self.y)

    def _rates(self, t: float, y: Floats, out: Floats) -> None:
        self.nfev += 1
        out[:] = self.ode(t, y)

    def _slopes(self, t: float, y: Floats, _: Floats, out: Floats) -> None:
        out[:] = self.ode.jacobian(t, y)


class Inside:
    """CVODE's own polynomial of its last step."""

    def __init__(self, look: Callable[..., Any], t_old: float, t: float, y: Floats) -> None:
        self.look, self.t_old, self.t, self.y = look, t_old, t, y

    def __call__(self, t: float) -> Floats:
        if t >= self.t:
            return self.y
        return np.array(self.look(t, method="normal").y)
