"""Machines: ticks to the bits of a run, code of modes made beside them, and changes that were foreseen."""

from __future__ import annotations

import logging
import sys
import threading
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import jourdain as jd
from jourdain.model.system import System
from jourdain.simulation.modes.machine import MachineError
from jourdain.simulation.modes.modal_run import ModalRun
from jourdain.simulation.modes.preparing import SHORT, Preparing
from jourdain.simulation.start import StateError

from .changing_systems import ball, cart, latch

STEP = 1e-3
RK4 = jd.RK4(STEP)
PUSHED: dict[str, Any] = {"F": 2.0, "tau": "sin(3*t)"}
CART = cart()
START = np.array([0.1, -0.2, 0.3, 0.4]), jd.compile(CART).complete([0.1, -0.2, 0.3, 0.4], [1.0, 0.3], ["u1", "u2"])
FALLING = [0, 0, 0.5, 0, 0, 0, 1], [0, 0, 0, 1.0, 0.5, 0]
Floats = NDArray[np.float64]


def simulated(system: System, q: Any, u: Any, ticks: int, inputs: Any, method: Any, modes: Any = ()) -> ModalRun:
    run = jd.simulate(system, q, u, method.step * np.arange(ticks + 1), inputs, method, modes=modes)
    assert isinstance(run, ModalRun) and run.status is jd.Status.DONE
    return run


def states(machine: jd.Machine, ticks: int) -> Floats:
    """(ticks, q and u and work), tick by tick."""
    found = []
    for _ in range(ticks):
        machine.advance()
        found.append([*machine.q, *machine.u, machine.work])
    return np.array(found)


def rows(run: ModalRun) -> Floats:
    assert run.work is not None
    return np.concatenate([run.q, run.u, run.work[:, None]], axis=1)[1:]


# -- ticks ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "start", "inputs", "method", "modes"),
    [
        (CART, START, PUSHED, RK4, ()),
        (CART, START, PUSHED, RK4, ((), "by the clock")),
        (CART, START, {"tau": ((0.0, 1.0, 2.0), (0.0, 3.0, -1.0))}, jd.SemiImplicitEuler(STEP), ()),
        (latch(), ([0.0, 0.0], [0.0, 0.0]), {"push": 3.0}, RK4, ()),
        (ball(), FALLING, {}, RK4, ()),
    ],
    ids=["cart", "modes of its own", "a table", "latch", "ball"],
)
def test_the_bits_of_a_run(system: System, start: Any, inputs: Any, method: Any, modes: Any) -> None:
    ticks, (q, u) = 1500, start
    run = simulated(system, q, u, ticks, inputs, method, modes)
    machine = jd.Machine(system, q, u, method, inputs, modes=modes, prepares=False)
    assert machine.mode == run.modes[0].mode
    assert np.array_equal(states(machine, ticks), rows(run))
    assert (machine.t, machine.ticks, machine.mode) == (run.t[-1], ticks, run.modes[-1].mode)
    told = [x for x in run.changes if x.t > 0.0]
    assert [(x.t, x.causes) for x in machine.changes] == [(x.t, x.causes) for x in told] and told
    assert all(np.array_equal(x.u, y.u) and np.array_equal(x.q, y.q) for x, y in zip(machine.changes, told))
    assert machine.counts["evaluations"] == run.counts["evaluations"]
    assert machine.counts["in modes compiled"] == run.counts.get("in modes compiled beforehand", 0)
    for name, force in machine.forces.items():
        assert force == pytest.approx(run.forces[name][-1], rel=1e-12, abs=1e-12)
    # Many at once are the same as one by one.
    together = jd.Machine(system, q, u, method, inputs, modes=modes, prepares=False)
    together.advance(1.2)
    together.advance(steps=300)
    assert np.array_equal(np.concatenate([together.q, together.u, [together.work]]), rows(run)[-1])
    assert [str(x) for x in together.changes] == [str(x) for x in machine.changes]


def test_inputs_are_set_between_ticks() -> None:
    machine = jd.Machine(CART, *START, RK4, {"F": 2.0}, prepares=False)
    assert machine.inputs == {"F": 2.0, "tau": 0.0}
    machine.advance(steps=100)
    machine.advance(steps=200, inputs={"F": -3.0, "tau": 0.5})
    machine.set_inputs({"F": 1.0})
    machine.advance(steps=100)
    q, u = START
    for ticks, inputs in ((100, {"F": 2.0}), (200, {"F": -3.0, "tau": 0.5}), (100, {"F": 1.0, "tau": 0.5})):
        run = simulated(CART, q, u, ticks, inputs, RK4)
        q, u = run.q[-1], run.u[-1]
    # The clock of `simulated` begins anew, but nothing switches before 0.69 s.
    assert not machine.changes
    assert np.abs(machine.q - q).max() < 1e-14 and np.abs(machine.u - u).max() < 1e-14
    assert machine.inputs == {"F": 1.0, "tau": 0.5}


def test_switches_are_turned_by_hand() -> None:
    machine = jd.Machine(CART, *START, RK4, {"F": 2.0}, prepares=False)
    machine.advance(steps=100)
    before, q, u = machine.work, machine.q, machine.u
    energy = machine.compiled.energy(q, u).total
    machine.switch("caster sticks", True)
    assert not machine.mode
    machine.advance(steps=50)
    (change,) = machine.changes
    assert (change.mode, change.causes) == (("caster sticks",), ()) and change.t == pytest.approx(0.1)
    run = simulated_in("caster sticks", q, u, 50)
    assert np.abs(machine.q - run.q[-1]).max() < 1e-13 and np.abs(machine.u - run.u[-1]).max() < 1e-13
    assert machine.u[1] == pytest.approx(machine.u[2], abs=1e-15)  # the caster goes with the basket
    gained = machine.compiled.energy(machine.q, machine.u).total - energy
    assert gained == pytest.approx(machine.work - before, abs=1e-12)
    machine.switch("caster sticks", False)
    machine.advance()
    assert machine.mode == ()


def simulated_in(mode: str, q: Any, u: Any, ticks: int) -> ModalRun:
    """From the speeds after the impulse, u − M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁻¹ A u."""
    d = jd.compile(CART).in_mode(mode)
    rows = d.constraint_slopes(q, u).matrix
    moved = np.linalg.solve(d.mass_matrix(q), rows.T)
    struck = u - moved @ np.linalg.solve(rows @ moved, rows @ u)
    run = jd.simulate(d, q, struck, STEP * np.arange(ticks + 1), {"F": 2.0}, RK4)
    assert isinstance(run, ModalRun)
    return run


def test_a_mechanism_that_does_not_change() -> None:
    system = jd.gallery.pendulum()
    machine = jd.Machine(system, [1.0], [0.0], RK4, prepares=False)
    machine.advance(0.5)
    run = jd.simulate(system, [1.0], [0.0], STEP * np.arange(501), method=RK4)
    assert machine.q == pytest.approx(run.q[-1], abs=1e-14) and machine.u == pytest.approx(run.u[-1], abs=1e-14)
    assert (machine.mode, machine.modes, machine.look_ahead(0.1)) == ((), (), None)


# -- code made beside the ticks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "start", "inputs", "other", "close"),
    [(CART, START, PUSHED, ("by the clock",), 1e-12), (ball(), FALLING, {}, ("floor", "floor sticks"), 1e-10)],
    ids=["cart", "ball"],
)
def test_code_of_modes_is_made_beside_the_ticks(
    system: System, start: Any, inputs: Any, other: tuple[str, ...], close: float
) -> None:
    ticks, (q, u) = 1500, start
    general = simulated(system, q, u, ticks, inputs, RK4)
    with jd.Machine(system, q, u, RK4, inputs) as machine:
        assert not machine.modes
        found = states(machine, 900)  # both modes were met by then
        for _ in range(2):  # the first one's code, then the other's
            assert machine.wait(60.0)
            found = np.concatenate([found, states(machine, 1)])
        before = machine.counts
        found = np.concatenate([found, states(machine, ticks - len(found))])
        after = machine.counts
    first = machine.swaps[0].tick
    assert machine.modes == tuple(name for swap in machine.swaps for name in swap.modes)
    assert set(machine.modes) == {(), other}
    assert [x.tick for x in machine.swaps] == sorted(x.tick for x in machine.swaps)
    assert all(0.0 < x.seconds < x.prepared for x in machine.swaps)
    expected = rows(general)
    assert np.array_equal(found[:first], expected[:first])
    assert np.abs(found - expected).max() < close
    # From then on all evaluations are those of the modes' own equations.
    assert after["evaluations"] - before["evaluations"] == after["in modes compiled"] - before["in modes compiled"] > 0
    assert machine.mode == general.modes[-1].mode
    assert [x.t for x in machine.changes] == pytest.approx([x.t for x in general.changes if x.t > 0.0], abs=close)


def test_a_mode_without_equations_of_its_own_is_left_to_the_general_ones() -> None:
    """A ball that slides; code is made of its flight alone."""
    with jd.Machine(ball(), [0, 0, 0.1, 0, 0, 0, 1], [0, 0, 0, 1.0, 0.5, 0], RK4) as machine:
        machine.advance(steps=5)
        assert machine.mode == ("floor",)
        assert machine.wait(60.0)
        machine.advance()
        assert machine.modes == () and not machine.swaps


def test_what_fails_in_the_background_does_not_stop_the_ticks(caplog: pytest.LogCaptureFixture) -> None:
    made: list[Any] = []

    def make(modes: Any, since: float) -> None:
        made.append((modes, sys.getswitchinterval()))
        raise ZeroDivisionError("no code today")

    preparing, usual = Preparing(make), sys.getswitchinterval()
    with caplog.at_level(logging.ERROR, "jourdain"):
        preparing.want(("latch",))
        assert preparing.wait(10.0)
    assert "no code was made of mode (('latch',),)" in caplog.text and "no code today" in caplog.text
    assert made == [((("latch",),), pytest.approx(min(SHORT, usual)))]
    assert preparing.take() is None and sys.getswitchinterval() == usual
    preparing.close()
    preparing.want(("other",))
    assert preparing.wait(10.0) and len(made) == 1


def test_one_thread_makes_code_at_a_time() -> None:
    go, made = threading.Event(), list[Any]()

    def make(modes: Any, since: float) -> None:
        made.append(modes)
        assert go.wait(10.0)

    preparing = Preparing(make)
    for name in ("a", "b", "c"):
        preparing.want((name,))
    assert not preparing.wait(0.01)
    go.set()
    while not preparing.wait(10.0) or len(made) < 2:
        pass
    assert made == [(("a",),), (("b",), ("c",))]
    preparing.close()


# -- looking ahead ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "start", "inputs", "horizon"),
    [(CART, START, PUSHED, 0.7), (latch(), ([0.0, 0.0], [0.0, 0.0]), {"push": 3.0}, 2.0), (ball(), FALLING, {}, 0.3)],
    ids=["cart", "latch", "ball"],
)
def test_what_is_foreseen_comes(system: System, start: Any, inputs: Any, horizon: float) -> None:
    machine, plain = (jd.Machine(system, start[0], start[1], RK4, inputs, prepares=False) for _ in range(2))
    machine.advance(steps=5)
    assert machine.look_ahead(1e-2) is None
    expected = machine.look_ahead(horizon)
    assert expected is not None and machine.ticks == 5 and not machine.changes
    machine.advance(steps=995)
    plain.advance(steps=1000)
    actual = machine.changes[0]
    assert actual.t == pytest.approx(expected.t, abs=1e-10) and actual.tick == expected.tick
    assert (actual.mode, actual.causes) == (expected.mode, expected.causes)
    assert np.abs(actual.q - expected.q).max() < 1e-10 and np.abs(actual.u - expected.u).max() < 1e-10
    (prediction,) = machine.predictions
    assert prediction.is_same and prediction.made == 5
    assert abs(prediction.off_time) < 1e-10 and prediction.off_state < 1e-10
    # Nothing of looking ahead is left in the machine.
    assert np.array_equal(machine.q, plain.q) and np.array_equal(machine.u, plain.u)
    assert [str(x) for x in machine.changes] == [str(x) for x in plain.changes]


@pytest.mark.parametrize(("push", "mode"), [(-1.0, ("latch",)), (-40.0, ())], ids=["another time", "another mode"])
def test_what_comes_otherwise_is_resolved_as_it_comes(push: float, mode: tuple[str, ...]) -> None:
    """The slider is caught at another time, where it is pushed otherwise than was foreseen; pushed hard, it is let go
    at once."""
    system = latch()
    machine, plain = (jd.Machine(system, [0, 0], [0, 0], RK4, {"push": 3.0}, prepares=False) for _ in range(2))
    expected = machine.look_ahead(1.0)
    assert expected is not None and expected.mode == ("latch",)
    for x in (machine, plain):
        x.advance(steps=20)
        x.advance(steps=90, inputs={"push": push})
    actual = machine.changes[0]
    (prediction,) = machine.predictions
    assert prediction.expected is expected and prediction.actual is actual
    assert actual.mode == mode and prediction.is_same == (mode == ("latch",))
    assert abs(prediction.off_time) > 1e-4 and prediction.off_time == actual.t - expected.t
    assert prediction.off_state > 1e-3
    assert actual.q[1] == pytest.approx(0.1, abs=1e-12) and actual.u[1] == pytest.approx(0.0, abs=1e-12)
    assert np.array_equal(machine.q, plain.q) and np.array_equal(machine.u, plain.u)


def test_what_was_foreseen_is_forgotten_where_one_looks_again() -> None:
    machine = jd.Machine(latch(), [0, 0], [0, 0], RK4, {"push": 3.0}, prepares=False)
    assert machine.look_ahead(0.5) is not None and machine.look_ahead(1e-3) is None
    machine.advance(steps=200)
    assert machine.changes and not machine.predictions


def test_a_switch_that_is_to_be_turned_is_foreseen() -> None:
    machine = jd.Machine(CART, *START, RK4, PUSHED, prepares=False)
    machine.advance(steps=5)
    machine.switch("caster sticks", True)
    expected = machine.look_ahead(1e-3)
    assert expected is not None and (expected.mode, expected.t) == (("caster sticks",), machine.t)
    assert not machine.mode
    machine.advance()
    assert machine.mode == ("caster sticks",) and machine.predictions[0].off_state == 0.0


def test_code_of_the_mode_that_is_foreseen_is_ready_when_it_comes() -> None:
    with jd.Machine(CART, *START, RK4, PUSHED, modes=[()]) as machine:
        expected = machine.look_ahead(0.7)
        assert expected is not None and expected.mode == ("by the clock",) and not machine.mode
        assert machine.wait(60.0)
        machine.advance(steps=690)
        assert not machine.changes and machine.modes == ((), ("by the clock",))
        machine.advance(steps=100)
        assert machine.mode == ("by the clock",)
    assert machine.counts["evaluations"] == machine.counts["in modes compiled"]
    assert machine.predictions[0].off_state < 1e-12


# -- mistakes ---------------------------------------------------------------------------------------------------------


def test_what_a_machine_refuses() -> None:
    q, u = START

    def make(system: System = CART, method: Any = RK4, inputs: Any = None, **more: Any) -> jd.Machine:
        return jd.Machine(system, q, u, method, inputs, prepares=False, **more)

    with pytest.raises(TypeError, match="a machine makes equal steps"):
        make(method=jd.DormandPrince853())
    with pytest.raises(ValueError, match="input 'F' is a function; set its value between ticks instead"):
        make(inputs={"F": lambda t, q, u: 0.0})
    with pytest.raises(ValueError, match="start is inf s; a finite time is needed"):
        make(start=float("inf"))
    with pytest.raises(ValueError, match="no switchable constraint 'clock'"):
        make(modes=[["clock"]])
    m = jd.Model.of(CART)
    m.switch("asked", m["swivel"].speed, on=m.call("somebody"))
    with pytest.raises(ValueError, match="ask the function 'somebody', and a machine"):
        make(m.system())
    with pytest.raises(ValueError, match="has no freedom"):
        jd.Machine(jd.Model("nothing").system(), [], [])
    with pytest.raises(ValueError, match="u0 has the shape"):
        jd.Machine(CART, q, [0.0])
    machine = make(inputs={"tau": "sin(t)"})
    with pytest.raises(KeyError, match="no input 'tau' that can be set"):
        machine.advance(inputs={"tau": 1.0})
    with pytest.raises(ValueError, match="input 'F' is nan; a finite number is needed"):
        machine.set_inputs({"F": float("nan")})
    with pytest.raises(KeyError, match="no input 'G' that can be set"):
        machine.set_inputs({"F": 1.0, "G": 2.0})
    assert machine.inputs == {"F": 0.0}
    with pytest.raises(KeyError, match="has no switch 'front wheel rolls'"):
        machine.switch("front wheel rolls", True)
    with pytest.raises(ValueError, match="no whole number of steps"):
        machine.advance(0.0105)
    for horizon in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match=r"a horizon of .* s; a positive"):
            machine.look_ahead(horizon)
    with pytest.raises(ValueError, match="one of them says all"):
        machine.advance(0.01, steps=10)
    for bad in (0, -1, 1.5, True):
        with pytest.raises(ValueError, match="a whole number, 1 or more"):
            machine.advance(steps=bad)  # type: ignore[arg-type]
    assert machine.ticks == 0


def test_a_start_that_no_constraints_allow() -> None:
    m = jd.Model.of(jd.gallery.slider_crank())
    m.stop("stop", 1.0 - m["q3"].coordinate)
    with pytest.raises(StateError, match="gudgeon pin"):
        jd.Machine(m.system(), [0.0, 0.0, 9.0], [0.0, 0.0, 0.0], RK4, prepares=False)


def test_a_machine_that_cannot_go_on_says_so() -> None:
    machine = jd.Machine(jd.gallery.double_pendulum(), [1.0, 0.5], [1e200, 1e200], RK4, prepares=False)
    with pytest.raises(MachineError, match=r"the machine stands at 0 s: .*finite"):
        machine.advance(steps=5)
    assert machine.ticks == 0 and machine.q == pytest.approx([1.0, 0.5])
