"""Vectors of three graph scalars: measure numbers in some frame, which the caller knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..graph import Graph, Node


class Vector(NamedTuple):
    """Three measure numbers. Adds and scales as a vector, not as a tuple."""

    x: Node
    y: Node
    z: Node

    def __add__(self, other: Vector) -> Vector:  # type: ignore[override]
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other: Vector) -> Vector:
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def __neg__(self) -> Vector:
        return Vector(-self.x, -self.y, -self.z)

    def __mul__(self, factor: Node | float) -> Vector:  # type: ignore[override]
        return Vector(self.x * factor, self.y * factor, self.z * factor)

    def __rmul__(self, factor: Node | float) -> Vector:  # type: ignore[override]
        return self * factor

    def dot(self, other: Vector) -> Node:
        return self.x * other.x + self.y * other.y + self.z * other.z

    def cross(self, other: Vector) -> Vector:
        return Vector(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )

    @property
    def is_zero(self) -> bool:
        return self.x.is_zero and self.y.is_zero and self.z.is_zero

    @staticmethod
    def of(graph: Graph, values: Sequence[Node | float]) -> Vector:
        """A vector from three nodes or numbers."""
        x, y, z = values
        return Vector(graph.node(x), graph.node(y), graph.node(z))

    @staticmethod
    def zero(graph: Graph) -> Vector:
        return Vector(graph.zero, graph.zero, graph.zero)

    @staticmethod
    def unit(graph: Graph, axis: int) -> Vector:
        """The unit vector of axis 0, 1 or 2."""
        values = [graph.zero] * 3
        values[axis] = graph.one
        return Vector(*values)
