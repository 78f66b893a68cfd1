"""Kane's equations with constraints embedded: in the speeds that stay independent, for each mode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..equations.constraints import active, bonds
from ..equations.embedded import Embedded
from ..equations.redundancy import redundancy
from ..equations.rows import Rows, dot
from ..equations.states import general_values
from ..graph import Node, Role, reachable, substitute
from ..graph.differentiate import jvp
from ..graph.names import free_letter
from ..graph.operations import ADD, SUB
from .document import Block, Formula, Formulas, Heading, paragraph
from .material import Material
from .shortened import fraction

DETERMINANTS = 3
"""Dependent speeds up to which they are found by determinants."""
LONGEST = 180
"""Symbols, numbers and signs of an equation that holds what several equations held."""
MODES = 4
"""Switchable constraints of which each one's equations are written out."""


def embedded(material: Material) -> Iterator[Block]:
    """Kane's equations with constraints embedded (Gillespie 2003, eqs 44–45): for the permanent ones, and for each
    switchable one with them."""
    system = material.system
    switches = [x.name for x in system.conditions if x.switchable]
    permanent = active(system)
    if not material.freedom or material.is_large or not (permanent or switches):
        return
    yield paragraph(
        "Speeds that the constraints tell from the others are put in, and the equations of all speeds combined, so "
        "that no multiplier is left."
    )
    modes: list[tuple[str, ...]] = [()] if permanent else []
    modes += [(name,) for name in switches] if len(switches) <= MODES else []
    for mode in modes:
        yield from _mode(material, mode)


def _mode(material: Material, mode: tuple[str, ...]) -> Iterator[Block]:
    names = active(material.system, mode)
    found = _embedded(material, mode, names)
    if found is None:
        yield Heading(" and ".join(f"“{x}”" for x in names))
        yield paragraph(
            "Wherever all of these hold, some follow from the others, but not everywhere the same ones: no speeds can "
            "be put in for good, and multipliers keep the constraints."
        )
        return
    yield Heading(" and ".join(f"“{x}”" for x in names))
    if not found.dependent:
        yield paragraph("These constraints say nothing new.")
        return
    combined = Combined(material, found)
    told = None if combined.is_long else material.short(combined.dependence)
    if told is None:
        yield paragraph("Written out, the speeds ", ", ".join(found.dependent), " would fill pages.")
        return
    if told:
        yield Formulas((*combined.told(), *(Formula(x, y) for x, y in zip(combined.dependent, told))))
    if not found.speeds:
        yield paragraph("No speed is left free.")
        return
    written = material.equations(combined.lines(), [material.paper.zero] * len(found.speeds), longest=LONGEST)
    if written is None:
        yield paragraph("Written out, the equations of ", ", ".join(found.speeds), " would fill pages.")
        return
    yield paragraph("Without added forces:")
    yield Formulas(tuple(written))


def _embedded(material: Material, mode: tuple[str, ...], names: tuple[str, ...]) -> Embedded | None:
    """With the speeds kept that are named first; None where they do not tell the others wherever constraints hold."""
    said = redundancy(material.mechanics, bonds(material.mechanics, names))
    if said.rank < len(said.kept):
        return None
    try:
        return Embedded(material.kane, mode, independent(material, names))
    except ValueError:
        return None


@dataclass(frozen=True)
class Ratio:
    """A quotient above/below in the equations' graph, its symbol there, and how it is written where that is short."""

    symbol: Node
    above: Node
    below: Node
    written: Node | None


class Combined:
    """Kane's equations of the independent speeds, as a person writes them.

    Dependent speeds stay where they stand, for a reader knows them, unless they are a single product; their rates are
    put in. Ratios of speeds that are fractions of expressions have symbols of their own.

    dependent: symbols of the dependent speeds; dependence: what they are. ratios: quotients by what moves.
    """

    def __init__(self, material: Material, found: Embedded) -> None:
        mechanics = self.mechanics = material.mechanics
        self.paper = material.paper
        graph, u = mechanics.graph, mechanics.u
        speeds = list(material.system.speeds)
        self.kept = [speeds.index(x) for x in found.speeds]
        self.others = [speeds.index(x) for x in found.dependent]
        self.dependent = [u[k] for k in self.others]
        self.clock = mechanics.quantities.rates()
        self.ratios: list[Ratio] = []
        letter = free_letter("ZYX", [x.name for x in graph.symbols])
        self.matrix, self.rest = self._divided(material, letter, found)
        free = [u[k] for k in self.kept]
        self.dependence = [dot(graph, row, free) + x for row, x in zip(self.matrix, self.rest)]
        self._same = self._equal()

    def _divided(self, material: Material, letter: str, found: Embedded) -> tuple[Rows, list[Node]]:
        """D and E of u_D = D u_I + E, entries that divide by something that moves by symbols of their own.

        A few speeds come from determinants, whose quotients are what one finds on paper.
        """
        if len(self.others) > DETERMINANTS:
            return found.dependence(), found.dependence_remainder()
        matrix = found.dependent_matrix()
        below = determinant(matrix)
        columns = list(zip(*found.independent_matrix(), strict=True)) if self.kept else []
        columns.append(tuple(-x for x in found.constraint_remainder()))
        rows: Rows = []
        for k in range(len(matrix)):
            row = []
            for column in columns:
                above = determinant([[*line[:k], x, *line[k + 1 :]] for line, x in zip(matrix, column)])
                simple = below.is_static or above.is_zero
                row.append(above / below if simple else self._named(material, letter, above, below))
            rows.append(row)
        return [row[:-1] for row in rows], [row[-1] for row in rows]

    def _named(self, material: Material, letter: str, above: Node, below: Node) -> Node:
        """A symbol for a quotient."""
        for known in self.ratios:
            if (known.above, known.below) == (above, below):
                return known.symbol
        symbol = self.mechanics.graph.symbol(f"{letter}{len(self.ratios) + 1}", Role.COORDINATE)
        self.ratios.append(Ratio(symbol, above, below, fraction(above, below, material.paper)))
        return symbol

    def _equal(self) -> dict[Node, Node]:
        """Dependent speeds that are one product, or what another one is: these are put in."""
        same: dict[Node, Node] = {}
        first: dict[Node, Node] = {}
        for symbol, value in zip(self.dependent, self.dependence):
            if not any(x.op in (ADD, SUB) for x in reachable([value])):
                same[symbol] = value
            elif value in first:
                same[symbol] = first[value]
            first.setdefault(value, symbol)
        return same

    @cached_property
    def _slopes(self) -> dict[Node, Node]:
        """The ratios that change, and the symbols of their rates."""
        return {ratio.symbol: rate.symbol for ratio, rate in zip(self.ratios, self._rates) if rate is not None}

    @cached_property
    def _rates(self) -> list[Ratio | None]:
        """Of Z = a/b: (ȧ − Z ḃ)/b; None where nothing changes."""
        found: list[Ratio | None] = []
        for x in self.ratios:
            a, b = jvp([x.above, x.below], self.clock)
            above = a - x.symbol * b
            if substitute([above], self._same)[0].is_zero:
                found.append(None)
                continue
            symbol = self.mechanics.graph.symbol(f"{x.symbol.name}dot", Role.SPEED)
            found.append(Ratio(symbol, above, x.below, fraction(above, x.below, self.paper)))
        return found

    @property
    def is_long(self) -> bool:
        """Whether a ratio or its rate is too long to read."""
        return any(x is not None and x.written is None for x in (*self.ratios, *self._rates))

    def told(self) -> list[Formula]:
        """What the ratios and their rates stand for."""
        rates = [x for x in self._rates if x is not None]
        return [Formula(x.symbol, x.written) for x in (*self.ratios, *rates) if x.written is not None]

    def lines(self) -> list[Node]:
        """−(F̃_r + F̃*_r) for each independent speed, without added forces (44–45)."""
        mechanics, u, udot = self.mechanics, self.mechanics.u, self.mechanics.udot
        zero = mechanics.graph.zero
        clock = {**self.clock, **{x.symbol: self._slopes.get(x.symbol, zero) for x in self.ratios}}
        put = {}
        for k, row, rest in zip(self.others, self.matrix, self.rest):
            *rates, total = jvp([*row, rest], clock)
            for rate, x, place in zip(rates, row, self.kept):
                total = total + rate * u[place] + x * udot[place]
            put[udot[k]] = substitute([total], self._same)[0]
        forces = substitute(mechanics.inverse_dynamics(), put)
        lines = []
        for column, place in enumerate(self.kept):
            total = forces[place] + sum((row[column] * forces[k] for row, k in zip(self.matrix, self.others)), zero)
            lines.append(substitute([total], self._same)[0])
        return lines


def determinant(matrix: Rows) -> Node:
    """By the first row."""
    first, *others = matrix
    if not others:
        return first[0]
    total = first[0].graph.zero
    for k, x in enumerate(first):
        if not x.is_zero:
            minor = x * determinant([[*row[:k], *row[k + 1 :]] for row in others])
            total = total - minor if k % 2 else total + minor
    return total


def independent(material: Material, names: Sequence[str]) -> list[str]:
    """The speeds that are kept: those named first, where the later ones follow from them in a general position."""
    mechanics = material.mechanics
    rows = bonds(mechanics, names)
    value = general_values(mechanics.lowered, [x for row in rows.matrix for x in row])
    matrix = np.array([[value(x) for x in row] for row in rows.matrix])
    found: list[int] = []
    for k in reversed(range(matrix.shape[1])):
        if np.linalg.matrix_rank(matrix[:, [*found, k]], tol=1e-9) > len(found):
            found.append(k)
    return [name for k, name in enumerate(material.system.speeds) if k not in found]
