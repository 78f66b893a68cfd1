"""Expressions as a readable table that a file can hold, and back: short lines of text, what is shared named once.

A table is plain JSON: `symbols` (name: role), `steps` (name: text, each in terms of what stands before it) and
`expressions` (texts). Lines keep the order of every operation, so that the values come out the same to the last bit;
they are read by `parse`, so that a file can do no more than spell an expression.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .names import free_letter
from .node import Graph, Node
from .operations import ADD, CONSTANT, DIV, LEAVES, MUL, NEG, POW, SUB, SYMBOL, Role
from .order import symbols_of, uses
from .parse import CONSTANTS, FUNCTIONS, WORD, ExpressionError, parse
from .write import ATOM, COMPARISON, COMPARISONS, NEGATION, POWER, PRODUCT, SUM, Names, Piece, call, number, write

Table = dict[str, Any]
LONGEST_LINE = 24
"""Operations and operands that a line holds before one of them gets a line of its own."""
_PLAIN = re.compile(WORD)
_ROLES = {role.name.lower(): role for role in Role}
_NAME = re.compile(r"[^`\x00-\x1f\x7f]{1,200}")
_KEYS = {"symbols", "steps", "expressions"}


class _Exact:
    """As typed, with every association shown: a*(b*c) is not a*b*c."""

    ellipsis = "…"
    brackets = ("(", ")")

    def pieces(self, node: Node, depth: int, last: int, names: Names) -> tuple[int, list[Piece]]:
        op = node.op
        if op is SYMBOL:
            return ATOM, [quoted(node.name)]
        if op is CONSTANT:
            return (NEGATION if node.value < 0 else ATOM), [number(node.value)]
        operands = node.args
        if op is NEG:
            return NEGATION, ["-", (operands[0], PRODUCT, depth + 1)]
        if op in _SIGNS:
            sign, own, left, right = _SIGNS[op]
            return own, [(operands[0], left, depth + 1), sign, (operands[1], right, depth + 1)]
        return ATOM, call(node, depth)


_SIGNS = {
    ADD: (" + ", SUM, SUM, PRODUCT),
    SUB: (" - ", SUM, SUM, PRODUCT),
    MUL: ("*", PRODUCT, PRODUCT, POWER),
    DIV: ("/", PRODUCT, PRODUCT, POWER),
    POW: ("**", POWER, ATOM, POWER),
    **{op: (f" {sign} ", COMPARISON, SUM, SUM) for op, sign in COMPARISONS.items()},
}
_EXACT = _Exact()


def quoted(name: str) -> str:
    """A symbol's name as `parse` reads it: in backticks unless it is a plain word that means nothing else.

    Raises ExpressionError for a name that could not be read back.
    """
    if not _NAME.fullmatch(name):
        raise ExpressionError(
            f"a symbol named {name[:60]!r} cannot be written: 1 to 200 characters, no backtick, no control among them"
        )
    plain = _PLAIN.fullmatch(name) and name not in CONSTANTS and name not in FUNCTIONS
    return name if plain else f"`{name}`"


def spell(node: Node) -> str:
    """The expression on one line, whole and exact; `parse` reads it back. For what shares parts see `to_table`."""
    return write(node, _EXACT, {})


def to_table(nodes: Sequence[Node]) -> Table:
    """The expressions as plain JSON data."""
    symbols = {x.name: x.role.name.lower() for x in symbols_of(nodes)}
    letter = free_letter("ZYWV", symbols)
    names: dict[Node, str] = {}
    steps: dict[str, str] = {}
    for node in _own_lines(nodes):
        text = write(node, _EXACT, names)
        names[node] = f"{letter}{len(names) + 1}"
        steps[names[node]] = text
    return {"symbols": symbols, "steps": steps, "expressions": [names.get(x) or write(x, _EXACT, names) for x in nodes]}


def _own_lines(nodes: Sequence[Node]) -> list[Node]:
    """What is used more than once, and what would make a line too long; operands first."""
    times = uses(nodes)
    for node in reversed(times):  # a minus needs no line of its own
        if node.op is NEG:
            times[node.args[0]] += times[node] - 1
    size: dict[Node, int] = {}
    lines: list[Node] = []
    for node, count in times.items():
        size[node] = 1 + sum(size[x] for x in node.args)
        if node.op not in LEAVES and node.op is not NEG and (count > 1 or size[node] > LONGEST_LINE):
            lines.append(node)
            size[node] = 1
    return lines


def from_table(table: object, graph: Graph, symbols: Mapping[str, Node] | None = None) -> list[Node]:
    """The expressions of a table, built in the graph.

    symbols: nodes that stand for some of the table's symbols; the others become symbols of the graph.
    Raises ExpressionError with the line that is wrong; tables from anywhere are safe to read.
    """
    if not isinstance(table, Mapping) or set(table) != _KEYS:
        raise ExpressionError(f"a table of expressions has the keys {', '.join(sorted(_KEYS))} and no others")
    known: dict[str, Node] = {}
    for name, role in _lines(table["symbols"], "symbols"):
        if role not in _ROLES:
            raise ExpressionError(f"symbol {name!r} is a {role!r}; the roles are {', '.join(_ROLES)}")
        given = symbols.get(name) if symbols else None
        try:
            known[name] = given if given is not None else graph.symbol(name, _ROLES[role])
        except ValueError as error:
            raise ExpressionError(f"symbols: {error}") from None
    for name, text in _lines(table["steps"], "steps"):
        if name in known:
            raise ExpressionError(f"steps: {name!r} is defined twice")
        known[name] = _read(f"step {name}", text, known, graph)
    texts = table["expressions"]
    if not isinstance(texts, list) or not all(isinstance(x, str) for x in texts):
        raise ExpressionError("expressions must be a list of texts")
    return [_read(f"expression {i}", text, known, graph) for i, text in enumerate(texts, 1)]


def _lines(section: object, what: str) -> list[tuple[str, str]]:
    if not isinstance(section, Mapping):
        raise ExpressionError(f"{what} must be names with texts, not {type(section).__name__}")
    for name, text in section.items():
        if not isinstance(name, str) or not _NAME.fullmatch(name) or not isinstance(text, str):
            raise ExpressionError(f"{what}: {str(name)[:60]!r} with {str(text)[:60]!r} is no name with a text")
    return list(section.items())


def _read(what: str, text: str, known: Mapping[str, Node], graph: Graph) -> Node:
    try:
        return parse(text, known, graph)
    except ExpressionError as error:
        raise ExpressionError(f"{what}: {error}") from None

