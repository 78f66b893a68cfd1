"""Shapes on bodies, for what may touch: `m.contact("ball", (ball, jd.shapes.Sphere(0.1)), jd.shapes.Plane())`.

Each lies where its `center` is: a point of the body, or coordinates in the body's frame [m], the body's origin if left
out. Its own axes are the body's, or those of `axes`: a frame of the body, or a rotation from the shape's axes to the
body's as frames take it. Sizes are numbers or expressions of parameters [m].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from .arguments import Scalar, Triple
from .handles import PointHandle

Center = Triple | PointHandle | str


@dataclass(frozen=True, eq=False)
class Point:
    """A point: a sphere of no size."""

    center: Center = (0, 0, 0)


@dataclass(frozen=True, eq=False)
class Sphere:
    """A ball."""

    radius: Scalar
    center: Center = (0, 0, 0)


@dataclass(frozen=True, eq=False)
class Plane:
    """A half-space under a plane.

    normal: out of it, in the body's axes, a letter like "z" or "-x" or three numbers; height: the plane's distance from
    the body's origin along the normal [m].
    """

    normal: Triple | str = "z"
    height: Scalar = 0.0


@dataclass(frozen=True, eq=False)
class Box:
    """A cuboid. sizes: the lengths of its edges along its axes [m]; center: its middle."""

    sizes: Triple
    center: Center = (0, 0, 0)
    axes: Any = None


@dataclass(frozen=True, eq=False)
class Capsule:
    """All that is within `radius` of a segment. length: of the segment, from one round end's center to the other's [m];
    axis: its direction in the shape's axes; center: its middle."""

    radius: Scalar
    length: Scalar
    axis: Triple | str = "z"
    center: Center = (0, 0, 0)
    axes: Any = None


@dataclass(frozen=True, eq=False)
class Cylinder:
    """A solid cylinder with flat ends. length: between these [m]; axis: in the shape's axes; center: its middle."""

    radius: Scalar
    length: Scalar
    axis: Triple | str = "z"
    center: Center = (0, 0, 0)
    axes: Any = None


@dataclass(frozen=True, eq=False)
class Wheel:
    """A wheel on its rim: it may lean, but not lie flat (for that take a cylinder).

    radius: the outer one [m]; axis: the axle, in the shape's axes; width: of a rim that is a half circle across [m], 0
    for a thin disk.
    """

    radius: Scalar
    axis: Triple | str = "y"
    width: Scalar = 0.0
    center: Center = (0, 0, 0)
    axes: Any = None


@dataclass(frozen=True, eq=False)
class Mesh:
    """The convex hull of at most 64 points. vertices: in the shape's axes, from `center` [m]."""

    vertices: Sequence[Triple] | NDArray[Any]
    center: Center = (0, 0, 0)
    axes: Any = None


@dataclass(frozen=True, eq=False)
class Ellipsoid:
    """semi_axes: the lengths from its center to its surface along its axes [m]."""

    semi_axes: Triple
    center: Center = (0, 0, 0)
    axes: Any = None


Shape = Point | Sphere | Plane | Box | Capsule | Cylinder | Wheel | Mesh | Ellipsoid
MOST_VERTICES = 64
