"""Runs that cannot go on end with a reason, the time, the names of what is wrong, and what was computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.system import System

METHODS = [None, jd.RK4(1e-2), jd.Radau()]
each_method = pytest.mark.parametrize("method", METHODS, ids=["adaptive", "fixed", "SciPy"])


def bead(*rows: Callable[..., Any]) -> System:
    """A bead on a plane; rows a, b, … of its two slides and the time."""
    m = jd.Model("bead", gravity=(0, 0, 0))
    body, rail = m.body("bead", mass=1.0, inertia=jd.point_mass), m.link("rail")
    x, y = m.prismatic("x", m.ground, rail, axis="x"), m.prismatic("y", rail, body, axis="y")
    for name, row in zip("abc", rows):
        m.keep(name, row(x, y, m.time))
    return m.system()


@each_method
def test_constraints_that_contradict_each_other_from_the_start_are_refused(method: Any) -> None:
    places = bead(lambda x, y, t: x.coordinate, lambda x, y, t: x.coordinate - 1.0)
    speeds = bead(lambda x, y, t: x.speed, lambda x, y, t: x.speed - 0.005)
    for system, miss in ((places, "1"), (speeds, "0.005")):
        with pytest.raises(jd.StateError, match=rf"'b' misses by {miss}; "):
            jd.simulate(system, [0, 0], [0, 1], 1.0, method=method)


@each_method
@pytest.mark.parametrize(
    "rows",
    [
        (lambda x, y, t: x.speed, lambda x, y, t: x.speed - t),
        (lambda x, y, t: x.coordinate, lambda x, y, t: x.coordinate - 0.1 * t * t),
        (lambda x, y, t: x.coordinate, lambda x, y, t: x.coordinate + 0.1 * y.coordinate - 0.1 * t,
         lambda x, y, t: y.coordinate - t + t**3),
    ],
    ids=["speeds", "places", "three rows"],
)  # fmt: skip
def test_constraints_that_come_to_contradict_each_other_end_the_run(rows: Any, method: Any) -> None:
    run = jd.simulate(bead(*rows), [0, 0], [0, 1], 1.0, method=method)
    assert run.status is jd.Status.CONSTRAINTS_LOST
    assert run.t[-1] < 0.2
    assert "they contradict each other here" in run.reason and "' misses by" in run.reason
    named = "'a', 'b' and 'c'" if len(rows) == 3 else "'a' and 'b'"
    assert f"rows of {named} depend on each other" in run.reason
    assert len(run.t) == len(run.q) and np.isfinite(run.q).all()


@each_method
def test_rows_that_repeat_others_stand(method: Any) -> None:
    rows = (lambda x, y, t: x.coordinate, lambda x, y, t: y.speed - 1.0, lambda x, y, t: x.speed + 2.0 * y.speed - 2.0)
    run = jd.simulate(bead(*rows), [0, 0], [0, 1], 1.0, method=method)
    assert run.is_complete and run.reason == "the end of the time was reached"
    assert run.q[-1] == pytest.approx([0.0, 1.0], abs=1e-9)


def test_a_motion_that_jumps_ends_where_it_does() -> None:
    """A line that leaves a circle: the bead has nowhere to go after half a second."""
    system = bead(lambda x, y, t: x.coordinate**2 + y.coordinate**2 - 1.0, lambda x, y, t: x.coordinate - 0.5 - t)
    start = [0.5, np.sqrt(0.75)], [1.0, -0.5 / np.sqrt(0.75)]
    run = jd.simulate(system, *start, 1.0)
    assert run.status is jd.Status.STEP_TOO_SMALL and abs(run.t[-1] - 0.5) < 1e-9
    assert run.reason.startswith("at 0.5") and "steps shrank to nothing" in run.reason
    assert "the fastest speed is y = " in run.reason
    fixed = jd.simulate(system, *start, 1.0, method=jd.RK4(1e-2))
    assert fixed.status is jd.Status.CONSTRAINTS_LOST and abs(fixed.t[-1] - 0.49) < 1e-12
    assert "'a' misses by" in fixed.reason and "50 rows until 0.49 s" in fixed.reason


def test_what_is_not_finite_is_named() -> None:
    """x¨ = 6 x², which is infinite after a second."""
    m = jd.Model("runaway", gravity=(0, 0, 0))
    body = m.body("body", mass=1.0, inertia=jd.point_mass)
    slide = m.prismatic("x", m.ground, body, axis="x")
    m.joint_force("x", 6.0 * slide.coordinate**2)
    run = jd.simulate(m.system(), [1.0], [2.0], 2.0, method=jd.RK4(1e-2))
    assert run.status is jd.Status.NOT_FINITE and 0.9 < run.t[-1] < 1.3
    assert "a state is not finite" in run.reason and "x and the speed x are not finite" in run.reason
    assert np.isfinite(run.q).all() and np.isfinite(run.u).all()
    tight = jd.simulate(m.system(), [1.0], [2.0], 2.0)
    assert not tight.is_complete and abs(tight.t[-1] - 1.0) < 1e-3
    assert "the fastest speed is x" in tight.reason or "not finite" in tight.reason


@pytest.mark.parametrize("push", ["sqrt(1 - t)", "sqrt(0.31 - x)"])
def test_a_force_that_ceases_to_be_a_number_ends_the_run_with_a_reason(push: str) -> None:
    m = jd.Model("cart", gravity=(0, 0, 0))
    force = m.input("push")
    body = m.particle("body", 1.0)
    m.prismatic("x", m.ground, body, axis="x")
    m.force(force * m.ground.x, at=body.origin)
    run = jd.simulate(m.system(), [0.0], [0.3], 5.0, {"push": push})
    assert run.status is jd.Status.STEP_TOO_SMALL
    assert "steps shrank to nothing" in run.reason
    assert np.isfinite(run.q).all()
