"""Where a mechanism's bodies and joints are in one general position: what a drawing of it needs, as numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..equations.constraints import bonds
from ..equations.generalized import mechanics_of
from ..equations.mechanics import Mechanics
from ..equations.redundancy import assembled_state
from ..graph import Node, Role, interpret, symbols_of
from ..graph.operations import NEG
from ..model.joints import COORDINATE
from ..model.motion import Orientation
from ..model.pose import Pose
from ..model.system import GROUND, Constraint, Joint, Level, System
from ..spatial import Vector

Floats = NDArray[np.float64]
ANGLES = (0.55, 0.8, -0.65, 0.5, 0.7, -0.45)  # rad, in turn: nothing lines up, nothing folds back far
QUATERNION = (0.16, -0.22, 0.3, 0.914)
FLAT = 1e-9
MET = 1e-6  # of the mechanism's size: how near points are that a loop holds together
TRAVEL = 0.4  # of the mechanism's largest length


@dataclass(frozen=True)
class PlacedJoint:
    """start, end: origins of the joint's fixed and moved frames [m]; turns, slides: unit axes; all in the ground."""

    joint: Joint
    start: Floats
    end: Floats
    turns: tuple[Floats, ...]
    slides: tuple[Floats, ...]


@dataclass(frozen=True)
class PlacedBody:
    """origin: where its joint holds it; center: mass centre; ends: joints and named points further out [m]; spread: the
    matrix (3, 3) of squared semi-axes [m²] of the ellipsoid that has its inertia."""

    name: str
    origin: Floats
    center: Floats
    ends: tuple[Floats, ...]
    spread: Floats


@dataclass(frozen=True)
class PlacedWheel:
    """A point that is kept from moving along an axis, as a wheel or a knife edge keeps it: the constraint, its place
    [m], the unit axis in the ground, whether it can be switched off, the bodies that carry the point and the axis."""

    constraint: str
    at: Floats
    axis: Floats
    switchable: bool
    body: str
    axes: str


@dataclass(frozen=True)
class PlacedPin:
    """Where a loop is closed: the constraint, the place [m] at which points of two bodies meet, and one of these."""

    constraint: str
    at: Floats
    body: str


@dataclass(frozen=True)
class Posture:
    """A mechanism in one position; gravity [m/s²]; poses: of all bodies and the ground (4, 4), by name; points:
    named ones, in the ground [m]."""

    bodies: tuple[PlacedBody, ...]
    joints: tuple[PlacedJoint, ...]
    gravity: Floats
    size: float
    poses: Mapping[str, Floats]
    points: Mapping[str, Floats]
    wheels: tuple[PlacedWheel, ...] = ()
    pins: tuple[PlacedPin, ...] = ()


def posture(
    system: System, parameters: Mapping[str, float] | None = None, poses: Mapping[str, Floats] | None = None
) -> Posture:
    """A position in which nothing hides behind something else by design, or that in which the bodies have these poses.

    parameters: their values; the declared ones if left out. poses: of all bodies (4, 4), by name.
    """
    return _Posing(system, parameters or system.defaults).run(poses)


class _Posing:
    def __init__(self, system: System, parameters: Mapping[str, float]) -> None:
        self.system, self.parameters = system, parameters
        offsets = [x for joint in system.joints for x in joint.in_parent.translation]
        offsets += [x for body in system.bodies for x in body.center]
        self.held = [(x.name, _points(system, x)) for x in system.conditions if x.level is Level.POSITION]
        offsets += [x for _, points in self.held for _, offset in points for x in offset or ()]
        lengths = np.abs(self._static(offsets))
        self.size = float(lengths.max(initial=0.0)) or 1.0

    def run(self, given: Mapping[str, Floats] | None) -> Posture:
        system = self.system
        poses = self._poses() if given is None else {GROUND: np.eye(4), **given}
        frames: list[tuple[Floats, Floats]] = []
        for joint in system.joints:
            fixed = poses[joint.parent] @ self._pose(joint.in_parent)
            frames.append((fixed, poses[joint.child] @ self._pose(joint.in_child)))
        ends: dict[str, list[Floats]] = {body.name: [] for body in system.bodies}
        for joint, (fixed, _) in zip(system.joints, frames):
            if joint.parent != GROUND:
                ends[joint.parent].append(fixed[:3, 3])
        placed_points = {x.name: _at(poses[x.body], self._static(x.offset)) for x in system.points.values()}
        for point in system.points.values():
            if point.body != GROUND:
                ends[point.body].append(placed_points[point.name])
        pins: list[PlacedPin] = []
        for name, points in self.held:
            placed = [(of, _at(poses[of], self._static(x)) if x else poses[of][:3, 3]) for of, x in points]
            for k, (carrier, at) in enumerate(placed):
                ends[carrier].append(at)
                if any(np.linalg.norm(at - x) < MET * self.size for other, x in placed[:k] if other != carrier):
                    pins.append(PlacedPin(name, at, carrier))
        bodies = []
        for body, (_, moved) in zip(system.bodies, frames):
            pose = poses[body.name]
            center = _at(pose, self._static(body.center))
            spread = self._spread(body.name, pose)
            bodies.append(PlacedBody(body.name, moved[:3, 3], center, tuple(ends[body.name]), spread))
        # What only counts a coordinate, or follows from others, has no joint to be drawn.
        counting = {joint.child for joint in system.joints if joint.motion.kind == COORDINATE}
        bodies = [body for body in bodies if body.name not in counting]
        drawn = [x for x in zip(system.joints, frames) if x[0].guide is None and x[0].child not in counting]
        joints = tuple(self._joint(joint, *pair) for joint, pair in drawn)
        return Posture(
            tuple(bodies), joints, self._static(system.gravity), self.size, poses, placed_points,
            tuple(self._wheels(poses)), tuple(pins),
        )  # fmt: skip

    def _wheels(self, poses: Mapping[str, Floats]) -> Iterator[PlacedWheel]:
        """Rows that are a component of a point's velocity."""
        for condition in self.system.conditions:
            for row in condition.rows:
                quantity = self.system.quantities.get(row.args[0] if row.op is NEG else row)
                if quantity is None or quantity.kind != "velocity":
                    continue
                pose = poses[quantity.of]
                at = pose[:3, 3] if quantity.offset is None else _at(pose, self._static(quantity.offset))
                axis = poses[quantity.axes][:3, quantity.component]
                yield PlacedWheel(condition.name, at, axis, condition.switchable, quantity.of, quantity.axes)

    def _joint(self, joint: Joint, fixed: Floats, moved: Floats) -> PlacedJoint:
        turns: list[Floats] = []
        slides: list[Floats] = []
        for column in joint.motion.columns:
            h = self._static(column)
            for axes, part in ((turns, h[:3]), (slides, h[3:])):
                if np.linalg.norm(part) > 0.0:
                    axes.append(moved[:3, :3] @ part / np.linalg.norm(part))
        return PlacedJoint(joint, fixed[:3, 3], moved[:3, 3], tuple(turns), tuple(slides))

    def _spread(self, name: str, pose: Floats) -> Floats:
        body = self.system.body(name)
        values = self._static([body.mass, *(x for row in body.inertia for x in row)])
        if values[0] <= 0.0:
            return np.zeros((3, 3))
        inertia = values[1:].reshape(3, 3)
        # A homogeneous ellipsoid has ∫ x xᵀ dm = (m / 5) A, a flat disc (m / 4) A, and that is tr(I)/2 − I.
        second = 0.5 * np.trace(inertia) * np.eye(3) - inertia
        sizes, axes = np.linalg.eigh(second)
        share = 4.0 if sizes[0] <= FLAT * sizes[2] else 5.0
        turned = pose[:3, :3] @ axes
        return np.asarray(turned * np.maximum(sizes, 0.0) @ turned.T * (share / values[0]))

    # -- numbers ------------------------------------------------------------------------------------------------

    def _static(self, nodes: Sequence[Node]) -> Floats:
        values = {x: self.parameters[x.name] for x in symbols_of(nodes)}
        return np.array([float(x) for x in interpret(list(nodes), values)])

    def _pose(self, pose: Pose) -> Floats:
        found = np.eye(4)
        found[:3, :3] = self._static([x for row in pose.rotation.matrix() for x in row]).reshape(3, 3)
        found[:3, 3] = self._static(pose.translation)
        return found

    def _poses(self) -> dict[str, Floats]:
        mechanics = mechanics_of(self.system)
        entries = [x for body in self.system.bodies for row in mechanics.pose(body.name) for x in row]
        coordinates = self._coordinates()
        coordinates |= self._assembled(mechanics, coordinates)
        values: dict[Node, float] = {}
        for x in symbols_of(entries):
            if x.role is Role.PARAMETER:
                values[x] = self.parameters[x.name]
            elif x.role is Role.INPUT:
                values[x] = self.system.input_values[x.name]
            else:
                values[x] = coordinates.get(x.name, 0.0)
        numbers = np.array([float(x) for x in interpret(entries, values)]).reshape(-1, 4, 4)
        return {GROUND: np.eye(4), **{body.name: pose for body, pose in zip(self.system.bodies, numbers)}}

    def _assembled(self, mechanics: Mechanics, near: Mapping[str, float]) -> dict[str, float]:
        """Coordinates at which loops are closed; none where there is nothing to close or no such position was found."""
        names = [x.name for x in self.system.conditions if x.level is Level.POSITION and not x.switchable]
        if not names:
            return {}
        state, closed = assembled_state(mechanics, bonds(mechanics, names), near)
        return {x.name: value for x, value in state.items() if x.role is Role.COORDINATE} if closed else {}

    def _coordinates(self) -> dict[str, float]:
        found: dict[str, float] = {}
        turned = 0
        for joint in self.system.joints:
            motion = joint.motion
            quaternion = motion.orientation is Orientation.QUATERNION
            for symbol, k in zip(joint.coordinates, motion.coordinate_order):
                if quaternion and k < 4:
                    found[symbol.name] = QUATERNION[k]
                    continue
                column = motion.columns[k - quaternion]
                if all(x.is_zero for x in column[:3]):
                    found[symbol.name] = TRAVEL * self.size
                else:
                    found[symbol.name] = ANGLES[turned % len(ANGLES)]
                    turned += 1
        return found


def _points(system: System, condition: Constraint) -> list[tuple[str, Vector | None]]:
    """The moving points whose positions a constraint speaks of: bodies and offsets, None for an origin."""
    quantities = [system.quantities.get(x) for x in symbols_of(condition.rows)]
    found = {(x.of, x.offset): None for x in quantities if x is not None and x.kind == "position" and x.of != GROUND}
    return [(body, None if offset is None else Vector(*offset)) for body, offset in found]


def _at(pose: Floats, offset: Floats) -> Floats:
    return np.asarray(pose[:3, :3] @ offset + pose[:3, 3])
