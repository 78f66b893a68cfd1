"""Kane's quantities by name: velocities and what is read off them, forces part by part, on random systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import ArrayLike

import jourdain as jd
from jourdain.equations.generalized import mechanics_of
from jourdain.equations.gibbs_appell import GibbsAppell
from jourdain.equations.kane import Kane
from jourdain.equations.values import values
from jourdain.graph import Node
from jourdain.model.system import System
from jourdain.spatial import Vector

from .systems import Array, State, Traits, along_motion, evaluate, evaluate_rows, random_state, random_system
from .user_speeds import changed

DRIVEN = Traits(loads=True, driven=True)


@dataclass(frozen=True)
class Case:
    """A system and a state; kane: in its own speeds."""

    system: System
    kane: Kane
    state: State

    def vectors(self, found: Sequence[Vector]) -> Array:
        return evaluate_rows(self.kane.mechanics, found, self.state)

    def now(self, found: Sequence[Node]) -> Array:
        return evaluate(self.kane.mechanics, found, self.state)


def _plain(seed: int) -> Case:
    system = random_system(seed, 2 + seed % 3, DRIVEN)
    return Case(system, Kane(system), random_state(system, np.random.default_rng(seed)))


def _users(seed: int) -> Case:
    found = changed(seed, 2 + seed % 2, DRIVEN)
    return Case(found.after.system, Kane(found.after.system), found.u_state)


CASES = {**{f"joints-{k}": (_plain, k) for k in range(60, 68)}, **{f"users-{k}": (_users, k) for k in range(20, 26)}}


@pytest.fixture(params=list(CASES.values()), ids=list(CASES), scope="module")
def case(request: pytest.FixtureRequest) -> Case:
    make, seed = request.param
    found: Case = make(seed)
    return found


def agree(found: ArrayLike, wanted: ArrayLike, *terms: ArrayLike) -> None:
    """To 1e-11 of the largest of the terms that were summed."""
    a, b = np.asarray(found), np.asarray(wanted)
    assert a.shape == b.shape
    size = max(1.0, *(float(np.abs(x).max(initial=0.0)) for x in (b, *map(np.asarray, terms))))
    assert float(np.abs(a - b).max(initial=0.0)) <= 1e-11 * size


def test_velocities_are_partial_velocities_times_speeds_and_a_remainder(case: Case) -> None:
    """(23), of any point, along any axes; and the partial velocities are the Jacobian's columns."""
    kane, u = case.kane, case.state.u
    offset = (0.3, -0.2, 0.5)
    other = kane.bodies[0] if kane.bodies else "ground"
    for body in kane.bodies:
        for axes in (None, "ground", other):
            partial = case.vectors(kane.partial_velocities(body, offset, axes)) if len(u) else np.zeros((0, 3))
            rest = case.now(kane.velocity_remainder(body, offset, axes))
            agree(case.now(kane.velocity(body, offset, axes)), partial.T @ u + rest, partial * u.max(initial=0.0))
            turning = case.vectors(kane.partial_angular_velocities(body, axes)) if len(u) else np.zeros((0, 3))
            rest = case.now(kane.angular_velocity_remainder(body, axes))
            agree(case.now(kane.angular_velocity(body, axes)), turning.T @ u + rest, turning * u.max(initial=0.0))
        mechanics = kane.mechanics
        for ground in (False, True):
            rows = mechanics.jacobian(body, Vector.of(mechanics.graph, offset), ground)
            wanted = evaluate_rows(mechanics, rows, case.state)
            axes = "ground" if ground else None
            if len(u):
                agree(case.vectors(kane.partial_angular_velocities(body, axes)).T, wanted[:3])
                agree(case.vectors(kane.partial_velocities(body, offset, axes)).T, wanted[3:])


def test_accelerations_are_rates_of_velocities(case: Case) -> None:
    """In the ground, by complex steps along the motion; with what moves as given."""
    kane, m = case.kane, case.kane.mechanics
    for body in kane.bodies:
        at = (0.1, 0.4, -0.3)
        velocity, omega = kane.velocity(body, at, "ground"), kane.angular_velocity(body, "ground")
        found = case.now(kane.acceleration(body, at, "ground"))
        agree(found, along_motion(m, velocity, case.state), found)
        turning = case.now(kane.angular_acceleration(body, "ground"))
        agree(turning, along_motion(m, omega, case.state), turning)


def test_equations_are_inverse_dynamics(case: Case) -> None:
    """F + F* + f = 0 asks for the very forces that inverse dynamics asks for, with its base parameters."""
    kane = case.kane
    other = mechanics_of(case.system)
    active, inertia = case.now(kane.active_forces()), case.now(kane.inertia_forces())
    wanted = evaluate(other, other.inverse_dynamics(), case.state)
    agree(-(active + inertia), wanted, active, inertia)
    agree(case.now(kane.equations()), active + inertia + case.state.f, active, inertia)


def test_parts_make_the_whole(case: Case) -> None:
    """Bodies and joints, or gravity and loads, make up F; bodies and rotors F*."""
    kane, system = case.kane, case.system
    active = case.now(kane.active_forces())
    by_load = [case.now(kane.load_forces(load.name)) for load in system.loads]
    weights = [case.now(kane.weight_forces(body)) for body in kane.bodies]
    agree(sum(by_load) + sum(weights), active, *by_load, *weights)
    by_body = [case.now(kane.active_forces_on(body)) for body in kane.bodies]
    by_joint = [case.now(kane.joint_forces(joint.name)) for joint in system.joints]
    agree(sum(by_body) + sum(by_joint), active, *by_body, *by_joint)
    inertia = [case.now(kane.inertia_forces_of(body)) for body in kane.bodies]
    agree(sum(inertia) + case.now(kane.rotor_forces()), case.now(kane.inertia_forces()), *inertia)


def test_tables_hold_the_same(case: Case) -> None:
    kane = case.kane
    table = kane.table(axes="ground")
    assert [x.body for x in table] == list(kane.bodies)
    assert len(table) == len(kane.bodies)
    for entry in table:
        assert table[entry.body] is entry
        assert [name for name, _, _ in entry.rows()] == list(case.system.speeds)
        at = kane.center(entry.body)
        if entry.speeds:
            agree(case.vectors(entry.linear), case.vectors(kane.partial_velocities(entry.body, at, "ground")))
            agree(case.vectors(entry.angular), case.vectors(kane.partial_angular_velocities(entry.body, "ground")))
        agree(case.now(entry.linear_remainder), case.now(kane.velocity_remainder(entry.body, at, "ground")))
        agree(case.now(entry.angular_remainder), case.now(kane.angular_velocity_remainder(entry.body, "ground")))
        assert f"velocity of the mass centre of {entry.body}" in str(table)
    assert set(table.nodes()) >= {x for entry in table for vector in entry.linear for x in vector}


def test_partial_velocities_are_those_of_gibbs_and_appell() -> None:
    """∂v/∂u is ∂a/∂u̇ (20)."""
    system = random_system(3, 3, Traits())
    kane, gibbs = Kane(system), GibbsAppell(system)
    state = random_state(system, np.random.default_rng(3))
    for body in kane.bodies:
        found = evaluate_rows(kane.mechanics, kane.partial_velocities(body, kane.center(body)), state)
        other = evaluate_rows(gibbs.mechanics, gibbs.partial_accelerations(body), state)[3:].T
        agree(np.linalg.norm(found, axis=1), np.linalg.norm(other, axis=1))  # axes of links are not those of bodies
        agree(found @ found.T, other @ other.T)


def test_the_wrists_table_is_what_one_writes_by_hand() -> None:
    """Gillespie's second example: with u = ω·c, the partial angular velocities of C are its axes, those of its mass
    centre L c2 and −L c1."""
    kane = Kane(jd.gallery.spherical_wrist())
    entry = kane.table()["C"]
    graph = kane.graph
    length = graph.symbol("L", kane.center("C").z.role)
    assert list(entry.angular) == [Vector.unit(graph, k) for k in range(3)]
    assert entry.linear == (
        Vector(graph.zero, -length, graph.zero), Vector(length, graph.zero, graph.zero), Vector.zero(graph),
    )  # fmt: skip
    assert not entry.has_remainders
    assert str(kane.table(["C"])).splitlines() == [
        "along the axes of C",
        "    angular velocity of C  velocity of the mass centre of C",
        "u1  [1, 0, 0]              [0, -L, 0]",
        "u2  [0, 1, 0]              [L, 0, 0]",
        "u3  [0, 0, 1]              0",
    ]


def test_a_prescribed_joint_leaves_a_remainder() -> None:
    """A pendulum on a carriage that is moved as given: its velocity has a part that no speed multiplies."""
    m = jd.Model("shaken")
    cart = m.body("cart", mass=1.0, inertia=jd.point_mass)
    bob = m.body("bob", mass=2.0, center=(0, -0.5, 0), inertia=jd.point_mass)
    tip = bob.point("tip", (0, -0.7, 0))
    tilted = bob.frame("tilted", rotation=[("x", np.pi / 2)])
    m.prismatic("shake", m.ground, cart, axis="x")
    m.prescribe("shake", 0.3 * jd.sin(2.0 * m.time))
    m.revolute("swing", cart, bob, axis="z")
    kane = Kane(m.system())

    def now(found: Sequence[Node]) -> Array:
        return values(kane.mechanics, found, [0.4], [1.1], [0.2], time=0.6)

    shake = 0.6 * np.cos(1.2)
    c, s = np.cos(0.4), np.sin(0.4)
    assert np.abs(now(kane.velocity_remainder("bob", "tip")) - [shake * c, -shake * s, 0]).max() < 1e-15
    turned = now(kane.velocity_remainder("bob", tip.name, tilted.name))
    assert np.abs(turned - [shake * c, 0, shake * s]).max() < 1e-15
    seen = now(kane.velocity("bob", "tip", "ground"))
    assert np.abs(seen - [shake + 0.7 * 1.1 * c, 0.7 * 1.1 * s, 0]).max() < 1e-15
    assert "remainder" in str(kane.table())
    assert kane.table(["bob"], "tip")["bob"].point == "tip"
    assert kane.table(["bob"], (0, 1, 0))["bob"].point == "a point of bob"
    # −2 a*·v_1 − m g·v_1 with a = shaking + swinging: the pendulum's equation, by hand.
    a = -1.2 * np.sin(1.2)
    found = now(kane.inertia_forces())
    assert abs(found[0] + 2.0 * (0.25 * 0.2 + 0.5 * a * c)) < 1e-14


def test_the_ground_and_what_is_fixed_to_it_stand_still() -> None:
    m = jd.Model("fixed")
    base = m.body("base", mass=1.0, inertia=jd.point_mass)
    arm = m.body("arm", mass=1.0, inertia=jd.principal(1, 1, 1))
    m.weld("foot", m.ground, base)
    m.revolute("turn", base, arm, axis="z")
    kane = Kane(m.system())
    assert kane.bodies == ("arm",)
    for body in ("base", "ground"):
        assert kane.velocity(body).is_zero
        assert kane.angular_velocity(body).is_zero
        assert kane.acceleration(body).is_zero
        assert kane.angular_acceleration(body).is_zero
        assert all(x.is_zero for x in kane.partial_velocities(body))
    for part in (kane.inertia_forces_of, kane.weight_forces, kane.active_forces_on):
        assert all(x.is_zero for x in part("base"))


def test_unknown_names_are_said() -> None:
    system = jd.gallery.spherical_wrist()
    kane = Kane(system)
    with pytest.raises(KeyError, match="no body 'D'"):
        kane.velocity("D")
    with pytest.raises(KeyError, match="body 'C' has no point 'tip'"):
        kane.velocity("C", "tip")
    with pytest.raises(KeyError, match=r"no body or frame 'sky' to take axes from; there is 'ground', (?!'ground')"):
        kane.velocity("C", axes="sky")
    with pytest.raises(KeyError, match="no load 'wind'"):
        kane.load_forces("wind")
    with pytest.raises(KeyError, match="no joint 'hip'"):
        kane.joint_forces("hip")
    with pytest.raises(KeyError, match="the table has no body 'D'"):
        kane.table()["D"]
