"""Pointers: places that are told now and then by something that cannot show forces, a mouse, a pen, a finger.

What comes at 60 to 125 Hz is drawn on from tick to tick, for its steps would be felt by the mechanism, and seen.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from ..native import Routine, Session
from ..program import Draft, Floats, kernel
from .channel import Channel
from .hands import AXES, MOTION, PLACE, VELOCITY
from .stage import Stage
from .ticking import MOST_INPUTS, TIMING

PERIOD = TIMING.index("period")
# Of a message: its number, and the places of all hands. Of what is kept: the number of the last one, time since then
# and between the last two [s], and for each hand where it was drawn on from and to.
NUMBER, PLACES = 0, 1
LAST, SINCE, BETWEEN, WAYS = 0, 1, 2, 3


@kernel
def draw_on(told: Floats, message: Floats, kept: Floats, devices: Floats, longest: float, hands: int) -> None:
    """devices (18 hands): from where each hand was when a message came, at an even pace, to where that says, in the
    time that messages take; `longest` [s] at most."""
    if message[NUMBER] != kept[LAST]:
        if kept[LAST] == 0.0:
            # The first one: there at once.
            for hand in range(hands):
                for i in range(3):
                    devices[MOTION * hand + PLACE + i] = message[PLACES + 3 * hand + i]
        kept[BETWEEN] = min(kept[SINCE], longest)
        kept[SINCE] = 0.0
        kept[LAST] = message[NUMBER]
        for hand in range(hands):
            for i in range(3):
                kept[WAYS + 6 * hand + i] = devices[MOTION * hand + PLACE + i]
                kept[WAYS + 6 * hand + 3 + i] = message[PLACES + 3 * hand + i]
    period = told[PERIOD]
    kept[SINCE] = kept[SINCE] + period
    whole = max(kept[BETWEEN], period)
    share = min(kept[SINCE] / whole, 1.0)
    moves = 0.0
    if kept[SINCE] < whole + 0.5 * period:
        moves = 1.0
    for hand in range(hands):
        for i in range(3):
            start = kept[WAYS + 6 * hand + i]
            way = kept[WAYS + 6 * hand + 3 + i] - start
            devices[MOTION * hand + PLACE + i] = start + share * way
            devices[MOTION * hand + VELOCITY + i] = moves * way / whole


class Pointers:
    """told: what the loop tells of the time. hands: how many. longest [s]: that a way from one message to the next may
    take. oldest [s]: without a message for so long a pointer counts as lost; infinity for never, as for a pointer that
    is held still.

    devices (hands, 18): the motions, without turning. Forces are shown to nobody; they are in snapshots.
    """

    def __init__(self, told: Floats, hands: int = 1, longest: float = 0.05, oldest: float = math.inf) -> None:
        for what, value in (("longest", longest), ("oldest", oldest)):
            if not value > 0.0 or (what == "longest" and not math.isfinite(value)):
                raise ValueError(f"pointers with {what} = {value!r} s; a positive time is needed")
        self.devices = np.zeros((hands, MOTION))
        self.devices[:, AXES : AXES + 9] = np.eye(3).ravel()
        self._channel, self._target = Channel(PLACES + 3 * hands), np.zeros(PLACES + 3 * hands)
        self._told = 0
        self._oldest = oldest
        self._session: Session = _routine(hands, longest).session({
            "told": told, "message": self._target, "kept": np.zeros(WAYS + 6 * hands), "devices": self.devices,
        })  # fmt: skip

    def move(self, places: ArrayLike) -> None:
        """Where pointers are now (hands, 3), in the ground's axes [m]."""
        given = np.asarray(places, dtype=float)
        if given.shape != (len(self.devices), 3) or not np.isfinite(given).all():
            raise ValueError(f"places {places!r} of {len(self.devices)} pointers; three numbers for each are needed")
        self._told += 1
        self._channel.write([self._told, *given.ravel()])

    @property
    def reading(self) -> Stage:
        """Before the couplers."""
        return Stage.of("pointers", self._session)

    @property
    def writing(self) -> None:
        """Nothing is shown."""

    @property
    def inputs(self) -> list[tuple[Channel, Floats, float]]:
        """The channel, where its messages go, and how old they may be [s]."""
        return [(self._channel, self._target, self._oldest)]


@cache
def _routine(hands: int, longest: float) -> Routine:
    draft = Draft("pointers")
    told = draft.array("told", len(TIMING) + MOST_INPUTS, given=True)
    sizes = {"message": PLACES + 3 * hands, "kept": WAYS + 6 * hands}
    message, kept = (draft.array(name, size, given=True) for name, size in sizes.items())
    draft.run(draw_on, told, message, kept, draft.array("devices", MOTION * hands, given=True), longest, hands)
    return Routine(draft.done())
