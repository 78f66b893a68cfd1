"""How far a long run is, for whoever waits for it."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..console import Console, Meter
from .compiled_run import Progress

OFTEN = 0.1  # seconds between two looks of a bar on a terminal
SELDOM = 2.0  # seconds, at least, between two lines elsewhere
TENTH = 0.1  # of the run, between two lines elsewhere


class Told:
    """Says on a console how far a run is: a bar on a terminal, a line now and then elsewhere.

    name: what moves; start, final [s].
    """

    def __init__(
        self, console: Console, name: str, start: float, final: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.console, self.clock = console, clock
        self.meter = Meter(name, start, final)
        self._began = self._last = clock()
        self._share = 0.0

    def __call__(self, share: float) -> None:
        """With the share that is done."""
        now = self.clock()
        if self.console.live:
            due = now - self._last >= OFTEN
        else:
            due = now - self._last >= SELDOM and share - self._share >= TENTH
        if due:
            self._last, self._share = now, share
            self.console.progress(self.meter.line(share, now - self._began))

    def close(self) -> None:
        """Wipes the bar."""
        self.console.close()


def progress_of(asked: Progress | Console | bool | None, name: str, start: float, final: float) -> Progress | None:
    """What is called with the share that is done; a console, or True, standard error's: says it there."""
    if isinstance(asked, Console):
        return Told(asked, name, start, final)
    return Told(Console(), name, start, final) if asked is True else asked or None
