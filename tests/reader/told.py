"""Formulas of a text, read back: what stands on a line is parsed and can be evaluated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jourdain.graph import Graph, Node, Role
from jourdain.graph.parse import parse
from jourdain.model.system import System


@dataclass(frozen=True)
class Line:
    """One formula as it stands: its section, the heading above it, its two sides."""

    section: str
    heading: str
    left: str
    right: str


@dataclass(frozen=True)
class Told(Line):
    """One formula: the right side as an expression; of a whole equation the left side less the right one."""

    node: Node
    whole: bool


def lines(text: str) -> Iterator[Line]:
    """Every formula, broken lines joined."""
    section, heading, held = "", "", ""
    every = [*text.splitlines(), ""]
    for at, line in enumerate(every):
        if at + 1 < len(every) and re.fullmatch("─+", every[at + 1]) and (at == 0 or not every[at - 1]):
            section, heading = line, ""
        if re.fullmatch("“.*”:", line):
            heading = line.removesuffix(":")
        if held and re.match(r" {6,}[-+=] ", line):
            held += f" {line.strip()}"
            continue
        if held:
            left, _, right = held.rpartition(" = ")
            yield Line(section, heading, left.strip(), right.strip())
        broken = at + 1 < len(every) and re.match(r" {6,}[-+=] ", every[at + 1])
        held = line if re.match(r"  \S", line) and (" = " in line or broken) else ""


def formulas(text: str) -> Iterator[tuple[str, str, str]]:
    """Section, left and right side of every formula."""
    for line in lines(text):
        yield line.section, line.left, line.right


NAMED = re.compile(r"[ZPsc][₀-₉]+")
FORCE = re.compile(r"f\[[^\]]+\]")


def quoted(text: str, words: re.Pattern[str]) -> str:
    """Names that are no words in backticks."""
    parts = FORCE.split(text)
    forces = FORCE.findall(text)
    whole = words.sub(lambda match: f"`{match[0]}`", parts[0])
    for force, part in zip(forces, parts[1:]):
        whole += f"`{force}`" + words.sub(lambda match: f"`{match[0]}`", part)
    return whole


def read_back(system: System, text: str, graph: Graph) -> list[Told]:
    """Every formula that is an expression, in the graph; intermediate quantities are put in."""
    symbols = {x.name: graph.symbol(x.name, x.role) for x in system.graph.symbols}
    for x in system.coordinate_symbols:
        symbols.setdefault(f"{x.name}dot", graph.symbol(f"{x.name}dot", Role.SPEED))
    for name in [x.name for x in system.speed_symbols]:
        dotted = f"{name[:-3]}ddot" if name.endswith("dot") else f"{name}dot"
        symbols[dotted] = graph.symbol(dotted, Role.ACCELERATION)
    for name in ("lambda", *(f"lambda{k}" for k in range(1, 9))):
        symbols.setdefault(name, graph.symbol(name, Role.INPUT))
    for speed in system.speeds:
        symbols[f"f[{speed}]"] = graph.symbol(f"f[{speed}]", Role.INPUT)
    blank = sorted((name for name in symbols if " " in name), key=len, reverse=True)
    words = re.compile("|".join(map(re.escape, blank)) or "(?!)")
    found = []
    for line in lines(text):
        if re.match(r"[A-Z]+(\(q\))? (u|v|vv)dot", line.left) or "elsewhere" in line.right:
            continue
        right = parse(quoted(line.right, words), symbols, graph)
        named = line.left in symbols or re.fullmatch(r"\w+?(\[[\d,]+\]|[₀-₉]*)", line.left) is not None
        if system.conditions and line.section == "Equations of motion" and line.right == "0":
            named = named and not line.left.endswith("dot")  # else it is the rate of a row that is a single speed
        if named and (NAMED.fullmatch(line.left) or line.left not in symbols):
            symbols = {**symbols, line.left: right}
        node = right if named else parse(quoted(line.left, words), symbols, graph) - right
        found.append(Told(line.section, line.heading, line.left, line.right, node, not named))
    return found
