"""Dry friction that depends on normal forces, found together with them.

The normal force ν of a frictional row is that row's multiplier, and its friction, −μ |ν| along the slip, is a
generalized force like any other. Speeds' rates and multipliers are linear in it: with no friction the normal forces are
ν₀, a unit of the j-th friction changes the i-th by W_ij, so

    ν = ν₀ + W D |ν|,   D = diag(μ),

|ν| = ς ν. The signs ς are those of ν₀ first, and then those of what is found, a few times over: with one frictional
row the first are right wherever there is an answer at all, 1 − ς μ W > 0. Where there is none, as where a pushed rod
jams (Painlevé), the sign of what comes out is wrong.
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

ROUNDS = 3  # in which signs may change where several rows have friction


@dataclass(frozen=True)
class Rubbing:
    """One friction that acts: the place of its row among the rows that hold; the forces along its slips for a unit of
    normal force, against the motion; and what these are on the speeds (speeds,)."""

    friction: Friction
    row: int
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
        place = places.get((friction.constraint, friction.row))
        if place is not None:
            found.append(Rubbing(friction, place, *against_slips(mechanics, friction)))
    return found


def check_frictions(frictions: Sequence[Friction], rows: Bonds, found: Redundancy) -> None:
    """ValueError for friction whose normal force the motion does not tell. rows: before redundant ones are left out."""
    places = {owner: k for k, owner in enumerate(zip(rows.owners, rows.ordinals))}
    for friction in frictions:
        place = places.get((friction.constraint, friction.row))
        if place is not None and (place in found.shared or place not in found.kept):
            raise ValueError(
                f"friction {friction.name!r} depends on the force of row {friction.row} of {friction.constraint!r}, "
                "which other rows could share; leave out the rows that say nothing new, or let something yield"
            )


@dataclass(frozen=True)
class Frictional:
    """M u̇ − (Aᵀ + Σ c_j ς_j) λ = force, A u̇ = asked, for any right-hand sides: with friction of some signs ς.

    responses: of rates and multipliers to a unit of each friction. couplings: W.
    """

    kinetics: Kinetics
    acting: list[Rubbing]
    responses: list[Answer]
    couplings: Rows
    signs: list[Node]

    @classmethod
    def of(cls, kinetics: Kinetics, mechanics: Mechanics, force: Sequence[Node], asked: Sequence[Node]) -> Frictional:
        """With the signs that the normal forces have under these forces."""
        acting = rubbing(mechanics, kinetics.rows)
        still = [mechanics.graph.zero] * len(kinetics.rows.owners)
        responses = [kinetics.solve(x.column, still) for x in acting]
        couplings = [[response.multipliers[x.row] for response in responses] for x in acting]
        found = cls(kinetics, acting, responses, couplings, [])
        if not acting:
            return found
        plain = kinetics.solve(force, asked)
        free = normals = [plain.multipliers[x.row] for x in acting]
        for _ in range(ROUNDS if len(acting) > 1 else 1):
            signs = [_sign(x.friction, normal) for x, normal in zip(acting, normals)]
            found = replace(found, signs=signs)
            normals = found._normals(free)
        return found

    def solve(self, force: Sequence[Node], asked: Sequence[Node]) -> Answer:
        """For force (speeds,) and asked (rows,)."""
        plain = self.kinetics.solve(force, asked)
        if not self.acting:
            return plain
        normals = self._normals([plain.multipliers[x.row] for x in self.acting])
        rates, multipliers = plain.rates, plain.multipliers
        for response, sign, normal in zip(self.responses, self.signs, normals):
            size = sign * normal
            rates = [x + y * size for x, y in zip(rates, response.rates)]
            multipliers = [x + y * size for x, y in zip(multipliers, response.multipliers)]
        return Answer(rates, multipliers)

    def sizes(self, multipliers: Sequence[Node]) -> list[Node]:
        """|ν| of each friction's normal force, among the multipliers (rows,)."""
        return [sign * multipliers[x.row] for x, sign in zip(self.acting, self.signs)]

    def _normals(self, free: Sequence[Node]) -> list[Node]:
        """ν from what they are without friction: (1 − W ς) ν = ν₀."""
        one, zero = free[0].graph.one, free[0].graph.zero
        matrix = [
            [(one if i == k else zero) - w * sign for k, (w, sign) in enumerate(zip(row, self.signs))]
            for i, row in enumerate(self.couplings)
        ]
        return eliminated(matrix, free)


def _sign(friction: Friction, normal: Node) -> Node:
    pushed = less(0.0, normal)
    return select(pushed, 1.0, -1.0 if friction.both_sides else 0.0)


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
