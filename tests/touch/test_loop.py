"""The loop: deadlines, and what becomes of those that are missed; what stages are told; how it ends."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import threading

import numpy as np
import pytest

from jourdain.touch import clock as clocks
from jourdain.touch import granting
from jourdain.touch.channel import Channel
from jourdain.touch.lateness import upper_edge
from jourdain.touch.loop import Loop, timing
from jourdain.touch.ticking import BINS, TIMING

from .simulated import EINTR, SECOND, Simulated, in_python

PERIOD = SECOND // 1000


def test_deadlines_are_absolute() -> None:
    """A wait that ends late, and a tick that takes long, move none of those that follow."""
    simulated = Simulated(late=300_000)

    def work() -> None:
        simulated.now += 500_000

    loop = Loop(1000.0, [in_python("work", work)], clock=simulated.clock)
    loop.run(50)
    first = 5 * SECOND + PERIOD
    assert simulated.deadlines == [first + k * PERIOD for k in range(50)]
    found = loop.lateness
    assert (found.ticks, found.skipped, found.missed) == (50, 0, 0.0)
    assert found.worst == found.quantile(0.5) == 300e-6
    assert found.longest == 500e-6
    assert np.array_equal(loop.log, [[k, k * PERIOD, 300_000, 500_000] for k in range(50)])


@pytest.mark.parametrize("periods", [1.0, 1.5, 3.2, 7.0, 2500.3])
def test_what_is_missed_is_skipped_and_counted(periods: float) -> None:
    """One tick takes so many periods: the next one is at the first deadline that is not over, and never two in one."""
    simulated, begun = Simulated(), list[int]()

    def work() -> None:
        begun.append(simulated.now)
        simulated.now += int(periods * PERIOD) if len(begun) == 3 else 1000

    told = timing()
    seen = list[float]()
    loop = Loop(
        1000.0, [in_python("look", lambda: seen.append(told[4])), in_python("work", work)], told, clock=simulated.clock
    )
    loop.run(6)
    missed = int(periods)
    assert [round((x - begun[0]) / PERIOD) for x in begun] == [0, 1, 2, 3 + missed, 4 + missed, 5 + missed]
    assert len({(x - begun[0]) // PERIOD for x in begun}) == 6
    assert seen == [0.0, 0.0, 0.0, float(missed), 0.0, 0.0]
    found = loop.lateness
    assert (found.ticks, found.skipped) == (6, missed)
    assert found.missed == missed / (6 + missed)
    assert not found.keeps_rate


def test_late_by_more_than_a_period() -> None:
    simulated = Simulated(late=int(1.5 * PERIOD))
    loop = Loop(1000.0, [], clock=simulated.clock)
    loop.run(10)
    assert (loop.ticks, loop.lateness.skipped) == (10, 10)
    assert np.array_equal(np.diff(simulated.deadlines), np.full(9, 2 * PERIOD))


def test_what_stages_are_told() -> None:
    simulated = Simulated(late=20_000)
    told, rows = timing(), list[np.ndarray]()

    def work() -> None:
        rows.append(told.copy())
        simulated.now += 40_000

    channel, target = Channel(1), np.zeros(1)
    loop = Loop(500.0, [in_python("work", work, at_end=True)], told, [(channel, target)], clock=simulated.clock)
    loop.run(3)
    of = {name: [row[k] for row in rows] for k, name in enumerate(TIMING)}
    assert of["tick"][:3] == [0.0, 1.0, 2.0]
    assert of["time"][:3] == pytest.approx([0.0, 0.002, 0.004], abs=1e-18)
    assert of["period"] == [0.002] * 4
    assert of["late"] == pytest.approx([20e-6] * 4)
    assert of["busy"] == pytest.approx([0.0, 40e-6, 40e-6, 40e-6])
    assert of["ending"] == [0.0, 0.0, 0.0, 1.0]
    assert [row[len(TIMING)] for row in rows[:3]] == [1.0, 2.0, 3.0]  # no message yet


def test_stages_are_done_in_order_and_some_at_the_end() -> None:
    done: list[str] = []
    stages = [
        in_python("a", lambda: done.append("a")), in_python("b", lambda: done.append("b"), at_end=True),
        in_python("c", lambda: done.append("c")),
    ]  # fmt: skip
    Loop(1000.0, stages, clock=Simulated().clock).run(2)
    assert "".join(done) == "abcabcb"


def test_inputs_come_whole_and_outputs_leave_together() -> None:
    simulated = Simulated()
    channel, target, out = Channel(3), np.zeros(3), np.zeros((2, 2))
    ages, told = list[float](), timing()

    def work() -> None:
        ages.append(told[len(TIMING)])
        out[:] = target[0]
        if told[0] in (1.0, 4.0):
            channel.write([told[0] + 10.0, 0.0, 0.0])

    loop = Loop(1000.0, [in_python("work", work)], told, [(channel, target)], [told, out], clock=simulated.clock)
    loop.run(6)
    assert ages == [1.0, 2.0, 0.0, 1.0, 2.0, 0.0]
    assert np.array_equal(target, [14.0, 0.0, 0.0])
    found = loop.snapshot()
    assert np.array_equal(found[1], np.full((2, 2), 14.0))
    assert found[0][0] == 5.0


def test_a_signal_does_not_end_a_wait_and_an_error_does() -> None:
    simulated = Simulated()
    simulated.answers = [EINTR, EINTR]
    loop = Loop(1000.0, [], clock=simulated.clock)
    loop.run(2)
    assert loop.ticks == 2
    simulated.answers = [22]
    ended: list[int] = []
    loop = Loop(1000.0, [in_python("end", lambda: ended.append(1), at_end=True)], clock=simulated.clock)
    with pytest.raises(OSError, match="the clock cannot be waited for"):
        loop.run(2)
    assert (loop.ticks, ended) == (0, [1])  # what takes forces away is done all the same
    simulated.answers = [22]
    loop.start(priority=False)
    with pytest.raises(OSError, match="the clock cannot be waited for"):
        loop.join()


def test_it_can_be_run_again() -> None:
    simulated = Simulated(late=1000)
    loop = Loop(1000.0, [], clock=simulated.clock, log=8)
    loop.run(20)
    assert np.array_equal(loop.log[:, 0], np.arange(12, 20))
    simulated.now += 17 * SECOND
    loop.run(3)
    assert (loop.ticks, loop.lateness.skipped, int(loop.lateness.counts.sum())) == (3, 0, 3)


def test_bins_hold_what_they_say() -> None:
    edges = np.array([upper_edge(k) for k in range(BINS - 1)])
    assert np.all(np.diff(edges) > 0.0)
    for late in (0, 1, 2, 63, 64, 1000, 12_345, 999_999, 10**10):
        simulated = Simulated(late=late)
        loop = Loop(1000.0, [], clock=simulated.clock)
        loop.run(1)
        (place,) = np.flatnonzero(loop.lateness.counts)
        assert (edges[place - 1] if place else -1.0) <= late < edges[place] + 1e-9
        assert edges[place] <= max(late * (1.0 + 1 / 64) + 2.0, 1.0)
        assert loop.lateness.quantile(1.0) == late / 1e9


# -- threads ----------------------------------------------------------------------------------------------------------


def test_messages_are_never_torn() -> None:
    """A thread writes as fast as it can messages whose numbers are all the same."""
    channel, stop = Channel(64), threading.Event()

    def write() -> None:
        k = 0.0
        while not stop.is_set():
            k += 1.0
            channel.write(np.full(64, k))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        found = np.array([channel.read() for _ in range(3000)])
    finally:
        stop.set()
        writer.join()
    assert np.all(found == found[:, :1])
    assert np.all(np.diff(found[:, 0]) >= 0.0)


def test_the_loops_snapshots_are_never_torn() -> None:
    """The loop, with a clock that does not wait, publishes what it was told beside itself."""
    told, channel, target = timing(), Channel(40), np.zeros(40)
    loop = Loop(10_000.0, [], told, [(channel, target)], [target, told])
    loop.start(priority=False)
    numbers = []
    for k in range(2000):
        channel.write(np.full(40, float(k)))
        found = loop.snapshot()[0]
        assert np.all(found == found[0])
        numbers.append(found[0])
    loop.stop()
    assert np.all(np.diff(numbers) >= 0.0)


def test_on_the_systems_clock() -> None:
    """Counts agree whatever the machine is busy with."""
    told = timing()
    loop = Loop(2000.0, [], told)
    loop.start(priority=False, ticks=100)
    assert loop.granted is granting.NOT_ASKED
    with pytest.raises(RuntimeError, match="is running"):
        loop.run(1)
    assert loop.join()
    found, rows = loop.lateness, loop.log
    assert (loop.ticks, int(found.counts.sum()), len(rows)) == (100, 100, 100)
    steps = np.diff(rows[:, 1]) // 500_000
    assert np.all(steps >= 1)
    after_the_last = int(rows[-1, 2] + rows[-1, 3]) // 500_000
    assert int((steps - 1).sum()) + after_the_last == found.skipped
    assert "p50" in repr(found)
    with Loop(100.0, []) as running:
        assert running.is_running
        assert len(running.granted.lines()) == 3
    assert not running.is_running


def test_python_ends_while_a_loop_runs() -> None:
    """Nobody has stopped it: it is stopped, and does what is done at the end."""
    code = (
        "import ctypes, numpy as np\n"
        "from jourdain.touch import Loop, Stage\n"
        "kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)\n"
        "call = kind(lambda a, b: print('end', flush=True) if loop.told[7] else None)\n"
        "loop = Loop(1000.0, [Stage('last', (ctypes.cast(call, ctypes.c_void_p).value, 0, 0), True, call)])\n"
        "loop.start()\n"
        "while loop.ticks < 20: pass\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


# -- refusals ---------------------------------------------------------------------------------------------------------


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    simulated = Simulated().clock
    for rate in (10.0, 20_000.0, float("nan")):
        with pytest.raises(ValueError, match="the loop runs at 100 to 10000 Hz"):
            Loop(rate, [], clock=simulated)
    with pytest.raises(ValueError, match="a power of two"):
        Loop(1000.0, [], log=1000, clock=simulated)
    with pytest.raises(ValueError, match="at least one"):
        Loop(1000.0, [], clock=simulated).run(0)
    with pytest.raises(ValueError, match="in one piece"):
        Loop(1000.0, [], outputs=[np.zeros((4, 4))[:, 1]], clock=simulated)
    with pytest.raises(ValueError, match="at least 16 numbers"):
        Loop(1000.0, [], np.zeros(3), clock=simulated)
    with pytest.raises(ValueError, match="at most 8"):
        Loop(1000.0, [], inputs=[(Channel(1), np.zeros(1))] * 9, clock=simulated)
    with pytest.raises(ValueError, match="at least one"):
        Channel(0)
    with pytest.raises(ValueError, match="shape"):
        Channel(2).write([1.0])
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(clocks.NoClock, match=r"clock_nanosleep with absolute deadlines.*'darwin'"):
        Loop(1000.0, [])
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("struct.calcsize", lambda _: 4)
    with pytest.raises(clocks.NoClock, match="64-bit"):
        Loop(1000.0, [])


def test_a_c_library_without_the_function() -> None:
    with pytest.raises(clocks.NoClock, match="no function 'clock_that_is_not'"):
        clocks._address(ctypes.CDLL(None), "clock_that_is_not")


def test_wishes_that_are_refused_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing:
        def mlockall(self, flags: int) -> int:
            ctypes.set_errno(12)
            return -1

        def prctl(self, *arguments: object) -> int:
            ctypes.set_errno(1)
            return -1

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.sched_setscheduler", refuse)
    monkeypatch.setattr("ctypes.CDLL", lambda *_, **__: Refusing())
    found = granting.ask()
    assert not found.whole
    assert "rtprio 80" in found.priority and "Operation not permitted" in found.priority
    assert "memlock unlimited" in found.memory
    assert found.timers
    assert found.lines()[0].startswith("real-time priority (SCHED_FIFO 80): not granted: Operation not permitted")
    monkeypatch.setattr("ctypes.CDLL", lambda *_, **__: object())
    assert granting.ask().memory == "the C library has no mlockall"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert granting.ask().priority == "'darwin' has no SCHED_FIFO for a thread"
