"""A System as plain data: what its file holds. Units stand in the fields' names.

Expressions are texts, in the order in which `reading` reads them; a part that several share is one of the `steps`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..graph import Node
from ..graph.spell import to_table
from ..spatial import Matrix, Turn
from .changing import Call, Contact, Guard, Switching
from .encounter import Encounter
from .guide import Guide
from .pose import Pose
from .system import Body, Constraint, Force, Friction, Joint, JointForce, Load, Quantity, Rotor, System, Torque

Data = dict[str, Any]
FORMAT = "jourdain system"
VERSION = 1
LETTERS = "xyz"


def record(system: System) -> Data:
    """The data of a system's file."""
    parts: Data = {
        "gravity_m_s2": list(system.gravity),
        "bodies": [_body(body) for body in system.bodies],
        "joints": [_joint(joint) for joint in system.joints],
        "points": {x.name: {"body": x.body, "offset_m": list(x.offset)} for x in system.points.values()},
        "frames": {x.name: {"body": x.body, **_pose(x.pose)} for x in system.frames.values()},
        "loads": [_load(load) for load in system.loads],
        "rotors": [_rotor(rotor) for rotor in system.rotors],
        "quantities": {symbol.name: _quantity(x) for symbol, x in system.quantities.items()},
        "outputs": dict(system.expressions),
    }
    if system.definitions:
        parts["speeds"] = {x.name: {"symbol": x.symbol.name, "value": x.value} for x in system.definitions}
    if system.conditions:
        parts["constraints"] = {x.name: _constraint(x) for x in system.conditions}
    if system.input_rates:
        parts["input_rates"] = dict(system.input_rates)
    if system.handles:
        parts["handles"] = {x.name: {"body": x.body, "offset_m": list(x.offset)} for x in system.handles}
    if system.frictions:
        parts["frictions"] = {x.name: _friction(x) for x in system.frictions}
    if system.contacts:
        parts["contacts"] = {x.name: _contact(x) for x in system.contacts}
    if system.encounters:
        parts["encounters"] = {x.name: _encounter(x) for x in system.encounters}
    if system.switchings:
        parts["switchings"] = {x.constraint: _switching(x) for x in system.switchings}
    if system.multipliers:
        meanings = system.multipliers.items()
        parts["multipliers"] = {x.name: {"constraint": y.constraint, "row": y.row} for x, y in meanings}
    leaves = [x for x in _leaves(parts) if not _is_number(x)]
    # With all symbols in it, so that no step is called as one of them.
    table = to_table([*system.graph.symbols, *leaves])
    texts = dict(zip(leaves, table["expressions"][len(system.graph.symbols) :]))
    spelled: Data = _spelled(parts, texts)
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": system.name,
        "gravity_m_s2": spelled.pop("gravity_m_s2"),
        "parameters": dict(system.defaults),
        "inputs": dict(system.input_values),
        "steps": table["steps"],
        **spelled,
    }


# -- parts, with their expressions as nodes ---------------------------------------------------------------------------


def _body(body: Body) -> Data:
    return {
        "name": body.name,
        "mass_kg": body.mass,
        "center_m": list(body.center),
        "inertia_kg_m2": _rows(body.inertia),
    }


def _joint(joint: Joint) -> Data:
    motion = joint.motion
    found: Data = {
        "name": joint.name,
        "parent": joint.parent,
        "child": joint.child,
        "kind": motion.kind,
        "orientation": motion.orientation.value,
        "columns": [list(column) for column in motion.columns],
        "groups": list(motion.groups),
        "coordinate_order": list(motion.coordinate_order),
        "speed_order": list(motion.speed_order),
        "in_parent": _pose(joint.in_parent),
        "in_child": _pose(joint.in_child),
        "coordinates": [symbol.name for symbol in joint.coordinates],
        "speeds": [symbol.name for symbol in joint.speeds],
    }
    if joint.prescribed:
        found["prescribed"] = list(joint.prescribed)
        found["prescribed_speeds"] = list(joint.prescribed_speeds)
        found["prescribed_rates"] = list(joint.prescribed_rates)
    if joint.guide is not None:
        found["guide"] = _guide(joint.guide)
    return found


def _guide(guide: Guide) -> Data:
    found: Data = {
        **_pose(guide.place),
        "angular_velocity_rad_s": list(guide.w),
        "velocity_m_s": list(guide.v),
        "turning_rad_s": list(guide.turning),
    }
    if guide.alpha is not None:
        found["angular_acceleration_rad_s2"] = list(guide.alpha)
    if guide.a is not None:
        found["acceleration_m_s2"] = list(guide.a)
    return found


def _load(load: Load) -> Data:
    if isinstance(load, Force | Torque):
        found: Data = {"name": load.name, "type": "force" if isinstance(load, Force) else "torque", "body": load.body}
        if isinstance(load, Force):
            found["offset_m"] = list(load.offset)
        found["components_N" if isinstance(load, Force) else "components_N_m"] = list(load.components)
        return {**found, "axes": load.axes, "reaction": load.reaction}
    if isinstance(load, JointForce):
        found = {"name": load.name, "type": "joint force", "joint": load.joint, "index": load.index}
        found["value"] = load.value
    else:
        found = {"name": load.name, "type": "strut", "body_a": load.body_a, "offset_a_m": list(load.offset_a)}
        found |= {"body_b": load.body_b, "offset_b_m": list(load.offset_b)}
        found |= {"length": load.length.name, "rate": load.rate.name, "tension_N": load.tension}
    return found if load.energy is None else {**found, "energy_J": load.energy}


def _constraint(constraint: Constraint) -> Data:
    return {
        "level": constraint.level.value,
        "switchable": constraint.switchable,
        "satisfied": constraint.satisfied,
        "rows": list(constraint.rows),
    }


def _friction(friction: Friction) -> Data:
    return {
        **_carrying(friction),
        "slips": list(friction.slips),
        "coefficient": friction.coefficient,
        "width": friction.width,
        "both_sides": friction.both_sides,
    }


def _carrying(friction: Friction) -> Data:
    if friction.joint:
        return {"joint": friction.joint, "axes": [LETTERS[k] for k in friction.axes]}
    return {"constraint": friction.constraint, "rows": list(friction.rows)}


def _contact(contact: Contact) -> Data:
    return {
        "normal": contact.normal,
        "slip": contact.slip,
        "friction": contact.friction,
        "restitution": contact.restitution,
        "law": contact.law.value,
    }


def _encounter(met: Encounter) -> Data:
    return {
        "slots": list(met.slots),
        "features": [x.name for x in met.features],
        "turn": _rows(met.turn),
        "place_m": list(met.place),
        "one_m": [list(x) for x in met.one],
        "other_m": [list(x) for x in met.other],
    }


def _switching(switching: Switching) -> Data:
    found: Data = {"start": switching.start}
    for name, guard in (("on", switching.on), ("off", switching.off)):
        if guard is not None:
            found[name] = _guard(guard)
    return found


def _guard(guard: Guard) -> Data:
    return {"call": guard.name} if isinstance(guard, Call) else {"rises": guard.expression}


def _rotor(rotor: Rotor) -> Data:
    return {
        "name": rotor.name,
        "joint": rotor.joint,
        "index": rotor.index,
        "inertia_kg_m2": rotor.inertia,
        "ratio": rotor.ratio,
    }


def _quantity(quantity: Quantity) -> Data:
    found: Data = {"kind": quantity.kind, "of": quantity.of}
    if quantity.kind == "rate":
        return {**found, "index": quantity.component}
    if quantity.offset is not None:
        found["offset_m"] = list(quantity.offset)
    if quantity.kind == "axis":
        found["axis"] = LETTERS[quantity.axis]
    return {**found, "axes": quantity.axes, "component": LETTERS[quantity.component]}


def _pose(pose: Pose) -> Data:
    factors: list[Data] = [
        {"about": LETTERS[x.axis], "cos": x.c, "sin": x.s} if isinstance(x, Turn) else {"matrix": _rows(x.rows)}
        for x in pose.rotation.factors
    ]
    return {"rotation": factors, "translation_m": list(pose.translation)}


def _rows(matrix: Matrix) -> list[list[Node]]:
    return [list(row) for row in matrix]


# -- nodes as texts -----------------------------------------------------------------------------------------------


def _leaves(data: Any) -> Iterator[Node]:
    """The expressions, in order."""
    if isinstance(data, Node):
        yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from _leaves(value)
    elif isinstance(data, list):
        for value in data:
            yield from _leaves(value)


def _is_number(node: Node) -> bool:
    """What JSON can say by itself."""
    return node.is_constant and math.isfinite(node.value)


def _spelled(data: Any, texts: dict[Node, str]) -> Any:
    """The same data with numbers and texts where expressions were."""
    if isinstance(data, Node):
        return data.value if _is_number(data) else texts[data]
    if isinstance(data, dict):
        return {name: _spelled(value, texts) for name, value in data.items()}
    if isinstance(data, list):
        return [_spelled(value, texts) for value in data]
    return data
