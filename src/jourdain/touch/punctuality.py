"""How punctual this machine is: loops without work at several rates, beside a Python thread that never rests."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from .granting import Granted
from .lateness import Lateness
from .loop import FASTEST, SLOWEST, Loop

RATES = (100.0, 500.0, 1000.0, 2000.0, 4000.0, 10_000.0)  # Hz
HEADER = ("rate", "asked for", "p50 µs", "p99 µs", "p99.9 µs", "worst µs", "missed", "of", "share")


@dataclass(frozen=True)
class Measured:
    """One loop: whether it asked for priority, what it got, and how late it was."""

    asked: bool
    granted: Granted
    lateness: Lateness

    def cells(self) -> list[str]:
        """For a table under `HEADER`."""
        x = self.lateness
        times = [*(x.quantile(share) for share in (0.5, 0.99, 0.999)), x.worst]
        return [
            f"{x.rate:g} Hz", "priority" if self.asked else "nothing", *(f"{1e6 * time:.1f}" for time in times),
            f"{x.skipped}", f"{x.ticks + x.skipped}", f"{100.0 * x.missed:.3f} %",
        ]  # fmt: skip


@contextmanager
def busy_thread() -> Iterator[None]:
    """A thread of Python's that never waits."""
    stop = False

    def work() -> None:
        n = 0
        while not stop:
            n = (n * 3 + 1) % 1_000_003

    thread = threading.Thread(target=work, name="busy", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop = True
        thread.join()


def measure(seconds: float, rates: Sequence[float] = RATES) -> Iterator[Measured]:
    """Every rate without and with priority, each for so many seconds."""
    for rate in rates:
        if not SLOWEST <= rate <= FASTEST:
            raise ValueError(f"a rate of {rate!r} Hz; the loop runs at {SLOWEST:g} to {FASTEST:g} Hz")
    for asked in (False, True):
        for rate in rates:
            loop = Loop(rate, [])
            with busy_thread():
                # A deadline that was missed is one tick less.
                loop.start(asked, ticks=max(1, round(rate * seconds)))
                while not loop.join(0.1):  # so that Ctrl-C is answered
                    pass
            yield Measured(asked, loop.granted, loop.lateness)


def promised(measured: Iterable[Measured]) -> float:
    """The highest rate, with priority asked for, at which less than one deadline in a thousand was missed, as at all
    lower ones; 0.0 if there is none."""
    best = 0.0
    for x in sorted((x.lateness for x in measured if x.asked), key=lambda x: x.rate):
        if not x.keeps_rate:
            break
        best = x.rate
    return best
