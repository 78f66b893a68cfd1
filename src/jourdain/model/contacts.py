"""Bodies that touch a plane, as rows for constraints: how far they are from it, and how they slip on it.

`touch = m.wheel(...)`, then `m.keep("wheel touches", touch.gap)` and `m.keep("wheel rolls", *touch.slip)`; or `switch`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..graph import Node, sqrt
from ..spatial import Vector
from .arguments import Scalar, Triple
from .handles import BodyHandle, PointHandle
from .system import GROUND
from .vectors import VectorExpression
from .workshop import Workshop


@dataclass(frozen=True)
class Touch:
    """A body near a plane.

    gap: distance between them [m], zero in contact. slip: velocity of the body's point that is nearest to the plane,
    relative to the plane, along two directions fixed in the plane's body [m/s]. approach: its velocity along the
    normal, the rate of the gap. spin: relative angular velocity about the normal [rad/s]. normal: away from the plane.
    """

    gap: Node
    slip: tuple[Node, Node]
    approach: Node
    spin: Node
    normal: VectorExpression


class Contacts(Workshop):
    """Touching."""

    def ball(
        self,
        body: BodyHandle | str,
        *,
        radius: Scalar,
        center: PointHandle | str | None = None,
        plane: BodyHandle | str = GROUND,
        normal: Triple | str = "z",
        height: Scalar = 0.0,
    ) -> Touch:
        """A ball over a plane.

        radius [m]; center: a point of the body, its origin if left out. plane: the body (or ground) that the plane is
        part of; normal: in that body's axes, towards the ball; height: the plane's distance from the body's origin [m].
        """
        what = "a ball that touches"
        r = self.read.static(radius, f"the radius of {what}")
        place = self._plane(plane, normal, height, what)
        hub = self._hub(body, center, what)
        return self._touch(hub, place, place.normal * -r, r)

    def wheel(
        self,
        body: BodyHandle | str,
        *,
        radius: Scalar,
        axis: Triple | str = "y",
        center: PointHandle | str | None = None,
        plane: BodyHandle | str = GROUND,
        normal: Triple | str = "z",
        height: Scalar = 0.0,
    ) -> Touch:
        """A thin wheel, or disk, over a plane; it may lean, but not lie flat.

        axis: of the wheel, in the body's axes. Everything else as for `ball`.
        """
        what = "a wheel that touches"
        r = self.read.static(radius, f"the radius of {what}")
        place = self._plane(plane, normal, height, what)
        hub = self._hub(body, center, what)
        spindle = self.vector(hub.body, self.read.axis(axis, f"the axis of {what}"))
        lean = spindle @ place.normal
        steep = sqrt(1.0 - lean * lean)
        down = (place.normal - spindle * lean) * (-r / steep)
        return self._touch(hub, place, down, r * steep)

    # -- inside -------------------------------------------------------------------------------------------------

    def _hub(self, body: BodyHandle | str, center: PointHandle | str | None, what: str) -> _Hub:
        name = self.body_name(body, f"the body of {what}")
        draft = self.origin_of(name) if center is None else self.point_of(center, f"the center of {what}")
        if draft.body != name:
            self.mistakes.add(f"the center of {what} is {draft.name!r}, a point of {draft.body!r}, not of {name!r}")
        return _Hub(name, PointHandle(self, draft), BodyHandle(self, name))

    def _plane(self, plane: BodyHandle | str, normal: Triple | str, height: Scalar, what: str) -> _Plane:
        name = self.body_name(plane, f"the plane of {what}")
        n = self.read.axis(normal, f"the normal of {what}")
        above = self.read.static(height, f"the height of {what}")
        return _Plane(BodyHandle(self, name), self.vector(name, n), n, above)

    def _touch(self, hub: _Hub, plane: _Plane, arm: VectorExpression, reach: Node) -> Touch:
        """arm: from the center to the nearest point; reach: its length along the normal."""
        base = plane.body.origin
        between = hub.center.position - base.position
        relative = hub.center.velocity + hub.handle.omega.cross(arm)
        if plane.body.name != GROUND:
            relative = relative - base.velocity - plane.body.omega.cross(between + arm)
        first, second = (self.vector(plane.body.name, x) for x in across(plane.axis))
        return Touch(
            between @ plane.normal - reach - plane.height,
            (relative @ first, relative @ second),
            relative @ plane.normal,
            (hub.handle.omega - plane.body.omega) @ plane.normal,
            plane.normal,
        )


@dataclass(frozen=True)
class _Hub:
    body: str
    center: PointHandle
    handle: BodyHandle


@dataclass(frozen=True)
class _Plane:
    body: BodyHandle
    normal: VectorExpression
    axis: Vector
    height: Node


def across(axis: Vector) -> tuple[Vector, Vector]:
    """Two directions that make a right-handed set with the axis: (first, second, axis)."""
    graph = axis.x.graph
    present = [k for k in range(3) if not axis[k].is_zero]
    if len(present) == 1:
        k = present[0]
        first = Vector.unit(graph, (k + 1) % 3)
        return first, axis.cross(first)
    smallest = min(range(3), key=lambda k: abs(axis[k].value) if axis[k].is_constant else 1.0)
    first = Vector.unit(graph, smallest).cross(axis)
    first = first * (1.0 / sqrt(first.dot(first)))
    return first, axis.cross(first)
