"""Generalized speeds that are components of bodies' own velocities along bodies' own axes.

In an articulated mechanism ω·b_i and v·b_i are what inertia forces are made of; as speeds they save the sums that make
them (Mitiguy and Kane 1996). For a joint of its own, or for a few in a row (a window), as many of the six components
of the last body are taken as the joints have freedoms: those that these joints move most, in a general position. Each
window's components follow from its own speeds and those of joints further in, so that the set can always be solved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..graph import Node, interpret
from ..model.drafts import PointDraft
from ..model.handles import BodyHandle, PointHandle
from ..model.model import Model
from ..model.system import Joint, System
from ..spatial import Vector
from .mechanics import Mechanics
from .states import general_state

Window = tuple[Joint, ...]
Floats = NDArray[np.float64]
WEAK = 1e-3  # a component that a window moves less than this is not one to divide by
TOGETHER = ("", "ones", "twos", "threes")
WIDEST = len(TOGETHER) - 1


@dataclass(frozen=True)
class Choice:
    """A way to choose: how many joints in a row share one body's components, counted from where, and whose velocity.

    from_leaves: windows begin at the outermost joints. at_center: velocities of mass centres, not of joints' origins.
    own: joints whose own speeds stay, each the last of a window that is left as it is.
    """

    width: int
    from_leaves: bool
    at_center: bool
    own: tuple[str, ...] = ()

    def __str__(self) -> str:
        grouped = ("", f", joints by {TOGETHER[self.width]} from the {'tips' if self.from_leaves else 'ground'}")
        apart = f", but for {', '.join(self.own)}" if self.own else ""
        return f"body-fixed ω and v{' of mass centres' if self.at_center else ''}{grouped[self.width > 1]}{apart}"


def choices(system: System) -> list[Choice]:
    """All that differ for this system."""
    joints = [x for x in system.joints if not x.prescribed and x.motion.np]
    widths = [width for width in range(1, WIDEST + 1) if width <= len(joints)]
    slides = any(not all(x.is_zero for x in column[3:]) for joint in joints for column in joint.motion.columns)
    offset = any(not body.center.is_zero for body in system.bodies)
    found = [
        Choice(width, leaves, center)
        for width in widths
        for leaves in ((False, True) if width > 1 else (True,))
        for center in ((False, True) if slides and offset else (False,))
    ]
    kept: dict[tuple[tuple[str, ...], ...], list[Choice]] = {}
    for choice in found:
        names = tuple(tuple(x.name for x in window) for window in windows(system, choice))
        same = kept.setdefault(names, [])
        if choice.at_center not in [x.at_center for x in same]:
            same.append(choice)
    return [choice for same in kept.values() for choice in same]


def windows(system: System, choice: Choice) -> list[Window]:
    """Every free joint in one window; a window's joints carry one another."""
    carriers = {joint.child: joint for joint in system.joints}
    carried: dict[str, list[Joint]] = {}
    for joint in system.joints:
        carried.setdefault(joint.parent, []).append(joint)
    free = {joint.name for joint in system.joints if not joint.prescribed and joint.motion.np}
    found: list[Window] = []
    order = system.joints[::-1] if choice.from_leaves else system.joints
    for first in order:
        if first.name not in free:
            continue
        window = [first]
        free.discard(first.name)
        for joint in _onward(first, carriers, carried, choice.from_leaves):
            many = sum(x.motion.np for x in (*window, joint)) > 6
            if len(window) == choice.width or many or (joint.motion.np and joint.name not in free):
                break
            if joint.motion.np:
                window.append(joint)
                free.discard(joint.name)
        found.append(tuple(window[::-1] if choice.from_leaves else window))
    position = {joint.name: k for k, joint in enumerate(system.joints)}
    return sorted(found, key=lambda window: position[window[0].name])


def _onward(
    joint: Joint, carriers: dict[str, Joint], carried: dict[str, list[Joint]], inward: bool
) -> Iterator[Joint]:
    """The joints next to this one in a row: further in, or further out along the first branch; not past a drive."""
    while True:
        following = carriers.get(joint.parent) if inward else next(iter(carried.get(joint.child, [])), None)
        if following is None or following.prescribed:
            return
        yield following
        joint = following


def definitions(model: Model, choice: Choice) -> list[Node]:
    """Body-fixed speeds for a model whose speeds are the joints' own, in the order of the windows.

    None where the joints in some window move its last body in fewer ways than they have speeds.
    """
    system = model.system()
    mechanics = Mechanics(system)
    values = general_state(mechanics.lowered)
    found: list[Node] = []
    for window in windows(system, choice):
        if window[-1].name in choice.own:
            found += [speed for joint in window for speed in model.joints[joint.name].speeds]
            continue
        body = BodyHandle(model, window[-1].child)
        point = _point(model, window[-1], choice.at_center)
        offset = mechanics.lowered.vector(_offset(system, window[-1], choice.at_center))
        jacobian = mechanics.jacobian(body.name, offset)
        numbers = np.array([float(x) for x in interpret([x for row in jacobian for x in row], values)])
        places = [k for joint in window for k in _places(system, joint)]
        axes = (body.x, body.y, body.z)
        six = [body.omega @ x for x in axes] + [point.velocity @ x for x in axes]
        strongest = _strongest(numbers.reshape(6, -1)[:, places])
        if not strongest:
            return []
        found += [six[k] for k in strongest]
    return found


def _places(system: System, joint: Joint) -> range:
    at = system.slices(joint.name)[1]
    return range(at.start, at.stop)


def _offset(system: System, joint: Joint, at_center: bool) -> Vector:
    return system.body(joint.child).center if at_center else joint.in_child.translation


def _point(model: Model, joint: Joint, at_center: bool) -> PointHandle:
    body = BodyHandle(model, joint.child)
    if at_center:
        return body.center
    here = model.joints[joint.name].in_child.translation
    return body.origin if here.is_zero else PointHandle(model, PointDraft(f"{joint.name}'s place", body.name, here))


def _strongest(matrix: Floats) -> list[int]:
    """Rows of a matrix (6, n), as many as it has columns, each with most to say beside those before; turns first.

    None if its rank is less.
    """
    rest, found = matrix.copy(), []
    for _ in range(matrix.shape[1]):
        sizes = np.linalg.norm(rest, axis=1)
        turning = int(np.argmax(np.round(sizes[:3], 9)))
        sliding = 3 + int(np.argmax(np.round(sizes[3:], 9)))
        k = turning if sizes[turning] > 0.1 else sliding if sizes[sliding] > WEAK else turning
        if sizes[k] <= WEAK:
            return []
        found.append(k)
        direction = rest[k] / sizes[k]
        rest = rest - np.outer(rest @ direction, direction)
    return sorted(found)
