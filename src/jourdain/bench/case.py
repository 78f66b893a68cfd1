"""What every peer is asked and what it answers: one mechanism, a few states with our answers, and a clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .mechanism import Array, Mechanism
from .toolchain import Refused

QUANTITIES = ("inverse_dynamics", "forward_dynamics", "mass_matrix")
TOLERANCE = 1e-10  # of a peer's answers, as a share of the forces' scale: both sides round


@dataclass(frozen=True)
class State:
    """One state in the plain form with our answers.

    q (nq,); v, a (nv,) speeds and their rates; tau (nv,) = M a + bias: the forces that produce a.
    """

    q: Array
    v: Array
    a: Array
    tau: Array
    bias: Array
    mass: Array  # (nv, nv)


@dataclass(frozen=True)
class Case:
    """A model under its name, as plain numbers, with the states at which it is compared and timed."""

    name: str
    mechanism: Mechanism
    states: tuple[State, ...]


Clock = Callable[[float], Mapping[str, float]]
"""Seconds to spend on each quantity -> nanoseconds of one evaluation, by quantity; what is not done is left out."""


@dataclass(frozen=True)
class Batch:
    """Evaluations over many states in one call: how many, in how many SIMD lanes, and the clock of one of them."""

    members: int
    lanes: int
    clock: Clock


@dataclass(frozen=True)
class Ready:
    """A peer that is built for a case and has answered rightly.

    derive_s, compile_s: seconds, None where a library does not do such a thing for a model.
    """

    clock: Clock
    batch: Batch | None = None
    derive_s: float | None = None
    compile_s: float | None = None
    note: str = ""


class Peer(Protocol):
    """Another library. `prepare` builds it and checks its answers; raises Missing, Refused or Wrong."""

    @property
    def name(self) -> str: ...

    def prepare(self, case: Case) -> Ready: ...


class Wrong(Exception):
    """A peer's answer differs from ours, so that neither time means anything."""


def check(quantity: str, answer: Array, state: State) -> None:
    """Raises Wrong unless the answer belongs to the state.

    Everything is compared as forces: a long chain's accelerations are ill-conditioned, the forces they ask for are
    not.
    """
    if quantity == "inverse_dynamics":
        difference, scale = answer - state.tau, np.abs(state.tau) + np.abs(state.mass) @ np.abs(state.a)
    elif quantity == "mass_matrix":
        difference, scale = answer.reshape(state.mass.shape) - state.mass, np.abs(state.mass)
    else:
        difference = state.mass @ answer + state.bias - state.tau
        scale = np.abs(state.mass) @ np.abs(answer) + np.abs(state.bias)
    error = float(np.max(np.abs(difference), initial=0.0)) / (float(np.max(scale, initial=0.0)) or 1.0)
    if not error <= TOLERANCE:
        raise Wrong(f"{quantity.replace('_', ' ')} differs by {error:.1e} of the forces' scale")


def read_output(lines: Sequence[tuple[str, list[float]]], states: Sequence[State]) -> dict[str, float]:
    """The output of a timing program: its answers checked, state by state, and the least of its times.

    A line is a quantity and its answer, for each state in turn as often as the first one has it; or "ns." and a
    quantity and a time.
    """
    best: dict[str, float] = {}
    for quantity in QUANTITIES:
        answers = [np.array(numbers) for name, numbers in lines if name == quantity]
        each, rest = divmod(len(answers), len(states))
        if rest or not each:
            raise Refused(f"its program gave {len(answers)} answers for {len(states)} states")
        for i, answer in enumerate(answers):
            check(quantity, answer, states[i // each])
        best[quantity] = min(numbers[0] for name, numbers in lines if name == f"ns.{quantity}")
    return best
