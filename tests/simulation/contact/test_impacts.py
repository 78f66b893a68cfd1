"""Several contacts that strike at once: symmetry, springs integrated over time, and laws that hold whatever comes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jourdain.simulation.contact.acceleration import solve_contacts, solving_work
from jourdain.simulation.contact.impact import (
    NEWTON,
    PLASTIC,
    POISSON,
    RESOLVED,
    STRONGE,
    UNRESOLVED,
    impact_work,
    resolve_impact,
)

from .problems import Array, Problem, Struck, corners, error, halted, struck

LAWS = (STRONGE, NEWTON, POISSON)
DROP = np.array([0.0, 0.0, -1.0, 0.0, 0.0, 0.0])


def size_of(p: Problem, v: Array, found: Struck) -> float:
    """How great velocities become on the way."""
    return float(np.abs(v).max() + np.abs(p.W).max() * np.abs(found.impulse).sum()) + 1e-300


# -- what is symmetric ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("mu", [0.0, 0.5])
@pytest.mark.parametrize("e", [0.0, 0.4, 1.0])
def test_a_block_that_falls_flat(law: int, mu: float, e: float) -> None:
    """Four corners take equal impulses, and it does not turn."""
    J, inverse = corners()
    p = Problem(J, [2] * 4, [mu] * 4, inverse)
    found = struck(p, J @ DROP, e, law)
    assert found.status == RESOLVED
    wanted = np.tile([(1.0 + e) * 2.0 / 4.0, 0.0, 0.0], 4)
    assert found.impulse == pytest.approx(wanted, abs=1e-12)
    assert found.after == pytest.approx(np.tile([e, 0.0, 0.0], 4), abs=1e-12)
    assert found.energy == pytest.approx(e * e - 1.0, abs=1e-12)


@pytest.mark.parametrize("law", LAWS)
def test_a_block_that_falls_and_slides(law: int) -> None:
    """With no height there is no torque: each corner rubs along, by μ times its impulse, or stops."""
    J, inverse = corners(half=(0.5, 0.4, 1e-9))
    p = Problem(J, [2] * 4, [0.5] * 4, inverse)
    for speed in (0.3, 3.0):
        found = struck(p, J @ (DROP + np.array([0.6 * speed, 0.8 * speed, 0, 0, 0, 0])), 0.4, law)
        left = max(0.0, speed - 0.5 * 1.4)
        assert found.after.reshape(4, 3) == pytest.approx(np.tile([0.4, 0.6 * left, 0.8 * left], (4, 1)), abs=1e-6)


def test_a_row_of_balls() -> None:
    """Equal balls that touch share one spring law: the last leaves first and fastest, but the others move, too.

    Rigid laws that let only the last one move need the balls to be struck one after the other; these touch. Energy and
    momentum are what they were.
    """
    J = np.diff(np.eye(5), axis=0)
    p = Problem(J, [0] * 4, [0.0] * 4)
    u = np.array([1.0, 0.0, 0.0, 0.0, 0.0])
    found = struck(p, J @ u, 1.0)
    after = u + J.T @ found.impulse
    assert after.sum() == pytest.approx(1.0, abs=1e-14)
    assert found.energy == pytest.approx(0.0, abs=1e-9)
    assert (np.diff(after) > 0.0).all()
    assert found.after == pytest.approx(by_time(p, J @ u, 1.0), abs=1e-3)


def test_contacts_that_know_nothing_of_each_other() -> None:
    """Each as if it were alone."""
    J = np.array([[2.0, 0.0, 0.0], [0.0, 1.0, 0.5], [0.0, 0.2, 1.0]])
    p = Problem(J, [0, 1], [0.0, 0.4])
    found = struck(p, np.array([-1.0, -2.0, 0.7]), [0.5, 0.8])
    alone = struck(Problem(J[1:, 1:], [1], [0.4]), np.array([-2.0, 0.7]), 0.8)
    assert found.after[0] == pytest.approx(0.5, abs=1e-12)
    assert found.after[1:] == pytest.approx(alone.after, abs=5e-3)


# -- springs over time ----------------------------------------------------------------------------------------------


def by_time(p: Problem, v: Array, e: float, step: float = 2e-4) -> Array:
    """Velocities of the rows after springs of stiffness 1 / W_ii were compressed and let go, with Coulomb's friction.

    Forces by depth on two lines, loading and unloading; friction from a slip that is smoothed at 1e-6: small steps.
    """
    n = np.array(p.normals)
    count = len(n)
    W, v = p.W, v.copy()
    stiff = 1.0 / np.diag(W)[n]
    depth, deepest, most = np.zeros(count), np.zeros(count), np.zeros(count)
    for _ in range(100000):
        loading = depth >= deepest
        deepest = np.maximum(deepest, depth)
        most = np.where(loading, stiff * depth, most)
        unloading = most - stiff / (e * e) * (deepest - depth)
        force = np.maximum(0.0, np.where(loading, stiff * depth, unloading))
        p_all = np.zeros(len(v))
        p_all[n] = force * step
        for k in range(count):
            _, t = p.rows(k)
            slip = v[t]
            p_all[t] = -p.mu[k] * force[k] * step * slip / max(float(np.linalg.norm(slip)), 3e-3)
        v = v + W @ p_all
        depth = depth - step * v[n]
        if (force <= 0.0).all() and (v[n] > 0.0).all():
            return v
    raise AssertionError("it does not end")


@pytest.mark.parametrize("mu", [0.0, 0.3])
def test_springs_that_are_integrated_over_time(mu: float) -> None:
    """A block that strikes with one edge before the other, turning and sliding."""
    J, inverse = corners()
    p = Problem(J, [2] * 4, [mu] * 4, inverse)
    v = J @ np.array([1.5, 1.0, -1.0, 0.3, 0.4, 0.1])
    assert struck(p, v, 0.7).after == pytest.approx(by_time(p, v, 0.7), abs=6e-3)


# -- whatever comes -------------------------------------------------------------------------------------------------


def any_problem(seed: int, contacts: int) -> tuple[Problem, Array, Array]:
    """Fewer, as many or more freedoms than rows; some closed, some leaving; e and μ at their ends often."""
    rng = np.random.default_rng(seed)
    tangents = [int(x) for x in rng.integers(0, 3, size=contacts)]
    m = contacts + sum(tangents)
    J = rng.normal(size=(m, int(rng.integers(1, m + 3))))
    u = rng.normal(size=J.shape[1])
    normals = np.concatenate([[0], np.cumsum(1 + np.array(tangents))])[:contacts]
    if rng.random() < 0.4:
        closed = J[normals[: int(rng.integers(0, contacts + 1))]]
        u = u - np.linalg.pinv(closed) @ (closed @ u)
    mu = [float(x) for x in rng.choice([0.0, 0.3, rng.uniform(0.0, 2.0), 2.0], size=contacts)]
    e = np.array(rng.choice([0.0, 1.0, rng.uniform(0.0, 1.0), rng.uniform(0.0, 0.1)], size=contacts))
    scale = 10.0 ** rng.integers(-6, 7)
    return Problem(J * 10.0 ** rng.integers(-3, 4), tangents, mu), J @ u * scale, e


def hold(p: Problem, v: Array, found: Struck) -> None:
    """What every law keeps: v⁺ = v + W p, nothing approaches, friction within its bound, the energy as it is said."""
    size = size_of(p, v, found)
    assert np.isfinite(found.impulse).all()
    assert found.after == pytest.approx(v + p.W @ found.impulse, abs=1e-11 * size)
    work = found.impulse @ (v + found.after) / 2.0
    assert found.energy == pytest.approx(work, abs=1e-12 * size * np.abs(found.impulse).sum())
    for k, n in enumerate(p.normals):
        _, t = p.rows(k)
        assert found.impulse[n] >= 0.0
        assert found.after[n] >= -2e-12 * size
        assert np.linalg.norm(found.impulse[t]) <= p.mu[k] * found.impulse[n] + 1e-12 * np.abs(found.impulse).max()


def many(examples: int) -> settings:
    """The same examples each time."""
    quiet = list(HealthCheck)
    return settings(max_examples=examples, deadline=None, derandomize=True, suppress_health_check=quiet, database=None)


SEEDS = st.integers(0, 2**32 - 1)


@many(1500)
@given(SEEDS, st.integers(1, 4))
def test_energy_never_increases(seed: int, contacts: int) -> None:
    p, v, e = any_problem(seed, contacts)
    found = struck(p, v, [float(x) for x in e])
    assert found.status in (RESOLVED, PLASTIC)
    hold(p, v, found)
    assert found.energy <= 1e-14 * size_of(p, v, found) * np.abs(found.impulse).sum()


@many(150)
@given(SEEDS, st.integers(5, 12))
def test_energy_never_increases_with_many_contacts(seed: int, contacts: int) -> None:
    p, v, e = any_problem(seed, contacts)
    found = struck(p, v, [float(x) for x in e])
    assert found.status in (RESOLVED, PLASTIC)
    hold(p, v, found)
    assert found.energy <= 1e-14 * size_of(p, v, found) * np.abs(found.impulse).sum()


@many(1500)
@given(SEEDS, st.integers(1, 6))
def test_rest(seed: int, contacts: int) -> None:
    """e = 0: a complementarity problem, and energy never increases."""
    p, v, _ = any_problem(seed, contacts)
    found = halted(p, v)
    assert found.status == RESOLVED
    hold(p, v, found)
    scale = float(np.abs(v).max()) or 1.0
    if v[p.normals].min() < -1e-14 * scale:
        unit = float(np.abs(np.diag(p.W)).max())
        same = Problem(p.J / np.sqrt(unit), p.tangents, p.mu)
        assert error(same, v / scale, found.impulse * unit / scale, np.zeros(2 * contacts)) < 1e-11
    assert found.energy <= 1e-14 * size_of(p, v, found) * np.abs(found.impulse).sum()


@many(400)
@given(SEEDS, st.integers(1, 5), st.sampled_from([NEWTON, POISSON]))
def test_other_laws_say_what_they_do_to_the_energy(seed: int, contacts: int, law: int) -> None:
    p, v, e = any_problem(seed, contacts)
    found = struck(p, v, [float(x) for x in e], law)
    assert found.status in (RESOLVED, PLASTIC)
    hold(p, v, found)
    if found.status == RESOLVED and law == NEWTON and v[p.normals].min() < -1e-14 * np.abs(v).max():
        for k, n in enumerate(p.normals):
            assert found.after[n] >= -e[k] * min(0.0, v[n]) - 2e-12 * size_of(p, v, found)


def test_a_ball_between_walls_comes_to_an_end() -> None:
    """One freedom, two walls, e = 1: it would never end, so it is stopped, and that is said."""
    p = Problem(np.array([[1.0], [-1.0]]), [0, 0], [0.0, 0.0])
    found = struck(p, np.array([-1.0, 1.0]), 1.0)
    assert found.status == PLASTIC
    assert found.after == pytest.approx([0.0, 0.0], abs=1e-14)
    assert found.energy == pytest.approx(-0.5)


def test_walls_that_close_are_not_resolved() -> None:
    p = Problem(np.array([[1.0], [-1.0]]), [0, 0], [0.0, 0.0])
    found = struck(p, np.array([-1.0, -1.0]), 0.5)
    assert (found.status, list(found.impulse), list(found.after), found.energy) == (
        UNRESOLVED, [0.0, 0.0], [-1.0, -1.0], 0.0,
    )  # fmt: skip


def test_python_does_the_same_to_the_last_bit() -> None:
    J, inverse = corners()
    p = Problem(J, [2] * 4, [0.5] * 4, inverse)
    v = J @ np.array([0.3, 0.2, -1.0, 1.0, 2.0, 0.5])
    start, tangents, mu, e = (np.array(x, dtype=np.float64) for x in (p.starts, p.tangents, p.mu, np.full(4, 0.7)))
    for law in LAWS:
        found = struck(p, v, 0.7, law)
        impulse, after, energy = np.zeros(12), np.zeros(12), np.zeros(1)
        status = resolve_impact(
            p.W.ravel(), v, 12, 4, start, tangents, mu, e, law, impulse, after, energy,
            np.full(impact_work(12, 4), np.nan),
        )  # fmt: skip
        assert status == found.status
        assert (impulse == found.impulse).all()
        assert (after == found.after).all()
        assert energy[0] == found.energy
    force, state = np.zeros(12), np.zeros(4)
    status = solve_contacts(
        p.W.ravel(), J @ np.array([1.0, 2.0, -9.81, 0.0, 0.0, 0.0]), 12, 4, start, tangents, mu, np.zeros(4),
        np.zeros(8), force, state, np.zeros(1), np.full(solving_work(12, 4), np.nan),
    )  # fmt: skip
    assert status == 0
    assert force.reshape(4, 3).sum(axis=0) == pytest.approx([2.0 * 9.81, -2.0, -4.0])
