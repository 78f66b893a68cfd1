"""Couplers and their energy, as one stage of the loop, with the settings that Python gives them."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import cache

import numpy as np

from ..native import Routine, Session
from ..program import Draft
from .channel import Channel
from .coupling import GRIP, SETTINGS, couple
from .energy import LEAST, LEDGER, PUT_IN, TAKEN_OUT, observe
from .hands import MOTION, PUSH
from .stage import Floats, Stage
from .ticking import MOST_INPUTS, TIMING


@dataclass(frozen=True)
class Coupler:
    """A spring and a damper. stiffness [N/m], damping [N s/m]; turn_stiffness [N m/rad], turn_damping [N m s/rad]."""

    stiffness: float
    damping: float = 0.0
    turn_stiffness: float = 0.0
    turn_damping: float = 0.0

    def __post_init__(self) -> None:
        for x in fields(self):
            value = getattr(self, x.name)
            if not (math.isfinite(value) and value >= 0.0):
                raise ValueError(f"a coupler with {x.name} = {value!r}; zero or a positive number is needed")


class Couplers:
    """told: what the loop tells of the time. handles, devices (hands, 18): their motions, as `hands.MOTION` says.
    wanted, shown (6 hands,): forces that couplers want, and that the guard has let through. controls: whether energy
    that was never put in is taken out again by damping, of no more than `most` [N s/m].

    settings is the channel of the couplers' settings, target the array into which the loop brings them.
    """

    def __init__(
        self, told: Floats, devices: Floats, handles: Floats, wanted: Floats, shown: Floats, controls: bool = False,
        most: float = 5.0,
    ) -> None:  # fmt: skip
        self.hands = handles.size // MOTION
        given = (("devices", devices, MOTION), ("handles", handles, MOTION), ("forces", wanted, PUSH))
        for what, array, size in (*given, ("forces", shown, PUSH)):
            if array.size != size * self.hands or not self.hands:
                raise ValueError(f"{what} of {array.size} numbers; {size} are needed for each of {self.hands} hands")
        if not (math.isfinite(most) and most > 0.0):
            raise ValueError(f"a damper of no more than {most!r} N s/m; a positive number is needed")
        self._couplers: list[Coupler | None] = [None] * self.hands
        self._wherever = [False] * self.hands
        self.settings, self.target = Channel(SETTINGS * self.hands), np.zeros(SETTINGS * self.hands)
        self.ledger = np.zeros((self.hands, LEDGER))
        self.session: Session = _routine(self.hands, controls, most).session({
            "told": told, "devices": devices, "handles": handles, "shown": shown, "settings": self.target,
            "grips": np.zeros(GRIP * self.hands), "wanted": wanted, "ledger": self.ledger,
        })  # fmt: skip

    @property
    def stage(self) -> Stage:
        """Once a tick, between the reading of devices and the guard."""
        return Stage.of("couplers", self.session)

    def hold(self, coupler: Coupler, hand: int = 0, wherever: bool = True) -> None:
        """Takes hold, from the next tick on, or holds on with other springs. wherever: there where the device is then,
        so that no force begins with a leap; otherwise the device's place is the handle's."""
        self._couplers[hand], self._wherever[hand] = coupler, wherever
        self._send()

    def release(self, hand: int = 0) -> None:
        """Lets go."""
        self._couplers[hand] = None
        self._send()

    def energy(self, hand: int = 0) -> tuple[float, float, float]:
        """Put into the mechanism by this hand, the least that it ever was, and what dampers have taken out [J]."""
        row = self.ledger[hand]
        return float(row[PUT_IN]), float(row[LEAST]), float(row[TAKEN_OUT])

    def _send(self) -> None:
        rows = [
            [0.0] * SETTINGS if x is None else [
                x.stiffness, x.damping, x.turn_stiffness, x.turn_damping, 1.0, float(wherever),
            ]
            for x, wherever in zip(self._couplers, self._wherever)
        ]  # fmt: skip
        self.settings.write(np.ravel(rows))


@cache
def _routine(hands: int, controls: bool, most: float) -> Routine:
    draft = Draft("couplers")
    told = draft.array("told", len(TIMING) + MOST_INPUTS, given=True)
    devices, handles = (draft.array(x, MOTION * hands, given=True) for x in ("devices", "handles"))
    shown, wanted = (draft.array(x, PUSH * hands, given=True) for x in ("shown", "wanted"))
    settings, grips = (
        draft.array(name, size * hands, given=True) for name, size in (("settings", SETTINGS), ("grips", GRIP))
    )
    ledger = draft.array("ledger", LEDGER * hands, given=True)
    draft.run(couple, devices, handles, settings, grips, wanted, draft.array("room", 12), hands)
    draft.run(observe, told, devices, shown, wanted, ledger, int(controls), most, hands)
    return Routine(draft.done())
