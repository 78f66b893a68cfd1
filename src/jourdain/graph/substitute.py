"""Rebuilding expressions: substitution in one graph, and copies from one graph to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .node import Graph, Node
from .operations import CONSTANT, SYMBOL
from .order import reachable


def substitute(outputs: Sequence[Node], replacements: Mapping[Node, Node | float]) -> list[Node]:
    """The outputs with nodes replaced, simplified as they are rebuilt.

    Replacements are made at once: what one brings in is not replaced by another.
    """
    built: dict[Node, Node] = {old: old.graph.node(new) for old, new in replacements.items()}
    for node in reachable(outputs, built):
        if node in built:
            continue
        args = tuple([built[x] for x in node.args])
        built[node] = node if args == node.args else node.graph.applied(node.op, args)
    return [built[node] for node in outputs]


def transfer(
    outputs: Sequence[Node], target: Graph, replacements: Mapping[Node, Node | float] | None = None
) -> list[Node]:
    """The outputs copied into another graph; symbols keep name and role unless replaced by nodes of the target."""
    built: dict[Node, Node] = {old: target.node(new) for old, new in (replacements or {}).items()}
    for node in reachable(outputs, built):
        if node in built:
            continue
        if node.op is CONSTANT:
            built[node] = target.constant(node.value)
        elif node.op is SYMBOL:
            built[node] = target.symbol(node.name, node.role)
        else:
            built[node] = target.applied(node.op, tuple([built[x] for x in node.args]))
    return [built[node] for node in outputs]
