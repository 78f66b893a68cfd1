"""A real-time loop around stages: started, stopped, looked at from Python, which is not in it."""

from __future__ import annotations

import atexit
import ctypes
import os
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .channel import Channel
from .clock import Clock, system_clock
from .granting import NOT_ASKED, Granted, ask, give_back
from .lateness import Lateness
from .stage import Floats, Stage
from .ticking import BINS, FIELDS, INPUT, MOST_INPUTS, OUTPUT, ROW, STAGE, TIMING, library

SLOWEST, FASTEST = 100.0, 10_000.0  # Hz
LOG = 4096  # ticks; a power of two
_RUN = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)  # Python's lock is given away meanwhile


def timing() -> Floats:
    """Room for what stages are told of the time: `TIMING`, then ages of inputs. To be given to them and to the loop."""
    return np.zeros(len(TIMING) + MOST_INPUTS)


class Loop:
    """Soft real time: deadlines are absolute; one that is over is skipped and counted, never made up for.

    rate: ticks a second. stages: in the order in which they are done. told: as `timing` makes it; stages of whom it is
    a given array know the time. inputs: channels, and the arrays into which their messages come before the stages.
    outputs: arrays that are published together after them. log: how many of the last ticks are remembered.
    """

    def __init__(
        self,
        rate: float,
        stages: Sequence[Stage],
        told: Floats | None = None,
        inputs: Sequence[tuple[Channel, Floats]] = (),
        outputs: Sequence[Floats] = (),
        log: int = LOG,
        clock: Clock | None = None,
    ) -> None:
        if not SLOWEST <= rate <= FASTEST:
            raise ValueError(f"a rate of {rate!r} Hz; the loop runs at {SLOWEST:g} to {FASTEST:g} Hz")
        if log < 1 or log & (log - 1):
            raise ValueError(f"a log of {log} ticks; a power of two is needed")
        if len(inputs) > MOST_INPUTS:
            raise ValueError(f"{len(inputs)} inputs; at most {MOST_INPUTS} are looked at in a tick")
        self.rate, self.stages = rate, tuple(stages)
        self.told = timing() if told is None else _checked("told", told, len(TIMING) + MOST_INPUTS)
        self.granted: Granted = NOT_ASKED
        self._inputs = [(channel, _checked("an input's array", x, channel.size)) for channel, x in inputs]
        self._outputs = [_checked("an output", x, 1) for x in outputs]
        self._clock = clock or system_clock()
        self._bins = np.zeros(BINS, dtype=np.int64)
        self._rows = np.zeros((log, ROW), dtype=np.int64)
        self.snapshots = Channel(max(1, sum(x.size for x in self._outputs)))
        self._block = np.zeros(len(FIELDS), dtype=np.int64)
        self._lay_out()
        self._thread: threading.Thread | None = None
        self._raised: BaseException | None = None

    # -- running --------------------------------------------------------------------------------------------------

    def run(self, ticks: int) -> None:
        """So many ticks in this thread, which asks for nothing."""
        if ticks < 1:
            raise ValueError(f"{ticks} ticks; at least one is needed")
        self._be_idle()
        self._prepare(ticks)
        self._go()

    def start(self, priority: bool = True, ticks: int = 0) -> None:
        """In a thread of its own, until `stop`, or for so many ticks. priority: whether it asks for real-time priority,
        memory that stays and exact timers; `granted` says what it got."""
        self._be_idle()
        self._prepare(ticks)
        self._raised, ready = None, threading.Event()

        def work() -> None:
            self.granted = NOT_ASKED
            try:
                self.granted = ask() if priority else NOT_ASKED
                ready.set()
                self._go()
            except BaseException as raised:
                self._raised = raised
            finally:
                ready.set()
                give_back(self.granted)

        self._thread = threading.Thread(target=work, name="jourdain touch", daemon=True)
        atexit.register(self.stop)  # no force is left standing when Python goes
        self._thread.start()
        ready.wait()

    def stop(self) -> None:
        """Ends it after the tick that is under way; stages that are done at the end are done once more."""
        self._set("stop", 1)
        self.join()

    def join(self, seconds: float | None = None) -> bool:
        """Waits for the end; whether it has come. What went wrong is raised."""
        if self._thread is not None:
            self._thread.join(seconds)
            if self._thread.is_alive():
                return False
            self._thread = None
            atexit.unregister(self.stop)
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised
        return True

    @property
    def is_running(self) -> bool:
        """Whether its thread is."""
        return self._thread is not None and self._thread.is_alive()

    def __enter__(self) -> Loop:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    # -- looking at it --------------------------------------------------------------------------------------------

    @property
    def ticks(self) -> int:
        """Done so far."""
        return self._get("ticks")

    def snapshot(self) -> list[Floats]:
        """The outputs as they were at the end of one tick, in the shapes in which they were given."""
        numbers, found, place = self.snapshots.read(), [], 0
        for x in self._outputs:
            found.append(numbers[place : place + x.size].reshape(x.shape))
            place += x.size
        return found

    @property
    def lateness(self) -> Lateness:
        """Since the start. While the loop runs its parts may be of ticks next to each other."""
        return Lateness(
            self.rate, self.ticks, self._get("skipped"), self._get("worst") / 1e9, self._get("longest") / 1e9,
            self._bins.copy(),
        )  # fmt: skip

    @property
    def log(self) -> NDArray[np.int64]:
        """The last ticks (ticks, 4): number, deadline since the first one, lateness, duration, the last three in
        nanoseconds. Of a loop that is running the oldest rows may have given way to new ones."""
        done, room = self.ticks, len(self._rows)
        return self._rows[np.arange(max(0, done - room), done) % room].copy()

    # -- inside ---------------------------------------------------------------------------------------------------

    def _be_idle(self) -> None:
        if self.is_running:
            raise RuntimeError("the loop is running; stop it first")

    def _prepare(self, limit: int) -> None:
        self._bins[:] = 0
        self.told[:] = 0.0
        self._tables["inputs"][:, -1] = 0  # ages
        for name in ("stop", "deadline", "ticks", "skipped", "worst", "longest", "error"):
            self._set(name, 0)
        self._set("limit", limit)

    def _go(self) -> None:
        error = _RUN(library().addresses["run"])(self._block.ctypes.data)
        if error:
            raise OSError(int(error), f"the clock cannot be waited for: {os.strerror(int(error))}")

    def _lay_out(self) -> None:
        """The tables. What is written to them are addresses of arrays that this object keeps."""
        self._staging = [np.zeros(channel.size) for channel, _ in self._inputs]
        stages = [[*x.entry, int(x.at_end)] for x in self.stages]
        inputs = [
            [channel.address, room.ctypes.data, x.ctypes.data, 0, 0]
            for (channel, x), room in zip(self._inputs, self._staging)
        ]
        outputs = [[x.ctypes.data, x.size] for x in self._outputs]
        self._tables = {
            "stages": _table(stages, STAGE), "inputs": _table(inputs, INPUT), "outputs": _table(outputs, OUTPUT),
        }  # fmt: skip
        for name, table in self._tables.items():
            self._set(name, table.ctypes.data)
            self._set(name[:-1] + "_count", len(table))
        for name, value in {
            "period": round(1e9 / self.rate), "gettime": self._clock.gettime, "nanosleep": self._clock.nanosleep,
            "snapshot": self.snapshots.address, "timing": self.told.ctypes.data, "bins": self._bins.ctypes.data,
            "rows": self._rows.ctypes.data, "row_mask": len(self._rows) - 1,
        }.items():  # fmt: skip
            self._set(name, value)

    def _get(self, name: str) -> int:
        return int(self._block[FIELDS.index(name)])

    def _set(self, name: str, value: Any) -> None:
        self._block[FIELDS.index(name)] = value


def _table(rows: list[list[int]], width: int) -> NDArray[np.int64]:
    return np.array(rows, dtype=np.int64).reshape(-1, width)


def _checked(what: str, array: Floats, size: int) -> Floats:
    fits = isinstance(array, np.ndarray) and array.dtype == np.float64 and array.flags.c_contiguous
    if not fits or array.size < size:
        raise ValueError(f"{what} must be an array of at least {size} numbers, in one piece, in float64")
    return array
