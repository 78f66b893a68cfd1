"""Peers that answer rightly, wrongly, not at all, or until somebody presses Ctrl-C."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from jourdain.bench.case import QUANTITIES, Case, Ready, check
from jourdain.bench.toolchain import Missing, Refused


@dataclass
class Fake:
    """Its answers are ours, times `factor`; each round is quicker than the one before, down to `ns`."""

    name: str = "fake"
    factor: float = 1.0
    ns: float = 100.0
    rounds: int = 0

    def prepare(self, case: Case) -> Ready:
        for state in case.states:
            check("inverse_dynamics", self.factor * state.tau, state)
            check("mass_matrix", np.asarray(self.factor * state.mass), state)
        return Ready(self.clock, derive_s=0.25, compile_s=None, note="not real")

    def clock(self, seconds: float) -> dict[str, float]:
        self.rounds += 1
        return {name: self.ns + 10.0 * max(0, 2 - self.rounds) for name in QUANTITIES if name != "forward_dynamics"}


@dataclass
class NotHere:
    """A library that is not installed."""

    name: str = "absent"

    def prepare(self, case: Case) -> Ready:
        raise Missing("absent is not installed: pip install absent")


@dataclass
class Unwilling:
    """A library that does not do this model."""

    name: str = "unwilling"

    def prepare(self, case: Case) -> Ready:
        raise Refused("too many joints")


@dataclass
class Interrupted:
    """Ctrl-C comes while it is built, or in a round of its timing."""

    name: str = "long"
    in_round: int = 0
    rounds: int = field(default=0)

    def prepare(self, case: Case) -> Ready:
        if not self.in_round:
            raise KeyboardInterrupt
        return Ready(self.clock)

    def clock(self, seconds: float) -> dict[str, float]:
        self.rounds += 1
        if self.rounds == self.in_round:
            raise KeyboardInterrupt
        return dict.fromkeys(QUANTITIES, 50.0)
