"""Through singular configurations in one mode: the branch is kept for many turns, and so is energy.

Where all joints lie in a line two branches cross; a mechanism that arrives with some speed goes on along its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import jourdain as jd
from jourdain.driver import Compiled

Floats = NDArray[np.float64]
TIGHT = jd.DormandPrince853(1e-12, 1e-14)
METHODS = [None, jd.DormandPrince853(1e-8, 1e-10), TIGHT, jd.DormandPrince54(1e-9, 1e-11), jd.RK4(1e-3)]
ROUGH = [jd.ImplicitMidpoint(1e-3), jd.SemiImplicitEuler(1e-4), jd.Radau(), jd.Cvode()]
each_method = pytest.mark.parametrize("method", METHODS, ids=str)


def four_bar(**lengths: float) -> Compiled:
    return jd.compile(jd.gallery.four_bar()).with_parameters(lengths)


def start(d: Compiled, guess: list[float], rate: float) -> tuple[Floats, Floats]:
    q = d.assemble(guess, hold="q1")
    return q, d.complete(q, [rate], ["q1"])


def energy_is_kept(run: jd.Run, share: float) -> bool:
    assert run.is_complete
    checks = run.checks
    return checks.energy is not None and checks.energy < share * checks.energy_size


@each_method
def test_a_parallelogram_turns_as_one_rotor(method: Any) -> None:
    """Crank and rocker of one length: what they carry is a pendulum, turning through two change points a turn."""
    d = four_bar(l1=0.2, l2=0.45, l3=0.2, l4=0.45)
    q, u = start(d, [1.0, -1.0, 1.0], 15.0)
    run = jd.simulate(d, q, u, np.linspace(0.0, 10.0, 101), method=method)
    p = d.parameters
    inertia = sum(p[f"I{k}"] + p[f"m{k}"] * 0.01 for k in (1, 3)) + p["m2"] * 0.04
    moment = p["g"] * (0.1 * (p["m1"] + p["m3"]) + 0.2 * p["m2"])
    exact = solve_ivp(
        lambda t, y: [y[1], -moment / inertia * np.cos(y[0])], (0, 10), [q[0], 15.0], method="DOP853", rtol=1e-13,
        atol=1e-13, t_eval=run.t,
    ).y[0]  # fmt: skip
    assert exact[-1] > 25 * 2 * np.pi
    assert np.abs(run.q[:, [0, 2]] - run.q[:, :1]).max() < 1e-10
    assert np.abs(run.q[:, 1] + run.q[:, 0]).max() < 1e-10
    assert np.abs(run.q[:, 0] - exact).max() < (1e-7 if method is TIGHT else 1e-4)
    assert energy_is_kept(run, 1e-10 if method is TIGHT else 1e-6)


@pytest.mark.parametrize("method", ROUGH, ids=lambda x: x.name)
def test_every_other_method_keeps_the_branch(method: Any) -> None:
    d = four_bar(l1=0.2, l2=0.45, l3=0.2, l4=0.45)
    q, u = start(d, [1.0, -1.0, 1.0], 15.0)
    run = jd.simulate(d, q, u, np.linspace(0.0, 3.0, 31), method=method)
    assert run.q[-1, 0] - q[0] > 8 * 2 * np.pi
    assert np.abs(run.q[:, 2] - run.q[:, 0]).max() < 1e-10
    assert energy_is_kept(run, 1e-3)


@pytest.mark.parametrize(
    ("lengths", "guess", "rate", "rockers_turns"),
    [
        ((0.2, 0.45, 0.2, 0.45), [1.0, -1.9, -2.4], 15.0, -1.0),  # crossed: crank and rocker turn against each other
        ((0.2, 0.5, 0.3, 0.4), [1.0, -0.5, 1.5], 25.0, 0.0),  # shortest and longest are as long as the others
        ((0.2, 0.2, 0.4, 0.4), [1.0, -0.5, 1.5], 40.0, 0.0),  # a kite
    ],
    ids=["crossed", "change point", "kite"],
)
def test_a_branch_is_kept_for_twenty_turns(
    lengths: tuple[float, ...], guess: list[float], rate: float, rockers_turns: float
) -> None:
    """Runs of three accuracies tell the same; one that left its branch would turn another way, or lose energy."""
    d = four_bar(**dict(zip(("l1", "l2", "l3", "l4"), lengths)))
    q, u = start(d, guess, rate)
    times = np.linspace(0.0, 10.0, 201)
    runs = [jd.simulate(d, q, u, times, method=x) for x in (TIGHT, None, jd.DormandPrince853(1e-8, 1e-10))]
    for run, share, off in zip(runs, (1e-9, 1e-7, 1e-5), (1e-10, 1e-5, 1e-2)):
        assert energy_is_kept(run, share)
        assert np.abs(run.q - runs[0].q).max() < off
        assert run.checks.drift["pin"] < max(1e-9, 100.0 * off * 1e-5)
    turns = (runs[0].q[-1] - q) / (2 * np.pi)
    assert turns[0] > 20
    assert abs(turns[2] - rockers_turns * turns[0]) < 1.0


@each_method
@pytest.mark.parametrize("rate", [12.0, 60.0])
def test_equal_crank_and_rod_pass_their_dead_centres(rate: float, method: Any) -> None:
    """Twice a turn crank and rod lie on each other, and the piston could stay at the shaft. It does not."""
    d = jd.compile(jd.gallery.slider_crank()).with_parameters({"l1": 0.1, "l2": 0.1})
    q, u = start(d, [0.5, -1.0, 0.17], rate)
    run = jd.simulate(d, q, u, np.linspace(0.0, 10.0, 101), method=method)
    assert run.q[-1, 0] - q[0] > 15 * 2 * np.pi
    assert np.abs(run.q[:, 1] + 2.0 * run.q[:, 0]).max() < 1e-7
    assert np.abs(run.q[:, 2] - 0.2 * np.cos(run.q[:, 0])).max() < 1e-8
    assert energy_is_kept(run, 1e-9 if method is TIGHT else 1e-4)


@pytest.mark.parametrize("away", [0.0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-2])
def test_a_start_at_or_near_a_change_point(away: float) -> None:
    """Two branches begin there; the motion goes along the one on which the speeds are."""
    d = four_bar(l1=0.2, l2=0.45, l3=0.2, l4=0.45)
    q, u = np.array([away, -away, away]), np.array([15.0, -15.0, 15.0])
    run = jd.simulate(d, q, u, 5.0, method=TIGHT)
    assert run.q[-1, 0] > 10 * 2 * np.pi
    assert np.abs(run.q[:, 2] - run.q[:, 0]).max() < 1e-8
    assert energy_is_kept(run, 1e-8)
