"""What the three formats share: from an expression of the page to characters, through a style of the graph's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from ..graph import Node, reachable
from ..graph.write import Style, write
from .document import Expression, Matrix, Name, Names, Rate, Row, Vector

DIGITS = 6
"""Significant digits of a number on a page; text shows all."""


class Hand(Protocol):
    """How one format writes what is not an expression of the graph."""

    style: Style
    rounds: bool

    def name(self, name: Name) -> str: ...

    def rate(self, rate: Rate) -> str: ...

    def number(self, digits: str) -> str: ...

    def sign(self, sign: str) -> str: ...

    def vector(self, entries: list[str]) -> str: ...

    def matrix(self, rows: list[list[str]]) -> str: ...


def spell(expression: Expression, hand: Hand, names: Names) -> str:
    """The expression in a hand."""
    if isinstance(expression, Node):
        return _node(expression, hand, names)
    if isinstance(expression, Name):
        return hand.name(expression)
    if isinstance(expression, Rate):
        return hand.rate(expression)
    if isinstance(expression, Vector):
        return hand.vector([_node(x, hand, names) for x in expression.entries])
    if isinstance(expression, Matrix):
        return hand.matrix([[_node(x, hand, names) for x in row] for row in expression.rows])
    return "".join(hand.sign(x) if isinstance(x, str) else spell(x, hand, names) for x in expression.parts)


def nodes_of(expression: Expression) -> list[Node]:
    """The graph's expressions in it."""
    if isinstance(expression, Node):
        return [expression]
    if isinstance(expression, Vector):
        return list(expression.entries)
    if isinstance(expression, Matrix):
        return [x for row in expression.rows for x in row]
    if isinstance(expression, Row):
        return [x for x in expression.parts if isinstance(x, Node)]
    return []


def _node(node: Node, hand: Hand, names: Names) -> str:
    return write(node, hand.style, _Spelled(node, hand, names)) if not node.is_constant else _constant(node, hand)


def _constant(node: Node, hand: Hand) -> str:
    shorter = rounded(node.value) if hand.rounds else None
    return hand.number(shorter) if shorter is not None else write(node, hand.style, {})


def rounded(value: float) -> str | None:
    """Fewer digits, where there are more than a page wants."""
    shorter = f"{value:.{DIGITS}g}"
    return None if float(shorter) == value else shorter


class _Spelled(dict[Node, str]):
    """Names as they are written in one expression; long numbers have short names here."""

    def __init__(self, node: Node, hand: Hand, names: Names) -> None:
        super().__init__()
        inside: Iterable[Node] = _visible(node, names)
        for x in inside:
            if x in names:
                self[x] = hand.name(names[x])
            elif x.is_constant and hand.rounds and x.value >= 0.0 and (shorter := rounded(x.value)) is not None:
                self[x] = hand.number(shorter)


def _visible(node: Node, names: Names) -> Iterable[Node]:
    """What is written out: nothing below a name, but for the node itself."""
    if not names:
        return reachable([node])
    seen: dict[Node, None] = {}
    stack = list(node.args)
    while stack:
        x = stack.pop()
        if x not in seen:
            seen[x] = None
            if x not in names:
                stack += x.args
    return seen
