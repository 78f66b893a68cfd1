"""Constraints as rows of velocities, A u + C = 0, and the motion that respects them.

Rows come from the user's expressions; rows of coordinates are differentiated once. A mode is which of them hold.
With multipliers λ, M u̇ + h = f + Aᵀ λ and A u̇ + b = 0: the speeds' rates of the unconstrained system are corrected by
what the rows ask for, (A M⁻¹ Aᵀ) λ = −(A a + b). No speed is singled out as dependent, so no configuration is special
while the rows are independent. Rows that never say anything new are left out beforehand (`redundancy`); one that says
nothing new at some configuration, as where a four-bar lies folded, is left out there, and all numbers stay finite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..graph import Node, less, maximum, select, substitute
from ..graph.differentiate import jacobian, jvp
from ..model.system import Level, System
from .factor import Factors, eliminated, factorize
from .mechanics import Mechanics
from .operational import mobility
from .rows import Rows, dot
from .states import general_values

Mode = tuple[str, ...]

# The sine, squared, of the angle between a row and those before it, in the measure of the masses, below which it says
# nothing new. Positions that miss the constraints by a millionth make rows that should depend differ by as much.
DEPENDENT = 1e-10


@dataclass(frozen=True)
class Bonds:
    """The rows of some constraints, one after the other.

    owners: whose each row is. positions: rows φ(q, t) of coordinates, with the places of their derivatives in
    `velocities`. velocities: A u + C (rows,). matrix: A (rows, speeds). rest: what the rows' rates are when the speeds
    do not change (rows,). ordinals: each row's place in its constraint.
    """

    owners: tuple[str, ...]
    positions: tuple[Node, ...]
    places: tuple[int, ...]
    velocities: tuple[Node, ...]
    matrix: Rows
    rest: tuple[Node, ...]
    ordinals: tuple[int, ...] = ()

    def some(self, kept: Sequence[int]) -> Bonds:
        """Only these rows; positions are left as they are."""
        return Bonds(
            tuple(self.owners[i] for i in kept), self.positions, self.places,
            tuple(self.velocities[i] for i in kept), [self.matrix[i] for i in kept], tuple(self.rest[i] for i in kept),
            tuple(self.ordinals[i] for i in kept),
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
    ordinals: list[int] = []
    for name in names:
        constraint = system.constraint(name)
        rows = quantities.resolved(constraint.rows)
        if constraint.level is Level.POSITION:
            places += range(len(velocities), len(velocities) + len(rows))
            positions += rows
            rows = quantities.rates_of(constraint.rows)
        velocities += rows
        owners += [name] * len(rows)
        ordinals += range(len(rows))
    matrix = jacobian(velocities, mechanics.u)
    rest = jvp(velocities, clock)
    return Bonds(
        tuple(owners), tuple(positions), tuple(places), tuple(velocities), matrix, tuple(rest), tuple(ordinals)
    )


@dataclass(frozen=True)
class Answer:
    """The speeds' rates (speeds,), and the multipliers (rows,) that keep the rows at zero."""

    rates: list[Node]
    multipliers: list[Node]


@dataclass(frozen=True)
class Kinetics:
    """M u̇ − Aᵀ λ = force, A u̇ = asked, ready to be solved for any right-hand sides.

    Where a speed moves nothing that has inertia, as a contact point's may, or a body whose mass is a parameter with the
    default 0, and only the rows hold it, M cannot be inverted; Aᵀ (A u̇ − asked) = 0 is then added, which changes
    neither u̇ nor λ: M + AᵀA stands in M's place.
    """

    rows: Bonds
    mass: Factors  # of M, or of M + AᵀA
    bonds: Factors  # of A M⁻¹ Aᵀ, its rows in reverse
    squares: tuple[Node, ...] = ()  # of the rows' lengths in the measure of the masses, diag A M⁻¹ Aᵀ
    propped: bool = False  # whether AᵀA was added

    @classmethod
    def of(cls, mechanics: Mechanics, rows: Bonds | None = None, least: Sequence[float] = ()) -> Kinetics:
        """rows: of the constraints that hold; none if left out. least: squares (rows,) of what must be new in a row for
        it to count; any will do if left out."""
        rows = rows or Bonds((), (), (), (), [], ())
        matrix = mechanics.mass_matrix()
        propped = bool(rows.owners) and _weightless(mechanics, [row[k] for k, row in enumerate(matrix)])
        if propped:
            columns = list(zip(*rows.matrix))
            matrix = [[x + dot(mechanics.graph, a, b) for x, b in zip(row, columns)] for row, a in zip(matrix, columns)]
        mass = factorize(matrix)
        felt = mobility(mass, rows.matrix[::-1]) if rows.owners else []
        squares = tuple(row[k] for k, row in enumerate(felt))[::-1]
        return cls(rows, mass, factorize_dependent(felt, least[::-1]), squares, propped)

    def solve(self, force: Sequence[Node], asked: Sequence[Node]) -> Answer:
        """For force (speeds,) and asked (rows,)."""
        if not self.rows.owners:
            return Answer(self.mass.solve(force), [])
        graph = self.rows.velocities[0].graph
        if self.propped:
            force = [f + dot(graph, column, asked) for f, column in zip(force, zip(*self.rows.matrix))]
        free = self.mass.solve(force)
        wanted = [x - dot(graph, line, free) for x, line in zip(asked, self.rows.matrix)]
        multipliers = self.bonds.solve(wanted[::-1])[::-1]
        pull = [dot(graph, column, multipliers) for column in zip(*self.rows.matrix)]
        return Answer([a + b for a, b in zip(free, self.mass.solve(pull))], multipliers)

    def delicacy(self, usual: Sequence[float]) -> Node:
        """How little is left of some row that those after it do not say, from 1 to infinity: what is usual, over that.

        usual: the rows' squares (rows,) at general positions. Small is what is new in a row where rows nearly depend on
        each other, and where one vanishes. What a state misses the constraints by comes back in accelerations larger
        by the root of this.
        """
        found = self.mass.inverse_diagonal[0].graph.one
        for square, inverse in zip(usual[::-1], self.bonds.inverse_diagonal):
            found = maximum(found, select(less(0.0, inverse), square * inverse, float("inf")))
        return found

    def mobility(self, jacobian: Sequence[Sequence[Node]]) -> Rows:
        """J Φ Jᵀ (m, m): what a force accelerates along the rows of a Jacobian (m, speeds), the constraints kept.

        Φ = M⁻¹ − M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁻¹ A M⁻¹, which has no motion across the constraints.
        """
        if not self.rows.owners:
            return mobility(self.mass, jacobian)
        graph = self.rows.velocities[0].graph
        still = [graph.zero] * len(self.rows.owners)
        found = [[graph.zero] * len(jacobian) for _ in jacobian]
        for i, row in enumerate(jacobian):
            moved = self.solve(row, still).rates
            for k in range(i + 1):
                found[i][k] = found[k][i] = dot(graph, jacobian[k], moved)
        return found


def solve_kinetics(kinetics: Kinetics, mechanics: Mechanics) -> Answer:
    """Under the declared forces and f."""
    force = [f - h for f, h in zip(mechanics.f, mechanics.bias_forces())]
    return kinetics.solve(force, [-x for x in kinetics.rows.rest])


def constrained_forward_dynamics(mechanics: Mechanics, rows: Bonds) -> Answer:
    """Under the declared forces and f. Where a row depends on those before it, its multiplier is zero."""
    return solve_kinetics(Kinetics.of(mechanics, rows), mechanics)


def factorize_dependent(matrix: Sequence[Sequence[Node]], least: Sequence[float] = ()) -> Factors:
    """LᵀDL of a symmetric matrix (n, n) that is only positive semidefinite: what depends on those after it counts not.

    Elimination leaves of each row what is new in it, its diagonal the square of that. Where this is nothing beside what
    the row was, here, at this configuration, it is left out: its unknown is zero, and the others are found without it.
    """
    whole = [row[k] for k, row in enumerate(matrix)]

    def inverted(k: int, pivot: Node) -> Node:
        new = less(maximum(whole[k] * DEPENDENT, least[k]) if least else whole[k] * DEPENDENT, pivot)
        return select(new, 1.0, 0.0) / select(new, pivot, 1.0)

    return eliminated(matrix, inverted)


def _weightless(mechanics: Mechanics, diagonal: Sequence[Node]) -> bool:
    """Whether some entry of the mass matrix's diagonal is zero, or an expression of parameters that is at defaults."""
    if any(x.is_zero for x in diagonal):
        return True
    static = [x for x in diagonal if x.is_static]
    value = general_values(mechanics.lowered, static)
    return any(value(x) == 0.0 for x in static)


def remainders(mechanics: Mechanics, rows: Bonds) -> list[Node]:
    """C (rows,) of A u + C."""
    return substitute(rows.velocities, dict.fromkeys(mechanics.u, 0.0))

