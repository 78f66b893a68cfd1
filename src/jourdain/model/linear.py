"""Whether an expression is linear in velocities, as generalized speeds and constraints must be."""

from __future__ import annotations

from ..graph import Node, Role, symbols_of
from ..graph.differentiate import jacobian


def why_not_linear(node: Node, still: bool = False) -> str:
    """What is wrong with an expression that must be linear in velocities; empty where nothing is.

    still: whether it may hold none at all, as where the joint that moved it is locked.
    """
    if node.roles & Role.ACCELERATION.bit:
        return "depends on accelerations; velocities are needed"
    moving = [x for x in symbols_of([node]) if x.role is Role.SPEED]
    if not moving:
        return "" if still else "holds no velocity"
    if any(x.roles & Role.SPEED.bit for x in jacobian([node], moving)[0]):
        return "is not linear in velocities"
    return ""
