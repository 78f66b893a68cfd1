"""Contact problems in numbers, solved by machine code, and what must hold of their answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jourdain.native import Cache, Routine
from jourdain.native.routine import Session
from jourdain.program import Draft, Kernel
from jourdain.program.imperative import Type
from jourdain.simulation.contact.acceleration import solve_contacts, solving_work
from jourdain.simulation.contact.impact import STRONGE, bring_to_rest, impact_work, resolve_impact

Array = NDArray[np.float64]
ROWS, CONTACTS = 120, 40  # the most that the machine code is given room for
SIZES = {
    "W": ROWS * ROWS, "direction": 2 * CONTACTS, "report": 1, "energy": 1,
    "work": max(solving_work(ROWS, CONTACTS), impact_work(ROWS, CONTACTS)),
    **dict.fromkeys(("b", "v", "force", "impulse", "after"), ROWS),
    **dict.fromkeys(("start", "tangents", "mu", "e", "none", "moving", "state"), CONTACTS),
}  # fmt: skip


@dataclass(frozen=True)
class Problem:
    """Contacts, their normals and tangents in turn: J (m, n), M⁻¹ (n, n), tangents and friction by contact."""

    J: Array
    tangents: Sequence[int]
    mu: Sequence[float]
    inverse: Array | None = None
    moving: Sequence[int] = ()
    direction: Array = field(default_factory=lambda: np.zeros(0))

    @property
    def W(self) -> Array:
        inverse = np.eye(self.J.shape[1]) if self.inverse is None else self.inverse
        return self.J @ inverse @ self.J.T

    @property
    def starts(self) -> Array:
        return np.concatenate([[0.0], np.cumsum(1.0 + np.array(self.tangents))])[: len(self.tangents)]

    @property
    def normals(self) -> list[int]:
        return [int(x) for x in self.starts]

    def rows(self, k: int) -> tuple[int, slice]:
        """The normal's row and the tangents' of contact k."""
        n = self.normals[k]
        return n, slice(n + 1, n + 1 + self.tangents[k])

    def slips(self, k: int) -> bool:
        return bool(self.moving) and bool(self.moving[k])


@dataclass(frozen=True)
class Answer:
    status: int
    force: Array
    state: list[int]
    direction: Array
    contact: int


@dataclass(frozen=True)
class Struck:
    status: int
    impulse: Array
    after: Array
    energy: float


@cache
def machine_code(kernel: Kernel[..., int]) -> Session:
    draft = Draft(kernel.name)
    places = [
        draft.array(x.name, SIZES[x.name]) if x.type is Type.FLOATS else draft.cell(x.name)
        for x in kernel.code.parameters
    ]
    draft.run(kernel, *places, to=draft.cell("status"))
    return Routine(draft.done(), Cache(None)).session({})


def run(kernel: Kernel[..., int], p: Problem, **given: Any) -> tuple[int, Session]:
    session = machine_code(kernel)
    session.array("work")[:] = np.nan  # what is read has been written before
    known = {"W": p.W, "start": p.starts, "tangents": p.tangents, "mu": p.mu, **given}
    for name, value in known.items():
        flat = np.array(value, dtype=np.float64).ravel()
        session.array(name)[: len(flat)] = flat
    session["ld"], session["contacts"] = float(p.J.shape[0]), float(len(p.tangents))
    session.run()
    return int(session["status"]), session


def solved(p: Problem, b: Array) -> Answer:
    m, count = p.J.shape[0], len(p.tangents)
    moving = p.moving or np.zeros(count)
    direction = p.direction if len(p.direction) else np.zeros(2 * count)
    status, found = run(solve_contacts, p, b=b, moving=moving, direction=direction)
    states = [int(x) for x in found.array("state")[:count]]
    force, slip = found.array("force")[:m].copy(), found.array("direction")[: 2 * count].copy()
    return Answer(status, force, states, slip, int(found.array("report")[0]))


def struck(p: Problem, v: Array, e: float | Sequence[float], law: int = STRONGE) -> Struck:
    m, count = p.J.shape[0], len(p.tangents)
    machine_code(resolve_impact)["law"] = float(law)
    status, found = run(resolve_impact, p, v=v, e=np.broadcast_to(e, count))
    return _struck(status, found, m)


def halted(p: Problem, v: Array) -> Struck:
    status, found = run(bring_to_rest, p, v=v)
    return _struck(status, found, p.J.shape[0])


def _struck(status: int, found: Session, m: int) -> Struck:
    impulse, after = found.array("impulse")[:m].copy(), found.array("after")[:m].copy()
    return Struck(status, impulse, after, float(found.array("energy")[0]))


def error(p: Problem, b: Array, x: Array, direction: Array) -> float:
    """The worst violation of what holds at contacts, forces and accelerations beside their sizes."""
    a = p.W @ x + b
    force, gain = 1.0 + np.abs(x).max(), 1.0 + np.abs(b).max() + np.abs(p.W).max() * np.abs(x).sum()
    worst = 0.0
    for k in range(len(p.tangents)):
        n, t = p.rows(k)
        worst = max(worst, -x[n] / force, -a[n] / gain, min(x[n] / force, a[n] / gain))
        if p.tangents[k]:
            bound = p.mu[k] * x[n]
            if p.slips(k):
                d = direction[2 * k : 2 * k + p.tangents[k]]
                worst = max(worst, float(np.linalg.norm(x[t] + bound * d)) / force)
            else:
                worst = max(worst, (float(np.linalg.norm(x[t])) - bound) / force)
                worst = max(worst, float(x[t] @ a[t] + bound * np.linalg.norm(a[t])) / (force * gain))
    return worst


def corners(mass: float = 2.0, half: Sequence[float] = (0.5, 0.4, 0.3), count: int = 4) -> tuple[Array, Array]:
    """J (3 count, 6) and M⁻¹ (6, 6) of a block on corners of its lower face; speeds are the center's, then ω."""
    x, y, z = half
    inertia = mass / 3.0 * np.array([y * y + z * z, x * x + z * z, x * x + y * y])
    rows = []
    for place in ((x, y, -z), (-x, y, -z), (-x, -y, -z), (x, -y, -z))[:count]:
        for e in np.eye(3)[[2, 0, 1]]:
            rows.append(np.concatenate([e, np.cross(place, e)]))
    return np.array(rows), np.diag(np.concatenate([np.full(3, 1.0 / mass), 1.0 / inertia]))
