"""One mode of a system whose constraints change, compiled beforehand: its own equations, in place of those that serve
every mode.

"If all constraint conditions can be enumerated", a program has one set of equations for each of them and chooses among
these (Gillespie 2003, section 4). What the watch over the next change reads is computed with them, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ..equations.constraints import active, bonds, constrained_forward_dynamics, remainders
from ..equations.generalized import mechanics_of
from ..equations.mechanics import Mechanics
from ..equations.power import power
from ..equations.reduced import embed, embedded_multipliers, reduced_forward_dynamics
from ..equations.redundancy import Redundancy, redundancy
from ..graph import Node
from ..model.changing import Contact
from ..program import Block, Program
from .changing import Changing
from .moving import Moving


@dataclass(frozen=True)
class Enumerated(Moving):
    """A mode, and which rows of all constraints hold in it.

    names: of the switchable constraints that hold, in the system's order. every: of all constraints that have rows.
    """

    names: tuple[str, ...] = ()
    every: tuple[str, ...] = ()

    @classmethod
    def of(cls, changing: Changing, names: Iterable[str]) -> Enumerated:
        """names: of the switchable constraints that hold."""
        holding = frozenset(names)
        return _enumerated(changing, tuple(x.name for x in changing.system.conditions if x.name in holding))

    # -- what it is -----------------------------------------------------------------------------------------------

    @cached_property
    def refusal(self) -> str:
        """Why the general equations are needed here; "" where they are not."""
        system = self.system
        if system.frictions:
            return f"friction {system.frictions[0].name!r} depends on forces of constraints"
        for contact in system.contacts:
            touches, sticks = contact.normal in self.names, contact.slip in self.names
            if touches and contact.normal in system.found_while_moving:
                return f"contact {contact.name!r} is of features that face each other for a time"
            if sticks and not touches:
                return f"contact {contact.name!r} sticks only where it touches; name {contact.normal!r} too"
            if touches and contact.slip and not sticks:
                return f"contact {contact.name!r} slips with friction, which is no equality"
        told = self._told_by_multipliers
        for place in self.redundancy.shared:
            if self._owners[place] in told:
                return f"{self._owners[place]!r} shares a load that the motion does not tell"
        return ""

    @cached_property
    def redundancy(self) -> Redundancy:
        """Of its rows."""
        mechanics = mechanics_of(self.system)
        return redundancy(mechanics, bonds(mechanics, self.imposed))

    @cached_property
    def holds(self) -> tuple[float, ...]:
        """1 for each row of all constraints that holds, else 0."""
        return tuple(
            float(name in self.imposed) for name in self.every for _ in self.system.constraint(name).rows
        )

    @property
    def touching(self) -> tuple[Contact, ...]:
        """Contacts that carry."""
        return tuple(x for x in self.system.contacts if x.normal in self.names)

    @property
    def open(self) -> tuple[Contact, ...]:
        """The others."""
        return tuple(x for x in self.system.contacts if x.normal not in self.names)

    @property
    def sticking(self) -> tuple[Contact, ...]:
        """Those that carry, and are held by friction."""
        return tuple(x for x in self.touching if x.slip in self.names)

    # -- its equations --------------------------------------------------------------------------------------------

    @cached_property
    def equations(self) -> Program:
        """q̇ (coordinates,), u̇ (speeds,), the power (1,) of what energies do not account for; where anything watches
        them, multipliers (rows,) of all constraints, 0 where one does not hold; gaps of open contacts, and friction of
        those that stick, in the order of `open` and `sticking`."""
        row = self._forward

        def read(m: Mechanics) -> tuple[Block, ...]:
            udot, multipliers = self._solved(m)
            gained = power(m, udot, ())
            if self.imposed:
                moved = remainders(m, bonds(m, self.imposed).some(self.redundancy.kept))
                for force, rate in zip(multipliers, moved):
                    gained = gained - force * rate
            blocks = [Block("qdot", tuple(m.rates())), Block("udot", tuple(udot)), Block("gained", (gained,))]
            if self._told_by_multipliers:
                blocks.append(Block("carried", self._spread(m, multipliers)))
            gaps = bonds(m, [x.normal for x in self.open]).positions
            rubbing = m.quantities.resolved([x.friction for x in self.sticking])
            return *blocks, Block("gaps", tuple(gaps)), Block("friction", tuple(rubbing))

        return self._program("mode", read, row.changes, row.start)

    # -- inside ---------------------------------------------------------------------------------------------------

    @cached_property
    def _told_by_multipliers(self) -> frozenset[str]:
        """Constraints whose multipliers are watched."""
        system = self.system
        contacts = {name for x in system.contacts for name in (x.normal, x.slip) if name}
        return frozenset(contacts | {x.constraint for x in system.multipliers.values()})

    @cached_property
    def _owners(self) -> tuple[str, ...]:
        return tuple(name for name in self.imposed for _ in self.system.constraint(name).rows)

    def _solved(self, m: Mechanics) -> tuple[list[Node], list[Node]]:
        """The speeds' rates, and the multipliers of the rows that are kept, where they are of use."""
        if not self.imposed:
            return list(self._forward.read(m)[0].nodes), []
        rows = bonds(m, self.imposed).some(self.redundancy.kept)
        embedding = embed(m, rows) if m.formulation.embedded else None
        if embedding is None:
            answer = constrained_forward_dynamics(m, rows)
            return answer.rates, answer.multipliers
        rates = reduced_forward_dynamics(m, embedding)
        if self._told_by_multipliers or any(not x.is_zero for x in remainders(m, rows)):
            return rates, embedded_multipliers(m, rows, embedding, rates)
        return rates, []

    def _spread(self, m: Mechanics, multipliers: list[Node]) -> tuple[Node, ...]:
        """Multipliers of the rows that are kept among those of all rows."""
        mine = [m.graph.zero] * len(self._owners)
        for place, value in zip(self.redundancy.kept, multipliers):
            mine[place] = value
        left = iter(mine)
        return tuple(next(left) if held else m.graph.zero for held in self.holds)


@lru_cache(maxsize=256)
def _enumerated(changing: Changing, names: tuple[str, ...]) -> Enumerated:
    """Derived once in a process."""
    system = changing.system
    return Enumerated(system, active(system, names), changing.drives, names, changing.imposed)
