"""Where the links' frames stand: at the joints, turned and slid so that as few numbers as possible must be carried.

A link's frame is ours to choose. For a joint that turns about an axis, the frame may slide along it and turn about it
by a fixed angle, which joins the joint's own angle; for a joint that slides, the frame may stand anywhere and be turned
at will. Frames chosen well have offsets with one or two entries and elementary turns between them, as Denavit and
Hartenberg's have. Nothing is rounded: a fixed angle that misses a quarter turn by 1e-12 keeps missing it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..graph import Graph, Node
from ..graph.operations import COS, NEG, SIN
from ..model.motion import Motion
from ..model.pose import Pose
from ..spatial import Given, Matrix, Rotation, Turn, Vector

Floats = NDArray[np.float64]
EXACT = 4 * np.finfo(float).eps


@dataclass(slots=True)
class Stand:
    """A link whose frame is not settled yet.

    parent: index of the parent link, −1 for the ground. placement: of the joint's fixed frame in the parent's frame.
    motion: a simple joint; q: its coordinates, as expressions; speeds: places of its speeds.
    """

    name: str
    parent: int
    placement: Pose
    motion: Motion
    q: list[Node]
    speeds: tuple[int, ...]

    @property
    def axis(self) -> int | None:
        """The coordinate axis that a joint of one freedom turns about or slides along; None for other joints."""
        if self.motion.np != 1:
            return None
        column = self.motion.columns[0]
        present = [k for k in range(6) if not column[k].is_zero]
        if len(present) == 1:
            return present[0] % 3
        screw = len(present) == 2 and present[1] == present[0] + 3
        return present[0] if screw else None

    @property
    def slides(self) -> bool:
        """Whether the joint only slides."""
        return all(column[k].is_zero for column in self.motion.columns for k in range(3))

    @property
    def turns(self) -> bool:
        """Whether the joint only turns, about a coordinate axis; a fixed angle added to a screw would slide it too."""
        return self.axis is not None and all(x.is_zero for x in self.motion.columns[0][3:])


def settle(graph: Graph, stands: Sequence[Stand], links: dict[str, int], poses: dict[str, Pose]) -> None:
    """Chooses all links' frames; `links` and `poses` say where the bodies' frames are fixed, and are updated."""
    _Settling(graph, list(stands), links, poses).run()


class _Settling:
    def __init__(self, graph: Graph, stands: list[Stand], links: dict[str, int], poses: dict[str, Pose]) -> None:
        self.graph, self.stands, self.links, self.poses = graph, stands, links, poses
        self.children: list[list[int]] = [[] for _ in stands]
        for index, stand in enumerate(stands):
            if stand.parent >= 0:
                self.children[stand.parent].append(index)
        self.bodies: list[list[str]] = [[] for _ in stands]
        for name, link in links.items():
            if link >= 0:
                self.bodies[link].append(name)

    def run(self) -> None:
        for index in range(len(self.stands)):
            self._align(index)
        for index in range(len(self.stands)):
            self._turn(index)
        for index in reversed(range(len(self.stands))):
            self._slide_prismatic(index)
        for index in range(len(self.stands)):
            self._slide(index)

    def _regauge(self, index: int, gauge: Pose) -> None:
        """The link's frame moves by `gauge`, seen in the old one; what is fixed in the link stays where it is."""
        back = gauge.inverse()
        for child in self.children[index]:
            self.stands[child].placement = _then(back, self.stands[child].placement)
        for name in self.bodies[index]:
            self.poses[name] = _then(back, self.poses[name])

    def _both(self, index: int, gauge: Pose) -> None:
        """The joint's fixed and moving frames move together by `gauge`."""
        stand = self.stands[index]
        stand.placement = _then(stand.placement, gauge)
        self._regauge(index, gauge)

    # -- turning ------------------------------------------------------------------------------------------------

    def _align(self, index: int) -> None:
        """An oblique axis of one freedom becomes the z axis; a sliding link takes its parent's orientation."""
        stand = self.stands[index]
        if stand.motion.np != 1:
            return
        rotation = _numbers(stand.placement.rotation)
        column = stand.motion.columns[0]
        still = Vector.zero(self.graph)
        if stand.slides and rotation is not None and not _is_permutation(rotation):
            direction = stand.placement.rotation.inward(Vector(*column[3:]))
            self._both(index, Pose(stand.placement.rotation.inverse(), still))
            stand.motion = _with_column(stand.motion, still, direction)
            return
        angular, linear = Vector(*column[:3]), Vector(*column[3:])
        if stand.axis is not None or stand.slides or not all(x.is_constant for x in angular):
            return
        numbers = np.array([x.value for x in angular])
        rows = Rotation.given(self.graph, _matrix(self.graph, _with_z_along(numbers)))
        self._both(index, Pose(rows, still))
        along = Vector.unit(self.graph, 2) * float(np.linalg.norm(numbers))
        if angular.cross(linear).is_zero or _parallel(numbers, linear):
            pitch = linear.dot(angular) * (1.0 / float(numbers @ numbers))
            stand.motion = _with_column(stand.motion, along, along * pitch)
        else:
            stand.motion = _with_column(stand.motion, along, rows.outward(linear))

    def _turn(self, index: int) -> None:
        """A placement R_i(a) R_m(φ) R_k(b) between axes i and k: a joins the parent's angle, b the joint's own."""
        stand = self.stands[index]
        axis = stand.axis
        if axis is None or not stand.turns or stand.parent < 0:
            return  # what is fixed in the ground is computed once anyway
        rotation = _numbers(stand.placement.rotation)
        if rotation is not None and not _is_permutation(rotation):
            outer = self.stands[stand.parent].axis
            outer = (axis + 1) % 3 if outer is None else outer
            factors = _between(self.graph, rotation, outer, axis)
            stand.placement = Pose(Rotation(self.graph, factors), stand.placement.translation)
        self._give_to_parent(stand)
        self._take_as_own(stand, axis)

    def _give_to_parent(self, stand: Stand) -> None:
        """A fixed first turn about the axis of a parent that turns is a matter of where the parent's angle begins."""
        parent = self.stands[stand.parent]
        factors = stand.placement.rotation.factors
        first, *others = (self.stands[k] for k in self.children[stand.parent])
        if not factors or not parent.turns or parent.axis is None or first is not stand:
            return
        angle = _angle(factors[0], parent.axis)
        if angle is None or any(_is_plain(other.placement.rotation) for other in others):
            return
        parent.q[0] = parent.q[0] + angle / parent.motion.columns[0][parent.axis]
        self._regauge(stand.parent, Pose(Rotation(self.graph, factors[:1]), Vector.zero(self.graph)))
        stand.placement = Pose(Rotation(self.graph, factors[1:]), stand.placement.translation)

    def _take_as_own(self, stand: Stand, axis: int) -> None:
        factors = stand.placement.rotation.factors
        angle = _angle(factors[-1], axis) if factors else None
        if angle is not None:
            stand.q[0] = stand.q[0] + angle / stand.motion.columns[0][axis]
            stand.placement = Pose(Rotation(self.graph, factors[:-1]), stand.placement.translation)

    # -- sliding ------------------------------------------------------------------------------------------------

    def _slide_prismatic(self, index: int) -> None:
        """A link that only slides has its origin where its one child's joint is."""
        stand = self.stands[index]
        if stand.slides and stand.motion.np == 1:
            children = self.children[index]
            goal: Vector | None
            if len(children) == 1:
                goal = self.stands[children[0]].placement.translation
            else:
                goal = None if children else -stand.placement.rotation.outward(stand.placement.translation)
            if goal is not None and not goal.is_zero:
                self._both(index, Pose(Rotation(self.graph), goal))

    def _slide(self, index: int) -> None:
        """A link that turns has its origin at the place on its axis where fewest entries of offsets are left."""
        stand = self.stands[index]
        axis = stand.axis
        if axis is None or stand.slides:
            return
        graph = self.graph
        direction = stand.placement.rotation.inward(Vector.unit(graph, axis))
        offset = stand.placement.translation
        tries = [self.stands[k].placement.translation[axis] for k in self.children[index]]
        reachable = [k for k in range(3) if direction[k].is_constant and not direction[k].is_zero]
        tries += [-(offset[k] / direction[k]) for k in reachable]
        best = self._entries(index)
        chosen: Pose | None = None
        for distance in tries:
            if distance.is_zero:
                continue
            gauge = Pose(Rotation(graph), Vector.unit(graph, axis) * distance)
            entries = sum(not _negligible(x, offset) for x in offset + direction * distance) if stand.parent >= 0 else 0
            for child in self.children[index]:
                there = self.stands[child].placement.translation
                entries += sum(not _negligible(x, there) for x in there - gauge.translation)
            if entries < best:
                best, chosen = entries, gauge
        if chosen is not None:
            self._both(index, chosen)

    def _entries(self, index: int) -> int:
        stand = self.stands[index]
        own = 0 if stand.parent < 0 else sum(not x.is_zero for x in stand.placement.translation)
        return own + sum(
            not x.is_zero for child in self.children[index] for x in self.stands[child].placement.translation
        )


def _then(outer: Pose, inner: Pose) -> Pose:
    """One pose inside another; factors are multiplied out only where both turn."""
    both = outer.then(inner)
    return plain(both) if outer.rotation.factors and inner.rotation.factors else both


def plain(pose: Pose) -> Pose:
    """The same pose with constant factors of its rotation multiplied out, rounding of zeros undone."""
    return Pose(_condensed(pose.rotation), pose.translation)


def _condensed(rotation: Rotation) -> Rotation:
    if not rotation.factors:
        return rotation
    graph = rotation.graph
    factors: list[Turn | Given] = []
    run: list[Turn | Given] = []
    for factor in (*rotation.factors, None):
        if factor is not None and all(x.is_constant for row in factor.matrix() for x in row):
            run.append(factor)
            continue
        if len(run) == 1:
            factors += [x for x in run if not np.array_equal(_values(x.matrix()), np.eye(3))]
        elif run:
            product = np.eye(3)
            for x in run:
                product = product @ _values(x.matrix())
            factors += _elementary(graph, _cleaned(product))
        run = []
        if factor is not None:
            factors.append(factor)
    return Rotation(graph, tuple(factors))


def _elementary(graph: Graph, rotation: Floats) -> list[Turn | Given]:
    """A numeric rotation as a turn about a coordinate axis where it is one."""
    if np.array_equal(rotation, np.eye(3)):
        return []
    for k in range(3):
        if rotation[k, k] == 1.0:
            i, j = (k + 1) % 3, (k + 2) % 3
            return [Turn(k, graph.constant(rotation[i, i]), graph.constant(rotation[j, i]))]
    return [Given(_matrix(graph, rotation))]


def _between(graph: Graph, rotation: Floats, i: int, k: int) -> tuple[Turn | Given, ...]:
    """R = R_i(a) R_m(φ) R_k(b), m another axis than i and k: what lies between two joints about axes i and k."""
    direction = rotation[:, k]
    m = (i + 1) % 3 if i == k else 3 - i - k
    start = np.cross(np.eye(3)[m], np.eye(3)[i]) if i == k else np.eye(3)[k]  # R_m(φ) e_k lies in its plane with e_i
    across = direction - direction[i] * np.eye(3)[i]
    size = float(np.linalg.norm(across))
    head = np.eye(3)
    if size > EXACT:
        across = across / size
        head = _rotation(i, float(start @ across), float(np.cross(start, across)[i]))
    else:
        size = 0.0
    if i == k:
        middle = _rotation(m, float(direction[i]), size)
    else:
        sign = float(np.cross(np.eye(3)[m], np.eye(3)[k])[i])
        middle = _rotation(m, size, sign * float(direction[i]))
    tail = _cleaned(middle.T @ head.T @ rotation)
    tail = _rotation(k, tail[(k + 1) % 3, (k + 1) % 3], tail[(k + 2) % 3, (k + 1) % 3])
    return (*_elementary(graph, head), *_elementary(graph, middle), *_elementary(graph, tail))


def _rotation(axis: int, c: float, s: float) -> Floats:
    length = math.hypot(c, s)
    c, s = c / length, s / length
    c, s = (float(round(c)), float(round(s))) if min(abs(c), abs(s)) < EXACT else (c, s)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    result = np.eye(3)
    result[i, i] = result[j, j] = c
    result[i, j], result[j, i] = -s, s
    return result


def _with_z_along(direction: Floats) -> Floats:
    """A rotation whose third column is the direction."""
    z = direction / np.linalg.norm(direction)
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x = x / np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def _parallel(axis: Floats, linear: Vector) -> bool:
    if not all(x.is_constant for x in linear):
        return False
    v = np.array([x.value for x in linear])
    return bool(np.linalg.norm(np.cross(axis, v)) <= EXACT * np.linalg.norm(axis) * np.linalg.norm(v))


def _angle(factor: Turn | Given, axis: int) -> Node | None:
    """The angle of a turn about this axis, if it costs anything (a quarter turn does not) and can be told."""
    if not isinstance(factor, Turn) or factor.axis != axis:
        return None
    c, s = factor.c, factor.s
    if c.is_constant and s.is_constant:
        return None if c.is_zero or s.is_zero else c.graph.constant(math.atan2(s.value, c.value))
    if c.op is COS and s.op is SIN and c.args == s.args:
        return c.args[0]
    if c.op is COS and s.op is NEG and s.args[0].op is SIN and s.args[0].args == c.args:
        return -c.args[0]
    return None


def _numbers(rotation: Rotation) -> Floats | None:
    if not all(x.is_constant for factor in rotation.factors for row in factor.matrix() for x in row):
        return None
    return _values(rotation.matrix())


def _values(matrix: Matrix) -> Floats:
    return np.array([[x.value for x in row] for row in matrix])


def _matrix(graph: Graph, rows: Floats) -> Matrix:
    return Matrix.of(graph, [[float(x) for x in row] for row in rows])


def _cleaned(rotation: Floats) -> Floats:
    whole = np.round(rotation)
    return np.where(np.abs(rotation - whole) < EXACT, whole, rotation)


def _is_permutation(rotation: Floats) -> bool:
    return bool(np.all((rotation == 0.0) | (np.abs(rotation) == 1.0)))


def _is_plain(rotation: Rotation) -> bool:
    numbers = _numbers(rotation)
    return numbers is not None and _is_permutation(numbers)


def _negligible(x: Node, beside: Vector) -> bool:
    if x.is_zero or not x.is_constant:
        return x.is_zero
    return abs(x.value) <= float(EXACT) * max([abs(y.value) for y in beside if y.is_constant], default=0.0)


def _with_column(motion: Motion, angular: Vector, linear: Vector) -> Motion:
    return replace(motion, columns=((*angular, *linear),))
