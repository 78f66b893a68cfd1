"""Constraints as rows of velocities, A u + C = 0, and the motion that respects them.

Rows come from the user's expressions; rows of coordinates are differentiated once. A mode is which of them hold.
With multipliers λ, M u̇ + h = f + Aᵀ λ and A u̇ + b = 0: the speeds' rates of the unconstrained system are corrected by
what the rows ask for, (A M⁻¹ Aᵀ) λ = −(A a + b). No speed is singled out as dependent, so no configuration is special
as long as the rows are independent; which of them are not is decided beforehand (`redundancy`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..graph import Node, substitute
from ..graph.differentiate import jacobian, jvp
from ..model.system import Level, System
from .factor import factorize
from .mechanics import Mechanics
from .operational import mobility

Rows = list[list[Node]]
Mode = tuple[str, ...]


@dataclass(frozen=True)
class Bonds:
    """The rows of some constraints, one after the other.

    owners: whose each row is. positions: rows φ(q, t) of coordinates, with the places of their derivatives in
    `velocities`. velocities: A u + C (rows,). matrix: A (rows, speeds). rest: what the rows' rates are when the speeds
    do not change (rows,).
    """

    owners: tuple[str, ...]
    positions: tuple[Node, ...]
    places: tuple[int, ...]
    velocities: tuple[Node, ...]
    matrix: Rows
    rest: tuple[Node, ...]

    def some(self, kept: Sequence[int]) -> Bonds:
        """Only these rows; positions are left as they are."""
        return Bonds(
            tuple(self.owners[i] for i in kept), self.positions, self.places,
            tuple(self.velocities[i] for i in kept), [self.matrix[i] for i in kept], tuple(self.rest[i] for i in kept),
        )  # fmt: skip


def active(system: System, mode: Mode = ()) -> Mode:
    """Names of the constraints that are to be imposed: the permanent ones that the speeds do not satisfy by
    themselves, and those that are switched on."""
    return tuple(x.name for x in system.conditions if (x.name in mode if x.switchable else not x.satisfied))


def bonds(mechanics: Mechanics, names: Sequence[str]) -> Bonds:
    """The rows of these constraints."""
    system, quantities = mechanics.system, mechanics.quantities
    clock = quantities.rates()
    owners: list[str] = []
    positions: list[Node] = []
    places: list[int] = []
    velocities: list[Node] = []
    for name in names:
        constraint = system.constraint(name)
        rows = quantities.resolved(constraint.rows)
        if constraint.level is Level.POSITION:
            places += range(len(velocities), len(velocities) + len(rows))
            positions += rows
            rows = jvp(rows, clock)
        velocities += rows
        owners += [name] * len(rows)
    matrix = jacobian(velocities, mechanics.u)
    rest = jvp(velocities, clock)
    return Bonds(tuple(owners), tuple(positions), tuple(places), tuple(velocities), matrix, tuple(rest))


@dataclass(frozen=True)
class Answer:
    """The speeds' rates (speeds,), and the multipliers (rows,) that keep the rows at zero."""

    rates: list[Node]
    multipliers: list[Node]


def constrained_forward_dynamics(mechanics: Mechanics, rows: Bonds) -> Answer:
    """Under the declared forces and f, the rows being independent."""
    factors = factorize(mechanics.mass_matrix())
    free = factors.solve([f - h for f, h in zip(mechanics.f, mechanics.bias_forces())])
    if not rows.owners:
        return Answer(free, [])
    wanted = [-(_dot(line, free) + rest) for line, rest in zip(rows.matrix, rows.rest)]
    multipliers = factorize(mobility(factors, rows.matrix)).solve(wanted)
    pull = [_dot(column, multipliers) for column in zip(*rows.matrix)]
    moved = factors.solve(pull)
    return Answer([a + b for a, b in zip(free, moved)], multipliers)


def remainders(mechanics: Mechanics, rows: Bonds) -> list[Node]:
    """C (rows,) of A u + C."""
    return substitute(rows.velocities, dict.fromkeys(mechanics.u, 0.0))


def _dot(a: Sequence[Node], b: Sequence[Node]) -> Node:
    total = a[0].graph.zero
    for x, y in zip(a, b):
        total = total + x * y
    return total
