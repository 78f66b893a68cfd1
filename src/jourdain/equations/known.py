"""Measure numbers that are generalized speeds by definition, and so need no computing.

Where the user defines u_r as a component of a body's angular velocity, or of a point's velocity, along that body's own
axis, the component *is* u_r: it is put into the outward sweep instead of what the chain of joints would give, and all
that only served to give it is never built. This is what makes well-chosen speeds pay (Gillespie 2003, example 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..graph import Node
from ..spatial import Rotation, Vector


@dataclass(frozen=True, slots=True)
class Known:
    """One component, along an axis of a link's frame: of its angular velocity, or of the velocity of one of its points.

    value: the component; rate: its derivative with respect to time (None where accelerations are not asked for).
    offset: the point in the link's frame, None for an angular velocity.
    """

    link: int
    axis: int
    value: Node
    rate: Node | None = None
    offset: Vector | None = None


def of_link(known: Sequence[Known], link: int) -> tuple[list[Known], list[Known]]:
    """A link's known angular and linear components."""
    own = [x for x in known if x.link == link]
    return [x for x in own if x.offset is None], [x for x in own if x.offset is not None]


def replaced(v: Vector, axis: int, value: Node) -> Vector:
    """The vector with one measure number put in."""
    return Vector(*(value if k == axis else v[k] for k in range(3)))


def along(rotation: Rotation, axis: int) -> tuple[int, float] | None:
    """The axis of the outer frame along which an inner frame's axis lies, and its sign; None where it is oblique."""
    seen = rotation.inward(Vector.unit(rotation.graph, axis))
    present = [k for k in range(3) if not seen[k].is_zero]
    if len(present) != 1 or not seen[present[0]].is_constant or abs(seen[present[0]].value) != 1.0:
        return None
    return present[0], seen[present[0]].value
