"""Loops: two bodies that the tree carries already, held together by a joint that is a constraint.

Each kind is a list of rows that vanish where the joint's two frames lie as it allows; near such a position every row
has an effect of its own, so that none is redundant by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Unpack

from ..graph import Node
from ..spatial import Vector
from .arguments import Triple
from .constraining import Constraining
from .contacts import across
from .handles import PointHandle
from .joining import Body, Joining, Placement
from .mistakes import did_you_mean
from .pose import Pose
from .vectors import VectorExpression


@dataclass(frozen=True)
class _Ends:
    """The joint's two frames: what lies between their origins, and their axes: the joint's own, and two across it."""

    between: VectorExpression
    along: tuple[VectorExpression, VectorExpression]  # in the parent, in the child
    first: tuple[VectorExpression, VectorExpression]
    second: tuple[VectorExpression, VectorExpression]


def _point(e: _Ends) -> list[Node]:
    return [e.between @ e.along[0], e.between @ e.first[0], e.between @ e.second[0]]


def _on_axis(e: _Ends) -> list[Node]:
    return [e.between @ e.first[0], e.between @ e.second[0]]


def _parallel(e: _Ends) -> list[Node]:
    return [e.along[1] @ e.first[0], e.along[1] @ e.second[0]]


def _aligned(e: _Ends) -> list[Node]:
    return [*_parallel(e), e.first[1] @ e.second[0]]


KINDS: dict[str, Callable[[_Ends], list[Node]]] = {
    "weld": lambda e: [*_point(e), *_aligned(e)],
    "revolute": lambda e: [*_point(e), *_parallel(e)],
    "prismatic": lambda e: [*_on_axis(e), *_aligned(e)],
    "cylindrical": lambda e: [*_on_axis(e), *_parallel(e)],
    "universal": lambda e: [*_point(e), e.along[0] @ e.first[1]],
    "spherical": _point,
    "planar": lambda e: [e.between @ e.along[0], *_parallel(e)],
}
"""Kind of joint -> rows. A universal joint's second axis is the child frame's first direction across its axis."""


class Closing(Joining, Constraining):
    """Closing loops."""

    def close(
        self,
        name: str,
        kind: str,
        parent: Body,
        child: Body,
        axis: Triple | str = "z",
        *,
        switchable: bool = False,
        **placement: Unpack[Placement],
    ) -> None:
        """Hold two bodies of the tree together by one more joint, as a constraint of this name.

        kind: "revolute", "spherical", "prismatic", "cylindrical", "universal", "planar" or "weld"; axis: the joint's,
        in its own frame; of a planar joint, the normal; of a universal one, the first axis, fixed in the parent; the
        second, fixed in the child, is the next one in turn (x for z, y for x, z for y). Places as for a joint.
        A joint that turns in a plane is over-constrained in space; rows that say nothing new are recognized.
        """
        rows_of = KINDS.get(kind)
        if rows_of is None:
            self.mistakes.add(f"loop {name!r} is closed by {kind!r}; {did_you_mean(str(kind), KINDS)}")
            return
        said = self.mistakes.said
        outer = self.body_name(parent, f"the parent of loop {name!r}")
        inner = self.body_name(child, f"the child of loop {name!r}")
        if outer == inner and self.mistakes.said == said:
            self.mistakes.add(f"loop {name!r} joins {inner!r} to itself")
        direction = self.read.axis(axis, f"the axis of loop {name!r}")
        fixed = self._pose(placement, "at", "rotation", outer, name)
        moved = self._pose(placement, "child_at", "child_rotation", inner, name)
        ends = self._ends(outer, fixed, inner, moved, direction)
        (self.switch if switchable else self.keep)(name, rows_of(ends))

    def _ends(self, outer: str, fixed: Pose, inner: str, moved: Pose, axis: Vector) -> _Ends:
        places = [
            PointHandle(self, self._own_point(body, f"end at {tuple(map(repr, pose.translation))}", pose.translation))
            for body, pose in ((outer, fixed), (inner, moved))
        ]
        first, second = across(axis)

        def both(v: Vector) -> tuple[VectorExpression, VectorExpression]:
            a = self.vector(outer, fixed.rotation.inward(v))
            return a, self.vector(inner, moved.rotation.inward(v))

        return _Ends(places[1].position - places[0].position, both(axis), both(first), both(second))

