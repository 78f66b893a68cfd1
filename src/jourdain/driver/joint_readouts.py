"""What can be asked of one joint of a compiled system, in one mode."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..equations.constraints import Mode
from ..equations.mechanics import Mechanics
from ..equations.own_speeds import OwnSpeeds
from ..equations.reactions import reaction
from ..graph import Role
from ..program import Block
from ..spatial import Vector
from .readouts import AT, Readout


@dataclass(frozen=True)
class Hinge:
    """Which joint, in which mode; about which point of the child ("" for the origin of the joint's moving frame, AT for
    a place given in every call); and along which axes, "joint", "body" or "ground"."""

    joint: str
    mode: Mode = ()
    point: str = ""
    axes: str = "joint"


def reactions(hinge: Hinge) -> Readout:
    """(6,)"""

    def read(m: Mechanics) -> tuple[Block, ...]:
        place: Vector | None = None
        if hinge.point == AT:
            place = Vector(*(m.graph.symbol(f"at[{axis}]", Role.INPUT) for axis in "xyz"))
        elif hinge.point:
            place = m.lowered.vector(m.system.points[hinge.point].offset)
        return (Block("result", tuple(reaction(OwnSpeeds.of(m, hinge.mode), hinge.joint, place, hinge.axes))),)

    return Readout(("q", "u", "f", "at") if hinge.point == AT else ("q", "u", "f"), read)


JOINT_READOUTS: dict[str, Callable[[Hinge], Readout]] = {"reactions": reactions}
"""Read-outs of one joint, by the name of their method."""
