"""A system in its joints' own speeds, with every constraint to be imposed: where forces of constraint are looked for.

The user's generalized speeds may satisfy constraints by themselves; whatever keeps those is then in no equation. In the
joints' own speeds nothing is satisfied by itself, so every force of constraint has a multiplier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..graph import Node, substitute
from ..model.system import System
from .constraints import Answer, Bonds, Kinetics, Mode, bonds, solve_kinetics
from .formulation import Formulation
from .generalized import Generalized
from .lower import lower
from .mechanics import Mechanics
from .redundancy import redundancy
from .rows import from_left


def in_own_speeds(system: System) -> System:
    """The same mechanism without the user's speeds; what they are stands in the constraints' rows."""
    if not system.definitions:
        return system
    meant = {x.symbol: x.value for x in system.definitions}
    conditions = tuple(
        replace(x, rows=tuple(substitute(x.rows, meant)), satisfied=False) for x in system.conditions
    )
    return replace(system, definitions=(), conditions=conditions)


def holding(system: System, mode: Mode) -> Mode:
    """Names of all constraints that hold, those that the speeds satisfy among them."""
    return tuple(x.name for x in system.conditions if not x.switchable or x.name in mode)


@dataclass(frozen=True)
class OwnSpeeds:
    """A mechanism's motion in its joints' own speeds, in the graph of the equations that it was made for.

    mechanics: of the joints' own speeds p, symbols of their own. rows: of the constraints that hold, only those that
    say something new. answer: ṗ and the rows' multipliers under the declared forces and f, in p. meaning: what p and
    the forces on it are in the system's speeds u and the forces f on those; none where they are the same.
    """

    mechanics: Mechanics
    rows: Bonds
    places: tuple[tuple[str, int], ...]  # of each row: constraint and place in it
    answer: Answer
    meaning: dict[Node, Node]

    @classmethod
    def of(cls, mechanics: Mechanics, mode: Mode) -> OwnSpeeds:
        """mode: names of the switchable constraints that are on."""
        system = in_own_speeds(mechanics.system)
        inner = Mechanics(system, Formulation(), lower(system, mechanics.graph))
        names = holding(system, mode)
        every = bonds(inner, names)
        kept = redundancy(inner, every).kept
        rows = every.some(kept)
        places = [(name, k) for name in names for k in range(len(system.constraint(name).rows))]
        answer = solve_kinetics(Kinetics.of(inner, rows), inner)
        meaning: dict[Node, Node] = {}
        if isinstance(mechanics, Generalized):
            forces = from_left(mechanics.graph, mechanics.f, mechanics.map.forward(), len(inner.u))
            meaning = dict(zip((*inner.u, *inner.f), (*mechanics.map.p, *forces)))
        return cls(inner, rows, tuple(places[k] for k in kept), answer, meaning)

    def put_in(self, nodes: Sequence[Node]) -> list[Node]:
        """Expressions of p as expressions of the system's own speeds."""
        return substitute(nodes, self.meaning) if self.meaning else list(nodes)


__all__ = ["OwnSpeeds", "holding", "in_own_speeds"]
