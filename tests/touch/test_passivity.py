"""Largest stiffnesses against published figures and formulas, polynomials, and loops that are simulated."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.signal import cont2discrete

import jourdain as jd
from jourdain import touch
from jourdain.touch.coupler import Coupler
from jourdain.touch.device import Device, Hand
from jourdain.touch.passivity import (
    damping_needed,
    passive_quantized_wall,
    passive_stiffness,
    passive_wall,
    report,
    spectral_radius,
    stable_stiffness,
    stable_wall,
)
from jourdain.touch.sampled import admittance, environment, immovable

from .rigs import Wall, growth, pendulum, slider

T = 1e-3
SPRING = Coupler(1.0)


@pytest.mark.parametrize(
    ("rate", "table"),
    [
        (60.0, (24, 60, 120, 240, 600)), (1000.0, (400, 1000, 2000, 4000, 10_000)),
        (10_000.0, (4000, 10_000, 20_000, 40_000, 100_000)),
    ],
)  # fmt: skip
def test_passive_walls(rate: float, table: tuple[float, ...]) -> None:
    """2 b/T, for b of 0.2 to 5 N s/m."""
    for damping, expected in zip((0.2, 0.5, 1.0, 2.0, 5.0), table):
        device = Device(damping=damping)
        assert passive_wall(device, 1.0 / rate) == pytest.approx(expected)
        assert passive_stiffness(immovable(1.0 / rate), SPRING, device) == pytest.approx(expected, rel=1e-9)


def test_the_damping_that_a_wall_needs() -> None:
    """b = K T/2 + B where the velocity is a backward difference, the worst frequency being π/T."""
    rng = np.random.default_rng(0)
    for k, b in rng.random((20, 2)) * [5000.0, 8.0]:
        seen = environment(immovable(T), Coupler(float(k), float(b)))
        assert damping_needed(seen) == pytest.approx(k * T / 2.0 + b, rel=1e-11)


def test_a_delayed_spring_needs_more() -> None:
    """H = K/z: T/(2 (1 − cos θ)) Re{(1 − e^{−iθ}) e^{−iθ}} K = K T/2 (1 + 2 cos θ) at its largest, 3 K T/2."""
    seen = environment(immovable(T), Coupler(1000.0), delay=1)
    assert damping_needed(seen) == pytest.approx(1.5, rel=1e-9)
    assert passive_stiffness(immovable(T), SPRING, Device(delay=1)) == pytest.approx(400.0 / 3.0, rel=1e-9)


def test_stable_walls() -> None:
    """Of a free device of 0.1 kg and 0.2 N s/m at 1 kHz, beside Hulin's rule."""
    device = Device(0.1, 0.2)
    for damping, delay, exact, rule in ((0, 0, 400, 400), (0, 1, 133, 133), (5, 0, 9896, 10400), (5, 1, 3275, 3467)):
        own, coupler = replace(device, delay=delay), Coupler(1.0, float(damping))
        assert stable_stiffness(immovable(T), coupler, own) == pytest.approx(exact, abs=0.6)
        assert stable_wall(own, T, float(damping)) == pytest.approx(rule, abs=0.5)
    assert passive_stiffness(immovable(T), Coupler(1.0, 5.0), device) == 0.0


@pytest.mark.parametrize("hand", [Hand(), Hand(0.05, 1.0, 0.0), Hand(0.3, 2.0, 150.0)])
@pytest.mark.parametrize("delay", [0, 1, 3])
@pytest.mark.parametrize("damping", [0.0, 1.0])
def test_the_onset_is_where_a_root_leaves_the_circle(hand: Hand, delay: int, damping: float) -> None:
    """The characteristic polynomial, from SciPy's transfer function of device and hand under held forces."""
    device = Device(0.1, 0.2, delay=delay)
    mass, b, k = 0.1 + hand.mass, 0.2 + hand.damping, hand.stiffness
    numerator, denominator, _ = cont2discrete((np.array([1.0]), np.array([mass, b, k])), T)

    def largest(stiffness: float) -> float:
        # Coupler: (K + B (1 − 1/z)/T)/z^delay; so z^(delay + 1) times the denominator, and so on.
        spring = np.array([stiffness + damping / T, -damping / T])
        whole = np.polyadd(
            np.polymul(denominator, np.eye(1, delay + 2)[0]), np.polymul(np.ravel(numerator), spring)
        )
        return float(np.abs(np.roots(whole)).max())

    found = stable_stiffness(immovable(T), Coupler(1.0, damping), device, hand)
    assert found > 10.0
    expected = brentq(lambda x: largest(x) - 1.0 - 1e-8, 0.9 * found, 1.1 * found, xtol=1e-9)
    assert found == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("hand", [Hand(), Hand(0.3, 2.0, 150.0)])
@pytest.mark.parametrize("delay", [0, 1])
def test_simulated_walls_begin_to_swing_there(hand: Hand, delay: int) -> None:
    """The loop itself, a little below the onset and a little above it; and how fast it grows."""
    device, coupler = Device(0.1, 0.2, delay=delay), Coupler(1.0, 0.5)
    onset = stable_stiffness(immovable(T), coupler, device, hand)
    for share in (0.98, 1.02):
        near = replace(coupler, stiffness=share * onset)
        places = Wall(near, device, hand).run(4000)
        found = growth(places)
        assert (found > 1.0) is (share > 1.0)
        assert found == pytest.approx(spectral_radius(immovable(T), near, device, hand), abs=2e-5)


def test_a_controller_keeps_an_unstable_wall_from_growing() -> None:
    """At ten times the stiffness of the onset: without it the swings grow without bounds, with it energy that never was
    put in is taken out again."""
    device, hand = Device(0.1, 0.2), Hand()
    stiff = Coupler(10.0 * stable_stiffness(immovable(T), SPRING, device, hand))
    free, kept = Wall(stiff, device, hand), Wall(stiff, device, hand, controls=True)
    grown, bounded = (np.abs(x.run(3000)) for x in (free, kept))
    assert grown[-200:].max() > 1e6 * grown[:200].max()
    assert bounded[-200:].max() < 0.1 * bounded[:200].max()
    assert free.couplers.energy()[0] < -1.0
    started = 0.5 * stiff.stiffness * 1e-8  # [J] in the spring of a wall that begins under load
    assert kept.couplers.energy()[1] > -3.0 * started
    assert kept.couplers.energy()[2] > 0.0


def test_steps_of_encoders() -> None:
    device = Device(damping=0.2, friction=0.05, resolution=1e-3)
    assert passive_quantized_wall(device, T) == pytest.approx(100.0)
    assert passive_quantized_wall(replace(device, resolution=1e-5), T) == pytest.approx(400.0)
    assert passive_quantized_wall(replace(device, resolution=0.0), T) == pytest.approx(400.0)


# -- mechanisms -------------------------------------------------------------------------------------------------------


def test_how_a_slider_yields() -> None:
    """Against the exact map of a mass on spring and damper, which RK4 meets to its order."""
    a = np.array([[0.0, 1.0], [-80.0, -0.6]])
    phi, gamma, *_ = cont2discrete((a, np.array([[0.0], [2.0]]), np.eye(2), np.zeros((2, 1))), T)
    for substeps, error in ((1, 1e-11), (4, 1e-13)):
        found = admittance(slider(), [0.0], [0.0], (2.0, 0, 0), T, substeps)
        # In whatever states: what a push leaves behind, period by period.
        mine, theirs = found.gamma, gamma[:, 0]
        for _ in range(30):
            assert found.place @ mine == pytest.approx(theirs[0], abs=error)
            assert found.velocity @ mine == pytest.approx(theirs[1], abs=100.0 * error)
            mine, theirs = found.phi @ mine, phi @ theirs


def test_how_a_double_pendulum_yields() -> None:
    """The velocity that a force leaves after a short time is J M⁻¹ Jᵀ F t, the place half of it times t."""
    d, q = pendulum(), [0.4, -0.9]
    j = d.jacobian("lower", q, axes="ground")[3:]
    for axis in np.eye(3)[[0, 2]]:
        found = admittance(d, q, [0.0, 0.0], axis, 1e-6)
        mobility = axis @ j @ np.linalg.solve(d.mass_matrix(q), j.T @ axis)
        assert found.velocity @ found.gamma / 1e-6 == pytest.approx(mobility, rel=1e-6)
        assert found.place @ found.gamma / 5e-13 == pytest.approx(mobility, rel=1e-6)
    turned = admittance(d, q, [0.0, 0.0], (0, 1, 0), 1e-6, turning=True)
    mobility = np.ones(2) @ np.linalg.solve(d.mass_matrix(q), np.ones(2))
    assert turned.velocity @ turned.gamma / 1e-6 == pytest.approx(mobility, rel=1e-6)


def test_what_the_handle_does_not_feel_is_left_out() -> None:
    """Two blocks beside each other, one on a spring that pushes it away: the other one's handle yields as a mass."""
    m = jd.Model("apart", gravity=(0, 0, 0))
    for name in ("held", "other"):
        m.prismatic(f"{name} rail", m.ground, m.body(name, mass=0.5, inertia=jd.principal(1, 1, 1)), axis="x")
    m.joint_force("other rail", 30.0 * m["other rail"].coordinate)
    d = jd.compile(touch.with_hands(m.system(), "held"))
    found = admittance(d, [0.0, 0.0], [0.0, 0.0], (1, 0, 0), T)
    assert found.phi.shape == (2, 2)
    assert np.abs(np.linalg.eigvals(found.phi)) == pytest.approx([1.0, 1.0], abs=1e-7)
    assert found.velocity @ found.gamma == pytest.approx(T / 0.5, rel=1e-12)


def test_what_is_felt_is_what_the_difference_equations_say() -> None:
    """H(z) against the sum of the answers to an impulse, tick by tick, as the loop does it."""
    handle = admittance(slider(damping=3.0), [0.0], [0.0], (1, 0, 0), T)
    coupler, n = Coupler(300.0, 2.0), 60_000
    for delay in (0, 2):
        state, before, line, answer = np.zeros(len(handle.phi)), 0.0, [0.0] * delay, np.zeros(n)
        for k in range(n):
            place = 1.0 if k == 0 else 0.0
            force = 300.0 * (place - handle.place @ state) + 2.0 * ((place - before) / T - handle.velocity @ state)
            state, before = handle.phi @ state + handle.gamma * force, place
            line.append(float(force))
            answer[k] = line.pop(0)
        assert np.abs(answer[-100:]).max() < 1e-10
        seen = environment(handle, coupler, delay)
        for angle in (0.01, 0.3, 1.0, 3.0):
            z = np.exp(1j * angle)
            summed = np.sum(answer * z ** -np.arange(n, dtype=float))
            assert seen.response(np.array([z]))[0] == pytest.approx(summed, rel=1e-7)


def test_what_is_passive_is_stable_in_any_hand() -> None:
    """Hands of masses, dampers and springs, drawn at random."""
    rng = np.random.default_rng(1)
    handle, device = admittance(slider(), [0.0], [0.0], (1, 0, 0), T), Device(0.1, 1.5)
    for damping in (0.1, 0.5, 1.0):
        stiffness = 0.999 * passive_stiffness(handle, Coupler(1.0, damping), device)
        assert stiffness > 10.0
        coupler = Coupler(stiffness, damping)
        for mass, b, k in 10.0 ** rng.uniform(-3, [1, 1, 4], size=(50, 3)):
            hand = Hand(float(mass), float(b), float(k))
            assert spectral_radius(handle, coupler, device, hand) < 1.0 + 1e-9


def test_a_coupler_whose_damping_is_too_small_is_unstable_by_itself() -> None:
    """A light mechanism on a stiff spring, both without damping, under forces that are held."""
    handle = admittance(slider(0.5, 0.0, 0.0), [0.0], [0.0], (1, 0, 0), T)
    assert damping_needed(environment(handle, Coupler(1000.0))) == np.inf
    assert damping_needed(environment(handle, Coupler(1000.0, 2.0))) < 4.0
    found = report(handle, Coupler(1000.0, 2.0), Device(0.1, 4.0), Hand(0.3, 2.0, 150.0))
    assert found.is_passive
    assert found.passive > 1000.0
    assert found.stable > found.passive
    assert found.wall_passive == pytest.approx(4000.0)


def test_refusals() -> None:
    with pytest.raises(ValueError, match="a direction"):
        admittance(slider(), [0.0], [0.0], (0, 0, 0), T)
    with pytest.raises(KeyError, match="no hand 'lever'"):
        admittance(slider(), [0.0], [0.0], (1, 0, 0), T, hand="lever")
