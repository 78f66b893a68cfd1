"""Whether a model's joints make a tree that stands on the ground, and the order of its bodies."""

from __future__ import annotations

from collections import defaultdict
from heapq import heappop, heappush

from .drafts import BodyDraft, JointDraft
from .mistakes import did_you_mean
from .system import GROUND
from .workshop import Workshop

Pair = tuple[BodyDraft, JointDraft]


def ordered(workshop: Workshop) -> list[Pair]:
    """Bodies with the joints that carry them: parents first, otherwise in the order in which they were added.

    What is not a tree is noted as mistakes; the answer then holds what stands on the ground.
    """
    carriers = _carriers(workshop)
    rank = {name: i for i, name in enumerate(workshop.bodies)}
    children: dict[str, list[str]] = defaultdict(list)
    for child, joint in carriers.items():
        children[joint.parent].append(child)
    ready: list[int] = []
    names = list(workshop.bodies)
    for child in children[GROUND]:
        heappush(ready, rank[child])
    order: list[Pair] = []
    placed: set[str] = set()
    while ready:
        name = names[heappop(ready)]
        placed.add(name)
        order.append((workshop.bodies[name], carriers[name]))
        for child in children[name]:
            heappush(ready, rank[child])
    _explain(workshop, carriers, placed)
    return order


def moving(order: list[Pair]) -> set[str]:
    """Names of the bodies that a joint with freedom carries, directly or not."""
    found: set[str] = set()
    for body, joint in order:
        if joint.motion.np or joint.parent in found:
            found.add(body.name)
    return found


def _carriers(workshop: Workshop) -> dict[str, JointDraft]:
    """Body -> the joint that carries it, for joints whose bodies exist."""
    found: dict[str, JointDraft] = {}
    add = workshop.mistakes.add
    for joint in workshop.joints.values():
        what = f"joint {joint.name!r}"
        missing = False
        for role, body in (("parent", joint.parent), ("child", joint.child)):
            if body != GROUND and body not in workshop.bodies:
                add(
                    f"the {role} of {what} is {body!r}, but there is no such body; "
                    f"{did_you_mean(body, [*workshop.bodies, GROUND])}",
                    joint.where,
                )
                missing = True
        if missing:
            # A body whose only joint has an unknown parent needs no second mistake.
            if joint.child in workshop.bodies:
                found.setdefault(joint.child, joint)
            continue
        if joint.child == GROUND:
            said = f"the child of {what} is "  # no body of this model: the ground stands in for it
            if not any(x.text.startswith(said) for x in workshop.mistakes.found):
                add(f"{said}the ground, which nothing carries; exchange parent and child", joint.where)
        elif joint.parent == joint.child:
            add(f"{what} joins {joint.child!r} to itself", joint.where)
            found.setdefault(joint.child, joint)
        elif joint.child in found:
            other = found[joint.child]
            add(
                f"body {joint.child!r} is carried by {what} and by joint {other.name!r} ({other.where}); joints make a "
                "tree, so that one joint carries each body: exchange parent and child of one of them, or, where they "
                "close a loop, make one of them a constraint: m.close(name, kind, parent, child)",
                joint.where,
            )
        else:
            found[joint.child] = joint
    return found


def _explain(workshop: Workshop, carriers: dict[str, JointDraft], placed: set[str]) -> None:
    """Why some bodies do not stand on the ground."""
    add = workshop.mistakes.add
    known = set(placed)
    for body in workshop.bodies.values():
        path: list[str] = []
        name = body.name
        while name not in known and name not in path and name in carriers:
            path.append(name)
            name = carriers[name].parent
        if name in path:
            cycle = path[path.index(name) :]
            joints = [carriers[x] for x in cycle]
            if len(cycle) > 1:
                shown = " → ".join([*reversed(cycle), cycle[-1]])
                add(
                    f"joints {', '.join(repr(x.name) for x in reversed(joints))} carry bodies in a circle: {shown}; "
                    "one of these bodies needs a joint to the ground or to a body that stands on it",
                    joints[0].where,
                )
        elif name not in known and name in workshop.bodies:
            add(
                f"body {name!r} has no joint that carries it; m.free(name, m.ground, body) lets it move freely, "
                "m.weld(name, parent, body) fixes it",
                workshop.bodies[name].where,
            )
            path.append(name)
        known.update(path)
