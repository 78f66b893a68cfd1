"""Unit quaternions (x, y, z, w), vector first, scalar last, as SciPy and Parsa write them."""

from __future__ import annotations

from collections.abc import Sequence

from ..graph import Graph, Node
from ..spatial import Matrix, Rotation, Vector


def quaternion_rotation(graph: Graph, quaternion: Sequence[Node]) -> Rotation:
    """The rotation of a unit quaternion, moved axes to fixed ones."""
    x, y, z, w = quaternion
    two = graph.constant(2.0)
    x2, y2, z2 = two * x, two * y, two * z
    xx, yy, zz = x * x2, y * y2, z * z2
    xy, xz, yz = x * y2, x * z2, y * z2
    wx, wy, wz = w * x2, w * y2, w * z2
    one = graph.one
    return Rotation.given(
        graph,
        Matrix(
            Vector(one - (yy + zz), xy - wz, xz + wy),
            Vector(xy + wz, one - (xx + zz), yz - wx),
            Vector(xz - wy, yz + wx, one - (xx + yy)),
        ),
    )


def half_matrix(graph: Graph, quaternion: Sequence[Node]) -> list[list[Node]]:
    """The 4×3 matrix G of η̇ = G ω = ½ η ⊛ (ω, 0), ω in the moved body's axes."""
    half = graph.constant(0.5)
    x, y, z, w = (half * component for component in quaternion)
    return [[w, -z, y], [z, w, -x], [-y, x, w], [-x, -y, -z]]


def double_transpose(graph: Graph, quaternion: Sequence[Node]) -> list[list[Node]]:
    """The 3×4 matrix of ω = 4 Gᵀ η̇, the inverse of `half_matrix` on unit quaternions' rates."""
    two = graph.constant(2.0)
    x, y, z, w = (two * component for component in quaternion)
    return [[w, z, -y, -x], [-z, w, x, -y], [y, -x, w, -z]]
