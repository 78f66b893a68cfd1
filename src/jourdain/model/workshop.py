"""The state of a model that is being built, and how its parts are named and found."""

from __future__ import annotations

from typing import NoReturn

from ..graph import Graph, Node, Role
from ..spatial import Vector
from .arguments import Reader, Scalar
from .changing import Multiplier
from .drafts import (
    Atom,
    BodyDraft,
    ConstraintDraft,
    ContactDraft,
    EncounterDraft,
    FrameDraft,
    FrictionDraft,
    HandleDraft,
    JointDraft,
    LoadDraft,
    MultiplierDraft,
    PointDraft,
    RotorDraft,
    SpeedDraft,
    SwitchingDraft,
)
from .handles import BodyHandle, FrameHandle, JointHandle, PointHandle
from .mistakes import Mistake, Mistakes, ModelError, Where, article, did_you_mean, users_line
from .motion import Motion
from .oriented import Seen
from .rates import rate_of
from .system import GROUND, TIME, named
from .vectors import Placeholders, VectorExpression


class Workshop:
    """What every part of `Model` works on."""

    def __init__(self, name: str) -> None:
        self.graph = Graph()
        self.mistakes = Mistakes()
        self.read = Reader(self.graph, self.mistakes)
        self.name = self.read.name(name, "model")
        self.placeholders = Placeholders(self)
        self.bodies: dict[str, BodyDraft] = {}
        self.joints: dict[str, JointDraft] = {}
        self.points: dict[str, PointDraft] = {}
        self.frames: dict[str, FrameDraft] = {}
        self.loads: dict[str, LoadDraft] = {}
        self.rotors: list[RotorDraft] = []
        self.defaults: dict[str, float] = {}
        self.input_values: dict[str, float] = {}
        self.input_rates: dict[str, str] = {}  # input -> the input that is its time derivative
        self.outputs: dict[str, Node] = {}
        self.definitions: dict[str, SpeedDraft] = {}
        self.constraints: dict[str, ConstraintDraft] = {}
        self.handles: dict[str, HandleDraft] = {}
        self.frictions: dict[str, FrictionDraft] = {}
        self.contacts: dict[str, ContactDraft] = {}
        self.encounters: dict[str, EncounterDraft] = {}
        self.switchings: dict[str, SwitchingDraft] = {}
        self.multipliers: dict[Multiplier, MultiplierDraft] = {}
        self.removed: dict[Node, str] = {}  # symbols of joints that were taken away -> the joint
        self._taken: dict[tuple[str, str], tuple[str, Where | None]] = {
            ("symbol", TIME): ("the time", None),
            ("body", GROUND): ("the ground", None),
        }
        self._own_points: dict[tuple[str, str], PointDraft] = {}

    # -- names --------------------------------------------------------------------------------------------------

    def claim(self, space: str, name: object, what: str) -> str:
        """A name for a new thing; one that is taken is a mistake, and another one is answered.

        space: "symbol", "body", "joint", "point", "frame", "load" or "output"; names in one do not clash with those
        in another.
        """
        good = self.read.name(name, what)
        taken = self._taken.get((space, good))
        if taken is not None:
            by, where = taken
            self.mistakes.add(f"{what} {good!r}: the name is taken by {by}" + (f" ({where})" if where else ""))
            count = 2
            while (space, f"{good} ({count})") in self._taken:
                count += 1
            good = f"{good} ({count})"
        self._taken[space, good] = f"{article(what)} {what}", users_line()
        return good

    def symbol(self, name: object, role: Role, what: str) -> Node:
        """A new symbol."""
        good = self.claim("symbol", name, what)
        try:
            return self.graph.symbol(good, role)
        except ValueError:  # left over from a part that was taken away
            self.mistakes.add(f"{what} {good!r}: a part that was removed had this name for another kind of symbol")
            return self.symbol(f"{good} again", role, what)

    def joint_symbols(self, joint: str, motion: Motion) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
        """Symbols of a joint's coordinates and speeds; a speed that shares a coordinate's name has "dot" after it."""
        coordinates = named(joint, motion.coordinate_names)
        speeds = [f"{speed}dot" if speed in coordinates else speed for speed in named(joint, motion.speed_names)]
        return (
            tuple(self.symbol(x, Role.COORDINATE, "coordinate") for x in coordinates),
            tuple(self.symbol(x, Role.SPEED, "speed") for x in speeds),
        )

    def forget(self, space: str, name: str) -> None:
        """Give a name free, for what had it is taken away."""
        self._taken.pop((space, name), None)

    def where(self, space: str, name: str) -> Where | None:
        """The line that gave a name."""
        return self._taken[space, name][1]

    def fresh(self, space: str, stem: str, name: str | None) -> str:
        """The user's name for a thing, or the next numbered one."""
        if name is not None:
            return self.claim(space, name, stem)
        count = 1
        while (space, f"{stem} {count}") in self._taken:
            count += 1
        return self.claim(space, f"{stem} {count}", stem)

    def refuse(self, text: str) -> NoReturn:
        """Raise now, with all mistakes so far: what was asked for cannot be answered."""
        raise ModelError(self.name, [*self.mistakes.found, Mistake(text, users_line())])

    # -- finding what a user means ----------------------------------------------------------------------------------

    def body_name(self, body: BodyHandle | str, what: str, *, later: bool = False) -> str:
        """The name of a body of this model; later: it may be added after this line."""
        if isinstance(body, BodyHandle):
            if body.model is self:
                return body.name
            self.mistakes.add(f"{what} is the body {body.name!r} of another model")
            return GROUND
        if not isinstance(body, str):
            self.mistakes.add(f"{what} is {body!r}; a body or its name is needed")
            return GROUND
        if later or body == GROUND or body in self.bodies:
            return body
        self.mistakes.add(f"{what} is {body!r}, but there is no such body; {did_you_mean(body, self.bodies)}")
        return GROUND

    def axes_of(self, axes: BodyHandle | FrameHandle | str | None, vector: Vector, what: str) -> tuple[str, Vector]:
        """The body in whose axes components lie, and the components in them; None stands for the ground."""
        if axes is None:
            return GROUND, vector
        if isinstance(axes, str) and axes not in self.bodies and axes in self.frames:
            axes = FrameHandle(self, axes)
        if isinstance(axes, FrameHandle):
            if axes.model is not self:
                self.mistakes.add(f"{what} is the frame {axes.name!r} of another model")
                return GROUND, vector
            return axes.body_name, axes.turned.inward(vector)
        return self.body_name(axes, what), vector

    def seen_from(self, frame: Seen, what: str) -> str:
        """The body with which a frame of reference moves; None stands for the ground."""
        return self.axes_of(frame, Vector.zero(self.graph), what)[0]  # type: ignore[arg-type]

    def point_of(self, point: PointHandle | str, what: str) -> PointDraft:
        """A point of this model."""
        if isinstance(point, PointHandle):
            if point.model is self:
                return point.draft
            self.mistakes.add(f"{what} is the point {point.draft.name!r} of another model")
        elif isinstance(point, BodyHandle):
            self.mistakes.add(
                f"{what} is the body {point.name!r}; say which point: .origin, .center or .point(name, at)"
            )
        elif isinstance(point, str) and point in self.points:
            return self.points[point]
        elif isinstance(point, str):
            self.mistakes.add(f"{what} is {point!r}, but there is no such point; {did_you_mean(point, self.points)}")
        else:
            self.mistakes.add(f"{what} is {point!r}; a point or its name is needed")
        return self.origin_of(GROUND)

    def joint_of(self, joint: JointHandle | str, what: str) -> JointDraft | None:
        """A joint of this model, None (and a mistake) where there is no such joint."""
        if isinstance(joint, JointHandle):
            if joint.model is self:
                return self.joints[joint.name]
            self.mistakes.add(f"{what} is the joint {joint.name!r} of another model")
        elif isinstance(joint, str):
            if joint in self.joints:
                return self.joints[joint]
            self.mistakes.add(f"{what} is {joint!r}, but there is no such joint; {did_you_mean(joint, self.joints)}")
        else:
            self.mistakes.add(f"{what} is {joint!r}; a joint or its name is needed")
        return None

    # -- points and vectors that need no name ---------------------------------------------------------------------

    def origin_of(self, body: str) -> PointDraft:
        """The origin of a body's frame."""
        return self._own_point(body, "origin", Vector.zero(self.graph))

    def center_of(self, body: str) -> PointDraft:
        """A body's mass centre, wherever it is when the model is frozen."""
        return self._own_point(body, "center", None)

    def origin_of_frame(self, frame: str) -> PointDraft:
        """The origin of a frame, a point of its body."""
        draft = self.frames[frame]
        return self._own_point(draft.body, f"{frame}.origin", draft.pose.translation)

    def _own_point(self, body: str, which: str, offset: Vector | None) -> PointDraft:
        found = self._own_points.get((body, which))
        if found is None:
            found = self._own_points[body, which] = PointDraft(f"{body}.{which}", body, offset)
        return found

    def vector(self, axes: str, components: Vector) -> VectorExpression:
        """A vector fixed in a body."""
        return VectorExpression(self.placeholders, self.read, {axes: components}, {})

    def zero_vector(self) -> VectorExpression:
        """No vector at all."""
        return VectorExpression(self.placeholders, self.read, {}, {})

    def rate(self, value: Scalar) -> Node:
        """The derivative of a scalar with respect to time, inputs taken as constant; of a vector, `v.dt(body)`.

        Of an expression of coordinates it is linear in velocities, of one of velocities it holds accelerations.
        """
        if isinstance(value, VectorExpression):
            raise TypeError("a vector changes differently for each frame that it is seen from: v.dt(body)")
        return rate_of(self, self.read.scalar(value, "what is differentiated"))

    def kinematic(self, atom: Atom) -> VectorExpression:
        """A vector that only the derivation knows."""
        return VectorExpression(self.placeholders, self.read, {}, {atom: self.graph.one})

    def multiplier_symbol(self, meaning: Multiplier) -> Node:
        """What stands for a row's multiplier; one symbol, however often it is asked for."""
        found = self.multipliers.get(meaning)
        if found is None:
            symbol = self.placeholders.own(f"{meaning.constraint}: multiplier {meaning.row + 1}", Role.MULTIPLIER)
            found = self.multipliers[meaning] = MultiplierDraft(symbol, users_line())
        return found.symbol

    # -- adding ---------------------------------------------------------------------------------------------------

    def add_point(self, body: str, name: str, offset: Vector) -> PointHandle:
        draft = PointDraft(self.claim("point", name, "point"), body, offset)
        self.points[draft.name] = draft
        return PointHandle(self, draft)
