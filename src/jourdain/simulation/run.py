"""A simulated motion."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .checks import Checks, checks
from .compiled_run import CompiledRun, Progress
from .event import Occurrence
from .method import Method
from .motion import Motion
from .ode import Ode
from .scipy_run import ScipyRun
from .status import Status

Floats = NDArray[np.float64]
R = TypeVar("R", bound="Run")


@dataclass(frozen=True, eq=False, repr=False)
class Run(Motion):
    """States at times, and what happened between.

    t (n,) [s], q (n, coordinates), u (n, speeds). work (n,): done since the start by what energies do not account for
    [J]; None where it was not integrated. events: in order of time. method: what was integrated with. counts: steps,
    rejected steps, evaluations. seconds: it took, without compiling. going: what made it.
    """

    ode: Ode
    t: Floats
    q: Floats
    u: Floats
    work: Floats | None
    events: tuple[Occurrence, ...]
    method: Method
    status: Status
    counts: dict[str, int]
    seconds: float
    going: CompiledRun | ScipyRun

    @classmethod
    def of(cls, ode: Ode, going: CompiledRun | ScipyRun, method: Method, progress: Progress | None) -> Run:
        """Goes on until the end, or Ctrl-C."""
        began = time.perf_counter()
        going.go(progress)
        spent = time.perf_counter() - began
        raw = going.result()
        t = np.concatenate([[going.start], raw.t])
        q, u = (np.ascontiguousarray(x) for x in ode.split(np.concatenate([going.settled[None], raw.states])))
        work = None if raw.work is None else np.concatenate([[0.0], raw.work])
        return kept(going, cls(ode, t, q, u, work, tuple(raw.events), method, raw.status, raw.counts, spent, going))

    def resume(self, progress: Progress | None = None) -> Run:
        """The run that was interrupted, to its end: to the bit what it had been without interruption."""
        if self.status is not Status.INTERRUPTED or not isinstance(self.going, CompiledRun):
            said = "SciPy stepped it" if self.status is Status.INTERRUPTED else self.status.sentence
            raise ValueError(f"this run cannot be resumed: {said}")
        self.going.carry_on()
        return self.of(self.ode, self.going, self.method, progress)

    @property
    def method_name(self) -> str:
        """Of the method that it was integrated with."""
        return self.method.name

    @cached_property
    def reason(self) -> str:
        """Why it ended, in a sentence: where it failed, with the time and the names of what is wrong."""
        from .reason import reason

        return reason(self)

    @cached_property
    def inputs(self) -> dict[str, Floats]:
        """Every input's values (n,)."""
        values = np.broadcast_to(self.ode.inputs(self.t, self.q, self.u), (len(self.t), len(self.system.inputs)))
        return {name: values[:, k] for k, name in enumerate(self.system.inputs)}

    @cached_property
    def outputs(self) -> dict[str, Floats]:
        """The model's named outputs (n,)."""
        return self.compiled.outputs(self.q, self.u, inputs=self.inputs, t=self.t)

    @cached_property
    def checks(self) -> Checks:
        """What must stay, and what must come back."""
        return checks(self.ode, self.t, self.q, self.u, self.work, self.inputs)


def kept(going: CompiledRun | ScipyRun, run: R) -> R:
    """The run; where a function raised an exception, it goes with that."""
    if isinstance(going, CompiledRun) and going.raised is not None:
        going.raised.run = run
        raise going.raised
    return run
