"""Coordinates and generalized speeds, what they mean, and how they belong together: u = Y q̇ + Z, q̇ = W u + X."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..graph import Node, reachable, symbols_of
from ..graph.operations import DIV
from . import freedoms
from .document import Block, Cell, Formula, Formulas, Heading, Name, Rate, Table, paragraph
from .material import Material


def coordinates(material: Material) -> Iterator[Block]:
    """q and u, their units and meaning."""
    system = material.system
    q = list(freedoms.coordinates(system))
    if not q:
        yield paragraph("Nothing moves freely: there are no coordinates and no speeds.")
        return
    rows = tuple((x.symbol, x.unit, x.joint, x.meaning) for x in q)
    yield Table(("coordinate", "unit", "joint", "meaning"), rows, "Coordinates q")
    if system.definitions:
        values = material.tidy(material.in_rates([x.value for x in system.definitions]))
        told = tuple(
            (x.symbol, x.unit, x.meaning or value, x.force) for x, value in zip(freedoms.generalized(system), values)
        )
        yield Table(("speed", "unit", "meaning", "unit of its force"), told, "Generalized speeds u")
        return
    yield Table(
        ("speed", "unit", "joint", "meaning", "unit of its force"),
        tuple((x.symbol, x.unit, x.joint, x.meaning, x.force) for x in freedoms.speeds(system)),
        "Speeds u",
    )


def kinematics(material: Material) -> Iterator[Block]:
    """u = Y q̇ + Z, and q̇ = W u + X where it says more than that the speeds are the coordinates' rates."""
    mechanics = material.mechanics
    if not mechanics.q:
        return
    if material.system.definitions:
        yield from _definitions(material)
        yield Heading("The rates of the coordinates")
    rates = mechanics.rates()
    told: list[tuple[Rate, Node]] = []
    plain = True
    for q, rate in zip(mechanics.q, rates):
        if rate.is_symbol and rate.name == f"{q.name}dot":
            continue
        plain = plain and rate.is_symbol
        told.append((Rate(q.name), rate))
    if not told:
        yield paragraph("The speeds are the rates of the coordinates.")
        return
    if plain and not material.system.definitions:
        yield paragraph("Every speed is the rate of a coordinate. Where it has a name of its own:")
    elif len(told) < len(rates):
        yield paragraph("The other speeds are the rates of their coordinates.")
    written: list[Formula] = []
    long: dict[Name, Node] = {}
    for left, right in told:
        short = material.short([right])
        if short is None:
            long[Name(left.symbol, dotted=True)] = right
        else:
            written.append(Formula(left, short[0]))
    if written:
        yield Formulas(tuple(written))
        yield from _singular([x.right for x in written if isinstance(x.right, Node)])
    if long:
        yield paragraph("With intermediate quantities:")
        for title, block in material.listed(long):
            yield paragraph(f"{title}:")
            yield block


def _definitions(material: Material) -> Iterator[Block]:
    """u = Y q̇ + Z."""
    system = material.system
    values = material.in_rates([x.value for x in system.definitions])
    written = material.tidy(values)
    yield Formulas(tuple(Formula(x.symbol, value) for x, value in zip(system.definitions, written)))
    rows: list[tuple[Cell, ...]] = []
    held = {x.name for x in symbols_of(values)}
    own = {x.name for x in system.joint_speed_symbols}
    for speed in freedoms.speeds(system):
        if speed.symbol.name in held & own and speed.symbol.name != f"{speed.joint}dot":
            rows.append((speed.symbol, speed.unit, speed.joint, speed.meaning))
    if rows:
        yield Table(("joint's own speed", "unit", "joint", "meaning"), tuple(rows))


def _singular(rates: Sequence[Node]) -> Iterator[Block]:
    """Where the speeds leave rates of coordinates open."""
    below: dict[Node, None] = {}
    for x in reachable(rates):
        if x.op is DIV and not x.args[1].is_static:
            below[x.args[1]] = None
    if below:
        parts: list[Cell] = []
        for node in below:
            parts += [" or " if parts else "", node]
        yield paragraph("Where ", *parts, " vanishes, the speeds do not tell these rates.")
