"""The woodpecker toy: its limit cycle, beside a time-stepping scheme that knows nothing of events."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import jourdain as jd
from jourdain.simulation.change import Change
from jourdain.simulation.modes.modal_run import ModalRun

Array = NDArray[np.float64]
TOY = jd.gallery.woodpecker()
P = TOY.parameters
START = ([0.0, -0.1009, -0.1779], [-0.3411, 0.0, -7.4583])  # about as Glocker has it; the swing is against the sleeve
PERIOD = 0.130747


def pecking(final: float) -> ModalRun:
    run = jd.simulate(TOY, *START, final, method=jd.DormandPrince853(rtol=1e-11, atol=1e-13))
    assert isinstance(run, ModalRun) and run.is_complete
    return run


def pecks(run: ModalRun) -> list[Change]:
    return [x for x in run.changes if "beak" in x.impulses]


def test_a_limit_cycle_appears() -> None:
    """Each peck follows the last one after the same time and the same fall, from almost any start."""
    found = pecks(pecking(4.0))
    times, heights = np.array([x.t for x in found]), np.array([x.q[0] for x in found])
    assert np.abs(np.diff(times)[8:] - PERIOD).max() < 1e-6
    assert np.ptp(np.diff(times)[12:]) < 1e-9
    assert np.ptp(np.diff(heights)[12:]) < 1e-9
    assert np.diff(heights)[-1] == pytest.approx(-0.0144969, abs=1e-6)
    other = jd.simulate(TOY, [0.0, 0.0, -0.3], [0.0, 0.0, 0.0], 4.0, method=jd.DormandPrince853(rtol=1e-11, atol=1e-13))
    assert isinstance(other, ModalRun)
    assert np.diff([x.t for x in pecks(other)])[-1] == pytest.approx(PERIOD, abs=1e-6)


def test_what_a_cycle_is_made_of() -> None:
    """It pecks, falls, tilts, is caught below, slips, sticks, slips, comes loose; energy is accounted for."""
    run = pecking(2.0)
    first, last = (x.t for x in pecks(run)[-2:])
    spans = [x.mode for x in run.modes if first <= x.start < last]
    assert spans == [("lower",), ("lower", "lower sticks"), ("lower",), ()]
    lost = sum(x.work for x in run.changes if first <= x.t < last)
    mass = P["m_M"] + P["m_S"]
    rubbed = run.work[-1] - run.work[0] - sum(x.work for x in run.changes)  # type: ignore[index]
    assert lost < 0.0 and rubbed < 0.0
    fallen = (pecks(run)[-2].q[0] - pecks(run)[-1].q[0]) * mass * P["g"]
    assert -lost < fallen  # what a cycle loses is what it falls through
    assert run.checks.energy is not None and run.checks.energy < 1e-10 * run.checks.energy_size


def test_forces_stay_in_their_cones_between_events() -> None:
    """Also where a decision fell at the brink: no contact pulls, none carries more friction than it can."""
    run = pecking(1.0)
    for name in ("beak", "lower", "upper"):
        normal, rubs = run.forces[name][:, 0], np.abs(run.forces[f"{name} sticks"][:, 0])
        assert normal.min() > -1e-5
        assert (rubs - P["mu"] * normal).max() < 1e-5


def test_the_same_by_time_stepping() -> None:
    """A cycle of Moreau's scheme (1988), first order in the step: impulses in every step, no event, no mode."""
    run = pecking(1.0)
    peck, following = pecks(run)[-2:]
    q, u = absolute(peck.q), absolute(peck.u)
    errors = []
    for step in (1e-4, 5e-5):
        t, at = stepped(q, u, step)
        errors.append((t - (following.t - peck.t), at[0] - following.q[0]))
    assert abs(errors[1][0]) < 5e-4 and abs(errors[1][1]) < 5e-4


def absolute(x: Array) -> Array:
    """The bird's angle from the ground."""
    return np.array([x[0], x[1], x[1] + x[2]])


def stepped(q: Array, u: Array, step: float) -> tuple[float, Array]:
    """Until the next peck: its time, and q."""
    t = 0.0
    while True:
        q = q + step / 2 * u
        gaps, normals, tangents, mass, force = toy(q, u)
        inverse: Array = np.linalg.inv(mass).astype(np.float64)
        free: Array = u + inverse @ force * step
        touching = np.flatnonzero(gaps <= 0.0)
        if 0 in touching and t > 0.05 and normals[0] @ u < -0.01:
            return t, q
        bounce = np.where(touching == 0, P["e"], 0.0)
        u = np.asarray(free + impulses(u, free, inverse, normals[touching], tangents[touching], bounce))
        q, t = q + step / 2 * u, t + step


def impulses(u: Array, v: Array, inverse: Array, normals: Array, tangents: Array, e: Array) -> Array:
    """Change of the speeds by Newton's law and Coulomb's, contact by contact until nothing changes."""
    start, p, f = v, np.zeros(len(e)), np.zeros(len(e))
    for _ in range(500):
        before = v
        for k, (w, x) in enumerate(zip(normals, tangents)):
            pushed = max(0.0, p[k] - (w @ v + e[k] * (w @ u)) / (w @ inverse @ w))
            v, p[k] = v + inverse @ w * (pushed - p[k]), pushed
            rubbed = float(np.clip(f[k] - x @ v / (x @ inverse @ x), -P["mu"] * pushed, P["mu"] * pushed))
            v, f[k] = v + inverse @ x * (rubbed - f[k]), rubbed
        if np.abs(v - before).max(initial=0.0) < 1e-12:
            break
    return v - start


def toy(q: Array, u: Array) -> tuple[Array, Array, Array, Array, Array]:
    """Gaps, normal and tangential rows, mass matrix, force: height and absolute angles, by hand."""
    (ca, cb), (sa, sb) = np.cos(q[1:]), np.sin(q[1:])
    out, up, arm, to_center, m = P["l_G"] - P["l_S"], P["h_S"], P["l_M"], P["l_G"], P["m_S"]
    beak = arm * np.array([ca, sa]) + out * np.array([cb, sb]) + up * np.array([-sb, cb])
    ends = [P["r_M"] * np.array([ca, sa]) + h * np.array([-sa, ca]) for h in (-P["h_M"], P["h_M"])]
    gaps = np.array([beak[0], ends[0][0], ends[1][0]]) - P["r_0"]
    bird = beak - arm * np.array([ca, sa])
    normals = np.array([[0.0, -arm * sa, -bird[1]], [0.0, -ends[0][1], 0.0], [0.0, -ends[1][1], 0.0]])
    tangents = np.array([[1.0, arm * ca, bird[0]], [1.0, ends[0][0], 0.0], [1.0, ends[1][0], 0.0]])
    x, y = np.array([0.0, -arm * sa, -to_center * sb]), np.array([1.0, arm * ca, to_center * cb])
    mass = m * (np.outer(x, x) + np.outer(y, y)) + np.diag([P["m_M"], P["J_M"], P["J_S"]])
    a, b = u[1:] ** 2
    inertial = x * -(arm * ca * a + to_center * cb * b) + y * (P["g"] - arm * sa * a - to_center * sb * b)
    turn = P["c"] * (q[2] - q[1])
    return gaps, normals, tangents, mass, np.array([-P["m_M"] * P["g"], turn, -turn]) - m * inertial
