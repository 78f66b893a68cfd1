"""Shapes over a plane: each has a few points of which one is the nearest, whichever way it lies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from ..graph import Node, less, select, sqrt
from ..spatial import Vector
from .contacts import across as tangents_of
from .planar import Level
from .seating import Seat
from .shapes import Box, Capsule, Cylinder, Ellipsoid, Mesh, Wheel
from .spots import Scene, Spot, along
from .vectors import VectorExpression

UPRIGHT = 1e-20  # the sine, squared, of a cylinder's lean, below which its rim has no lowest point


def on_plane(scene: Scene) -> list[Spot]:
    """Of the shape that is the one; the plane is the other."""
    floor = _Floor.of(scene)
    one = scene.one
    if one.kind is Cylinder:
        return _cylinder(floor, one)
    if one.kind is Wheel:
        return _wheel(floor, one)
    if one.kind is Capsule:
        return floor.points(_ends(one), one.radius)
    if one.kind is Box:
        signs = product((-1.0, 1.0), repeat=3)
        return floor.points([_sum(edge * x for edge, x in zip(one.corners, sign)) for sign in signs])
    if one.kind is Ellipsoid:
        return _ellipsoid(floor, one)
    if one.kind is Mesh:
        return floor.points(one.corners)
    return floor.points([Vector.zero(scene.model.graph)], one.radius)


@dataclass(frozen=True)
class _Floor:
    """normal: of the plane; up: the same in the one body's axes; height: of the one's center over the plane.

    first, second: directions in the plane, in the plane body's axes; across: those in which anything can slip. level:
    where the bodies move in a plane at right angles to this one, its normal in the one body's axes.
    """

    scene: Scene
    normal: VectorExpression
    up: Vector
    height: Node
    first: Vector
    second: Vector
    across: tuple[VectorExpression, ...]
    level: Level | None

    @classmethod
    def of(cls, scene: Scene) -> _Floor:
        plane = scene.other
        normal = scene.there(plane.axis)
        height = scene.one.hub.pos_from(plane.hub) @ normal - plane.height
        first, second = tangents_of(plane.axis)
        upright = [(a, b) for a, b in scene.levels if b.across.dot(plane.axis).is_zero]
        if upright:
            second = upright[0][1].across
            first = second.cross(plane.axis)
        across = [x for x in (first, second) if not any(b.across.cross(x).is_zero for _, b in upright)]
        level = upright[0][0] if upright else None
        up = Vector(*normal.in_frame(scene.one.body))
        return cls(scene, normal, up, height, first, second, tuple(map(scene.there, across)), level)

    def spot(self, rise: Node, arm: Vector, radius: Node) -> Spot:
        """A ball around a point at `arm` from the center, in the one body's axes; rise: of the arm over the plane."""
        return Spot(
            self.height + rise - radius, self.normal, self.scene.here(arm) + self.normal * -radius, self.across
        )

    def points(self, arms: Iterable[Vector], radius: Node | float = 0.0) -> list[Spot]:
        """Balls fixed in the body. Of those that lie behind one another in a planar motion there is one."""
        graph = self.height.graph
        if self.level is not None:
            d = self.level.across
            arms = dict.fromkeys(arm - d * d.dot(arm) for arm in arms)
        return [self.spot(arm.dot(self.up), arm, graph.node(radius)) for arm in arms]


def _ends(seat: Seat) -> list[Vector]:
    return [seat.axis * -seat.half, seat.axis * seat.half]


def _sum(vectors: Iterable[Vector]) -> Vector:
    first, *others = vectors
    for other in others:
        first = first + other
    return first


def _rim(floor: _Floor, axis: Vector) -> tuple[Vector, Node]:
    """From a circle's lowest point to its center, a unit vector, and how far it rises. A circle that lies flat has no
    lowest point; its center stands for it."""
    up = floor.up - axis * axis.dot(floor.up)
    square = up.dot(up)
    leans = less(UPRIGHT, square)
    steep = sqrt(select(leans, square, 1.0))
    return up * select(leans, 1.0 / steep, 0.0), select(leans, steep, 0.0)


def _cylinder(floor: _Floor, seat: Seat) -> list[Spot]:
    """Of each end the lowest point of its rim, on which it rolls, and three points on which it stands.

    Those three are at 120° in directions that stand still in the plane, laid into the end: the cylinder may spin on
    them. Where it leans they are farther from the plane than the lowest point is.
    """
    axis, radius, level = seat.axis, seat.radius, floor.level
    if level is not None and along(seat, level):
        return floor.points([Vector.zero(radius.graph)], radius)
    if level is not None and axis.dot(level.across).is_zero:
        side = level.across.cross(axis) * radius
        return floor.points([end + side * x for end in _ends(seat) for x in (-1.0, 1.0)])
    lean, zero = axis.dot(floor.up), radius.graph.zero
    outward, steep = _rim(floor, axis)
    seen = [Vector(*floor.scene.there(x).in_frame(seat.body)) for x in (floor.first, floor.second)]
    found: list[Spot] = []
    for half in (-seat.half, seat.half):
        end = axis * half
        found.append(floor.spot(half * lean - radius * steep, end - outward * radius, zero))
        for k in range(3):
            course = seen[0] * _cos(k) + seen[1] * _sin(k)
            tilt = axis.dot(course)
            found.append(floor.spot(half * lean - radius * lean * tilt, end + (course - axis * tilt) * radius, zero))
    return found


def _cos(k: int) -> float:
    return 1.0 if k == 0 else -0.5


def _sin(k: int) -> float:
    return (0.0, 0.75**0.5, -(0.75**0.5))[k]


def _ellipsoid(floor: _Floor, seat: Seat) -> list[Spot]:
    """Where its normal is the plane's: with semi-axes s the point −Σ s (s · n) / r, r² = Σ (s · n)²."""
    along = [s.dot(floor.up) for s in seat.corners]
    reach = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2])
    arm = _sum(s * (x / -reach) for s, x in zip(seat.corners, along))
    return [floor.spot(-reach, arm, reach.graph.zero)]


def _wheel(floor: _Floor, seat: Seat) -> list[Spot]:
    """The lowest point of its rim, which is a circle with a ball on each of its points."""
    axis, level, circle = seat.axis, floor.level, seat.radius - seat.half
    if level is not None and along(seat, level):
        return floor.points([Vector.zero(circle.graph)], seat.radius)
    if level is not None and axis.dot(level.across).is_zero:
        side = level.across.cross(axis) * circle
        return floor.points([side * -1.0, side], seat.half)
    outward, steep = _rim(floor, axis)
    return [floor.spot(-(circle * steep), outward * -circle, seat.half)]
