"""A simulated motion."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..driver import Compiled
from ..model.system import System
from .checks import Checks, checks
from .compiled_run import CompiledRun, Progress
from .event import Occurrence
from .method import Method
from .ode import Ode
from .scipy_run import ScipyRun
from .status import Status

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Run:
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
        return cls(ode, t, q, u, work, tuple(raw.events), method, raw.status, raw.counts, spent, going)

    def resume(self, progress: Progress | None = None) -> Run:
        """The run that was interrupted, to its end: to the bit what it had been without interruption."""
        if self.status is not Status.INTERRUPTED or not isinstance(self.going, CompiledRun):
            said = "SciPy stepped it" if self.status is Status.INTERRUPTED else self.status.sentence
            raise ValueError(f"this run cannot be resumed: {said}")
        self.going.carry_on()
        return self.of(self.ode, self.going, self.method, progress)

    @property
    def compiled(self) -> Compiled:
        """The functions that were integrated."""
        return self.ode.compiled

    @property
    def system(self) -> System:
        """What moved."""
        return self.compiled.system

    @property
    def is_complete(self) -> bool:
        """Whether it went to its end, or to an event that stops."""
        return self.status.is_success

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

    # -- out ------------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write times, states, outputs and events to an NPZ file, which `numpy.load` reads."""
        if not str(path).endswith(".npz"):
            raise ValueError(f"a run is written as NPZ, but the file is to be called {str(path)!r}; end it with .npz")
        arrays: dict[str, Any] = {
            "t": self.t, "q": self.q, "u": self.u, "coordinates": np.array(self.system.coordinates, dtype=str),
            "speeds": np.array(self.system.speeds, dtype=str), "system": np.array(self.system.name),
            "method": np.array(self.method.name), "status": np.array(self.status.sentence),
            "event_names": np.array([x.name for x in self.events], dtype=str),
            "event_times": np.array([x.t for x in self.events]),
        }  # fmt: skip
        if self.work is not None:
            arrays["work"] = self.work
        arrays |= {f"output {name}": x for name, x in self.outputs.items()}
        np.savez_compressed(path, **arrays)

    def plot(self, path: str | Path | None = None) -> Any:
        """A matplotlib figure of all coordinates and speeds, events as lines; written to a file if one is named."""
        from .picture import picture

        return picture(self, path)

    def __repr__(self) -> str:
        end = f"{self.t[-1]:g} s" if len(self.t) else "nothing"
        return f"<{self.system.name!r} simulated to {end} by {self.method.name}: {self.status.sentence}>"
