"""3x3 matrices of graph scalars, by rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..graph import Graph, Node
from .vector import Vector


class Matrix(NamedTuple):
    """Three rows."""

    a: Vector
    b: Vector
    c: Vector

    def __matmul__(self, other: Vector) -> Vector:
        return Vector(self.a.dot(other), self.b.dot(other), self.c.dot(other))

    def times(self, other: Matrix) -> Matrix:
        columns = other.transposed()
        return Matrix(*(Vector(*(row.dot(column) for column in columns)) for row in self))

    def __add__(self, other: Matrix) -> Matrix:  # type: ignore[override]
        return Matrix(self.a + other.a, self.b + other.b, self.c + other.c)

    def __sub__(self, other: Matrix) -> Matrix:
        return Matrix(self.a - other.a, self.b - other.b, self.c - other.c)

    def scaled(self, factor: Node | float) -> Matrix:
        return Matrix(self.a * factor, self.b * factor, self.c * factor)

    def transposed(self) -> Matrix:
        return Matrix(*(Vector(self.a[k], self.b[k], self.c[k]) for k in range(3)))

    def trace(self) -> Node:
        return self.a.x + self.b.y + self.c.z

    @property
    def is_zero(self) -> bool:
        return all(row.is_zero for row in self)

    @staticmethod
    def of(graph: Graph, rows: Sequence[Sequence[Node | float]]) -> Matrix:
        a, b, c = rows
        return Matrix(Vector.of(graph, a), Vector.of(graph, b), Vector.of(graph, c))

    @staticmethod
    def zero(graph: Graph) -> Matrix:
        return Matrix(*(Vector.zero(graph) for _ in range(3)))

    @staticmethod
    def identity(graph: Graph) -> Matrix:
        return Matrix(*(Vector.unit(graph, k) for k in range(3)))


def cross_matrix(v: Vector) -> Matrix:
    """[v×], so that [v×] w = v × w."""
    zero = v.x.graph.zero
    return Matrix(Vector(zero, -v.z, v.y), Vector(v.z, zero, -v.x), Vector(-v.y, v.x, zero))
