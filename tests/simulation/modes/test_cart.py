"""Gillespie's shopping cart (2003), example 3, while its caster sticks and comes loose."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import jourdain as jd
from jourdain.graph import Node
from jourdain.model.system import System
from jourdain.simulation.modes.modal_run import ModalRun

Array = NDArray[np.float64]
STUCK = "caster sticks"
START = [0.0, 0.0, 0.0, 0.6]
CREEP, MOST = 0.02, 0.1
PUSH, TURN = "2*cos(0.7*t)", "3*sin(1.5*t)"


def stick_and_slip(final: float) -> ModalRun:
    d = jd.compile(jd.gallery.shopping_cart(sticking=True))
    run = jd.simulate(d, START, d.complete(START, [1.0, 0.0], ["u1", "u2"]), final, {"F": PUSH, "tau": TURN})
    assert isinstance(run, ModalRun)
    return run


def test_the_caster_sticks_and_comes_loose_many_times() -> None:
    """Slow where it begins to stick, at the breakaway moment where it comes loose; energy lost is accounted for."""
    run = stick_and_slip(20.0)
    assert run.is_complete
    assert [x.mode for x in run.modes] == [(), (STUCK,)] * 9 + [()]
    turning = run.u[:, 2] - run.u[:, 1]
    first, second, *others = run.changes
    assert first.t == second.t and first.imposed == second.deleted  # it would carry too much at once
    for change in others:
        before = change.u_before[2] - change.u_before[1]
        if change.imposed:
            assert abs(before) == pytest.approx(CREEP, rel=1e-9)
            assert change.u[2] == pytest.approx(change.u[1], abs=1e-15)
            assert -3e-5 < change.work < 0.0
        else:
            (row, _) = np.flatnonzero(run.t == change.t)  # as it was before, and after
            assert abs(run.forces[STUCK][row, 0]) == pytest.approx(MOST, rel=1e-9)
            assert np.abs(change.u - change.u_before).max() < 1e-14
    held = run.forces[STUCK][:, 0] != 0.0
    assert np.abs(run.forces[STUCK]).max() < MOST * (1.0 + 1e-9)
    assert np.abs(turning[held]).max() < 1e-14
    assert run.checks.energy is not None and run.checks.energy < 1e-10
    assert max(run.checks.drift.values()) < 1e-14


def test_the_same_by_scipy() -> None:
    """Each mode's equations put together beforehand, stepped by SciPy from event to event, with impulses by hand."""
    system = jd.gallery.shopping_cart(sticking=True)
    free = jd.compile(system)
    stuck = free.in_mode({STUCK})

    def inputs(t: float) -> dict[str, float]:
        return {"F": 2 * np.cos(0.7 * t), "tau": 3 * np.sin(1.5 * t)}

    y = np.concatenate([START, free.complete(START, [1.0, 0.0], ["u1", "u2"])])
    t, times = 0.0, []
    d = free
    for _ in range(5):

        def rates(t: float, y: Array, d: jd.Compiled = d) -> Array:
            return np.concatenate([d.rates(y[:4], y[4:]), d.forward_dynamics(y[:4], y[4:], inputs=inputs(t))])

        def sticks(t: float, y: Array) -> float:
            return abs(float(y[6] - y[5])) - CREEP

        def gives_way(t: float, y: Array) -> float:
            return abs(float(stuck.constraint_forces(y[:4], y[4:], inputs=inputs(t))[STUCK][0])) - MOST

        guard = sticks if d is free else gives_way
        guard.terminal, guard.direction = True, -1.0 if d is free else 1.0  # type: ignore[attr-defined]
        found = solve_ivp(rates, (t, 20.0), y, method="DOP853", rtol=1e-12, atol=1e-13, events=guard)
        t, y = float(found.t[-1]), found.y[:, -1]
        times.append(t)
        if d is free:  # M Δu = Aᵀ p, A (u + Δu) = 0
            mass = free.mass_matrix(y[:4])
            s, c, p = np.sin(y[3]), np.cos(y[3]), system.parameters
            rows = np.array([[-s, p["L2"] * c, -p["L3"]], [0.0, -1.0, 1.0]])
            whole = np.block([[mass, -rows.T], [rows, np.zeros((2, 2))]])
            y[4:] += np.linalg.solve(whole, [0.0, 0.0, 0.0, *-rows @ y[4:]])[:3]
            d = stuck
            if gives_way(t, y) < 0.0:
                continue
            times.append(t)  # it carries too much at once
        d = free
    run = stick_and_slip(times[-1] + 0.1)
    assert [x.t for x in run.changes] == pytest.approx(times, abs=1e-8)
    assert run.changes[-1].q == pytest.approx(y[:4], abs=1e-8)


# -- the singular configuration L₃ = L₂ cos q₄ ------------------------------------------------------------------------


def steered() -> System:
    """The cart whose caster a motor turns at 0.4 rad/s."""
    m = jd.Model.of(jd.gallery.shopping_cart())
    m.switch("steered", m["swivel"].speed - 0.4, start=True)
    return m.system()


def along(m: jd.Model) -> dict[str, Node]:
    """Speeds that never fail: w along what (64) leaves free, wherever the caster points, and the caster's own."""
    basket, caster, swivel = m["B"], m["C"], m["swivel"]
    ahead = m["L2"] * jd.cos(swivel.coordinate) - m["L3"]
    u1, u2 = basket.origin.velocity @ basket.x, basket.omega @ basket.z
    return {"w": ahead * u1 + jd.sin(swivel.coordinate) * u2, "v": (caster.omega - basket.omega) @ basket.z}


def test_a_steered_caster_passes_the_singular_configuration() -> None:
    """At q₄ = 0 only u1 can be independent, at L₃ = L₂ cos q₄ u1 is the one that cannot: others are chosen meanwhile,
    and the motion is the one in speeds that need no choice."""
    system, q0 = steered(), [0.0, 0.0, 0.0, 0.0]
    d = jd.compile(system).in_mode({"steered"})
    singular = np.arccos(system.parameters["L3"] / system.parameters["L2"])
    assert d.independent(q0) == ("u1",)
    assert d.independent([0.0, 0.0, 0.0, singular]) != ("u1",)
    times = np.linspace(0.0, 5.0, 51)
    start = d.complete(q0, [1.0], ["u1"])
    law = jd.DormandPrince853(rtol=1e-12, atol=1e-13, longest_step=0.02)  # longer ones may step over the place
    run = jd.simulate(system, q0, start, times, {"tau": 0.3}, law)
    lead = system.parameters["L2"] - system.parameters["L3"]
    other = jd.simulate(jd.with_speeds(system, along), q0, [lead * start[0], 0.4], times, {"tau": 0.3}, law)
    assert isinstance(run, ModalRun) and isinstance(other, ModalRun)
    assert run.q[0, 3] < singular < run.q[-1, 3]
    assert (run.u[:, 0] > 0.0).any() and (run.u[:, 0] < 0.0).any()  # it has to stop where u1 must vanish, and reverses
    assert np.abs(run.q - other.q).max() < 1e-10
    assert np.abs(run.forces["steered"] - other.forces["steered"]).max() < 1e-9
    assert run.going.session["choices"] > other.going.session["choices"]  # type: ignore[union-attr]


def test_stuck_in_the_singular_configuration_the_cart_turns_on_the_spot() -> None:
    """P1 stands still, and the whole turns about it as one body: u̇2 = τ/J; (65) would divide by zero."""
    m = jd.Model.of(jd.gallery.shopping_cart())
    p = m.system().parameters
    singular = float(np.arccos(p["L3"] / p["L2"]))
    m.when(STUCK, on=m["swivel"].coordinate - singular)
    d = jd.compile(m.system())
    start = [0.0, 0.0, 0.0, singular - 0.3]
    run = jd.simulate(d, start, d.complete(start, [-0.2, 1.0], ["u1", "u2"]), 6.0, {"tau": 0.7})
    assert isinstance(run, ModalRun)
    (change,) = run.changes
    assert change.imposed == (STUCK,) and change.q[3] == pytest.approx(singular, abs=1e-12)
    assert abs(change.u[0]) < 1e-14 < abs(change.u_before[0])
    arm = p["L2"] ** 2 + p["L3"] ** 2 - 2.0 * p["L2"] * p["L3"] * np.cos(singular)
    whole = p["I_B"] + p["m_B"] * p["L1"] ** 2 + p["m_C"] * arm
    after = run.t > change.t
    t = run.t[after] - change.t
    assert after.sum() > 3
    assert np.abs(run.u[after, 1] - change.u[1] - 0.7 / whole * t).max() < 1e-9
    angle = change.q[2] + change.u[1] * t + 0.35 / whole * t * t
    assert np.abs(run.q[after, 2] - angle).max() < 1e-9
    assert np.abs(run.q[after, :2] - change.q[:2]).max() < 1e-13
