"""Kane's equations by recombination: those of the joints' own speeds, combined by partial velocities.

With p = W u + X, the generalized forces on u are Wᵀ times those on p, taken at ṗ = W u̇ + Ẇ u + Ẋ (Gillespie 2003,
eqs 44–45). The recursions then run over the bare tree, its frames where they cost least, and constraints that the
speeds satisfy enter through W alone. Ẇ u + Ẋ is never differentiated from W: the conditions' own rates are solved with
the elimination that gives W. By substitution (`generalized`) is cheaper where speeds are measure numbers of bodies, by
recombination where they satisfy constraints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from ..graph import Node, substitute
from .formulation import Formulation
from .lower import lower
from .mechanics import Mechanics, Rows
from .rows import dot
from .speeds import Conditions, Speeds


class Recombined:
    """The equations of a system whose speeds the user has defined, through the joints' own speeds.

    u: symbols of the speeds. back: W (joint speeds, speeds). p: W u + X (joint speeds,). remainder: ṗ where no speed
    changes (joint speeds,).
    """

    def __init__(self, mechanics: Mechanics, speeds: Speeds) -> None:
        self.graph, self.u = mechanics.graph, speeds.u
        conditions = Conditions.of(lower(mechanics.system, self.graph))
        formulation: Formulation = replace(mechanics.formulation, recombined=False, settled=True)
        self.inner = Mechanics(mechanics.system, formulation, conditions.lowered)
        # Rows g(p) that have the values u and 0; their rates, p held, are what ṗ has to make up for.
        count = len(self.u)
        right = []
        for i, (rest, change) in enumerate(zip(conditions.at_rest(), conditions.rates())):
            unit = [self.graph.one if i == k else self.graph.zero for k in range(count)]
            right.append([*unit, -rest, -change])
        found = conditions.solve(right)
        self.back = [row[:count] for row in found]
        self.p = [dot(self.graph, row, self.u) + line[count] for row, line in zip(self.back, found)]
        self._in_speeds = dict(zip(conditions.lowered.speeds, self.p))
        self.remainder = substitute([line[-1] for line in found], self._in_speeds)

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
        """Partial velocities of each speed, in the joints' own speeds."""
        return [list(column) for column in zip(*self.back)]
