"""Bodies that move in a plane, as the joints that carry them show: revolute axes across it, slides along it."""

from __future__ import annotations

from dataclasses import dataclass

from ..graph import Node
from ..spatial import Vector
from .system import GROUND
from .workshop import Workshop


@dataclass(frozen=True)
class Level:
    """A plane that a body stays parallel to. across: its normal in the body's axes; at: the body's origin along it."""

    across: Vector
    at: Node


Levels = tuple[tuple[Level, Level], ...]


def shared_levels(model: Workshop, one: str, other: str) -> Levels:
    """Of two bodies, for each of the ground's coordinate planes that both surely move parallel to."""
    found = []
    for k in range(3):
        normal = Vector.unit(model.graph, k)
        a, b = _level(model, one, normal), _level(model, other, normal)
        if a is not None and b is not None:
            found.append((a, b))
    return tuple(found)


def _level(model: Workshop, body: str, normal: Vector) -> Level | None:
    """normal: in the ground's axes."""
    carriers = {joint.child: joint for joint in model.joints.values()}
    chain = []
    while body != GROUND:
        joint = carriers.get(body)
        if joint is None or joint.guide is not None or joint in chain:
            return None
        chain.append(joint)
        body = joint.parent
    d, at = normal, model.graph.zero
    for joint in reversed(chain):
        at = at + joint.in_parent.translation.dot(d)
        d = joint.in_parent.rotation.outward(d)
        for column in joint.motion.columns:
            turn, slide = Vector(*column[:3]), Vector(*column[3:])
            if not turn.cross(d).is_zero or not slide.dot(d).is_zero:
                return None
        d = joint.in_child.rotation.inward(d)
        at = at - joint.in_child.translation.dot(d)
    return Level(d, at)
