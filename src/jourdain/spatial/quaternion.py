"""Quaternions (x, y, z, w), vector first, scalar last, and the two ways to compose them (Parsa 2007, appendix B).

η₁ ⊛ η₂ = η₂ ⊗ η₁ is the turn Q₁ Q₂: seen from fixed axes, first that of η₂, then that of η₁ (B-9).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..graph import Graph, Node
from .matrix import Matrix
from .vector import Vector

Rows = list[list[Node]]


class Quaternion(NamedTuple):
    """Four graph scalars. A turn where its length is one."""

    x: Node
    y: Node
    z: Node
    w: Node

    @property
    def vector(self) -> Vector:
        """η_v."""
        return Vector(self.x, self.y, self.z)

    @property
    def conjugate(self) -> Quaternion:
        """η*, the turn back (B-13, on unit quaternions)."""
        return Quaternion(-self.x, -self.y, -self.z, self.w)

    @property
    def square(self) -> Node:
        """η · η: 1 for a turn."""
        return self.vector.dot(self.vector) + self.w * self.w

    def then(self, inner: Quaternion) -> Quaternion:
        """η ⊛ inner: the turn of a frame that stands in a turned one."""
        a, b = self.vector, inner.vector
        v = b * self.w + a * inner.w + a.cross(b)
        return Quaternion(v.x, v.y, v.z, self.w * inner.w - a.dot(b))

    def after(self, outer: Quaternion) -> Quaternion:
        """η ⊗ outer = outer ⊛ η (B-9)."""
        return outer.then(self)

    def then_matrix(self) -> Rows:
        """[η ⊛] (4, 4), with [η ⊛] ζ = η ⊛ ζ (B-10)."""
        x, y, z, w = self
        return [[w, -z, y, x], [z, w, -x, y], [-y, x, w, z], [-x, -y, -z, w]]

    def after_matrix(self) -> Rows:
        """[η ⊗] (4, 4), with [η ⊗] ζ = η ⊗ ζ (B-10)."""
        x, y, z, w = self
        return [[w, z, -y, x], [-z, w, x, y], [y, -x, w, z], [-x, -y, -z, w]]

    def rotation(self) -> Matrix:
        """Q of a unit quaternion: inner components to outer ones."""
        graph, (x, y, z, w) = self.w.graph, self
        two, one = graph.constant(2.0), graph.one
        return Matrix(
            Vector(one - two * (y * y + z * z), two * (x * y - w * z), two * (x * z + w * y)),
            Vector(two * (x * y + w * z), one - two * (x * x + z * z), two * (y * z - w * x)),
            Vector(two * (x * z - w * y), two * (y * z + w * x), one - two * (x * x + y * y)),
        )

    def rate(self, angular: Vector) -> Quaternion:
        """η̇ = ½ η ⊛ ω̃ (B-18); angular velocity along the inner axes."""
        moved = self.then(pure(angular))
        return Quaternion(*(x * 0.5 for x in moved))

    def angular_velocity(self, rate: Quaternion) -> Vector:
        """ω = 2 η* ⊛ η̇ (B-19), along the inner axes, for rates that keep a unit quaternion's length."""
        return self.conjugate.then(rate).vector * 2.0

    @staticmethod
    def of(graph: Graph, values: Sequence[Node | float]) -> Quaternion:
        """From four nodes or numbers."""
        x, y, z, w = values
        return Quaternion(graph.node(x), graph.node(y), graph.node(z), graph.node(w))


def pure(vector: Vector) -> Quaternion:
    """ṽ = (v, 0)."""
    return Quaternion(*vector, vector.x.graph.zero)


__all__ = ["Quaternion", "pure"]
