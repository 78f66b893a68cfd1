"""What the three formats share: from an expression of the page to characters, through a style of the graph's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from ..graph import Node, reachable
from ..graph.collected import WHOLE
from ..graph.multiplied import nice
from ..graph.write import Style, write
from .document import Expression, Formula, Matrix, Name, Names, Rate, Row, Vector

DIGITS = 6
"""Significant digits of a number on a page; text shows all."""


class Hand(Protocol):
    """How one format writes what is not an expression of the graph."""

    style: Style
    rounds: bool

    def name(self, name: Name) -> str: ...

    def rate(self, rate: Rate) -> str: ...

    def number(self, digits: str) -> str: ...

    def fraction(self, above: int, below: int) -> str: ...

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


def entries(name: Name, matrix: Matrix) -> list[Formula]:
    """A matrix told by its entries, M₁₂ = …, those below the diagonal of a symmetric one and zeros left out."""
    column = all(len(row) == 1 for row in matrix.rows)
    found = []
    for i, row in enumerate(matrix.rows, 1):
        for k, entry in enumerate(row, 1):
            if not (entry.is_zero or (matrix.symmetric and k < i)):
                found.append(Formula(Name(name.letter, str(i) if column else f"{i},{k}"), entry))
    hidden = sum(x.is_zero for row in matrix.rows for x in row)
    if hidden:
        found.append(Formula(name, Row(("0 elsewhere" if found else "0",))))
    return found


def _node(node: Node, hand: Hand, names: Names) -> str:
    return write(node, hand.style, _Spelled(node, hand, names)) if not node.is_constant else _constant(node, hand)


def _constant(node: Node, hand: Hand) -> str:
    if not hand.rounds or rounded(node.value) is None:
        return write(node, hand.style, {})
    return _shortly(node.value, hand)


def _shortly(value: float, hand: Hand) -> str:
    """A third or a twelfth as such, other long numbers with fewer digits."""
    simple = nice(value)
    if simple > 0 and max(simple.numerator, simple.denominator) <= WHOLE:
        return hand.fraction(simple.numerator, simple.denominator)
    return hand.number(f"{value:.{DIGITS}g}")


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
            elif x.is_constant and hand.rounds and x.value >= 0.0 and rounded(x.value) is not None:
                self[x] = _shortly(x.value, hand)


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
