"""A small expression multiplied out and collected anew, where that makes it cheaper: sin² x + cos² x is 1."""

from __future__ import annotations

from .collected import Collector
from .count import count
from .multiplied import Expander, TooLong
from .node import Graph, Node
from .order import reachable
from .substitute import transfer

SMALL = 40
"""Nodes of an expression up to which it is tried: larger ones take long, and lose what they share with others."""


def shorter(node: Node) -> Node:
    """The same expression in as few operations as either way of writing it takes, in the same graph."""
    if len(reachable([node])) > SMALL:
        return node
    expander = Expander(angles=False)
    try:
        value = expander.expand(node)
    except TooLong:
        return node
    paper = Graph()
    written = Collector(paper, expander.atoms).written(value)
    other = transfer([written], node.graph)[0]
    return other if count([other]).total < count([node]).total else node
