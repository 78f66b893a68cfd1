"""The door with a catch: a damped swing between stop and catch, whose times and moments are known in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import jourdain as jd
from jourdain.simulation.modes.modal_run import ModalRun

LATCH = jd.gallery.latch()
P = LATCH.parameters
PULL = ([0.0, 6.0, 7.0, 7.01, 20.0], [0.0, 0.0, 30.0, 0.0, 0.0])  # N, rising for a second, then let go


def swing(angle: float, speed: float, t: float) -> tuple[float, float]:
    """J q̈ + c q̇ + k (q + ahead) = 0"""
    decay, rate = P["c"] / (2 * P["J"]), np.sqrt(P["k"] / P["J"] - (P["c"] / (2 * P["J"])) ** 2)
    a = angle + P["ahead"]
    b = (speed + decay * a) / rate
    c, s, e = np.cos(rate * t), np.sin(rate * t), np.exp(-decay * t)
    return e * (a * c + b * s) - P["ahead"], e * ((b * rate - decay * a) * c - (a * rate + decay * b) * s)


def root(angle: float, speed: float, guard: object, first: float, last: float) -> float:
    return float(brentq(lambda t: guard(*swing(angle, speed, t)), first, last, xtol=1e-15))  # type: ignore[operator]


def test_it_slams_bounces_and_is_caught() -> None:
    """It is caught where it comes back from the stop more slowly than the catch can grip: an impact makes it so."""
    run = jd.simulate(LATCH, [1.0], [0.0], 5.0)
    assert isinstance(run, ModalRun)
    first, second, caught = run.changes
    t1 = root(1.0, 0.0, lambda q, u: q, 0.5, 2.0)
    v1 = swing(1.0, 0.0, t1)[1]
    assert first.t == pytest.approx(t1, abs=1e-10)
    assert first.u_before[0] == pytest.approx(v1, abs=1e-10)
    assert first.u[0] == pytest.approx(-P["e"] * v1, abs=1e-10)
    assert first.work == pytest.approx(-0.5 * P["J"] * (1.0 - P["e"] ** 2) * v1**2, rel=1e-9)
    t2 = root(0.0, -P["e"] * v1, lambda q, u: q, 0.5, 3.0)
    v2 = swing(0.0, -P["e"] * v1, t2)[1]
    assert -P["e"] * v2 < P["grip"] < -P["e"] * v1
    assert second.t == caught.t == pytest.approx(t1 + t2, abs=1e-9)
    assert second.u[0] == pytest.approx(-P["e"] * v2, abs=1e-9)
    assert caught.imposed == ("catch",)
    assert caught.work == pytest.approx(-0.5 * P["J"] * (P["e"] * v2) ** 2, rel=1e-7)
    assert abs(run.q[-1, 0]) < 1e-12 and run.u[-1, 0] == 0.0
    head, *lines = run.changes_table.splitlines()
    assert head.split() == ["t", "[s]", "change", "imposed", "deleted", "lost", "[J]"]
    assert [line.split()[0] for line in lines[-3:]] == [f"{x.t:.9g}" for x in run.changes]
    assert "catch" in lines[-1] and f"{-caught.work:.4g}" in lines[-1]
    assert run.checks.energy is not None and run.checks.energy < 1e-9


def test_it_gives_way_to_a_pull_and_is_caught_again() -> None:
    run = jd.simulate(LATCH, [1.0], [0.0], 20.0, {"F": PULL}, jd.DormandPrince853(longest_step=0.1))
    assert isinstance(run, ModalRun)
    (opened,) = (x for x in run.changes if x.deleted)
    needed = P["hold"] + P["k"] * (opened.q[0] + P["ahead"])  # the spring helps the catch
    assert opened.t == pytest.approx(6.0 + needed / P["width"] / 30.0, abs=1e-10)
    assert [x.mode for x in run.modes] == [(), ("catch",), (), ("catch",)]
    assert run.q[run.t > 6.0, 0].max() > 0.2
    assert run.checks.energy is not None and run.checks.energy < 1e-8


def test_a_door_that_comes_slowly_is_caught_before_it_touches() -> None:
    run = jd.simulate(LATCH, [0.012], [-0.01], 1.0)
    assert isinstance(run, ModalRun)
    (caught,) = run.changes
    t = root(0.012, -0.01, lambda q, u: 1.0 - q / P["depth"] - abs(u) / P["grip"], 0.0, 0.15)
    assert caught.imposed == ("catch",)
    assert caught.t == pytest.approx(t, abs=1e-10)
    assert caught.q[0] == pytest.approx(swing(0.012, -0.01, t)[0], abs=1e-10)
