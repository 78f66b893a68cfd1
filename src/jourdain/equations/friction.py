"""Dry friction that depends on normal forces, found together with them.

The normal force ν of a friction is the multiplier of a row, or several at right angles; the friction, −μ |ν| along the
slip, is a generalized force like any other. Speeds' rates and multipliers are linear in it: with no friction the normal
forces are ν₀, and a unit of the j-th friction changes them by W_j, so

    ν = ν₀ + Σ W_j s_j,   s_j = |ν_j|.

With directions d_j of ν_j known, |ν_j| = d_j · ν_j, this is linear. They are those of ν₀ first, and then those of what
is found: Newton's method, for d is also the derivative of |ν|. With one frictional row d is a sign, and the first is
right wherever there is an answer at all, 1 − d W > 0. Where there is none, as where a pushed rod jams (Painlevé), the
sign of what comes out is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..graph import Node, less, select, sqrt
from ..graph.differentiate import jacobian
from ..model.system import Friction
from .constraints import Answer, Bonds, Kinetics
from .mechanics import Mechanics
from .redundancy import Redundancy
from .rows import Rows, dot

ROUNDS = 5  # of Newton's method, where there is more than one sign to find


@dataclass(frozen=True)
class Rubbing:
    """One friction that acts: the places of its rows among the rows that hold; the forces along its slips for a unit of
    normal force, against the motion; and what these are on the speeds (speeds,)."""

    friction: Friction
    rows: list[int]
    against: list[Node]
    column: list[Node]


def against_slips(mechanics: Mechanics, friction: Friction) -> tuple[list[Node], list[Node]]:
    """For a unit of normal force: the forces along the slips, and the generalized forces (speeds,) that they are."""
    *slips, coefficient = mechanics.quantities.resolved([*friction.slips, friction.coefficient])
    width = mechanics.lowered.carry([friction.width])[0]
    total = width * width
    for slip in slips:
        total = total + slip * slip
    size = coefficient / sqrt(total)
    against = [-(slip * size) for slip in slips]
    slopes = jacobian(slips, mechanics.u)
    return against, [dot(mechanics.graph, [row[k] for row in slopes], against) for k in range(len(mechanics.u))]


def rubbing(mechanics: Mechanics, rows: Bonds) -> list[Rubbing]:
    """The frictions of the rows that hold."""
    found = []
    places = {owner: k for k, owner in enumerate(zip(rows.owners, rows.ordinals))}
    for friction in mechanics.system.frictions:
        own = [places[friction.constraint, row] for row in friction.rows if (friction.constraint, row) in places]
        if own:
            found.append(Rubbing(friction, own, *against_slips(mechanics, friction)))
    return found


def check_frictions(frictions: Sequence[Friction], rows: Bonds, found: Redundancy) -> None:
    """ValueError for friction whose normal force the motion does not tell. rows: before redundant ones are left out."""
    places = {owner: k for k, owner in enumerate(zip(rows.owners, rows.ordinals))}
    for friction in frictions:
        for row in friction.rows:
            place = places.get((friction.constraint, row))
            if place is not None and (place in found.shared or place not in found.kept):
                raise ValueError(
                    f"friction {friction.name!r} depends on the force of row {row} of {friction.constraint!r}, which "
                    "other rows could share; leave out the rows that say nothing new, or let something yield"
                )


@dataclass(frozen=True)
class Frictional:
    """M u̇ − Aᵀ λ − Σ c_j d_j·ν_j = force, A u̇ = asked, for any right-hand sides: with friction of some directions d.

    responses: of rates and multipliers to a unit of each friction. directions: d of each, as many as its rows.
    """

    kinetics: Kinetics
    acting: list[Rubbing]
    responses: list[Answer]
    directions: Rows

    @classmethod
    def of(cls, kinetics: Kinetics, mechanics: Mechanics, force: Sequence[Node], asked: Sequence[Node]) -> Frictional:
        """With the directions that the normal forces have under these forces."""
        acting = rubbing(mechanics, kinetics.rows)
        still = [mechanics.graph.zero] * len(kinetics.rows.owners)
        responses = [kinetics.solve(x.column, still) for x in acting]
        found = cls(kinetics, acting, responses, [])
        if not acting:
            return found
        free = multipliers = kinetics.solve(force, asked).multipliers
        single = len(acting) == 1 and len(acting[0].rows) == 1
        for _ in range(1 if single else ROUNDS):
            found = replace(found, directions=[_direction(x, multipliers) for x in acting])
            multipliers = found._with(free, [x.multipliers for x in responses], found._sizes(free))
        return found

    def solve(self, force: Sequence[Node], asked: Sequence[Node]) -> Answer:
        """For force (speeds,) and asked (rows,)."""
        plain = self.kinetics.solve(force, asked)
        if not self.acting:
            return plain
        sizes = self._sizes(plain.multipliers)
        rates = self._with(plain.rates, [x.rates for x in self.responses], sizes)
        return Answer(rates, self._with(plain.multipliers, [x.multipliers for x in self.responses], sizes))

    def sizes(self, multipliers: Sequence[Node]) -> list[Node]:
        """|ν| of each friction's normal force, among the multipliers (rows,)."""
        return [_along(x, d, multipliers) for x, d in zip(self.acting, self.directions)]

    def _sizes(self, free: Sequence[Node]) -> list[Node]:
        """|ν| from the multipliers without friction: (1 − d·W) s = d·ν₀."""
        one, zero = free[0].graph.one, free[0].graph.zero
        matrix = [
            [
                (one if i == k else zero) - _along(x, d, response.multipliers)
                for k, response in enumerate(self.responses)
            ]
            for i, (x, d) in enumerate(zip(self.acting, self.directions))
        ]
        return eliminated(matrix, self.sizes(free))

    @staticmethod
    def _with(plain: Sequence[Node], units: Sequence[Sequence[Node]], sizes: Sequence[Node]) -> list[Node]:
        """What it is without friction, and with this much of each."""
        total = list(plain)
        for unit, size in zip(units, sizes):
            total = [x + y * size for x, y in zip(total, unit)]
        return total


def _along(x: Rubbing, direction: Sequence[Node], multipliers: Sequence[Node]) -> Node:
    return dot(direction[0].graph, direction, [multipliers[row] for row in x.rows])


def _direction(x: Rubbing, multipliers: Sequence[Node]) -> list[Node]:
    """Of a normal force: its sign, or its unit vector."""
    normal = [multipliers[row] for row in x.rows]
    if len(normal) == 1:
        return [select(less(0.0, normal[0]), 1.0, -1.0 if x.friction.both_sides else 0.0)]
    size = sqrt(dot(normal[0].graph, normal, normal))
    return [component / select(less(0.0, size), size, 1.0) for component in normal]


def eliminated(matrix: Sequence[Sequence[Node]], right: Sequence[Node]) -> list[Node]:
    """x of matrix x = right, without exchanging rows: the diagonal leads where friction is not very large."""
    work, b = [list(row) for row in matrix], list(right)
    n = len(b)
    for k in range(n):
        inverse = work[k][k].graph.one / work[k][k]
        for i in range(k + 1, n):
            ratio = work[i][k] * inverse
            work[i] = [x - ratio * y if j > k else x for j, (x, y) in enumerate(zip(work[i], work[k]))]
            b[i] = b[i] - ratio * b[k]
    found: list[Node] = [b[0].graph.zero] * n
    for k in reversed(range(n)):
        total = b[k]
        for j in range(k + 1, n):
            total = total - work[k][j] * found[j]
        found[k] = total / work[k][k]
    return found


__all__ = ["Frictional", "Rubbing", "against_slips", "check_frictions", "eliminated", "rubbing"]
