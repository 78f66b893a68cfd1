"""Modes that are compiled beforehand: the same motion as by the general equations, and plain words for what is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.system import System
from jourdain.native.cache import VARIABLE
from jourdain.simulation import compiled_run
from jourdain.simulation.modes.changing_run import ChangingRun, modal_routine_of
from jourdain.simulation.modes.modal_run import ModalRun

from .changing_systems import ball, cart, crank_with_stop, latch, lift

RK4, EULER = jd.RK4(1e-3), jd.SemiImplicitEuler(1e-3)


@dataclass(frozen=True)
class Case:
    """A motion, the number of its changes, and whether all of it is in modes compiled beforehand."""

    system: Callable[[], System]
    start: Callable[[System], tuple[Any, Any]]
    end: float
    changes: int
    method: Any = RK4
    inputs: dict[str, Any] = field(default_factory=dict)
    all_beforehand: bool = True


def rolling(system: System) -> tuple[Any, Any]:
    q = np.array([0.1, -0.2, 0.3, 0.4])
    return q, jd.compile(system).complete(q, [1.0, 0.3], ["u1", "u2"])


def cranked(system: System) -> tuple[Any, Any]:
    d = jd.compile(system)
    q = d.assemble([1.0, -1.2, 0.15])
    return q, d.complete(q, [-20.0], ["q1"])


PUSHED: dict[str, Any] = {"F": 2.0, "tau": "sin(3*t)"}
CASES = {
    "cart": Case(cart, rolling, 3.0, 7, inputs=PUSHED),
    "cart, semi-implicit Euler": Case(cart, rolling, 3.0, 7, EULER, PUSHED),
    "cart, a table": Case(cart, rolling, 2.0, 4, inputs={"F": ((0.0, 1.0, 2.0), (0.0, 3.0, -1.0))}),
    "latch": Case(latch, lambda s: ([0.0, 0.0], [0.0, 0.0]), 4.0, 3, inputs={"push": 3.0}),
    "crank with a stop": Case(crank_with_stop, cranked, 1.0, 2, jd.RK4(2e-4)),
    "ball": Case(ball, lambda s: ([0, 0, 0.5, 0, 0, 0, 1], [0, 0, 0, 1.0, 0.5, 0]), 1.5, 20),
    "sliding ball": Case(
        ball, lambda s: ([0, 0, 0.1, 0, 0, 0, 1], [0, 0, 0, 1.0, 0.5, 0]), 0.5, 2, all_beforehand=False
    ),
    "lift": Case(lift, lambda s: ([0.0], [0.0]), 3.0, 2),
}


@pytest.mark.parametrize("name", CASES)
def test_the_same_motion_as_by_the_general_equations(name: str) -> None:
    case = CASES[name]
    system = case.system()
    q, u = case.start(system)

    def run(modes: Any) -> ModalRun:
        found = jd.simulate(system, q, u, case.end, case.inputs, case.method, modes=modes)
        assert isinstance(found, ModalRun) and found.status is jd.Status.DONE
        return found

    general, own = run(()), run(jd.enumerate_modes(system))
    assert np.array_equal(general.t, own.t)
    for values in ("q", "u", "work"):
        assert np.abs(getattr(own, values) - getattr(general, values)).max() < 1e-9
    assert [x.mode for x in own.modes] == [x.mode for x in general.modes]
    assert [x.start for x in own.modes] == pytest.approx([x.start for x in general.modes], abs=1e-9)
    assert len(own.changes) == len(general.changes) >= case.changes
    for x, y in zip(own.changes, general.changes):
        assert (x.causes, x.imposed, x.deleted) == (y.causes, y.imposed, y.deleted)
        assert x.t == pytest.approx(y.t, abs=1e-9) and x.work == pytest.approx(y.work, abs=1e-9)
        assert np.abs(x.u - y.u).max() < 1e-9
    for name, forces in general.forces.items():
        assert np.abs(own.forces[name] - forces).max() <= 1e-8 * max(1.0, np.abs(forces).max())
    energy, of_general = own.checks, general.checks
    assert energy.energy == pytest.approx(of_general.energy, abs=1e-9)
    assert max(energy.drift.values()) < 1e-9
    # Who computed it.
    assert set(general.counts) == {"steps", "evaluations"}
    beforehand, otherwise = own.counts["in modes compiled beforehand"], own.counts["in the general way"]
    assert beforehand + otherwise == own.counts["evaluations"]
    assert (otherwise == 0) == case.all_beforehand and beforehand > 0


def test_only_the_modes_that_are_named() -> None:
    system = cart()
    q, u = rolling(system)
    both = jd.simulate(system, q, u, 1.0, PUSHED, RK4, modes=[(), {"by the clock"}])
    one = jd.simulate(system, q, u, 1.0, PUSHED, RK4, modes=["by the clock"])
    assert np.abs(one.u - both.u).max() < 1e-12
    assert one.counts["in the general way"] > 100 and one.counts["in modes compiled beforehand"] > 100
    assert both.counts["in the general way"] == 0
    # The mode is that of the switches, whatever order they are named in.
    layout = modes_of(jd.simulate(system, q, u, 0.01, method=RK4, modes=[("by the clock", "caster sticks")]))
    assert layout == (("caster sticks", "by the clock"),)


def modes_of(run: Any) -> tuple[tuple[str, ...], ...]:
    assert isinstance(run, ModalRun)
    return run.beforehand


def test_which_modes_there_are() -> None:
    assert jd.enumerate_modes(cart()) == (
        (), ("caster sticks",), ("by the clock",), ("caster sticks", "by the clock"),
    )  # fmt: skip
    assert jd.enumerate_modes(jd.compile(ball())) == ((), ("floor", "floor sticks"))
    assert jd.enumerate_modes(jd.gallery.pendulum()) == ((),)
    m = jd.Model("between stops")
    slide = m.prismatic("slide", m.ground, m.body("slider", mass=1.0, inertia=jd.point_mass), axis="x")
    m.limits(slide, lower=0.0, upper=1.0)
    assert jd.enumerate_modes(m.system()) == ((), ("slide lower",), ("slide upper",))  # never both


def test_what_is_chosen_where_nobody_says() -> None:
    """All modes of few switches for many equal steps; none for few steps, steps of any length, and contacts."""
    system = cart()
    q, u = rolling(system)

    def chosen(system: System, q: Any, u: Any, end: float, method: Any) -> tuple[tuple[str, ...], ...]:
        return modes_of(jd.simulate(system, q, u, [0.0, end], method=method))

    assert chosen(system, q, u, 0.01, jd.SemiImplicitEuler(2e-8)) == jd.enumerate_modes(system)
    assert chosen(system, q, u, 0.01, jd.SemiImplicitEuler(1e-3)) == ()
    assert chosen(system, q, u, 0.01, None) == ()
    assert chosen(ball(), [0, 0, 0.5, 0, 0, 0, 1], [0] * 6, 0.003, jd.RK4(1e-8)) == ()


def four_feet() -> System:
    m = jd.Model("table")
    top = m.body("top", mass=1.0, inertia=jd.principal(0.1, 0.1, 0.1))
    m.free("free", m.ground, top)
    m.contact("foot", (top, jd.shapes.Box((0.5, 0.5, 0.1))), jd.shapes.Plane())
    return m.system()


@pytest.mark.parametrize(
    ("make", "modes", "error", "said"),
    [
        (cart, "by the clock", TypeError, "modes is 'by the clock'; a collection of modes is needed"),
        (cart, 3, TypeError, "modes is 3; a collection"),
        (cart, [{"by the clok"}], ValueError, "no switchable constraint 'by the clok'; .*'by the clock'"),
        (cart, [{"front wheel rolls"}], ValueError, "no switchable constraint 'front wheel rolls'"),
        (cart, [4], ValueError, "no switchable constraint 4; there are caster sticks, by the clock"),
        (ball, [{"floor"}], ValueError, "the mode with 'floor' .*: contact 'floor' slips with friction"),
        (ball, [{"floor sticks"}], ValueError, "sticks only where it touches; name 'floor' too"),
        (four_feet, [[f"foot {k}" for k in range(1, 5)]], ValueError, "shares a load that the motion does not tell"),
    ],
)
def test_what_is_no_mode(make: Callable[[], System], modes: Any, error: type[Exception], said: str) -> None:
    system = make()
    q = np.zeros(len(system.coordinates))
    q[-1] = 1.0
    with pytest.raises(error, match=said):
        jd.simulate(system, q, np.zeros(len(system.speeds)), 0.1, method=RK4, modes=modes)


def test_too_many_modes_are_not_listed() -> None:
    m = jd.Model("many")
    for k in range(9):
        joint = m.prismatic(f"q{k}", m.ground, m.body(f"b{k}", mass=1.0, inertia=jd.point_mass), axis="x")
        m.switch(f"s{k}", joint.speed)
    with pytest.raises(ValueError, match="up to 512 modes, and no more than 256 are listed; name those"):
        jd.enumerate_modes(m.system())


def test_a_system_that_does_not_change_has_one_mode() -> None:
    with pytest.raises(ValueError, match="'pendulum' has the same constraints throughout"):
        jd.simulate(jd.gallery.pendulum(), [0.1], [0.0], 1.0, modes=[()])


def test_a_run_goes_on_from_its_checkpoint_with_the_same_modes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system, path = cart(), tmp_path / "run.npz"
    q, u = rolling(system)
    modes: Any = [(), "by the clock"]
    whole = jd.simulate(system, q, u, 1.5, PUSHED, RK4, modes=modes)

    def stop(_: float) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(compiled_run, "FIRST", 20)
        cut = jd.simulate(system, q, u, 1.5, PUSHED, RK4, modes=modes, progress=stop, checkpoint=path)
    assert cut.status is jd.Status.INTERRUPTED
    run = jd.resume(path, system)
    assert modes_of(run) == ((), ("by the clock",))
    assert np.array_equal(run.q, whole.q) and np.array_equal(run.u, whole.u) and run.counts == whole.counts


def test_a_run_is_the_same_to_the_bit_whoever_compiles_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = cart()
    q, u = rolling(system)

    def run() -> tuple[bytes, bool]:
        found = jd.simulate(system, q, u, 1.0, PUSHED, RK4, modes=[(), "by the clock"])
        assert isinstance(found, ModalRun) and isinstance(found.going, ChangingRun) and found.work is not None
        bits = found.q.tobytes() + found.u.tobytes() + found.work.tobytes() + b"".join(
            np.array([x.t, x.work]).tobytes() + x.u.tobytes() for x in found.changes
        )
        return bits, found.going.routine.cached

    monkeypatch.setenv(VARIABLE, str(tmp_path))
    modal_routine_of.cache_clear()
    first, was_cached = run()
    again, _ = run()
    modal_routine_of.cache_clear()
    warm, is_cached = run()
    assert (was_cached, is_cached) == (False, True)
    assert first == again == warm
