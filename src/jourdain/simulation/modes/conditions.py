"""Conditions of switches at the very time at which they have acted, where rounding must not decide for them."""

from __future__ import annotations

from ...program import Floats, kernel
from .changes import PAST

AT_ZERO = 1e-9  # of what has fired: what rounding, and the events' times, leave of its zero


@kernel
def remember(count: int, fired: Floats, spent: Floats) -> None:
    """spent (count,): which conditions have fired at this time."""
    for i in range(count):
        spent[i] = max(spent[i], fired[i])


@kernel
def decide(count: int, levels: Floats, spent: Floats, values: Floats) -> None:
    """A condition that has risen through zero has risen, and does so again when it has fallen; but one on forces
    (levels 1) is a bound, which is passed whenever it is above zero."""
    for i in range(count):
        if levels[i] != 0.0:
            if values[i] == 0.0:
                values[i] = -PAST
        elif spent[i] != 0.0 and abs(values[i]) < AT_ZERO:
            values[i] = PAST


@kernel
def clear(count: int, values: Floats) -> None:
    """values (count,) = 0"""
    for i in range(count):
        values[i] = 0.0
