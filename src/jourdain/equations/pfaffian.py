"""Constraints A q̇ = b on a tree, and its equations projected on the motions they leave (Parsa 2007, 8–15, 43–50).

All admissible rates are q̇ = B u + d with as many independent u as there are freedoms left, A B = 0 and A d = b (13).
Ideal constraint forces lie in the range of Aᵀ, which Bᵀ does not see; so the equations are Bᵀ (…) = Bᵀ f, or body by
body, with T = J B (48), Σ Tᵀ [M d/dt(ω, v) + W M (ω, v)] = Σ Tᵀ w (50): Kane's, T being partial velocities.

A, b, B, d are expressions of coordinates and time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..graph import Node, Role, interpret, substitute, symbols_of
from ..model.elimination import Equation, solve
from .chain import congruent
from .parsa import Parsa
from .rows import AnyRows, Rows, from_left, on_vector, times, zeros


@dataclass(frozen=True)
class Pfaffian:
    """Rows A (constraints, variables) and right-hand sides b (constraints,) of A q̇ = b (9)."""

    rows: AnyRows
    right: Sequence[Node]

    def __post_init__(self) -> None:
        if not self.rows or len(self.rows) != len(self.right) or len({len(row) for row in self.rows}) != 1:
            widths = sorted({len(row) for row in self.rows})
            raise ValueError(
                f"{len(self.rows)} rows of widths {widths} and {len(self.right)} right-hand sides make no constraints; "
                "give at least one row, all of one length, and a right-hand side for each"
            )

    def embedded(self, independent: Sequence[int]) -> Projection:
        """B and d for the choice u = q̇ at these places: the other rates follow from the rows.

        There must be as many other rates as rows, and the rows must hold them independently.
        """
        graph, width = self.right[0].graph, len(self.rows[0])
        kept = list(independent)
        if len(set(kept)) != len(kept) or not all(0 <= k < width for k in kept) or len(kept) + len(self.rows) != width:
            raise ValueError(
                f"{len(self.rows)} constraints on {width} variables leave {width - len(self.rows)} independent; "
                f"{kept} are chosen: name each once, by its place from 0 to {width - 1}"
            )
        others = [k for k in range(width) if k not in kept]
        asked = [
            Equation([row[k] for k in others], [*(-row[k] for k in kept), b]) for row, b in zip(self.rows, self.right)
        ]
        try:
            found = solve(graph, asked, len(others), _size)
        except ValueError:
            raise ValueError(
                f"the constraints do not determine the variables {others} from {kept}; leave out redundant rows, or "
                "choose other independent variables"
            ) from None
        matrix, drift = zeros(graph, width, len(kept)), [graph.zero] * width
        for column, k in enumerate(kept):
            matrix[k][column] = graph.one
        for k, answer in zip(others, found):
            matrix[k], drift[k] = list(answer[:-1]), answer[-1]
        return Projection(matrix, drift)

    def violation(self, projection: Projection) -> tuple[Rows, list[Node]]:
        """A B (constraints, independent) and A d − b (constraints,): zero where the projection is one of these (13)."""
        graph = self.right[0].graph
        products = times(graph, self.rows, projection.matrix, projection.width)
        left = on_vector(graph, self.rows, projection.drift)
        return products, [x - b for x, b in zip(left, self.right)]


@dataclass(frozen=True)
class Projection:
    """B (variables, independent) and d (variables,) of q̇ = B u + d (12)."""

    matrix: AnyRows
    drift: Sequence[Node]

    def __post_init__(self) -> None:
        if len(self.matrix) != len(self.drift) or len({len(row) for row in self.matrix}) != 1:
            raise ValueError(
                f"B has {len(self.matrix)} rows of widths {sorted({len(row) for row in self.matrix})} and d "
                f"{len(self.drift)} entries; both need one for each variable, and B's rows one length"
            )

    @property
    def width(self) -> int:
        """Number of independent speeds."""
        return len(self.matrix[0])


class Constrained:
    """The equations of a tree under constraints, in independent speeds u of the user's choice.

    parsa: the tree's body Jacobians; its variables are the q̇ that are projected. u, udot: symbols made here.
    names: of the speeds; u1, u2, … if left out.
    """

    def __init__(self, parsa: Parsa, projection: Projection, names: Sequence[str] = ()) -> None:
        if len(projection.matrix) != len(parsa.variables):
            raise ValueError(
                f"B has {len(projection.matrix)} rows; the tree has {len(parsa.variables)} variables: "
                f"{', '.join(x.name for x in parsa.variables)}"
            )
        self.parsa, self.graph, self.projection = parsa, parsa.graph, projection
        names = names or [f"u{k + 1}" for k in range(projection.width)]
        if len(names) != projection.width:
            raise ValueError(f"{projection.width} independent speeds need as many names; {list(names)} are given")
        self.u = tuple(self.graph.symbol(name, Role.SPEED) for name in names)
        self.udot = tuple(self.graph.symbol(f"{name}dot", Role.ACCELERATION) for name in names)

    def variables(self) -> list[Node]:
        """q̇ = B u + d (variables,)"""
        moved = on_vector(self.graph, self.projection.matrix, self.u)
        return [x + d for x, d in zip(moved, self.projection.drift)]

    def variable_rates(self) -> list[Node]:
        """q̈ = B u̇ + Ḃ u + ḋ (variables,)"""
        first = self.variables()
        course = self.parsa.course
        qdot = substitute(self.parsa.velocities.qdot, dict(zip(self.parsa.variables, first)))
        return course.rate(first, dict(zip((*course.q, *self.u), (*qdot, *self.udot))))

    def partial_velocities(self, body: str) -> Rows:
        """T = J B (6, independent): ∂ω/∂u along the body's axes, ∂v/∂u of the mass centre along the ground's (48)."""
        return times(self.graph, self.parsa.jacobian(body), self.projection.matrix, self.projection.width)

    def mass_matrix(self) -> Rows:
        """Bᵀ M B = Σ Tᵀ M T (independent, independent)."""
        return congruent(self.graph, self.parsa.mass_matrix(), self.projection.matrix, self.projection.width)

    def forces(self) -> list[Node]:
        """Bᵀ f (independent,): of gravity and the declared loads (49)."""
        acting = [x + y for x, y in zip(self.parsa.gravity_forces(), self.parsa.applied_forces())]
        return self._projected(acting)

    def inertia_forces(self) -> list[Node]:
        """Σ Tᵀ [M d/dt(ω, v) + W M (ω, v)] (independent,) at u and u̇: the left side of (50); Kane's −F*."""
        total = self._projected(self._at_speeds(self.parsa.rotor_forces()))
        for body in self.parsa.bodies:
            wrench = self._at_speeds(self.parsa.inertia_wrench(body))
            felt = from_left(self.graph, wrench, self.partial_velocities(body), self.projection.width)
            total = [x + y for x, y in zip(total, felt)]
        return total

    def equations(self) -> list[Node]:
        """The forces (independent,) to be added to gravity and the declared loads for u̇ (50)."""
        return [x - y for x, y in zip(self.inertia_forces(), self._at_speeds(self.forces()))]

    # -- inside -------------------------------------------------------------------------------------------------

    def _at_speeds(self, nodes: Sequence[Node]) -> list[Node]:
        given = zip((*self.parsa.variables, *self.parsa.rates), (*self.variables(), *self.variable_rates()))
        # Loads depend on the joints' own speeds.
        speeds = self.parsa.velocities.speeds
        on_variables = substitute(nodes, dict(zip(self.parsa.course.u, speeds)))
        return substitute(on_variables, dict(given))

    def _projected(self, nodes: Sequence[Node]) -> list[Node]:
        return from_left(self.graph, nodes, self.projection.matrix, self.projection.width)


def _size(x: Node) -> float:
    """|x| at values of the symbols that meet no coincidence."""
    if x.is_constant:
        return abs(x.value)
    values = {symbol: 0.5 + 0.61803 * (k + 1) % 1.0 for k, symbol in enumerate(symbols_of([x]))}
    return abs(float(interpret([x], values)[0]))


__all__ = ["Constrained", "Pfaffian", "Projection"]
