"""Vectors of `sympy.physics.vector` as graph scalars: taken from frame to frame one turn at a time.

SymPy multiplies the turns between two frames out before it applies them; here a vector's parts are carried along the
tree of frames, each turn once, so that what two vectors share on their way is the same nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from ...graph import Graph, Node, Role
from ...graph.differentiate import jvp
from ...graph.from_sympy import from_sympy
from ...spatial import Given, Matrix, Rotation, Turn, Vector
from .symbols import Symbols

Frame = Any
Point = Any
Parts = dict[Frame, Vector]
"""A vector as a sum of vectors given along frames' axes."""


class Unconnected(ValueError):
    """Two frames, or two points, that nothing relates."""


class Frames:
    """The frames of one model, seen from the inertial one."""

    def __init__(self, graph: Graph, symbols: Symbols, inertial: Frame) -> None:
        self.graph, self.symbols, self.inertial = graph, symbols, inertial
        self._nodes: dict[int, tuple[Any, Node]] = {}  # with the expression, so that its id stays its own
        self._chains: dict[Frame, list[Frame]] = {inertial: [inertial]}
        self._rotations: dict[Frame, Rotation] = {}
        self._orientations: dict[Frame, Rotation] = {inertial: Rotation(graph)}
        self._turnings: dict[Frame, Parts] = {inertial: {}}
        self._spread()

    def _spread(self) -> None:
        """Every frame that can be reached, with its chain of frames from the inertial one."""
        front = [self.inertial]
        for frame in front:
            for other in frame._dcm_dict:
                if other not in self._chains:
                    self._chains[other] = [*self._chains[frame], other]
                    front.append(other)

    # -- scalars --------------------------------------------------------------------------------------------------

    def node(self, expression: Any) -> Node:
        """A SymPy expression as a node."""
        found = self._nodes.get(id(expression))
        if found is None:
            if getattr(expression, "is_Integer", False):
                node = self.graph.constant(float(int(expression)))
            elif getattr(expression, "is_Symbol", False):
                node = self.symbols[expression]
            else:
                node = from_sympy([expression], self.graph, self.symbols)[0]
            found = self._nodes[id(expression)] = expression, node
        return found[1]

    def clock(self) -> dict[Node, Node]:
        """The time derivatives of coordinates, inputs and time."""
        symbols, graph = self.symbols, self.graph
        rates: dict[Node, Node] = dict(zip(symbols.q, symbols.rates))
        rates[symbols.known[symbols.time]] = graph.one
        for name, rate in symbols.input_rates.items():
            rates[graph.symbol(name, Role.INPUT)] = graph.symbol(rate, Role.INPUT)
        return rates

    # -- frames ---------------------------------------------------------------------------------------------------

    def reaches(self, frame: Frame) -> bool:
        """Whether the frame's orientation in the inertial frame is known."""
        return frame in self._chains

    def depth(self, frame: Frame) -> int:
        """How many turns lie between a frame and the inertial one."""
        return len(self._chains[frame]) - 1

    def rotation(self, frame: Frame) -> Rotation:
        """Of a frame in the one before it on its way from the inertial frame."""
        found = self._rotations.get(frame)
        if found is None:
            outer = self._chains[frame][-2]
            matrix = outer._dcm_dict[frame]
            entries = [self.node(matrix[i, k]) for i in range(3) for k in range(3)]
            found = self._rotations[frame] = _rotation(self.graph, entries)
        return found

    def orientation(self, frame: Frame) -> Rotation:
        """Of a frame in the inertial one."""
        missing = []
        for x in reversed(self._chains[frame]):
            if x in self._orientations:
                break
            missing.append(x)
        for x in reversed(missing):
            self._orientations[x] = self._orientations[self._chains[x][-2]].then(self.rotation(x))
        return self._orientations[frame]

    # -- vectors --------------------------------------------------------------------------------------------------

    def parts(self, vector: Any) -> Parts:
        """A SymPy vector, 0 among them."""
        if not hasattr(vector, "args") or isinstance(vector, int):
            return {}
        found: Parts = {}
        for matrix, frame in vector.args:
            own = Vector(*(self.node(matrix[k, 0]) for k in range(3)))  # one by one is quick where both are told
            if not own.is_zero:
                found[frame] = found[frame] + own if frame in found else own
        return found

    def along(self, parts: Mapping[Frame, Vector], frame: Frame) -> Vector:
        """Components along a frame's axes."""
        if not parts:
            return Vector.zero(self.graph)
        if len(parts) == 1 and frame in parts:
            return parts[frame]
        goal = self._chain(frame, parts)
        waiting: dict[Frame, Vector] = {}
        order: list[tuple[int, Frame]] = []
        for other, vector in parts.items():
            waiting[other] = vector
            order.append((self._distance(other, goal), other))
        order.sort(key=lambda pair: -pair[0])
        while order:
            distance, here = order.pop(0)
            if distance == 0:
                break
            vector = waiting.pop(here)
            onward = self._onward(here, goal)
            if len(self._chains[onward]) < len(self._chains[here]):
                moved = self.rotation(here).inward(vector)
            else:
                moved = self.rotation(onward).outward(vector)
            if onward in waiting:
                waiting[onward] = moved + waiting[onward]
            else:
                waiting[onward] = moved
                place = 0
                while place < len(order) and order[place][0] >= distance - 1:
                    place += 1
                order.insert(place, (distance - 1, onward))
        return waiting[frame]

    def _chain(self, frame: Frame, parts: Mapping[Frame, Vector]) -> list[Frame]:
        for x in (frame, *parts):
            if x not in self._chains and not (x is frame and set(parts) <= {frame}):
                raise Unconnected(f"frame {x.name!r} is not oriented relative to {self.inertial.name!r}")
        return self._chains.get(frame, [frame])

    def _distance(self, frame: Frame, goal: list[Frame]) -> int:
        chain = self._chains.get(frame, [frame])
        common = 0
        while common < min(len(chain), len(goal)) and chain[common] is goal[common]:
            common += 1
        return len(chain) + len(goal) - 2 * common

    def _onward(self, frame: Frame, goal: list[Frame]) -> Frame:
        """The next frame on the way."""
        chain = self._chains[frame]
        if len(chain) < len(goal) and goal[len(chain) - 1] is frame:
            return goal[len(chain)]
        return chain[-2]

    # -- turning --------------------------------------------------------------------------------------------------

    def turning(self, frame: Frame) -> Parts:
        """Angular velocity in the inertial frame, as the model states it from frame to frame."""
        found = self._turnings.get(frame)
        if found is None:
            found = {}
            path = _path(frame, self.inertial, "_ang_vel_dict")
            for here, onward in pairwise(path):
                found = plus(found, self.parts(here._ang_vel_dict[onward]))
            self._turnings[frame] = found
        return found

    def rate(self, parts: Mapping[Frame, Vector]) -> Parts:
        """The time derivative of a vector of position in the inertial frame."""
        found: Parts = {}
        for frame, vector in parts.items():
            self.symbols.differentiable(vector)
            change = Vector(*jvp(vector, self.clock()))
            if frame is not self.inertial:
                change = change + self.along(self.turning(frame), frame).cross(vector)
            if not change.is_zero:
                found[frame] = change
        return found

    # -- points ---------------------------------------------------------------------------------------------------

    def velocity(self, point: Point) -> Parts:
        """In the inertial frame: as the model states it, or from the nearest point whose velocity it states."""
        if self.inertial in point._vel_dict:
            return self.parts(point._vel_dict[self.inertial])
        queue, seen = [point], {point}
        for here in queue:
            for other in here._pos_dict:
                if other in seen:
                    continue
                seen.add(other)
                if self.inertial in other._vel_dict:
                    path = _path(point, other, "_pos_dict")
                    between: Parts = {}
                    for a, b in pairwise(path):
                        between = plus(between, self.parts(a._pos_dict[b]))
                    return plus(self.rate(between), self.parts(other._vel_dict[self.inertial]))
                queue.append(other)
        raise Unconnected(f"the velocity of point {point.name!r} in {self.inertial.name!r} is not stated")

    def places(self, origin: Point) -> dict[Point, Parts]:
        """Where every point lies that can be reached from one."""
        found: dict[Point, Parts] = {origin: {}}
        front = [origin]
        for here in front:
            for other in here._pos_dict:
                if other not in found:
                    found[other] = plus(found[here], self.parts(other._pos_dict[here]))
                    front.append(other)
        return found


def plus(a: Mapping[Frame, Vector], b: Mapping[Frame, Vector]) -> Parts:
    """The sum."""
    found = dict(a)
    for frame, vector in b.items():
        found[frame] = found[frame] + vector if frame in found else vector
    return {frame: vector for frame, vector in found.items() if not vector.is_zero}


def _path(start: Any, end: Any, relation: str) -> list[Any]:
    """The shortest way from one frame or point to another."""
    before: dict[Any, Any] = {start: None}
    front = [start]
    for here in front:
        if here is end:
            way = [here]
            while before[way[-1]] is not None:
                way.append(before[way[-1]])
            return way[::-1]
        for other in getattr(here, relation):
            if other not in before:
                before[other] = here
                front.append(other)
    what = "angular velocity" if relation == "_ang_vel_dict" else "position"
    raise Unconnected(f"the {what} of {start.name!r} relative to {end.name!r} is not stated")


def _rotation(graph: Graph, entries: list[Node]) -> Rotation:
    """A direction cosine matrix, as a turn where it is one about a coordinate axis."""
    rows = [entries[:3], entries[3:6], entries[6:]]
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        rest = (rows[k][i], rows[k][j], rows[i][k], rows[j][k])
        if rows[k][k] is graph.one and all(x.is_zero for x in rest):
            if rows[i][i] is graph.one and rows[j][i].is_zero:
                return Rotation(graph)
            if rows[i][i] is rows[j][j] and (rows[i][j] + rows[j][i]).is_zero:
                return Rotation(graph, (Turn(k, rows[i][i], rows[j][i]),))
    return Rotation(graph, (Given(Matrix(*(Vector(*row) for row in rows))),))
