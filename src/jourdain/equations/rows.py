"""Matrices of any size as lists of rows: what derivations that follow a paper's matrix formulas are written in."""

from __future__ import annotations

from collections.abc import Sequence

from ..graph import Graph, Node
from ..spatial import Matrix

Rows = list[list[Node]]
AnyRows = Sequence[Sequence[Node]]


def dot(graph: Graph, a: Sequence[Node], b: Sequence[Node]) -> Node:
    """Σ aᵢ bᵢ; nothing is built for zeros."""
    total = graph.zero
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


def zeros(graph: Graph, height: int, width: int) -> Rows:
    """(height, width) of zeros."""
    return [[graph.zero] * width for _ in range(height)]


def transposed(a: AnyRows, width: int) -> Rows:
    """The transpose (width, len(a)); the width is given, for a matrix without rows does not tell it."""
    return [[row[k] for row in a] for k in range(width)]


def plus(a: AnyRows, b: AnyRows, sign: float = 1.0) -> Rows:
    """a + sign · b."""
    return [[x + y * sign for x, y in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]


def times(graph: Graph, a: AnyRows, b: AnyRows, width: int) -> Rows:
    """a b (len(a), width)."""
    columns = transposed(b, width)
    return [[dot(graph, row, column) for column in columns] for row in a]


def on_vector(graph: Graph, a: AnyRows, v: Sequence[Node]) -> list[Node]:
    """a v (len(a),)"""
    return [dot(graph, row, v) for row in a]


def from_left(graph: Graph, v: Sequence[Node], a: AnyRows, width: int) -> list[Node]:
    """aᵀ v (width,)"""
    return on_vector(graph, transposed(a, width), v)


def blocks(parts: Sequence[Sequence[Matrix]]) -> Rows:
    """A matrix of 3×3 blocks, by rows of blocks."""
    return [[x for block in line for x in block[i]] for line in parts for i in range(3)]


__all__ = [
    "AnyRows", "Rows", "blocks", "dot", "from_left", "on_vector", "plus", "times", "transposed", "zeros",
]  # fmt: skip
