"""The guard between couplers and hands, as a stage of the loop, and the orders that Python gives it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache

import numpy as np

from ..native import Routine, Session
from ..program import Draft
from .channel import Channel
from .guarding import CUT, KEPT, LEVEL, LIMITS, ORDER, REASON, STATE, Fault, Guarded, guard
from .stage import Floats, Stage
from .ticking import MOST_INPUTS, TIMING


@dataclass(frozen=True)
class Limits:
    """What a hand may be shown.

    force [N], torque [N m]: the largest. force_rate [N/s], torque_rate [N m/s]: how fast they may change. ramp [s]:
    time in which they come and go. misses: ticks in a row, before each of which a deadline was missed, that are a
    fault. oldest: seconds without a message after which the order is a fault; infinity for never.
    """

    force: float = 3.0
    torque: float = 0.1
    force_rate: float = 1000.0
    torque_rate: float = 50.0
    ramp: float = 0.2
    misses: int = 5
    oldest: float = math.inf

    def __post_init__(self) -> None:
        for x in fields(self):
            value = getattr(self, x.name)
            finite = math.isfinite(value) or x.name == "oldest"
            if not (finite and value > 0.0):
                raise ValueError(f"a limit of {x.name} = {value!r}; a positive number is needed")


class Guard:
    """told: what the loop tells of the time. wanted, shown (6 hands,): forces and torques that couplers want, and that
    hands are shown. flags: any that is not 0 is a fault. It is off until `arm`."""

    def __init__(
        self, told: Floats, wanted: Floats, shown: Floats, limits: Limits | None = None, flags: Floats | None = None
    ) -> None:
        if wanted.size % 6 or not wanted.size or shown.size != wanted.size:
            raise ValueError(f"forces of {wanted.size} and {shown.size} numbers; six are needed for each hand")
        self.limits = limits or Limits()
        self.wanted, self.shown = wanted, shown
        self.orders = Channel(ORDER)
        self.order, self.oldest = np.zeros(ORDER), np.zeros(MOST_INPUTS)
        self.flags = np.zeros(1) if flags is None else flags
        self.kept = np.zeros(KEPT)
        self.session: Session = _routine(wanted.size // 6, self.flags.size).session({
            "told": told, "order": self.order, "limits": _numbers(self.limits), "oldest": self.oldest,
            "flags": self.flags, "wanted": wanted, "shown": self.shown, "kept": self.kept,
            "held": np.zeros(wanted.size),
        })  # fmt: skip

    def watch(self, rate: float, seconds: Sequence[float] = ()) -> None:
        """How old messages of the loop's inputs may be [s] at this rate: of the order, which must be the first of them,
        then of others; infinity for any age."""
        for k, limit in enumerate((self.limits.oldest, *seconds)):
            self.oldest[k] = limit * rate if math.isfinite(limit) else 0.0

    @property
    def stage(self) -> Stage:
        """Once a tick, and at the end, where it leaves zeros."""
        return Stage.of("guard", self.session, at_end=True)

    # -- orders ---------------------------------------------------------------------------------------------------

    def arm(self) -> None:
        """Forces are wanted. After a fault, or an emergency: `disarm` first. Given again and again it says that whoever
        orders is still there."""
        self.orders.write([1.0, 0.0])

    def disarm(self) -> None:
        """Forces go, along the ramp."""
        self.orders.write([0.0, 0.0])

    def emergency_stop(self) -> None:
        """Forces are zero from the next tick on."""
        self.orders.write([0.0, 1.0])

    # -- what it says ---------------------------------------------------------------------------------------------

    @property
    def state(self) -> Guarded:
        """How forces are let through."""
        return Guarded(int(self.kept[STATE]))

    @property
    def fault(self) -> Fault:
        """Why not."""
        return Fault(int(self.kept[REASON]))

    @property
    def level(self) -> float:
        """The share of the forces that is shown."""
        return float(self.kept[LEVEL])

    @property
    def ticks_cut(self) -> int:
        """In how many ticks a force was larger, or changed faster, than is allowed."""
        return int(self.kept[CUT])


def _numbers(limits: Limits) -> Floats:
    values = [
        limits.force, limits.torque, limits.force_rate, limits.torque_rate, limits.ramp, float(limits.misses),
    ]  # fmt: skip
    assert len(values) == LIMITS
    return np.array(values)


@cache
def _routine(hands: int, flags: int) -> Routine:
    draft = Draft("guard")
    told = draft.array("told", len(TIMING) + MOST_INPUTS, given=True)
    order, limits = draft.array("order", ORDER, given=True), draft.array("limits", LIMITS, given=True)
    oldest, raised = draft.array("oldest", MOST_INPUTS, given=True), draft.array("flags", flags, given=True)
    wanted, shown, held = (draft.array(x, 6 * hands, given=True) for x in ("wanted", "shown", "held"))
    kept = draft.array("kept", KEPT, given=True)
    draft.run(guard, told, order, limits, oldest, MOST_INPUTS, raised, flags, wanted, shown, held, kept, hands)
    return Routine(draft.done())
