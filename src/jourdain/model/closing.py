"""Loops: two bodies that the tree carries already, held together by a joint that is a constraint.

Each kind is a list of rows that vanish where the joint's two frames lie as it allows; near such a position every row
has an effect of its own, so that none is redundant by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from numpy.typing import NDArray

from ..graph import Node, cos, sin
from ..spatial import Matrix, Vector
from .arguments import Scalar, Triple
from .contacts import across
from .drafts import BodyDraft, JointDraft
from .handles import PointHandle
from .joining import Body, Joining, Placement, only_places
from .mistakes import did_you_mean, users_line
from .pose import Pose
from .subgroup import SIX, subgroup
from .switching import Changing
from .system import GROUND
from .vectors import VectorExpression


@dataclass(frozen=True)
class _Ends:
    """The joint's two frames: what lies between their origins, and their axes: the joint's own, and two across it.

    still: three directions at right angles in the body that carries both. pitch: of a screw [m/rad].
    """

    between: VectorExpression
    along: tuple[VectorExpression, VectorExpression]  # in the parent, in the child
    first: tuple[VectorExpression, VectorExpression]
    second: tuple[VectorExpression, VectorExpression]
    still: tuple[VectorExpression, VectorExpression, VectorExpression]
    pitch: Node


def _point(e: _Ends) -> list[Node]:
    # In axes that turn with neither side no ω × (what lies between) comes into the rates, and nothing below the loop.
    return [e.between @ v for v in e.still]


def _on_axis(e: _Ends) -> list[Node]:
    return [e.between @ e.first[0], e.between @ e.second[0]]


def _parallel(e: _Ends) -> list[Node]:
    return [e.along[1] @ e.first[0], e.along[1] @ e.second[0]]


def _aligned(e: _Ends) -> list[Node]:
    return [*_parallel(e), e.first[1] @ e.second[0]]


def _advance(e: _Ends) -> list[Node]:
    """slide = pitch · angle for any number of turns, as the sine of what the two differ by [m]."""
    c, s, reached = e.first[1] @ e.first[0], e.first[1] @ e.second[0], e.between @ e.along[0] / e.pitch
    return [e.pitch * (sin(reached) * c - cos(reached) * s)]


LOOP = "loop", "For one motion after the other write the compound joint, with its r"

KINDS: dict[str, Callable[[_Ends], list[Node]]] = {
    "weld": lambda e: [*_point(e), *_aligned(e)],
    "revolute": lambda e: [*_point(e), *_parallel(e)],
    "prismatic": lambda e: [*_on_axis(e), *_aligned(e)],
    "screw": lambda e: [*_on_axis(e), *_parallel(e), *_advance(e)],
    "cylindrical": lambda e: [*_on_axis(e), *_parallel(e)],
    "universal": lambda e: [*_point(e), e.along[0] @ e.first[1]],
    "spherical": _point,
    "planar": lambda e: [e.between @ e.along[0], *_parallel(e)],
}
"""Kind of joint -> rows. A universal joint's second axis is the child frame's first direction across its axis."""

GIVEN: dict[str, Callable[[_Ends], list[Node]]] = {
    **KINDS,
    "two slides": lambda e: [e.between @ e.along[0], *_aligned(e)],
    "three slides": _aligned,
    "planar screw": lambda e: [*_parallel(e), *_advance(e)],
    "three slides and a turn": _parallel,
}
"""Also kinds that have no familiar name; along: the normal of the slides, or the axis of the turn."""


class Closing(Joining, Changing):
    """Closing loops."""

    def close(
        self,
        name: str,
        kind: str,
        parent: Body,
        child: Body,
        axis: Triple | str = "z",
        *,
        pitch: Scalar | None = None,
        H: Sequence[Sequence[Scalar]] | NDArray[Any] | None = None,
        r: Sequence[int] | None = None,
        switchable: bool = False,
        **placement: Unpack[Placement],
    ) -> None:
        """Hold two bodies of the tree together by one more joint, as a constraint of this name.

        kind: "revolute", "prismatic", "screw", "cylindrical", "universal", "spherical", "planar", "weld" or "joint";
        axis: the joint's, in its own frame; of a planar joint, the normal; of a universal one, the first axis, fixed in
        the parent; the second, fixed in the child, is the next one in turn (x for z, y for x, z for y). pitch: of a
        screw [m/rad]; it may turn any number of times. Places as for a joint. A joint that turns in a plane is
        over-constrained in space; rows that say nothing new are recognized. Where the joint holds a point, rows are the
        components of what lies between its two places, along axes of the nearest body that carries both sides.

        H, r: of a "joint", its map, as for `joint`. A compound joint carries a massless link that is welded to the
        child: its coordinates and speeds, called after the loop, are then among the system's.
        """
        only_places(placement, "a loop")
        if kind != "joint" and kind not in KINDS:
            kinds = [*KINDS, "joint"]
            self.mistakes.add(f"loop {name!r} is closed by {kind!r}; {did_you_mean(str(kind), kinds)}")
            return
        said = self.mistakes.said
        outer = self.body_name(parent, f"the parent of loop {name!r}")
        inner = self.body_name(child, f"the child of loop {name!r}")
        if outer == inner and self.mistakes.said == said:
            self.mistakes.add(f"loop {name!r} joins {inner!r} to itself")
        direction = self.read.axis(axis, f"the axis of loop {name!r}")
        advance = self._pitch(name, kind, pitch)
        fixed = self._pose(placement, "at", "rotation", outer, name)
        moved = self._pose(placement, "child_at", "child_rotation", inner, name)
        if (H is None) is (kind == "joint"):
            said_so = "give its map, H=" if H is None else "leave out H=, or write the kind 'joint'"
            self.mistakes.add(f"loop {name!r} is closed by a {kind!r}; {said_so}")
        if self.mistakes.said != said:
            return
        if H is None:
            rows = KINDS[kind](self._ends(outer, fixed, inner, moved, direction, advance))
            (self.switch if switchable else self.keep)(name, rows)
        else:
            self._given_loop(name, H, r, (outer, fixed), (inner, moved), switchable)

    def _pitch(self, name: str, kind: str, pitch: Scalar | None) -> Node:
        if (pitch is None) is (kind == "screw"):
            wanted = "give its pitch=" if pitch is None else "only a screw has a pitch"
            self.mistakes.add(f"loop {name!r} is closed by a {kind!r}; {wanted}")
        advance = self.read.static(1.0 if pitch is None else pitch, f"the pitch of loop {name!r}")
        if advance.is_zero:
            self.mistakes.add(f"the pitch of loop {name!r} is 0; that is a revolute joint")
            return self.graph.one
        return advance

    def _given_loop(
        self,
        name: str,
        matrix: Any,
        groups: Any,
        parent: tuple[str, Pose],
        child: tuple[str, Pose],
        switchable: bool,
    ) -> None:
        """A loop closed by a joint that is given by its map."""
        (outer, fixed), (inner, moved) = parent, child
        if groups is not None and len(groups) > 1:
            self._compound_loop(name, matrix, groups, parent, child, switchable)
            return
        columns = self._columns(matrix, f"H of loop {name!r}")
        if not self._check_simple(name, columns, 0, LOOP):
            return
        group = subgroup(columns)
        if group.kind == SIX:
            self.mistakes.add(f"H of loop {name!r} allows every motion; there is nothing to close")
            return
        places = [Pose(x.rotation, x.translation + x.rotation.inward(group.point)) for x in (fixed, moved)]
        rows = GIVEN[group.kind](self._ends(outer, places[0], inner, places[1], group.direction, group.pitch))
        (self.switch if switchable else self.keep)(name, rows)

    def _compound_loop(
        self,
        name: str,
        matrix: Any,
        groups: Any,
        parent: tuple[str, Pose],
        child: tuple[str, Pose],
        switchable: bool,
    ) -> None:
        """The joint carries a link without mass, welded to the child by rows: its coordinates say how it stands."""
        if switchable:
            self.mistakes.add(f"loop {name!r} is closed by a compound joint, which holds always; cut it elsewhere")
            return
        graph, (outer, fixed), here = self.graph, parent, Pose.identity(self.graph)
        motion = self._given(name, matrix, groups)
        link, joint = self.claim("body", f"{name} link", "link"), self.claim("joint", name, "joint")
        self.bodies[link] = BodyDraft(link, users_line(), graph.zero, Vector.zero(graph), Matrix.zero(graph))
        symbols = self.joint_symbols(joint, motion)
        self.joints[joint] = JointDraft(joint, users_line(), outer, link, motion, fixed, here, *symbols)
        self.keep(name, KINDS["weld"](self._ends(link, here, *child, Vector.unit(graph, 2))))

    def _end(self, body: str, pose: Pose) -> PointHandle:
        """The origin of one of the joint's frames."""
        which = "-".join(str(x.id) for x in pose.translation)
        return PointHandle(self, self._own_point(body, f"end {which}", pose.translation))

    def _ends(
        self, outer: str, fixed: Pose, inner: str, moved: Pose, axis: Vector, pitch: Node | None = None
    ) -> _Ends:
        places = [self._end(outer, fixed), self._end(inner, moved)]
        first, second = across(axis)

        def both(v: Vector) -> tuple[VectorExpression, VectorExpression]:
            a = self.vector(outer, fixed.rotation.inward(v))
            return a, self.vector(inner, moved.rotation.inward(v))

        between = places[1].position - places[0].position
        carrier = self._carrier_of(outer, inner)
        turned = moved.rotation if carrier == inner else fixed.rotation  # in a third body any three will do
        x, y, z = (self.vector(carrier, turned.inward(v)) for v in (axis, first, second))
        one = self.graph.one
        return _Ends(between, both(axis), both(first), both(second), (x, y, z), one if pitch is None else pitch)

    def _carrier_of(self, outer: str, inner: str) -> str:
        """The nearest body that carries both, by the joints that are declared already."""
        below = {joint.child: joint.parent for joint in self.joints.values()}

        def path(body: str) -> list[str]:
            found = [body]
            while found[-1] in below and below[found[-1]] not in found:
                found.append(below[found[-1]])
            return found

        above = path(outer)
        return next((x for x in path(inner) if x in above), GROUND)

