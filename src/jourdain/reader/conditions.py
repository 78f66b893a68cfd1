"""Constraints: what they ask, when they hold, and the rows and multipliers that they bring into the equations."""

from __future__ import annotations

from collections.abc import Iterator

from ..equations.constraints import Bonds, active, bonds
from ..equations.redundancy import redundancy
from ..graph import Node, Role
from ..model.system import Constraint, System
from .document import Block, Cell, Formula, Formulas, Name, Row, Table, paragraph
from .material import Material

LAMBDA = "lambda"
LONG = "written out it would fill pages"


def constraints(material: Material) -> Iterator[Block]:
    """Each with its rows, and when it holds."""
    system = material.system
    if not system.conditions:
        return
    rows: list[tuple[Cell, ...]] = []
    for condition in system.conditions:
        for k, row in enumerate(x for x in _resolved(material, condition) if not x.is_zero):
            first = (condition.name, _holds(system, condition)) if k == 0 else ("", "")
            short = material.short([row])
            rows.append((*first, LONG if short is None else Row((short[0], " = 0"))))
    yield Table(("constraint", "holds", "what is kept at zero"), tuple(rows))
    if any(x.satisfied for x in system.conditions):
        yield paragraph(
            "A constraint that the speeds satisfy is embedded: it is kept whatever their values, and is no row of what "
            "follows."
        )
    if any(_holds(system, x) == "while it is on" for x in system.conditions):
        yield paragraph("A switchable constraint is off until something switches it on.")
    if system.contacts:
        yield paragraph(
            "The gap of a contact or a stop never falls below zero; the bodies press on each other there, but never "
            "pull."
        )
        facts = [(x.name, x.friction if x.slip else "none", x.restitution, x.law.value) for x in system.contacts]
        lines = [(name, *(_short(material, y) for y in (rubs, bounce)), law) for name, rubs, bounce, law in facts]
        yield Table(("contact", "friction", "restitution", "by the law of"), tuple(lines))


def _short(material: Material, value: Node | str) -> Cell:
    """A number or an expression, where it is not too long."""
    if isinstance(value, str):
        return value
    found = material.short(material.mechanics.quantities.resolved([value]))
    return LONG if found is None else Row((found[0],))


def _resolved(material: Material, condition: Constraint) -> list[Node]:
    """Its rows: of coordinates, of the rates of coordinates where the speeds satisfy it, else of the speeds."""
    if condition.satisfied:
        return material.in_rates(condition.rows)
    return material.mechanics.quantities.resolved(condition.rows)


def _holds(system: System, condition: Constraint) -> str:
    if condition.satisfied:
        return "always, by the choice of speeds"
    if not condition.switchable:
        return "always"
    for contact in system.contacts:
        if condition.name == contact.normal:
            return "while it touches"
        if condition.name == contact.slip:
            return "while it sticks"
    return "from the start, while it is on" if system.switching(condition.name).start else "while it is on"


# -- multipliers -----------------------------------------------------------------------------------------------------


class Held:
    """The rows of the permanent constraints that the speeds do not satisfy, each with a multiplier's symbol; rows that
    say nothing new are left out."""

    def __init__(self, material: Material) -> None:
        mechanics = material.mechanics
        every = bonds(mechanics, active(material.system))
        self.rows: Bonds = every.some(redundancy(mechanics, every).kept)
        taken = {x.name for x in mechanics.graph.symbols}
        letter = LAMBDA if not any(x.startswith(LAMBDA) for x in taken) else f"{LAMBDA}_c"
        count = len(self.rows.owners)
        names = [letter] if count == 1 else [f"{letter}{k}" for k in range(1, count + 1)]
        self.multipliers = [mechanics.graph.symbol(name, Role.INPUT) for name in names]

    def push(self, place: int) -> Node | None:
        """What the multipliers add to the force of a speed: a column of A times λ; None without constraints."""
        terms = [row[place] * x for row, x in zip(self.rows.matrix, self.multipliers)]
        return sum(terms[1:], terms[0]) if terms else None


def rows_of_rates(material: Material, held: Held) -> list[Block] | None:
    """A u̇ + b = 0, whose each row is; nothing without rows, None where they would fill pages."""
    mechanics, rows = material.mechanics, held.rows
    lines = []
    for matrix, rest in zip(rows.matrix, rows.rest):
        for x, rate in zip(matrix, mechanics.udot):
            rest = rest + x * rate
        lines.append(rest)
    written = material.short(lines)
    if written is None:
        return None
    if not lines:
        return []
    parts: list[Cell] = []
    for owner in dict.fromkeys(rows.owners):
        own = [x for x, name in zip(held.multipliers, rows.owners) if name == owner]
        for k, x in enumerate(own):
            parts += [", " if k or parts else "", x]
        parts.append(f" {'belongs' if len(own) == 1 else 'belong'} to “{owner}”")
    told = paragraph(*parts, ". The rates of the rows:")
    return [told, Formulas(tuple(Formula(line, Row(("0",))) for line in written))]


def rows_as_computed(material: Material, a: str, rest: str) -> dict[Name, Node]:
    """The entries of A that are not 0, and b, each with its name; a, rest: the letters."""
    mechanics = material.economical
    every = bonds(mechanics, active(material.system))
    rows = every.some(redundancy(mechanics, every).kept)
    found: dict[Name, Node] = {}
    for i, row in enumerate(rows.matrix, 1):
        found |= {Name(a, f"{i},{k}"): x for k, x in enumerate(row, 1) if not x.is_zero}
    return found | {Name(rest, str(i)): x for i, x in enumerate(rows.rest, 1)}
