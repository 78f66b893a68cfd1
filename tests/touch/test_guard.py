"""The guard: what it lets through, cuts, and takes away; as Python, and as the loop runs it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from jourdain.touch.guard import Guard, Limits
from jourdain.touch.guarding import Fault, Guarded, guard
from jourdain.touch.loop import Loop, timing
from jourdain.touch.stage import Floats

from .simulated import Simulated, in_python

RATE = 1000.0
LIMITS = Limits(force=2.0, torque=0.5, force_rate=500.0, torque_rate=100.0, ramp=0.01, misses=3, oldest=0.005)


class Guarding:
    """A loop with a guard, by a simulated clock. before: what happens before the guard in a tick, by its number."""

    def __init__(self, hands: int = 1, limits: Limits = LIMITS) -> None:
        self.told, self.wanted, self.flags = timing(), np.zeros(6 * hands), np.zeros(2)
        self.guard = Guard(self.told, self.wanted, np.zeros(6 * hands), limits, self.flags)
        self.guard.watch(RATE)
        self.simulated = Simulated()
        self.before: dict[int, Callable[[], object]] = {}
        self.always: Callable[[], object] = lambda: None
        self.shown: list[Floats] = []
        self.states: list[Guarded] = []

    def run(self, ticks: int) -> None:
        """What is shown in every tick, and after the last."""

        def before() -> None:
            self.always()
            self.before.get(int(self.told[0]), lambda: None)()

        def after() -> None:
            self.shown.append(self.guard.shown.copy())
            self.states.append(self.guard.state)

        stages = [in_python("before", before), self.guard.stage, in_python("after", after, at_end=True)]
        loop = Loop(
            RATE, stages, self.told, [(self.guard.orders, self.guard.order)], clock=self.simulated.clock
        )
        loop.run(ticks)

    @property
    def forces(self) -> Floats:
        return np.array(self.shown)[:, 0]


def test_off_until_it_is_armed_then_growing() -> None:
    g = Guarding()
    g.wanted[:] = [1.0, 0, 0, 0, 0.2, 0]
    g.always = lambda: g.guard.arm() if g.told[0] >= 4 else None
    g.run(30)
    # The order is written in tick 4 and comes in tick 5.
    assert np.all(np.array(g.shown)[:5] == 0.0)
    ramp = np.minimum(1.0, 0.1 * np.arange(1, 26))
    assert np.array(g.shown)[5:30, 0] == pytest.approx(ramp, rel=1e-12)
    assert np.array(g.shown)[5:30, 4] == pytest.approx(0.2 * ramp, rel=1e-12)
    assert g.states[4:6] == [Guarded.OFF, Guarded.ON]
    assert np.all(g.shown[-1] == 0.0)  # after the end
    assert g.states[-1] is Guarded.OFF


def test_forces_and_torques_are_cut_to_size_and_keep_their_direction() -> None:
    g = Guarding(hands=2)
    g.wanted[:] = [30.0, 40.0, 0, 0, 0, -9.0, 1.0, 0, 0, 0.1, 0, 0]
    g.always = g.guard.arm
    g.run(40)
    last = g.shown[39]
    assert last == pytest.approx([1.2, 1.6, 0, 0, 0, -0.5, 1.0, 0, 0, 0.1, 0, 0], rel=1e-12)
    sizes = np.linalg.norm(np.array(g.shown)[:40, :3], axis=1)
    assert sizes.max() <= 2.0 * (1 + 1e-12)
    assert np.diff(sizes).max() <= 0.5 + 1e-12  # 500 N/s
    assert g.guard.ticks_cut > 0


def test_a_force_that_turns_about_does_so_slowly() -> None:
    g = Guarding()
    g.wanted[0] = 1.9
    g.before[30] = lambda: g.wanted.__setitem__(0, -1.9)
    g.always = g.guard.arm
    g.run(50)
    assert g.forces[29:40] == pytest.approx([1.9, 1.4, 0.9, 0.4, -0.1, -0.6, -1.1, -1.6, -1.9, -1.9, -1.9], rel=1e-9)


def test_an_emergency_stop_is_at_once_and_stays() -> None:
    g = Guarding()
    g.wanted[0] = 1.0
    g.always = lambda: g.guard.arm() if g.told[0] < 20 or g.told[0] > 21 else None
    g.before[20] = g.guard.emergency_stop
    g.before[21] = g.guard.emergency_stop
    g.run(40)
    assert g.forces[20] == pytest.approx(1.0)
    assert np.all(g.forces[21:] == 0.0)  # `arm` alone is not enough
    assert g.states[39] is Guarded.STOPPED
    assert g.guard.fault is Fault.EMERGENCY
    g.always = lambda: g.guard.disarm() if g.told[0] < 5 else g.guard.arm()
    g.run(20)
    assert g.states[-2] is Guarded.ON


def test_a_stale_order_lets_the_force_fall() -> None:
    g = Guarding()
    g.wanted[0] = 1.0
    g.always = lambda: g.guard.arm() if g.told[0] < 20 else None
    g.run(45)
    # The last order came in tick 20 and is 6 ticks old in tick 26.
    assert g.states[25] is Guarded.ON
    assert g.states[26] is Guarded.SAFE
    assert g.forces[26:37] == pytest.approx([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0, 0.0], abs=1e-12)
    assert g.guard.fault is Fault.STALE
    assert g.guard.level == 0.0


def test_misses_in_a_row_are_a_fault_and_single_ones_are_not() -> None:
    g = Guarding()
    g.wanted[0] = 1.0
    g.always = g.guard.arm

    def hold() -> None:
        g.simulated.now += 1_500_000

    for k in (20, 22, 24, 26):
        g.before[k] = hold
    g.run(30)
    assert g.states[29] is Guarded.ON
    assert g.told[5] == 4.0
    g.before = dict.fromkeys((10, 11, 12), hold)
    g.states, g.shown = [], []
    g.run(30)
    assert [x is Guarded.ON for x in g.states[11:14]] == [True, True, False]
    assert g.states[13] is Guarded.SAFE
    # Each tick after a skipped deadline is two periods on: the force falls with the time that has passed.
    assert g.forces[12:16] == pytest.approx([1.0, 0.8, 0.7, 0.6], abs=1e-9)
    assert g.guard.fault is Fault.MISSES


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_is_never_shown(bad: float) -> None:
    g = Guarding()
    g.wanted[0] = 1.0
    g.always = g.guard.arm
    g.before[20] = lambda: g.wanted.__setitem__(2, bad)
    g.run(30)
    assert np.all(np.isfinite(g.shown))
    assert np.all(g.forces[20:] == 0.0)
    assert g.guard.fault is Fault.NOT_FINITE


def test_a_device_that_is_lost_and_comes_back() -> None:
    g = Guarding()
    g.wanted[0] = 1.0
    g.always = lambda: g.guard.disarm() if 35 <= g.told[0] < 38 else g.guard.arm()
    g.before[20] = lambda: g.flags.__setitem__(1, 1.0)
    g.before[30] = lambda: g.flags.__setitem__(1, 0.0)
    g.run(60)
    assert g.states[19:21] == [Guarded.ON, Guarded.SAFE]
    assert g.states[33] is Guarded.SAFE  # until the order was withdrawn
    assert g.states[36] is Guarded.OFF
    assert g.states[40] is Guarded.ON
    assert g.forces[59] == pytest.approx(1.0)


def test_an_order_that_is_withdrawn_lets_the_force_fall_to_zero_before_it_grows_again() -> None:
    g = Guarding()
    g.wanted[0] = 1.0
    g.always = lambda: g.guard.disarm() if 20 <= g.told[0] < 23 else g.guard.arm()
    g.run(50)
    assert g.forces[20:33] == pytest.approx([1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0, 0.1, 0.2], abs=1e-9)


def test_machine_code_does_what_python_does() -> None:
    rng = np.random.default_rng(0)
    for hands in (1, 3):
        g = Guarding(hands)
        n = 6 * hands
        given = g.guard.session.given
        other = {name: x.copy() for name, x in given.items()}
        for _ in range(2000):
            for name, chances in (("order", 0.02), ("flags", 0.01)):
                change = rng.random(2) < chances
                given[name][change] = rng.integers(0, 2, change.sum())
            given["wanted"][:] += rng.normal(scale=0.3, size=n)
            if rng.random() < 0.005:
                given["wanted"][rng.integers(n)] = np.nan
            elif rng.random() < 0.1:
                given["wanted"][:] = 0.0
            given["told"][2], given["told"][4] = 1e-3, float(rng.random() < 0.3)
            given["told"][8] = float(rng.integers(0, 6))
            for name in ("order", "flags", "wanted", "told"):
                other[name][:] = given[name]
            g.guard.session.run()
            guard(
                other["told"], other["order"], other["limits"], other["oldest"], 8, other["flags"], 2,
                other["wanted"], other["shown"], other["held"], other["kept"], hands,
            )  # fmt: skip
            for name in ("shown", "held", "kept"):
                assert np.array_equal(given[name], other[name]), name


def test_refusals() -> None:
    with pytest.raises(ValueError, match=r"force = -1\.0"):
        Limits(force=-1.0)
    with pytest.raises(ValueError, match="ramp = inf"):
        Limits(ramp=float("inf"))
    with pytest.raises(ValueError, match="six are needed"):
        Guard(timing(), np.zeros(5), np.zeros(5))
