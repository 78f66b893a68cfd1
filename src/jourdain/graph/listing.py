"""Expressions as Kane and Levinson print them: intermediate quantities Z₁, Z₂, … first, each on its line.

Whatever is used more than once, or would make a line too long, has a line of its own, operands before what uses them.
Quantities of parameters alone stand apart and first, since they are computed once; sines and cosines of coordinates
are s₁, c₁.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .names import free_letter, latex_name, split_index, subscripted
from .node import Node
from .operations import COS, LEAVES, NEG, SIN, Role
from .order import symbols_of, uses
from .write import LATEX, TEXT, Style, write

LONGEST_LINE = 16
"""Operations that a line shows before a part of it gets a line of its own."""

Outputs = Mapping[str, Node | Sequence[Node]]


@dataclass(frozen=True)
class Line:
    """One assignment: the name in plain letters and the expression it stands for."""

    name: str
    node: Node

    @property
    def plain(self) -> str:
        """Z₁ for Z1."""
        letters, digits = split_index(self.name)
        return subscripted(letters, int(digits)) if digits else self.name


@dataclass(frozen=True)
class Listing:
    """What is computed once, what is computed at every call, and the results; prints as text, shows as mathematics."""

    once: tuple[Line, ...]
    steps: tuple[Line, ...]
    results: tuple[Line, ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        """All of them, in an order of evaluation."""
        return self.once + self.steps + self.results

    def text(self) -> str:
        """As plain text, a blank line between the groups."""
        names = {line.node: line.plain for line in self.once + self.steps}
        groups = (
            [f"{line.plain} = {write(line.node, TEXT, names)}" for line in self.once],
            [f"{line.plain} = {write(line.node, TEXT, names)}" for line in self.steps],
            [f"{line.name} = {_result(line, TEXT, names)}" for line in self.results],
        )
        return "\n\n".join("\n".join(group) for group in groups if group)

    def latex(self) -> str:
        """As one `aligned` environment, without dollar signs."""
        names = {line.node: latex_name(line.name) for line in self.once + self.steps}
        rows = [f"{names[line.node]} &= {write(line.node, LATEX, names)}" for line in self.once + self.steps]
        rows += [f"{latex_name(line.name)} &= {_result(line, LATEX, names)}" for line in self.results]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def __str__(self) -> str:
        return self.text()

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"


def _result(line: Line, style: Style, names: Mapping[Node, str]) -> str:
    return names.get(line.node) or write(line.node, style, names)


def listing(outputs: Outputs | Sequence[Node]) -> Listing:
    """The outputs with their intermediate quantities named.

    outputs: expressions by name; a sequence under a name is numbered name1, name2, …; a bare sequence is out1, …
    """
    results = tuple(_results(outputs))
    roots = [line.node for line in results]
    used = uses(roots)
    trig = _trig_names(used)
    taken = {line.name for line in results} | {x.name for x in symbols_of(roots)} | set(trig.values())
    step, once = free_letter("ZYWV", taken), free_letter("PKGH", taken)
    hoisted = _hoisted(used)
    for node in reversed(used):  # a minus is no step of its own: what is used through it is used
        if node.op is NEG:
            used[node.args[0]] += used[node] - 1
    lines: tuple[list[Line], list[Line]] = [], []
    size: dict[Node, int] = {}
    numbered = 0
    for node, times in used.items():
        size[node] = sum(size[x] for x in node.args) + (node.op not in LEAVES and node.op is not NEG)
        if node.op in LEAVES or node.op is NEG:
            continue
        wanted = times > 1 or size[node] > LONGEST_LINE
        if node.is_static:
            if wanted or node in hoisted:
                lines[0].append(Line(f"{once}{len(lines[0]) + 1}", node))
                size[node] = 0
        elif node in trig or wanted:
            numbered += node not in trig
            lines[1].append(Line(trig.get(node, f"{step}{numbered}"), node))
            size[node] = 0
    return Listing(tuple(lines[0]), tuple(lines[1]), results)


def _results(outputs: Outputs | Sequence[Node]) -> Iterable[Line]:
    named: Outputs = outputs if isinstance(outputs, Mapping) else {"out": outputs}
    for name, value in named.items():
        if isinstance(value, Node):
            yield Line(name, value)
        else:
            for i, node in enumerate(value, 1):
                yield Line(f"{name}{i}", node)


def _hoisted(nodes: Iterable[Node]) -> set[Node]:
    """The static expressions that run-time expressions use directly; an unary minus between does not count."""
    found: set[Node] = set()
    for node in nodes:
        if not node.is_static:
            found.update(x.args[0] if x.op is NEG else x for x in node.args)
    return found


def _trig_names(nodes: Iterable[Node]) -> dict[Node, str]:
    """s1 for sin(q1) and c1 for cos(q1), where the coordinates' numbers tell them apart."""
    angles: dict[str, set[Node]] = {}
    found: list[tuple[Node, str]] = []
    taken: set[str] = set()
    for node in nodes:
        if node.is_symbol:
            taken.add(node.name)
        elif node.op in (SIN, COS) and node.args[0].is_symbol and node.args[0].role is Role.COORDINATE:
            letters, index = split_index(node.args[0].name)
            if index and letters and "." not in letters:
                angles.setdefault(index, set()).add(node.args[0])
                found.append((node, index))
    names = {node: ("s" if node.op is SIN else "c") + index for node, index in found if len(angles[index]) == 1}
    return {node: name for node, name in names.items() if name not in taken}
