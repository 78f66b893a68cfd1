"""The frozen system: names, order, slices, what cannot be changed, and how it shows itself; a few tools below it."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain import gallery
from jourdain.graph import Graph, Role, sqrt
from jourdain.model.arguments import at_defaults
from jourdain.model.closure import independent, open_pairs
from jourdain.model.elimination import Equation, solve
from jourdain.model.pose import Pose, Twist
from jourdain.model.screw import bracket
from jourdain.spatial import Rotation, Vector

from .looking import close, values
from .mechanisms import cart, everything
from .motions import MOTIONS

STILL = jd.principal(1, 1, 1)


def test_the_order_is_the_trees_as_bodies_were_added() -> None:
    m = jd.Model("tree")
    for name in ("leaf", "root", "other", "twig"):
        m.body(name, mass=1.0, inertia=STILL)
    m.revolute("c", "twig", "leaf")
    m.revolute("d", "root", "twig")
    m.planar("b", m.ground, "other")
    m.revolute("a", m.ground, "root")
    system = m.system()
    assert [x.name for x in system.bodies] == ["root", "other", "twig", "leaf"]
    assert [x.name for x in system.joints] == ["a", "b", "d", "c"]
    assert system.coordinates == ("a", "b.x", "b.y", "b.angle", "d", "c")
    assert system.speeds == ("a", "b.vx", "b.vy", "b.wz", "d", "c")
    assert system.slices("b") == (slice(1, 4), slice(1, 4))
    assert system.slices("c") == (slice(5, 6), slice(5, 6))
    assert [x.name for x in system.speed_symbols] == ["adot", "b.vx", "b.vy", "b.wz", "ddot", "cdot"]
    assert [x.name for x in system.coordinate_symbols] == list(system.coordinates)


def test_symbols_are_born_in_the_order_of_the_system() -> None:
    system = everything().system()
    names = [x.name for x in system.graph.symbols]
    free = [*system.parameters, *system.inputs, "t", *system.coordinates, *(x.name for x in system.speed_symbols)]
    assert names[: len(free)] == free


def test_names_follow_the_convention() -> None:
    system = everything().system()
    q, u = system.slices("float")
    assert system.coordinates[q] == tuple(f"float.{x}" for x in ("x", "y", "z", "qx", "qy", "qz", "qw"))
    assert system.speeds[u] == tuple(f"float.{x}" for x in ("wx", "wy", "wz", "vx", "vy", "vz"))
    assert system.coordinates[system.slices("cross")[0]] == ("cross.a1", "cross.a2")
    assert system.coordinates[system.slices("tube")[0]] == ("tube.angle", "tube.slide")
    assert system.speeds[system.slices("tube")[1]] == ("tube.w", "tube.v")
    assert system.coordinates[system.slices("given")[0]] == ("given.q1", "given.q2")
    assert np.array_equal(system.neutral[q], [0, 0, 0, 0, 0, 0, 1])
    assert len(system.neutral) == len(system.coordinates)


def test_a_system_cannot_be_edited() -> None:
    m = cart()
    system = m.system()
    with pytest.raises(dataclasses.FrozenInstanceError):
        system.name = "x"  # type: ignore[misc]
    with pytest.raises(TypeError):
        system.parameters["L1"] = 2.0  # type: ignore[index]
    m.body("more", mass=1.0)
    m.weld("w", m.ground, "more")
    assert len(system.bodies) == 2
    assert len(m.system().bodies) == 3
    assert system.parameters["L1"] == 0.4
    assert dict(system.constraints) == {}
    assert system != m.system()


def test_gravity_is_the_models_own() -> None:
    m = jd.Model("g", gravity=np.array([0, 1, 2]))
    assert values(m.gravity) == [0, 1, 2]
    number: Any = np.array(9.81)  # an array without axes is a number
    m.gravity = (0, -m.parameter("g", number), 0)
    assert m.system().parameters["g"] == 9.81
    assert m.system().gravity.y.args[0].name == "g"


def test_an_axis_of_parameters_is_made_a_unit_vector() -> None:
    m = jd.Model("axis")
    a = m.parameter("a", 3.0)
    m.revolute("j", m.ground, m.body("b", mass=1.0, inertia=STILL), axis=(a, 0, 4))
    axis = m.system().joint("j").motion.columns[0][:3]
    assert close(at_defaults(axis, {"a": 3.0}), [0.6, 0, 0.8])


def test_parts_are_found_by_name() -> None:
    system = cart().system()
    assert system.body("B").name == "B"
    assert system.joint("swivel").parent == "B"
    for ask, said in (
        (lambda: system.body("b"), "system 'shopping cart' has no body 'b'; there is 'B', 'C'"),
        (lambda: system.joint("swivl"), "has no joint 'swivl'; did you mean 'swivel'?"),
        (lambda: system.slices("x"), "has no joint 'x'"),
    ):
        with pytest.raises(KeyError) as raised:
            ask()
        assert said in str(raised.value)


CART = """\
shopping cart: 2 bodies, 2 joints, 4 coordinates, 4 speeds
ground
cart (planar: x, y, angle) ─ B (m_B kg)
swivel (revolute) ─ C (m_C kg, a particle)
gravity: (0, 0, -9.81) m/s²
parameters: L1 = 0.4, L2 = 0.9, L3 = 0.1, m_B = 20, I_B = 1.6, m_C = 1
inputs: F, tau
loads: force 1, torque 1
outputs: rear wheels slip, front wheel slips, caster turns, P3.x, P3.y, P3.z"""

EVERYTHING = """\
everything: ω, ½ and « » in its name: 13 bodies, 13 joints, 23 coordinates, 22 speeds
ground
float (free: x, y, z, qx, qy, qz, qw) ─ base (L*rho kg)
├─ turn (revolute) ─ a (L*rho kg)
│  slide (prismatic) ─ b (L*rho kg)
│  screw (screw) ─ c (L*rho kg)
│  ├─ cross (universal: a1, a2) ─ d (L*rho kg)
│  │  glue (weld) ─ bead (L*0.1 kg, a particle)
│  └─ tube (cylindrical: angle, slide) ─ e (L*rho kg)
│     tail joint (revolute) ─ tail (massless)
│     end (spherical, given: 0.5, 0.5, -0.5, 0.5) ─ tip mass (0.1 kg, a particle)
├─ plate (planar: x, y, angle) ─ f (L*rho kg)
│  ball (spherical: roll, pitch, yaw) ─ g (L*rho kg)
│  given (r = {1, 1}: q1, q2) ─ h (L*rho kg)
└─ driven (revolute, given: DRIVE) ─ i (L*rho kg)
gravity: (0, 0, -9.81) m/s²
parameters: L = 0.4, rho = 3, k = 50, c = 0.7, alpha = 0.3, pitch = 0.02
inputs: push, follow the leader
LOADS
rotors: rotor 1 on turn, small rotor on cross
points: tip on d, hook on ground
frames: hand on h
outputs: tip.x, tip.y, tip.z, tip speed, felt, spin, lean, work, half"""


LOADS = (
    "loads: drag, drag part 2, force 1, torque 1, joint force 1, damper 1, strut 1, joint spring 1, joint spring 2, "
    "… (6 more)"
)


def test_a_system_shows_its_tree() -> None:
    assert repr(cart().system()) == CART
    system = everything().system()
    (drive,) = system.joint("driven").prescribed
    mass = system.body("bead").mass
    assert repr(system) == EVERYTHING.replace("DRIVE", repr(drive)).replace("L*0.1", repr(mass)).replace("LOADS", LOADS)


def test_long_trees_are_cut() -> None:
    text = repr(gallery.chain(300)).splitlines()
    assert text[202] == "… (100 more)"
    m = jd.Model("long")
    big = m.parameter("a", 1.0)
    for k in range(6):
        big = big * big + k
    m.weld("j", m.ground, m.particle("p", big))
    assert "j (weld) ─ p (… kg, a particle)" in repr(m.system())


def test_importing_takes_nothing_that_is_not_used() -> None:
    code = "import sys, jourdain.model.model; print(*(x in sys.modules for x in ('sympy', 'scipy')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


# -- closure, elimination, poses --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MOTIONS)
def test_every_group_of_every_joint_is_closed(name: str) -> None:
    motion, start = MOTIONS[name](Graph()), 0
    for size in motion.groups:
        assert independent(motion.columns[start : start + size])
        assert not open_pairs(motion.columns[start : start + size])
        start += size


def test_a_universal_joint_as_one_simple_joint_is_open() -> None:
    motion = MOTIONS["universal"](Graph())
    assert open_pairs(motion.columns) == [(0, 1)]
    assert not independent([motion.columns[0], motion.columns[0]])


def test_a_map_need_not_be_finite_for_every_value_of_its_parameters() -> None:
    graph = Graph()
    a, zero, one = graph.symbol("a", Role.PARAMETER), graph.zero, graph.one
    root, turning = (zero, zero, one, sqrt(a - 3.0), zero, zero), (one, zero, zero, zero, zero, zero)
    assert independent([root])
    assert not open_pairs([root])
    assert open_pairs([root, turning]) == [(0, 1)]
    never = sqrt(-(a * a) - 1.0)
    assert not independent([(never, zero, zero, zero, zero, zero)])


def test_parameters_do_not_close_by_chance() -> None:
    graph = Graph()
    a, b = (graph.symbol(x, Role.PARAMETER) for x in "ab")
    zero, one = graph.zero, graph.one
    turning, sliding = (one, zero, zero, zero, zero, zero), (zero, zero, zero, a, b, zero)
    assert open_pairs([turning, sliding]) == [(0, 1)]
    assert not open_pairs([turning, (zero, zero, zero, a, zero, zero)])


def test_the_bracket_is_the_commutator() -> None:
    graph, rng = Graph(), np.random.default_rng(2)

    def matrix(v: np.ndarray) -> np.ndarray:
        w, t = v[:3], v[3:]
        return np.array([[0, -w[2], w[1], t[0]], [w[2], 0, -w[0], t[1]], [-w[1], w[0], 0, t[2]], [0, 0, 0, 0]])

    a, b = rng.normal(size=(2, 6))
    twists = [Twist(Vector.of(graph, v[:3].tolist()), Vector.of(graph, v[3:].tolist())) for v in (a, b)]
    found = bracket(*twists)
    expected = matrix(a) @ matrix(b) - matrix(b) @ matrix(a)
    assert close(matrix(np.array(values([*found.angular, *found.linear]))), expected)


def test_twists_are_seen_from_inside_and_from_outside() -> None:
    graph, rng = Graph(), np.random.default_rng(3)
    pose = Pose(Rotation.turn(graph, 1, graph.constant(0.4)), Vector.of(graph, rng.normal(size=3).tolist()))
    w, v = rng.normal(size=(2, 3))
    twist = Twist(Vector.of(graph, w.tolist()), Vector.of(graph, v.tolist()))
    back = twist.seen_inside(pose).seen_outside(pose)
    assert close(values([*back.angular, *back.linear]), [*w, *v])
    there = pose.then(pose.inverse())
    assert close([values(row) for row in there.rotation.matrix()], np.eye(3))
    assert close(values(there.translation), np.zeros(3))
    assert not pose.is_identity
    assert Pose.identity(graph).is_identity


def test_equations_are_solved_by_the_simplest_pivot() -> None:
    graph, rng = Graph(), np.random.default_rng(4)
    matrix, right = rng.normal(size=(5, 3)), rng.normal(size=(3, 2))
    rows = matrix @ right  # five equations that agree
    equations = [
        Equation([graph.constant(x) for x in left], [graph.constant(x) for x in r])
        for left, r in zip(matrix.tolist(), rows.tolist())
    ]
    found = solve(graph, equations, 3, lambda x: abs(x.value))
    assert close([values(row) for row in found], right, 10)


def test_equations_that_do_not_hold_all_unknowns_are_refused() -> None:
    graph = Graph()
    with pytest.raises(ValueError, match="the columns of the joint's map are not independent"):
        solve(graph, [Equation([graph.one, graph.one], [graph.one])], 2, lambda x: abs(x.value))
