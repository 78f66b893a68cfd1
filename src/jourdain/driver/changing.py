"""What a simulation with changing constraints needs of a system: all rows that may hold, each apart from the others.

A mode is then data, which rows hold, and no code: whatever the rows, the same programs serve. What `Moving` says of one
mode in one piece, equations with constraints put in, is here in parts: M, F, A and b of M u̇ = F + Aᵀ λ, A u̇ + b = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..equations.constraints import active, bonds
from ..equations.generalized import mechanics_of
from ..equations.manifold import integrate
from ..equations.mechanics import Mechanics
from ..equations.power import power
from ..graph import Node, Role
from ..model.system import System
from ..program import Block, Program
from .moving import Moving, Named
from .readouts import READOUTS, matrix


@dataclass(frozen=True)
class Changing(Moving):
    """One system with every constraint that is not satisfied by the speeds, whether it holds or not."""

    @classmethod
    def of(cls, system: System, drives: Named = ()) -> Changing:
        """All rows of a system, in the order of its constraints."""
        switchable = tuple(x.name for x in system.conditions if x.switchable)
        return cls(system, active(system, switchable), drives)

    @cached_property
    def places(self) -> dict[str, range]:
        """Rows of each constraint."""
        found: dict[str, range] = {}
        row = 0
        for name in self.imposed:
            count = len(self.system.constraint(name).rows)
            found[name] = range(row, row + count)
            row += count
        return found

    @property
    def row_count(self) -> int:
        """Of all constraints."""
        return sum(map(len, self.places.values()))

    @cached_property
    def parts(self) -> Program:
        """q̇ (coordinates,), M (n, n), F (n,), and of the rows A (rows, n), b, velocities A u + C, positions (rows,), 0
        for rows of velocities; of contacts, friction and restitution (contacts,). Where polyhedra meet, their features
        are a further argument."""

        def read(m: Mechanics) -> tuple[Block, ...]:
            rows = bonds(m, self.imposed)
            positions = [m.graph.zero] * len(rows.owners)
            for place, value in zip(rows.places, rows.positions):
                positions[place] = value
            return (
                Block("qdot", tuple(m.rates())),
                matrix("mass", m.mass_matrix()),
                Block("force", tuple(f - h for f, h in zip(m.f, m.bias_forces()))),
                matrix("matrix", rows.matrix),
                Block("rest", rows.rest),
                Block("velocities", rows.velocities),
                Block("positions", tuple(positions)),
                Block("friction", tuple(m.quantities.resolved([x.friction for x in self.system.contacts]))),
                Block("restitution", tuple(m.quantities.resolved([x.restitution for x in self.system.contacts]))),
            )

        return self._program("parts", read, READOUTS["mass_and_bias"].changes, more=self._features)

    @cached_property
    def poses(self) -> Program | None:
        """How the one of each pair of polyhedra lies as seen from the other (pairs, 12): turn row by row, place."""
        nodes = [x for met in self.system.encounters for x in met.moving]
        if not nodes:
            return None
        return self._program("poses", lambda m: (Block("poses", tuple(m.quantities.resolved(nodes))),))

    def _features(self, m: Mechanics) -> list[Block]:
        """What stands in the slots of polyhedra."""
        found = [m.graph.symbol(x.name, Role.FEATURE) for met in self.system.encounters for x in met.features]
        return [Block("features", tuple(found))] if found else []

    @cached_property
    def step(self) -> Program:
        """q ⊕ δ (coordinates,), δ given in the place of u."""
        return self._program(
            "step", lambda m: (Block("moved", tuple(integrate(m.lowered, m.q, m.joint_step(m.u)))),)
        )

    @cached_property
    def applied_power(self) -> Program | None:
        """The power (1,) of all but rows, friction in contacts among these, where inputs are followed by u̇; None where
        there is none."""

        found: list[bool] = []

        def read(m: Mechanics) -> tuple[Block, ...]:
            value = power(m, m.udot, ())
            found.append(not value.is_zero)
            return (Block("power", (value,)),)

        program = self._program("power", read, more=lambda m: [Block("udot", m.udot)])
        return program if found[-1] else None

    @cached_property
    def asks_accelerations(self) -> bool:
        """Whether a named output holds an acceleration."""
        quantities = mechanics_of(self.system).quantities
        return quantities.needs_accelerations(list(self.system.expressions.values()))

    @cached_property
    def outputs(self) -> Program:
        """The model's named outputs (outputs,), where inputs are followed by u̇."""
        return self._program(
            "outputs", lambda m: (Block("outputs", tuple(m.outputs(lambda: m.udot).values())),),
            more=lambda m: [Block("udot", m.udot)],
        )  # fmt: skip

    def conditions(self, nodes: Sequence[Node]) -> Program:
        """Values (nodes,) of guards; multipliers, where there are any, are a further argument."""

        def symbols(m: Mechanics) -> list[Block]:
            found = tuple(m.graph.symbol(x.name, Role.MULTIPLIER) for x in self.system.multipliers)
            return [Block("multipliers", found)] if found else []

        return self._program(
            "conditions", lambda m: (Block("values", tuple(m.quantities.resolved(nodes))),), more=symbols
        )
