"""The shortest way that was found to write expressions in full, where that is short enough to read."""

from __future__ import annotations

from collections.abc import Sequence

from ..graph import Graph, Node
from ..graph.collected import Collector
from ..graph.multiplied import Expander, Polynomial, TooLong

LONGEST = 90
"""Symbols, numbers and signs of an expression that is written in full."""


def shortened(expressions: Sequence[Node], graph: Graph, longest: int = LONGEST) -> list[Node] | None:
    """The expressions in full, in a graph that is only for writing; None if one of them would be too long to read.

    graph: holds the symbols already, in the order in which a product names them.
    """
    ways = [way for way in (_multiplied(expressions, angles) for angles in (False, True)) if way is not None]
    if not ways:
        return None
    found: list[Node] = []
    for k in range(len(expressions)):
        written = [Collector(graph, expander.atoms).written(values[k]) for expander, values in ways]
        best = min(written, key=length)
        if length(best) > longest:
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
