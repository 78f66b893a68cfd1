"""A run that was read from a file, with its system or without."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..driver import Compiled, compile
from ..model.system import System
from .called import Function
from .checks import Checks, checks
from .drive import Drives
from .motion import ModeSpan, Motion
from .ode import Ode
from .read_run import Contents, read_run

Floats = NDArray[np.float64]


class SavedRun(Motion):
    """What `load_run` answers. Times, states, events, inputs and outputs as they were saved, and its checks.

    With its system, what depends on equations is computed anew: outputs, checks, forces of constraint, animations. In
    the parameters and the mode that the run was made with.
    """

    def __init__(self, path: str | Path, contents: Contents, compiled: Compiled | None) -> None:
        facts = contents.facts
        self.path, self._contents, self._compiled = Path(path), contents, compiled
        self.t, self.q, self.u, self.work = contents.t, contents.q, contents.u, contents.work
        self.events, self.status = facts.events, facts.status
        self.counts, self.seconds = facts.counts, facts.seconds
        self.changes = facts.changes

    @property
    def compiled(self) -> Compiled:
        """The functions that were integrated."""
        if self._compiled is None:
            raise ValueError(
                f"the run in {self.path} was read without its system, which this needs: "
                f"jourdain.load_run({str(self.path)!r}, system=…), the one called {self.name!r}"
            )
        return self._compiled

    @cached_property
    def ode(self) -> Ode:  # type: ignore[override]
        """The equations of motion, with the inputs that were saved."""
        return Ode(self.compiled, self._drives())

    @property
    def name(self) -> str:
        """Of the system."""
        return self._contents.facts.system

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names, in the order of q."""
        return self._contents.facts.coordinates

    @property
    def speeds(self) -> tuple[str, ...]:
        """Names, in the order of u."""
        return self._contents.facts.speeds

    @property
    def mode(self) -> tuple[str, ...]:
        """The switchable constraints that held at the start."""
        return self.modes[0].mode

    @property
    def modes(self) -> tuple[ModeSpan, ...]:
        """The modes that it went through, in order of time."""
        return self._contents.facts.modes

    @property
    def parameters(self) -> dict[str, float]:
        """Name -> the value that was computed with."""
        return self._contents.facts.parameters

    @property
    def method_name(self) -> str:
        """Of the method that it was integrated with."""
        return self._contents.facts.method

    @property
    def inputs(self) -> dict[str, Floats]:
        """Every input's values (n,)."""
        return self._contents.inputs

    @cached_property
    def outputs(self) -> dict[str, Floats]:
        """The model's named outputs (n,): computed anew where the system is known, else those that were saved."""
        if self._compiled is None:
            return self._contents.outputs
        return self._compiled.outputs(self.q, self.u, inputs=self.inputs, t=self.t)

    @property
    def kept_forces(self) -> dict[str, Floats]:
        """Forces of constraint (n, rows) that were saved, for constraints come and go."""
        return self._contents.forces

    @property
    def forces(self) -> dict[str, Floats]:
        """Forces of constraint (n, rows), by constraint: those that were saved, if they were, else computed anew."""
        return self.kept_forces or super().forces

    @cached_property
    def checks(self) -> Checks:
        """What must stay, and what must come back: computed anew where the system is known, else as saved; of a run
        through modes always as saved, for what acted in them is not told by the states."""
        if self._compiled is None or self.kept_forces:
            return self._contents.facts.checks
        work = np.zeros(len(self.t)) if self.work is None else self.work
        return checks(self.ode, self.t, self.q, self.u, work, self.inputs)

    def _drives(self) -> Drives:
        """Inputs that kept their value, and others read between the rows."""
        names = tuple(self.inputs)
        still = {name: bool(np.all(x == x[0])) for name, x in self.inputs.items()}
        values = np.array([x[0] if still[name] else 0.0 for name, x in self.inputs.items()])

        def between(name: str) -> Function:
            return lambda t, q, u: float(np.interp(t, self.t, self.inputs[name]))

        functions = tuple((k, name, between(name)) for k, name in enumerate(names) if not still[name])
        return Drives(names, values, (), (), functions)


def load_run(path: str | Path, system: System | Compiled | None = None) -> SavedRun:
    """The run that `Run.save` wrote to an NPZ or Parquet file.

    system: what moved, or its functions; the run's own parameters and mode are set. Without it, times, states, events,
    inputs, outputs, checks and plots are there; all that needs equations says that it needs the system.

    The file need not be trusted: nothing in it is executed, and a `RunFileError` says what in it does not fit.
    """
    contents = read_run(path)
    if system is None:
        return SavedRun(path, contents, None)
    return SavedRun(path, contents, _fitting(path, contents, system))


def _fitting(path: str | Path, contents: Contents, given: System | Compiled) -> Compiled:
    """The functions at the run's parameters, in its mode; ValueError where it is a run of another system."""
    facts, system = contents.facts, given.system if isinstance(given, Compiled) else given
    switchable = tuple(x for x, kind in system.constraints.items() if kind == "switchable")
    held = tuple(dict.fromkeys(x for span in facts.modes for x in span.mode))
    pairs = (
        ("coordinates", facts.coordinates, system.coordinates), ("speeds", facts.speeds, system.speeds),
        ("inputs", facts.inputs, system.inputs), ("parameters", tuple(facts.parameters), tuple(system.parameters)),
        ("switchable constraints", held, tuple(x for x in switchable if x in held)),
    )  # fmt: skip
    for what, theirs, ours in pairs:
        if set(theirs) != set(ours) or (what in ("coordinates", "speeds") and theirs != ours):
            raise ValueError(
                f"{path} is a run of {facts.system!r}, not of system {system.name!r}: it has the {what} "
                f"{', '.join(theirs) or 'none'}, the system {', '.join(ours) or 'none'}"
            )
    compiled = given if isinstance(given, Compiled) else compile(system)
    mode = set(facts.modes[0].mode) - compiled.system.found_while_moving
    return compiled.with_parameters(facts.parameters).in_mode(mode)
