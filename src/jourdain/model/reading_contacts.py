"""Contacts, and what switches constraints, from the data of a file that nobody has vouched for."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping

from ..graph import Node
from .changing import Call, Contact, Crossing, Guard, ImpactLaw, Multiplier, Switching
from .encounter import SLOTS, WIDTH, Encounter
from .entries import Entry
from .expressions import GUARDING, MOVING, STATIC, Expressions
from .mistakes import did_you_mean
from .shapes import MOST_VERTICES
from .system import Constraint, Level

_LAWS = {x.value: x for x in ImpactLaw}


def read_contact(
    name: str, entry: Entry, read: Expressions, held: Mapping[str, Constraint], taken: set[str]
) -> Contact:
    """taken: constraints of the contacts that were read before, to which this one's are added."""
    fields = entry.fields(["normal", "slip", "friction", "restitution", "law"])
    normal = _own(fields["normal"], held, taken, Level.POSITION, 1)
    slip = "" if fields["slip"].value == "" else _own(fields["slip"], held, taken, Level.VELOCITY, 2)
    friction = read.scalar(fields["friction"], MOVING)
    read.sound.within(fields["friction"].place, friction, 0.0, math.inf)
    restitution = read.scalar(fields["restitution"], MOVING)
    read.sound.within(fields["restitution"].place, restitution, 0.0, 1.0)
    law = fields["law"].choice(_LAWS, "law of impact")
    return Contact(name, normal, slip, friction, restitution, law or ImpactLaw.STRONGE)


def read_switching(
    name: str, entry: Entry, read: Expressions, held: Mapping[str, Constraint], contacts: Container[str]
) -> Switching:
    """contacts: names of the constraints that are contacts'."""
    fields = entry.fields(["start"], ["on", "off"])
    if name not in held:
        entry.fail(f"speaks of {name!r}, but there is no such constraint; {did_you_mean(name, held)}")
    elif not held[name].switchable:
        entry.fail(f"speaks of constraint {name!r}, which always holds")
    elif name in contacts:
        entry.fail(f"speaks of constraint {name!r}, which a contact imposes and deletes")
    on, off = (_guard(fields[x], read) if x in fields else None for x in ("on", "off"))
    return Switching(name, on, off, fields["start"].truth())


def read_encounter(
    name: str,
    entry: Entry,
    read: Expressions,
    features: tuple[Node, ...],
    contacts: Mapping[str, Contact],
    taken: dict[str, str],
) -> Encounter:
    """features: its symbols. taken: slots of those that were read before, to which this one's are added."""
    fields = entry.fields(["slots", "features", "turn", "place_m", "one_m", "other_m"])
    slots: list[str] = []
    for slot in fields["slots"].items(SLOTS, exactly=SLOTS):
        found = slot.choice(contacts, "contact")
        if found is not None and found.name in taken:
            slot.fail(f"is {found.name!r}, which encounter {taken[found.name]!r} has")
        elif found is not None:
            taken[found.name] = name
            slots.append(found.name)
    if len(features) != WIDTH * SLOTS:
        fields["features"].fail(f"has {len(features)} entries; {WIDTH * SLOTS} are needed")
    turn, place = read.matrix(fields["turn"], MOVING), read.vector(fields["place_m"], MOVING)
    one, other = (
        tuple(read.vector(x, STATIC) for x in fields[which].items(MOST_VERTICES)) for which in ("one_m", "other_m")
    )
    return Encounter(name, tuple(slots), features, turn, place, one, other)


def read_multiplier(entry: Entry, held: Mapping[str, Constraint]) -> Multiplier:
    """What a symbol stands for."""
    fields = entry.fields(["constraint", "row"])
    constraint, row = fields["constraint"].choice(held, "constraint"), fields["row"].whole()
    if constraint is not None and row >= len(constraint.rows):
        fields["row"].fail(f"is {row}, but constraint {constraint.name!r} has {len(constraint.rows)} rows")
    return Multiplier("" if constraint is None else constraint.name, row)


def _own(entry: Entry, held: Mapping[str, Constraint], taken: set[str], level: Level, most: int) -> str:
    """The name of a switchable constraint that no other contact has."""
    found = entry.choice(held, "constraint")
    if found is None:
        return ""
    if not found.switchable or found.level is not level or len(found.rows) > most:
        rows = "one row" if most == 1 else "one row or two"
        entry.fail(f"is {found.name!r}; a switchable constraint of the level {level.value!r} with {rows} is needed")
    elif found.name in taken:
        entry.fail(f"is {found.name!r}, which another contact has")
    taken.add(found.name)
    return found.name


def _guard(entry: Entry, read: Expressions) -> Guard | None:
    parts = dict(entry.named())
    if "call" in parts:
        return Call(entry.fields(["call"])["call"].name())
    return Crossing(read.scalar(entry.fields(["rises"])["rises"], GUARDING))
