"""What carries what, what acts, and with which values: the model as tables."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..model.joints import COORDINATE
from ..model.system import GROUND, Force, Joint, JointForce, Load, Strut, Torque
from .document import Block, Cell, Matrix, Row, Table, Vector, paragraph
from .material import Material
from .picture import picture


def mechanism(material: Material) -> Iterator[Block]:
    """What carries what, and what acts."""
    system = material.system
    drawn = picture(system)
    if drawn is not None:
        yield drawn
    joints = tuple(_joint(material, joint) for joint in system.joints)
    yield Table(("joint", "type", "carries", "on", "at", "axis"), joints, "Joints")
    maps = [(joint.name, _map(joint)) for joint in system.joints if joint.motion.np > 1 and not joint.motion.kind]
    if maps:
        yield Table(("joint", "H"), tuple(maps), "Joints' maps: angular, then linear velocity, in the moved frame")
    given = [pair for joint in system.joints for pair in zip(joint.coordinates, joint.prescribed)]
    if given:
        yield Table(("coordinate", "prescribed as"), tuple(given))
    if system.is_guided:
        yield Table(
            ("body", "angular velocity [rad/s]", "velocity [m/s]"),
            tuple(_guided(material, joint) for joint in system.joints if joint.guide is not None),
            "Motion of guided bodies, each along its own axes",
        )
    yield Table(
        ("body", "mass [kg]", "mass centre [m]", "central inertia [kg m²]"),
        tuple(_body(material, k) for k in range(len(system.bodies))),
        "Bodies, each in its own frame",
    )
    if any(not x.is_zero for x in system.gravity):
        yield paragraph("Gravity ", Vector(tuple(material.tidy(system.gravity))), " m/s², in the ground's axes.")
    if system.loads or system.rotors or system.frictions:
        yield Table(("load", "acts as", "value"), tuple(_loads(material)), "Loads")


def _joint(material: Material, joint: Joint) -> tuple[Cell, ...]:
    motion = joint.motion
    kind = motion.kind or ("simple" if motion.is_simple else f"compound, r = {{{', '.join(map(str, motion.groups))}}}")
    place = material.tidy(joint.in_parent.translation)
    at: Cell = "origin" if all(x.is_zero for x in place) else Vector(tuple(place))
    axes: Cell = ""
    if motion.np == 1:
        column = motion.columns[0]
        angular = any(not x.is_zero for x in column[:3])
        axes = Vector(tuple(material.tidy(column[:3] if angular else column[3:])))
    if joint.guide is not None:
        return joint.name, "guided", joint.child, joint.parent, "", ""
    if motion.kind == COORDINATE:
        return joint.name, COORDINATE, joint.child, joint.parent, "", ""
    if joint.prescribed:
        kind = f"{kind}, prescribed"
    turned = _turned(joint)
    if turned:
        kind = f"{kind}, frame turned {turned}"
    return joint.name, kind, joint.child, joint.parent, at, axes


def _guided(material: Material, joint: Joint) -> tuple[Cell, ...]:
    assert joint.guide is not None
    return joint.child, *(Vector(tuple(material.tidy(v))) for v in (joint.guide.w, joint.guide.v))


def _map(joint: Joint) -> Matrix:
    """The columns that the joint was given."""
    return Matrix(tuple(tuple(column[i] for column in joint.motion.columns) for i in range(6)))


def _turned(joint: Joint) -> str:
    """The fixed turn between the parent's axes and the joint's: an angle and the axis that it is about."""
    entries = [x for row in joint.in_parent.rotation.matrix() for x in row]
    if not all(x.is_constant for x in entries):
        return "by an angle that is a parameter"
    turn = np.array([x.value for x in entries]).reshape(3, 3)
    across = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    angle = float(np.degrees(np.arctan2(np.linalg.norm(across), np.trace(turn) - 1.0)))
    if angle < 1e-9:
        return ""
    if np.linalg.norm(across) < 1e-9:  # half a turn: R + 1 is twice the axis times itself
        both = turn + np.eye(3)
        across = both[:, int(np.argmax(np.diag(both)))]
    axis = np.round(across / np.linalg.norm(across), 6) + 0.0
    k = int(np.argmax(np.abs(axis)))
    if abs(axis[k]) == 1.0:
        return f"{angle * axis[k]:.6g}° about {'xyz'[k]}"
    return f"{angle:.6g}° about ({', '.join(f'{x:.4g}' for x in axis)})"


def _body(material: Material, index: int) -> tuple[Cell, ...]:
    body = material.system.bodies[index]
    mass = material.tidy([body.mass])[0]
    center, inertia = material.tidy(body.center), [x for row in body.inertia for x in row]
    entries = material.tidy(inertia)
    off_diagonal = [inertia[k] for k in (1, 2, 5)]
    shown: Cell
    if all(x.is_zero for x in inertia):
        shown = "massless" if body.mass.is_zero else "a particle"
    elif all(x.is_zero for x in off_diagonal):
        shown = Row(("diag", Vector((entries[0], entries[4], entries[8]))))
    else:
        shown = Matrix(tuple(tuple(entries[3 * i : 3 * i + 3]) for i in range(3)))
    at: Cell = "origin" if all(x.is_zero for x in center) else Vector(tuple(center))
    return body.name, mass, at, shown


def _loads(material: Material) -> Iterator[tuple[Cell, ...]]:
    system = material.system
    for load in system.loads:
        yield load.name, _acts(load), _value(load)
    for rotor in system.rotors:
        what = f"rotor on joint {rotor.joint}, inertia behind the gear [kg m²]"
        yield rotor.name, what, rotor.inertia * rotor.ratio**2
    for friction in system.frictions:
        holder = f"constraint {friction.constraint}" if friction.constraint else f"joint {friction.joint}"
        yield friction.name, f"friction by the force of {holder}, coefficient", friction.coefficient


def _acts(load: Load) -> str:
    if isinstance(load, JointForce):
        return f"generalized force of joint {load.joint}"
    if isinstance(load, Strut):
        return f"tension between {load.body_a} and {load.body_b} [N]"
    kind, unit = ("force", "N") if isinstance(load, Force) else ("torque", "N m")
    against = "" if load.reaction == GROUND else f", against {load.reaction}"
    return f"{kind} on {load.body}{against}, axes of {load.axes} [{unit}]"


def _value(load: Load) -> Cell:
    if isinstance(load, Force | Torque):
        return Vector(tuple(load.components))
    return load.tension if isinstance(load, Strut) else load.value


def parameters(material: Material) -> Iterator[Block]:
    """Parameters and inputs with the values that they have where none is given."""
    system = material.system
    for what, values in (("parameter", system.parameters), ("input", system.input_values)):
        if values:
            symbols = {x.name: x for x in system.graph.symbols}
            cells: list[tuple[Cell, Cell]] = [(symbols.get(name, name), f"{x:.10g}") for name, x in values.items()]
            side_by_side = 3 if len(cells) > 12 else 2 if len(cells) > 6 else 1
            height = -(-len(cells) // side_by_side)
            cells += [("", "")] * (height * side_by_side - len(cells))
            rows = (tuple(x for pair in cells[k::height] for x in pair) for k in range(height))
            yield Table((what, "value") * side_by_side, tuple(rows))
