"""The three maps of every joint agree: X⁻¹Ẋ = hat(H p), q̇ = Γ p, Γ⁻¹Γ = 1, in numbers and symbolically."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import sympy as sp

from jourdain.graph import Graph, Node, Role, interpret, symbols_of
from jourdain.graph.differentiate import jvp
from jourdain.model.motion import QUATERNION, SUFFIXES, Motion
from jourdain.model.pose import Pose

from ..papers.symbolic import map_matrix, to_matrix, zero
from .motions import MOTIONS, Array, coordinates

PARAMETERS = {"pitch": 0.37, "w": 1.7, "s": -0.6, "b": 0.45}
ALL = pytest.mark.parametrize("name", MOTIONS)
EXACT = 2e-13


class Maps:
    """A joint's maps in symbols q, p, and in numbers at a random place."""

    def __init__(self, name: str, seed: int = 1) -> None:
        self.graph = Graph()
        self.motion: Motion = MOTIONS[name](self.graph)
        self.q = [self.graph.symbol(f"q{k}", Role.COORDINATE) for k in range(self.motion.nq)]
        self.p = [self.graph.symbol(f"p{k}", Role.SPEED) for k in range(self.motion.np)]
        rng = np.random.default_rng(seed)
        self.at_q, self.at_p = coordinates(self.motion, rng), rng.normal(size=self.motion.np)

    def numbers(self, nodes: Sequence[Node]) -> Array:
        """At the random place."""
        values = dict(zip([*self.q, *self.p], map(float, [*self.at_q, *self.at_p])))
        values |= {x: PARAMETERS[x.name] for x in symbols_of(nodes) if x.role is Role.PARAMETER}
        return np.array([float(x) for x in interpret(nodes, values)])

    def rows(self, rows: Sequence[Sequence[Node]]) -> Array:
        """A matrix."""
        width = len(rows[0]) if rows else 0
        return self.numbers([x for row in rows for x in row]).reshape(len(rows), width)

    def pose(self) -> list[list[Node]]:
        """X by rows."""
        return pose_rows(self.graph, self.motion.configuration(self.graph, self.q))


def pose_rows(graph: Graph, pose: Pose) -> list[list[Node]]:
    """4×4."""
    bottom = [graph.zero, graph.zero, graph.zero, graph.one]
    return [*([*row, x] for row, x in zip(pose.rotation.matrix(), pose.translation)), bottom]


def hat(v: Array) -> Array:
    x, y, z = v
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def small(a: Array, b: Array | float) -> bool:
    return bool(np.abs(a - b).max(initial=0.0) <= EXACT * max(1.0, np.abs(a).max(initial=0.0)))


@ALL
@pytest.mark.parametrize("seed", range(3))
def test_the_pose_moves_with_the_twist_of_the_joint_map(name: str, seed: int) -> None:
    maps = Maps(name, seed)
    graph, motion = maps.graph, maps.motion
    rates = motion.rates(graph, maps.q, maps.p)
    pose = maps.pose()
    x = maps.rows(pose)
    xdot = maps.numbers(jvp([e for row in pose for e in row], dict(zip(maps.q, rates)))).reshape(4, 4)
    columns = motion.joint_map(graph, maps.q)
    twist = maps.rows(columns).T @ maps.at_p if columns else np.zeros(6)
    left = np.linalg.inv(x) @ xdot
    assert small(left[:3, :3], hat(twist[:3]))
    assert small(left[:3, 3], twist[3:])
    assert small(x[:3, :3].T @ x[:3, :3], np.eye(3))


@ALL
@pytest.mark.parametrize("seed", range(3))
def test_the_kinematic_matrix_and_its_inverse(name: str, seed: int) -> None:
    maps = Maps(name, seed)
    graph, motion = maps.graph, maps.motion
    gamma = maps.rows(motion.kinematic(graph, maps.q)).reshape(motion.nq, motion.np)
    inverse = maps.rows(motion.inverse_kinematic(graph, maps.q)).reshape(motion.np, motion.nq)
    rates = motion.rates(graph, maps.q, maps.p)
    assert small(inverse @ gamma, np.eye(motion.np))
    assert small(maps.numbers(rates), gamma @ maps.at_p)
    assert small(maps.numbers(motion.speeds(graph, maps.q, rates)), maps.at_p)
    if motion.orientation is QUATERNION:  # rates that keep its length
        four = [motion.coordinate_order.index(k) for k in range(4)]
        assert abs(maps.at_q[four] @ gamma[four] @ maps.at_p) <= EXACT
    else:
        assert small(gamma @ inverse, np.eye(motion.nq))


@ALL
def test_a_joint_is_at_home_in_its_neutral_place(name: str) -> None:
    maps = Maps(name)
    maps.at_q = np.array(maps.motion.neutral())
    assert np.array_equal(maps.rows(maps.pose()), np.eye(4))
    # There the kinematic matrix is regular, whatever the order of the columns.
    gamma = maps.rows(maps.motion.kinematic(maps.graph, maps.q)).reshape(maps.motion.nq, maps.motion.np)
    assert np.linalg.matrix_rank(gamma) == maps.motion.np


@ALL
def test_a_compound_joint_is_its_parts_in_a_row(name: str) -> None:
    maps = Maps(name)
    graph, motion = maps.graph, maps.motion
    product = np.eye(4)
    used_q: list[int] = []
    used_p: list[int] = []
    for part in motion.simple_parts():
        assert part.motion.is_simple
        assert (len(part.coordinates), len(part.speeds)) == (part.motion.nq, part.motion.np)
        pose = part.motion.configuration(graph, [maps.q[i] for i in part.coordinates])
        product = product @ maps.rows(pose_rows(graph, pose))
        rates = part.motion.rates(graph, [maps.q[i] for i in part.coordinates], [maps.p[i] for i in part.speeds])
        whole = motion.rates(graph, maps.q, maps.p)
        assert small(maps.numbers(rates), maps.numbers([whole[i] for i in part.coordinates]))
        used_q += part.coordinates
        used_p += part.speeds
    assert small(maps.rows(maps.pose()), product)
    assert sorted(used_q) == list(range(motion.nq))
    assert sorted(used_p) == list(range(motion.np))


@ALL
def test_a_simple_joint_has_a_constant_map(name: str) -> None:
    maps = Maps(name)
    symbols = symbols_of([x for column in maps.motion.joint_map(maps.graph, maps.q) for x in column])
    assert maps.motion.is_simple <= all(x.role is Role.PARAMETER for x in symbols)


@ALL
def test_a_joint_in_another_graph_is_the_same(name: str) -> None:
    maps, other = Maps(name), Graph()
    moved = maps.motion.moved_to(other)
    again = moved.moved_to(maps.graph)
    assert again == maps.motion
    assert all(x.graph is other for column in moved.columns for x in column)


@pytest.mark.parametrize("name", [x for x in MOTIONS if "skew" not in x and "free" not in x and x != "weld"])
def test_the_maps_agree_symbolically(name: str) -> None:
    """B(q) Γ = H with B found by differentiating X, and Γ⁻¹ Γ = 1, identically in q."""
    maps = Maps(name)
    graph, motion = maps.graph, maps.motion
    symbols = [sp.Symbol(x.name) for x in maps.q]
    moves = map_matrix(to_matrix(maps.pose()), symbols)
    gamma = to_matrix(motion.kinematic(graph, maps.q))
    expected = to_matrix(motion.joint_map(graph, maps.q)).T
    inverse = to_matrix(motion.inverse_kinematic(graph, maps.q))
    for left in (moves * gamma - expected, inverse * gamma - sp.eye(motion.np)):
        if motion.orientation is QUATERNION:
            assert vanishes_on_unit_quaternions(left, symbols)
        else:
            assert zero(left)


def vanishes_on_unit_quaternions(matrix: sp.Matrix, symbols: Sequence[sp.Symbol]) -> bool:
    """Whether every entry, a polynomial, has no remainder modulo x² + y² + z² + w² − 1."""
    unit = sum(x**2 for x in symbols) - 1
    return all(sp.reduced(sp.expand(x), [unit], *symbols)[1] == 0 for x in matrix)


def test_free_by_quaternion_symbolically() -> None:
    """The position is in the fixed axes, the velocity in the moved ones; the rest is the spherical joint."""
    maps = Maps("free by quaternion")
    symbols = [sp.Symbol(x.name) for x in maps.q]
    pose = to_matrix(maps.pose())
    assert pose[:3, 3] == sp.Matrix(symbols[:3])
    gamma = to_matrix(maps.motion.kinematic(maps.graph, maps.q))
    assert gamma[:3, 3:] == pose[:3, :3]
    assert gamma[:3, :3] == sp.zeros(3, 3) == gamma[3:, 3:][:3, :]
    sphere = Maps("spherical by quaternion")
    expected = to_matrix(sphere.motion.kinematic(sphere.graph, sphere.q))
    assert gamma[3:, :3] == expected.subs({f"q{k}": f"q{k + 3}" for k in range(4)}, simultaneous=True)


@pytest.mark.parametrize("family", ["spherical", "free"])
def test_angles_are_roll_pitch_and_yaw(family: str) -> None:
    """R = R_z(yaw) R_y(pitch) R_x(roll)."""
    maps = Maps(f"{family} by angles")
    names = maps.motion.coordinate_names
    roll, pitch, yaw = (maps.at_q[names.index(x)] for x in ("roll", "pitch", "yaw"))
    turned = turn(2, yaw) @ turn(1, pitch) @ turn(0, roll)
    pose = maps.rows(maps.pose())
    assert small(pose[:3, :3], turned)
    if family == "free":
        assert small(maps.numbers(maps.motion.rates(maps.graph, maps.q, maps.p))[:3], turned @ maps.at_p[3:])


def turn(about: int, angle: float) -> Array:
    """A rotation about a coordinate axis."""
    i, k = (about + 1) % 3, (about + 2) % 3
    found = np.eye(3)
    found[i, i] = found[k, k] = np.cos(angle)
    found[k, i], found[i, k] = np.sin(angle), -np.sin(angle)
    return found


def test_names_fit_what_they_name() -> None:
    graph = Graph()
    for name, make in MOTIONS.items():
        motion = make(graph)
        assert len(motion.coordinate_names) == motion.nq, name
        assert len(motion.speed_names) == motion.np, name
    kinds = {(make(graph).kind, make(graph).orientation) for make in MOTIONS.values()}
    assert set(SUFFIXES) <= kinds


def test_what_no_motion_is() -> None:
    graph = Graph()
    turning = MOTIONS["revolute"](graph)
    with pytest.raises(ValueError, match=r"groups \[2\] must be positive and sum to the 1 columns"):
        Motion(turning.columns, (2,), (0,), (0,))
    with pytest.raises(ValueError, match="must name every coordinate and every column once"):
        Motion(turning.columns, (1,), (1,), (0,))
    with pytest.raises(ValueError, match="this joint has 1 coordinates, 2 given"):
        turning.configuration(graph, [graph.one, graph.one])
