"""The ten inertial parameters of a body: mass, first moment and inertia about the origin of a frame."""

from __future__ import annotations

from dataclasses import dataclass

from ..graph import Graph, Node
from .matrix import Matrix, cross_matrix
from .rotation import Rotation
from .vector import Vector


@dataclass(frozen=True, slots=True)
class Inertia:
    """Mass [kg], first moment m c [kg m] and inertia matrix [kg m²] about a frame's origin, in that frame's axes."""

    mass: Node
    moment: Vector
    matrix: Matrix

    def __add__(self, other: Inertia) -> Inertia:
        return Inertia(self.mass + other.mass, self.moment + other.moment, self.matrix + other.matrix)

    @property
    def is_zero(self) -> bool:
        return self.mass.is_zero and self.moment.is_zero and self.matrix.is_zero

    @staticmethod
    def zero(graph: Graph) -> Inertia:
        return Inertia(graph.zero, Vector.zero(graph), Matrix.zero(graph))

    @staticmethod
    def about_center(mass: Node, center: Vector, central: Matrix) -> Inertia:
        """From the inertia about the mass centre: J = I − m [c×][c×] (parallel axes)."""
        return Inertia(mass, center * mass, central + spread(center, mass))

    def in_parent(self, rotation: Rotation, origin: Vector) -> Inertia:
        """The same body's parameters in a frame in which this one lies at `origin`, turned by `rotation`."""
        moment = rotation.inward(self.moment)
        matrix = rotation.conjugate(self.matrix) + _shift(moment, origin) + spread(origin, self.mass)
        return Inertia(self.mass, moment + origin * self.mass, matrix)


def spread(r: Vector, mass: Node) -> Matrix:
    """−m [r×][r×], the inertia about the origin of a particle at r."""
    x, y, z = r
    m = mass
    mx, my, mz = x * m, y * m, z * m
    xx, yy, zz = mx * x, my * y, mz * z
    xy, xz, yz = -(mx * y), -(mx * z), -(my * z)
    return Matrix(Vector(yy + zz, xy, xz), Vector(xy, xx + zz, yz), Vector(xz, yz, xx + yy))


def _shift(h: Vector, r: Vector) -> Matrix:
    """−([r×][h×] + [h×][r×]) = 2 (r·h) 1 − (r hᵀ + h rᵀ): what shifting by r adds for a first moment h."""
    xx, yy, zz = h.x * r.x, h.y * r.y, h.z * r.z
    xy = -(h.x * r.y + h.y * r.x)
    xz = -(h.x * r.z + h.z * r.x)
    yz = -(h.y * r.z + h.z * r.y)
    two = h.x.graph.constant(2.0)
    return Matrix(
        Vector(two * (yy + zz), xy, xz), Vector(xy, two * (xx + zz), yz), Vector(xz, yz, two * (xx + yy))
    )


__all__ = ["Inertia", "cross_matrix", "spread"]
