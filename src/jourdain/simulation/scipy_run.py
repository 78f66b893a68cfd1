"""Runs that SciPy or SUNDIALS steps: stiff systems, and inputs that are functions, for which Python is called."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..driver.moving import Named
from .adaptive import Adaptive
from .compiled_run import Progress, Raw
from .event import Event, Occurrence
from .landing import LOOKS, PAST, TOGETHER
from .method import Method
from .methods.cvode import Cvode
from .methods.dormand_prince54 import DormandPrince54
from .methods.dormand_prince853 import DormandPrince853
from .methods.radau import Radau
from .ode import Ode
from .status import Status
from .sundials import CvodeSteps

Floats = NDArray[np.float64]
SOLVERS: dict[type[Method], str] = {
    DormandPrince54: "RK45", DormandPrince853: "DOP853", Radau: "Radau", Cvode: "CVODE",
}  # fmt: skip
"""Methods that SciPy has, too; and SUNDIALS'."""
NODES = 5  # of Gauss's formula, exact for polynomials of degree 9


class ScipyRun:
    """One run, as `CompiledRun`."""

    def __init__(
        self, ode: Ode, method: Method, events: dict[str, Event], y: Floats, start: float, times: Floats | None,
        final: float,
    ) -> None:  # fmt: skip
        self.ode, self.method, self.events = ode, method, events
        self.start, self.final, self.times = start, final, times
        self.settled = ode.settled(start, y)
        self.is_lost = ode.is_lost(start, self.settled)
        self.failed: tuple[float, Floats] | None = None
        self.drifts = ode.moving.positions is not None or ode.moving.speeds is not None
        self.t: list[float] = []
        self.states: list[Floats] = []
        self.happened: list[Occurrence] = []
        equations = ode.moving.motion_and_power
        self.power = ode.bound(equations) if equations.outputs[-1].name == "power" else None
        self.work: list[float] = []
        self.done = 0.0  # the work until the beginning of the step
        self.status = Status.RUNNING
        self.counts = {"steps": 0, "evaluations": 0}
        self._next = 0
        guards: Named = tuple((name, event.guard) for name, event in events.items())
        self.guards = ode.bound(ode.moving.guards(guards)) if guards else None

    def go(self, progress: Progress | None = None) -> None:
        """Until the end, or Ctrl-C."""
        try:
            while self.status is Status.RUNNING:
                self._some(progress)
        except KeyboardInterrupt:
            self.status = Status.INTERRUPTED

    def result(self) -> Raw:
        """What there is."""
        states = np.array(self.states).reshape(len(self.t), self.settled.size)
        work = None if self.power is None else np.array(self.work)
        return Raw(np.array(self.t), states, work, self.happened, self.status, self.counts)

    # -- inside ---------------------------------------------------------------------------------------------------

    def _solver(self, t: float, y: Floats) -> Any:
        import scipy.integrate

        method = self.method
        if isinstance(method, Cvode):
            return CvodeSteps(self.ode, method, t, y, self.final)
        assert isinstance(method, Adaptive | Radau)
        options: dict[str, Any] = {"rtol": method.rtol, "atol": method.atol, "max_step": method.longest_step}
        if isinstance(method, Radau):
            options["jac"] = self.ode.jacobian
        elif isinstance(method, Adaptive) and method.first_step is not None:
            options["first_step"] = min(method.first_step, self.final - t)
        return getattr(scipy.integrate, SOLVERS[type(method)])(self.ode, t, y, self.final, **options)

    def _some(self, progress: Progress | None) -> None:
        """Steps from where the run stands to its end."""
        solver = self._solver(self.start, self.settled)
        values = self._guards(self.start, self.settled)
        while True:
            message = solver.step()
            if solver.status == "failed":
                self.status = Status.STEP_TOO_SMALL if "step size" in str(message) else Status.NOT_SOLVED
                break
            self.counts["steps"] += 1
            self.counts["evaluations"] = int(solver.nfev)
            polynomial = self.polynomial = solver.dense_output()
            if self.drifts:
                solver.y = self.ode.settled(solver.t, solver.y)
                solver.f = self.ode(solver.t, solver.y)
            if not np.isfinite(solver.y).all():
                self.status, self.failed = Status.NOT_FINITE, (solver.t, solver.y)
                break
            if self.drifts and self.ode.is_lost(solver.t, solver.y):
                self.status, self.failed = Status.CONSTRAINTS_LOST, (solver.t, solver.y)
                break
            values, end = self._watch(solver, polynomial, values)
            self._sample(polynomial, solver.t, solver.y, end)
            if progress is not None:
                progress((solver.t - self.start) / (self.final - self.start))
            self.done += self._work(solver.t)
            if end is not None:
                self.status = Status.STOPPED
                break
            if solver.status == "finished":
                self.status = Status.DONE
                break

    def _sample(self, polynomial: Any, t: float, y: Floats, end: float | None) -> None:
        """Rows up to the end of the step, or to the event that ends the run."""
        last = t if end is None else end
        if self.times is None:
            if end is None:
                self._put(t, y)
        else:
            while self._next < len(self.times) and self.times[self._next] <= last:
                moment = float(self.times[self._next])
                self._put(moment, y if moment == t else self._at(polynomial, moment))
                self._next += 1
        if end is not None and (not self.t or self.t[-1] < end):
            self._put(end, self._at(polynomial, end))

    def _put(self, t: float, y: Floats) -> None:
        self.t.append(t)
        self.work.append(self.done + self._work(t))
        self.states.append(np.array(y))

    def _work(self, t: float) -> float:
        """Since the beginning of the step, by Gauss's formula on its polynomial [J]."""
        if self.power is None:
            return 0.0
        start = self.polynomial.t_old
        nodes, weights = np.polynomial.legendre.leggauss(NODES)
        total = 0.0
        for node, weight in zip(nodes, weights):
            moment = start + (t - start) * (node + 1.0) / 2.0
            y = self.polynomial(moment)
            total += weight * float(self.power(*self.ode.split(y), self.ode.inputs_at(moment, y), moment)[-1][0])
        return float(total * (t - start) / 2.0)

    def _at(self, polynomial: Any, t: float) -> Floats:
        y: Floats = polynomial(t)
        return self.ode.settled(t, y) if self.drifts else y

    def _guards(self, t: float, y: Floats) -> Floats:
        if self.guards is None:
            return np.empty(0)
        q, u = self.ode.split(y)
        found: Floats = self.guards(q, u, self.ode.inputs_at(t, y), t)
        return found

    def _root(self, polynomial: Any, j: int, a: float, b: float) -> float:
        """When guard j is zero between two times at which its signs differ."""
        from scipy.optimize import brentq

        return float(brentq(lambda t: float(self._guards(t, polynomial(t))[j]), a, b, xtol=1e-14))

    def _watch(self, solver: Any, polynomial: Any, before: Floats) -> tuple[Floats, float | None]:
        """Guards at the end of the step; and when the run is to end, if it is."""
        if self.guards is None:
            return before, None
        names = list(self.events)
        moments = np.linspace(solver.t_old, solver.t, LOOKS + 1)
        looks = [before, *(self._guards(t, polynomial(t)) for t in moments[1:-1]), self._guards(solver.t, solver.y)]
        found: list[tuple[float, int, int]] = []
        for j, event in enumerate(self.events.values()):
            for k in range(LOOKS):
                a, b = looks[k][j], looks[k + 1][j]
                sign = 1 if a < 0.0 <= b else -1 if a > 0.0 >= b else 0
                if sign and event.direction in (0, sign):
                    root = moments[k + 1]
                    if b != 0.0:
                        root = self._root(polynomial, j, float(moments[k]), float(moments[k + 1]))
                    found.append((float(root), j, sign))
        values = looks[-1].copy()
        for t, j, sign in sorted(found):
            q, u = self.ode.split(self._at(polynomial, t))
            self.happened.append(Occurrence(names[j], t, sign, q.copy(), u.copy()))
            if abs(t - solver.t) <= TOGETHER * max(1.0, abs(t)):
                values[j] = sign * PAST
            if list(self.events.values())[j].stop:
                return values, t
        return values, None
