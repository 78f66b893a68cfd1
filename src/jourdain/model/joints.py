"""The familiar joints, each as its map columns: what Kwatny and Blankenship's general joint is with a name.

A new familiar joint is one function here, one row of names in `motion.SUFFIXES` and one method of `Model`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..graph import Graph, Node
from ..spatial import Vector
from .motion import Column, Motion, Orientation

COORDINATE = "coordinate"


def _column(angular: Vector, linear: Vector) -> Column:
    return (*angular, *linear)


def _turning(graph: Graph, axis: Vector) -> Column:
    return _column(axis, Vector.zero(graph))


def _sliding(graph: Graph, axis: Vector) -> Column:
    return _column(Vector.zero(graph), axis)


def _units(graph: Graph) -> list[Vector]:
    return [Vector.unit(graph, k) for k in range(3)]


def weld(graph: Graph) -> Motion:
    """No freedom."""
    return Motion((), (), (), (), kind="weld")


def revolute(graph: Graph, axis: Vector) -> Motion:
    """A turn about a unit axis through the joint's origin."""
    return Motion((_turning(graph, axis),), (1,), (0,), (0,), kind="revolute")


def prismatic(graph: Graph, axis: Vector) -> Motion:
    """A slide along a unit axis."""
    return Motion((_sliding(graph, axis),), (1,), (0,), (0,), kind="prismatic")


def coordinate(graph: Graph) -> Motion:
    """A number that guided bodies' motions are expressions of; what it moves itself is a link without mass."""
    return Motion((_sliding(graph, Vector.unit(graph, 0)),), (1,), (0,), (0,), kind=COORDINATE)


def screw(graph: Graph, axis: Vector, pitch: Node) -> Motion:
    """A turn about a unit axis with a slide of `pitch` metres a radian along it."""
    return Motion((_column(axis, axis * pitch),), (1,), (0,), (0,), kind="screw")


def universal(graph: Graph, first: Vector, second: Vector) -> Motion:
    """A turn about `first`, fixed in the parent, then about `second`, fixed in the child: compound, for as one simple
    joint its columns would not be closed under the bracket."""
    return Motion((_turning(graph, second), _turning(graph, first)), (1, 1), (1, 0), (1, 0), kind="universal")


def cylindrical(graph: Graph, axis: Vector) -> Motion:
    """A turn about and a slide along one axis."""
    return Motion((_turning(graph, axis), _sliding(graph, axis)), (2,), (0, 1), (0, 1), kind="cylindrical")


def planar(graph: Graph) -> Motion:
    """x, y and the angle about z; speeds along the moved x and y, and about z."""
    x, y, z = _units(graph)
    columns = (_turning(graph, z), _sliding(graph, x), _sliding(graph, y))
    return Motion(columns, (3,), (1, 2, 0), (1, 2, 0), kind="planar")


def spherical(graph: Graph, orientation: Orientation) -> Motion:
    """Any rotation: a quaternion, or angles with R = R_z(yaw) R_y(pitch) R_x(roll); speeds: ω in the moved axes."""
    columns = tuple(_turning(graph, axis) for axis in _units(graph))
    return Motion(columns, (3,), _count(3, orientation), (0, 1, 2), orientation, "spherical")


def free(graph: Graph, orientation: Orientation) -> Motion:
    """Position in the parent's joint frame, then orientation; speeds: ω, then the origin's velocity, moved axes."""
    units = _units(graph)
    columns = (*(_turning(graph, axis) for axis in units), *(_sliding(graph, axis) for axis in units))
    turned = 4 if orientation is Orientation.QUATERNION else 3
    order = (*range(turned, turned + 3), *range(turned))
    return Motion(columns, (6,), order, tuple(range(6)), orientation, "free")


def given(columns: Sequence[Column], groups: Sequence[int]) -> Motion:
    """A joint straight from the paper: its columns and r = {r_1 … r_p}."""
    order = tuple(range(len(columns)))
    return Motion(tuple(columns), tuple(groups), order, order)


def _count(columns: int, orientation: Orientation) -> tuple[int, ...]:
    return tuple(range(columns + (orientation is Orientation.QUATERNION)))
