"""A system as text: its tree of joints and bodies, and what acts on it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from ..graph import Node
from .changing import Call, Contact, Switching
from .system import GROUND, Joint, System

LONGEST = 200  # lines of the tree
WIDTH = 110


def summary(system: System) -> str:
    """Several lines; long trees are cut."""
    lines = [f"{system.name}: {_counted(system)}", GROUND, *_first(_tree(system), LONGEST)]
    gravity = ", ".join(_short(x) for x in system.gravity)
    lines.append(f"gravity: ({gravity}) m/s²")
    lines += _listed("parameters", (f"{name} = {value:g}" for name, value in system.parameters.items()))
    lines += _listed("inputs", system.inputs)
    lines += _listed("loads", (load.name for load in system.loads))
    lines += _listed("rotors", (f"{rotor.name} on {rotor.joint}" for rotor in system.rotors))
    lines += _listed("points", (f"{point.name} on {point.body}" for point in system.points.values()))
    lines += _listed("frames", (f"{frame.name} on {frame.body}" for frame in system.frames.values()))
    lines += _listed("generalized speeds", (f"{x.name} = {_short(x.value)}" for x in system.definitions))
    lines += _listed("constraints", (f"{name} ({kind})" for name, kind in system.constraints.items()))
    lines += _listed("frictions", (f"{x.name} at {x.constraint or x.joint}" for x in system.frictions))
    lines += _listed("contacts", (_contact(x) for x in system.contacts))
    lines += _listed("switched", (_switching(x) for x in system.switchings))
    lines += _listed("handles", (f"{x.name} on {x.body}" for x in system.handles))
    lines += _listed("outputs", system.outputs)
    return "\n".join(lines)


def _counted(system: System) -> str:
    counts = (
        (len(system.bodies), "body", "bodies"),
        (len(system.joints), "joint", "joints"),
        (len(system.coordinates), "coordinate", "coordinates"),
        (len(system.speeds), "speed", "speeds"),
    )
    return ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in counts)


def _tree(system: System) -> Iterator[str]:
    """A line for each joint and the body that it carries, in the order in which a reader walks the tree."""
    carried: dict[str, list[Joint]] = defaultdict(list)
    for joint in system.joints:
        carried[joint.parent].append(joint)
    stack = _beside(carried[GROUND], "")
    while stack:
        joint, first, rest = stack.pop()
        yield f"{first}{_joint(joint)} ─ {_body(system, joint.child)}"
        stack += _beside(carried[joint.child], rest)


def _beside(joints: list[Joint], indent: str) -> list[tuple[Joint, str, str]]:
    """Joints on one body, the last first: what stands before their line, and before the lines after it.

    A joint by itself stands right below, so that an arm of many joints does not wander off to the right.
    """
    if len(joints) == 1:
        return [(joints[0], indent, indent)]
    found = [(joint, f"{indent}├─ ", f"{indent}│  ") for joint in joints]
    found[-1:] = [(joint, f"{indent}└─ ", f"{indent}   ") for joint in joints[-1:]]
    return found[::-1]


def _joint(joint: Joint) -> str:
    motion = joint.motion
    kind = motion.kind or f"r = {{{', '.join(map(str, motion.groups))}}}"
    if joint.guide is not None:
        kind = "guided"
    elif joint.prescribed:
        kind += ", given: " + ", ".join(_short(x) for x in joint.prescribed)
    elif motion.np > 1:
        kind += ": " + ", ".join(motion.coordinate_names)
    return f"{joint.name} ({kind})"


def _body(system: System, name: str) -> str:
    body = system.body(name)
    if body.mass.is_zero:
        return name if not body.inertia.is_zero else f"{name} (massless)"
    particle = ", a particle" if body.inertia.is_zero else ""
    return f"{name} ({_short(body.mass)} kg{particle})"


def _contact(contact: Contact) -> str:
    rubs = f"friction {_short(contact.friction)}, " if contact.slip else ""
    return f"{contact.name} ({rubs}restitution {_short(contact.restitution)}, {contact.law.value})"


def _switching(switching: Switching) -> str:
    said = ["on at the start"] if switching.start else []
    for what, guard in (("on", switching.on), ("off", switching.off)):
        if guard is not None:
            said.append(f"{what}: {guard.name if isinstance(guard, Call) else _short(guard.expression)}")
    return f"{switching.constraint} ({', '.join(said)})" if said else switching.constraint


def _short(node: Node) -> str:
    if node.is_constant:
        return f"{node.value:g}"
    text = repr(node)
    return text if len(text) <= 40 else "…"


def _listed(what: str, items: Iterable[str]) -> list[str]:
    """A line, cut where it is too long."""
    names = list(items)
    if not names:
        return []
    line = f"{what}: {names[0]}"
    for k, name in enumerate(names[1:], start=1):
        if len(line) + len(name) > WIDTH:
            return [f"{line}, … ({len(names) - k} more)"]
        line += f", {name}"
    return [line]


def _first(lines: Iterator[str], count: int) -> list[str]:
    found = []
    for k, line in enumerate(lines):
        if k == count:
            found.append(f"… ({sum(1 for _ in lines) + 1} more)")
            break
        found.append(line)
    return found
