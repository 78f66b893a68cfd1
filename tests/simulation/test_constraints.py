"""Constraints kept: no drift, starts near and far, modes, loops, constraints that do work."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import jourdain as jd
from jourdain.simulation.methods import METHODS

from .mechanisms import LENGTH, belt, bob, bob_in_one_speed, bricard, four_bar, stone

Floats = NDArray[np.float64]
ANGLE = 1.0
START = ([LENGTH * np.sin(ANGLE), -LENGTH * np.cos(ANGLE)], [0.0, 0.0])
DRIFT = 1e-12
CONSTRAINED = [x for x in METHODS if x is not jd.SymplecticMidpoint]


@pytest.mark.parametrize("kind", CONSTRAINED, ids=lambda x: x.__name__)
def test_a_pendulum_in_cartesian_coordinates_does_not_drift(kind: Any) -> None:
    slow = kind in (jd.Radau, jd.Cvode)
    times = np.linspace(0.0, 3.0, 31) if slow else np.linspace(0.0, 60.0, 601)
    run = jd.simulate(bob(), *START, times, method=kind())
    assert run.is_complete
    assert np.abs(np.linalg.norm(run.q, axis=1) - LENGTH).max() < DRIFT
    assert np.abs((run.q * run.u).sum(axis=1)).max() < DRIFT
    assert run.checks.drift["rod"] < DRIFT


def test_it_moves_as_the_pendulum_in_an_angle() -> None:
    times = np.linspace(0.0, 10.0, 101)
    run = jd.simulate(bob(), *START, times, method=jd.DormandPrince853(1e-13, 1e-13))
    found = solve_ivp(
        lambda t, y: [y[1], -9.81 / LENGTH * np.sin(y[0])], (0, 10), [ANGLE, 0.0], method="DOP853", rtol=1e-13,
        atol=1e-13, t_eval=times,
    )  # fmt: skip
    assert np.abs(np.arctan2(run.q[:, 0], -run.q[:, 1]) - found.y[0]).max() < 1e-10


def test_positions_do_not_leave_what_the_speeds_satisfy() -> None:
    """Speeds that respect a constraint whatever their values leave it in positions, step by step."""
    run = jd.simulate(bob_in_one_speed(), START[0], [0.0], 60.0)
    assert run.compiled.imposed == ()
    assert run.checks.drift["rod"] < DRIFT
    other = jd.simulate(bob(), *START, run.t)
    assert np.abs(run.q - other.q).max() < 1e-7
    with pytest.raises(jd.StateError, match=r"'rod' misses by 0\.7"):
        jd.simulate(bob_in_one_speed(), [1.0, -1.2], [0.0], 1.0)


def test_a_four_bar_goes_round_for_a_minute() -> None:
    d = jd.compile(four_bar())
    q = d.assemble([1.0, -0.6, 1.7])
    u = d.complete(q, [12.0], ["a"])
    run = jd.simulate(d, q, u, 60.0)
    checks = run.checks
    assert run.is_complete and abs(run.q[-1, 0] - run.q[0, 0]) > 20 * np.pi
    assert checks.drift["pin"] < DRIFT
    assert checks.energy is not None and checks.energy < 1e-6 * checks.energy_size
    assert checks.returned is not None and checks.returned < 1e-12


def test_an_overconstrained_loop_moves_for_a_minute() -> None:
    """Bricard's: of five rows four are independent, but not always the same four."""
    d = jd.compile(bricard())
    q = d.assemble([-1.6, 1.6, -1.6, 1.6, -1.6])
    assert (d.redundancy.rank, len(d.redundancy.kept)) == (4, 5)
    assert d.redundancy.repeated == d.redundancy.not_unique == ("loop",)
    free = d.independent(q)
    assert len(free) == 1
    run = jd.simulate(d, q, d.complete(q, [1.0], free), 60.0)
    checks = run.checks
    assert np.ptp(run.q, axis=0).min() > 0.5
    assert checks.drift["loop"] < DRIFT
    assert checks.energy is not None and checks.energy < 1e-7 * checks.energy_size
    assert checks.returned is not None and checks.returned < 1e-12


def test_a_start_that_is_nearly_right_is_put_right() -> None:
    near = [START[0][0] + 1e-4, START[0][1]]
    run = jd.simulate(bob(), near, [0.001, 0.0], 1.0)
    assert abs(np.hypot(*run.q[0]) - LENGTH) < 1e-14 and abs(run.q[0] @ run.u[0]) < 1e-14
    assert np.abs(run.q[0] - START[0]).max() < 2e-4


def test_a_start_that_is_wrong_is_refused_by_name() -> None:
    with pytest.raises(jd.StateError, match=r"not on the constraints of system 'bob': 'rod' misses by 0\.7") as caught:
        jd.simulate(bob(), [1.0, -1.2], [0.0, 0.0], 1.0)
    assert set(caught.value.residuals) == {"rod"}
    with pytest.raises(jd.StateError, match="'rod' misses by"):
        jd.simulate(bob(), START[0], [1.0, 0.0], 1.0)
    with pytest.raises(jd.StateError, match="'rod' misses by"):
        jd.simulate(bob(), [0.0, 0.0], [0.0, 0.0], 1.0)  # the row's slope is zero: nowhere to go
    with pytest.raises(jd.StateError, match="the quaternion of 'stone' is not of length one"):
        jd.simulate(stone(), [0, 0, 0, 0, 0, 0, 2.0], np.zeros(6), 1.0)


@pytest.mark.parametrize("method", [None, jd.Radau()])
def test_a_mode_is_a_compiled_system_in_it(method: Any) -> None:
    """The disk slides down, or rolls: 2/3 of the acceleration."""
    d = jd.compile(jd.gallery.rolling_disk_on_ramp())
    slope = -9.81 * np.sin(0.3)
    slid = jd.simulate(d, [0.0, 0.0], [0.0, 0.0], [0.0, 2.0], method=method)
    rolled = jd.simulate(d.in_mode({"rolls"}), [0.0, 0.0], [0.0, 0.0], [0.0, 2.0], method=method)
    assert slid.q[-1] == pytest.approx([2.0 * slope, 0.0], abs=1e-9)
    assert rolled.q[-1] == pytest.approx([2.0 * slope * 2 / 3, -2.0 * slope * 2 / 3 / 0.2], abs=1e-8)
    assert rolled.checks.drift["rolls"] < DRIFT and rolled.checks.energy is not None


def test_rolling_is_kept() -> None:
    d = jd.compile(jd.gallery.shopping_cart())
    q = np.array([0.1, -0.2, 0.3, 0.4])
    u = d.complete(q, [1.0, 0.3], ["u1", "u2"])
    run = jd.simulate(d, q, u, 10.0, {"F": "3*sin(t)", "tau": 0.2})
    assert run.is_complete
    assert max(run.checks.drift.values()) < DRIFT
    assert run.work is not None and np.abs(run.work).max() > 1e-2
    assert run.checks.energy is not None and run.checks.energy < 1e-9


def test_a_constraint_that_moves_does_work() -> None:
    """A bead whirled on a string that is let out: angular momentum stays, energy does not."""
    run = jd.simulate(belt(), [1.0, 0.0], [0.5, 2.0], 4.0, method=jd.DormandPrince853(1e-12, 1e-12))
    assert run.q[-1] @ run.q[-1] == pytest.approx(9.0, abs=1e-12)
    spin = run.q[:, 0] * run.u[:, 1] - run.q[:, 1] * run.u[:, 0]
    assert np.abs(spin - 2.0).max() < 1e-10
    assert run.work is not None
    assert run.work[-1] == pytest.approx(0.5 * 1.5 * ((2.0 / 3.0) ** 2 - 4.0), abs=1e-9)
    assert run.checks.energy is not None and run.checks.energy < 1e-10


def test_what_cannot_be_kept_ends_the_run() -> None:
    """A string that shrinks to nothing."""
    m = jd.Model("shrinking", gravity=(0, 0, 0))
    bead = m.body("bead", mass=1.0, inertia=jd.point_mass)
    rail = m.link("rail")
    x = m.prismatic("x", m.ground, rail, axis="x").coordinate
    y = m.prismatic("y", rail, bead, axis="y").coordinate
    m.keep("reach", x * x + y * y - (1.0 - m.time))
    for method in (None, jd.RK4(1e-3)):
        run = jd.simulate(m.system(), [1.0, 0.0], [-0.5, 0.0], 2.0, method=method)
        ends = (jd.Status.CONSTRAINTS_LOST, jd.Status.STEP_TOO_SMALL, jd.Status.NOT_FINITE)
        assert run.status in ends and not run.is_complete
        assert 0.9 < run.t[-1] <= 1.001
        assert np.isfinite(run.q).all()


def test_symplectic_steps_need_momenta() -> None:
    with pytest.raises(ValueError, match="SymplecticMidpoint cannot integrate system 'bob': it needs speeds that are"):
        jd.simulate(bob(), *START, 1.0, method=jd.SymplecticMidpoint())
    with pytest.raises(ValueError, match="SymplecticMidpoint cannot integrate system 'stone'"):
        jd.simulate(stone(), [0, 0, 0, 0, 0, 0, 1.0], np.zeros(6), 1.0, method=jd.SymplecticMidpoint())
