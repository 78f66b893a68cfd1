"""Gaps and slips of shapes: against another library's geometry (coal), NumPy, and rigid bodies' velocities."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import coal
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain import shapes
from jourdain.driver import Compiled
from jourdain.model.mistakes import ModelError
from jourdain.native import Cache

Array = NDArray[np.float64]
Write = Callable[[Any], object]
STILL = jd.principal(1, 1, 1)
N = np.array([1.0, 2.0, -2.0]) / 3
TURNS = [("z", 0.7), ("x", -0.4)]  # of shapes in their bodies
TURNED = Rotation.from_euler("Z", 0.7) * Rotation.from_euler("X", -0.4)
C, D = (0.1, -0.2, 0.3), (-0.15, 0.25, 0.05)  # centers
ALONG: dict[str, Rotation] = {
    "x": Rotation.from_euler("y", 90, degrees=True),
    "y": Rotation.from_euler("x", -90, degrees=True),
    "z": Rotation.identity(),
}  # from axes in which a length lies along z
VERTICES = np.random.default_rng(5).normal(size=(20, 3)) * 0.4
CUBE = np.array(list(product((-0.2, 0.3), repeat=3)))


@dataclass(frozen=True)
class Witness:
    """A shape of ours and one of coal's, with its place in the body."""

    ours: Any
    theirs: Any
    turn: Rotation
    center: tuple[float, float, float]


def sphere(r: float, c: Any = C) -> Witness:
    return Witness(shapes.Sphere(r, c), coal.Sphere(r), Rotation.identity(), c)


def point(c: Any = C) -> Witness:
    return Witness(shapes.Point(c), coal.Sphere(0.0), Rotation.identity(), c)


def capsule(r: float, length: float, axis: str, c: Any = C) -> Witness:
    return Witness(shapes.Capsule(r, length, axis, c, TURNS), coal.Capsule(r, length), TURNED * ALONG[axis], c)


def cylinder(r: float, length: float, axis: str, c: Any = C) -> Witness:
    return Witness(shapes.Cylinder(r, length, axis, c, TURNS), coal.Cylinder(r, length), TURNED * ALONG[axis], c)


def box(sizes: tuple[float, float, float], c: Any = C) -> Witness:
    return Witness(shapes.Box(sizes, c, TURNS), coal.Box(*sizes), TURNED, c)


def plane() -> Witness:
    return Witness(shapes.Plane((1, 2, -2), 0.2), coal.Halfspace(N, 0.2), Rotation.identity(), (0.0, 0.0, 0.0))


ROUND: dict[str, tuple[Witness, Witness]] = {
    "sphere, sphere": (sphere(0.3), sphere(0.5, D)),
    "point, sphere": (point(), sphere(0.5, D)),
    "sphere, capsule": (sphere(0.3), capsule(0.2, 1.0, "x", D)),
    "point, capsule": (point(), capsule(0.2, 1.0, "z", D)),
    "capsule, capsule": (capsule(0.3, 0.8, "y"), capsule(0.2, 1.0, "x", D)),
    "sphere, box": (sphere(0.3), box((0.4, 0.9, 1.3), D)),
    "point, box": (point(), box((0.4, 0.9, 1.3), D)),
    "sphere, cylinder": (sphere(0.3), cylinder(0.4, 0.9, "y", D)),
    "point, cylinder": (point(), cylinder(0.4, 0.9, "x", D)),
}
FLAT: dict[str, Witness] = {
    "point": point(),
    "sphere": sphere(0.3),
    "capsule": capsule(0.3, 0.8, "y"),
    "box": box((0.4, 0.9, 1.3)),
    "cylinder": cylinder(0.4, 0.9, "x"),
}
EVERY = {**ROUND, **{f"{name}, plane": (x, plane()) for name, x in FLAT.items()}}


@cache
def compiled(name: str) -> Compiled:
    """Two free bodies."""
    one, other = EVERY[name]
    return pair(one.ours, other.ours)


def pair(one: Any, other: Any, swapped: bool = False) -> Compiled:
    m = jd.Model("pair", gravity=(0, 0, 0))
    a, b = (m.body(x, mass=1.0, inertia=STILL) for x in ("a", "b"))
    m.free("fa", m.ground, a)
    m.free("fb", m.ground, b)
    sides = [(a, one), (b, other)]
    m.contact("c", *(sides[::-1] if swapped else sides), friction=0.3)
    s = m.system()
    return jd.compile(s, cache=Cache(None)).in_mode(set(s.constraints))


def poses(count: int, seed: int = 0, spread: float = 1.0) -> list[tuple[Array, Array]]:
    """States of two free bodies."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        places = rng.normal(size=(2, 3)) * spread
        turns = Rotation.random(2, random_state=rng).as_quat()
        found.append((np.concatenate([places[0], turns[0], places[1], turns[1]]), rng.normal(size=12)))
    return found


def body(q: Array, k: int) -> tuple[Array, Rotation]:
    return q[7 * k : 7 * k + 3], Rotation.from_quat(q[7 * k + 3 : 7 * k + 7])


def velocity(q: Array, u: Array, k: int, x: Array) -> Array:
    """Of the body's material at a place x."""
    origin, turn = body(q, k)
    w, v = turn.apply(u[6 * k : 6 * k + 3]), turn.apply(u[6 * k + 3 : 6 * k + 6])
    return np.asarray(v + np.cross(w, x - origin))


def their_distance(name: str, q: Array) -> tuple[float, Array, Array]:
    """Signed; the one's nearest point; the normal from the other to the one."""
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = True
    frames = []
    for k, x in enumerate(EVERY[name]):
        origin, turn = body(q, k)
        frames.append(coal.Transform3s((turn * x.turn).as_matrix(), origin + turn.apply(x.center)))
    one, other = EVERY[name]
    distance = coal.distance(one.theirs, frames[0], other.theirs, frames[1], request, result)
    return distance, np.array(result.getNearestPoint1()), -np.array(result.normal)


def gaps_of(d: Compiled, q: Array, u: Array) -> dict[str, tuple[float, float, Array]]:
    """Of each point of contact: gap, rate, slips."""
    found = d.residual(q, u)
    return {
        x.name: (found[x.normal][0], found[x.normal][1], found[x.slip] if x.slip else np.zeros(0))
        for x in d.system.contacts
    }


# -- places -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_gaps(name: str) -> None:
    d = compiled(name)
    apart = 0
    for q, u in poses(60, 1, 0.8):
        theirs, _, _ = their_distance(name, q)
        ours = min(gap for gap, _, _ in gaps_of(d, q, u).values())
        if theirs > 0.0 or "plane" in name:
            assert ours == pytest.approx(theirs, abs=1e-14)
            apart += 1
        else:
            assert ours < 1e-12
    assert apart > 20


@pytest.mark.parametrize("name", EVERY)
def test_slips_and_approach_are_those_of_the_bodies_material(name: str) -> None:
    """At the one's nearest point; of every motion, by the quadratic form of the slips: two unit vectors across."""
    d = compiled(name)
    tried = 0
    for q, _ in poses(40, 2, 0.8):
        theirs, x, n = their_distance(name, q)
        if theirs < 0.02:
            continue
        tried += 1
        rows, moved = [], []
        for e in np.eye(12):
            found = gaps_of(d, q, e)
            nearest = min(found.values(), key=lambda spot: spot[0])
            rows.append(np.array([nearest[1], *nearest[2]]))
            moved.append(velocity(q, e, 0, x) - velocity(q, e, 1, x))
        ours, material = np.array(rows).T, np.array(moved).T
        assert np.abs(ours[0] - n @ material).max() < 1e-13
        assert len(ours) == 3
        lateral = material - np.outer(n, n @ material)
        assert np.abs(ours[1:].T @ ours[1:] - lateral.T @ lateral).max() < 1e-12
    assert tried > 8


@pytest.mark.parametrize("name", EVERY)
def test_rates_of_gaps_are_their_derivatives(name: str) -> None:
    d = compiled(name)
    h = 1e-6
    for q, u in poses(12, 3, 0.8):
        here = gaps_of(d, q, u)
        after, before = (gaps_of(d, d.integrate(q, u * x), u) for x in (h, -h))
        for spot, (_, rate, _) in here.items():
            assert rate == pytest.approx((after[spot][0] - before[spot][0]) / (2 * h), abs=2e-8)


def test_a_wheel_leans_on_its_rim() -> None:
    """Half circles of 0.1 across on a wheel of 0.5: against the lowest of many points of its surface, and by hand."""
    d = pair(shapes.Wheel(0.5, "x", 0.1, C, TURNS), shapes.Plane((1, 2, -2), 0.2))
    turn = np.linspace(0, 2 * np.pi, 20001)
    for q, u in poses(10, 4):
        (origin, mine), (floor, theirs) = body(q, 0), body(q, 1)
        up = theirs.apply(N)
        circle = np.stack([0 * turn, np.cos(turn), np.sin(turn)], 1) * 0.45
        around = origin + mine.apply(C) + (mine * TURNED).apply(circle)
        heights = (around - floor) @ up - 0.2
        ((gap, rate, slips),) = gaps_of(d, q, u).values()
        assert gap == pytest.approx(heights.min() - 0.05, abs=1e-7)
        axle = (mine * TURNED).apply([1, 0, 0])
        down = -(up - axle * (axle @ up))
        x = origin + mine.apply(C) + 0.45 * down / np.linalg.norm(down) - 0.05 * up
        v = velocity(q, u, 0, x) - velocity(q, u, 1, x)
        assert rate == pytest.approx(v @ up, abs=1e-12)
        assert np.linalg.norm(slips) == pytest.approx(np.linalg.norm(v - up * (v @ up)), rel=1e-12)


def test_an_ellipsoid_touches_with_its_lowest_point() -> None:
    """Against the lowest of its points as an optimizer finds it, and by hand."""
    sizes = np.array([0.2, 0.5, 0.3])
    d = pair(shapes.Ellipsoid((0.2, 0.5, 0.3), C, TURNS), shapes.Plane((1, 2, -2), 0.2))
    for q, u in poses(10, 4):
        (origin, mine), (floor, theirs) = body(q, 0), body(q, 1)
        up = theirs.apply(N)
        own = (mine * TURNED).inv().apply(up)

        def place(angles: Array) -> Array:
            a, b = angles
            return np.asarray(sizes * [np.cos(a) * np.cos(b), np.sin(a) * np.cos(b), np.sin(b)])

        def height(angles: Array, own: Array = own) -> float:
            return float(own @ place(angles))

        best = min((minimize(height, x, tol=1e-14) for x in ((0, 0), (2, 1), (4, -1))), key=lambda found: found.fun)
        middle = origin + mine.apply(C)
        ((gap, rate, slips),) = gaps_of(d, q, u).values()
        assert gap == pytest.approx((middle - floor) @ up - 0.2 + best.fun, abs=1e-12)
        x = middle + (mine * TURNED).apply(place(best.x))
        v = velocity(q, u, 0, x) - velocity(q, u, 1, x)
        assert rate == pytest.approx(v @ up, abs=1e-5)
        assert slips @ slips == pytest.approx(v @ v - (v @ up) ** 2, abs=1e-5)


def test_a_mesh_touches_with_the_corners_of_its_hull() -> None:
    d = pair(shapes.Mesh(VERTICES, C, TURNS), shapes.Plane((1, 2, -2), 0.2))
    assert 8 < len(d.system.contacts) < 20
    for q, u in poses(10, 5):
        (origin, mine), (floor, theirs) = body(q, 0), body(q, 1)
        corners = origin + mine.apply(C + TURNED.apply(VERTICES))
        heights = (corners - floor) @ theirs.apply(N) - 0.2
        found = gaps_of(d, q, u)
        gap, rate, slips = min(found.values(), key=lambda spot: spot[0])
        assert gap == pytest.approx(heights.min(), abs=1e-12)
        x = corners[heights.argmin()]
        v = velocity(q, u, 0, x) - velocity(q, u, 1, x)
        assert rate == pytest.approx(v @ theirs.apply(N), abs=1e-12)
        assert rate**2 + slips @ slips == pytest.approx(v @ v, rel=1e-12)


def test_a_flat_mesh_keeps_all_its_corners_once() -> None:
    square = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (1, 1, 0)]
    assert len(pair(shapes.Mesh(square), shapes.Plane()).system.contacts) == 4
    m = jd.Model("symbolic")
    a = m.parameter("a", 1.0)
    b = m.body("b", mass=1.0, inertia=STILL)
    m.free("f", m.ground, b)
    assert len(m.contact("c", (b, shapes.Mesh([(a, 0, 0), (0, 0, 0), (0, a, 0)])), shapes.Plane())) == 3
    assert len(m.system().contacts) == 3


# -- inside of one another ---------------------------------------------------------------------------------------------


def test_overlaps_are_measured_to_the_surface() -> None:
    """Balls sunk into each shape by known depths, the center outside; and points inside of boxes and cylinders."""
    here = np.array([0, 0, 0, 0, 0, 0, 1.0])
    nothing = np.zeros(12)

    def gap(one: Any, other: Any, at: Sequence[float]) -> float:
        q = np.concatenate([at, [0, 0, 0, 1], here])
        return gaps_of(pair(one, other), q, nothing)["c"][0]

    assert gap(shapes.Sphere(0.3), shapes.Sphere(0.5), (0.7, 0, 0)) == pytest.approx(-0.1, abs=1e-15)
    assert gap(shapes.Sphere(0.3), shapes.Box((2, 2, 2)), (0.1, 0.2, -1.2)) == pytest.approx(-0.1, abs=1e-15)
    edge = 1 + 0.2 / np.sqrt(2)
    assert gap(shapes.Sphere(0.3), shapes.Box((2, 2, 2)), (edge, 0.2, -edge)) == pytest.approx(-0.1, abs=1e-15)
    assert gap(shapes.Point(), shapes.Box((2, 2, 2)), (0.1, -0.9, 0.3)) == pytest.approx(-0.1, abs=1e-15)
    assert gap(shapes.Point(), shapes.Cylinder(0.5, 2.0), (0.3, 0, 0.1)) == pytest.approx(-0.2, abs=1e-15)
    assert gap(shapes.Point(), shapes.Cylinder(0.5, 2.0), (0.1, 0, -0.95)) == pytest.approx(-0.05, abs=1e-15)
    assert gap(shapes.Capsule(0.2, 1.0, "x"), shapes.Capsule(0.3, 1.0, "y"), (0, 0, 0.4)) == pytest.approx(-0.1)


@pytest.mark.parametrize("name", ROUND)
def test_gaps_do_not_jump(name: str) -> None:
    """Along straight ways through both shapes' neighbourhood no gap changes by more than the way that was gone."""
    d = compiled(name)
    rng = np.random.default_rng(7)
    for _ in range(5):
        turns = Rotation.random(2, random_state=rng).as_quat()
        a, b = rng.normal(size=(2, 3))
        s = np.linspace(0, 1, 2001)[:, None]
        way = a + s * (b - a)
        q = np.concatenate([way, np.tile(turns[0], (2001, 1)), np.zeros((2001, 3)), np.tile(turns[1], (2001, 1))], 1)
        gaps = d.residual(q, np.zeros(12))["c"][:, 0]
        assert np.isfinite(gaps).all()
        assert np.abs(np.diff(gaps)).max() <= np.linalg.norm(b - a) / 2000 * (1 + 1e-9) + 1e-15


@pytest.mark.parametrize(("turn", "at", "gap"), [
    (0.0, (0.3, 0, 0.7), 0.2),  # beside one another
    (np.pi, (0.3, 0, 0.7), 0.2),  # the other way round
    (0.0, (0, 0, 0.7), 0.2),
    (0.0, (1.8, 0, 0), 0.3),  # one after the other
    (1e-9, (0.1, 0, 0.7), 0.2),
    (np.pi / 2, (0.2, -0.1, 0.7), 0.2),  # crossed
])  # fmt: skip
def test_parallel_capsules_have_numbers(turn: float, at: tuple[float, float, float], gap: float) -> None:
    d = logs()
    q = np.concatenate([at, Rotation.from_euler("z", turn).as_quat(), [0, 0, 0, 0, 0, 0, 1]])
    found = d.residual(q, np.ones(12))
    assert found["c"][0] == pytest.approx(gap, abs=1e-9)
    assert np.isfinite([*found["c"], *found["c sticks"]]).all()
    assert np.isfinite(d.forward_dynamics(q, np.ones(12))).all()


@cache
def logs() -> Compiled:
    return pair(shapes.Capsule(0.2, 1.0, "x"), shapes.Capsule(0.3, 1.0, "x"))


def test_what_has_no_direction_has_numbers_too() -> None:
    """Centers that coincide, a ball on a cylinder's axis, a point in a box's middle."""
    q = np.array([0, 0, 0, 0, 0, 0, 1.0] * 2)
    for one, other in (
        (shapes.Sphere(0.2), shapes.Sphere(0.3)),
        (shapes.Sphere(0.2), shapes.Capsule(0.3, 1.0)),
        (shapes.Capsule(0.2, 1.0, "x"), shapes.Capsule(0.3, 1.0, "x")),
        (shapes.Point(), shapes.Box((1, 1, 1))),
        (shapes.Point(), shapes.Cylinder(0.5, 2.0)),
    ):
        d = pair(one, other)
        found = d.residual(q, np.ones(12))
        assert np.isfinite([*found["c"], *found["c sticks"]]).all()
        assert np.isfinite(d.forward_dynamics(q, np.ones(12))).all()


def test_the_order_of_the_sides_does_not_matter() -> None:
    one, other = (x.ours for x in ROUND["sphere, box"])
    d, swapped = pair(one, other), pair(one, other, swapped=True)
    for q, u in poses(3, 8):
        for name, value in d.residual(q, u).items():
            assert np.array_equal(value, swapped.residual(q, u)[name])


# -- cylinders --------------------------------------------------------------------------------------------------------


def drum() -> Compiled:
    m = jd.Model("drum")
    b = m.body("drum", mass=1.0, inertia=STILL)
    m.free("f", m.ground, b)
    m.contact("drum", (b, shapes.Cylinder(0.3, 1.0)), shapes.Plane(), friction=0.5)
    return jd.compile(m.system(), cache=Cache(None))


def test_a_cylinder_stands_on_one_end() -> None:
    """Four points of the end touch, whichever way it is turned; together they hold it: no tilting, no fall."""
    d = drum()
    for turn in (0.0, 1.0, 2.5):
        q = np.array([0.2, 0.1, 0.5, *Rotation.from_euler("z", turn).as_quat()])
        gaps = gaps_of(d.in_mode(set(d.system.constraints)), q, np.zeros(6))
        touching = {name for name, spot in gaps.items() if abs(spot[0]) < 1e-9}
        assert len(touching) == 4
        held = d.in_mode(touching)
        rows = np.array([[held.residual(q, e)[x][1] for x in sorted(touching)] for e in np.eye(6)]).T
        assert np.linalg.matrix_rank(rows, tol=1e-9) == 3
        assert np.abs(rows[:, [2, 3, 4]]).max() < 1e-15  # spinning and sliding stay free
        udot = held.forward_dynamics(q, [0.3, -0.2, 0, 0, 0, 0.1])
        assert np.isfinite(udot).all()
        forces = held.constraint_forces(q, np.zeros(6))
        assert sum(x[0] for x in forces.values()) == pytest.approx(9.81, rel=1e-12)


def test_a_cylinder_tilts_without_a_jump() -> None:
    """From upright to leaning: the lowest point is h cos θ + R sin θ under the center."""
    d = drum()
    d = d.in_mode(set(d.system.constraints))
    for tilt in (0.0, 1e-13, 1e-11, 1e-9, 1e-6, 1e-3, 0.5, 1.5, np.pi / 2, 2.0, np.pi - 1e-7, np.pi):
        q = np.array([0, 0, 1.0, *Rotation.from_euler("ZX", [0.3, tilt]).as_quat()])
        gaps = [spot[0] for spot in gaps_of(d, q, np.zeros(6)).values()]
        assert min(gaps) == pytest.approx(1 - 0.5 * abs(np.cos(tilt)) - 0.3 * np.sin(tilt), abs=1e-10)


def test_a_standing_cylinder_touches_with_its_own_material() -> None:
    """The middle of the lower end, and three points of its rim in directions that the plane has."""
    d = drum()
    q = np.array([0.2, 0.1, 0.5, *Rotation.from_euler("z", 0.4).as_quat()])
    turn = Rotation.from_quat(q[3:])
    rim = [[0.3 * np.cos(x), 0.3 * np.sin(x), 0] for x in (0, 2 * np.pi / 3, -2 * np.pi / 3)]
    places = np.array([0.2, 0.1, 0.0]) + np.array([[0.0, 0, 0], *rim])
    d = d.in_mode(set(d.system.constraints))
    for u in np.random.default_rng(0).normal(size=(5, 6)):
        lower = list(gaps_of(d, q, u).values())[:4]
        for (gap, rate, slips), x in zip(lower, places):
            v = turn.apply(u[3:]) + np.cross(turn.apply(u[:3]), x - q[:3])
            assert abs(gap) < 1e-15
            assert np.abs([*slips, rate] - v).max() < 1e-13


def test_a_lying_cylinder_touches_with_two_points_and_rolls() -> None:
    d = drum()
    q = np.array([0.0, 0.0, 0.3, *Rotation.from_euler("ZX", [0.4, np.pi / 2]).as_quat()])
    near = [x for x in d.system.contacts if d.in_mode({x.normal}).residual(q, np.zeros(6))[x.name][0] < 1e-9]
    assert len(near) == 2
    others = [d.in_mode({x.normal}).residual(q, np.zeros(6))[x.name][0] for x in d.system.contacts if x not in near]
    assert min(others) > 0.29
    rolls = d.in_mode({y for x in near for y in (x.normal, x.slip)})
    # u: spinning about its axis with the center moving to suit; nothing slips.
    turn = Rotation.from_quat(q[3:])
    axis = turn.apply([0, 0, 1.0])
    u = np.concatenate([[0, 0, 2.0], turn.inv().apply(np.cross(2.0 * axis, [0, 0, 0.3]))])
    for name, rows in rolls.residual(q, u).items():
        assert np.abs(rows).max() < 1e-14, name


# -- in the plane ------------------------------------------------------------------------------------------------------


def planar(shape: Any, other: Any = None) -> tuple[jd.Model, tuple[str, ...]]:
    """Moving in the plane of x and z: across y."""
    m = jd.Model("plane")
    b = m.body("b", mass=1.0, inertia=STILL)
    flip = [("x", -np.pi / 2)]  # the joint's z along the ground's y
    m.planar("p", m.ground, b, rotation=[("x", -np.pi / 2)], child_rotation=flip)
    return m, m.contact("c", (b, shape), other or shapes.Plane(), friction=0.4)


def same_as_in_space(shape: Any, other: Any) -> None:
    """Gaps and slips of a body in the plane are those of a free one there."""
    m, _ = planar(shape, other)
    s = m.system()
    d = jd.compile(s, cache=Cache(None)).in_mode(set(s.constraints))
    space = jd.Model("space")
    free = space.body("b", mass=1.0, inertia=STILL)
    space.free("f", space.ground, free)
    space.contact("c", (free, shape), other, friction=0.4)
    t = space.system()
    e = jd.compile(t, cache=Cache(None)).in_mode(set(t.constraints))
    rng = np.random.default_rng(3)
    for _ in range(5):
        q, u = rng.normal(size=3) + np.array([0, 1.5, 0]), rng.normal(size=3)
        pose = d.pose("b", q)
        place = np.concatenate([pose[:3, 3], Rotation.from_matrix(pose[:3, :3]).as_quat()])
        mine = min(gaps_of(d, q, u).values(), key=lambda spot: spot[0])
        theirs = min(gaps_of(e, place, d.jacobian("b", q) @ u).values(), key=lambda spot: spot[0])
        assert mine[:2] == pytest.approx(theirs[:2], abs=1e-12)
        assert np.linalg.norm(mine[2]) == pytest.approx(np.linalg.norm(theirs[2]), abs=1e-12)


@pytest.mark.parametrize(("shape", "count"), [
    (shapes.Sphere(0.2), 1),
    (shapes.Box((0.2, 0.3, 0.4), (0, 0.3, 0)), 4),
    (shapes.Capsule(0.1, 1.0, "y"), 1),
    (shapes.Capsule(0.1, 1.0, "x"), 2),
    (shapes.Cylinder(0.3, 0.2, "y"), 1),
    (shapes.Cylinder(0.3, 0.2, "z"), 4),
    (shapes.Cylinder(0.3, 0.2, (1, 1, 0)), 8),
    (shapes.Wheel(0.3, "y", 0.1), 1),
    (shapes.Wheel(0.3, "z", 0.1), 2),
    (shapes.Mesh(CUBE), 4),
    (shapes.Ellipsoid((0.2, 0.5, 0.3)), 1),
])  # fmt: skip
def test_what_moves_in_a_plane_slips_one_way(shape: Any, count: int) -> None:
    """One point of those behind one another, one direction of slip; gaps as in space."""
    m, names = planar(shape)
    assert len(names) == count
    s = m.system()
    assert all(len(s.constraint(x.slip).rows) == 1 for x in s.contacts)
    same_as_in_space(shape, shapes.Plane())


@pytest.mark.parametrize(("other", "count"), [
    (shapes.Sphere(0.3, (1, 0, 0)), 1),
    (shapes.Sphere(0.3, (1, 0.1, 0)), 2),  # beside the plane: the normal leaves it
    (shapes.Capsule(0.3, 1.0, "x", (1, 0, 0)), 1),
    (shapes.Capsule(0.3, 1.0, (1, 1, 0), (1, 0, 0)), 2),
    (shapes.Box((1, 1, 1), (1, 0, 0)), 1),
    (shapes.Box((1, 1, 1), (1, 0, 0), [("x", 0.3)]), 2),
    (shapes.Cylinder(0.3, 1.0, "y", (1, 0, 0)), 1),
])  # fmt: skip
def test_round_shapes_in_a_plane_slip_one_way_where_they_stay_in_it(other: Any, count: int) -> None:
    m, _ = planar(shapes.Sphere(0.2), other)
    assert len(m.system().constraint("c sticks").rows) == count
    same_as_in_space(shapes.Sphere(0.2), other)


@pytest.mark.parametrize(("slide", "normal", "rows"), [("x", "z", 1), ("y", "z", 1), ("z", "x", 1), ("z", "z", 0)])
def test_what_slides_slips_along_its_way_or_nowhere(slide: str, normal: str, rows: int) -> None:
    m = jd.Model("slide")
    b = m.body("b", mass=1.0, inertia=STILL)
    m.prismatic("s", m.ground, b, axis=slide)
    m.contact("c", (b, shapes.Box((0.2, 0.3, 0.4))), shapes.Plane(normal, -1.0), friction=0.4)
    s = m.system()
    d = jd.compile(s, cache=Cache(None))
    for contact in s.contacts:
        slips = d.in_mode({contact.slip}).residual([0.1], [0.7])[contact.slip] if contact.slip else np.zeros(0)
        assert np.abs(slips).tolist() == [0.7] * rows


# -- mistakes ---------------------------------------------------------------------------------------------------------


def yard() -> jd.Model:
    m = jd.Model("yard")
    for name in ("ball", "block"):
        m.free(f"f {name}", m.ground, m.body(name, mass=1.0, inertia=STILL))
    m["ball"].point("mark", (0, 0, 1))
    m["ball"].frame("skew", (0, 0, 1))
    m.parameter("r", 0.1)
    m.parameter("neg", -0.1)
    return m


ROUND_ONE = shapes.Sphere(0.1)
GROUND = shapes.Plane()
SHELL: Any = [(np.cos(x), np.sin(x), 0.3 * z) for x in range(50) for z in (-1, 1)]
ROWS: list[tuple[Write, Sequence[str]]] = [
    (lambda m: m.contact("c", ("bal", ROUND_ONE), GROUND), ["the body of the one side of contact 'c' is 'bal', but"]),
    (lambda m: m.contact("c", "ball", GROUND), ["the one side of contact 'c' is 'ball'; a pair .body, shape. is need"]),
    (lambda m: m.contact("c", ("ball", 3), GROUND), ["the one side of contact 'c' is .'ball', 3.; a pair"]),
    (lambda m: m.contact("c", ROUND_ONE, GROUND), ["both sides of contact 'c' are on 'ground'; they never move"]),
    (lambda m: m.contact("c", ("ball", ROUND_ONE), ("ball", GROUND)), ["both sides of contact 'c' are on 'ball'"]),
    (
        lambda m: m.contact("c", ("ball", shapes.Capsule(1, 1)), ("block", shapes.Box((1, 1, 1)))),
        ["contact 'c' is of a capsule and a box, which are not .*; there are point or sphere or .* with plane; "],
    ),
    (lambda m: m.contact("c", ("ball", GROUND), GROUND), ["of a plane and a plane, which are not supported"]),
    (lambda m: m.contact("c", ("ball", shapes.Wheel(1)), ("block", ROUND_ONE)), ["of a wheel and a sphere, which"]),
    (lambda m: m.contact("c", ("ball", ROUND_ONE), GROUND, friction=-0.1), ["friction of contact 'c' is -0.1; it is"]),
    (lambda m: m.contact("c", ("ball", ROUND_ONE), GROUND, friction=m["neg"]), ["friction of contact 'c' is neg; it"]),
    (lambda m: m.contact("c", ("ball", ROUND_ONE), GROUND, restitution=1.1), ["restitution of contact 'c' is 1.1; it"]),
    (lambda m: m.contact("c", ("ball", ROUND_ONE), GROUND, friction=m["f ball"].speeds[0]), ["depends on velocities"]),
    (lambda m: m.contact("c", ("ball", ROUND_ONE), GROUND, law="Newton"), ["law of impact of 'c' is 'Newton'; it is"]),
    (lambda m: m.contact("7", ("ball", ROUND_ONE), GROUND), ["'7' is no name for a contact"]),
    (lambda m: m.contact("c", ("ball", shapes.Sphere(-1)), GROUND), ["the radius of the sphere of the one side of co"]),
    (lambda m: m.contact("c", ("ball", shapes.Sphere(m.time)), GROUND), ["radius of the sphere .* depends on t; only"]),
    (lambda m: m.contact("c", ("ball", shapes.Box((1, 2))), GROUND), ["the sizes of the box of .* three lengths are"]),
    (lambda m: m.contact("c", ("ball", shapes.Box((1, 2, 0))), GROUND), ["number 3 of the sizes of the box .* is 0"]),
    (lambda m: m.contact("c", ("ball", shapes.Capsule(1, 0)), GROUND), ["the length of the capsule .* is 0; a positi"]),
    (lambda m: m.contact("c", ("ball", shapes.Wheel(1, width=3)), GROUND), ["the width of the wheel .* is 3; it lies"]),
    (lambda m: m.contact("c", ("ball", shapes.Mesh([])), GROUND), ["the mesh of the one side of .* has no vertices"]),
    (lambda m: m.contact("c", ("ball", shapes.Mesh([(0, 1)])), GROUND), ["vertex 1 of the mesh .* three numbers or"]),
    (lambda m: m.contact("c", ("ball", shapes.Mesh(SHELL)), GROUND), ["has 100 corners; at most 64 are taken"]),
    (lambda m: m.contact("c", ("block", shapes.Point("mark")), GROUND), ["the center of the point .* a point of 'bal"]),
    (lambda m: m.contact("c", ("block", shapes.Point("marc")), GROUND), ["'marc', but there is no such point"]),
    (lambda m: m.contact("c", ("ball", shapes.Box((1, 1, 1), axes="skw")), GROUND), ["'skw', but there is no such fr"]),
    (lambda m: m.contact("c", ("block", shapes.Box((1, 1, 1), axes="skew")), GROUND), ["give a frame of its own body"]),
    (lambda m: m.contact("c", ("ball", ROUND_ONE), shapes.Plane("w")), ["the normal of the plane of the other side o"]),
]  # fmt: skip


@pytest.mark.parametrize("row", range(len(ROWS)))
def test_every_mistake_is_told(row: int) -> None:
    write, expected = ROWS[row]
    m = yard()
    write(m)
    with pytest.raises(ModelError) as raised:
        m.system()
    mistakes = raised.value.mistakes
    assert len(mistakes) == len(expected), [str(x) for x in mistakes]
    for pattern, mistake in zip(expected, mistakes):
        assert re.search(pattern, mistake.text), mistake.text
        assert mistake.where.file == __file__


# -- what is made -----------------------------------------------------------------------------------------------------


def test_points_frames_and_parameters_place_a_shape() -> None:
    """Centers by point, by name, at the mass centre; axes by frame, by its name; sizes by parameters."""
    states = poses(3, 9)
    plain = pair(shapes.Box((0.4, 0.9, 1.3), C, TURNS), shapes.Plane((1, 2, -2), 0.2))
    for which in range(3):
        m = jd.Model("pair", gravity=(0, 0, 0))
        a, b = m.body("a", mass=1.0, center=C, inertia=STILL), m.body("b", mass=1.0, inertia=STILL)
        m.free("fa", m.ground, a)
        m.free("fb", m.ground, b)
        wide = m.parameter("wide", 0.9)
        frame = a.frame("skew", (5, 5, 5), TURNS)
        center: Any = (a.center, a.point("middle", C), "middle")[which]
        axes: Any = (frame, "skew", TURNED)[which]
        m.contact("c", (a, shapes.Box((0.4, wide, 1.3), center, axes)), (b, shapes.Plane((1, 2, -2), 0.2)), friction=1)
        s = m.system()
        d = jd.compile(s, cache=Cache(None)).in_mode(set(s.constraints))
        for q, u in states:
            ours, theirs = gaps_of(d, q, u), gaps_of(plain, q, u)
            assert ours.keys() == theirs.keys()
            for name in ours:
                assert np.hstack(ours[name]) == pytest.approx(np.hstack(theirs[name]), abs=1e-12)


def test_names_friction_and_impacts(tmp_path: Any) -> None:
    m = yard()
    names = m.contact(
        "block", ("block", shapes.Capsule(m["r"], 1.0)), shapes.Plane(), friction=0.5, restitution=0.2,
        law=jd.ImpactLaw.POISSON,
    )  # fmt: skip
    assert names == ("block 1", "block 2")
    assert m.contact("ball", ("ball", shapes.Sphere(0.1)), shapes.Plane()) == ("ball",)
    s = m.system()
    one, two, ball = s.contacts
    assert (one.name, one.normal, one.slip, one.law) == ("block 1", "block 1", "block 1 sticks", jd.ImpactLaw.POISSON)
    assert (one.friction.value, one.restitution.value) == (0.5, 0.2)
    assert (two.slip, ball.slip) == ("block 2 sticks", "")
    assert list(s.constraints) == ["block 1", "block 1 sticks", "block 2", "block 2 sticks", "ball"]
    s.save(tmp_path / "a.json")
    jd.load(tmp_path / "a.json").save(tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    m.remove("block")
    assert [x.name for x in m.system().contacts] == ["ball"]
    assert list(m.system().constraints) == ["ball"]


def test_a_contact_that_is_placed_on_something_else_goes_along() -> None:
    """Under a prefix, its ground on a body that moves: the plane moves with it."""
    inner = yard()
    inner.contact("c", ("ball", shapes.Sphere(0.1)), shapes.Plane(), friction=0.5)
    m = jd.Model("ship")
    deck = m.body("deck", mass=1.0, inertia=STILL)
    m.free("afloat", m.ground, deck)
    m.place(inner, "on", on=deck, at=(0, 0, 1))
    s = m.system()
    assert (s.contacts[0].normal, s.contacts[0].slip) == ("on.c", "on.c sticks")
    d = jd.compile(s, cache=Cache(None)).in_mode(set(s.constraints))
    rng = np.random.default_rng(2)
    q = rng.normal(size=21)
    for k in (3, 10, 17):
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    pose, ball = d.pose("deck", q), d.pose("on.ball", q)
    height = (np.linalg.inv(pose) @ ball)[2, 3]
    assert gaps_of(d, q, np.zeros(18))["on.c"][0] == pytest.approx(height - 1.1, abs=1e-12)
