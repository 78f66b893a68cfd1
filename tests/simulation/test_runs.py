"""Runs: rows, files, pictures, interruptions, progress; and what is refused before anything runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.native import Cache
from jourdain.simulation.compiled_run import FIRST, ROWS, CompiledRun
from jourdain.simulation.methods import METHODS

from .mechanisms import ball, crane, oscillator

KINDS: list[Any] = list(METHODS)


def test_rows_are_steps_where_only_the_end_is_given() -> None:
    for method in KINDS:
        run = jd.simulate(oscillator(), [1.0], [0.0], 1.0, method=method())
        assert run.t[0] == 0.0 and run.t[-1] == 1.0
        assert len(run.t) == run.counts["steps"] + 1
        assert (np.diff(run.t) > 0.0).all()
        assert run.q.shape == run.u.shape == (len(run.t), 1)
        assert run.method.name == method.__name__ in repr(run)
        assert run.status is jd.Status.DONE


def test_times_may_begin_anywhere_and_lie_anywhere() -> None:
    times = np.array([2.0, 2.001, 2.5, 2.50001, 7.0])
    for method in KINDS:
        run = jd.simulate(oscillator(), [1.0], [0.0], times, {"push": "t - t"}, method())
        assert np.array_equal(run.t, times)
        slack = {1: 1e-2, 2: 1e-5}.get(method.order, 1e-6)
        assert run.q[:, 0] == pytest.approx(np.cos(2.0 * (times - 2.0)), abs=slack)


def test_more_rows_than_the_loop_holds() -> None:
    fine = jd.DormandPrince54(longest_step=1e-3)
    run = jd.simulate(oscillator(), [1.0], [0.0], 2.0 * ROWS * 1e-3, method=fine)
    assert len(run.t) > 2 * ROWS
    assert np.diff(run.t).max() <= 1.0000001e-3 and (np.diff(run.t) > 0.0).all()
    assert run.q[:, 0] == pytest.approx(np.cos(2.0 * run.t), abs=1e-9)


def test_the_first_step_may_be_given() -> None:
    run = jd.simulate(oscillator(), [1.0], [0.0], 1.0, method=jd.DormandPrince853(first_step=1e-4))
    assert run.t[1] == 1e-4


def test_a_stiff_motion_gets_a_stiff_method() -> None:
    stiff = jd.compile(oscillator()).with_parameters({"k": 1e8, "c": 1e6})
    run = jd.simulate(stiff, [1.0], [0.0], [0.0, 0.01, 10.0])
    assert run.method.name == "Radau" and run.is_complete
    assert run.q[1, 0] == pytest.approx(np.exp(-100.0 * 0.01), rel=1e-3)
    loose = jd.compile(oscillator()).with_parameters({"k": 4.0, "c": 1.0})
    assert jd.simulate(loose, [1.0], [0.0], 1.0).method.name == "DormandPrince853"


def test_a_system_without_freedom_does_not_move() -> None:
    m = jd.Model("stone")
    m.weld("fixed", m.ground, m.body("body", mass=1.0, inertia=jd.principal(1.0, 1.0, 1.0)))
    with pytest.raises(ValueError, match="system 'stone' has no freedom: nothing moves"):
        jd.simulate(m.system(), [], [], 1.0)


# -- interruptions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [jd.DormandPrince853, jd.RK4, jd.Radau])
def test_ctrl_c_keeps_what_was_computed(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[float] = []

    def progress(share: float) -> None:
        told.append(share)
        if len(told) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("jourdain.simulation.compiled_run.FIRST", 10)
    monkeypatch.setattr("jourdain.simulation.compiled_run.PATIENCE", 0.0)
    whole = jd.simulate(oscillator(), [1.0], [0.0], 10.0, method=kind())
    run = jd.simulate(oscillator(), [1.0], [0.0], 10.0, method=kind(), progress=progress)
    assert run.status is jd.Status.INTERRUPTED and not run.is_complete
    assert 0.0 < told[0] < told[1] < told[2] < 1.0
    assert 3 <= len(run.t) < len(whole.t)
    assert np.array_equal(run.q, whole.q[: len(run.t)]) and np.array_equal(run.t, whole.t[: len(run.t)])
    if kind is jd.Radau:
        with pytest.raises(ValueError, match="this run cannot be resumed: SciPy stepped it"):
            run.resume()
        return
    again = run.resume()
    assert again.is_complete
    assert again.t.tobytes() == whole.t.tobytes() and again.q.tobytes() == whole.q.tobytes()
    with pytest.raises(ValueError, match="this run cannot be resumed: the end of the time was reached"):
        again.resume()


def test_samples_and_events_go_on_where_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("jourdain.simulation.compiled_run.FIRST", 20)
    times = np.linspace(0.0, 30.0, 301)
    whole, run = (
        jd.simulate(oscillator(), [1.0], [0.0], times, events={"through": "x"}, progress=x) for x in (None, stop)
    )
    assert run.status is jd.Status.INTERRUPTED and 0.0 < run.t[-1] < 30.0
    again = run.resume()
    assert np.array_equal(again.t, times) and again.q.tobytes() == whole.q.tobytes()
    assert [x.t for x in again.events] == [x.t for x in whole.events]


def test_stopping_and_going_on_changes_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many steps are made at once."""
    whole = jd.simulate(oscillator(), [1.0], [0.0], 50.0, events={"through": "x"})
    monkeypatch.setattr("jourdain.simulation.compiled_run.FIRST", 1)
    monkeypatch.setattr("jourdain.simulation.compiled_run.PATIENCE", 0.0)
    parts = jd.simulate(oscillator(), [1.0], [0.0], 50.0, events={"through": "x"})
    assert FIRST > 1
    assert whole.q.tobytes() == parts.q.tobytes()
    assert [x.t for x in whole.events] == [x.t for x in parts.events]


def test_progress_reaches_the_end() -> None:
    told: list[float] = []
    jd.simulate(oscillator(), [1.0], [0.0], [0.0, 20.0], method=jd.RK4(1e-4), progress=told.append)
    assert told[-1] == 1.0 and len(told) > 1


def test_code_is_made_once_and_then_read(tmp_path: Path) -> None:
    found = []
    for _ in range(2):
        d = jd.compile(oscillator(), cache=Cache(tmp_path))
        ode = jd.ode(d)
        run = CompiledRun(ode, jd.RK4(), {}, np.array([1.0, 0.0]), 0.0, np.array([1.0]), 1.0)
        found.append(run.routine)
    assert found[0] is found[1]  # in one process
    from jourdain.native import Routine

    assert Routine(found[0].procedure, Cache(tmp_path)).cached  # in the next


# -- out --------------------------------------------------------------------------------------------------------------


def test_a_run_is_saved_and_read_by_numpy(tmp_path: Path) -> None:
    start = ([0, 0, 0, 0, 0, 0, 1.0, 0.1, 0.2], np.zeros(8))
    run = jd.simulate(crane(), *start, np.linspace(0, 1, 11), events={"swing": "swing"})
    run.save(tmp_path / "crane.npz")
    with np.load(tmp_path / "crane.npz") as found:
        assert np.array_equal(found["q"], run.q) and np.array_equal(found["t"], run.t)
        assert tuple(found["coordinates"]) == crane().coordinates and tuple(found["speeds"]) == crane().speeds
        assert np.array_equal(found["output height"], run.outputs["height"])
        assert list(found["event_times"]) == [x.t for x in run.events] and len(run.events) > 0
        assert run.work is not None and np.array_equal(found["work"], run.work)
        assert str(found["method"]) == "DormandPrince853" and "end of the time" in str(found["status"])
    with pytest.raises(ValueError, match=r"written as NPZ or Parquet.*crane\.txt"):
        run.save(tmp_path / "crane.txt")


def test_a_run_is_drawn(tmp_path: Path) -> None:
    run = jd.simulate(oscillator(), [1.0], [0.0], 3.0, events={"through": "x"})
    figure = run.plot(tmp_path / "run.png")
    assert (tmp_path / "run.png").read_bytes()[:4] == b"\x89PNG"
    top, bottom, listed = figure.axes
    assert len(listed.tables[0].get_celld()) == 3 * (1 + len(run.events))
    assert np.array_equal(top.lines[0].get_ydata(), run.q[:, 0])
    assert np.array_equal(bottom.lines[0].get_ydata(), run.u[:, 0])
    assert len(top.lines) == 1 + len(run.events)


def test_checks_are_said_in_words() -> None:
    start = ([0, 0, 0, 0, 0, 0, 1.0, 0.1, 0.2], np.zeros(8))
    run = jd.simulate(crane(), *start, 1.0)
    text = str(run.checks)
    for part in ("energy less work stays within", "quaternions are of length one", "inverse dynamics gives"):
        assert part in text
    lift = jd.simulate(ball(), [0.0], [1.0], 1.0)
    assert "constraint" not in str(lift.checks) and lift.system.name == "ball"


# -- mistakes ---------------------------------------------------------------------------------------------------------


def test_starts_and_times_that_are_wrong_are_refused() -> None:
    def fails(kind: Any, match: str, *arguments: Any) -> None:
        with pytest.raises(kind, match=match):
            jd.simulate(oscillator(), *arguments)

    fails(ValueError, r"q0 has the shape \(2,\); system 'oscillator' needs \(1,\): x", [1.0, 2.0], [0.0], 1.0)
    fails(ValueError, r"u0 has the shape \(\)", [1.0], 0.0, 1.0)
    fails(TypeError, "q0 is 'here'", "here", [0.0], 1.0)
    fails(ValueError, "u0 is not finite: x", [1.0], [np.nan], 1.0)
    fails(ValueError, "t is -1 s; the end of a motion that starts at 0 must be later", [1.0], [0.0], -1.0)
    fails(ValueError, r"t has the shape \(1,\)", [1.0], [0.0], [1.0])
    fails(ValueError, r"times must increase, but t\[2\] = 1 follows 1", [1.0], [0.0], [0.0, 1.0, 1.0])
    fails(ValueError, "t has a time that is not finite", [1.0], [0.0], np.inf)
    fails(ValueError, "steps would be a row each", [1.0], [0.0], 1e6, None, jd.RK4(1e-3))
    batch = jd.compile(oscillator()).with_parameters({"k": [1.0, 2.0]})
    with pytest.raises(ValueError, match="parameters have batch axes; one motion is simulated at a time"):
        jd.simulate(batch, [1.0], [0.0], 1.0)


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: jd.RK4(0.0), "a step of 0.0 s; a positive number"),
        (lambda: jd.DormandPrince54(rtol=0.0), "rtol is 0.0"),
        (lambda: jd.DormandPrince54(atol=-1.0), "atol is -1.0"),
        (lambda: jd.DormandPrince853(first_step=0.0), "first_step is 0.0"),
        (lambda: jd.DormandPrince853(longest_step=0.0), "longest_step is 0.0"),
    ],
)
def test_methods_that_cannot_be(make: Any, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        make()


def test_a_method_is_no_name() -> None:
    named: Any = "RK45"
    with pytest.raises(TypeError, match=r"method is 'RK45'; one of jourdain's is needed, like jourdain\.RK4\("):
        jd.simulate(jd.gallery.pendulum(), [0.1], [0.0], 1.0, method=named)
    assert jd.RK4(step=1e-3).step == 1e-3  # which is what is offered


def test_tolerances_may_differ_by_coordinate() -> None:
    loose = jd.simulate(oscillator(), [1.0], [0.0], 5.0, method=jd.DormandPrince54(1e-6, [1e-3, 1e-3]))
    tight = jd.simulate(oscillator(), [1.0], [0.0], 5.0, method=jd.DormandPrince54(1e-6, [1e-12, 1e-12]))
    assert loose.counts["steps"] < tight.counts["steps"]


def test_what_cvode_needs_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sksundae.cvode", None)
    with pytest.raises(ImportError, match=r"Cvode needs scikit-sundae.*jourdain\.Radau"):
        jd.simulate(oscillator(), [1.0], [0.0], 1.0, method=jd.Cvode())


def test_every_status_has_its_sentence() -> None:
    assert len({x.sentence for x in jd.Status}) == len(jd.Status)


def test_motions_that_end_in_infinity_end_with_a_reason() -> None:
    """ẍ = 6 x², x = 1/(1 − t)²: infinite at one second."""
    for method in (None, jd.RK4(1e-3), jd.Radau(1e-3, 1e-3)):
        run = jd.simulate(oscillator(), [1.0], [2.0], 3.0, {"push": "6*x*x + 4*x"}, method)
        assert run.status in (jd.Status.STEP_TOO_SMALL, jd.Status.NOT_FINITE, jd.Status.NOT_SOLVED)
        assert 0.9 < run.t[-1] < 1.1 and np.isfinite(run.q).all()
        assert "simulated to" in repr(run) and run.status.sentence in repr(run)


def test_implicit_equations_without_solution_end_the_run() -> None:
    run = jd.simulate(oscillator(), [1.0], [2.0], 3.0, {"push": "6*x*x + 4*x"}, jd.ImplicitMidpoint(0.01))
    assert run.status is jd.Status.NOT_SOLVED and run.t[-1] < 1.0
