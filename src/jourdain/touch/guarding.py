"""The last word on forces before they reach a hand: what is wrong takes them away, what is too much is cut.

Kernels: a state machine over flat arrays. It is armed by an order, and once it has found a fault it stays safe until
the order was withdrawn and given again.
"""

from __future__ import annotations

from enum import IntEnum
from math import sqrt

from ..program import Floats, kernel
from .ticking import TIMING

TICK, PERIOD, SKIPPED, ENDING = (TIMING.index(x) for x in ("tick", "period", "skipped", "ending"))
AGES = len(TIMING)
# An order: whether forces are wanted; whether to stop at once.
WANTED, EMERGENCY = 0, 1
ORDER = 2
# Limits.
FORCE, TORQUE, FORCE_RATE, TORQUE_RATE, RAMP, MISSES = 0, 1, 2, 3, 4, 5
LIMITS = 6
# What is kept: the state, why, the share of the force that is shown, that share as it began to fall, ticks in a row
# before which deadlines were missed, ticks in which forces were cut.
STATE, REASON, LEVEL, FALLEN_FROM, IN_A_ROW, CUT = 0, 1, 2, 3, 4, 5
KEPT = 6
ROUNDING = 1e-9  # of a level: what is left of sums of equal steps


class Guarded(IntEnum):
    """How forces are let through."""

    OFF = 0
    """None: not ordered, or no longer."""
    ON = 1
    """Within the limits; at first growing."""
    SAFE = 2
    """A fault: what was shown goes to zero along a ramp, and stays there."""
    STOPPED = 3
    """An emergency: zero at once."""


class Fault(IntEnum):
    """Why not."""

    NONE = 0
    MISSES = 1
    """Deadlines were missed before too many ticks in a row."""
    STALE = 2
    """An input that is watched has had no message for too long."""
    NOT_FINITE = 3
    """A force was no number."""
    DEVICE = 4
    """A stage has raised its flag: a device is lost."""
    EMERGENCY = 5


_OFF, _ON, _SAFE, _STOPPED = (int(x) for x in Guarded)
_NONE, _MISSES, _STALE, _NOT_FINITE, _DEVICE, _EMERGENCY = (int(x) for x in Fault)


@kernel
def fault_of(
    told: Floats, oldest: Floats, watched: int, flags: Floats, flag_count: int, wanted: Floats, n: int, in_a_row: float,
    misses: float,
) -> int:  # fmt: skip
    """What is wrong, 0 if nothing. oldest: ages [ticks] that inputs may reach, 0 for any."""
    for k in range(n):
        # Of an infinity or a NaN alone the difference to itself is not 0.
        if wanted[k] - wanted[k] != 0.0:
            return _NOT_FINITE
    for k in range(flag_count):
        if flags[k] != 0.0:
            return _DEVICE
    if in_a_row >= misses:
        return _MISSES
    for k in range(watched):
        if oldest[k] > 0.0 and told[AGES + k] > oldest[k]:
            return _STALE
    return _NONE


@kernel
def cut(wanted: Floats, before: Floats, shown: Floats, level: float, most: float, step: float) -> int:
    """A vector of three, shown = level · wanted, not longer than `most` and not further than `step` from the one
    before; whether anything had to be cut."""
    was_cut = 0
    size = level * sqrt(wanted[0] * wanted[0] + wanted[1] * wanted[1] + wanted[2] * wanted[2])
    factor = level
    if size > most:
        factor = level * most / size
        was_cut = 1
    total = 0.0
    for k in range(3):
        shown[k] = factor * wanted[k]
        total += (shown[k] - before[k]) * (shown[k] - before[k])
    change = sqrt(total)
    if change > step:
        was_cut = 1
        for k in range(3):
            shown[k] = before[k] + (shown[k] - before[k]) * step / change
    return was_cut


@kernel
def guard(
    told: Floats, order: Floats, limits: Floats, oldest: Floats, watched: int, flags: Floats, flag_count: int,
    wanted: Floats, shown: Floats, held: Floats, kept: Floats, hands: int,
) -> None:  # fmt: skip
    """shown (6 hands): for each hand a force [N] and a torque [N m]. held (6 hands): those shown last while all was
    well."""
    n = 6 * hands
    period = told[PERIOD]
    if told[SKIPPED] > 0.0:
        kept[IN_A_ROW] = kept[IN_A_ROW] + 1.0
    else:
        kept[IN_A_ROW] = 0.0
    fault = fault_of(told, oldest, watched, flags, flag_count, wanted, n, kept[IN_A_ROW], limits[MISSES])
    state = int(kept[STATE])
    if order[WANTED] == 0.0 and order[EMERGENCY] == 0.0 and state != _ON:
        # Withdrawn: what is falling goes on to fall, and the next order counts.
        state = _OFF
        if kept[LEVEL] <= 0.0:
            kept[REASON] = _NONE
    if state == _ON and (fault != _NONE or order[WANTED] == 0.0):
        kept[FALLEN_FROM] = kept[LEVEL]
        state = _OFF
        if fault != _NONE:
            state = _SAFE
            kept[REASON] = fault
    elif state == _OFF and order[WANTED] != 0.0 and kept[LEVEL] <= 0.0:
        kept[REASON] = fault
        state = _SAFE
        if fault == _NONE:
            state = _ON
            for k in range(n):
                held[k] = 0.0
    if order[EMERGENCY] != 0.0:
        state = _STOPPED
        kept[REASON] = _EMERGENCY
    if told[ENDING] != 0.0:
        state = _OFF
        kept[LEVEL] = 0.0
    if state == _STOPPED or fault == _NOT_FINITE:
        kept[LEVEL] = 0.0
    kept[STATE] = state
    if state == _ON:
        kept[LEVEL] = min(1.0, kept[LEVEL] + period / limits[RAMP])
        was_cut = 0
        for hand in range(hands):
            k = 6 * hand
            was_cut += cut(wanted[k:], held[k:], shown[k:], kept[LEVEL], limits[FORCE], limits[FORCE_RATE] * period)
            k += 3
            was_cut += cut(wanted[k:], held[k:], shown[k:], kept[LEVEL], limits[TORQUE], limits[TORQUE_RATE] * period)
        if was_cut > 0:
            kept[CUT] = kept[CUT] + 1.0
        for k in range(n):
            held[k] = shown[k]
    else:
        # What was shown falls with the time that has passed, whatever the couplers want.
        kept[LEVEL] = kept[LEVEL] - (1.0 + told[SKIPPED]) * period / limits[RAMP]
        if kept[LEVEL] < ROUNDING:
            kept[LEVEL] = 0.0
        share = 0.0
        if kept[LEVEL] > 0.0:
            share = kept[LEVEL] / kept[FALLEN_FROM]
        for k in range(n):
            shown[k] = share * held[k]
