"""Joints as Kwatny and Blankenship define them: a sequence of simple joints, each with a constant map matrix.

A joint is three things: where its moved frame is, X(q) (`configuration`); the relative twist H(q) p that its speeds
make, angular then linear, in the moved frame (`joint_map`); and q̇ = Γ(q) p (`kinematic`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from ..graph import Graph, Node, Role, interpret, symbols_of, transfer
from ..spatial import Rotation, Vector
from .elimination import Equation, solve
from .pose import Pose, Twist
from .quaternion import double_transpose, half_matrix, quaternion_rotation
from .screw import screw_pose

Column = tuple[Node, Node, Node, Node, Node, Node]  # angular, then linear part, in the moving frame
Rows = list[list[Node]]


class Orientation(Enum):
    """How a joint that turns freely keeps its orientation."""

    ANGLES = "angles"
    QUATERNION = "quaternion"


ANGLES = Orientation.ANGLES
QUATERNION = Orientation.QUATERNION


# The familiar joints' names for what they count: coordinates, then speeds. A single freedom has the joint's own name.
SUFFIXES: dict[tuple[str, Orientation], tuple[tuple[str, ...], tuple[str, ...]]] = {
    ("universal", Orientation.ANGLES): (("a1", "a2"), ("a1", "a2")),
    ("cylindrical", Orientation.ANGLES): (("angle", "slide"), ("w", "v")),
    ("planar", Orientation.ANGLES): (("x", "y", "angle"), ("vx", "vy", "wz")),
    ("spherical", Orientation.ANGLES): (("roll", "pitch", "yaw"), ("wx", "wy", "wz")),
    ("spherical", Orientation.QUATERNION): (("qx", "qy", "qz", "qw"), ("wx", "wy", "wz")),
    ("free", Orientation.ANGLES): (("x", "y", "z", "roll", "pitch", "yaw"), ("wx", "wy", "wz", "vx", "vy", "vz")),
    ("free", Orientation.QUATERNION): (
        ("x", "y", "z", "qx", "qy", "qz", "qw"),
        ("wx", "wy", "wz", "vx", "vy", "vz"),
    ),
}


@dataclass(frozen=True)
class Motion:
    """A joint: map columns, grouped into simple joints of constant H; several groups make a compound joint.

    columns: the script-H of the paper. The configuration is X = λ_r … λ_2 λ_1 (their eq 15, 26): the first column
    acts nearest the moving body, the last nearest the fixed one.
    groups: r = {r_1 … r_p}, summing to the number of columns.
    coordinate_order, speed_order: user position -> column, where a familiar joint shows them in another order.
    orientation: QUATERNION where the first three columns of the (single) group are the three rotations and their
    coordinates are a unit quaternion (x, y, z, w) instead of three angles. The four then count as four entries of
    `coordinate_order`, numbers 0 to 3, and the columns after the third follow as 4, 5, 6.
    kind: the familiar name, "" for a joint given by its matrix.
    """

    columns: tuple[Column, ...]
    groups: tuple[int, ...]
    coordinate_order: tuple[int, ...]
    speed_order: tuple[int, ...]
    orientation: Orientation = Orientation.ANGLES
    kind: str = ""

    def __post_init__(self) -> None:
        if sum(self.groups) != len(self.columns) or any(r < 1 for r in self.groups):
            raise ValueError(f"groups {list(self.groups)} must be positive and sum to the {len(self.columns)} columns")
        if sorted(self.coordinate_order) != list(range(self.nq)) or sorted(self.speed_order) != list(range(self.np)):
            raise ValueError("coordinate_order and speed_order must name every coordinate and every column once")

    # -- sizes and names ----------------------------------------------------------------------------------------

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return len(self.columns) + (self.orientation is Orientation.QUATERNION)

    @property
    def np(self) -> int:
        """Number of speeds."""
        return len(self.columns)

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Suffixes in the user's order; empty for a single freedom, which has the joint's own name."""
        return self._suffixes(0, "q")

    @property
    def speed_names(self) -> tuple[str, ...]:
        """Suffixes in the user's order; empty for a single freedom, which has the joint's own name."""
        return self._suffixes(1, "u")

    def _suffixes(self, which: int, letter: str) -> tuple[str, ...]:
        if self.np == 1:
            return ("",)
        known = SUFFIXES.get((self.kind, self.orientation))
        return known[which] if known else tuple(f"{letter}{k}" for k in range(1, self.np + 1))

    def neutral(self) -> tuple[float, ...]:
        """Coordinates at which the moved frame lies on the fixed one."""
        inner = [0.0] * self.nq
        if self.orientation is Orientation.QUATERNION:
            inner[3] = 1.0
        return tuple(inner[k] for k in self.coordinate_order)

    # -- the three maps -----------------------------------------------------------------------------------------

    def configuration(self, graph: Graph, q: Sequence[Node]) -> Pose:
        """X(q): the moved frame in the fixed one, for coordinates q (nq,) in the user's order."""
        return _compose(graph, self._poses(graph, self._inner_coordinates(q)))

    def joint_map(self, graph: Graph, q: Sequence[Node]) -> list[Column]:
        """H(q) by columns, one for each speed in the user's order: X⁻¹ Ẋ = hat(H p) (Proposition 3)."""
        inner = self._inner_coordinates(q)
        twists = self._twists(graph)
        if not self.is_simple:
            poses = self._poses(graph, inner)
            # λ_{i−1} … λ_1 of the groups nearer the moved body
            inside = [_compose(graph, poses[:start]) for start, size in self._spans() for _ in range(size)]
            twists = [h.seen_inside(pose) for h, pose in zip(twists, inside)]
        return [_column((*twists[k].angular, *twists[k].linear)) for k in self.speed_order]

    def kinematic(self, graph: Graph, q: Sequence[Node]) -> Rows:
        """Γ(q) by rows (nq, np), q̇ = Γ p, both in the user's order (Proposition 2, eq 25)."""
        inner = self._inner_coordinates(q)
        if self.orientation is Orientation.QUATERNION:
            rows = self._quaternion_kinematic(graph, inner)
        else:
            rows = [[graph.zero] * self.np for _ in range(self.nq)]
            for start, size in self._spans():
                block = self._simple(graph, inner, start, size, _gamma)
                for i in range(size):
                    rows[start + i][start : start + size] = block[i]
        return [[rows[i][k] for k in self.speed_order] for i in self.coordinate_order]

    def inverse_kinematic(self, graph: Graph, q: Sequence[Node]) -> Rows:
        """The matrix (np, nq) of p = Γ⁻¹ q̇; for a quaternion it holds on rates that keep its length."""
        inner = self._inner_coordinates(q)
        if self.orientation is Orientation.QUATERNION:
            rows = self._quaternion_inverse(graph, inner)
        else:
            rows = [[graph.zero] * self.nq for _ in range(self.np)]
            for start, size in self._spans():
                block = self._simple(graph, inner, start, size, _gamma_inverse)
                for i in range(size):
                    rows[start + i][start : start + size] = block[i]
        return [[rows[i][k] for k in self.coordinate_order] for i in self.speed_order]

    def rates(self, graph: Graph, q: Sequence[Node], p: Sequence[Node]) -> list[Node]:
        """q̇ = Γ(q) p (nq,), with fewer operations than the matrix would take."""
        if self.orientation is Orientation.QUATERNION:
            return [_dot(graph, row, p) for row in self.kinematic(graph, q)]
        inner = self._inner_coordinates(q)
        speeds: list[Node] = [graph.zero] * self.np
        for position, k in enumerate(self.speed_order):
            speeds[k] = p[position]
        found: list[Node] = []
        for start, size in self._spans():
            part = [[x] for x in speeds[start : start + size]]
            found += [row[0] for row in self._simple(graph, inner, start, size, _gamma, part)]
        return [found[k] for k in self.coordinate_order]

    def speeds(self, graph: Graph, q: Sequence[Node], qdot: Sequence[Node]) -> list[Node]:
        """p (np,) of a motion with rates qdot (nq,): what a prescribed joint needs."""
        return [_dot(graph, row, qdot) for row in self.inverse_kinematic(graph, q)]

    # -- parts --------------------------------------------------------------------------------------------------

    @property
    def is_simple(self) -> bool:
        """One group at most, so that H is constant."""
        return len(self.groups) <= 1

    def simple_parts(self) -> list[SimplePart]:
        """The simple joints in a row, from the parent outwards (the last group first)."""
        if self.is_simple:
            return [SimplePart(self, tuple(range(self.nq)), tuple(range(self.np)))]
        parts: list[SimplePart] = []
        for start, size in reversed(self._spans()):
            inside = range(start, start + size)
            coordinates = tuple(i for i, k in enumerate(self.coordinate_order) if k in inside)
            speeds = tuple(i for i, k in enumerate(self.speed_order) if k in inside)
            motion = Motion(
                self.columns[start : start + size],
                (size,),
                tuple(self.coordinate_order[i] - start for i in coordinates),
                tuple(self.speed_order[i] - start for i in speeds),
            )
            parts.append(SimplePart(motion, coordinates, speeds))
        return parts

    def moved_to(self, graph: Graph, replacements: dict[Node, Node | float] | None = None) -> Motion:
        """The same joint with its columns as nodes of another graph."""
        columns = tuple(_column(transfer(column, graph, replacements)) for column in self.columns)
        return Motion(columns, self.groups, self.coordinate_order, self.speed_order, self.orientation, self.kind)

    # -- inside -------------------------------------------------------------------------------------------------

    def _spans(self) -> list[tuple[int, int]]:
        """First column and size of each group."""
        starts = [sum(self.groups[:i]) for i in range(len(self.groups))]
        return list(zip(starts, self.groups))

    def _inner_coordinates(self, q: Sequence[Node]) -> list[Node]:
        if len(q) != self.nq:
            raise ValueError(f"this joint has {self.nq} coordinates, {len(q)} given")
        inner: list[Node] = list(q)
        for position, k in enumerate(self.coordinate_order):
            inner[k] = q[position]
        return inner

    def _twists(self, graph: Graph) -> list[Twist]:
        here = [column if all(x.graph is graph for x in column) else transfer(column, graph) for column in self.columns]
        return [Twist(Vector(*column[:3]), Vector(*column[3:])) for column in here]

    def _poses(self, graph: Graph, inner: Sequence[Node]) -> list[Pose]:
        """λ_1, λ_2, …; for a quaternion λ_1 is its rotation."""
        twists = self._twists(graph)
        if self.orientation is Orientation.QUATERNION:
            turned = Pose(quaternion_rotation(graph, inner[:4]), Vector.zero(graph))
            return [turned, *(screw_pose(graph, h, e) for h, e in zip(twists[3:], inner[4:]))]
        return [screw_pose(graph, h, e) for h, e in zip(twists, inner)]

    def _simple(
        self,
        graph: Graph,
        inner: Sequence[Node],
        start: int,
        size: int,
        formula: Callable[[Graph, list[Twist], list[Pose], Rows], Rows],
        right: Rows | None = None,
    ) -> Rows:
        """A formula of one simple part, found in a graph of its own (so that ε = 0 can be tried) and copied here."""
        if right is None:
            right = [[graph.one if i == k else graph.zero for k in range(size)] for i in range(size)]
        if size == 1:
            return right
        own = Graph()
        twists = self._twists(own)[start : start + size]
        epsilon = [own.symbol(f"\0e{k}", Role.COORDINATE) for k in range(size)]
        replacements: dict[Node, Node | float] = dict(zip(epsilon, inner[start : start + size]))
        stand: Rows = []
        for i, row in enumerate(right):
            stand.append([])
            for k, x in enumerate(row):
                node = own.constant(x.value) if x.is_constant else own.symbol(f"\0b{i}.{k}", Role.SPEED)
                stand[i].append(node)
                if not x.is_constant:
                    replacements[node] = x
        poses = [screw_pose(own, h, e) for h, e in zip(twists, epsilon)]
        return [transfer(row, graph, replacements) for row in formula(own, twists, poses, stand)]

    def _quaternion_kinematic(self, graph: Graph, inner: Sequence[Node]) -> Rows:
        zero = graph.zero
        sliding = self.np - 3
        rows = [[*row, *[zero] * sliding] for row in half_matrix(graph, inner[:4])]
        if sliding:  # the position is the fixed frame's, the velocity the moved one's: ṙ = R v
            rotation = quaternion_rotation(graph, inner[:4]).matrix()
            rows += [[zero, zero, zero, *row] for row in rotation]
        return rows

    def _quaternion_inverse(self, graph: Graph, inner: Sequence[Node]) -> Rows:
        zero = graph.zero
        sliding = self.np - 3
        rows = [[*row, *[zero] * sliding] for row in double_transpose(graph, inner[:4])]
        if sliding:
            rotation = quaternion_rotation(graph, inner[:4]).matrix().transposed()
            rows += [[zero, zero, zero, zero, *row] for row in rotation]
        return rows


@dataclass(frozen=True)
class SimplePart:
    """One simple joint of a sequence; where its coordinates and speeds stand among the whole joint's (user order)."""

    motion: Motion
    coordinates: tuple[int, ...]
    speeds: tuple[int, ...]


def _gamma(graph: Graph, twists: list[Twist], poses: list[Pose], right: Rows) -> Rows:
    """ε̇ from B(ε) ε̇ = H β, the equations offered in the frame after each column (`elimination`).

    In the frame after column k the column i reads Ad(λ_k … λ_i) h_i for i ≤ k and Ad((λ_{i−1} … λ_{k+1})⁻¹) h_i
    beyond it, and the right-hand side Ad(λ_k … λ_1) H β.
    """
    size = len(twists)
    equations: list[Equation] = []
    for k in range(size):
        left = []
        for i, h in enumerate(twists):
            if i < k:
                left.append(h.seen_outside(_compose(graph, poses[i + 1 : k])))
            else:
                left.append(h.seen_inside(_compose(graph, poses[k:i])))
        carried = _compose(graph, poses[:k])
        seen = [h.seen_outside(carried) for h in twists]
        equations += _equations(graph, left, _times(graph, seen, right))
    return solve(graph, equations, size, _size_at_home)


def _gamma_inverse(graph: Graph, twists: list[Twist], poses: list[Pose], right: Rows) -> Rows:
    """β from H β = B(ε) ε̇, whose left side is constant."""
    columns = [h.seen_inside(_compose(graph, poses[:i])) for i, h in enumerate(twists)]
    return solve(graph, _equations(graph, twists, _times(graph, columns, right)), len(twists), _size_at_home)


def _times(graph: Graph, columns: list[Twist], right: Rows) -> Rows:
    """The 6×k product of columns with a matrix."""
    entries = [[*column.angular, *column.linear] for column in columns]
    return [
        [_dot(graph, [column[i] for column in entries], [row[k] for row in right]) for k in range(len(right[0]))]
        for i in range(6)
    ]


def _equations(graph: Graph, left: list[Twist], right: Rows) -> list[Equation]:
    entries = [[*column.angular, *column.linear] for column in left]
    rows = [[column[i] for column in entries] for i in range(6)]
    return [Equation(row, right[i]) for i, row in enumerate(rows) if not all(x.is_zero for x in row)]


def _size_at_home(x: Node) -> float:
    """|x| at ε = 0, at values of the parameters that meet no coincidence."""
    if x.is_constant:
        return abs(x.value)
    values = {
        symbol: 0.0 if symbol.role is Role.COORDINATE else 0.5 + 0.61803 * (k + 1) % 1.0
        for k, symbol in enumerate(symbols_of([x]))
    }
    return abs(float(interpret([x], values)[0]))


def _compose(graph: Graph, poses: Sequence[Pose]) -> Pose:
    """λ_k … λ_1 of poses listed from the moved frame outwards."""
    total = Pose(Rotation(graph), Vector.zero(graph))
    for pose in poses:
        total = pose.then(total)
    return total


def _dot(graph: Graph, a: Sequence[Node], b: Sequence[Node]) -> Node:
    total = graph.zero
    for x, y in zip(a, b):
        total = total + x * y
    return total


def _column(entries: Sequence[Node]) -> Column:
    a, b, c, d, e, f = entries
    return a, b, c, d, e, f
