"""The time of a call from Python, measured as compiled loops are."""

from __future__ import annotations

from collections.abc import Callable

from ..native.timing import least_mean_ns


def fastest_call_ns(call: Callable[[], object], seconds: float) -> float:
    """Nanoseconds of one call from Python: the best mean over blocks of about 0.1 ms."""

    def repeat(n: int) -> None:
        for _ in range(n):
            call()

    call()
    return least_mean_ns(repeat, seconds)
