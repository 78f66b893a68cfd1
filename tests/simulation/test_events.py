"""Events at times that are known: a spring swings through, a ball lands, two things happen at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.methods import METHODS

from .mechanisms import LENGTH, ball, bob, oscillator, stone

TIGHT = jd.DormandPrince853(rtol=1e-13, atol=1e-13)
ZEROS = np.pi / 4 + np.pi / 2 * np.arange(7)  # of cos 2t up to 10 s
NEAR = 1e-10


@pytest.mark.parametrize("kind", [jd.DormandPrince54, jd.DormandPrince853])
def test_a_springs_zeros(kind: Any) -> None:
    run = jd.simulate(oscillator(), [1.0], [0.0], 10.0, method=kind(1e-12, 1e-12), events={"through": "x"})
    times = np.array([x.t for x in run.events])
    assert np.abs(times - ZEROS[ZEROS < 10.0]).max() < NEAR
    assert [x.direction for x in run.events] == [-1, 1, -1, 1, -1, 1]
    assert all(x.name == "through" and abs(x.q[0]) < 1e-14 and abs(abs(x.u[0]) - 2.0) < 1e-9 for x in run.events)


@pytest.mark.parametrize("kind", METHODS, ids=lambda x: x.__name__)
def test_every_method_lands_on_its_own_trajectory(kind: Any) -> None:
    """The state at an event is as the method gives it, with the guard at zero; it repeats to the bit."""
    runs = [jd.simulate(oscillator(), [1.0], [0.0], 5.0, method=kind(), events={"through": "x"}) for _ in range(2)]
    assert len(runs[0].events) == 3
    rounding = 1e-9 if kind is jd.Radau else 1e-14
    assert all(abs(x.q[0]) < rounding for x in runs[0].events)
    assert [x.t for x in runs[0].events] == [x.t for x in runs[1].events]
    slack = {1: 1e-2, 2: 1e-5}.get(kind.order, 1e-6)
    assert np.abs([x.t for x in runs[0].events] - ZEROS[:3]).max() < slack


def test_an_event_changes_no_later_sample_beyond_the_tolerance() -> None:
    times = np.linspace(0.0, 10.0, 101)
    for events in (None, {"a": "x", "b": "xdot"}):
        run = jd.simulate(oscillator(), [1.0], [0.0], times, method=TIGHT, events=events)
        assert np.array_equal(run.t, times)
        assert np.abs(run.q[:, 0] - np.cos(2.0 * times)).max() < 1e-11


def test_directions() -> None:
    events = {"up": jd.Event("x", direction=1), "down": jd.Event("x", direction=-1)}
    run = jd.simulate(oscillator(), [1.0], [0.0], 10.0, events=events)
    assert [x.name for x in run.events] == ["down", "up"] * 3


@pytest.mark.parametrize("method", [None, jd.RK4(0.01), jd.Radau(1e-10, 1e-10)])
def test_a_ball_lands_and_the_run_stops(method: Any) -> None:
    run = jd.simulate(ball(), [1.0], [0.5], 10.0, method=method, events={"floor": jd.Event("z", stop=True)})
    landing = (0.5 + np.sqrt(0.25 + 2 * 9.81)) / 9.81
    assert run.status is jd.Status.STOPPED and run.is_complete
    assert abs(run.events[-1].t - landing) < NEAR
    assert run.t[-1] == run.events[-1].t and abs(run.q[-1, 0]) < NEAR
    assert run.u[-1, 0] == pytest.approx(0.5 - 9.81 * landing, abs=1e-9)
    assert (np.diff(run.t) > 0.0).all()


def test_samples_end_at_the_event_that_stops() -> None:
    times = np.linspace(0.0, 2.0, 21)
    for method in (jd.DormandPrince853(), jd.RK4(0.01), jd.Radau()):
        run = jd.simulate(ball(), [1.0], [0.0], times, method=method, events={"floor": jd.Event("z", stop=True)})
        assert np.array_equal(run.t[:-1], times[times < run.events[-1].t])
        assert run.t[-1] == run.events[-1].t


def test_two_events_at_one_time_are_two_rows() -> None:
    run = jd.simulate(oscillator(), [1.0], [0.0], 3.0, method=TIGHT, events={"a": "x", "b": "2*x", "c": "x - 0.5"})
    assert [x.name for x in run.events] == ["c", "a", "b", "a", "b", "c"]
    times = [x.t for x in run.events]
    assert times[1] == pytest.approx(times[2], abs=1e-12) and times[3] == pytest.approx(times[4], abs=1e-12)
    wanted = [np.pi / 6, np.pi / 4, np.pi / 4, 3 * np.pi / 4, 3 * np.pi / 4, np.pi - np.pi / 6]
    assert times == pytest.approx(wanted, abs=NEAR)


def test_a_guard_that_begins_at_zero_is_no_event() -> None:
    run = jd.simulate(oscillator(), [0.0], [1.0], 2.0, method=TIGHT, events={"through": "x"})
    assert [x.t for x in run.events] == pytest.approx([np.pi / 2], abs=NEAR)


def test_events_between_two_others_inside_a_step() -> None:
    """A motion so smooth that steps are long: what crosses and comes back between looks is seen."""
    run = jd.simulate(ball(), [0.0], [9.81 / 2], 1.0, events={"top": "z - 9.81/8 + 0.01"})
    half = np.sqrt(2 * 0.01 / 9.81)
    assert run.counts["steps"] < 20
    assert [x.t for x in run.events] == pytest.approx([0.5 - half, 0.5 + half], abs=NEAR)


def test_guards_of_time_outputs_and_nodes() -> None:
    m = jd.Model("drop")
    body = m.body("drop", mass=1.0, inertia=jd.point_mass)
    joint = m.prismatic("z", m.ground, body, axis="z")
    m.output("height", body.origin.position @ m.ground.z)
    system = m.system()
    events: dict[str, Any] = {"clock": jd.Event("t - 0.25"), "height": "height - 0.5", "node": joint.coordinate - 0.25}
    run = jd.simulate(system, [1.0], [0.0], 0.5, method=TIGHT, events=events)
    wanted = {"clock": 0.25, "height": np.sqrt(1.0 / 9.81), "node": np.sqrt(1.5 / 9.81)}
    assert {x.name: x.t for x in run.events} == pytest.approx(wanted, abs=NEAR)


def test_an_event_under_constraints_has_its_state_on_them() -> None:
    start = [LENGTH * np.sin(1.0), -LENGTH * np.cos(1.0)]
    run = jd.simulate(bob(), start, [0.0, 0.0], 5.0, method=TIGHT, events={"through": "x"})
    assert len(run.events) == 4
    speed = np.sqrt(2 * 9.81 * LENGTH * (1 - np.cos(1.0)))
    for x in run.events:
        assert abs(np.hypot(*x.q) - LENGTH) < 1e-14
        assert abs(x.q @ x.u) < 1e-13
        assert abs(abs(x.u[0]) - speed) < 1e-10


def test_many_events_do_not_overflow_their_table() -> None:
    run = jd.simulate(oscillator(), [1.0], [0.0], 400.0, events={"through": "x", "turns": "xdot"})
    assert len(run.events) == 509
    assert (np.diff([x.t for x in run.events]) > 0.0).all()


def test_what_an_event_may_not_be() -> None:
    with pytest.raises(ValueError, match="direction is 2"):
        jd.Event("x", direction=2)
    with pytest.raises(TypeError, match="events are given by name"):
        jd.simulate(oscillator(), [1.0], [0.0], 1.0, events=["x"])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"event 'through', '2\*y':.*'y'"):
        jd.simulate(oscillator(), [1.0], [0.0], 1.0, events={"through": "2*y"})
    other = jd.Model("other")
    speed = other.free("free", other.ground, other.body("b", mass=1.0, inertia=jd.principal(1, 1, 1))).speeds[0]
    with pytest.raises(ValueError, match=r"event 'through' depends on free\.wx, which is no coordinate"):
        jd.simulate(stone(), [0, 0, 0, 0, 0, 0, 1], np.zeros(6), 1.0, events={"through": speed})
