"""Code of modes made in the background, while a machine goes on, and the change from one code to the next."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...native import Session

log = logging.getLogger("jourdain")
Floats = NDArray[np.float64]
Mode = tuple[str, ...]


SHORT = 5e-4  # [s] after which Python lets a thread that waits have its turn, instead of the usual 5 ms
_yielding = threading.Lock()


@contextmanager
def yielding() -> Iterator[None]:
    """Inside the block a thread that ticks waits for one that derives only shortly; one such block at a time.

    What is not Python's, LLVM's work above all, lets other threads run anyway.
    """
    with _yielding:
        usual = sys.getswitchinterval()
        sys.setswitchinterval(min(SHORT, usual))
        try:
            yield
        finally:
            sys.setswitchinterval(usual)


class Carrying:
    """Working memory of one code taken over into that of another, by the names of cells and arrays.

    Values that depend on parameters alone stay behind: each code computes its own when it begins.
    """

    def __init__(self, old: Session, new: Session) -> None:
        places = _places(old)
        pairs = [(places[name], at) for name, at in _places(new).items() if name in places]
        self._from, self._to = (np.array(x, dtype=np.intp) for x in zip(*pairs))

    def carry(self, old: Session, new: Session) -> None:
        """Copies it."""
        new.memory[self._to] = old.memory[self._from]


def _places(session: Session) -> dict[tuple[str, int, int], int]:
    """Where the numbers of cells (length 0) and of arrays lie, by name, length and place in it."""
    procedure = session.routine.procedure
    found = {(name, 0, 0): k for k, name in enumerate(procedure.cells)}
    for array, start in procedure.offsets.items():
        if array is not procedure.memory and not array.name.startswith("hoisted"):
            found.update({(array.name, array.length, k): start + k for k in range(array.length)})
    return found


@dataclass(frozen=True)
class Prepared:
    """Code that is ready to be adopted.

    modes: those that it has; session: its memory, and ahead: another one, to look ahead with. carrying: from the code
    before. news: the modes that the code before did not have. seconds: since it was asked for.
    """

    modes: tuple[Mode, ...]
    session: Session
    ahead: Session
    carrying: Carrying
    news: tuple[Mode, ...]
    seconds: float


class Preparing:
    """One thread at a time that makes code of the modes that are wanted, and lays it ready."""

    def __init__(self, make: Callable[[tuple[Mode, ...], float], Prepared | None]) -> None:
        """make: code of these modes and those that there are, wanted since then; None where nothing is gained."""
        self._make = make
        self._lock = threading.Condition()
        self._wanted: dict[Mode, float] = {}
        self._is_working = False
        self._ready: Prepared | None = None
        self._is_closed = False

    def want(self, mode: Mode) -> None:
        """Asks for a mode's code, and returns at once."""
        with self._lock:
            if self._is_closed:
                return
            self._wanted.setdefault(mode, time.perf_counter())
            self._go_on()

    def take(self) -> Prepared | None:
        """What is ready, if anything is; it is to be adopted before more is made."""
        if self._ready is None:
            return None
        with self._lock:
            found, self._ready = self._ready, None
        return found

    def adopted(self) -> None:
        """What was taken is in use."""
        with self._lock:
            self._go_on()

    def wait(self, timeout: float | None = None) -> bool:
        """Until what is wanted is ready; False where the time [s] was too short."""
        with self._lock:
            return self._lock.wait_for(lambda: not self._is_working, timeout)

    def close(self) -> None:
        """Makes nothing any more; waits for what is being made."""
        with self._lock:
            self._is_closed = True
            self._wanted.clear()
        self.wait()

    # -- inside ---------------------------------------------------------------------------------------------------

    def _go_on(self) -> None:
        if self._wanted and not self._is_working and self._ready is None:
            self._is_working = True
            modes, since = tuple(self._wanted), min(self._wanted.values())
            self._wanted.clear()
            threading.Thread(target=self._work, args=(modes, since), name="jourdain: code of a mode").start()

    def _work(self, modes: tuple[Mode, ...], since: float) -> None:
        made = None
        try:
            with yielding():
                made = self._make(modes, since)
        except Exception:  # the machine goes on by the general equations
            log.exception("no code was made of mode %s", modes)
        with self._lock:
            self._is_working = False
            self._ready = made
            if made is None:
                self._go_on()
            self._lock.notify_all()
