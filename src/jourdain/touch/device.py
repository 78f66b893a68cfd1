"""A simulated device in a simulated hand, so that everything can be tried without hardware."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from ..native import Routine, Session
from ..program import Draft
from .devicing import DATA, MOST_DELAY, STATE, TRUE, TURNED, go_on, sense
from .hands import MOTION, PUSH
from .stage import Floats, Stage


@dataclass(frozen=True)
class Hand:
    """mass [kg], damping [N s/m] and stiffness [N/m] of what holds the device; a hand that has let go has none."""

    mass: float = 0.0
    damping: float = 0.0
    stiffness: float = 0.0

    def __post_init__(self) -> None:
        for x in fields(self):
            value = getattr(self, x.name)
            if not (math.isfinite(value) and value >= 0.0):
                raise ValueError(f"a hand with {x.name} = {value!r}; zero or a positive number is needed")


@dataclass(frozen=True)
class Device:
    """mass [kg], damping [N s/m], dry friction [N], resolution of the encoder [m], delay of forces [periods]; inertia
    [kg m²] and damping [N m s/rad] of its turning. The same along and about all axes."""

    mass: float = 0.1
    damping: float = 0.2
    friction: float = 0.0
    resolution: float = 0.0
    delay: int = 0
    inertia: float = 1e-4
    turn_damping: float = 1e-3

    def __post_init__(self) -> None:
        for x in fields(self):
            value = getattr(self, x.name)
            least = value > 0.0 if x.name in ("mass", "inertia") else value >= 0.0
            if not (math.isfinite(value) and least):
                raise ValueError(f"a device with {x.name} = {value!r}; a positive number is needed")
        if self.delay != int(self.delay) or self.delay > MOST_DELAY:
            raise ValueError(f"a delay of {self.delay!r} periods; a whole number up to {MOST_DELAY} is needed")


class SimulatedDevice:
    """device: one for each hand, all alike; hand: that holds it. period [s]. start (hands, 3): places at the start;
    forces (6 hands,): what is shown. path (hands, steps, 3): where each hand wants to be at each tick, the last place
    for ever; the places at the start if left out. parts: in which dry friction acts in a period.

    devices (hands, 18): the motions that it tells.
    """

    def __init__(
        self, device: Device, hand: Hand, period: float, forces: Floats, start: ArrayLike | None = None,
        path: ArrayLike | None = None, parts: int = 1,
    ) -> None:  # fmt: skip
        hands = forces.size // PUSH
        if forces.size != PUSH * hands or not hands:
            raise ValueError(f"forces of {forces.size} numbers; {PUSH} are needed for each hand")
        if not (math.isfinite(period) and period > 0.0) or parts < 1:
            raise ValueError(f"a period of {period!r} s in {parts} parts; positive numbers are needed")
        places = np.zeros((hands, 3)) if start is None else np.array(start, dtype=float)
        wishes = places[:, None] if path is None else np.array(path, dtype=float)
        if places.shape != (hands, 3) or wishes.ndim != 3 or wishes.shape[::2] != (hands, 3) or not wishes.size:
            raise ValueError(f"places {places.shape}, paths {wishes.shape} of {hands} hands: (hands, …, 3) are needed")
        self.device, self.hand, self.period = device, hand, period
        self.devices = np.zeros((hands, MOTION))
        self._state = np.zeros((hands, STATE))
        self._state[:, TRUE : TRUE + 3] = places
        self._state[:, TURNED : TURNED + 9] = np.eye(3).ravel()
        given = {
            "state": self._state, "data": _data(device, hand, period / parts, parts, wishes.shape[1]),
            "path": np.ascontiguousarray(wishes), "forces": forces, "devices": self.devices,
        }  # fmt: skip
        reading, writing = _routines(hands, wishes.size, period)
        self._reading: Session = reading.session(given)
        self._writing: Session = writing.session(given)

    @property
    def reading(self) -> Stage:
        """Before the couplers."""
        return Stage.of("device reads", self._reading)

    @property
    def writing(self) -> Stage:
        """After the guard. Simulated time ends with the loop, so nothing is done then."""
        return Stage.of("device writes", self._writing)

    @property
    def inputs(self) -> tuple[()]:
        """Nothing comes from outside."""
        return ()

    @property
    def places(self) -> Floats:
        """Where the devices are (hands, 3), as no encoder tells."""
        return self._state[:, TRUE : TRUE + 3].copy()


def exact(device: Device, hand: Hand, period: float) -> tuple[Floats, Floats]:
    """The map of (x − x_h, ẋ), and of a force that is held, over a period: matrices (2, 2) and (2,)."""
    from scipy.linalg import expm

    mass = device.mass + hand.mass
    a = np.zeros((3, 3))
    a[0, 1] = 1.0
    a[1] = -hand.stiffness / mass, -(device.damping + hand.damping) / mass, 1.0 / mass
    whole = expm(a * period)
    return whole[:2, :2], whole[:2, 2]


def _data(device: Device, hand: Hand, part: float, parts: int, steps: int) -> Floats:
    phi, gamma = exact(device, hand, part)
    rate = device.turn_damping / device.inertia
    decay = math.exp(-rate * part)
    push = part / device.inertia if rate == 0.0 else -math.expm1(-rate * part) / device.turn_damping
    numbers = [
        phi[0, 0], phi[0, 1], gamma[0], phi[1, 0], phi[1, 1], gamma[1],
        device.friction * part / (device.mass + hand.mass), float(parts), device.resolution, float(device.delay),
        decay, push, float(steps),
    ]  # fmt: skip
    assert len(numbers) == DATA
    return np.array(numbers)


@cache
def _routines(hands: int, path: int, period: float) -> tuple[Routine, Routine]:
    made = []
    for reads in (True, False):
        draft = Draft("device reads" if reads else "device writes")
        state, data = draft.array("state", STATE * hands, given=True), draft.array("data", DATA, given=True)
        if reads:
            draft.run(sense, state, data, draft.array("devices", MOTION * hands, given=True), period, hands)
        else:
            wishes, forces = draft.array("path", path, given=True), draft.array("forces", PUSH * hands, given=True)
            draft.run(go_on, state, data, wishes, forces, draft.array("room", 12), period, hands)
        made.append(Routine(draft.done()))
    return made[0], made[1]
