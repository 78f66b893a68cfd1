"""More that touches and meshes, as rows for constraints: knife edges, balls on balls, gears.

`edge = m.knife_edge(...)`, then `m.keep("edge holds", edge.slip)`; `m.keep("gears mesh", m.gear("a", "b", ratio=-2))`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..graph import Node, sqrt
from .arguments import Scalar, Triple
from .contacts import Contacts
from .handles import BodyHandle, JointHandle, PointHandle
from .system import GROUND
from .vectors import VectorExpression


@dataclass(frozen=True)
class Edge:
    """A knife edge, skate or blade on a plane.

    gap: of its point over the plane [m]. slip: velocity of its point relative to the plane, in the plane and across the
    edge [m/s], which an edge that holds keeps at zero. glide: velocity along the edge. approach: the rate of the gap.
    spin: relative angular velocity about the normal [rad/s]. normal: away from the plane; course: in the plane, along
    the edge; side: in the plane, to the left of it.
    """

    gap: Node
    slip: Node
    glide: Node
    approach: Node
    spin: Node
    normal: VectorExpression
    course: VectorExpression
    side: VectorExpression


@dataclass(frozen=True)
class Meeting:
    """Two balls near one another.

    gap: distance between them [m], zero in contact. slip: velocity of the one's nearest point relative to the other's,
    along the other's axes [m/s]; in contact, three zeros of which one keeps the contact. approach: the rate of the gap.
    normal: at the point of contact, out of the other's surface towards this ball.
    """

    gap: Node
    slip: tuple[Node, Node, Node]
    approach: Node
    normal: VectorExpression


class Rolling(Contacts):
    """Edges, balls on balls, gears."""

    def knife_edge(
        self,
        body: BodyHandle | str,
        *,
        along: Triple | str = "x",
        at: PointHandle | str | None = None,
        plane: BodyHandle | str = GROUND,
        normal: Triple | str = "z",
        height: Scalar = 0.0,
    ) -> Edge:
        """An edge of a body on a plane, along which alone it glides.

        along: the edge, in the body's axes; it may lean, but not stand upright. at: the edge's point on the plane, a
        point of the body, its origin if left out. plane, normal, height: as for `ball`.
        """
        what = "a knife edge"
        place = self._plane(plane, normal, height, what)
        hub = self._hub(body, at, what)
        edge = self.vector(hub.body, self.read.axis(along, f"the direction of {what}"))
        lean = edge @ place.normal
        side = place.normal.cross(edge) * (1.0 / sqrt(1.0 - lean * lean))
        course = side.cross(place.normal)
        velocity = hub.center.vel(place.body)
        return Edge(
            hub.center.pos_from(place.body.origin) @ place.normal - place.height,
            velocity @ side,
            velocity @ course,
            velocity @ place.normal,
            hub.handle.ang_vel_in(place.body) @ place.normal,
            place.normal,
            course,
            side,
        )

    def ball_on_ball(
        self,
        body: BodyHandle | str,
        other: BodyHandle | str,
        *,
        radius: Scalar,
        other_radius: Scalar,
        center: PointHandle | str | None = None,
        other_center: PointHandle | str | None = None,
        inside: bool = False,
    ) -> Meeting:
        """A ball over another one, or in a hollow one.

        radius, other_radius [m]; center, other_center: points of the bodies, their origins if left out. other: a body,
        or the ground; inside: the other is hollow, and the ball in it.
        """
        what = "a ball that touches a ball"
        r = self.read.positive(radius, f"the radius of {what}")
        R = self.read.positive(other_radius, f"the radius that {what} touches")
        mine, theirs = self._hub(body, center, what), self._hub(other, other_center, f"the other of {what}")
        if mine.body == theirs.body:
            self.mistakes.add(f"{what} is on {mine.body!r} itself; two bodies are needed")
            zero = self.graph.zero
            return Meeting(zero, (zero, zero, zero), zero, self.zero_vector())
        between = mine.center.pos_from(theirs.center)
        distance = between.norm()
        outward = between / distance
        normal = -outward if inside else outward
        gap = R - r - distance if inside else distance - r - R
        touching = mine.center.velocity - mine.handle.omega.cross(normal) * r
        reach = R if not inside else -R
        touched = theirs.center.velocity + theirs.handle.omega.cross(normal) * reach
        approach = (mine.center.velocity - theirs.center.velocity) @ normal
        return Meeting(gap, (touching - touched).in_frame(theirs.handle), approach, normal)

    def gear(
        self, driver: JointHandle | str, driven: JointHandle | str, *, ratio: Scalar, offset: Scalar = 0.0
    ) -> Node:
        """A row of coordinates: driven = ratio · driver + offset.

        Both are joints of one freedom. Of wheels that mesh outside the ratio is −(teeth of the driver)/(teeth of the
        driven); of a wheel and a rack, the wheel's radius [m]. On a turning carrier, joints to the carrier are meant.
        """
        turns = [self.joint_of(x, what) for x, what in ((driver, "the driver of a gear"), (driven, "the driven gear"))]
        n = self.read.static(ratio, "the ratio of a gear")
        start = self.read.static(offset, "the offset of a gear")
        q: list[Node] = []
        for draft in turns:
            if draft is not None and draft.motion.nq != 1:
                self.mistakes.add(f"joint {draft.name!r} has {draft.motion.nq} coordinates; gears couple joints of one")
            elif draft is not None:
                q += draft.coordinates
        if len(q) == 2 and q[0] is q[1]:
            self.mistakes.add(f"a gear couples joint {q[0].name!r} to itself")
        return q[1] - n * q[0] - start if len(q) == 2 else self.graph.zero
