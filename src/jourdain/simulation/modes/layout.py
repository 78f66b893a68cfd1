"""Where everything lies that a mode is made of: rows, contacts, switches, conditions, as the kernels take them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...driver.changing import Changing
from ...driver.enumerated import Enumerated
from ...graph import symbols_of
from ...model.changing import Call, Crossing, Guard, ImpactLaw, Multiplier
from ...program import Program
from .touching import OPEN, RESTS, SLIPS, STICKS

Floats = NDArray[np.float64]
PERMANENT, OF_CONTACT = -1, -2
LAWS = (ImpactLaw.STRONGE, ImpactLaw.NEWTON, ImpactLaw.POISSON)


@dataclass(frozen=True)
class Layout:
    """Of one system. enumerated: the modes that are compiled beforehand, the switchable constraints that hold in each.
    """

    changing: Changing
    enumerated: tuple[tuple[str, ...], ...] = ()

    @property
    def speeds(self) -> int:
        """n"""
        return len(self.changing.system.speeds)

    @property
    def rows(self) -> int:
        """Of all constraints."""
        return self.changing.row_count

    @cached_property
    def modes(self) -> tuple[Enumerated, ...]:
        """Those that are compiled beforehand."""
        return tuple(Enumerated.of(self.changing, names) for names in self.enumerated)

    @property
    def contacts(self) -> int:
        """Contact points."""
        return len(self.changing.system.contacts)

    @cached_property
    def switches(self) -> tuple[str, ...]:
        """Switchable constraints that are no contact's."""
        system = self.changing.system
        taken = {x.normal for x in system.contacts} | {x.slip for x in system.contacts}
        return tuple(x.name for x in system.conditions if x.switchable and x.name not in taken)

    @cached_property
    def conditions(self) -> tuple[tuple[int, float, Guard], ...]:
        """What turns which switch on (1) or off (0)."""
        found: list[tuple[int, float, Guard]] = []
        for x in self.changing.system.switchings:
            place = self.switches.index(x.constraint)
            found += [(place, turn, guard) for turn, guard in ((1.0, x.on), (0.0, x.off)) if guard is not None]
        return tuple(found)

    @cached_property
    def crossing_places(self) -> tuple[int, ...]:
        """Of the conditions that are expressions, among all."""
        return tuple(k for k, (_, _, x) in enumerate(self.conditions) if isinstance(x, Crossing))

    @cached_property
    def call_places(self) -> tuple[int, ...]:
        """Of those that are functions."""
        return tuple(k for k, (_, _, x) in enumerate(self.conditions) if isinstance(x, Call))

    @property
    def call_names(self) -> tuple[str, ...]:
        """Of these functions."""
        return tuple(x.name for _, _, x in self.conditions if isinstance(x, Call))

    @cached_property
    def multiplier_rows(self) -> tuple[int, ...]:
        """Rows whose multipliers stand in conditions."""
        return tuple(self._row(x) for x in self.changing.system.multipliers.values())

    @cached_property
    def crossings(self) -> Program | None:
        """Values (crossings,) of (q, u, inputs, t), and of multipliers where there are any."""
        nodes = [x.expression for _, _, x in self.conditions if isinstance(x, Crossing)]
        return self.changing.conditions(nodes) if nodes else None

    def _row(self, x: Multiplier) -> int:
        places = self.changing.places.get(x.constraint)
        if places is None:
            raise ValueError(
                f"a condition depends on the multiplier of {x.constraint!r}, which the speeds satisfy by themselves, "
                "so that it has none; declare the constraint after the speeds"
            )
        return places[x.row]

    def mode(self, marks: Floats) -> tuple[str, ...]:
        """Names of the switchable constraints that hold, from what a row tells: contacts, headings, switches."""
        contacts, holding = self.changing.system.contacts, set[str]()
        for x, touch in zip(contacts, marks[: len(contacts)]):
            if touch in (STICKS, SLIPS):
                holding.add(x.normal)
            if touch == STICKS and x.slip and not x.friction.is_zero:
                holding.add(x.slip)
        holding |= {name for name, on in zip(self.switches, marks[3 * len(contacts) :]) if on}
        return tuple(x.name for x in self.changing.system.conditions if x.name in holding)

    def causes(
        self, fired: Floats, before: Floats, after: Floats, struck: NDArray[np.bool_]
    ) -> tuple[str, ...]:
        """What has fired, in words. before, after (contacts,): how contacts touched and touch; struck: which had an
        impulse."""
        count, contacts = len(self.conditions), self.changing.system.contacts
        words = [
            f"{self.switches[place]} {'on' if turn else 'off'}"
            for (place, turn, _), flag in zip(self.conditions, fired) if flag
        ]  # fmt: skip
        pressed, rubbed = np.reshape(fired[count:], (2, -1))
        for x, force, slip, one, two, hit in zip(contacts, pressed, rubbed, before, after, struck):
            turn = _turn(one, two, hit, bool(slip)) if force or slip else ""
            words += [f"{x.name} {turn}"] if turn else []
        return tuple(words)

    @cached_property
    def given(self) -> dict[str, Floats]:
        """Arrays that never change: whose each row is (a switch, PERMANENT or OF_CONTACT); of contacts, first rows of
        normals and slips, numbers of tangents, laws; of modes that are compiled beforehand, which rows hold, and how
        many of these are independent."""
        places, system = self.changing.places, self.changing.system
        owners = np.full(self.rows, float(PERMANENT))
        for k, name in enumerate(self.switches):
            owners[list(places[name])] = float(k)
        for contact in system.contacts:
            for name in (contact.normal, contact.slip):
                if name:
                    owners[list(places[name])] = float(OF_CONTACT)
        slips = [places[x.slip] if x.slip else range(0) for x in system.contacts]
        return {
            "owners": owners,
            "normals": np.array([float(places[x.normal].start) for x in system.contacts]),
            "slips": np.array([float(x.start) for x in slips]),
            "tangents": np.array([float(len(x)) for x in slips]),
            "targets": np.array([float(place) for place, _, _ in self.conditions]),
            "turns": np.array([turn for _, turn, _ in self.conditions]),
            "levels": np.array([float(self._has_multiplier(x)) for _, _, x in self.conditions]),
            "laws": np.array([float(LAWS.index(x.law)) for x in system.contacts]),
            "modes' rows": np.array([x for mode in self.modes for x in mode.holds]),
            "modes' ranks": np.array([float(mode.redundancy.rank) for mode in self.modes]),
        }

    def _has_multiplier(self, guard: Guard) -> bool:
        known = self.changing.system.multipliers
        return isinstance(guard, Crossing) and any(x in known for x in symbols_of([guard.expression]))


def _turn(before: float, after: float, struck: bool, turned: bool) -> str:
    """What a contact does, in words; "" if it goes on as before."""
    if before == OPEN:
        return "touches" if after != OPEN else "bounces" if struck else ""
    if after == OPEN:
        return "lets go"
    if after == before:
        return "is struck" if struck else "slips elsewhere" if after == SLIPS and turned else ""
    if RESTS in (before, after):
        return "carries nothing" if after == RESTS else "carries"
    return "slips" if after == SLIPS else "sticks"
