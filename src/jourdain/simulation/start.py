"""Whether a motion can start where it is asked to."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..driver import Compiled
from ..model.system import System
from .ode import Ode

Floats = NDArray[np.float64]
NEAR = 1e-2  # [m, rad, and their rates]: a start that misses a constraint by less is put on it
DEEP = 1e-6  # [m, rad]: a contact that overlaps by less is put on what it touches


class StateError(ValueError):
    """A start that is not on the constraints, or where bodies overlap. `residuals`: by constraint; gaps of contacts."""

    def __init__(self, message: str, residuals: dict[str, Floats]) -> None:
        super().__init__(message)
        self.residuals = residuals


def must_be_near(ode: Ode, compiled: Compiled, given: Floats, settled: Floats, is_lost: bool, t: float) -> None:
    """StateError where the start had to be moved far to satisfy the constraints of a mode, or could not be.

    compiled: in that mode.
    """
    moved = float(np.abs(settled - given).max(initial=0.0))
    if not is_lost and moved <= NEAR:
        return
    q, u = ode.split(given)
    names, system = compiled.system.inputs, compiled.system
    values = ode.inputs(t, q, u)
    residuals = compiled.residual(q, u, inputs=dict(zip(names, values)), t=t)
    said = [f"{name!r} misses by {np.abs(x).max():.3g}" for name, x in residuals.items() if np.abs(x).max() > 1e-9]
    if not said:
        said = [f"the quaternion of {x.removesuffix('.qx')!r} is not of length one" for x in system.coordinates
                if x.endswith(".qx")]  # fmt: skip
    if not said:
        said = ["they hold there, but contradict one another, or are singular"]
    raise StateError(
        f"the start is not on the constraints of system {system.name!r}: {'; '.join(said)}; "
        "`assemble` finds positions near a guess, and `complete` speeds that go with them",
        residuals,
    )


def must_not_overlap(system: System, gaps: Mapping[str, float]) -> None:
    """StateError where a contact's gap is less than rounding explains. gaps: by contact [m, rad]."""
    deep = {name: gap for name, gap in gaps.items() if gap < -DEEP}
    if deep:
        said = "; ".join(f"the gap of {name!r} is {gap:.3g}" for name, gap in deep.items())
        raise StateError(
            f"contacts of system {system.name!r} overlap at the start: {said}; move what touches apart, for gaps never "
            "are negative",
            {name: np.array([gap]) for name, gap in deep.items()},
        )


def must_be_possible(system: System, friction: Mapping[str, float], restitution: Mapping[str, float]) -> None:
    """ValueError where coefficients are none, as parameters and inputs have them. Both by contact."""
    said = [f"the restitution of {name!r} is {x:g}, not between 0 and 1" for name, x in restitution.items()
            if not 0.0 <= x <= 1.0]  # fmt: skip
    said += [f"the friction of {name!r} is {x:g}, which is negative" for name, x in friction.items() if not x >= 0.0]
    if said:
        raise ValueError(f"system {system.name!r}: {'; '.join(said)}; look at parameters and inputs that it follows")
