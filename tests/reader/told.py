"""Formulas of a text, read back: what stands on a line is parsed and can be evaluated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jourdain.graph import Graph, Node, Role
from jourdain.graph.parse import parse
from jourdain.model.system import System


@dataclass(frozen=True)
class Told:
    """One formula: its section, its two sides, and the expression that the right (or, for an equation, the left) is."""

    section: str
    left: str
    right: str
    node: Node


def formulas(text: str) -> Iterator[tuple[str, str, str]]:
    """Section, left and right side of every formula, broken lines joined."""
    section, held = "", ""
    lines = [*text.splitlines(), ""]
    for at, line in enumerate(lines):
        if at + 1 < len(lines) and re.fullmatch("─+", lines[at + 1]) and (at == 0 or not lines[at - 1]):
            section = line
        if held and re.match(r" {6,}[-+=] ", line):
            held += f" {line.strip()}"
            continue
        if held:
            left, _, right = held.rpartition(" = ")
            yield section, left.strip(), right.strip()
        held = line if re.match(r"  \S", line) and " = " in line else ""


def read_back(system: System, text: str, graph: Graph) -> list[Told]:
    """Every formula that is an expression, in the graph; intermediate quantities are put in."""
    symbols = {x.name: graph.symbol(x.name, x.role) for x in system.graph.symbols}
    for name in [x.name for x in system.speed_symbols]:
        dotted = f"{name[:-3]}ddot" if name.endswith("dot") else f"{name}dot"
        symbols[dotted] = graph.symbol(dotted, Role.ACCELERATION)
    found = []
    for section, left, right in formulas(text):
        if "(q)" in left or "elsewhere" in right:
            continue
        equation = right.startswith("f[")
        node = parse(left if equation else right, symbols, graph)
        if not equation and left not in symbols:
            symbols[left] = node
        elif not equation:
            symbols = {**symbols, left: node} if re.fullmatch(r"[ZPsc][₀-₉]+", left) else symbols
        found.append(Told(section, left, right, node))
    return found
