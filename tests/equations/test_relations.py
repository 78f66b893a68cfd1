"""Kane's Y, Z, W, X: what they say of one motion told in the joints' speeds, in rates of coordinates, and in u."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.mechanics import Mechanics
from jourdain.equations.relations import rate_relations, relations
from jourdain.native import Cache

from .systems import Traits, random_system
from .user_speeds import Changed, changed

CASES = {
    **{f"driven-{seed}": (seed, 3, Traits(driven=True)) for seed in range(60, 64)},
    **{f"floating-{seed}": (seed, 3, Traits(floating=True, driven=True)) for seed in (70, 71)},
}


@pytest.fixture(params=list(CASES.values()), ids=list(CASES), scope="module")
def case(request: pytest.FixtureRequest) -> Changed:
    return changed(*request.param)


def near(case: Changed, found: object, wanted: object) -> None:
    a, b = np.asarray(found), np.asarray(wanted)
    assert a.shape == b.shape
    assert np.abs(a - b).max(initial=0.0) <= 1e-11 * max(1.0, float(np.abs(b).max(initial=0.0)), case.condition)


def test_between_user_and_joint_speeds(case: Changed) -> None:
    found, p, u = relations(case.after), case.p_state.u, case.u_state.u
    near(case, case.now_rows(found.Y), case.y)
    near(case, case.now_rows(found.W), case.w)
    near(case, case.now(*found.Z), u - case.y @ p)
    near(case, case.now(*found.X), p - case.w @ u)


def test_between_user_speeds_and_rates_of_coordinates(case: Changed) -> None:
    found, u = rate_relations(case.after), case.u_state.u
    qdot = case.was(*case.before.rates())
    y, w = case.now_rows(found.Y), case.now_rows(found.W)
    near(case, y @ qdot + case.now(*found.Z), u)
    near(case, w @ u + case.now(*found.X), qdot)
    near(case, y @ w, np.eye(len(u)))


def test_without_user_speeds_they_are_identities() -> None:
    mechanics = Mechanics(random_system(3, 3, Traits(driven=True)))
    found = relations(mechanics)
    n, graph = len(mechanics.u), mechanics.graph
    assert all(found.Y[i][k] is (graph.one if i == k else graph.zero) for i in range(n) for k in range(n))
    assert found.W == found.Y
    assert all(x.is_zero for x in (*found.Z, *found.X))
    rates = rate_relations(mechanics)
    assert (len(rates.Y), len(rates.W), len(rates.X)) == (n, len(mechanics.q), len(mechanics.q))


def conveyor() -> jd.Model:
    """A puck in the plane of a belt that moves as given; its speeds are relative to the belt and along its own axes."""
    m = jd.Model("conveyor")
    puck = m.body("puck", mass=1.0, inertia=jd.about_z(0.2))
    m.planar("slide", m.ground, puck)
    speed = m.input("belt", 0.4)
    v = puck.origin.velocity - m.ground.x * (speed * jd.sin(m.time))
    m.speeds(along=v @ puck.x, across=v @ puck.y, turn=2.0 * (puck.omega @ puck.z))
    return m


def test_compiled_numbers() -> None:
    d = jd.compile(conveyor().system(), cache=Cache(None))
    q = np.array([[0.1, 0.2, 0.3], [0.5, -1.0, 2.0]])
    Y, Z, W, X = d.speed_relations(q, t=0.7, inputs={"belt": 0.9})
    assert (Y.shape, Z.shape, W.shape, X.shape) == ((2, 3, 3), (2, 3), (2, 3, 3), (2, 3))
    assert np.allclose(Y, np.diag([1, 1, 2.0]), atol=1e-15)
    assert np.allclose(W, np.diag([1, 1, 0.5]), atol=1e-15)
    c, s, belt = np.cos(q[:, 2]), np.sin(q[:, 2]), 0.9 * np.sin(0.7)
    assert np.allclose(Z, np.stack([-c * belt, s * belt, 0 * c], axis=-1), atol=1e-15)
    assert np.allclose(X, -Z, atol=1e-15)
    found = d.rate_relations(q, t=0.7, inputs={"belt": 0.9})
    u = np.array([0.3, -0.5, 0.8])
    qdot = d.rates(q, u, t=0.7, inputs={"belt": 0.9})
    assert np.allclose(found.W @ u + found.X, qdot, atol=1e-15)
    assert np.allclose((found.Y @ qdot[..., None])[..., 0] + found.Z, u, atol=1e-15)
    assert np.allclose(found.X, [belt, 0, 0], atol=1e-15)


def test_speeds_that_satisfy_constraints() -> None:
    """Of the cart's four joints' speeds three are free; W has the rolling in it, and Y W = 1."""
    system = jd.gallery.shopping_cart()
    d = jd.compile(system, cache=Cache(None))
    q = np.array([0.1, 0.2, 0.3, 0.4])
    Y, Z, W, X = d.speed_relations(q)
    assert (Y.shape, W.shape) == ((3, 4), (4, 3))
    assert np.allclose(Y @ W, np.eye(3), atol=1e-15)
    assert not Z.any()
    assert not X.any()
    u = np.array([0.7, -0.2, 0.5])
    assert np.allclose(d.rate_relations(q).W @ u, d.rates(q, u), atol=1e-15)


def test_as_expressions() -> None:
    found = jd.speed_relations(conveyor().system())
    assert found.text().splitlines() == [
        "along = slide.vx - belt*sin(t)*cos(slide.angle)",
        "across = slide.vy + belt*sin(t)*sin(slide.angle)",
        "turn = 2*slide.wz",
        "slide.xdot = along*cos(slide.angle) - across*sin(slide.angle) + belt*sin(t)",
        "slide.ydot = along*sin(slide.angle) + across*cos(slide.angle)",
        "slide.angledot = turn/2",
    ]
    assert repr(found) == found.text()
    assert found._repr_latex_().startswith(r"$\displaystyle \begin{aligned} \mathrm{along} &=")
    assert (len(found.Y), len(found.Z), len(found.W), len(found.X)) == (3, 3, 3, 3)
    assert len(found.in_rates.W) == 3
    assert jd.speed_relations(jd.gallery.double_pendulum()).text() == (
        "shoulderdot = shoulderdot\nelbowdot = elbowdot"
    )
    with pytest.raises(TypeError, match="a System is looked at"):
        jd.speed_relations(conveyor())  # type: ignore[arg-type]


def test_speeds_as_seen_from_a_moving_body() -> None:
    """Relative velocities, and rates of what is measured, are the joints' own speeds where these are just that."""
    m = jd.Model("arm")
    base, upper, fore = (m.body(x, mass=1.0, inertia=jd.principal(0.1, 0.2, 0.25)) for x in ("base", "upper", "fore"))
    m.free("float", m.ground, base)
    m.revolute("shoulder", base, upper, axis="y", at=(0.1, 0, 0.2))
    m.prismatic("slide", upper, fore, axis="z", at=(0, 0.1, 0))
    m.speeds(
        w1=base.omega @ base.x, w2=base.omega @ base.y, w3=base.omega @ base.z,
        v1=base.center.velocity @ m.ground.x, v2=base.center.velocity @ m.ground.y,
        v3=m.rate(base.origin.position @ m.ground.z),
        turning=upper.ang_vel_in(base) @ base.y * 2.0,
        reaching=m.rate(fore.origin.pos_from(upper.origin).norm()),
    )  # fmt: skip
    d = jd.compile(m.system(), cache=Cache(None))
    q = np.array([0.1, 0.2, 0.3, 0.5, -0.5, 0.5, 0.5, 0.4, 0.7])
    Y, Z, W, X = d.speed_relations(q)
    assert np.allclose(Y[:3], np.eye(3, 8), atol=1e-15)
    assert np.allclose(Y[3:6, 3:6].T @ Y[3:6, 3:6], np.eye(3), atol=1e-15)
    assert np.allclose(Y[6], 2.0 * np.eye(8)[6], atol=1e-15)
    assert np.allclose(Y[7], 0.7 / np.hypot(0.1, 0.7) * np.eye(8)[7], atol=1e-15)
    assert np.allclose(W @ Y, np.eye(8), atol=1e-14)
    assert not Z.any()
    assert not X.any()


def gimbal() -> jd.Model:
    m = jd.Model("gimbal")
    a, b, c = (m.body(x, mass=1.0, inertia=jd.principal(0.1, 0.2, 0.25)) for x in "abc")
    m.revolute("yaw", m.ground, a, axis="z")
    m.revolute("roll", a, b, axis="x")
    m.revolute("pitch", b, c, axis="y")
    m.speeds(u1=c.omega @ c.x, u2=c.omega @ c.y, u3=c.omega @ c.z)
    return m


def test_where_speeds_are_lost_at_one_configuration_results_are_not_finite() -> None:
    """In lock nothing is raised; Y says why, for its determinant is zero there, and W is not finite."""
    d = jd.compile(gimbal().system(), cache=Cache(None))
    locked, free = np.array([0.3, np.pi / 2, 0.2]), np.array([0.3, 1.5, 0.2])
    Y, _, W, _ = d.speed_relations(np.array([locked, free]))
    assert np.allclose(np.linalg.det(Y), np.cos([np.pi / 2, 1.5]), atol=1e-15)
    assert np.allclose(W[1] @ Y[1], np.eye(3), atol=1e-13)
    assert not (np.abs(W[0]) < 1e15).all()
    with np.errstate(all="ignore"):
        found = d.forward_dynamics(locked, [1.0, 2.0, 3.0])
    assert not (np.abs(found) < 1e10).all()


def test_a_choice_that_cannot_be_solved_points_at_its_line() -> None:
    m = jd.Model("two")
    a, b = (m.body(x, mass=1.0, inertia=jd.principal(0.1, 0.2, 0.25)) for x in "ab")
    m.revolute("first", m.ground, a, axis="z")
    m.revolute("second", a, b, axis="z")
    m.speeds(u1=b.omega @ b.z, u2=b.omega @ m.ground.z)
    system = m.system()
    with pytest.raises(jd.ModelError) as raised:
        jd.speed_relations(system).text()
    (mistake,) = raised.value.mistakes
    assert (mistake.where.file, mistake.where.line) == (__file__, line_of("m.speeds(u1=b.omega @ b.z, u2"))


def line_of(text: str) -> int:
    """Where a line of this file stands."""
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    return next(k for k, line in enumerate(lines, 1) if line.strip().startswith(text))
