"""One contact that strikes: known by heart, by hand, and by integration along the impulse."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from jourdain.simulation.contact.impact import NEWTON, POISSON, RESOLVED, STRONGE, UNRESOLVED

from .problems import Array, Problem, struck


def planar(W: list[list[float]], mu: float) -> Problem:
    """A contact with this W, one tangent."""
    return Problem(np.linalg.cholesky(np.array(W)), [1], [mu])


@pytest.mark.parametrize("law", [STRONGE, NEWTON, POISSON])
@pytest.mark.parametrize("e", [0.0, 0.3, 1.0 / 3.0, 1.0])
def test_without_friction_all_laws_are_newtons(law: int, e: float) -> None:
    p = Problem(np.array([[0.7, 0.1]]), [0], [0.0])
    v = np.array([-3.1])
    found = struck(p, v, e, law)
    assert found.status == RESOLVED
    assert found.after[0] == pytest.approx(e * 3.1, rel=1e-15)
    assert found.impulse[0] == pytest.approx((1.0 + e) * 3.1 / 0.5, rel=1e-14)
    assert found.energy == pytest.approx(0.5 * (e * e - 1.0) * 3.1 * 3.1 / 0.5, rel=1e-13, abs=1e-14)
    if law == STRONGE:
        assert found.after[0] == -e * v[0]  # to the last bit


def test_what_leaves_is_left_alone() -> None:
    p = Problem(np.eye(2), [1], [0.5])
    for v in ([0.0, 1.0], [2.0, -1.0]):
        found = struck(p, np.array(v), 0.5)
        assert (found.status, list(found.impulse), list(found.after), found.energy) == (RESOLVED, [0.0, 0.0], v, 0.0)


@pytest.mark.parametrize("slip", [0.1, 0.5, 5.0, -0.1, -5.0])
def test_a_ball_that_does_not_spin(slip: float) -> None:
    """Mass 2, radius 1, 2/5 m r²: the normal knows nothing of friction; slip stops at once or goes on."""
    p = Problem(np.diag([1.0, np.sqrt(3.5)]) / np.sqrt(2.0), [1], [0.3])
    found = struck(p, np.array([-1.0, slip]), 0.8)
    assert found.impulse[0] == pytest.approx(1.8 * 2.0)
    assert found.after[0] == pytest.approx(0.8, rel=1e-15)
    most = 0.3 * 3.6 * 3.5 / 2.0
    assert found.after[1] == pytest.approx(np.sign(slip) * max(0.0, abs(slip) - most), abs=1e-15)
    if abs(slip) < most:
        assert found.after[1] == 0.0


# -- a rod in a plane: W = [[2, 1], [1, 2]] --------------------------------------------------------------------------

ROD = [[2.0, 1.0], [1.0, 2.0]]


def test_slip_that_goes_on() -> None:
    """μ = 1/4, slip along +: v_n rises by 2 − μ, v_t by 1 − 2 μ, from first to last."""
    found = struck(planar(ROD, 0.25), np.array([-1.0, 1.0]), 0.5)
    total = 1.5 / 1.75
    assert found.impulse == pytest.approx([total, -0.25 * total])
    assert found.after == pytest.approx([0.5, 1.0 + 0.5 * total])


def test_slip_that_stops_in_compression_and_turns_back() -> None:
    """μ = 1/4 < |W_nt| / W_tt, slip along −: stops at p = 0.2 with v_n = −0.55, then goes along +."""
    found = struck(planar(ROD, 0.25), np.array([-1.0, -0.3]), 0.5)
    taken = 0.2 * (1.0 + 0.55) / 2.0 + 0.55**2 / 2.0 / 1.75
    after = np.sqrt(2.0 * 1.75 * 0.25 * taken)
    later = (0.55 + after) / 1.75
    assert found.after == pytest.approx([after, 0.5 * later])
    assert found.impulse == pytest.approx([0.2 + later, 0.25 * 0.2 - 0.25 * later])


def test_slip_that_stops_in_compression_and_sticks() -> None:
    """μ = 3/4 > |W_nt| / W_tt: stops at p = 0.12 with v_n = −0.67; sticking, v_n rises by 2 − 1/2."""
    found = struck(planar(ROD, 0.75), np.array([-1.0, -0.3]), 0.5)
    taken = 0.12 * (1.0 + 0.67) / 2.0 + 0.67**2 / 2.0 / 1.5
    after = np.sqrt(2.0 * 1.5 * 0.25 * taken)
    later = (0.67 + after) / 1.5
    assert found.after == pytest.approx([after, 0.0], abs=1e-15)
    assert found.impulse == pytest.approx([0.12 + later, 0.75 * 0.12 - 0.5 * later])


def test_slip_that_stops_in_restitution() -> None:
    """μ = 3/4, slip −1.1: compression ends at p = 1/2.75, slip at 0.44; the rest sticks."""
    found = struck(planar(ROD, 0.75), np.array([-1.0, -1.1]), 1.0)
    stop = 1.1 / 2.5
    at_stop = -1.0 + 2.75 * stop
    left = 0.5 / 2.75 - at_stop**2 / 2.0 / 2.75
    after = np.sqrt(at_stop**2 + 2.0 * 1.5 * left)
    later = (after - at_stop) / 1.5
    assert found.after == pytest.approx([after, 0.0], abs=1e-15)
    assert found.impulse == pytest.approx([stop + later, 0.75 * stop - 0.5 * later])


def test_a_rod_that_jams() -> None:
    """Friction presses it first: 2 − 3 · 0.9 < 0, while slip along + slows by 3 · 2 − 0.9."""
    found = struck(planar([[2.0, 0.9], [0.9, 2.0]], 3.0), np.array([-1.0, 1.0]), 0.0)
    assert found.status == RESOLVED
    stop = 1.0 / (6.0 - 0.9)
    deepest = -1.0 + (2.0 - 2.7) * stop
    assert deepest < -1.0
    later = -deepest / (2.0 - 0.9 * 0.9 / 2.0)
    assert found.after == pytest.approx([0.0, 0.0], abs=0.0)
    assert found.impulse == pytest.approx([stop + later, -3.0 * stop - 0.45 * later])


@pytest.mark.parametrize("seed", range(40))
def test_a_plane_by_small_steps(seed: int) -> None:
    """Coulomb's law and the energetic coefficient, a hundred-thousandth of the impulse after the other."""
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(2, 2))
    W = J @ J.T
    v = np.array([-abs(rng.normal()), rng.normal()])
    mu, e = float(rng.uniform(0.0, 1.5)), float(rng.uniform(0.0, 1.0))
    found = struck(Problem(J, [1], [mu]), v, e)
    step = found.impulse[0] / 30000.0
    normal, slip, work, rubbed, taken = float(v[0]), float(v[1]), 0.0, 0.0, 0.0
    for _ in range(60000):
        wanted = -(slip + W[1, 0] * step) / W[1, 1]
        friction = min(mu * step, max(-mu * step, wanted))
        after = normal + W[0, 0] * step + W[0, 1] * friction
        slip += W[1, 0] * step + W[1, 1] * friction
        work += 0.5 * step * (normal + after)
        normal = after
        rubbed += friction
        taken = min(taken, work)
        if normal > 0.0 and work >= (1.0 - e * e) * taken:
            break
    assert [normal, slip] == pytest.approx(list(found.after), abs=2e-3 * float(np.abs(v).max() + 1.0))
    assert rubbed == pytest.approx(found.impulse[1], abs=2e-3 * abs(found.impulse[0]))


# -- any direction --------------------------------------------------------------------------------------------------


def test_along_a_line_of_space_it_is_the_plane() -> None:
    """No coupling across: what slips along a direction does as in the plane."""
    flat = struck(planar(ROD, 0.75), np.array([-1.0, -1.1]), 0.6)
    turned = np.array([[1.0, 0.0], [0.0, 0.6], [0.0, 0.8]]) @ np.linalg.cholesky(np.array(ROD))
    J = np.column_stack([turned, np.array([0.0, -0.8, 0.6]) * np.sqrt(2.0)])
    found = struck(Problem(J, [2], [0.75]), np.array([-1.0, -0.66, -0.88]), 0.6)
    assert found.after == pytest.approx([flat.after[0], 0.0, 0.0], abs=1e-12)
    assert found.impulse == pytest.approx([flat.impulse[0], 0.6 * flat.impulse[1], 0.8 * flat.impulse[1]], rel=1e-11)


@pytest.mark.parametrize("seed", range(12))
def test_slip_is_followed_as_by_scipy(seed: int) -> None:
    """dv_t / dp = W_tn − μ W_tt d, dv_n / dp = W_nn − μ W_nt d, dw / dp = v_n: slip that does not stop."""
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(3, 4))
    W, e, mu = J @ J.T, 0.7, 0.2
    v = np.array([-1.0, *rng.normal(size=2) * 4.0])
    found = struck(Problem(J, [2], [mu]), v, e)

    def rates(_: float, y: Array) -> Array:
        d = y[1:3] / np.linalg.norm(y[1:3])
        return np.array([*(W @ np.array([1.0, -mu * d[0], -mu * d[1]])), y[0]])

    def stopped(_: float, y: Array) -> float:
        return float(y[0])

    stopped.terminal = True  # type: ignore[attr-defined]
    first = solve_ivp(rates, (0.0, 50.0), [*v, 0.0], "DOP853", rtol=1e-12, atol=1e-13, events=stopped)
    goal = (1.0 - e * e) * first.y[3, -1]

    def given_back(_: float, y: Array) -> float:
        return float(y[3] - goal)

    given_back.terminal = True  # type: ignore[attr-defined]
    last = solve_ivp(rates, (0.0, 50.0), first.y[:, -1], "DOP853", rtol=1e-12, atol=1e-13, events=given_back)
    assert float(np.linalg.norm(last.y[1:3], axis=0).min()) > 0.05
    assert found.after == pytest.approx(last.y[:3, -1], abs=1e-7)
    assert found.impulse[0] == pytest.approx(first.t[-1] + last.t[-1], rel=1e-7)


@pytest.mark.parametrize("seed", range(300))
def test_energy_and_bounds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tangents = int(rng.integers(0, 3))
    m = 1 + tangents
    J = rng.normal(size=(m, int(rng.integers(1, m + 2))))
    v = J @ rng.normal(size=J.shape[1])
    mu = float(rng.uniform(0.0, 2.0))
    p = Problem(J, [tangents], [mu])
    found = struck(p, v, float(rng.uniform(0.0, 1.0)))
    size = np.abs(v).max() + np.abs(p.W).max() * np.abs(found.impulse).sum()
    assert found.after == pytest.approx(v + p.W @ found.impulse, abs=1e-12 * size)
    assert found.after[0] >= -1e-14 * size
    assert np.linalg.norm(found.impulse[1:]) <= mu * found.impulse[0] * (1.0 + 1e-12)
    assert found.energy <= 1e-15 * size * np.abs(found.impulse).sum()
    assert found.energy == pytest.approx(found.impulse @ (v + found.after) / 2.0, rel=1e-12, abs=1e-14)


# -- the laws -------------------------------------------------------------------------------------------------------


def double_pendulum(mu: float) -> tuple[Problem, Array, float]:
    """Two rods that hang one from the other, and strike a floor: contact, velocities, kinetic energy.

    T. R. Kane and D. A. Levinson, Dynamics: Theory and Applications (1985): rods of mass and length 1, at 20° and 30°
    to the vertical, with −0.1 and −0.2 rad/s.
    """
    first, second = np.radians([20.0, 30.0])
    u = np.array([-0.1, -0.2])
    mass = np.array([[4.0 / 3.0, 0.5 * np.cos(second - first)], [0.5 * np.cos(second - first), 1.0 / 3.0]])
    J = np.array([[np.sin(first), np.sin(second)], [np.cos(first), np.cos(second)]])
    return Problem(J, [1], [mu], np.linalg.inv(mass)), J @ u, float(u @ mass @ u) / 2.0


def test_newtons_law_creates_energy_and_stronges_does_not() -> None:
    p, v, kinetic = double_pendulum(0.5)
    by_newton = struck(p, v, 0.7, NEWTON)
    assert by_newton.after[0] == pytest.approx(-0.7 * v[0], rel=1e-13)
    assert by_newton.energy > 1.5 * kinetic
    assert -kinetic < struck(p, v, 0.7).energy < 0.0
    for mu in (0.0, 0.1, 0.25, 0.5, 1.0, 2.0):
        for e in (0.0, 0.5, 0.7, 1.0):
            p, v, kinetic = double_pendulum(mu)
            assert -kinetic <= struck(p, v, e).energy <= 1e-15 * kinetic


def test_poissons_impulses() -> None:
    """Compression ends at p_c; restitution is e times that."""
    p = planar(ROD, 0.25)
    compressed, whole = (struck(p, np.array([-1.0, -0.3]), e, POISSON) for e in (0.0, 0.5))
    assert whole.impulse[0] == pytest.approx(1.5 * compressed.impulse[0])


# -- no answer ------------------------------------------------------------------------------------------------------


def test_what_cannot_move() -> None:
    found = struck(Problem(np.zeros((1, 1)), [0], [0.0]), np.array([-1.0]), 0.5)
    assert (found.status, found.impulse[0], found.after[0], found.energy) == (UNRESOLVED, 0.0, -1.0, 0.0)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite(bad: float) -> None:
    found = struck(Problem(np.eye(2), [1], [0.5]), np.array([-1.0, bad]), 0.5)
    assert found.status == UNRESOLVED
    assert list(found.impulse) == [0.0, 0.0]
    assert struck(Problem(np.array([[1.0, 0.0], [np.nan, 1.0]]), [1], [0.5]), np.array([-1.0, 1.0]), 0.5).status == 2


def test_a_wedge_stops() -> None:
    """One freedom, normal and slip at once: friction holds before anything can be given back."""
    found = struck(Problem(np.array([[1.0], [2.0]]), [1], [2.0]), np.array([-1.0, -2.0]), 0.8)
    assert found.status == RESOLVED
    assert found.after == pytest.approx([0.0, 0.0], abs=1e-14)
