"""What coordinates and speeds mean, and their units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..graph import Node
from ..graph.operations import ADD, MUL, NEG, SUB
from ..model.joints import COORDINATE
from ..model.motion import Motion, Orientation
from ..model.system import Joint, Quantity, System

ANGLE, LENGTH, NUMBER = "rad", "m", "—"
_MEANINGS = {
    "x": "position along x of the joint's fixed frame", "y": "position along y", "z": "position along z",
    "roll": "angle about x, the last turn", "pitch": "angle about y", "yaw": "angle about z, the first turn",
    "qx": "unit quaternion, x", "qy": "unit quaternion, y", "qz": "unit quaternion, z",
    "qw": "unit quaternion, scalar part", "a1": "angle about the axis in the parent",
    "a2": "angle about the axis in the child", "angle": "angle about the axis", "slide": "travel along the axis",
    "wx": "angular velocity along the moved x", "wy": "angular velocity along the moved y",
    "wz": "angular velocity along the moved z", "vx": "velocity along the moved x",
    "vy": "velocity along the moved y", "vz": "velocity along the moved z", "w": "rate of the angle",
    "v": "rate of the travel",
}  # fmt: skip
_SINGLE = {
    "revolute": ("angle about the axis", "rate of the angle"),
    "prismatic": ("travel along the axis", "rate of the travel"),
    "coordinate": ("as the bodies' motion has it", "rate of the coordinate"),
    "screw": ("angle about the axis, along which it travels too", "rate of the angle"),
}
_UNITS = {"omega": f"{ANGLE}/s", "velocity": f"{LENGTH}/s"}
_FORCES = {f"{ANGLE}/s": "N m", f"{LENGTH}/s": "N"}


@dataclass(frozen=True)
class Freedom:
    """A coordinate or a speed: its symbol, its unit, what it says; of a speed also the unit of its force."""

    symbol: Node
    joint: str
    unit: str
    meaning: str
    force: str = ""


def coordinates(system: System) -> Iterator[Freedom]:
    """In the order of q."""
    for joint in _free(system):
        motion = joint.motion
        for position, symbol in enumerate(joint.coordinates):
            unit = _coordinate_unit(motion, motion.coordinate_order[position])
            yield Freedom(symbol, joint.name, unit, _coordinate_meaning(motion, position))


def speeds(system: System) -> Iterator[Freedom]:
    """In the order of u."""
    for joint in _free(system):
        motion = joint.motion
        for position, symbol in enumerate(joint.speeds):
            turns = _turns(motion, motion.speed_order[position])
            unit, force = (f"{ANGLE}/s", "N m") if turns else (f"{LENGTH}/s", "N")
            if motion.kind == COORDINATE:
                unit = force = NUMBER
            yield Freedom(symbol, joint.name, unit, _speed_meaning(motion, position), force)


def generalized(system: System) -> Iterator[Freedom]:
    """The user's generalized speeds, in the order of u."""
    joints = {x.symbol: x for x in speeds(system)}
    for speed in system.definitions:
        quantity = system.quantities.get(speed.value)
        own = joints.get(speed.value)
        if own is not None:
            yield Freedom(speed.symbol, own.joint, own.unit, f"{own.meaning} of {own.joint}", own.force)
        elif quantity is not None and quantity.kind in ("omega", "velocity"):
            along = f"along {quantity.axes}’s {'xyz'[quantity.component]}"
            if quantity.kind == "omega":
                yield Freedom(speed.symbol, "", f"{ANGLE}/s", f"angular velocity of {quantity.of}, {along}", "N m")
            else:
                yield Freedom(speed.symbol, "", f"{LENGTH}/s", f"velocity of {_place(system, quantity)}, {along}", "N")
        else:
            unit = _unit(speed.value, system, joints)
            yield Freedom(speed.symbol, "", unit, "", _FORCES.get(unit, ""))


def _unit(value: Node, system: System, joints: Mapping[Node, Freedom]) -> str:
    """Of a sum of numbers times speeds and velocities of one unit; else empty, for nothing tells a parameter's."""
    if value.op in (ADD, SUB):
        first, second = (_unit(x, system, joints) for x in value.args)
        return first if first == second else ""
    if value.op is NEG:
        return _unit(value.args[0], system, joints)
    if value.op is MUL and any(x.is_constant for x in value.args):
        return next((_unit(x, system, joints) for x in value.args if not x.is_constant), "")
    if value in joints:
        return joints[value].unit
    quantity = system.quantities.get(value)
    return _UNITS.get(quantity.kind, "") if quantity is not None else ""


def _place(system: System, quantity: Quantity) -> str:
    """A point of a body, in words."""
    offset = quantity.offset
    if offset is None or all(x.is_zero for x in offset):
        return f"{quantity.of}’s origin"
    named = [x.name for x in system.points.values() if x.body == quantity.of and tuple(x.offset) == tuple(offset)]
    if named:
        return named[0]
    at_center = tuple(system.body(quantity.of).center) == tuple(offset)
    return f"{quantity.of}’s mass centre" if at_center else f"a point of {quantity.of}"


def _free(system: System) -> Iterator[Joint]:
    return (joint for joint in system.joints if not joint.prescribed)


def _turns(motion: Motion, column: int) -> bool:
    return any(not x.is_zero for x in motion.columns[column][:3])


def _coordinate_unit(motion: Motion, number: int) -> str:
    if motion.orientation is Orientation.QUATERNION:
        if number < 4:
            return NUMBER
        number -= 1
    if motion.kind == COORDINATE:
        return NUMBER
    return ANGLE if _turns(motion, number) else LENGTH


def _coordinate_meaning(motion: Motion, position: int) -> str:
    if motion.np == 1:
        return _SINGLE.get(motion.kind, ("along column 1 of H", ""))[0]
    if motion.kind:
        return _MEANINGS[motion.coordinate_names[position]]
    column = motion.coordinate_order[position]
    way = "turn" if _turns(motion, column) else "travel"
    return f"{way} by column {column + 1} of H{_part(motion, column)}"


def _speed_meaning(motion: Motion, position: int) -> str:
    if motion.np == 1:
        return _SINGLE.get(motion.kind, ("", "rate of the coordinate"))[1]
    if motion.kind:
        suffix = motion.speed_names[position]
        return "rate of the angle" if suffix in motion.coordinate_names and suffix != "x" else _MEANINGS[suffix]
    column = motion.speed_order[position]
    return f"relative velocity along column {column + 1} of H{_part(motion, column)}"


def _part(motion: Motion, column: int) -> str:
    """Which simple joint of a compound one."""
    if motion.is_simple:
        return ""
    part = next(k for k in range(1, len(motion.groups) + 1) if column < sum(motion.groups[:k]))
    return f", simple joint {part}"
