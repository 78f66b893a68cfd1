"""The checks that Kane and Levinson advise for every simulation: what must stay, and what must come back.

T. R. Kane, D. A. Levinson, The use of Kane's dynamical equations in robotics, Int. J. Robotics Research 2 (1983): an
energy integral and a momentum (138) that stay, and inverse dynamics that returns the efforts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..graph.pause import collector_paused
from .ode import Ode

Floats = NDArray[np.float64]
TINY = 1e-300
RANK = 1e-9
MOST = 1000  # states at which inverse dynamics is asked
TOGETHER = 1 << 15  # states that are looked at together


@dataclass(frozen=True)
class Checks:
    """The largest errors along a run.

    energy: of kinetic plus potential energy, less the work done, from what they were [J]; None where the work was not
    integrated. energy_size: the largest change of kinetic or potential energy, or kinetic energy [J]. momenta: changes
    of those that are conserved [SI]. drift: what constraints miss zero by [SI]. quaternions: of their lengths from 1.
    returned: what inverse dynamics leaves that no applied force or constraint accounts for, beside the largest force;
    None where friction depends on forces of constraints.
    """

    energy: float | None
    energy_size: float
    momenta: dict[str, float] = field(default_factory=dict)
    drift: dict[str, float] = field(default_factory=dict)
    quaternions: float = 0.0
    returned: float | None = 0.0

    def __str__(self) -> str:
        lines = []
        if self.energy is not None:
            lines.append(f"energy less work stays within {self.energy:.1e} J ({self.energy_size:.3g} J are exchanged)")
        lines += [f"{name} stays within {x:.1e}" for name, x in self.momenta.items()]
        lines += [f"constraint {name!r} holds within {x:.1e}" for name, x in self.drift.items()]
        if self.quaternions:
            lines.append(f"quaternions are of length one within {self.quaternions:.1e}")
        if self.returned is not None:
            lines.append(f"inverse dynamics gives the applied forces back within {self.returned:.1e}")
        return "\n".join(lines)


def checks(ode: Ode, t: Floats, q: Floats, u: Floats, work: Floats | None, inputs: dict[str, Floats]) -> Checks:
    """Of the states (n,) of a run, a part at a time: long runs ask for no more memory than short ones.

    inputs: values (n,) as they acted, by name.
    """
    d = ode.compiled
    if work is None and not any(x.name == "power" for x in ode.moving.motion_and_power.outputs):
        work = np.zeros(len(t))
    with collector_paused():
        names, program = ode.moving.conserved({**d.parameters, **ode.drives.constant})
    momenta = None if program is None else ode.bound(program)
    balance, kinetic, potential = _Largest(), _Largest(), _Largest()
    kept, drift = _Largest(), {name: _Largest() for name in d.system.constraints}
    for part in _parts(len(t)):
        states, given = (q[part], u[part]), {name: x[part] for name, x in inputs.items()}
        energy = d.energy(*states, inputs=given, t=t[part])
        kinetic.of(energy.kinetic)
        potential.change(energy.potential)
        if work is not None:
            balance.change(energy.total - work[part])
        if momenta is not None:
            kept.change(momenta(*states, stacked(given, states[0]), t[part]))
        for name, x in d.residual(*states, inputs=given, t=t[part]).items():
            drift[name].of(x)
    return Checks(
        None if work is None else float(balance.found), float(max(kinetic.found, potential.found)),
        dict(zip(names, map(float, np.atleast_1d(kept.found)))) if momenta is not None else {},
        {name: float(np.max(x.found)) for name, x in drift.items() if x.seen},
        _quaternions(ode, q), _returned(ode, t, q, u, inputs),
    )  # fmt: skip


class _Largest:
    """The largest magnitude that was seen: one number, or one for each column of arrays (n, columns)."""

    def __init__(self) -> None:
        self.found: Floats | float = 0.0
        self.seen = False
        self._first: Floats | None = None

    def of(self, x: Floats) -> None:
        """Of the values."""
        self.seen = True
        self.found = np.maximum(self.found, np.abs(x).max(axis=0, initial=0.0))

    def change(self, x: Floats) -> None:
        """Of what they differ by from the very first."""
        if self._first is None:
            self._first = x[0]
        self.of(x - self._first)


def _parts(count: int) -> Iterator[slice]:
    return (slice(k, k + TOGETHER) for k in range(0, count, TOGETHER))


def stacked(inputs: dict[str, Floats], q: Floats) -> Floats:
    """Values (n, inputs) of all inputs as one array."""
    if not inputs:
        return np.zeros((len(q), 0))
    return np.stack([np.broadcast_to(x, len(q)) for x in inputs.values()], axis=-1)


def _returned(ode: Ode, t: Floats, q: Floats, u: Floats, inputs: dict[str, Floats]) -> float | None:
    if ode.compiled.system.frictions:
        return None  # efforts and friction change each other
    some = np.unique(np.linspace(0, len(t) - 1, MOST).astype(int))
    given = {name: np.broadcast_to(x, t.shape)[some] for name, x in inputs.items()}
    d, t, q, u = ode.compiled, t[some], q[some], u[some]
    udot = d.forward_dynamics(q, u, inputs=given, t=t)
    left = d.inverse_dynamics(q, u, udot, inputs=given, t=t)
    size = max(_largest(left), _largest(d.inverse_dynamics(q, u, np.zeros_like(udot), inputs=given, t=t)), TINY)
    if d.imposed:  # forces of constraints are left: combinations of the rows
        rows = np.swapaxes(ode.bound(ode.moving.rows)(q, u, stacked(given, q), t), -1, -2)
        left = left - (rows @ (np.linalg.pinv(rows, rcond=RANK) @ left[..., None]))[..., 0]
    return _largest(left) / size


def _quaternions(ode: Ode, q: Floats) -> float:
    names = ode.compiled.system.coordinates
    worst = 0.0
    for k, name in enumerate(names):
        if name.endswith(".qx"):
            worst = max(worst, _largest(np.linalg.norm(q[:, k : k + 4], axis=-1) - 1.0))
    return worst


def _largest(x: Floats) -> float:
    return float(np.abs(x).max(initial=0.0))
