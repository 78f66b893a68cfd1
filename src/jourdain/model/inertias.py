"""How a body's mass is spread: ways to write an inertia, each a function of the body's mass.

All are about the mass centre and in the body's axes unless told otherwise (`about`, `in_axes`). Units: kg m².
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from ..graph import Node
from ..spatial import Matrix, Vector
from ..spatial.inertia import spread
from .arguments import Reader, Scalar, Triple

if TYPE_CHECKING:
    from .handles import PointHandle


@dataclass(frozen=True)
class InertiaOf:
    """An inertia matrix, made when the body's mass is known.

    planar: only the moment about one axis is given, as for a body that never leaves its plane; no physical body has
    such a matrix, so it is not held against the triangle inequality.
    point: what it is about, in the body frame or as a point of the body; None for the mass centre, "origin" for the
    body frame's origin.
    axes: a rotation from the axes in which it is written to the body's, as `Reader.rotation` reads it, or a frame of
    the body.
    meant: values that no physical body has are meant, and no warning is given.
    """

    matrix: Callable[[Reader, Node], Matrix]
    planar: bool = False
    point: Triple | PointHandle | str | None = None
    axes: object = None
    meant: bool = False

    def about(self, point: Triple | PointHandle | str) -> InertiaOf:
        """The same numbers, about another point of the body: three coordinates in its frame, a point, or "origin"."""
        return replace(self, point=point)

    def in_axes(self, rotation: object) -> InertiaOf:
        """The same numbers, in axes turned from the body's: a matrix with these axes as columns, turns, or a frame."""
        return replace(self, axes=rotation)

    def as_meant(self) -> InertiaOf:
        """No warning where the values are not those of a physical body."""
        return replace(self, meant=True)

    def central(self, reader: Reader, mass: Node, center: Vector) -> Matrix:
        """About the mass centre, in the body's axes."""
        matrix = self.matrix(reader, mass)
        if self.axes is not None:
            matrix = reader.rotation(self.axes, "the axes of the inertia").conjugate(matrix)
        if self.point is None:
            return matrix
        if isinstance(self.point, str):
            if self.point != "origin":
                reader.mistakes.add(f'the inertia is about {self.point!r}; write "origin" or a point like (0, 0, 0.1)')
            point = Vector.zero(reader.graph)
        else:
            point = reader.triple(self.point, "the point that the inertia is about")
        return matrix - spread(center - point, mass)


def _diagonal(reader: Reader, a: Node, b: Node, c: Node) -> Matrix:
    zero = reader.graph.zero
    return Matrix.of(reader.graph, [[a, zero, zero], [zero, b, zero], [zero, zero, c]])


def _along(axis: str, along: Scalar, across: Scalar) -> InertiaOf:
    """A body of revolution of unit mass: its moment about the axis and about any line across it."""

    def matrix(reader: Reader, mass: Node) -> Matrix:
        unit = reader.axis(axis, "the shape's axis")
        if sum(not x.is_zero for x in unit) > 1:
            reader.mistakes.add(
                f"the shape's axis is {axis!r}, along none of x, y, z; write axis=\"x\" and turn it by .in_axes(…)"
            )
        a, b = reader.static(along, "a size") * mass, reader.static(across, "a size") * mass
        return _diagonal(reader, *(b if x.is_zero else a for x in unit))

    return InertiaOf(matrix)


point_mass = InertiaOf(lambda reader, mass: Matrix.zero(reader.graph))
"""No inertia about the mass centre: a particle."""


def about_z(moment: Scalar) -> InertiaOf:
    """A body that moves in a plane across z only: its central moment about z; the others play no part."""
    return InertiaOf(
        lambda reader, mass: _diagonal(
            reader, reader.graph.zero, reader.graph.zero, reader.static(moment, "the moment about z")
        ),
        planar=True,
    )


def principal(xx: Scalar, yy: Scalar, zz: Scalar, axes: object = None) -> InertiaOf:
    """Principal moments; axes: a rotation from the principal axes to the body's (they are its matrix's columns)."""
    return InertiaOf(
        lambda reader, mass: _diagonal(reader, *(reader.static(x, "a principal moment") for x in (xx, yy, zz))),
        axes=axes,
    )


def tensor(
    entries: Sequence[Scalar] | Sequence[Sequence[Scalar]] | NDArray[Any], axes: object = None
) -> InertiaOf:
    """The symmetric 3×3 inertia matrix, or its six entries (xx, yy, zz, xy, xz, yz).

    Products of inertia are entries of the matrix: xy = −∫ x y dm. axes: a rotation from its axes to the body's.
    """
    rows: object = entries
    if _is_six(entries):
        xx, yy, zz, xy, xz, yz = entries
        rows = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    return InertiaOf(lambda reader, mass: reader.matrix(rows, "the inertia"), axes=axes)


def _is_six(entries: object) -> bool:
    return hasattr(entries, "__len__") and not isinstance(entries, str) and len(entries) == 6


def solid_box(x: Scalar, y: Scalar, z: Scalar) -> InertiaOf:
    """A uniform box with these edges [m]."""

    def matrix(reader: Reader, mass: Node) -> Matrix:
        xx, yy, zz = (reader.static(edge, "an edge of the box") ** 2 for edge in (x, y, z))
        twelfth = mass * (1.0 / 12.0)
        return _diagonal(reader, twelfth * (yy + zz), twelfth * (xx + zz), twelfth * (xx + yy))

    return InertiaOf(matrix)


def solid_sphere(radius: Scalar) -> InertiaOf:
    """A uniform ball of this radius [m]."""
    moment = 0.4 * radius * radius
    return principal_per_mass(moment, moment, moment)


def hollow_sphere(radius: Scalar) -> InertiaOf:
    """A thin spherical shell of this radius [m]."""
    moment = 2.0 / 3.0 * radius * radius
    return principal_per_mass(moment, moment, moment)


def solid_cylinder(radius: Scalar, length: Scalar, axis: str = "z") -> InertiaOf:
    """A uniform cylinder of this radius and length [m] along an axis."""
    return _along(axis, 0.5 * radius * radius, 0.25 * radius * radius + length * length * (1.0 / 12.0))


def thin_rod(length: Scalar, axis: str = "x") -> InertiaOf:
    """A uniform thin rod of this length [m] along an axis."""
    return _along(axis, 0.0, length * length * (1.0 / 12.0))


def thin_disk(radius: Scalar, axis: str = "z") -> InertiaOf:
    """A uniform thin disk of this radius [m], its axis across it."""
    return _along(axis, 0.5 * radius * radius, 0.25 * radius * radius)


def thin_ring(radius: Scalar, axis: str = "z") -> InertiaOf:
    """A thin hoop of this radius [m], its axis across it."""
    return _along(axis, radius * radius, 0.5 * radius * radius)


def principal_per_mass(xx: Scalar, yy: Scalar, zz: Scalar) -> InertiaOf:
    """Squares of the radii of gyration [m²]: principal moments of a unit mass."""
    return InertiaOf(
        lambda reader, mass: _diagonal(reader, *(reader.static(x, "a moment") * mass for x in (xx, yy, zz)))
    )
