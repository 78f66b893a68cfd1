"""`resume`: a run goes on from its checkpoint, in another process, to the bits that it would have had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..console import Console
from ..driver import Compiled, compile
from ..driver.expressions import Expression
from ..model.system import System
from ..model.tables import Curve
from ..program.procedure import Fetch, Procedure, Store
from .called import Function, conditions_of
from .carried_out import carried_out
from .checkpoint import FORMAT, contents, keeper
from .compiled_run import CompiledRun, Progress
from .drive import Input, drives_of
from .event import Event, events_of
from .front import kinds
from .landing import COLUMNS
from .method import Method, Stepped
from .methods import METHODS
from .ode import Ode
from .progress import progress_of
from .read_run import Reader, RunFileError
from .run import Run
from .status import Status
from .table import Table

Floats = NDArray[np.float64]
GIVEN = ("final", "every", "capacity", "count", "event capacity", "rtol", "longest", "step")
"""Cells that say how a run was asked for."""
PASSING = ("j", "place")
"""Cells that are set each time before a table is read at them."""


class CheckpointError(ValueError):
    """A checkpoint of something else than what it is to go on with, or no checkpoint at all."""


def resume(
    path: str | Path,
    system: System | Compiled,
    inputs: Mapping[str, Input] | None = None,
    *,
    events: Mapping[str, Event | Expression] | None = None,
    calls: Mapping[str, Function] | None = None,
    progress: Progress | Console | bool | None = None,
    bits_may_differ: bool = False,
) -> Run:
    """The run whose checkpoint this is, to its end: to the bit as it would have been without interruption.

    system: what moved; it must be the very one, and so must a compiled system's parameters and mode. inputs, events:
    those again that were given as nodes of the model or as functions; all others stand in the file. calls: as they were
    given. progress: as of `simulate`. The file is kept up to date as before.

    Where the machine code is not the same, because the processor or Jourdain is another, results may differ in the last
    bits; such a checkpoint is refused unless bits_may_differ. The file need not be trusted: nothing in it is executed,
    and the memory is looked through.
    """
    found = _Checkpoint(path)
    compiled = found.compiled(system)
    ode = Ode(compiled, drives_of(compiled.system, compiled.inputs, found.inputs(inputs)))
    method, watched = found.method(), found.events(events)
    start, final = found.number("start"), found.number("final")
    times = found.array("times")
    if not start < final or not (np.diff(np.concatenate([[start], times])) > 0.0).all():
        found.refuse("its times do not increase")
    settled = found.array("settled")
    if settled.shape != (len(compiled.system.coordinates) + len(compiled.system.speeds),):
        found.refuse("its state is not one of the system")
    kind, loop = kinds(compiled.system, found.modes(ode))
    more: dict[str, Any] = {"calls": conditions_of(compiled.system, calls)} if compiled.system.calls or calls else {}
    run = loop(ode, method, watched, settled, start, None if found.facts.get("every") else times, final, **more)
    found.put_into(run, bits_may_differ)
    told = progress_of(progress, compiled.system.name, start, final)
    return carried_out(kind, ode, run, method, told, keeper(run, method, path, found.number("seconds"), told))


class _Checkpoint:
    """A file, looked through piece by piece."""

    def __init__(self, path: str | Path) -> None:
        if not Path(path).is_file():
            raise FileNotFoundError(2, "there is no such file", str(path))
        self.path = path
        reader = Reader(path)
        try:
            self._arrays = reader.arrays()
            text = self._arrays.get("facts")
            if text is None or text.dtype.kind != "U" or text.ndim:
                self.refuse("it is no checkpoint: it has no 'facts'")
            self.facts = reader.json(str(text), FORMAT)
        except RunFileError as error:
            raise CheckpointError(str(error)) from None

    def refuse(self, what: str) -> NoReturn:
        raise CheckpointError(f"{self.path}: {what}")

    def array(self, name: str) -> Floats:
        found = self._arrays.get(name)
        if found is None or found.dtype != np.float64:
            self.refuse(f"it has no numbers {name!r}")
        return found

    def number(self, name: str) -> float:
        found = self.facts.get(name)
        if isinstance(found, bool) or not isinstance(found, int | float) or not np.isfinite(found):
            self.refuse(f"its {name!r} is no finite number")
        return float(found)

    def _by_name(self, name: str) -> dict[str, Any]:
        found = self.facts.get(name)
        if not isinstance(found, dict):
            self.refuse(f"its {name!r} are not given by name")
        return found

    # -- what the run is of ---------------------------------------------------------------------------------------

    def compiled(self, given: System | Compiled) -> Compiled:
        """The functions at the run's parameters, in its mode."""
        system = given.system if isinstance(given, Compiled) else given
        if self.facts.get("contents") != contents(system):
            name = self.facts.get("system")
            other = f"of {name!r}" if name != system.name else "of another system of that name"
            self.refuse(f"this is a checkpoint {other}, not of the system {system.name!r} that is given")
        values, mode = self._by_name("parameters"), self.facts.get("mode")
        if not isinstance(mode, list) or not all(isinstance(x, str) for x in mode):
            self.refuse("its 'mode' is no list of names")
        if isinstance(given, Compiled):
            differ = [f"{x} = {values.get(x)!r}, not {own!r}" for x, own in given.parameters.items()
                      if values.get(x) != own]  # fmt: skip
            if differ:
                self.refuse(f"the run's parameters are others than those that are given: {', '.join(differ)}")
            if tuple(mode) != given.mode:
                said = [", ".join(x) or "nothing" for x in (mode, given.mode)]
                self.refuse(f"the run's mode has {said[0]} switched on, the functions that are given {said[1]}")
        try:
            return (given if isinstance(given, Compiled) else compile(system)).with_parameters(values).in_mode(mode)
        except (KeyError, TypeError, ValueError) as error:
            self.refuse(str(error))

    def modes(self, ode: Ode) -> tuple[tuple[str, ...], ...]:
        """Those that were compiled beforehand."""
        from .modes.enumerating import chosen_modes

        try:
            return chosen_modes(ode, self.method(), 0.0, self.facts.get("modes", []))
        except (TypeError, ValueError) as error:
            self.refuse(str(error))

    def method(self) -> Stepped:
        """Made anew from its name and settings."""
        settings = dict(self._by_name("method"))
        kinds: dict[str, type[Method]] = {x.__name__: x for x in METHODS}
        kind = kinds.get(str(settings.pop("kind", None)))
        if kind is None or not issubclass(kind, Stepped):
            self.refuse("its method is none of Jourdain's that are compiled")
        if set(settings) != {x.name for x in fields(kind)}:  # type: ignore[arg-type]
            self.refuse(f"the settings of its method are {', '.join(settings) or 'none'}, not those of {kind.__name__}")
        try:
            return kind(**settings)
        except (TypeError, ValueError) as error:
            self.refuse(f"its method cannot be: {error}")

    def inputs(self, given: Mapping[str, Input] | None) -> dict[str, Input]:
        """As they were given, in all kinds that a file can hold."""
        found: dict[str, Input] = {}
        for name, value in self._by_name("inputs").items():
            if isinstance(value, int | float):
                found[name] = float(value)
            elif isinstance(value, dict) and isinstance(value.get("table"), list) and len(value["table"]) == 3:
                times, values, curve = value["table"]
                try:
                    found[name] = Table(tuple(map(float, times)), tuple(map(float, values)), Curve[curve])
                except (KeyError, TypeError, ValueError) as error:
                    self.refuse(f"its table of input {name!r} cannot be: {error}")
            elif isinstance(value, dict) and "expression" in value:
                found[name] = self._expression(value["expression"], given, name, "inputs")
            elif value == {"function": None}:
                found[name] = self._function(given, name)
            else:
                self.refuse(f"its input {name!r} is no value, expression, table or function")
        self._nothing_else(found, given, "inputs")
        return found

    def events(self, given: Mapping[str, Event | Expression] | None) -> dict[str, Event]:
        """As they were given."""
        found: dict[str, Event] = {}
        ours = events_of(given)
        for name, value in self._by_name("events").items():
            if not isinstance(value, dict) or not {"guard", "direction", "stop"} <= set(value):
                self.refuse(f"its event {name!r} has no guard, direction and stop")
            if value["guard"] is None and name in ours:
                found[name] = ours[name]
                continue
            guard = self._expression(value["guard"], given, name, "events")
            try:
                found[name] = Event(guard, value["direction"], bool(value["stop"]))
            except ValueError as error:
                self.refuse(str(error))
        self._nothing_else(found, ours, "events")
        return found

    def _expression(self, text: object, given: Mapping[str, Any] | None, name: str, what: str) -> Any:
        if isinstance(text, str):
            return text
        if not given or name not in given:
            self.refuse(f"the run's {what} {name!r} follow nodes of the model; give them again, {what}={{{name!r}: …}}")
        return given[name]

    def _function(self, given: Mapping[str, Any] | None, name: str) -> Any:
        if not given or not callable(given.get(name)):
            self.refuse(f"the run's inputs {name!r} follow a function; give it again, inputs={{{name!r}: …}}")
        return given[name]

    def _nothing_else(self, found: Mapping[str, Any], given: Mapping[str, Any] | None, what: str) -> None:
        more = [name for name, x in (given or {}).items() if name not in found or found[name] is not x]
        if more:
            names = ", ".join(map(repr, more))
            self.refuse(f"the run has its own {what}; leave out {names}, or simulate anew")

    # -- where it stands ------------------------------------------------------------------------------------------

    def put_into(self, run: CompiledRun, bits_may_differ: bool) -> None:
        """The memory, after all that compiled code will trust in it was looked at."""
        procedure = run.routine.procedure
        here = [list(procedure.cells), [[x.name, x.length] for x in procedure.arrays]]
        if [self.facts.get("cells"), self.facts.get("arrays")] != here:
            self.refuse("its memory is laid out in another way: it was made by another version of Jourdain")
        if self.facts.get("code") != run.routine.fingerprint and not bits_may_differ:
            self.refuse(
                "it was made by other machine code, of another processor or another version of Jourdain, so the last "
                "bits of the results may differ; say bits_may_differ=True to go on all the same"
            )
        memory, rows, occurred = self.array("memory"), self.array("rows"), self.array("occurred")
        if memory.shape != run.session.memory.shape:
            self.refuse(f"its memory has the shape {memory.shape}; {run.session.memory.shape} is needed")
        if rows.ndim != 2 or rows.shape[1] != run.rows.shape[1] or not np.isfinite(rows).all():
            self.refuse("its rows are not finite, or not as wide as they must be")
        if occurred.ndim != 2 or occurred.shape[1] != COLUMNS + run.size or not np.isfinite(occurred).all():
            self.refuse("its events are not finite, or not as wide as they must be")
        if not (occurred[:, 1] == np.clip(np.round(occurred[:, 1]), 0, len(run.events) - 1)).all():
            self.refuse("its events are of guards that there are not")
        fresh = {name: run.session[name] for name in GIVEN if run.session.has(name)}
        run.session.memory[:] = memory
        self._check_cells(run, fresh, len(rows))
        run.settled, run.settled_marks = self.array("settled").copy(), self.array("settled marks").copy()
        if run.settled_marks.shape != (run.rows.shape[1] - 1 - run.size,):
            self.refuse("its marks at the start are not as many as they must be")
        run.settled_work = self.number("settled work")
        wrong = run.restore({name: x for name, x in self._arrays.items() if x.dtype == np.float64})
        if wrong:
            self.refuse(wrong)
        run.occurred = [occurred.copy()] if len(occurred) else []
        if run.every:
            run.taken = [rows.copy()]
        else:
            run.rows[: len(rows)] = rows
            run.taken = [run.rows[: len(rows)]]
        if run.session["status"] == Status.INTERRUPTED.value:
            run.carry_on()

    def _check_cells(self, run: CompiledRun, fresh: Mapping[str, float], rows: int) -> None:
        session = run.session
        wrong = [name for name, x in fresh.items() if session[name] != x]
        if session["row"] != (0 if run.every else rows):
            wrong.append("row")
        if not run.start <= session["t"] <= run.final:
            wrong.append("t")
        if session["status"] not in [x.value for x in Status]:
            wrong.append("status")
        # Compiled code reads and writes tables at these rows without asking. A counter that is done stands behind the
        # last row, and begins anew; where a table was read last is where it is read next.
        cells = run.routine.procedure.cells
        for place, table, width in _reaches(run.routine.procedure):
            value, room = session.memory[place], session.array(table).size // width
            most = room - 1 if cells[place].endswith("place") else room
            if not (value == np.floor(value) and 0.0 <= value <= most):
                wrong.append(cells[place])
        if wrong:
            self.refuse(f"its memory is not that of a run: {', '.join(wrong)} cannot be")


def _reaches(procedure: Procedure) -> set[tuple[int, str, int]]:
    """Every row of a table that the code asks for: the cell with its number, the table, and its width."""
    asked = [x for x in procedure.statements if isinstance(x, Fetch | Store)]
    return {(x.row, x.table.name, x.width) for x in asked if procedure.cells[x.row] not in PASSING}
