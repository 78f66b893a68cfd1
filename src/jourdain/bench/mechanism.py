"""A tree of rigid bodies as plain numbers, which every peer can be given; and how its states are ours in other words.

Conventions of the plain form are Pinocchio's: a free joint has q = position, quaternion (x, y, z, w) and v = linear,
then angular velocity; a planar joint q = x, y, cos, sin; both velocities in the moved frame.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..graph import Graph, Node, Role, interpret
from ..model.motion import Motion
from ..model.pose import Pose
from ..model.system import GROUND, System

Array = NDArray[np.float64]

MANIFOLDS = {"planar": (4, 3), "spherical": (4, 3), "free": (7, 6)}  # kind -> coordinates, speeds in the plain form


class Unsupported(ValueError):
    """A mechanism that the plain form, or a peer, has no words for; the message says which part of it."""


@dataclass(frozen=True)
class Step:
    """One elementary freedom: a turn, slide or screw along a unit axis at `translation` of the frame before it.

    kind: "revolute", "prismatic" or "screw"; pitch [m/rad] is a screw's.
    """

    kind: str
    axis: Array  # (3,)
    translation: Array  # (3,) [m]
    pitch: float = 0.0


@dataclass(frozen=True)
class Link:
    """A joint and everything that is fixed in its moving frame.

    parent: index of the parent link, −1 for the ground. kind: a key of MANIFOLDS, or "steps".
    rotation, translation: the joint's fixed frame in the parent's moving frame.
    mass [kg]; center: mass centre [m]; inertia: about it, axes of the moving frame [kg m²].
    armature: inertia added to each speed [kg m²].
    """

    name: str
    parent: int
    kind: str
    steps: tuple[Step, ...]
    rotation: Array
    translation: Array
    mass: float
    center: Array
    inertia: Array
    armature: Array

    @property
    def nq(self) -> int:
        """Number of coordinates in the plain form."""
        return MANIFOLDS[self.kind][0] if self.kind in MANIFOLDS else len(self.steps)

    @property
    def nv(self) -> int:
        """Number of speeds."""
        return MANIFOLDS[self.kind][1] if self.kind in MANIFOLDS else len(self.steps)


@dataclass(frozen=True)
class Mechanism:
    """Links, parents first, under gravity [m/s²]; and the map from a System's states.

    speeds: (nv, nv), v = speeds u; forces go the other way, τ_ours = speedsᵀ τ.
    """

    name: str
    gravity: Array
    links: tuple[Link, ...]
    speeds: Array
    system: System

    @property
    def nq(self) -> int:
        """Number of coordinates in the plain form."""
        return sum(link.nq for link in self.links)

    @property
    def nv(self) -> int:
        """Number of speeds."""
        return sum(link.nv for link in self.links)

    def configuration(self, q: ArrayLike) -> Array:
        """Our coordinates (n,) in the plain form (nq,)."""
        values = np.asarray(q, dtype=np.float64)
        parts: list[Array] = []
        start = 0
        for joint in self.system.joints:
            if joint.prescribed:
                continue
            own = values[start : start + joint.motion.nq]
            start += joint.motion.nq
            if joint.motion.kind in MANIFOLDS:
                parts.append(_on_manifold(joint.motion, own))
            elif joint.motion.np:
                inner = np.empty(len(own))
                inner[list(joint.motion.coordinate_order)] = own
                numbers = _columns(joint.motion, _parameter_values(self.system))
                parts.append((inner * [_scale(column) for column in numbers])[::-1])
        return np.concatenate(parts) if parts else np.zeros(0)


def mechanism(system: System) -> Mechanism:
    """The system in the plain form, with its parameters' default values; its loads are left out.

    Raises Unsupported for prescribed joints and for joints that are neither familiar nor a sequence of single
    columns.
    """
    values = _parameter_values(system)
    links: list[Link] = []
    carrier: dict[str, tuple[int, Array, Array]] = {GROUND: (-1, np.eye(3), np.zeros(3))}  # link, and pose in it
    blocks: list[Array] = []
    for body, joint in zip(system.bodies, system.joints):
        if any(not x.is_static for x in joint.prescribed):
            raise Unsupported(f"joint {joint.name!r} moves as given; the peers have no such joints")
        parent, outer_r, outer_t = carrier[joint.parent]
        fixed_r, fixed_t = _numbers(joint.in_parent, values)
        moving_r, moving_t = _numbers(joint.in_child, values)
        placed_r, placed_t = outer_r @ fixed_r, outer_t + outer_r @ fixed_t
        if joint.prescribed:  # held where it is
            held_r, held_t = _numbers(joint.motion.configuration(system.graph, joint.prescribed), values)
            placed_r, placed_t = placed_r @ held_r, placed_t + placed_r @ held_t
        fixed = bool(joint.prescribed) or not joint.motion.np
        steps, after, block = ((), np.zeros(3), np.zeros((0, 0))) if fixed else _steps(joint.motion, joint.name, values)
        blocks.append(block)
        body_r = moving_r.T  # body frame in the joint's moving frame
        body_t = after - body_r @ moving_t
        if fixed:  # the body belongs to the link that carries it
            body_r, body_t, index = placed_r @ body_r, placed_t + placed_r @ body_t, parent
        else:
            index = len(links)
            kind = joint.motion.kind if joint.motion.kind in MANIFOLDS else "steps"
            links.append(_bare(joint.name, parent, kind, steps, placed_r, placed_t, joint.motion.np))
        carrier[body.name] = index, body_r, body_t
        if index >= 0:
            mass, *rest = _values([body.mass, *body.center, *(x for row in body.inertia for x in row)], values)
            center = body_t + body_r @ np.array(rest[:3])
            inertia = body_r @ np.array(rest[3:]).reshape(3, 3) @ body_r.T
            links[index] = _with_body(links[index], mass, center, inertia)
    speeds = _block_diagonal(blocks)
    found = Mechanism(system.name, np.array(_values(system.gravity, values)), tuple(links), speeds, system)
    return _with_rotors(found, values)


# -- joints ---------------------------------------------------------------------------------------------------------


def _steps(motion: Motion, name: str, values: Mapping[Node, float]) -> tuple[tuple[Step, ...], Array, Array]:
    """Elementary steps from the fixed frame outwards, the shift that remains after them, and v = block u."""
    if motion.kind in MANIFOLDS:
        return (), np.zeros(3), _manifold_speeds(motion)
    if any(size > 1 for size in motion.groups) and motion.kind != "cylindrical":
        raise Unsupported(f"joint {name!r} has a simple joint of {max(motion.groups)} columns; the peers have none")
    columns = _columns(motion, values)
    steps: list[Step] = []
    shift = np.zeros(3)
    for angular, linear in reversed(columns):  # the last column acts nearest the fixed frame
        rate = float(np.linalg.norm(angular))
        if rate == 0.0:
            steps.append(Step("prismatic", linear / np.linalg.norm(linear), shift))
            shift = np.zeros(3)
            continue
        axis = angular / rate
        pitch = float(axis @ linear) / rate
        point = np.cross(axis, linear) / rate  # of the axis, nearest the frame's origin
        steps.append(Step("screw" if pitch else "revolute", axis, shift + point, pitch))
        shift = -point
    block = np.zeros((motion.np, motion.np))
    for position, k in enumerate(motion.speed_order):
        block[motion.np - 1 - k, position] = _scale(columns[k])
    return tuple(steps), shift, block


def _columns(motion: Motion, values: Mapping[Node, float]) -> list[tuple[Array, Array]]:
    found = [np.array(_values(column, values)) for column in motion.columns]
    return [(x[:3], x[3:]) for x in found]


def _scale(column: tuple[Array, Array]) -> float:
    """What a unit of the coordinate turns (or slides, where nothing turns)."""
    angular, linear = column
    return float(np.linalg.norm(angular) or np.linalg.norm(linear))


def _manifold_speeds(motion: Motion) -> Array:
    """v = block u: the twist's components that the plain form counts, linear ones first."""
    graph = Graph()
    q = [graph.constant(x) for x in motion.neutral()]
    twist = np.array([_values(column, {}) for column in motion.moved_to(graph).joint_map(graph, q)]).T
    rows = {"planar": [3, 4, 2], "spherical": [0, 1, 2], "free": [3, 4, 5, 0, 1, 2]}[motion.kind]
    return np.array(twist[rows])


def _on_manifold(motion: Motion, own: Array) -> Array:
    """The joint's pose as the plain form's coordinates."""
    graph = Graph()
    symbols = [graph.symbol(f"q{i}", Role.COORDINATE) for i in range(len(own))]
    pose = motion.moved_to(graph).configuration(graph, symbols)
    rotation, place = _numbers(pose, dict(zip(symbols, own.tolist())))
    if motion.kind == "planar":
        return np.array([place[0], place[1], rotation[0, 0], rotation[1, 0]])
    turned = quaternion(rotation)
    return turned if motion.kind == "spherical" else np.concatenate([place, turned])


def quaternion(rotation: Array) -> Array:
    """Unit quaternion (x, y, z, w) of a rotation matrix, found from its largest component."""
    r = rotation
    # 4 q qᵀ, of which every row is q times one of its components (Shepperd 1978).
    outer = np.array([
        [1 + r[0, 0] - r[1, 1] - r[2, 2], r[0, 1] + r[1, 0], r[0, 2] + r[2, 0], r[2, 1] - r[1, 2]],
        [r[0, 1] + r[1, 0], 1 - r[0, 0] + r[1, 1] - r[2, 2], r[1, 2] + r[2, 1], r[0, 2] - r[2, 0]],
        [r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], 1 - r[0, 0] - r[1, 1] + r[2, 2], r[1, 0] - r[0, 1]],
        [r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1], 1 + r[0, 0] + r[1, 1] + r[2, 2]],
    ])
    row: Array = outer[int(np.argmax(np.diagonal(outer)))]
    return row / np.linalg.norm(row)


# -- bodies ---------------------------------------------------------------------------------------------------------


def _bare(
    name: str, parent: int, kind: str, steps: tuple[Step, ...], rotation: Array, translation: Array, freedoms: int
) -> Link:
    """A link without any body yet."""
    none, zero = np.zeros(3), np.zeros((3, 3))
    return Link(name, parent, kind, steps, rotation, translation, 0.0, none, zero, np.zeros(freedoms))


def _with_body(link: Link, mass: float, center: Array, inertia: Array) -> Link:
    """The link with one more body fixed in it."""
    total = link.mass + mass
    if total == 0.0:
        return replace(link, inertia=link.inertia + inertia)
    middle = (link.mass * link.center + mass * center) / total
    both = link.inertia + inertia + _spread(link.mass, link.center - middle) + _spread(mass, center - middle)
    return replace(link, mass=total, center=middle, inertia=both)


def _spread(mass: float, r: Array) -> Array:
    return mass * (float(r @ r) * np.eye(3) - np.outer(r, r))


def _with_rotors(found: Mechanism, values: Mapping[Node, float]) -> Mechanism:
    if not found.system.rotors:
        return found
    added = np.zeros(found.nv)
    for rotor in found.system.rotors:
        inertia, ratio = _values([rotor.inertia, rotor.ratio], values)
        _, speeds = found.system.slices(rotor.joint)
        if speeds.start == speeds.stop:  # the rotor of a locked joint stands still
            continue
        column = found.speeds[:, speeds.start + rotor.index]
        row = int(np.argmax(np.abs(column)))
        added[row] += inertia * ratio**2 / column[row] ** 2
    links, start = [], 0
    for link in found.links:
        links.append(replace(link, armature=added[start : start + link.nv]))
        start += link.nv
    return replace(found, links=tuple(links))


# -- numbers of graph nodes -----------------------------------------------------------------------------------------


def _parameter_values(system: System) -> dict[Node, float]:
    return {x: float(system.defaults[x.name]) for x in system.graph.symbols if x.role is Role.PARAMETER}


def _values(nodes: Sequence[Node], values: Mapping[Node, float]) -> list[float]:
    return [float(x) for x in interpret(list(nodes), values)]


def _numbers(pose: Pose, values: Mapping[Node, float]) -> tuple[Array, Array]:
    rows = [x for row in pose.rotation.matrix() for x in row]
    found = _values([*rows, *pose.translation], values)
    return np.array(found[:9]).reshape(3, 3), np.array(found[9:])


def _block_diagonal(blocks: Sequence[Array]) -> Array:
    total = np.zeros((sum(len(b) for b in blocks),) * 2)
    start = 0
    for block in blocks:
        total[start : start + len(block), start : start + len(block)] = block
        start += len(block)
    return total


__all__ = ["MANIFOLDS", "Link", "Mechanism", "Step", "Unsupported", "mechanism", "quaternion"]
