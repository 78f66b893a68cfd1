"""Static factors gathered: every product and sum as a factor of parameters alone times the rest, multiplied out last.

(g c₁) s₂ · m l becomes (m l g) (c₁ s₂), whose first factor is computed once for a set of parameters. It saves where
the factors meet again further on, and costs where one was shared by several products; whoever calls counts both.
"""

from __future__ import annotations

from collections.abc import Sequence

from .node import Node
from .operations import ADD, DIV, MUL, NEG, SUB
from .order import reachable

Split = tuple[Node | None, Node]
"""A static factor (None: one) and the rest."""


def gather_static(outputs: Sequence[Node]) -> list[Node]:
    """The same expressions in the same graph, with static factors as far out as they can be."""
    known: dict[Node, Split] = {}
    for node in reachable(outputs):
        known[node] = (None, node) if node.is_static or not node.args else _split(node, known)
    return [_whole(known[x]) for x in outputs]


def _split(node: Node, known: dict[Node, Split]) -> Split:
    if node.op is MUL or node.op is DIV:
        (f, x), (g, y) = (_factors(arg, known[arg]) for arg in node.args)
        product, rest = (f * g, x * y) if node.op is MUL else (f / g, x / y)
        return (None if product is node.graph.one else product), rest
    parts = [known[arg] for arg in node.args]
    if node.op is NEG:
        factor, rest = parts[0]
        return factor, -rest
    if node.op in (ADD, SUB):
        (a, x), (b, y) = parts
        if a is b:
            return a, x + y if node.op is ADD else x - y
        whole, other = _whole(parts[0]), _whole(parts[1])
        return None, whole + other if node.op is ADD else whole - other
    return None, node.graph.apply(node.op, *map(_whole, parts))


def _factors(arg: Node, split: Split) -> tuple[Node, Node]:
    one = arg.graph.one
    if arg.is_static:
        return arg, one
    return (one if split[0] is None else split[0]), split[1]


def _whole(split: Split) -> Node:
    factor, rest = split
    return rest if factor is None else factor * rest
