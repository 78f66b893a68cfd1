"""Forces of constraint: in joints and along rows, by balance, by auxiliary speeds, by multipliers, by projection."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import ArrayLike

import jourdain as jd
from jourdain.equations.auxiliary import GivingConstraints, GivingJoint
from jourdain.equations.bond_wrenches import bond_wrenches
from jourdain.equations.constraints import Kinetics, bonds, solve_kinetics
from jourdain.equations.embedded import Embedded
from jourdain.equations.inverse import project
from jourdain.equations.kane import Kane
from jourdain.equations.mechanics import Mechanics
from jourdain.equations.own_speeds import OwnSpeeds
from jourdain.equations.reactions import reaction, transmitted
from jourdain.graph import Node, Role, interpret
from jourdain.model import closing
from jourdain.model.joining import Placement
from jourdain.model.system import Level, System
from jourdain.native import Cache

from .systems import Array, State, Traits, evaluate, evaluate_rows, random_state, random_system, values_in
from .test_embedded import TRAITS, held

SEEDS = (5, 6, 7)
NONE = np.zeros(0)


def agree(found: ArrayLike, wanted: ArrayLike, scale: float = 1.0, *terms: ArrayLike) -> None:
    a, b = np.asarray(found), np.asarray(wanted)
    assert a.shape == b.shape
    size = max(1.0, *(float(np.abs(x).max(initial=0.0)) for x in (b, *map(np.asarray, terms))))
    assert float(np.abs(a - b).max(initial=0.0)) <= 1e-11 * size * scale


def bound(seed: int, traits: Traits) -> System:
    """A random tree with a point of its last body kept on a line, the last body's axis at an angle, and a velocity."""
    rng = np.random.default_rng(seed)
    plain = random_system(seed, 4, traits)
    while len(plain.speeds) < 6:
        seed += 1000
        plain = random_system(seed, 4, traits)
    m = jd.Model.of(plain)
    first, last = m[plain.bodies[0].name], m[plain.bodies[-1].name]
    p, q = last.point("pin", rng.normal(size=3)), first.point("eye", rng.normal(size=3))
    between = p.position - q.position
    m.keep("on a line", between @ first.x - 0.1, between @ m.ground.y - 0.2 * jd.sin(m.time))
    m.keep("at an angle", last.z @ first.y - 0.3)
    m.keep("rolls", p.velocity @ first.z + 0.3 * (last.omega @ m.ground.x) + jd.cos(m.time))
    return m.system()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", TRAITS)
def test_rows_are_wrenches_on_bodies(name: str, seed: int) -> None:
    """What the wrenches of the rows ask of the joints' speeds is Aᵀ λ."""
    system = bound(seed, TRAITS[name])
    assert {x.level for x in system.conditions} == {Level.POSITION, Level.VELOCITY}
    rows_are_wrenches(system, seed)


def rows_are_wrenches(system: System, seed: int) -> None:
    m = Mechanics(system)
    names = tuple(x.name for x in system.conditions)
    matrix = bonds(m, names).matrix
    rows = [(x.name, row, x.level) for x in system.conditions for row in x.rows]
    multipliers = [m.graph.symbol(f"μ{k}", Role.INPUT) for k in range(len(rows))]
    links = [x - x for x in m.loads.links]
    for acting in bond_wrenches(m, rows, multipliers):
        if acting.link >= 0:
            links[acting.link] = links[acting.link] + acting.wrench
    state = random_state(system, np.random.default_rng(seed))
    numbers = np.random.default_rng(seed).normal(size=len(multipliers))
    values = {**values_in(m, state), **dict(zip(multipliers, map(float, numbers)))}
    found = interpret(project(m.standard, links)[: m.standard.freedom], values)
    felt = evaluate_rows(m, matrix, state)
    agree(np.array(found, float), felt.T @ numbers, 1.0, felt)


@pytest.mark.parametrize("kind", closing.KINDS)
def test_rows_of_loops_are_wrenches(kind: str) -> None:
    """Of every joint that closes a loop, between two bodies that both move."""
    plain = random_system(4, 4, Traits(floating=True))
    m = jd.Model.of(plain)
    outer, inner = m[plain.bodies[1].name], m[plain.bodies[3].name]
    places = Placement(at=(0.1, 0.2, 0.3), child_at=(0.3, -0.1, 0.2), rotation=[("x", 0.4)])
    m.close("loop", kind, outer, inner, axis=(0.6, 0, 0.8), pitch=0.3 if kind == "screw" else None, **places)
    rows_are_wrenches(m.system(), 3)


@pytest.mark.parametrize("what", ["ball", "wheel", "ellipsoid"])
def test_rows_of_touches_are_wrenches(what: str) -> None:
    """Gap, slip and spin on a plane that moves."""
    plain = random_system(4, 4, Traits(floating=True))
    m = jd.Model.of(plain)
    table, body = m[plain.bodies[1].name], m[plain.bodies[3].name]
    size = {"semi_axes": (0.3, 0.2, 0.4)} if what == "ellipsoid" else {"radius": 0.3}
    touch = getattr(m, what)(body, center=body.point("hub", (0.1, 0.3, 0.2)), plane=table, normal=(0.6, 0, 0.8), **size)
    m.keep("touches", touch.gap)
    m.keep("rolls", *touch.slip)
    m.keep("spins not", touch.spin)
    rows_are_wrenches(m.system(), 3)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", TRAITS)
def test_balance_and_auxiliary_speeds_agree(name: str, seed: int) -> None:
    """Every joint's wrench, by Newton's and Euler's balance of the bodies and by Kane's auxiliary speeds."""
    system = bound(seed, TRAITS[name])
    motion = OwnSpeeds.of(Kane(system).mechanics, ())
    m = motion.mechanics
    state = random_state(system, np.random.default_rng(seed))
    udot, multipliers = evaluate(m, motion.answer.rates, state), evaluate(m, motion.answer.multipliers, state)
    scale = float(np.linalg.cond(evaluate_rows(m, motion.rows.matrix, state))) ** 2
    for joint in system.joints:
        found = evaluate(m, reaction(motion, joint.name), state)
        giving = GivingJoint(system, joint.name)
        carried = dict(zip(motion.places, multipliers))
        every = [carried.get(place, 0.0) for place in giving.places]  # rows that say nothing new carry nothing
        values: dict[Node, float] = {}
        for symbols, numbers in (
            (giving.q, state.q), (giving.u, state.u), (giving.udot, udot), (giving.multipliers, every),
        ):  # fmt: skip
            values.update(zip(symbols, map(float, numbers), strict=True))
        elsewhere = values_in(giving.kane.mechanics, replace(state, q=NONE, u=NONE, udot=NONE, f=NONE))
        wanted = np.array(interpret(giving.reaction(), {**elsewhere, **values}), float)
        agree(found, wanted, scale, multipliers, udot)


@pytest.mark.parametrize("name", TRAITS)
def test_forces_on_joints_are_a_part_of_what_they_transmit(name: str) -> None:
    """Along a joint's own motions the wrench is the force on them: added, declared, less what a rotor takes."""
    system = bound(7, TRAITS[name])
    motion = OwnSpeeds.of(Kane(system).mechanics, ())
    m = motion.mechanics
    state = random_state(system, np.random.default_rng(7))
    udot = evaluate(m, motion.answer.rates, state)
    own = np.array(state.f) + sum(
        np.bincount([x.place], [evaluate(m, [x.value], state)[0]], len(udot) + 6)[: len(udot)]
        for x in m.loads.efforts
    )
    for place, inertia in m.standard.rotors:
        if place < len(udot):
            own[place] -= evaluate(m, [inertia], state)[0] * udot[place]
    loads = transmitted(motion)
    for joint in system.joints:
        home = m.lowered.homes[joint.child]
        if home.link < 0:
            continue
        link = m.standard.links[home.link]
        for column, k in zip(link.columns, link.speeds):
            if link.name == joint.name and k < len(udot):
                load = loads[joint.name]
                felt = column.angular.dot(load.moment) + column.linear.dot(load.force)
                agree(evaluate(m, [felt], state), own[[k]], 1e3, udot)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", TRAITS)
@pytest.mark.parametrize("users", [False, True], ids=["joints", "users"])
def test_multipliers_three_ways(name: str, seed: int, users: bool) -> None:
    """By auxiliary speeds, by projection on the rows, and without knowing the motion beforehand."""
    case = held(seed, TRAITS[name], users)
    ways = GivingConstraints(case.embedded)
    assert ways.rows == ("held", "held")
    m = case.kane.mechanics
    wanted = evaluate(m, ways.by_multipliers(), case.state)
    rates = OwnSpeeds.of(m, ())
    assert len(rates.places) == len(wanted)
    answer = solve_kinetics(Kinetics.of(m, case.embedded.bonds), m)
    moving = replace(case.state, udot=evaluate(m, answer.rates, case.state))
    forces = evaluate(m, case.kane.inertia_forces(), moving)
    for found in (ways.by_auxiliary_speeds(), ways.by_projection()):
        agree(evaluate(m, found, moving), wanted, case.condition * 1e2, forces)
    if case.reduced is not None:  # where the speeds satisfy the rows, their multipliers are brought into evidence
        d = jd.compile(case.reduced, cache=Cache(None))
        kept, _ = case.places
        inputs = dict(case.state.inputs)
        f = _reduced_forces(case.embedded, case.state)
        hidden = d.embedded_forces(case.state.q, case.state.u[kept], f, inputs=inputs, t=case.state.time)["held"]
        assert not d.constraint_forces(case.state.q, case.state.u[kept])
        free = replace(case.state, f=_full_forces(case.kane, case.embedded, f))
        agree(hidden, evaluate(m, ways.by_multipliers(), free), case.condition * 1e2, forces)


def _reduced_forces(embedded: Embedded, state: State) -> Array:
    kept = [embedded.kane.speeds.index(x) for x in embedded.speeds]
    return np.asarray(state.f)[kept]


def _full_forces(kane: Kane, embedded: Embedded, f: Array) -> Array:
    """Forces on the independent speeds alone."""
    found = np.zeros(len(kane.u))
    found[[kane.speeds.index(x) for x in embedded.speeds]] = f
    return found


def test_no_constraints_no_forces() -> None:
    ways = GivingConstraints(Embedded(Kane(jd.gallery.double_pendulum())))
    assert ways.rows == ()
    assert ways.by_auxiliary_speeds() == ways.by_projection() == ways.by_multipliers() == []


def test_auxiliary_speeds_have_partial_velocities() -> None:
    """A joint that gives way moves all that it carries as one body."""
    giving = GivingJoint(jd.gallery.double_pendulum(), "elbow")
    inner, outer = "upper", "lower"
    assert all(x.is_zero for x in (*giving.partial_velocities(inner), *giving.partial_angular_velocities(inner)))
    unit = np.eye(3)
    found = [[x.value for x in v] for v in giving.partial_angular_velocities(outer)]
    assert np.array_equal(found, [*unit, *np.zeros((3, 3))])
    found = [[x.value for x in v] for v in giving.partial_velocities(outer, (0.0, 0.0, -2.0))]
    assert np.array_equal(found, [*np.cross(unit, [0.0, 0.0, -2.0]), *unit])
