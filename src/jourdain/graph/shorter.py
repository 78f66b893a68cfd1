"""A small expression multiplied out and collected anew, where that makes it cheaper: sin² x + cos² x is 1."""

from __future__ import annotations

from .collected import Collector
from .count import count
from .multiplied import Expander, TooLong
from .node import Graph, Node
from .substitute import transfer


def shorter(node: Node) -> Node:
    """The same expression in as few operations as either way of writing it takes, in the same graph."""
    expander = Expander(angles=False)
    try:
        value = expander.expand(node)
    except TooLong:
        return node
    paper = Graph()
    written = Collector(paper, expander.atoms).written(value)
    other = transfer([written], node.graph)[0]
    return other if count([other]).total < count([node]).total else node
