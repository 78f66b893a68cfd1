"""Conditions and inputs that are Python functions, asked by compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jourdain as jd

from .mechanisms import GRAVITY, bouncer, sledge

ALONG = [jd.DormandPrince853(), jd.DormandPrince54(), jd.RK4(1e-3), jd.SemiImplicitEuler(1e-4)]


def hands(on: float = 0.2, off: float = 0.7) -> dict[str, Any]:
    return {"grasp": lambda t, q, u: t - on, "let go": lambda t, q, u: t - off}


@pytest.mark.parametrize("method", ALONG)
def test_functions_of_time_switch_when_they_rise_through_zero(method: Any) -> None:
    """Falls from 1 m, is held from 0.2 s to 0.7 s, and falls on."""
    run = jd.simulate(bouncer(), [1.0], [0.0], [0.0, 0.5, 1.0], method=method, calls=hands())
    assert [x.t for x in run.changes] == pytest.approx([0.2, 0.7], abs=1e-12)
    assert [x.causes for x in run.changes] == [("grasp on",), ("grasp off",)]
    height = 1.0 - 0.5 * GRAVITY * 0.2**2
    slack = 1e-3 if method.order == 1 else 1e-11
    assert run.q[1:, 0] == pytest.approx([height, height - 0.5 * GRAVITY * 0.3**2], abs=slack)
    assert run.changes[0].impulses["grasp"] == pytest.approx([GRAVITY * 0.2], abs=slack)
    assert run.lost_energy == pytest.approx(0.5 * (GRAVITY * 0.2) ** 2, abs=slack)
    assert [(x.start, x.end, x.mode) for x in run.modes] == [
        (0.0, pytest.approx(0.2), ()), (pytest.approx(0.2), pytest.approx(0.7), ("grasp",)),
        (pytest.approx(0.7), 1.0, ()),
    ]  # fmt: skip
    assert run.forces["grasp"][:, 0] == pytest.approx([0.0, GRAVITY, 0.0], abs=1e-12)


def test_functions_see_states() -> None:
    """Grasped where it is 0.4 m high, which is after √(2 · 0.6 / g)."""
    run = jd.simulate(
        bouncer(), [1.0], [0.0], 1.0, calls={"grasp": lambda t, q, u: 0.4 - q[0], "let go": lambda t, q, u: -1.0}
    )
    assert run.changes[0].t == pytest.approx(np.sqrt(1.2 / GRAVITY), abs=1e-12)
    assert run.q[-1, 0] == pytest.approx(0.4, abs=1e-12) and run.u[-1, 0] == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("method", ALONG[:3])
def test_inputs_that_are_functions_act_through_changes(method: Any) -> None:
    """A pull that grows, 4 N/s: the sledge begins to slip at μ g m = 7.848 N, and then x = ∫∫ (4 t − μ m g) / m."""
    begins = 0.4 * 2.0 * GRAVITY / 4.0
    times = np.array([0.0, 1.0, 2.5, 3.0])
    past = np.maximum(times - begins, 0.0)
    for pull in (lambda t, q, u: 4.0 * t, "4*t"):
        run = jd.simulate(sledge(), [0.0, 0.0], [0.0, 0.0], times, {"pull": pull}, method)
        assert run.is_complete
        assert run.changes[-1].t == pytest.approx(begins, rel=1e-5)  # friction holds a little more than it may
        assert [x.causes for x in run.changes] == [("start", "block touches"), ("block slips",)]
        assert run.q[:, 0] == pytest.approx(4.0 * past**3 / 6.0 / 2.0, abs=1e-9)
        assert run.inputs["pull"] == pytest.approx(4.0 * times)
        assert run.forces["block"][:, 0] == pytest.approx(np.full(4, 2.0 * GRAVITY), abs=1e-12)
        rubs = -np.minimum(4.0 * times, 0.4 * 2.0 * GRAVITY)
        assert run.forces["block sticks"][:, 0] == pytest.approx(rubs, abs=1e-11)
        assert run.checks.energy is not None and run.checks.energy < 1e-9


def test_a_condition_that_raises_ends_the_run_with_what_there_is() -> None:
    def grasp(t: float, q: Any, u: Any) -> float:
        if t > 0.6:
            raise RuntimeError("the hand is gone")
        return -1.0

    with pytest.raises(jd.FunctionError, match=r"condition 'grasp' raised RuntimeError at t = 0\.6.*the hand") as e:
        jd.simulate(bouncer(), [1.0], [0.0], 1.0, calls={"grasp": grasp, "let go": lambda t, q, u: -1.0},
                    method=jd.RK4(1e-2))  # fmt: skip
    run = e.value.run
    assert run is not None and run.status is jd.Status.RAISED
    assert run.t[-1] == pytest.approx(0.6) and [x.causes for x in run.changes] == [("floor bounces",)]
    assert run.changes[0].t == pytest.approx(np.sqrt(2.0 / GRAVITY), abs=1e-12)
    assert run.checks.energy is not None and run.checks.energy < 1e-12


@pytest.mark.parametrize("method", [jd.DormandPrince853(), jd.RK4(1e-3)])
def test_ctrl_c_within_a_condition_costs_no_bits(method: Any) -> None:
    asked: list[float] = []

    def grasp(t: float, q: Any, u: Any) -> float:
        asked.append(t)
        if len(asked) == 400:
            raise KeyboardInterrupt
        return t - 1.2

    calls = {**hands(1.2, 1.5), "grasp": grasp}
    whole = jd.simulate(bouncer(), [1.0], [0.0], 2.0, method=method, calls=hands(1.2, 1.5))
    part = jd.simulate(bouncer(), [1.0], [0.0], 2.0, method=method, calls=calls)
    assert part.status is jd.Status.INTERRUPTED and part.t[-1] < 2.0
    again = part.resume()
    assert again.is_complete and again.counts == whole.counts
    for name in ("t", "q", "u", "work"):
        assert getattr(again, name).tobytes() == getattr(whole, name).tobytes()
    assert [str(x) for x in again.changes] == [str(x) for x in whole.changes]


def test_which_functions_are_needed() -> None:
    def fails(kind: Any, match: str, calls: Any) -> None:
        with pytest.raises(kind, match=match):
            jd.simulate(bouncer(), [1.0], [0.0], 1.0, calls=calls)

    fails(ValueError, "ask for functions; give simulate calls={'grasp': function of .*, 'let go': function", None)
    fails(ValueError, "give simulate calls={'let go': function", {"grasp": lambda t, q, u: 0.0})
    fails(KeyError, "no switch of system 'bouncer' asks for a function 'grip'; did you mean 'grasp'", {"grip": max})
    fails(TypeError, r"calls\['grasp'\] is 1.0; a function of \(t, q, u\) is needed", {**hands(), "grasp": 1.0})
    fails(TypeError, "calls are given by name", [max])
    fails(jd.FunctionError, "the function of condition 'grasp' answers 2 numbers at t = 0",
          {**hands(), "grasp": lambda t, q, u: [1, 2]})  # fmt: skip
    fails(jd.FunctionError, "the function of condition 'let go' answers nan at t = ",
          {**hands(), "let go": lambda t, q, u: float("nan") if t > 0.7 else -1.0})  # fmt: skip
    with pytest.raises(KeyError, match="no switch of system 'sledge' asks for a function 'grasp'"):
        jd.simulate(sledge(), [0.0, 0.0], [0.0, 0.0], 1.0, calls=hands())
