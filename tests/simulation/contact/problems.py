"""Contact problems in numbers, and what must hold of their answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from numpy.typing import NDArray

from jourdain.simulation.contact.acceleration import solve_contacts, solving_work

Array = NDArray[np.float64]


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

    def rows(self, k: int) -> tuple[int, slice]:
        """The normal's row and the tangents' of contact k."""
        n = int(self.starts[k])
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


def flat(x: object) -> Array:
    """An array that kernels read quickly when they run as plain Python."""
    values = np.array(x, dtype=np.float64).ravel()
    return cast(Array, memoryview(values))  # type: ignore[arg-type]


def solved(p: Problem, b: Array) -> Answer:
    m, count = p.J.shape[0], len(p.tangents)
    moving = flat(p.moving or np.zeros(count))
    direction = flat(p.direction if len(p.direction) else np.zeros(2 * count))
    force, state, report = flat(np.full(m, 7.0)), flat(np.full(count, 7.0)), flat([7.0])
    work = flat(np.full(solving_work(m, count), np.nan))
    status = solve_contacts(
        flat(p.W), flat(b), m, count, flat(p.starts), flat(p.tangents), flat(p.mu), moving, direction, force, state,
        report, work,
    )  # fmt: skip
    states = [int(x) for x in state]
    return Answer(status, np.array(force), states, np.array(direction), int(report[0]))


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
            d = direction[2 * k : 2 * k + p.tangents[k]]
            if p.slips(k):
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
