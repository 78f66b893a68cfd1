"""What `Model` answers with: bodies, joints, points and frames by which a user goes on describing the mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from ..graph import Node
from ..spatial import Rotation, Vector
from .arguments import Triple
from .drafts import Atom, FrameDraft, PointDraft
from .pose import Pose
from .system import GROUND
from .vectors import VectorExpression

if TYPE_CHECKING:
    from .workshop import Workshop


@dataclass(frozen=True, eq=False, repr=False)
class BodyHandle:
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
    def x(self) -> VectorExpression:
        """Unit vector."""
        return self._axis(0)

    @property
    def y(self) -> VectorExpression:
        """Unit vector."""
        return self._axis(1)

    @property
    def z(self) -> VectorExpression:
        """Unit vector."""
        return self._axis(2)

    def vector(self, components: Triple) -> VectorExpression:
        """A vector with these components along the body's axes."""
        return self.model.vector(self.name, self.model.read.triple(components, "a vector", static=False))

    @property
    def omega(self) -> VectorExpression:
        """Angular velocity [rad/s] in the ground."""
        return self._moving("omega")

    @property
    def alpha(self) -> VectorExpression:
        """Angular acceleration [rad/s²] in the ground."""
        return self._moving("alpha")

    @property
    def body_name(self) -> str:
        """The name, as `in_frame` asks for it."""
        return self.name

    @property
    def turned(self) -> Rotation:
        """No rotation, for a body's axes are its own."""
        return Rotation(self.model.graph)

    def _axis(self, k: int) -> VectorExpression:
        return self.model.vector(self.name, Vector.unit(self.model.graph, k))

    def _moving(self, kind: str) -> VectorExpression:
        if self.name == GROUND:
            return self.model.vector(GROUND, Vector.zero(self.model.graph))
        return self.model.kinematic(Atom(kind, self.name))

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

    def _moving(self, kind: str) -> VectorExpression:
        model, draft = self.model, self.draft
        if draft.body != GROUND:
            return model.kinematic(Atom(kind, draft.body, draft))
        zero = Vector.zero(model.graph)
        return model.vector(GROUND, draft.offset or zero if kind == "position" else zero)

    def __repr__(self) -> str:
        return f"<point {self.name!r} of model {self.model.name!r}>"


@dataclass(frozen=True, eq=False, repr=False)
class FrameHandle:
    """A frame fixed in a body; `x`, `y`, `z`: its unit vectors."""

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

    @property
    def x(self) -> VectorExpression:
        """Unit vector."""
        return self._axis(0)

    @property
    def y(self) -> VectorExpression:
        """Unit vector."""
        return self._axis(1)

    @property
    def z(self) -> VectorExpression:
        """Unit vector."""
        return self._axis(2)

    def _axis(self, k: int) -> VectorExpression:
        return self.model.vector(self.body_name, self.turned.inward(Vector.unit(self.model.graph, k)))

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

    def _not_one(self, what: str) -> NoReturn:
        draft = self.model.joints[self.name]
        suffixes = ", ".join(draft.motion.coordinate_names if what == "coordinates" else draft.motion.speed_names)
        names = f" ({suffixes})" if suffixes else ""
        self.model.refuse(
            f"joint {self.name!r} has {len(getattr(self, what))} {what}{names}; choose one of its .{what}"
        )

    def __repr__(self) -> str:
        return f"<joint {self.name!r} of model {self.model.name!r}>"
