"""A System as a Pinocchio model, made part by part from the System itself, so that the two can be compared.

Pinocchio puts linear before angular parts, keeps a planar joint's angle as cosine and sine, and has joints at poses of
their parent joint. Ours have a pose at both ends; a joint that Pinocchio lacks becomes several of its own in a row, or
a composite of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from jourdain.graph import Node, Role, interpret
from jourdain.model.motion import Motion, Orientation
from jourdain.model.pose import Pose
from jourdain.model.system import GROUND, Body, Joint, System

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Part:
    """One Pinocchio joint within one of ours.

    before, after: poses that lie between this joint's frames and its neighbours'. coordinates: from the joint's
    coordinates (ours) to Pinocchio's. speeds: position in Pinocchio's -> position in the joint's own speeds.
    """

    model: Any
    before: Any
    after: Any
    coordinates: Any
    speeds: tuple[int, ...]


@dataclass
class Bridge:
    """The Pinocchio model, and how states are carried over."""

    system: System
    model: Any
    data: Any = None
    parts: list[tuple[int, slice, slice, Part]] = field(default_factory=list)  # joint id, our q, our u, part

    @property
    def order(self) -> NDArray[np.intp]:
        """For each of Pinocchio's speeds the place of ours (nv,)."""
        found = np.zeros(self.model.nv, np.intp)
        for joint, _, speeds, part in self.parts:
            start = self.model.joints[joint].idx_v
            found[start : start + len(part.speeds)] = [speeds.start + k for k in part.speeds]
        return found

    def configuration(self, q: Array) -> Array:
        """Our coordinates as Pinocchio's (nq,)."""
        found = pin.neutral(self.model)
        for joint, coordinates, _, part in self.parts:
            own = np.asarray(part.coordinates(q[coordinates]))
            start = self.model.joints[joint].idx_q
            found[start : start + own.size] = own
        return np.asarray(found)

    def velocity(self, u: Array) -> Array:
        """Our speeds (or their rates) as Pinocchio's (nv,)."""
        return np.asarray(u[self.order])

    def forces(self, tau: Array) -> Array:
        """Pinocchio's generalized forces as ours."""
        found = np.zeros(len(tau))
        found[self.order] = tau
        return found

    def matrix(self, m: Array) -> Array:
        """A matrix of Pinocchio's over speeds as ours (n, n)."""
        found = np.zeros(m.shape)
        found[np.ix_(self.order, self.order)] = m
        return found

    def columns(self, j: Array) -> Array:
        """A (6, n) matrix of Pinocchio's as ours: columns in our order, angular rows first."""
        j = np.reshape(j, (6, self.model.nv))  # Pinocchio drops the axis where there is one speed
        found = np.zeros(j.shape)
        found[:, self.order] = np.vstack([j[3:], j[:3]])
        return found


def bridge(system: System, composite: bool = False) -> Bridge:
    """The system's tree at its parameters' default values; loads, which Pinocchio has not, are left out.

    composite: joints that need several of Pinocchio's become one composite joint each.
    """
    return _Bridging(system, composite).run()


class _Bridging:
    def __init__(self, system: System, composite: bool) -> None:
        self.system, self.composite = system, composite
        self.model = pin.Model()
        self.stands: dict[str, tuple[int, Any]] = {GROUND: (0, pin.SE3.Identity())}  # body -> its joint, pose there
        self.parts: list[tuple[int, slice, slice, Part]] = []

    def run(self) -> Bridge:
        system, model = self.system, self.model
        model.gravity.linear = self._numbers(system.gravity)
        for index in self._limb_by_limb():
            self._joint(system.joints[index])
            self._body(system.bodies[index])
        found = Bridge(system, model, None, self.parts)
        armature = np.zeros(model.nv)
        for rotor in system.rotors:
            place = system.slices(rotor.joint)[1].start + rotor.index
            inertia, ratio = self._numbers([rotor.inertia, rotor.ratio])
            armature[list(found.order).index(place)] += inertia * ratio**2
        model.armature = armature
        found.data = model.createData()
        return found

    def _limb_by_limb(self) -> list[int]:
        """Pinocchio's mass matrix is right only where every subtree's joints follow each other."""
        children: dict[str, list[int]] = {}
        for index, joint in enumerate(self.system.joints):
            children.setdefault(joint.parent, []).append(index)
        order, waiting = [], children.get(GROUND, [])[::-1]
        while waiting:
            index = waiting.pop()
            order.append(index)
            waiting += children.get(self.system.joints[index].child, [])[::-1]
        return order

    def _numbers(self, nodes: Sequence[Node]) -> Array:
        graph = self.system.graph
        values = {graph.symbol(name, Role.PARAMETER): value for name, value in self.system.defaults.items()}
        return np.array([float(x) for x in interpret(list(nodes), values)])

    def _pose(self, pose: Pose) -> Any:
        rows = [x for row in pose.rotation.matrix() for x in row]
        return pin.SE3(self._numbers(rows).reshape(3, 3), self._numbers(pose.translation))

    def _body(self, body: Body) -> None:
        joint, stand = self.stands[body.name]
        mass = self._numbers([body.mass])[0]
        matrix = self._numbers([x for row in body.inertia for x in row]).reshape(3, 3)
        self.model.appendBodyToJoint(joint, pin.Inertia(mass, self._numbers(body.center), matrix), stand)
        self.model.addFrame(pin.Frame(body.name, joint, stand, pin.FrameType.OP_FRAME))

    def _joint(self, joint: Joint) -> None:
        parent, stand = self.stands[joint.parent]
        place = stand * self._pose(joint.in_parent)
        if joint.prescribed:
            assert all(x.is_zero for x in joint.prescribed_speeds), "Pinocchio has no joints that move as given"
            held = joint.motion.configuration(self.system.graph, joint.prescribed)
            self.stands[joint.child] = (parent, place * self._pose(held) * self._pose(joint.in_child).inverse())
            return
        columns = [self._numbers(column) for column in joint.motion.columns]
        parts = pinocchio_parts(joint.motion, columns)
        if self.composite and len(parts) > 1:
            parts = [composed(parts)]
        q, u = self.system.slices(joint.name)
        for number, part in enumerate(parts):
            place = place * part.before
            parent = self.model.addJoint(parent, part.model, place, f"{joint.name}/{number}")
            self.parts.append((parent, q, u, part))
            place = part.after
        self.stands[joint.child] = (parent, place * self._pose(joint.in_child).inverse())


def pinocchio_parts(motion: Motion, columns: Sequence[Array]) -> list[Part]:
    """A joint's Pinocchio joints, from the parent outwards."""
    here = pin.SE3.Identity()
    if motion.np == 0:
        return []
    if motion.kind == "planar":
        return [Part(pin.JointModelPlanar(), here, here, lambda q: [q[0], q[1], np.cos(q[2]), np.sin(q[2])], (0, 1, 2))]
    if motion.kind == "spherical":
        return [Part(pin.JointModelSpherical(), here, here, _turned(motion), (0, 1, 2))]
    if motion.kind == "free":
        turned = _turned(motion)
        return [
            Part(pin.JointModelFreeFlyer(), here, here, lambda q: [*q[:3], *turned(q[3:])], (3, 4, 5, 0, 1, 2))
        ]
    assert motion.orientation is Orientation.ANGLES
    if all(not column[:3].any() for column in columns) and motion.np == 3 and np.allclose(columns, np.eye(6)[3:]):
        return [Part(pin.JointModelTranslation(), here, here, lambda q: q, (0, 1, 2))]
    # The last column acts nearest the fixed frame. Rates are speeds where every group has one column, or where the
    # columns of a group do not turn one another (cylindrical).
    assert all(size == 1 for size in motion.groups) or motion.kind == "cylindrical"
    found = []
    for k in reversed(range(motion.np)):
        q_at, u_at = motion.coordinate_order.index(k), motion.speed_order.index(k)
        found.append(_one_column(columns[k], q_at, u_at))
    return found


def _one_column(column: Array, q_at: int, u_at: int) -> Part:
    """A turn, a slide or a screw about a line anywhere."""
    w, v = column[:3], column[3:]
    here = pin.SE3.Identity()
    size = float(np.linalg.norm(w))

    def scaled(rate: float) -> Any:
        assert abs(rate - 1.0) < 1e-12, "Pinocchio's axes have unit length"
        return lambda q: [q[q_at]]

    if size == 0.0:
        return Part(_slide(v), here, here, scaled(float(np.linalg.norm(v))), (u_at,))
    axis, pitch = w / size, float(w @ v) / size**2
    foot = np.cross(w, v) / size**2
    before, after = pin.SE3(np.eye(3), foot), pin.SE3(np.eye(3), -foot)
    return Part(_turn(axis) if pitch == 0.0 else _screw(axis, pitch), before, after, scaled(size), (u_at,))


def _turn(axis: Array) -> Any:
    known = {(1, 0, 0): pin.JointModelRX, (0, 1, 0): pin.JointModelRY, (0, 0, 1): pin.JointModelRZ}
    make = known.get(tuple(axis))
    return make() if make else pin.JointModelRevoluteUnaligned(axis)


def _slide(axis: Array) -> Any:
    known = {(1, 0, 0): pin.JointModelPX, (0, 1, 0): pin.JointModelPY, (0, 0, 1): pin.JointModelPZ}
    make = known.get(tuple(axis))
    return make() if make else pin.JointModelPrismaticUnaligned(axis)


def _screw(axis: Array, pitch: float) -> Any:
    known = {(1, 0, 0): pin.JointModelHX, (0, 1, 0): pin.JointModelHY, (0, 0, 1): pin.JointModelHZ}
    make = known.get(tuple(axis))
    return make(pitch) if make else pin.JointModelHelicalUnaligned(axis, pitch)


def composed(parts: Sequence[Part]) -> Part:
    """The parts as one composite joint; what comes after the last one stays outside."""
    whole = pin.JointModelComposite()
    place = pin.SE3.Identity()
    for part in parts:
        whole.addJoint(part.model, place * part.before)
        place = part.after
    return Part(
        whole, pin.SE3.Identity(), place, lambda q: [x for part in parts for x in part.coordinates(q)],
        tuple(k for part in parts for k in part.speeds),
    )


def _turned(motion: Motion) -> Any:
    """The quaternion, from itself or from roll, pitch and yaw: R = Rz Ry Rx."""
    if motion.orientation is Orientation.QUATERNION:
        return lambda q: q
    return lambda q: pin.Quaternion(pin.rpy.rpyToMatrix(*q)).coeffs()
