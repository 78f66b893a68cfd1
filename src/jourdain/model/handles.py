"""What `Model` answers with: bodies, joints, points and frames by which a user goes on describing the mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from ..graph import Node
from ..spatial import Rotation, Vector
from .arguments import Triple
from .drafts import Atom, FrameDraft, PointDraft
from .oriented import Oriented, Seen
from .pose import Pose
from .system import GROUND
from .vectors import VectorExpression

if TYPE_CHECKING:
    from .workshop import Workshop


@dataclass(frozen=True, eq=False, repr=False)
class BodyHandle(Oriented):
    """A body of a model, or its ground.

    `x`, `y`, `z`: unit vectors of its frame. `omega`, `alpha`: angular velocity and acceleration, seen from the ground.
    """

    model: Workshop
    name: str

    def point(self, name: str, at: Triple) -> PointHandle:
        """A new point fixed in the body; at: in the body frame [m]."""
        return self.model.add_point(self.name, name, self.model.read.triple(at, f"at of point {name!r}"))

    def frame(self, name: str, at: Triple = (0, 0, 0), rotation: object = None) -> FrameHandle:
        """A new frame fixed in the body: its origin [m] and its rotation, from its axes to the body's."""
        model = self.model
        pose = Pose(
            model.read.rotation(rotation, f"rotation of frame {name!r}"),
            model.read.triple(at, f"at of frame {name!r}"),
        )
        good = model.claim("frame", name, "frame")
        model.frames[good] = FrameDraft(good, self.name, pose)
        return FrameHandle(model, good)

    @property
    def origin(self) -> PointHandle:
        """The origin of the body frame."""
        return PointHandle(self.model, self.model.origin_of(self.name))

    @property
    def center(self) -> PointHandle:
        """The mass centre."""
        if self.name == GROUND:
            self.model.refuse("the ground has no mass centre; use .origin or .point(name, at)")
        return PointHandle(self.model, self.model.center_of(self.name))

    @property
    def body_name(self) -> str:
        """The name, as `in_frame` asks for it."""
        return self.name

    @property
    def turned(self) -> Rotation:
        """No rotation, for a body's axes are its own."""
        return Rotation(self.model.graph)

    def __repr__(self) -> str:
        return f"<body {self.name!r} of model {self.model.name!r}>"


@dataclass(frozen=True, eq=False, repr=False)
class PointHandle:
    """A point fixed in a body."""

    model: Workshop
    draft: PointDraft

    @property
    def name(self) -> str:
        """Its name."""
        return self.draft.name

    @property
    def body(self) -> BodyHandle:
        """The body that it is fixed in."""
        return BodyHandle(self.model, self.draft.body)

    @property
    def position(self) -> VectorExpression:
        """From the ground's origin [m]."""
        return self._moving("position")

    @property
    def velocity(self) -> VectorExpression:
        """In the ground [m/s]."""
        return self._moving("velocity")

    @property
    def acceleration(self) -> VectorExpression:
        """In the ground [m/s²]."""
        return self._moving("acceleration")

    # -- relative to others -------------------------------------------------------------------------------------

    def pos_from(self, other: PointHandle | str) -> VectorExpression:
        """From another point to this one [m]."""
        start = self.model.point_of(other, f"what {self.name!r} is measured from")
        return self._from(start)

    def vel(self, frame: Seen = None) -> VectorExpression:
        """Velocity [m/s] as seen from a body or frame; from the ground if left out."""
        model, body = self.model, self.model.seen_from(frame, f"what {self.name!r} is seen from")
        if body == GROUND:
            return self.velocity
        if body == self.draft.body:
            return model.zero_vector()
        base, omega = PointHandle(model, model.origin_of(body)), BodyHandle(model, body).omega
        return self.velocity - base.velocity - omega.cross(self._from(base.draft))

    def acc(self, frame: Seen = None) -> VectorExpression:
        """Acceleration [m/s²] as seen from a body or frame; from the ground if left out."""
        model, body = self.model, self.model.seen_from(frame, f"what {self.name!r} is seen from")
        if body == GROUND:
            return self.acceleration
        if body == self.draft.body:
            return model.zero_vector()
        home = BodyHandle(model, body)
        base, arm = home.origin, self._from(model.origin_of(body))
        # Less what a point moving with the body would have, and less Coriolis' 2 ω × v.
        carried = home.alpha.cross(arm) + home.omega.cross(home.omega.cross(arm))
        return self.acceleration - base.acceleration - carried - home.omega.cross(self.vel(home)) * 2.0

    def _from(self, start: PointDraft) -> VectorExpression:
        end = self.draft
        if start.body == end.body and start.offset is not None and end.offset is not None:
            return self.model.vector(end.body, end.offset - start.offset)
        return self.position - PointHandle(self.model, start).position

    def _moving(self, kind: str) -> VectorExpression:
        model, draft = self.model, self.draft
        if draft.body != GROUND:
            return model.kinematic(Atom(kind, draft.body, draft))
        zero = Vector.zero(model.graph)
        return model.vector(GROUND, draft.offset or zero if kind == "position" else zero)

    def __repr__(self) -> str:
        return f"<point {self.name!r} of model {self.model.name!r}>"


@dataclass(frozen=True, eq=False, repr=False)
class FrameHandle(Oriented):
    """A frame fixed in a body; `x`, `y`, `z`: its unit vectors. `omega`, `alpha`: as its body turns."""

    model: Workshop
    name: str

    @property
    def draft(self) -> FrameDraft:
        """What the model keeps of it."""
        return self.model.frames[self.name]

    @property
    def body(self) -> BodyHandle:
        """The body that it is fixed in."""
        return BodyHandle(self.model, self.draft.body)

    @property
    def body_name(self) -> str:
        """The name of the body that it is fixed in."""
        return self.draft.body

    @property
    def turned(self) -> Rotation:
        """From its axes to its body's."""
        return self.draft.pose.rotation

    @property
    def origin(self) -> PointHandle:
        """Its origin, a point of the body."""
        return PointHandle(self.model, self.model.origin_of_frame(self.name))

    def __repr__(self) -> str:
        return f"<frame {self.name!r} of model {self.model.name!r}>"


@dataclass(frozen=True, eq=False, repr=False)
class JointHandle:
    """A joint; its coordinates and speeds are symbols for springs, forces, outputs."""

    model: Workshop
    name: str

    @property
    def coordinates(self) -> tuple[Node, ...]:
        """Symbols of q, in the joint's order."""
        return self.model.joints[self.name].coordinates

    @property
    def speeds(self) -> tuple[Node, ...]:
        """Symbols of u, in the joint's order."""
        return self.model.joints[self.name].speeds

    @property
    def coordinate(self) -> Node:
        """The coordinate of a joint of one freedom."""
        if len(self.coordinates) != 1:
            self._not_one("coordinates")
        return self.coordinates[0]

    @property
    def speed(self) -> Node:
        """The speed of a joint of one freedom."""
        if len(self.speeds) != 1:
            self._not_one("speeds")
        return self.speeds[0]

    @property
    def accelerations(self) -> tuple[Node, ...]:
        """The speeds' rates, in the joint's order: for outputs, not for forces."""
        draft = self.model.joints[self.name]
        return tuple(self.model.placeholders.rate(draft.child, k) for k in range(draft.motion.np))

    @property
    def acceleration(self) -> Node:
        """The rate of the speed of a joint of one freedom."""
        if len(self.accelerations) != 1:
            self._not_one("speeds")
        return self.accelerations[0]

    def _not_one(self, what: str) -> NoReturn:
        draft = self.model.joints[self.name]
        suffixes = ", ".join(draft.motion.coordinate_names if what == "coordinates" else draft.motion.speed_names)
        names = f" ({suffixes})" if suffixes else ""
        self.model.refuse(
            f"joint {self.name!r} has {len(getattr(self, what))} {what}{names}; choose one of its .{what}"
        )

    def __repr__(self) -> str:
        return f"<joint {self.name!r} of model {self.model.name!r}>"
