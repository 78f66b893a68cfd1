"""Whether every freedom has something to move: at the default values and in a general position."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..graph import Graph, Node, Role, interpret, symbols_of
from .carrier import Carrier
from .drafts import JointDraft
from .mistakes import warn
from .motion import Orientation
from .pose import Pose
from .system import GROUND
from .tree import Pair
from .workshop import Workshop

Floats = NDArray[np.float64]
SINGULAR = 1e-12  # of what a freedom would have to move if it were the only one


def check_freedoms(workshop: Workshop, order: Sequence[Pair]) -> None:
    """Warn of joints that carry nothing with inertia along some freedom: its rate does not follow from the forces.

    Inverse dynamics is still right, so this is no mistake. The test is that of articulated bodies: from the leaves
    inwards, what resists each joint when all joints further out are free. Bodies of which a permanent constraint speaks
    may be held by that. Where bodies are guided it is left out: they
    give inertia to joints that do not carry them.
    """
    if any(joint.guide is not None for _, joint in order):
        return
    held = _held(workshop)
    numbers = _Numbers(workshop, order)
    articulated = {name: inertia.copy() for name, inertia in numbers.inertias.items()}
    composite = {name: inertia.copy() for name, inertia in numbers.inertias.items()}
    for body, joint in reversed(order):
        shift, columns = numbers.joints[joint.name]
        inner, whole = articulated[body.name], composite[body.name]
        if joint.drive is None and columns.shape[1]:
            rotors = np.diag(numbers.rotors[joint.name])
            alone = np.diag(columns.T @ whole @ columns + rotors)
            felt = columns.T @ inner @ columns + rotors
            scale = 1.0 / np.sqrt(np.where(alone > 0.0, alone, 1.0))
            size, axes = np.linalg.eigh(felt * np.outer(scale, scale))
            good = size > SINGULAR
            if not good.all() and joint.child not in held:
                warn(
                    f"joint {joint.name!r} has a freedom along which nothing that it carries has inertia, so forces do "
                    "not decide its acceleration; give the bodies it carries mass and inertia, or the joint a rotor",
                    joint.where,
                )
            inverse = (axes[:, good] / size[good]) @ axes[:, good].T * np.outer(scale, scale)
            push = inner @ columns
            inner = inner - push @ inverse @ push.T
        if joint.parent != GROUND:
            articulated[joint.parent] += shift.T @ inner @ shift
            composite[joint.parent] += shift.T @ whole @ shift


def _held(workshop: Workshop) -> set[str]:
    """Bodies of which permanent constraints speak."""
    rows = [row for x in workshop.constraints.values() if not x.switchable for row in x.rows]
    meanings = workshop.placeholders.meanings
    atoms = [meanings[x] for x in symbols_of(rows) if x in meanings]
    return {name for x in atoms for name in (x.atom.of, x.axes)}


class _Numbers:
    """Spatial inertias of bodies (6×6, about the body frame), and for each joint the 6×6 matrix that takes a twist of
    the parent to the child's frame and the joint's own map in that frame (6×n), all in a general position."""

    def __init__(self, workshop: Workshop, order: Sequence[Pair]) -> None:
        graph = Graph()
        carry = Carrier(graph)
        nodes: list[Node] = []
        for body, joint in order:
            nodes += carry.nodes([body.mass, *body.center, *(x for row in body.inertia for x in row)])
            nodes += self._placed(carry, graph, joint)
        rotors = [carry.nodes((x.rotor.inertia, x.rotor.ratio)) for x in workshop.rotors]
        nodes += [x for pair in rotors for x in pair]
        values = iter(float(x) for x in interpret(nodes, _general(nodes, workshop, order)))

        def take(*shape: int) -> Floats:
            return np.array([next(values) for _ in range(int(np.prod(shape)))]).reshape(shape)

        self.inertias: dict[str, Floats] = {}
        self.joints: dict[str, tuple[Floats, Floats]] = {}
        for body, joint in order:
            self.inertias[body.name] = _spatial(float(take(1)[0]), take(3), take(3, 3))
            rotation, place, end, far = take(3, 3), take(3), take(3, 3), take(3)
            columns = take(joint.motion.np, 6).T
            out = _twist_inward(end, far)
            self.joints[joint.name] = out @ _twist_inward(rotation, place), out @ columns
        self.rotors = {joint.name: np.zeros(joint.motion.np) for _, joint in order}
        for draft, (inertia, ratio) in zip(workshop.rotors, take(len(rotors), 2)):
            if draft.rotor.joint in self.rotors:
                self.rotors[draft.rotor.joint][draft.rotor.index] += inertia * ratio * ratio

    def _placed(self, carry: Carrier, graph: Graph, joint: JointDraft) -> list[Node]:
        motion = carry.motion(joint.motion)
        q = carry.nodes(joint.coordinates)
        moved = carry.pose(joint.in_parent).then(motion.configuration(graph, q))
        end = carry.pose(joint.in_child).inverse()
        return [*_entries(moved), *_entries(end), *(x for column in motion.joint_map(graph, q) for x in column)]


def _general(nodes: Sequence[Node], workshop: Workshop, order: Sequence[Pair]) -> dict[Node, float]:
    """Parameters at their defaults; coordinates at values of their own, at which nothing lines up."""
    values: dict[Node, float] = {}
    for k, symbol in enumerate(symbols_of(nodes)):
        if symbol.role is Role.PARAMETER:
            values[symbol] = workshop.defaults[symbol.name]
        else:
            values[symbol] = 0.3 + 0.6180339887 * (k + 1) % 1.0
    turning = [x for _, x in order if x.motion.orientation is Orientation.QUATERNION]
    names = {symbol.name: symbol for symbol in values}
    for joint in turning:
        four = [x.name for x, k in zip(joint.coordinates, joint.motion.coordinate_order) if k < 4]
        for name, value in zip(four, (0.1, 0.5, -0.7, 0.5)):  # of unit length
            values[names[name]] = value
    return values


def _entries(pose: Pose) -> list[Node]:
    return [*(x for row in pose.rotation.matrix() for x in row), *pose.translation]


def _cross(v: Floats) -> Floats:
    x, y, z = v
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def _twist_inward(rotation: Floats, place: Floats) -> Floats:
    """6×6: a twist of the outer frame as one of the inner frame, which lies in it as given: Ad(X⁻¹)."""
    found = np.zeros((6, 6))
    found[:3, :3] = found[3:, 3:] = rotation.T
    found[3:, :3] = -rotation.T @ _cross(place)
    return found


def _spatial(mass: float, center: Floats, central: Floats) -> Floats:
    """6×6 inertia about the body frame's origin."""
    c = _cross(center)
    found = np.zeros((6, 6))
    found[:3, :3] = central - mass * c @ c
    found[:3, 3:], found[3:, :3] = mass * c, -mass * c
    found[3:, 3:] = mass * np.eye(3)
    return found
