"""Inputs as values, expressions, tables and functions: one motion, and its closed form."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.methods import METHODS

from .mechanisms import crane, oscillator

TIMES = np.linspace(0.0, 10.0, 21)
FORCED = (2.0 * np.sin(TIMES) - np.sin(2.0 * TIMES)) / 6.0  # ẍ + 4 x = sin t from rest
MANY = np.linspace(0.0, 10.0, 401)
NODE = jd.Model("a clock").time


@pytest.mark.parametrize(
    ("push", "slack"),
    [
        ("sin(t)", 1e-9),
        (jd.sin(NODE), 1e-9),
        (lambda t, q, u: np.sin(t), 1e-9),
        (lambda t, q, u: np.array([np.sin(t)]), 1e-9),
        ((MANY, np.sin(MANY), jd.CUBIC), 1e-7),
        (jd.Table(tuple(MANY), tuple(np.sin(MANY))), 1e-4),
    ],
    ids=["text", "node", "function", "array", "cubic", "linear"],
)
def test_a_push_that_moves(push: Any, slack: float) -> None:
    run = jd.simulate(oscillator(), [0.0], [0.0], TIMES, {"push": push})
    assert np.abs(run.q[:, 0] - FORCED).max() < slack
    assert run.inputs["push"] == pytest.approx(np.sin(TIMES), abs=1e-4)
    assert run.outputs["reach"] == pytest.approx(2.0 * run.q[:, 0], abs=1e-15)
    assert run.checks.energy is not None and run.checks.energy < 1e-8


def test_values_and_what_stands() -> None:
    """ẍ + 4 x = 2, given, or standing in the compiled system."""
    d = jd.compile(oscillator())
    wanted = 0.5 * (1.0 - np.cos(2.0 * TIMES))
    for run in (
        jd.simulate(d, [0.0], [0.0], TIMES, {"push": 2.0}),
        jd.simulate(d.with_inputs({"push": 2.0}), [0.0], [0.0], TIMES),
        jd.simulate(d.with_inputs({"push": -1.0}), [0.0], [0.0], TIMES, {"push": np.float64(2.0)}),
    ):
        assert np.abs(run.q[:, 0] - wanted).max() < 1e-9
        assert run.inputs["push"] == pytest.approx(np.full(len(TIMES), 2.0))


def test_parameters_are_the_compiled_systems() -> None:
    d = jd.compile(oscillator()).with_parameters({"k": 9.0})
    assert jd.simulate(d, [1.0], [0.0], TIMES).q[:, 0] == pytest.approx(np.cos(3.0 * TIMES), abs=1e-8)
    # In an expression too.
    run = jd.simulate(d, [1.0], [0.0], TIMES, {"push": "k*x"})
    assert run.q[:, 0] == pytest.approx(np.ones(len(TIMES)), abs=1e-12)


@pytest.mark.parametrize("kind", [jd.DormandPrince853, jd.ImplicitMidpoint, jd.SymplecticMidpoint, jd.Radau])
def test_feedback_is_an_expression(kind: Any) -> None:
    """push = −5 x − 2 ẋ makes ẍ + 2 ẋ + 9 x = 0; implicit methods differentiate it."""
    run = jd.simulate(oscillator(), [1.0], [0.0], TIMES, {"push": "-5*x - 2*xdot"}, kind())
    w = np.sqrt(8.0)
    wanted = np.exp(-TIMES) * (np.cos(w * TIMES) + np.sin(w * TIMES) / w)
    assert np.abs(run.q[:, 0] - wanted).max() < (1e-6 if kind.order == 2 else 1e-8)
    if kind is jd.ImplicitMidpoint:  # Newton's method needs one round for a linear system, and one to see it
        assert run.counts["evaluations"] <= 5 * run.counts["steps"] + 1


@pytest.mark.parametrize("kind", [*METHODS])
def test_every_method_asks_functions(kind: Any) -> None:
    """ẍ + 4 x = sin t; the compiled ones at the same times and states as they read expressions."""
    asked: list[tuple[float, float]] = []

    def push(t: float, q: Any, u: Any) -> float:
        asked.append((t, q[0]))
        return math.sin(t)

    runs = [jd.simulate(oscillator(), [0.0], [0.0], TIMES, {"push": x}, kind()) for x in (push, "sin(t)")]
    assert np.abs(runs[0].q - runs[1].q).max() < 1e-8
    assert np.abs(runs[0].q[:, 0] - FORCED).max() < {1: 1e-2, 2: 1e-5}.get(kind.order, 1e-6)
    assert min(t for t, _ in asked) == 0.0 and max(t for t, _ in asked) == pytest.approx(10.0)
    assert max(abs(x - np.interp(t, TIMES, FORCED)) for t, x in asked) < 0.1


def test_feedback_by_a_function_with_a_method_that_solves_equations() -> None:
    run = jd.simulate(
        oscillator(), [1.0], [0.0], TIMES, {"push": lambda t, q, u: -5.0 * q[0] - 2.0 * u[0]}, jd.ImplicitMidpoint()
    )
    w = np.sqrt(8.0)
    assert np.abs(run.q[:, 0] - np.exp(-TIMES) * (np.cos(w * TIMES) + np.sin(w * TIMES) / w)).max() < 1e-6


@pytest.mark.parametrize("method", [jd.DormandPrince853(), jd.DormandPrince54(), jd.RK4(1e-3)])
def test_what_was_computed_before_a_function_raised_is_kept(method: Any) -> None:
    def push(t: float, q: Any, u: Any) -> float:
        if t > 3.0:
            raise ZeroDivisionError("it was too late")
        return math.sin(t)

    with pytest.raises(jd.FunctionError, match=r"input 'push' raised ZeroDivisionError at t = 3\..*: it was too") as e:
        jd.simulate(oscillator(), [0.0], [0.0], 10.0, {"push": push}, method, events={"through": "x - 0.2"})
    assert isinstance(e.value.__cause__, ZeroDivisionError) and 3.0 < e.value.t < 3.2
    run = e.value.run
    assert run is not None and run.status is jd.Status.RAISED and not run.is_complete
    assert 2.7 < run.t[-1] <= e.value.t and len(run.t) > 20
    assert run.q[:, 0] == pytest.approx((2.0 * np.sin(run.t) - np.sin(2.0 * run.t)) / 6.0, abs=1e-8)
    assert [x.t for x in run.events] and all(x.t <= run.t[-1] for x in run.events)
    with pytest.raises(ValueError, match="this run cannot be resumed"):
        run.resume()


@pytest.mark.parametrize("method", [jd.DormandPrince853(), jd.RK4(1e-3)])
def test_ctrl_c_within_a_function_costs_no_bits(method: Any) -> None:
    calls: list[float] = []

    def push(t: float, q: Any, u: Any) -> float:
        calls.append(t)
        if len(calls) == 700:
            raise KeyboardInterrupt
        return math.sin(t)

    whole = jd.simulate(oscillator(), [0.0], [0.0], 10.0, {"push": lambda t, q, u: math.sin(t)}, method)
    part = jd.simulate(oscillator(), [0.0], [0.0], 10.0, {"push": push}, method)
    assert part.status is jd.Status.INTERRUPTED
    again = part.resume()
    assert again.counts == whole.counts
    for name in ("t", "q", "u"):
        assert getattr(again, name).tobytes() == getattr(whole, name).tobytes()


def test_functions_and_expressions_of_several_inputs_agree() -> None:
    start = ([0, 0, 0, 0, 0, 0, 1.0, 0.1, 0.2], [0.1, 0.2, -0.1, 0.3, 0, 0, 0.2, 0.5])
    index = crane().coordinates.index("slide")
    one = jd.simulate(crane(), *start, [0, 0.5, 1.0], {"push": "-3*slide + t", "wind": 0.2})
    two = jd.simulate(crane(), *start, [0, 0.5, 1.0], {"push": lambda t, q, u: -3 * q[index] + t, "wind": "0.2"})
    assert one.method.name == two.method.name == "DormandPrince853"
    assert np.abs(one.q - two.q).max() < 1e-9 and np.abs(one.u - two.u).max() < 1e-9
    assert one.inputs["push"] == pytest.approx(two.inputs["push"], abs=1e-9)
    for run in (one, two):
        assert run.work is not None and abs(run.work[-1]) > 1e-3
        assert run.checks.energy is not None and run.checks.energy < 1e-9


def test_what_an_input_may_not_be() -> None:
    def fails(kind: Any, match: str, push: Any, method: Any = None) -> None:
        with pytest.raises(kind, match=match):
            jd.simulate(oscillator(), [0.0], [0.0], 1.0, {"push": push}, method)

    with pytest.raises(KeyError, match=r"no input 'pusch'.*push"):
        jd.simulate(oscillator(), [0.0], [0.0], 1.0, {"pusch": 1.0})
    with pytest.raises(TypeError, match="inputs are given by name"):
        jd.simulate(oscillator(), [0.0], [0.0], 1.0, 3.0)  # type: ignore[arg-type]
    fails(ValueError, r"input 'push' is \[1.0, 2.0\]; a finite number, an expression", [1.0, 2.0])
    fails(ValueError, "input 'push' is nan", float("nan"))
    fails(ValueError, "input 'push' is None", None)
    fails(ValueError, "input 'push', 'sin': ", "sin")
    fails(ValueError, "input 'push': a table of 2 times and 3 values", ([0.0, 1.0], [0.0, 1.0, 2.0]))
    fails(ValueError, r"times of a table must increase, but times\[1\] = 0 follows 1", ([1.0, 0.0], [0.0, 1.0]))
    fails(ValueError, "a table is", (1.0, 2.0))
    fails(ValueError, "a table with a time or a value that is not finite", ([0.0, 1.0], [0.0, float("nan")]))
    fails(ValueError, "the curve of a table is 'cubic'; jourdain.LINEAR", ([0.0, 1.0], [0.0, 1.0], "cubic"))
    fails(ValueError, "the function of input 'push' answers 2 numbers", lambda t, q, u: [1.0, 2.0])
    fails(jd.FunctionError, "the function of input 'push' answers 'much' at t = 0, no number", lambda t, q, u: "much")
    fails(jd.FunctionError, "the function of input 'push' answers nan at t = 0", lambda t, q, u: float("nan"))


@pytest.mark.parametrize("curve", [jd.LINEAR, jd.CUBIC])
def test_tables_are_read_alike_by_arrays_and_by_compiled_code(curve: jd.Curve) -> None:
    """Also before their first time and after their last, and backwards: the work of a step looks at many times."""
    times = np.array([0.5, 1.0, 1.2, 2.0, 3.5])
    values = np.array([1.0, -2.0, 0.5, 0.0, 4.0])
    table = jd.Table(tuple(times), tuple(values), curve)
    if curve is jd.LINEAR:
        asked = np.linspace(0.0, 5.0, 101)
        assert table.at(asked) == pytest.approx(np.interp(asked, times, values), abs=1e-14)
    assert table.at(times) == pytest.approx(values, abs=1e-14)
    runs = [
        jd.simulate(oscillator(), [0.3], [0.0], [0.0, 5.0], {"push": x}, jd.RK4(5e-4))
        for x in (table, (list(times), list(values), curve))
    ]
    assert runs[0].q.tobytes() == runs[1].q.tobytes()
    other = jd.simulate(oscillator(), [0.3], [0.0], [0.0, 5.0], {"push": lambda t, q, u: float(table.at(t))},
                        jd.DormandPrince853(longest_step=0.02))  # fmt: skip
    assert np.abs(runs[0].q[-1] - other.q[-1]).max() < 1e-6
