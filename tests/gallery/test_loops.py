"""The four-bar and the slider-crank beside equations that are written by hand, in absolute angles with multipliers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

import jourdain as jd
from jourdain.driver import Compiled
from jourdain.driver.library import derive_readout
from jourdain.graph import count
from jourdain.native import Cache

Array = NDArray[np.float64]
SYSTEMS = {"four_bar": jd.gallery.four_bar(), "slider_crank": jd.gallery.slider_crank()}
COMPILED = {name: jd.compile(system, cache=Cache(None)) for name, system in SYSTEMS.items()}
GUESS = {"four_bar": [1.0, -0.5, 1.5], "slider_crank": [1.0, -1.2, 0.17]}
CLOSING = {"four_bar": "pin", "slider_crank": "gudgeon pin"}
both = pytest.mark.parametrize("name", SYSTEMS)


@dataclass(frozen=True)
class ByHand:
    """Rates of (θ1, θ2, last), the force of the loop's pin on the second body, and that of the first on the second."""

    rates: Array
    pin: Array
    inner: Array


def by_hand(name: str, x: Array, v: Array, tau: float, gas: float = 0.0) -> ByHand:
    """x, v: absolute angles of the first two bodies and the last coordinate, and their rates."""
    p = SYSTEMS[name].parameters
    (a, b), l1, l2, g = x[:2], p["l1"], p["l2"], p["g"]
    c2 = l2 / 2 if name == "four_bar" else p["c2"]
    mass = np.zeros((3, 3))
    mass[0, 0] = p["I1"] + (p["m1"] * l1**2 / 4 if name == "four_bar" else 0.0) + p["m2"] * l1**2
    mass[1, 1] = p["I2"] + p["m2"] * c2**2
    mass[0, 1] = mass[1, 0] = p["m2"] * l1 * c2 * np.cos(a - b)
    turning = p["m2"] * l1 * c2 * np.sin(a - b) * np.array([v[1] ** 2, -(v[0] ** 2), 0.0])
    force = np.array([tau - p["m2"] * g * l1 * np.cos(a), -p["m2"] * g * c2 * np.cos(b), gas])
    # l1 e(θ1) + l2 e(θ2) is where the last body's end is.
    ends = l1 * np.array([-np.sin(a), np.cos(a)]), l2 * np.array([-np.sin(b), np.cos(b)])
    last, bent = np.array([-1.0, 0.0]), np.zeros(2)
    mass[2, 2] = p["m3"]
    if name == "four_bar":
        l3, c = p["l3"], x[2]
        mass[2, 2] = p["I3"] + p["m3"] * l3**2 / 4
        force[0] -= p["m1"] * g * l1 / 2 * np.cos(a)
        force[2] -= p["m3"] * g * l3 / 2 * np.cos(c)
        last, bent = -l3 * np.array([-np.sin(c), np.cos(c)]), l3 * np.array([np.cos(c), np.sin(c)]) * v[2] ** 2
    rows = np.column_stack([*ends, last])
    along = np.array([np.cos(a), np.sin(a)]), np.array([np.cos(b), np.sin(b)])
    quick = bent - l1 * along[0] * v[0] ** 2 - l2 * along[1] * v[1] ** 2
    whole = np.block([[mass, -rows.T], [rows, np.zeros((2, 2))]])
    found = np.linalg.solve(whole, np.concatenate([force - turning, -quick]))
    rates, pin = found[:3], found[3:]
    center = rates[0] * ends[0] - v[0] ** 2 * l1 * along[0] + c2 / l2 * rates[1] * ends[1] - v[1] ** 2 * c2 * along[1]
    return ByHand(rates, pin, p["m2"] * (center + np.array([0.0, g])) - pin)


def absolute(u: Array) -> Array:
    """The second angle is relative to the first."""
    return np.array([u[0], u[0] + u[1], u[2]])


def states(name: str) -> list[tuple[Array, Array]]:
    d, rng = COMPILED[name], np.random.default_rng(8)
    q = d.assemble(GUESS[name])
    found = []
    for _ in range(6):
        q = d.assemble(q + d.complete(q, [0.4], ["q1"]))
        found.append((q, d.complete(q, rng.normal(size=1) * 3.0, ["q1"])))
    return found


@both
def test_accelerations_and_forces_are_those_by_hand(name: str) -> None:
    d, rng = COMPILED[name], np.random.default_rng(2)
    for q, u in states(name):
        tau, gas = rng.normal(size=2) * [1.0, name == "slider_crank"]
        inputs = {"tau": tau} if name == "four_bar" else {"tau": tau, "F": gas}
        wanted = by_hand(name, absolute(q), absolute(u), tau, gas)
        found = absolute(d.forward_dynamics(q, u, inputs=inputs))
        assert np.abs(found - wanted.rates).max() < 1e-10 * max(1.0, float(np.abs(wanted.rates).max()))
        size = 1e-10 * max(1.0, float(np.abs(wanted.pin).max()), float(np.abs(wanted.inner).max()))
        inner = d.reactions("q2", q, u, axes="ground", inputs=inputs)
        assert np.abs(inner[3:5] - wanted.inner).max() < size
        last = d.reactions("q3", q, u, axes="ground", inputs=inputs)
        p = SYSTEMS[name].parameters
        if name == "slider_crank":  # the side thrust carries the pin's force and the piston's weight
            assert abs(last[4] - (wanted.pin[1] + p["m3"] * p["g"])) < size
        else:
            c, rate, turn = q[2], u[2], found[2]
            e, n = np.array([np.cos(c), np.sin(c)]), np.array([-np.sin(c), np.cos(c)])
            carried = p["m3"] * (p["l3"] / 2 * (turn * n - rate**2 * e) + np.array([0.0, p["g"]]))
            assert np.abs(last[3:5] - (carried + wanted.pin)).max() < size
        assert np.abs(inner[2]) < size  # nothing turns about an axis that is free


@both
def test_it_assembles_all_the_way_round(name: str) -> None:
    d = COMPILED[name]
    q = d.assemble(GUESS[name])
    start = q[0]
    for _ in range(40):
        q = d.assemble(q + d.complete(q, [np.pi / 20], ["q1"]))
        assert all(np.abs(x).max() < 1e-11 for x in d.residual(q, np.zeros(3)).values())
    assert q[0] - start > 6.0


@both
def test_a_plane_loop_in_space_is_over_constrained(name: str) -> None:
    """Three of the five rows of the closing joint say nothing new, and its multipliers are said to be not unique."""
    found = COMPILED[name].redundancy
    assert (found.rank, len(found.kept), found.assembled) == (2, 2, True)
    assert found.repeated == found.not_unique == (CLOSING[name],)
    q, _ = states(name)[0]
    assert len(COMPILED[name].independent(q)) == 1


@both
def test_energy_stays(name: str) -> None:
    """A second of motion without forces, by classical Runge and Kutta."""
    d = COMPILED[name]
    q, u = states(name)[0]

    def rates(y: Array) -> Array:
        return np.concatenate([d.rates(y[:3], y[3:]), d.forward_dynamics(y[:3], y[3:])])

    y, h = np.concatenate([q, u]), 2.5e-4
    before = float(d.energy(q, u).total)
    for _ in range(4000):
        k1 = rates(y)
        k2 = rates(y + h / 2 * k1)
        k3 = rates(y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + rates(y + h * k3))
    assert abs(float(d.energy(y[:3], y[3:]).total) - before) < 1e-8
    assert np.abs(y[0] - q[0]) > 0.3
    closing = d.residual(y[:3], y[3:])[CLOSING[name]]
    assert np.abs(closing).max() < 1e-8


def test_where_the_couplers_end_is() -> None:
    d, (q, u) = COMPILED["four_bar"], states("four_bar")[1]
    found, p = d.outputs(q, u), SYSTEMS["four_bar"].parameters
    assert abs(found["tip x"] - (p["l4"] + p["l3"] * np.cos(q[2]))) < 1e-11
    assert abs(found["tip y"] - p["l3"] * np.sin(q[2])) < 1e-11


def operations(d: Compiled) -> tuple[int, int, int]:
    """Multiplications, additions and divisions of one evaluation of the constrained forward dynamics."""
    program = derive_readout(d.system, ("forward_dynamics", d.imposed))[0].program
    found = count([x for block in program.outputs for x in block.nodes])
    return found.mul, found.add, found.div


def test_operations() -> None:
    assert operations(COMPILED["four_bar"]) == (109, 62, 3)
    assert operations(COMPILED["slider_crank"]) == (93, 56, 3)
