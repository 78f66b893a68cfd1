"""Events as a user asks for them, and as a run tells of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..driver.expressions import Expression

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Event:
    """What to look out for: the time at which a guard is zero.

    guard: an expression of coordinates, speeds, outputs, parameters and time. direction: 1 where it rises through
    zero, −1 where it falls, 0 either way. stop: whether the run ends there.
    """

    guard: Expression
    direction: int = 0
    stop: bool = False

    def __post_init__(self) -> None:
        if self.direction not in (-1, 0, 1):
            raise ValueError(f"direction is {self.direction!r}; 1 (rising), -1 (falling) or 0 (either way)")


@dataclass(frozen=True)
class Occurrence:
    """An event that happened: which, when [s], whether its guard rose (1) or fell (−1), and the state then."""

    name: str
    t: float
    direction: int
    q: Floats
    u: Floats


def events_of(given: Mapping[str, Event | Expression] | None) -> dict[str, Event]:
    """By name; an expression alone is an event either way."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(f'events are given by name, like {{"floor": "z"}}, not as {given!r}')
    return {name: x if isinstance(x, Event) else Event(x) for name, x in given.items()}
