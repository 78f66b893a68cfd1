"""Kane's equations with constraints embedded: in the speeds that stay independent, for each mode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..equations.constraints import active, bonds
from ..equations.embedded import Embedded
from ..equations.rows import dot
from ..equations.states import general_values
from ..graph import Graph, Node, Role, reachable, substitute
from ..graph.differentiate import jvp
from ..graph.names import free_letter
from ..graph.operations import ADD, DIV, NEG, SUB
from .document import Block, Formula, Formulas, Heading, paragraph
from .material import Material

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
    found = Embedded(material.kane, mode, independent(material, names))
    yield Heading(" and ".join(f"“{x}”" for x in names))
    if not found.dependent:
        yield paragraph("These constraints say nothing new.")
        return
    combined = Combined(material, found)
    told = material.short(combined.dependence)
    if told is not None:
        steps = [Formula(x, y) for x, y in zip(combined.symbols, material.tidy(combined.ratios))]
        yield Formulas((*steps, *(Formula(x, y) for x, y in zip(combined.dependent, told))))
    if not found.speeds:
        yield paragraph("No speed is left free.")
        return
    written = material.equations(combined.lines(), [material.paper.zero] * len(found.speeds))
    if written is None:
        yield paragraph("Written out, the equations of ", ", ".join(found.speeds), " would fill pages.")
        return
    yield paragraph("Without added forces:")
    yield Formulas(tuple(written))


class Combined:
    """Kane's equations of the independent speeds, as a person writes them.

    Dependent speeds stay where they stand, for a reader knows them, unless they are a single product; their rates are
    put in. Ratios of speeds that are fractions of expressions have symbols of their own.

    dependent: symbols of the dependent speeds; dependence: what they are. symbols, ratios: the names and their meaning.
    """

    def __init__(self, material: Material, found: Embedded) -> None:
        mechanics = self.mechanics = material.mechanics
        graph, u = mechanics.graph, mechanics.u
        speeds = list(material.system.speeds)
        self.kept = [speeds.index(x) for x in found.speeds]
        self.others = [speeds.index(x) for x in found.dependent]
        self.dependent = [u[k] for k in self.others]
        self.clock = mechanics.quantities.rates()
        self.symbols: list[Node] = []
        self.ratios: list[Node] = []
        letter = free_letter("ZYX", [x.name for x in graph.symbols])
        flat = [self._known(graph, letter, x) for row in found.dependence() for x in row]
        width = len(self.kept)
        self.matrix = [flat[k * width : (k + 1) * width] for k in range(len(self.others))]
        self.rest = found.dependence_remainder()
        free = [u[k] for k in self.kept]
        self.dependence = [dot(graph, row, free) + x for row, x in zip(self.matrix, self.rest)]
        self._same = self._equal()

    def _known(self, graph: Graph, letter: str, ratio: Node) -> Node:
        """A symbol for a ratio that divides by something that moves; its minus stands outside."""
        if not any(x.op is DIV and not x.args[1].is_static for x in reachable([ratio])):
            return ratio
        value = -ratio if ratio.op is NEG else ratio
        if value not in self.ratios:
            self.ratios.append(value)
            self.symbols.append(graph.symbol(f"{letter}{len(self.symbols) + 1}", Role.COORDINATE))
        symbol = self.symbols[self.ratios.index(value)]
        return -symbol if ratio.op is NEG else symbol

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

    def lines(self) -> list[Node]:
        """−(F̃_r + F̃*_r) for each independent speed, without added forces (44–45)."""
        mechanics, u, udot = self.mechanics, self.mechanics.u, self.mechanics.udot
        zero = mechanics.graph.zero
        slopes = jvp(self.ratios, self.clock)
        clock = {**self.clock, **dict(zip(self.symbols, substitute(slopes, self._same)))}
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
