"""Where two shapes may touch: what every pair answers, and what the pairs need for it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..graph import Node, less, maximum, select, sqrt
from ..spatial import Vector
from .planar import Level, Levels
from .seating import Seat
from .vectors import VectorExpression
from .workshop import Workshop

TINY = 1e-24  # of a squared length [m²]: shorter vectors have no direction, and are left shorter than a unit


@dataclass(frozen=True)
class Spot:
    """A point of the one shape that may touch the other.

    gap: their distance [m], below zero where they overlap. normal: unit vector, out of the other towards the one. arm:
    from the one's center to its point of contact. across: directions of slip, at right angles to the normal;
    fewer than two where motion in a plane leaves only these.
    """

    gap: Node
    normal: VectorExpression
    arm: VectorExpression
    across: tuple[VectorExpression, ...]


@dataclass(frozen=True)
class Scene:
    """Two shapes. levels: planes in which both bodies move."""

    model: Workshop
    one: Seat
    other: Seat
    levels: Levels

    @cached_property
    def between(self) -> Vector:
        """From the other's center to the one's, in the other body's axes."""
        return Vector(*self.one.hub.pos_from(self.other.hub).in_frame(self.other.body))

    @cached_property
    def axis(self) -> Vector:
        """The one's axis in the other body's axes."""
        return Vector(*self.model.vector(self.one.body.name, self.one.axis).in_frame(self.other.body))

    def there(self, vector: Vector) -> VectorExpression:
        """A vector by components in the other body's axes."""
        return self.model.vector(self.other.body.name, vector)

    def here(self, vector: Vector) -> VectorExpression:
        """A vector by components in the one body's axes."""
        return self.model.vector(self.one.body.name, vector)

    def spot(self, gap: Node, normal: Vector, arm: Vector) -> Spot:
        """All in the other body's axes."""
        return Spot(gap, self.there(normal), self.there(arm), tuple(map(self.there, self._tangents(normal))))

    def _tangents(self, normal: Vector) -> tuple[Vector, ...]:
        """One direction where the pair stays in the plane of its motion, else two."""
        for mine, theirs in self.levels:
            apart = mine.at + self._off(self.one, mine) - theirs.at - self._off(self.other, theirs)
            if apart.is_zero and even(self.one, mine) and even(self.other, theirs):
                return (theirs.across.cross(normal),)
        return tangents(normal)

    def _off(self, seat: Seat, level: Level) -> Node:
        offset = seat.hub.draft.offset
        if offset is None:
            offset = self.model.bodies[seat.body.name].center
        return offset.dot(level.across)


def even(seat: Seat, level: Level) -> bool:
    """Whether the plane through the shape's center along which it moves is one of its planes of symmetry."""
    if seat.corners:
        return any(edge.cross(level.across).is_zero for edge in seat.corners)
    return seat.half.is_zero or along(seat, level) or seat.axis.dot(level.across).is_zero


def along(seat: Seat, level: Level) -> bool:
    """Whether a shape's axis stands upright on the plane of its motion."""
    return seat.axis.cross(level.across).is_zero


def tangents(n: Vector) -> tuple[Vector, Vector]:
    """Two unit vectors at right angles to a unit vector, whatever it is (Duff et al. 2017, listing 3)."""
    s = select(less(n.z, 0.0), -1.0, 1.0)
    a = -(1.0 / (s + n.z))
    b = n.x * n.y * a
    return Vector(1.0 + s * (n.x * n.x * a), s * b, -(s * n.x)), Vector(b, s + n.y * n.y * a, -n.y)


def length(v: Vector) -> Node:
    """Of a vector; never zero, so that it can be divided by."""
    return sqrt(maximum(v.dot(v), TINY))
