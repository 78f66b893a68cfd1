"""Bodies that touch a plane, as rows for constraints: how far they are from it, and how they slip on it.

`touch = m.wheel(...)`, then `m.keep("wheel touches", touch.gap)` and `m.keep("wheel rolls", *touch.rolling)`; or
`switch`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..graph import Node, sqrt
from ..spatial import Vector
from .arguments import Scalar, Triple
from .handles import BodyHandle, FrameHandle, PointHandle
from .system import GROUND
from .vectors import VectorExpression
from .workshop import Workshop


@dataclass(frozen=True)
class Touch:
    """A body near a plane.

    gap: distance between them [m], zero in contact. slip: velocity of the body's point that is nearest to the plane,
    relative to the plane, along two directions fixed in the plane's body [m/s]. approach: its velocity along the
    normal, the rate of the gap. spin: relative angular velocity about the normal [rad/s]. normal: away from the plane.
    rolling: that velocity along the directions in which it is found with least work [m/s]: all vanish where the body
    touches and rolls. Of a wheel they are its heading, its axle, and from the point to its center; where the gap is
    kept, too, one row repeats what the others say, which does no harm.
    """

    gap: Node
    slip: tuple[Node, Node]
    approach: Node
    spin: Node
    normal: VectorExpression
    rolling: tuple[Node, ...]


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
        r = self.read.positive(radius, f"the radius of {what}")
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
        fork: BodyHandle | str | None = None,
        plane: BodyHandle | str = GROUND,
        normal: Triple | str = "z",
        height: Scalar = 0.0,
    ) -> Touch:
        """A thin wheel, or disk, over a plane; it may lean, but not lie flat.

        axis: of the wheel, in the body's axes, or in those of the fork: a body that carries the wheel by this axis, in
        whose axes less work is to be done. Everything else as for `ball`.
        """
        what = "a wheel that touches"
        r = self.read.positive(radius, f"the radius of {what}")
        place = self._plane(plane, normal, height, what)
        hub = self._hub(body, center, what)
        axes = BodyHandle(self, hub.body if fork is None else self._fork(hub.body, fork, what))
        s = self.read.axis(axis, f"the axis of {what}")
        n = Vector(*place.normal.in_frame(axes))
        up = n - s * s.dot(n)  # in the wheel's plane, from the point to the center
        steep = sqrt(up.dot(up))
        up = up * (1.0 / steep)
        heading = s.cross(up)
        spindle, outward, ahead = (self.vector(axes.name, x) for x in (s, up, heading))
        touch = self._touch(hub, place, outward * -r, r * steep)
        # ω × (−r up) = −r (ω · s) heading + r (ω · heading) s
        v, w = self._between(hub, place, outward * -r), hub.handle.omega
        rolling = (v @ ahead - r * (w @ spindle), v @ spindle + r * (w @ ahead), v @ outward)
        return replace(touch, rolling=rolling)

    def ellipsoid(
        self,
        body: BodyHandle | str,
        *,
        semi_axes: Triple,
        axes: FrameHandle | str | None = None,
        center: PointHandle | str | None = None,
        plane: BodyHandle | str = GROUND,
        normal: Triple | str = "z",
        height: Scalar = 0.0,
    ) -> Touch:
        """An ellipsoid over a plane.

        semi_axes: (a, b, c) [m] along the body's axes, or along those of `axes`, a frame of the body; center: the
        ellipsoid's, a point of the body, the body's origin if left out. Everything else as for `ball`.
        """
        what = "an ellipsoid that touches"
        sizes = self.read.triple(semi_axes, f"the semi-axes of {what}")
        for size in sizes:
            if size.is_constant and size.value <= 0.0:
                self.mistakes.add(f"a semi-axis of {what} is {size.value}; a positive length is needed")
        place = self._plane(plane, normal, height, what)
        hub = self._hub(body, center, what)
        units = []
        for k in range(3):
            unit = Vector.unit(self.graph, k)
            of, seen = (hub.body, unit) if axes is None else self.axes_of(axes, unit, f"the axes of {what}")
            units.append(self.vector(of, seen))
        if of != hub.body:
            self.mistakes.add(f"the axes of {what} are fixed in {of!r}, not in {hub.body!r}; give a frame of the body")
        # Points p of the surface have Σ (p_i / a_i)² = 1; the nearest one has its normal, p_i / a_i², along −n.
        along = [unit @ place.normal for unit in units]
        squares = [size * size for size in sizes]
        reach = sqrt(squares[0] * along[0] ** 2 + squares[1] * along[1] ** 2 + squares[2] * along[2] ** 2)
        parts = [unit * (square * x / -reach) for unit, square, x in zip(units, squares, along)]
        return self._touch(hub, place, parts[0] + parts[1] + parts[2], reach)

    # -- inside -------------------------------------------------------------------------------------------------

    def _hub(self, body: BodyHandle | str, center: PointHandle | str | None, what: str) -> _Hub:
        name = self.body_name(body, f"the body of {what}")
        draft = self.origin_of(name) if center is None else self.point_of(center, f"the center of {what}")
        if draft.body != name:
            self.mistakes.add(f"the center of {what} is {draft.name!r}, a point of {draft.body!r}, not of {name!r}")
        return _Hub(name, PointHandle(self, draft), BodyHandle(self, name))

    def _fork(self, wheel: str, fork: BodyHandle | str, what: str) -> str:
        """The name of a body that carries the wheel by an axle."""
        said = self.mistakes.said
        name = self.body_name(fork, f"the fork of {what}")
        between = [x for x in self.joints.values() if (x.parent, x.child) == (name, wheel)]
        if not any(x.motion.kind == "revolute" for x in between) and self.mistakes.said == said:
            self.mistakes.add(
                f"{name!r} is no fork of {wheel!r}: no joint that turns about one axis lies between them; add it "
                "before, or leave the fork out"
            )
        return name

    def _plane(self, plane: BodyHandle | str, normal: Triple | str, height: Scalar, what: str) -> _Plane:
        name = self.body_name(plane, f"the plane of {what}")
        n = self.read.axis(normal, f"the normal of {what}")
        above = self.read.static(height, f"the height of {what}")
        return _Plane(BodyHandle(self, name), self.vector(name, n), n, above)

    def _touch(self, hub: _Hub, plane: _Plane, arm: VectorExpression, reach: Node) -> Touch:
        """arm: from the center to the nearest point; reach: its length along the normal."""
        between = hub.center.position - plane.body.origin.position
        relative = self._between(hub, plane, arm) + hub.handle.omega.cross(arm)
        first, second = (self.vector(plane.body.name, x) for x in across(plane.axis))
        slip, approach = (relative @ first, relative @ second), relative @ plane.normal
        return Touch(
            between @ plane.normal - reach - plane.height,
            slip,
            approach,
            (hub.handle.omega - plane.body.omega) @ plane.normal,
            plane.normal,
            (*slip, approach),
        )

    def _between(self, hub: _Hub, plane: _Plane, arm: VectorExpression) -> VectorExpression:
        """The center's velocity relative to the plane where the body is nearest to it."""
        if plane.body.name == GROUND:
            return hub.center.velocity
        base = plane.body.origin
        between = hub.center.position - base.position
        return hub.center.velocity - base.velocity - plane.body.omega.cross(between + arm)


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
