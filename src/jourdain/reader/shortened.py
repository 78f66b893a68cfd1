"""The shortest way that was found to write expressions in full, where that is short enough to read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from typing import TypeVar

from ..graph import Graph, Node
from ..graph.collected import Collector, common_factors, divided
from ..graph.multiplied import Expander, Polynomial, TooLong
from ..graph.operations import DIV, NEG

LONGEST = 90
"""Symbols, numbers and signs of an expression that is written in full."""

T = TypeVar("T")


def shortened(expressions: Sequence[Node], graph: Graph, longest: int = LONGEST) -> list[Node] | None:
    """The expressions in full, in a graph that is only for writing; None if one of them would be too long to read.

    graph: holds the symbols already, in the order in which a product names them.
    """

    def write(expander: Expander, value: Polynomial, k: int) -> Node:
        return Collector(graph, expander.atoms).written(value)

    return _shortest(expressions, longest, write, length)


def balanced(
    expressions: Sequence[Node], graph: Graph, first: Sequence[Node], moved: Collection[str], longest: int = LONGEST
) -> list[tuple[Node, Node]] | None:
    """Equations expression = first as left = right, terms that hold one of the symbols `moved` brought to the right.

    first: for each equation a node of `graph` that stands on the right before all else.
    """

    def write(expander: Expander, value: Polynomial, k: int) -> tuple[Node, Node]:
        inside = {k for k, atom in enumerate(expander.atoms) if atom.is_symbol and atom.name in moved}
        right = {term: -x for term, x in value.items() if any(factor in inside for factor, _ in term)}
        left = {term: x for term, x in value.items() if term not in right}
        collector = Collector(graph, expander.atoms)
        return collector.written(left), collector.written_after(first[k], right)

    return _shortest(expressions, longest, write, lambda pair: length(pair[0]) + length(pair[1]))


def fraction(above: Node, below: Node, graph: Graph, longest: int = LONGEST) -> Node | None:
    """above/below with what both have in common taken away; None if it would be too long to read."""
    best: Node | None = None
    for angles in (False, True):
        way = _multiplied([above, below], angles)
        if way is None:
            continue
        expander, (top, bottom) = way
        shared = common_factors([*top, *bottom])
        if shared == tuple(next(iter(bottom), ())) and len(bottom) == 1:  # a number is left below: 2 x/3, not x/1.5
            (term, number), = bottom.items()
            top, bottom = {t: x / number for t, x in top.items()}, {term: Fraction(1)}
        collector = Collector(graph, expander.atoms)
        negative = False
        for value in (top, bottom):
            if value and all(x < 0 for x in value.values()):
                negative = not negative
                value.update({term: -x for term, x in value.items()})
        a, b = (collector.written({divided(term, shared): x for term, x in value.items()}) for value in (top, bottom))
        found = a if b is graph.one else Node(graph, DIV, (a, b), a.roles | b.roles, None)
        found = Node(graph, NEG, (found,), found.roles, None) if negative else found
        best = found if best is None or length(found) < length(best) else best
    return None if best is None or length(best) > longest else best


def _shortest(
    expressions: Sequence[Node],
    longest: int,
    write: Callable[[Expander, Polynomial, int], T],
    size: Callable[[T], int],
) -> list[T] | None:
    """Each expression in the better of the two ways of multiplying out; None if one is longer than `longest`."""
    ways = [way for way in (_multiplied(expressions, angles) for angles in (False, True)) if way is not None]
    if not ways:
        return None
    found: list[T] = []
    for k in range(len(expressions)):
        best = min((write(expander, values[k], k) for expander, values in ways), key=size)
        if size(best) > longest:
            return None
        found.append(best)
    return found


def _multiplied(expressions: Sequence[Node], angles: bool) -> tuple[Expander, list[Polynomial]] | None:
    expander = Expander(angles)
    try:
        return expander, [expander.expand(x) for x in expressions]
    except TooLong:
        return None


def length(node: Node) -> int:
    """Symbols, numbers and signs as they stand on paper."""
    total, stack = 0, [node]
    while stack:
        x = stack.pop()
        total += 1
        stack += x.args
    return total
