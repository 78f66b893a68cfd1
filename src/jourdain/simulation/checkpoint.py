"""Checkpoints: a compiled run's whole working memory in a file, from which another process goes on to the same bits.

Beside the memory stand the rows and events until then, and what the run is of: the system, its parameters, mode and
inputs, the method, the events, and the fingerprint of the machine code.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..graph import Node
from ..model.files import to_text
from ..model.system import System
from .compiled_run import CompiledRun, Progress
from .drive import Drives
from .event import Event
from .landing import COLUMNS
from .method import Method
from .methods import METHODS
from .scipy_run import ScipyRun
from .status import Status
from .whole_file import whole_file

Floats = NDArray[np.float64]
FORMAT = "jourdain checkpoint 1"
SHARE = 10.0  # how much longer a run goes on, at least, than its last checkpoint took to be written


class Keeper:
    """Writes a run's checkpoint now and then; to be called as `progress` is, between steps."""

    def __init__(
        self, run: CompiledRun, method: Method, path: str | Path, seconds: float, progress: Progress | None = None
    ) -> None:
        self.run, self.path, self.seconds, self.progress = run, Path(path), seconds, progress
        self._facts = {**facts_of(run, method), "seconds": seconds}
        self._due = time.monotonic() + seconds

    def __call__(self, share: float) -> None:
        """With the share that is done."""
        if self.progress is not None:
            self.progress(share)
        if time.monotonic() >= self._due:
            began = time.monotonic()
            self.write()
            ended = time.monotonic()
            self._due = ended + max(self.seconds, SHARE * (ended - began))

    def write(self) -> None:
        """The file as the run stands."""
        run = self.run
        arrays = {
            "facts": np.array(json.dumps(self._facts)), "memory": run.session.memory, "settled": run.settled,
            "rows": _together(run.taken, run.rows.shape[1]), "occurred": _together(run.occurred, COLUMNS + run.size),
            "times": run.session.given["times"][:-1], "settled marks": run.settled_marks, **run.kept(),
        }  # fmt: skip
        with whole_file(self.path) as part, part.open("wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]

    def close(self, status: Status) -> None:
        """At the end of the run; one that was interrupted is kept as it stands."""
        if status is Status.INTERRUPTED:
            self.write()


def keeper(
    run: CompiledRun | ScipyRun, method: Method, path: str | Path, seconds: float, progress: Progress | None
) -> Keeper:
    """ValueError where a run cannot be kept so."""
    if not seconds >= 0.0:
        raise ValueError(f"checkpoint_every is {seconds!r} s; a number that is not negative is needed")
    if Path(path).suffix != ".npz":
        raise ValueError(f"a checkpoint is an NPZ file, but it is to be called {str(path)!r}; end it with .npz")
    if not isinstance(run, CompiledRun):
        raise ValueError(
            f"this run is stepped by SciPy's {method.name}, whose memory cannot be kept in a checkpoint; choose a "
            "compiled method, like jourdain.DormandPrince853() or jourdain.ImplicitMidpoint(), or leave checkpoint out"
        )
    if type(method) not in METHODS:
        raise ValueError(f"a checkpoint knows Jourdain's own methods, not {method.name}; leave checkpoint out")
    return Keeper(run, method, path, seconds, progress)


def _together(parts: list[Floats], width: int) -> Floats:
    return np.concatenate(parts) if parts else np.empty((0, width))


# -- what a run is of -------------------------------------------------------------------------------------------------


def facts_of(run: CompiledRun, method: Method) -> dict[str, Any]:
    """As JSON knows it."""
    compiled, procedure = run.ode.compiled, run.routine.procedure
    return {
        "format": FORMAT, "system": compiled.system.name, "contents": contents(compiled.system),
        "parameters": {name: float(x) for name, x in compiled.parameters.items()}, "mode": list(compiled.mode),
        "modes": [list(names) for names in run.enumerated],
        "inputs": inputs_of(run.ode.drives), "method": {"kind": method.name, **_settings(method)},
        "events": {name: _event(x) for name, x in run.events.items()}, "start": run.start,
        "settled work": run.settled_work, "final": run.final, "every": run.every,
        "code": run.routine.fingerprint, "cells": list(procedure.cells),
        "arrays": [[x.name, x.length] for x in procedure.arrays],
    }  # fmt: skip


def contents(system: System) -> str:
    """A fingerprint of all that a system's file says."""
    return hashlib.sha256(to_text(system).encode("utf-8", "backslashreplace")).hexdigest()


def inputs_of(drives: Drives) -> dict[str, Any]:
    """By name a value, {"expression": text}, {"table": [times, values, curve]} or {"function": None}."""
    found: dict[str, Any] = {name: float(x) for name, x in zip(drives.names, drives.values)}
    found |= {name: {"expression": _text(x)} for name, x in drives.expressions}
    for _, name, table in drives.tables:
        found[name] = {"table": [list(table.times), list(table.values), table.curve.name]}
    found |= {name: {"function": None} for _, name, _ in drives.functions}
    return found


def _event(event: Event) -> dict[str, Any]:
    return {"guard": _text(event.guard), "direction": event.direction, "stop": event.stop}


def _text(expression: str | Node) -> str | None:
    """None for what is no text."""
    return expression if isinstance(expression, str) else None


def _settings(method: Method) -> Mapping[str, Any]:
    """Tolerances or steps."""
    values = {x.name: getattr(method, x.name) for x in fields(method)}  # type: ignore[arg-type]
    return {name: None if x is None else np.asarray(x, dtype=float).tolist() for name, x in values.items()}
