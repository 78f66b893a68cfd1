"""Kane's equations by recombination: those of the joints' own speeds, combined by partial velocities.

With p = W u + X, the generalized forces on u are Wᵀ times those on p, taken at ṗ = W u̇ + Ẇ u + Ẋ (Gillespie 2003,
eqs 44–45). The recursions then run over the bare tree, its frames where they cost least, and constraints that the
speeds satisfy enter through W alone. Ẇ u + Ẋ is never differentiated from W: the conditions' own rates are solved with
the elimination that gives W. By substitution (`generalized`) is cheaper where speeds are measure numbers of bodies, by
recombination where they satisfy constraints.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ..graph import Node, substitute
from ..graph.differentiate import jacobian, jvp
from ..model.elimination import Equation
from .formulation import Formulation
from .lower import Lowered, lower
from .mechanics import Mechanics, Rows
from .quantities import Quantities
from .rows import dot
from .speeds import Speeds, velocity_rows
from .square import solve_square
from .states import general_values


class Recombined:
    """The equations of a system whose speeds the user has defined, through the joints' own speeds.

    u: symbols of the speeds. back: W (joint speeds, speeds). p: W u + X (joint speeds,). remainder: ṗ where no speed
    changes (joint speeds,).
    """

    def __init__(self, mechanics: Mechanics, speeds: Speeds) -> None:
        formulation = mechanics.formulation
        inner = Formulation(grouped=formulation.grouped, algebra=formulation.algebra)
        lowered = lower(mechanics.system, mechanics.graph, inner.settled)
        self.inner = Mechanics(mechanics.system, inner, lowered)
        self.graph, self.u = mechanics.graph, speeds.u
        self.back, self.p, remainder = _embedded(lowered, speeds.u)
        self.remainder = substitute(remainder, self._in_speeds)

    @property
    def _in_speeds(self) -> dict[Node, Node]:
        return dict(zip(self.inner.u, self.p))

    def forces(self, udot: Sequence[Node]) -> list[Node]:
        """Generalized forces to add (speeds,), so that the speeds change at the rates udot."""
        rates = [dot(self.graph, row, udot) + rest for row, rest in zip(self.back, self.remainder)]
        found = substitute(self.inner.inverse_dynamics(rates), self._in_speeds)
        return [dot(self.graph, column, found) for column in self._partial]

    @cached_property
    def mass_matrix(self) -> Rows:
        """Wᵀ M W (speeds, speeds)."""
        mass = self.inner.mass_matrix()
        felt = [[dot(self.graph, row, column) for row in mass] for column in self._partial]
        rows = [[dot(self.graph, a, self._partial[k]) for k in range(i + 1)] for i, a in enumerate(felt)]
        return [[rows[max(i, k)][min(i, k)] for k in range(len(rows))] for i in range(len(rows))]

    @cached_property
    def _partial(self) -> Rows:
        return [list(column) for column in zip(*self.back)]


def _embedded(lowered: Lowered, u: Sequence[Node]) -> tuple[Rows, list[Node], list[Node]]:
    """W, W u + X and ṗ's remainder, in the joints' speeds' symbols, from one elimination.

    Definitions u = Y p + Z and constraints A p + C = 0 are rows g(p, q, t) that have the values u and 0; their rates,
    p held, are what ṗ has to make up for.
    """
    system, graph, joint = lowered.system, lowered.graph, lowered.speeds
    quantities = Quantities(lowered)
    rows = quantities.resolved([x.value for x in system.definitions])
    rows += [row for x in system.conditions if x.satisfied for row in velocity_rows(lowered, quantities, x)]
    coefficients = jacobian(rows, joint)
    values = general_values(lowered, [x for row in coefficients for x in row])
    still = substitute(rows, dict.fromkeys(joint, 0.0))
    changes = jvp(rows, quantities.rates())
    equations = []
    for i, (row, rest, change) in enumerate(zip(coefficients, still, changes)):
        unit = [graph.one if i == k else graph.zero for k in range(len(u))]
        equations.append(Equation(list(row), [*unit, -rest, -change]))
    found = solve_square(graph, equations, lambda x: abs(values(x)))
    back = [row[: len(u)] for row in found]
    p = [dot(graph, row, u) + line[len(u)] for row, line in zip(back, found)]
    return back, p, [line[-1] for line in found]
