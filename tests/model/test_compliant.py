"""Contact as a force: Hunt and Crossley's law, friction, reactions; against integrations by hand and virtual work."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain import shapes
from jourdain.driver import Compiled
from jourdain.model.mistakes import ModelError
from jourdain.native import Cache

from .test_shapes import EVERY, STILL, Array, gaps_of, poses

Write = Callable[[Any], object]
K, D, MU, W = 1e4, 0.3, 0.4, 1e-2


def pair(one: Any, other: Any, **more: Any) -> Compiled:
    """Two free bodies with a contact of each kind between them."""
    m = jd.Model("pair", gravity=(0, 0, 0))
    a, b = (m.body(x, mass=1.0, inertia=STILL) for x in ("a", "b"))
    m.free("fa", m.ground, a)
    m.free("fb", m.ground, b)
    m.contact("c", (a, one), (b, other), friction=0.3)
    m.compliant_contact("k", (a, one), (b, other), stiffness=K, dissipation=D, **more)
    s = m.system()
    return jd.compile(s, cache=Cache(None)).in_mode(set(s.constraints))


def ball(radius: float, exponent: float, **more: Any) -> Compiled:
    m = jd.Model("drop", gravity=(0, 0, 0))
    b = m.body("ball", mass=0.5, inertia=jd.solid_sphere(radius))
    m.free("f", m.ground, b)
    m.compliant_contact("k", (b, shapes.Sphere(radius)), shapes.Plane(), exponent=exponent, **more)
    return jd.compile(m.system(), cache=Cache(None))


def rebound(d: Compiled, speed: float, radius: float) -> float:
    """How quickly a ball leaves that came down at a speed, without gravity."""

    def slope(t: float, y: Array) -> Array:
        q, u = np.concatenate([[0, 0, y[0]], [0, 0, 0, 1]]), np.array([0, 0, 0, 0, 0, y[1]])
        return np.array([y[1], d.forward_dynamics(q, u)[5]])

    def apart(t: float, y: Array) -> float:
        return float(y[0] - radius)

    apart.terminal, apart.direction = True, 1.0  # type: ignore[attr-defined]
    start = [radius - 1e-12, -speed]
    run = solve_ivp(slope, (0, 1.0), start, method="DOP853", rtol=1e-11, atol=1e-14, events=apart)
    return float(run.y[1, -1])


@pytest.mark.parametrize("exponent", [1.0, 1.5, 2.2])
@pytest.mark.parametrize("speed", [0.05, 0.2])
def test_a_drop_comes_back_slower(exponent: float, speed: float) -> None:
    """As the equation m δ̈ = −k δⁿ (1 + 3/2 d δ̇) by itself has it; whose first integral gives the exit speed exactly.

    With x = 3/2 d δ̇ and m δ̈ dδ = m δ̇ dδ̇, ∫ x dx / (1 + x) from entry to exit is zero: x − ln(1 + x) is the same.
    """
    d = ball(0.1, exponent, stiffness=K, dissipation=D)
    out = rebound(d, speed, 0.1)
    a, b = 1.5 * D * speed, -1.5 * D * out
    assert a - np.log1p(a) == pytest.approx(b - np.log1p(b), rel=1e-7)
    assert out / speed == pytest.approx(1 - D * speed, abs=(D * speed) ** 2)
    assert out < speed


def test_without_dissipation_nothing_is_lost() -> None:
    assert rebound(ball(0.1, 1.5, stiffness=K), 1.0, 0.1) == pytest.approx(1.0, rel=1e-9)


def test_a_ball_at_rest_sinks_as_far_as_its_weight_asks() -> None:
    d = ball(0.1, 1.5, stiffness=K, dissipation=D)
    depth = (0.5 * 9.81 / K) ** (1 / 1.5)
    q = np.array([3.0, 2.0, 0.1 - depth, 0, 0, 0, 1])
    assert d.forward_dynamics(q, np.zeros(6))[5] == pytest.approx(9.81, rel=1e-12)


def test_it_never_pulls() -> None:
    """Drawn out quickly, 1 + 3/2 d δ̇ would be negative."""
    d = ball(0.1, 1.5, stiffness=K, dissipation=D, friction=0.5)
    q = np.array([0, 0, 0.09, 0, 0, 0, 1.0])
    assert np.array_equal(d.forward_dynamics(q, [0, 0, 0, 1.0, 0, 1 / (1.5 * D) + 0.1]), np.zeros(6))
    assert d.forward_dynamics(q, [0, 0, 0, 1.0, 0, 1 / (1.5 * D) - 0.1])[5] > 0.0


# -- every pair -------------------------------------------------------------------------------------------------------

FIXED = [x for x in EVERY if x != "cylinder, plane"]


def overlapping(name: str, d: Compiled) -> list[tuple[Array, Array]]:
    """States in which the shapes overlap, by less than a tenth."""
    found = []
    for q, u in poses(400, 6, 0.5):
        gaps = [spot[0] for spot in gaps_of(d, q, u).values()]
        if -0.3 < min(gaps) < -0.005:
            found.append((q, 0.2 * u))
    assert len(found) > 4, name
    return found[:6]


@pytest.mark.parametrize("name", FIXED)
def test_forces_and_their_reactions_do_the_work_of_gaps_and_slips(name: str) -> None:
    """For every virtual motion: Σ N (rate of the gap) − μ N s · (slip) / √(s² + w²), both bodies' share together."""
    one, other = EVERY[name]
    d = pair(one.ours, other.ours, friction=MU, slip_width=W)
    for q, u in overlapping(name, d):
        spots = gaps_of(d, q, u)
        force = _gyroscopic(u) - d.inverse_dynamics(q, u, np.zeros(12))
        virtual = [gaps_of(d, q, e) for e in np.eye(12)]
        wanted = np.zeros(12)
        for spot, (gap, rate, slips) in spots.items():
            depth = max(-gap, 0.0)
            normal = max(K * depth**1.5 * (1 - 1.5 * D * rate), 0.0)
            rub = MU * normal / np.sqrt(slips @ slips + W**2)
            wanted += [normal * x[spot][1] - rub * (slips @ x[spot][2]) for x in virtual]
        assert np.abs(wanted).max() > 0.1
        assert np.abs(force - wanted).max() < 1e-10 * np.abs(wanted).max()


def _gyroscopic(u: Array) -> Array:
    """What two bodies of unit mass and unit inertia about their origins ask for, their speeds constant: ω × v each."""
    return np.concatenate([np.concatenate([np.zeros(3), np.cross(x[:3], x[3:])]) for x in (u[:6], u[6:])])


def test_a_cylinders_ends_carry_it() -> None:
    """Standing still: eight points, four of them pressed in; they carry k Σ δⁿ and no moment about the axis."""
    m = jd.Model("drum", gravity=(0, 0, 0))
    b = m.body("drum", mass=1.0, inertia=STILL)
    m.free("f", m.ground, b)
    m.compliant_contact("k", (b, shapes.Cylinder(0.3, 1.0)), shapes.Plane(), stiffness=K, friction=MU)
    d = jd.compile(m.system(), cache=Cache(None))
    q = np.array([0.2, 0.1, 0.49, *Rotation.from_euler("z", 0.7).as_quat()])
    assert np.abs(d.forward_dynamics(q, np.zeros(6)) - [0, 0, 0, 0, 0, 4 * K * 0.01**1.5]).max() < 1e-11
    tilted = np.array([0.2, 0.1, 0.49, *Rotation.from_euler("y", 0.01).as_quat()])
    assert d.forward_dynamics(tilted, np.zeros(6))[1] < 0.0  # it rights itself


@pytest.mark.parametrize("name", EVERY)
def test_batches_are_finite_everywhere(name: str) -> None:
    one, other = EVERY[name]
    d = pair(one.ours, other.ours, friction=MU).in_mode(set())
    states = [*poses(300, 10, 0.3), *poses(100, 11, 3.0)]
    q, u = (np.array([x[k] for x in states]) for k in (0, 1))
    same = np.tile([0, 0, 0, 0, 0, 0, 1.0], 2)
    q = np.concatenate([q, same[None]])
    u = np.concatenate([u, np.zeros((1, 12))])
    assert np.isfinite(d.forward_dynamics(q, u)).all()
    for part in d.forward_dynamics_derivatives(q, u).values():
        assert np.isfinite(part).all()


def test_shapes_of_the_ground_react_on_nothing_that_moves() -> None:
    """A plate with a plane that comes down on a ball of the ground: the body is then the other side."""
    m = jd.Model("press", gravity=(0, 0, 0))
    plate = m.body("plate", mass=2.0, inertia=STILL)
    m.free("f", m.ground, plate)
    m.compliant_contact("k", (plate, shapes.Plane("-z")), shapes.Sphere(0.1, (0.3, 0, 0)), stiffness=K)
    d = jd.compile(m.system(), cache=Cache(None))
    udot = d.forward_dynamics([0, 0, 0.09, 0, 0, 0, 1], np.zeros(6))
    force = K * 0.01**1.5
    assert udot == pytest.approx([0, -0.3 * force, 0, 0, 0, force / 2], rel=1e-12)


def test_saved_and_loaded(tmp_path: Any) -> None:
    d = pair(shapes.Sphere(0.3), shapes.Box((1, 1, 1)), friction=MU)
    d.system.save(tmp_path / "a.json")
    e = jd.compile(jd.load(tmp_path / "a.json"), cache=Cache(None))
    for q, u in overlapping("sphere, box", d):
        assert np.array_equal(e.forward_dynamics(q, u), d.in_mode(set()).forward_dynamics(q, u))


# -- mistakes ---------------------------------------------------------------------------------------------------------

BALL, FLOOR = ("ball", shapes.Sphere(0.1)), shapes.Plane()
ROWS: list[tuple[Write, Sequence[str]]] = [
    (lambda m: m.compliant_contact("k", BALL, FLOOR, stiffness=0), ["stiffness of compliant contact 'k' is 0; a posi"]),
    (lambda m: m.compliant_contact("k", BALL, FLOOR, stiffness=m.time), ["stiffness of compliant .* depends on t; on"]),
    (lambda m: m.compliant_contact("k", BALL, FLOOR, stiffness=1, dissipation=-1), ["dissipation .* it must be at le"]),
    (lambda m: m.compliant_contact("k", BALL, FLOOR, stiffness=1, exponent=0.5), ["exponent .* 0.5; it must be at le"]),
    (lambda m: m.compliant_contact("k", BALL, FLOOR, stiffness=1, slip_width=0), ["slip width of .* a positive numbe"]),
    (lambda m: m.compliant_contact("k", BALL, FLOOR, stiffness=1, friction=-1), ["friction of compliant .* is -1; it"]),
    (lambda m: m.compliant_contact("k", BALL, BALL, stiffness=1), ["both sides of compliant contact 'k' are on 'ball"]),
    (lambda m: m.compliant_contact("F", BALL, FLOOR, stiffness=1), ["force 'F': the name is taken by a force"]),
]  # fmt: skip


@pytest.mark.parametrize("row", range(len(ROWS)))
def test_every_mistake_is_told(row: int) -> None:
    write, expected = ROWS[row]
    m = jd.Model("yard")
    b = m.body("ball", mass=1.0, inertia=STILL)
    m.free("f", m.ground, b)
    m.force((1, 0, 0), at=b.origin, name="F")
    write(m)
    with pytest.raises(ModelError) as raised:
        m.system()
    mistakes = raised.value.mistakes
    assert len(mistakes) == len(expected), [str(x) for x in mistakes]
    for pattern, mistake in zip(expected, mistakes):
        assert re.search(pattern, mistake.text), mistake.text
        assert mistake.where.file == __file__
