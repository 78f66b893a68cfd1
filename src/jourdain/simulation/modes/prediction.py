"""What a machine expects of its next change, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Passage:
    """A change of the mode: when [s] and in which tick, what made it, in words, and what follows: the mode, q
    (coordinates,) and u (speeds,)."""

    tick: int
    t: float
    causes: tuple[str, ...]
    mode: tuple[str, ...]
    q: Floats
    u: Floats

    def __str__(self) -> str:
        return f"{self.t:.9g} s: {', '.join(self.causes) or 'from outside'} -> {', '.join(self.mode) or 'free'}"


@dataclass(frozen=True)
class Prediction:
    """What came of an expectation. made: in which tick. expected: the change; actual: the one that came.

    An expectation holds under the inputs that it was made with; the actual change is resolved anew whatever was
    expected of it (the corrector of Gillespie 2003, section 4).
    """

    made: int
    expected: Passage
    actual: Passage

    @property
    def is_same(self) -> bool:
        """Whether the expected mode followed."""
        return self.expected.mode == self.actual.mode

    @property
    def off_time(self) -> float:
        """How much later it came [s]."""
        return self.actual.t - self.expected.t

    @property
    def off_state(self) -> float:
        """The largest difference of a coordinate or speed after it [SI]."""
        expected, actual = ((np.concatenate([x.q, x.u])) for x in (self.expected, self.actual))
        return float(np.abs(actual - expected).max())


@dataclass(frozen=True)
class Swap:
    """New code adopted before a tick: the modes that it has and the code before had not, the time since the first of
    them was asked for [s], and the time that the change took between the two ticks [s]."""

    tick: int
    modes: tuple[tuple[str, ...], ...]
    prepared: float
    seconds: float
