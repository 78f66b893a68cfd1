"""Speeds that the library chooses: body-fixed ones and diagonal ones, on random systems; and what they cost."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import jourdain as jd
from jourdain.driver.choices import cheapest, priced
from jourdain.equations.body_fixed import WIDEST, Choice, choices, definitions, windows
from jourdain.equations.diagonal import diagonal_of, diagonal_speeds
from jourdain.equations.generalized import Generalized, mechanics_of
from jourdain.equations.mechanics import Mechanics
from jourdain.equations.relations import relations
from jourdain.graph import Node
from jourdain.graph.differentiate import jacobian
from jourdain.model.guide import Guide
from jourdain.model.pose import Pose
from jourdain.model.system import System
from jourdain.spatial import Rotation, Vector

from .systems import Array, State, Traits, evaluate, evaluate_rows, random_state, random_system

TRAITS = {
    "driven": Traits(loads=True, driven=True),
    "floating": Traits(loads=True, floating=True),
    "symbolic": Traits(symbolic=True, loads=True),
    "wide": Traits(driven=True, branching=0.0),
}
CASES = {f"{name}-{seed}": (seed, 2 + seed % 3, traits) for name, traits in TRAITS.items() for seed in range(2)}


@pytest.fixture(params=list(CASES.values()), ids=list(CASES), scope="module")
def plain(request: pytest.FixtureRequest) -> System:
    seed, size, traits = request.param
    found = random_system(seed, size, traits)
    while len(found.speeds) < 2:
        seed += 100
        found = random_system(seed, size, traits)
    return jd.with_speeds(found, lambda model: {})  # what both were derived from


def same_motion(plain: System, other: System) -> Generalized:
    """The same forces give the same accelerations, and equal energies: u and u̇ mapped by the relations."""
    before, after = mechanics_of(plain), mechanics_of(other)
    assert isinstance(after, Generalized)
    state = random_state(plain, np.random.default_rng(7))
    found = relations(after)
    there = State(state.q, np.zeros(len(after.u)), state.udot, state.f, state.inputs, state.time)
    y, z = evaluate_rows(after, found.Y, there), evaluate(after, found.Z, there)
    forces: Array = np.array(np.linalg.solve(y.T, state.f), dtype=np.float64)
    moving = State(state.q, y @ state.u + z, state.udot, forces, state.inputs, state.time)
    scale = 1.0 + float(np.linalg.cond(y)) ** 2
    close(evaluate(after, after.rates(), moving), evaluate(before, before.rates(), state), scale)
    close(evaluate(after, [*after.energy()], moving), evaluate(before, [*before.energy()], state), scale)
    wanted = evaluate(before, before.forward_dynamics(), state)
    udot = evaluate(after, after.forward_dynamics(), moving)
    turned = State(moving.q, moving.u, udot, moving.f, moving.inputs, moving.time)
    masses = float(np.linalg.cond(evaluate_rows(before, before.mass_matrix(), state)))
    close(evaluate(after, after.joint_rates(after.udot), turned), wanted, scale * masses)
    return after


def close(found: Array, wanted: Array, scale: float) -> None:
    assert np.abs(found - wanted).max() <= 1e-13 * scale * (1.0 + np.abs(wanted).max())


def test_body_fixed_speeds_tell_the_same_motion(plain: System) -> None:
    for choice in choices(plain):
        other = jd.with_speeds(plain, partial(named, choice))
        if other.definitions:
            same_motion(plain, other)
        else:
            assert choice.width > 1
    first = choices(plain)[0]
    apart = replace(first, own=(windows(plain, first)[0][-1].name,))
    same_motion(plain, jd.with_speeds(plain, partial(named, apart)))


def named(choice: Choice, model: jd.Model) -> dict[str, Node]:
    return {f"u{k}": x for k, x in enumerate(definitions(model, choice), 1)}


def test_every_free_joint_stands_in_one_window(plain: System) -> None:
    free = sorted(x.name for x in plain.joints if not x.prescribed and x.motion.np)
    for choice in choices(plain):
        found = windows(plain, choice)
        assert sorted(x.name for window in found for x in window) == free
        assert all(1 <= len(window) <= choice.width <= WIDEST for window in found)


def test_diagonal_speeds_make_the_mass_matrix_diagonal(plain: System, tmp_path: Path) -> None:
    """By Wᵀ M W, which knows nothing of L; and from a file, where the expressions are read again."""
    other = diagonal_speeds(plain)
    after = same_motion(plain, other)
    state = random_state(plain, np.random.default_rng(8))
    before = Mechanics(plain)
    masses = evaluate_rows(before, before.mass_matrix(), state)
    w = evaluate_rows(after, after.from_joints, state)
    diagonal = w.T @ masses @ w
    own = evaluate_rows(after, after.mass_matrix(), state)
    assert np.abs(diagonal - own).max() <= 1e-13 * np.linalg.cond(w) ** 2 * np.abs(masses).max()
    assert not (own - np.diag(np.diag(own))).any()
    direct = evaluate_rows(after, jacobian(after.inverse_dynamics(), after.udot), state)
    assert np.abs(direct - own).max() <= 1e-13 * np.linalg.cond(w) ** 2 * np.abs(masses).max()
    other.save(tmp_path / "diagonal.json")
    again = mechanics_of(jd.load(tmp_path / "diagonal.json"))
    assert again._diagonal is not None  # type: ignore[attr-defined]
    assert np.array_equal(evaluate_rows(again, again.mass_matrix(), state), own)


def test_only_speeds_of_that_kind_are_taken_for_diagonal() -> None:
    plain = jd.gallery.double_pendulum()

    def chosen(m: jd.Model) -> dict[str, Node]:
        first, second = m["shoulder"].speed, m["elbow"].speed
        return {"u1": first, "u2": second + first * jd.cos(m["elbow"].coordinate)}

    after = mechanics_of(jd.with_speeds(plain, chosen))
    assert isinstance(after, Generalized)
    assert diagonal_of(after.lowered, after.map) is None
    other = mechanics_of(diagonal_speeds(plain))
    assert isinstance(other, Generalized)
    assert diagonal_of(other.lowered, other.map) is not None
    reduced = mechanics_of(jd.gallery.shopping_cart())
    assert isinstance(reduced, Generalized)
    assert diagonal_of(reduced.lowered, reduced.map) is None


def test_the_two_links_as_one_writes_them() -> None:
    """u₂ is the lower bob's velocity along its own arc, by its length: what the upper link leaves to it."""
    found = jd.speed_relations(jd.diagonal_speeds(jd.gallery.double_pendulum())).text().splitlines()
    assert found == [
        "u1 = shoulderdot", "u2 = shoulderdot + l1*shoulderdot*cos(elbow)/l2 + elbowdot", "shoulderdot = u1",
        "elbowdot = u2 - l1*u1*cos(elbow)/l2 - u1",
    ]  # fmt: skip


def test_what_choices_cost() -> None:
    """Exact totals of rates and of forward dynamics; where the joints' own are cheapest they are kept."""
    kwatny = jd.compare_speeds(jd.gallery.kwatny_arm(), ("forward_dynamics",))
    costs = {x.name: (x.counts["rates"]["total"], x.counts["forward_dynamics"]["total"]) for x in kwatny.choices}
    assert costs["joint speeds"] == (0, 532)
    assert costs["body-fixed ω and v"] == (76, 287)
    assert costs["diagonal mass matrix"] == (277, 1102)
    assert costs["body-fixed ω and v, but for shoulder"] == (74, 287)
    assert kwatny.cheapest.name == "body-fixed ω and v, but for shoulder"
    wrist = jd.compare_speeds(jd.gallery.spherical_wrist())
    as_given, found = wrist["as given"], wrist["body-fixed ω and v, joints by threes from the ground"]
    assert as_given.counts == found.counts  # the paper's ωᶜ·cᵢ is found by itself
    assert found.counts["forward_dynamics"]["total"] == 33
    assert wrist["joint speeds"].counts["forward_dynamics"]["total"] == 89
    lines = wrist.text().splitlines()
    assert lines[0].split() == ["speeds", "rates", "forward", "dynamics", "inverse", "dynamics", "mass", "matrix"]
    assert [line[0] for line in lines[2:]].count("●") == 1
    assert repr(wrist) == wrist.text()
    with pytest.raises(KeyError, match="there is no choice of speeds 'diagonal'; there is 'as given'"):
        wrist["diagonal"]


def test_the_cheapest_speeds_are_taken() -> None:
    pendulum = jd.gallery.double_pendulum()
    found = jd.efficient_speeds(pendulum)
    assert found.speeds == ("u1", "u2")
    assert jd.count(found, ["forward_dynamics"])["forward_dynamics"]["total"] == 29
    assert jd.count(pendulum, ["forward_dynamics"])["forward_dynamics"]["total"] == 34
    assert cheapest(priced(pendulum)).counts["rates"]["total"] == 1
    assert jd.efficient_speeds(jd.gallery.pendulum()).speeds == ("angle",)
    wrist = jd.gallery.spherical_wrist()
    assert jd.efficient_speeds(wrist) is wrist


def test_names_keep_clear_of_what_is_there() -> None:
    m = jd.Model("named")
    m.parameter("u2", 1.0)
    for name in ("a", "b"):
        body = m.body(name, mass=1.0, inertia=jd.principal(0.1, 0.2, 0.25))
        m.revolute(f"joint {name}", m.ground if name == "a" else "a", body, axis="x")
    assert jd.diagonal_speeds(m.system()).speeds == ("w1", "w2")


def test_speeds_of_a_finished_system() -> None:
    """Loads and outputs that speak of the old speeds are carried over; no definitions stand for the joints' own."""
    m = jd.Model("bead", gravity=(0, 0, 0))
    bead = m.particle("bead", 2.0)
    m.prismatic("x", m.ground, bead, axis="x")
    u = m.speeds(fast=bead.origin.velocity @ m.ground.x * 3.0).fast
    m.joint_force("x", u * -0.5)
    m.output("u", u)
    system = m.system()
    plain = jd.with_speeds(system, lambda model: {})
    assert plain.speeds == ("x",)
    slow = jd.with_speeds(system, lambda model: {"slow": model["x"].speed * 0.5})
    for other, speed in ((system, 3.0), (plain, 1.0), (slow, 0.5)):
        d = jd.compile(other)
        assert d.outputs([0.0], [speed])["u"] == 3.0
        assert d.forward_dynamics([0.0], [speed])[0] == pytest.approx(-0.75 * speed, abs=1e-15)
    with pytest.raises(TypeError, match="a System is given other speeds, not a Model; call its"):
        jd.with_speeds(m, lambda model: {})  # type: ignore[arg-type]
    with pytest.raises(jd.ModelError, match="generalized speed 'two' is 2, which holds no velocity"):
        jd.with_speeds(system, lambda model: {"two": 2.0})


def test_constraints_that_speeds_satisfied_are_imposed_on_others() -> None:
    cart = jd.gallery.shopping_cart()
    plain = jd.with_speeds(cart, lambda model: {})
    q, u = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.7, -0.2, 0.5])
    d, other = jd.compile(cart), jd.compile(plain)
    assert (len(cart.speeds), len(plain.speeds)) == (3, 4)
    W = d.speed_relations(q).W
    p = W @ u
    h = 1e-6
    ahead = [d.speed_relations(d.integrate(q, u * s)).W @ (u + s * d.forward_dynamics(q, u)) for s in (h, -h)]
    assert np.allclose(other.forward_dynamics(q, p), (ahead[0] - ahead[1]) / (2 * h), atol=1e-8)


def test_guided_bodies_count_in_diagonal_speeds() -> None:
    """Two links and a follower that one of them moves: the follower's mass is in the matrix that is made diagonal."""
    m = jd.Model.of(jd.gallery.double_pendulum())
    follower = m.particle("follower", 3.0)
    m.weld("follows", m.ground, follower)
    q, p = m["elbow"].coordinate, m["elbow"].speed
    graph = m.graph
    place = Pose(Rotation(graph), Vector(graph.zero, graph.zero, jd.sin(q)))
    still, rising = Vector.zero(graph), Vector(graph.zero, graph.zero, jd.cos(q) * p)
    m.joints["follows"].guide = Guide(place, still, rising, still)
    plain = m.system()
    after = same_motion(plain, jd.diagonal_speeds(plain))
    state = random_state(plain, np.random.default_rng(3))
    masses = evaluate_rows(after, after.mass_matrix(), state)
    assert masses[0, 0] > 0.1
    assert abs(masses[0, 1]) < 1e-15
    before = mechanics_of(plain)
    assert masses[1, 1] == pytest.approx(evaluate_rows(before, before.mass_matrix(), state)[1, 1], rel=1e-14)
