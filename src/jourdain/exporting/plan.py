"""What is to be exported: a system at its parameters and in its mode, which functions, and a motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..driver import Compiled
from ..model.mistakes import did_you_mean
from ..simulation import RK4
from ..simulation.method import FixedStep, Method, Stepped

Floats = NDArray[np.float64]
FUNCTIONS = (
    "rates", "forward_dynamics", "inverse_dynamics", "mass_matrix", "bias_forces", "energy", "momentum", "mass_center",
    "poses", "outputs",
)  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """q (coordinates,), u (speeds,): where the motion starts."""

    compiled: Compiled
    functions: tuple[str, ...]
    q: Floats
    u: Floats
    method: FixedStep

    @property
    def name(self) -> str:
        """As files are called."""
        found = "".join(x if x.isascii() and (x.isalnum() or x in "-_") else "-" for x in self.compiled.system.name)
        return found.strip("-") or "system"


def plan_of(
    compiled: Compiled, functions: tuple[str, ...], q0: ArrayLike | None, u0: ArrayLike | None, method: Method | None
) -> Plan:
    """ValueError and TypeError say what cannot be exported."""
    system = compiled.system
    if not system.speeds:
        raise ValueError(f"system {system.name!r} has no freedom: there is nothing to compute")
    known = sorted({*FUNCTIONS, "gravity_forces", "coriolis_matrix"})
    for name in functions:
        if name not in known:
            raise ValueError(f"no function {name!r} can be exported; {did_you_mean(name, known)}")
    chosen = RK4() if method is None else method
    if not isinstance(chosen, Stepped) or not isinstance(chosen, FixedStep):
        raise ValueError(
            f"the exported motion takes equal steps, which {getattr(chosen, 'name', repr(chosen))} does not; choose a "
            "method with a step, like jourdain.RK4(step=1e-3)"
        )
    q = _assembled(compiled) if q0 is None else _state("q0", q0, system.coordinates)
    u = np.zeros(len(system.speeds)) if u0 is None else _state("u0", u0, system.speeds)
    return Plan(compiled, functions, q, u, chosen)


def _assembled(compiled: Compiled) -> Floats:
    try:
        return np.asarray(compiled.assemble(compiled.system.neutral), dtype=np.float64)
    except ValueError as error:
        raise ValueError(f"{error}; give the start of the motion, q0") from None


def _state(what: str, given: ArrayLike, names: tuple[str, ...]) -> Floats:
    found = np.asarray(given, dtype=np.float64)
    if found.shape != (len(names),) or not np.isfinite(found).all():
        raise ValueError(f"{what} must be {len(names)} finite numbers ({', '.join(names)}), not {given!r}")
    return found
