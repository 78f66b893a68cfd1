"""The time of fast things on a machine that does others too: the least mean over blocks."""

from __future__ import annotations

import time
from collections.abc import Callable

BLOCK = 1e-4  # seconds: long against the clock's grain, short against the scheduler's


def least_mean_ns(repeat: Callable[[int], object], seconds: float) -> float:
    """Nanoseconds of one repetition: the least mean over blocks of about 0.1 ms, measured for `seconds`."""
    clock = time.perf_counter
    end = clock() + seconds
    n, best = 1, float("inf")
    while True:
        start = clock()
        repeat(n)
        spent = clock() - start
        if spent < BLOCK / 2:  # not a block yet
            n *= 2
        else:
            best = min(best, spent / n)
        if clock() > end and best < float("inf"):
            return best * 1e9
