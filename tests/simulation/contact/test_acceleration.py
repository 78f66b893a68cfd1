"""Contact forces with friction: against all active sets, least squares, and blocks and rods known by heart."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.optimize import nnls

from jourdain.simulation.contact.acceleration import (
    INCONSISTENT,
    INDETERMINATE,
    LEAVES,
    NOT_FOUND,
    RESTS,
    SLIPS,
    SOLVED,
    STICKS,
)

from .problems import Array, Problem, corners, error, solved

TIGHT = 2e-13


def random_problem(rng: np.random.Generator, contacts: int, most: int, moving: float = 0.0) -> tuple[Problem, Array]:
    """Any contacts of fewer, as many or more freedoms than rows, and b that forces can undo."""
    tangents = [int(x) for x in rng.integers(0, most + 1, size=contacts)]
    m = contacts + sum(tangents)
    J = rng.normal(size=(m, int(rng.integers(1, m + 2))))
    direction = rng.normal(size=(contacts, 2))
    direction[np.array(tangents) == 1, 1] = 0.0
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    slips = [int(rng.random() < moving and t > 0) for t in tangents]
    direction[np.array(slips) == 0] = 0.0
    mu = [float(x) for x in rng.uniform(0.0, 1.5, size=contacts)]
    return Problem(J, tangents, mu, moving=slips, direction=direction.ravel()), J @ rng.normal(size=J.shape[1])


@pytest.mark.parametrize("seed", range(150))
def test_what_begins_at_rest_always_has_an_answer(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p, b = random_problem(rng, int(rng.integers(1, 9)), 2)
    found = solved(p, b)
    assert found.status == SOLVED
    assert found.contact == -1
    assert error(p, b, found.force, found.direction) < TIGHT
    gain = p.W @ found.force + b
    for k, state in enumerate(found.state):
        n, t = p.rows(k)
        assert (gain[n] > 1e-9) == (state == LEAVES)
        assert (found.force[n] > 1e-9) == (state in (STICKS, SLIPS))
        if state == SLIPS:
            d = found.direction[2 * k : 2 * k + p.tangents[k]]
            assert np.linalg.norm(d) == pytest.approx(1.0, abs=1e-15)
            assert gain[t] @ d == pytest.approx(np.linalg.norm(gain[t]), rel=1e-9)


@pytest.mark.parametrize("seed", range(60))
def test_without_friction_forces_are_nonnegative_least_squares(seed: int) -> None:
    """Jᵀ λ is unique: it brings the free acceleration −g nearest to what contacts allow (Gauss)."""
    rng = np.random.default_rng(seed)
    contacts = int(rng.integers(1, 13))
    J = rng.normal(size=(contacts, int(rng.integers(1, contacts + 3))))
    g = rng.normal(size=J.shape[1])
    p = Problem(J, [0] * contacts, [0.0] * contacts)
    found = solved(p, J @ g)
    least, _ = nnls(np.ascontiguousarray(J.T), np.array(-g))
    assert found.status == SOLVED
    assert J.T @ found.force == pytest.approx(J.T @ least, abs=1e-10)


def answers(p: Problem, b: Array) -> list[Array]:
    """Accelerations of all answers of a planar problem, set after set."""
    found = []
    kinds = [
        (LEAVES, SLIPS) if p.slips(k) else (LEAVES, STICKS) if not p.tangents[k] else (LEAVES, STICKS, 1.5, -1.5)
        for k in range(len(p.tangents))
    ]
    for states in product(*kinds):
        m = len(b)
        rows, right = p.W.copy(), -b
        for k, state in enumerate(states):
            n, _ = p.rows(k)
            if state == LEAVES:
                rows[n], right[n] = np.eye(m)[n], 0.0
            if p.tangents[k] and state != STICKS:
                side = -p.direction[2 * k] if p.slips(k) else np.sign(state)
                rows[n + 1], right[n + 1] = np.eye(m)[n + 1] - p.mu[k] * side * np.eye(m)[n], 0.0
        if np.linalg.cond(rows) > 1e9:
            continue
        x = np.array(np.linalg.solve(rows, right), dtype=np.float64)
        if error(p, b, x, p.direction) < 1e-9:
            found.append(p.W @ x + b)
    return found


@pytest.mark.parametrize("seed", range(120))
def test_against_all_active_sets(seed: int) -> None:
    """Planar, some slip already: where there is one answer, it is ours; where there is none, we find none."""
    rng = np.random.default_rng(seed)
    contacts = int(rng.integers(1, 5))
    tangents = [int(x) for x in rng.integers(0, 2, size=contacts)]
    m = contacts + sum(tangents)
    J = rng.normal(size=(m, m + 1))
    moving = [int(t and rng.random() < 0.5) for t in tangents]
    direction = np.zeros((contacts, 2))
    direction[:, 0] = np.where(moving, rng.choice([-1.0, 1.0], size=contacts), 0.0)
    mu = [float(x) for x in rng.uniform(0.0, 1.5, size=contacts)]
    p = Problem(J, tangents, mu, moving=moving, direction=direction.ravel())
    b = rng.normal(size=m)
    wanted = answers(p, b)
    found = solved(p, b)
    if not wanted:
        assert found.status in (NOT_FOUND, INCONSISTENT)
        return
    assert found.status in (SOLVED, INDETERMINATE)
    assert error(p, b, found.force, found.direction) < TIGHT
    gain = p.W @ found.force + b
    assert min(np.abs(gain - x).max() for x in wanted) < 1e-9


def test_a_block_on_four_corners_shares_its_load() -> None:
    J, inverse = corners()
    p = Problem(J, [2] * 4, [0.5] * 4, inverse)
    held = solved(p, J @ np.array([0.0, 0.0, -9.81, 0.0, 0.0, 0.0]))
    assert held.status == SOLVED
    assert held.state == [STICKS] * 4
    assert held.force.reshape(4, 3) == pytest.approx(np.tile([9.81 * 2.0 / 4.0, 0.0, 0.0], (4, 1)), abs=1e-13)


def test_a_block_that_is_pushed() -> None:
    """Below the cone it stays; beyond it, it slides as the sum of forces says."""
    J, inverse = corners()
    p = Problem(J, [2] * 4, [0.5] * 4, inverse)
    held = solved(p, J @ np.array([3.0, 2.0, -9.81, 0.0, 0.0, 0.0]))
    assert held.state == [STICKS] * 4
    assert held.force.reshape(4, 3).sum(axis=0) == pytest.approx(2.0 * np.array([9.81, -3.0, -2.0]), abs=1e-12)
    slid = solved(p, J @ np.array([8.0, 6.0, -9.81, 0.0, 0.0, 0.0]))
    assert slid.state == [SLIPS] * 4
    assert slid.direction.reshape(4, 2) == pytest.approx(np.tile([0.8, 0.6], (4, 1)), abs=1e-12)
    assert (p.W @ slid.force + J @ np.array([8.0, 6.0, -9.81, 0, 0, 0]))[1] == pytest.approx(8.0 - 0.8 * 0.5 * 9.81)


def test_forty_contacts() -> None:
    angle = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)
    rows = [
        np.concatenate([e, np.cross([np.cos(x), np.sin(x), -0.2], e)]) for x in angle for e in np.eye(3)[[2, 0, 1]]
    ]
    p = Problem(np.array(rows), [2] * 40, [0.5] * 40)
    b = p.J @ np.array([1.0, 4.0, -9.81, 0.0, 0.0, 0.5])
    found = solved(p, b)
    assert found.status == SOLVED
    assert error(p, b, found.force, found.direction) < TIGHT


def test_a_contact_that_carries_nothing_rests() -> None:
    p = Problem(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]), [0, 0, 0], [0.0] * 3)
    assert solved(p, np.array([0.0, -1.0, 2.0])).state == [RESTS, STICKS, LEAVES]
    assert solved(p, np.zeros(3)).state == [RESTS] * 3


def test_nothing_that_moves() -> None:
    p = Problem(np.zeros((1, 1)), [0], [0.0])
    assert solved(p, np.array([1.0])).state == [LEAVES]
    pressed = solved(p, np.array([-1.0]))
    assert (pressed.status, pressed.contact) == (NOT_FOUND, 0)


def test_a_body_between_walls_that_close() -> None:
    """No force helps: two walls press one freedom."""
    p = Problem(np.array([[1.0], [-1.0]]), [0, 0], [0.0, 0.0])
    assert solved(p, np.array([-1.0, -1.0])).status == NOT_FOUND


def test_what_is_not_finite() -> None:
    p = Problem(np.eye(2), [1], [0.5])
    for bad in (np.nan, np.inf):
        assert solved(p, np.array([bad, 0.0])).status == NOT_FOUND
    p = Problem(np.array([[1.0, 0.0], [np.nan, 1.0]]), [1], [0.5])
    assert solved(p, np.array([-1.0, 0.0])).status == NOT_FOUND


# -- Painlevé's rod -------------------------------------------------------------------------------------------------


def rod(angle: float, mu: float) -> Problem:
    """A uniform rod, m = 1, half-length 1, that leans at an angle to the ground; its lower tip slips so as to jam."""
    arm = np.array([np.cos(angle), -np.sin(angle)])  # from the center to the tip
    J = np.array([[0.0, 1.0, arm[0]], [1.0, 0.0, -arm[1]]])
    return Problem(J, [1], [mu], np.diag([1.0, 1.0, 3.0]), [1], np.array([1.0, 0.0]))


@pytest.mark.parametrize("mu", [1.0, 1.33, 4.0 / 3.0 - 1e-9, 4.0 / 3.0 + 1e-9, 1.4, 2.0])
def test_painleves_rod(mu: float) -> None:
    """(1 + 3 cos²) − 3 μ sin cos < 0 somewhere if and only if μ > 4/3, first where tan θ = 2."""
    angles = np.append(np.linspace(0.0, np.pi / 2.0, 401), np.arctan(2.0))
    jams = 0
    for angle in angles:
        p = rod(float(angle), mu)
        slope = 1.0 + 3.0 * np.cos(angle) ** 2 - 3.0 * mu * np.sin(angle) * np.cos(angle)
        pressed, lifted = solved(p, np.array([-1.0, 0.0])), solved(p, np.array([1.0, 0.0]))
        if slope > 0.0:
            assert pressed.status == lifted.status == SOLVED
            assert pressed.force[0] == pytest.approx(1.0 / slope)
            assert pressed.force[1] == pytest.approx(-mu / slope)
        else:
            jams += 1
            assert (pressed.status, lifted.status) == (INCONSISTENT, INDETERMINATE)
            assert pressed.contact == lifted.contact == 0
    assert (jams > 0) == (mu > 4.0 / 3.0)
