"""Expressions without a factor that they have, so that a quotient need not be taken where its divisor can be zero."""

from __future__ import annotations

from .node import Node
from .operations import ADD, DIV, MUL, NEG, SUB
from .order import reachable


def without(node: Node, factor: Node) -> Node | None:
    """The node divided by a factor that stands in it, in every term of its sums; None where it does not stand there.

    k·x·y without x is k·y, (k·x + c·x) without x is k + c; k·(x − a) without x is None.
    """
    graph = node.graph
    found: dict[Node, Node] = {factor: graph.one, graph.zero: graph.zero}
    for x in reachable([node], found):
        if x in found:
            continue
        parts = [found.get(y) for y in x.args]
        if x.op is MUL:
            a, b = parts
            if a is not None:
                found[x] = a * x.args[1]
            elif b is not None:
                found[x] = x.args[0] * b
        elif x.op is NEG and parts[0] is not None:
            found[x] = -parts[0]
        elif x.op is DIV and parts[0] is not None:
            found[x] = parts[0] / x.args[1]
        elif x.op in (ADD, SUB):
            a, b = parts
            if a is not None and b is not None:
                found[x] = a + b if x.op is ADD else a - b
    return found.get(node)
