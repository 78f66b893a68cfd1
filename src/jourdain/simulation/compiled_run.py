"""Runs that never return to Python within a step: the compiled loop called for some steps at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ..driver.moving import Moving, Named
from ..native import Cache, Routine, Session
from .adaptive import Adaptive
from .called import Called, FunctionError
from .event import Event, Occurrence
from .landing import COLUMNS
from .method import FixedStep, Stepped
from .ode import Ode
from .plant import is_driven
from .status import Status
from .stepper import stepper

Floats = NDArray[np.float64]
Progress = Callable[[float], None]
Kind = Callable[[], Stepped]
ROWS = 4096  # that are taken from the loop at once
FIRST = 1000  # steps of the first call
TINY = 1e-300
PATIENCE = 0.05  # seconds between two chances for Ctrl-C


@dataclass
class Raw:
    """What a run leaves: rows of (t, q, u), the work done until then, events, and how it went."""

    t: Floats
    states: Floats
    work: Floats | None
    events: list[Occurrence]
    status: Status
    counts: dict[str, int]
    marks: Floats | None = None  # what rows tell of the mode
    changes: Floats | None = None  # rows of what changed it


@lru_cache(maxsize=64)
def routine_of(
    moving: Moving, kind: Kind, guards: Named, tables: tuple[int, ...], functions: tuple[int, ...], cache: Cache | None
) -> tuple[Routine, int]:
    """The compiled loop, and the size of its state; made once in a process."""
    procedure, plant = stepper(moving, kind(), guards, tables, functions)
    return Routine(procedure, cache), plant.size


class CompiledRun:
    """One run. `go` can be interrupted; what is there by then is kept."""

    enumerated: tuple[tuple[str, ...], ...] = ()  # modes that are compiled beforehand

    def __init__(
        self, ode: Ode, method: Stepped, events: dict[str, Event], y: Floats, start: float, times: Floats | None,
        final: float,
    ) -> None:  # fmt: skip
        """times: those asked for after the start; None for every step of an adaptive method."""
        self.ode, self.events, self.start, self.final = ode, events, start, final
        self.own = y.size
        guards = tuple((name, event.guard) for name, event in events.items())
        self.routine, self.size, width = self.built(cast(Kind, type(method)), guards)
        self.raised: FunctionError | None = None
        self.every = times is None
        asked = np.empty(0) if times is None else times
        self.rows = np.empty((ROWS if times is None else len(asked), width))
        self.happened = np.empty((max(64, 8 * len(events)), COLUMNS + self.size))
        self.taken: list[Floats] = []
        self.occurred: list[Floats] = []
        atol = np.full(self.size, np.inf)
        if isinstance(method, Adaptive):
            atol[: self.own] = method.atol
            if is_driven(ode.compiled.system):
                atol[self.own :] = max(float(np.max(method.atol)), TINY)
        directions = np.array([float(x.direction) for x in events.values()])
        self.session: Session = self.routine.session({
            "parameters": ode.parameters, "inputs": ode.drives.values.copy(), "atol": atol,
            "times": np.append(asked, np.inf), "rows": self.rows, "events": self.happened,
            "unit matrix": np.eye(self.own).ravel(), "directions": directions,
            "stops": np.array([float(x.stop) for x in events.values()]),
            **{f"table {k}": table.rows for k, (_, _, table) in enumerate(ode.drives.tables)},
            **self.slots(), **self.further(directions),
        })  # fmt: skip
        self.connect(self.session)
        self._probe: Session | None = None
        state = self.session.array("y")
        state[: self.own], state[self.own :] = y, 0.0
        self.prime()
        self._set(
            t=start, final=final, every=float(self.every), capacity=float(len(self.rows) - 1) if self.every else np.inf,
            count=float(len(asked)), **{"event capacity": float(len(self.happened))},
        )  # fmt: skip
        if isinstance(method, Adaptive):
            self._set(rtol=method.rtol, longest=min(method.longest_step, final - start))
        if isinstance(method, FixedStep):
            self._set(step=method.step)
        self.fresh = self.session.memory.copy()  # working memory from which a run begins
        self.session.run()  # with no steps to make: the start, on the constraints
        self.settled = self.session.array("y")[: self.own].copy()
        self.settled_work = float(self.session.array("y")[self.own :].sum())  # that impulses did at the start [J]
        self.settled_marks = np.concatenate([np.empty(0), *self.marks()])
        self.settled_work = float(self.session.array("y")[self.own]) if self.size > self.own else 0.0
        if isinstance(method, Adaptive):
            self._set(proposal=self._first_step(method))

    # -- what differs where modes change --------------------------------------------------------------------------

    def built(self, kind: Kind, guards: Named) -> tuple[Routine, int, int]:
        """The compiled loop, the size of its state, and that of a row."""
        drives = self.ode.drives
        routine, size = routine_of(
            self.ode.moving, kind, guards, drives.table_places, drives.function_places, self.ode.compiled.cache
        )
        return routine, size, 1 + size

    def slots(self) -> dict[str, Floats]:
        """Room for the addresses of functions; each session has its own."""
        return {"functions": np.zeros(len(self.ode.drives.functions))}

    def connect(self, session: Session) -> None:
        """Lets the code call what was given as functions."""
        coordinates = len(self.ode.compiled.system.coordinates)
        for k, (_, name, function) in enumerate(self.ode.drives.functions):
            session.connect("functions", k, Called(f"input {name!r}", function, coordinates))

    @property
    def calls_python(self) -> bool:
        """Whether a step may call functions in Python."""
        return bool(self.ode.drives.functions)

    def further(self, directions: Floats) -> dict[str, Floats]:
        """More given arrays, or others; directions: of the user's guards."""
        return {}

    def prime(self) -> None:
        """Fills the working memory before the start."""

    def marks(self) -> list[Floats]:
        """Of the mode as it is now."""
        return []

    def kept(self) -> dict[str, Floats]:
        """What a checkpoint holds beside the working memory, rows and events."""
        return {}

    def restore(self, kept: Mapping[str, Floats]) -> str:
        """The other way; what is wrong with it, "" if nothing."""
        return ""

    # -- a run ----------------------------------------------------------------------------------------------------

    @property
    def is_lost(self) -> bool:
        """Whether the start could not be brought onto the constraints."""
        return self.session["lost"] != 0.0

    @property
    def failed(self) -> tuple[float, Floats] | None:
        """The time and state at which the run could not go on; None where it ended with the last row."""
        if Status(int(self.session["status"])) not in (Status.NOT_FINITE, Status.CONSTRAINTS_LOST):
            return None
        return self.session["end"], self.session.array("new")[: self.own].copy()

    def rates(self, y: Floats) -> Floats:
        """ẏ at the start, at y put on the constraints, by the code that is to be run."""
        if self._probe is None:
            self._probe = self.routine.session({**self.session.given, **self.slots()})
            self.connect(self._probe)
        probe = self._probe
        probe["started"], probe["t"] = 0.0, self.start
        probe.array("y")[: self.own] = y
        probe.run()
        found: Floats = probe.array("f")[: self.own].copy()
        return found

    def go(self, progress: Progress | None = None) -> None:
        """Until the end, or Ctrl-C, with which the status says so."""
        budget = float(FIRST)
        try:
            while self.session["status"] == Status.RUNNING.value:
                began = time.perf_counter()
                self._set(budget=budget)
                self._run()
                self.take()
                spent = time.perf_counter() - began
                used = budget - self.session["budget"]
                if used and spent > 0.0:
                    budget = float(np.clip(used * PATIENCE / spent, 10.0, 10.0 * budget))
                if progress is not None:
                    progress((self.session["t"] - self.start) / (self.final - self.start))
        except KeyboardInterrupt:
            self.take()
            self.session["status"] = Status.INTERRUPTED.value
        except FunctionError as error:
            self.take()
            self.session["status"] = Status.RAISED.value
            self.raised = error

    def carry_on(self) -> None:
        """Lets an interrupted run go on."""
        self.session["status"] = Status.RUNNING.value

    def result(self) -> Raw:
        """What there is, and where the run stands if it ended before its time."""
        session = self.session
        rows = np.concatenate(self.taken) if self.taken else np.empty((0, self.rows.shape[1]))
        status = Status(int(session["status"]))
        here = np.concatenate([[session["t"]], session.array("y"), *self.marks()])
        rows = rows[_new(rows)]  # an interruption may have come while they were taken
        if self.raised is not None:  # what was made of no answer is nothing
            rows = rows[(rows[:, 0] < self.raised.t) & np.isfinite(rows).all(axis=1)]
        last = rows[-1, 0] if len(rows) else self.start
        is_good = np.isfinite(here).all() and (self.raised is None or here[0] < self.raised.t)
        if status is not Status.DONE and here[0] > last and is_good:
            rows = np.concatenate([rows, here[None]])
        counts = {name: int(session[name]) for name in ("steps", "rejected", "evaluations") if session.has(name)}
        occurred = [x for x in self._occurrences() if self.raised is None or x.t < self.raised.t]
        return Raw(
            rows[:, 0], rows[:, 1 : 1 + self.own], rows[:, 1 + self.own] if self.size > self.own else None,
            occurred, status, counts, rows[:, 1 + self.size :],
        )  # fmt: skip

    # -- inside ---------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        """Some steps. Where Ctrl-C comes within a function, these are forgotten: numbers after it are none."""
        if not self.calls_python:
            self.session.run()
            return
        kept = self.session.memory.copy()
        try:
            self.session.run()
        except KeyboardInterrupt:
            self.session.memory[:] = kept
            raise

    def _set(self, **cells: float) -> None:
        for name, value in cells.items():
            if self.session.has(name):
                self.session[name] = value

    def take(self) -> None:
        """Rows and events out of the tables."""
        done = int(self.session["row"])
        if self.every:
            self.taken.append(self.rows[:done].copy())
            self.session["row"] = 0.0
        else:
            self.taken = [self.rows[:done]]
        if self.events:
            count = int(self.session["event rows"])
            self.occurred.append(self.happened[:count].copy())
            self.session["event rows"] = 0.0

    def _occurrences(self) -> list[Occurrence]:
        names, n = list(self.events), len(self.ode.compiled.system.coordinates)
        found = []
        for row in np.concatenate(self.occurred) if self.occurred else ():
            y = row[COLUMNS : COLUMNS + self.own]
            found.append(Occurrence(names[int(row[1])], float(row[0]), int(row[2]), y[:n].copy(), y[n:].copy()))
        return found

    def _first_step(self, method: Adaptive) -> float:
        """From the sizes of y and its rates, in units of the tolerances (Hairer, Nørsett, Wanner, section II.4)."""
        longest = min(method.longest_step, self.final - self.start)
        if method.first_step is not None:
            return min(method.first_step, longest)
        y, f = self.session.array("y")[: self.own], self.session.array("f")[: self.own]
        scale = np.maximum(np.asarray(method.atol, float) + method.rtol * np.abs(y), 1e-300)
        d0, d1 = (float(np.sqrt(np.mean((x / scale) ** 2))) for x in (y, f))
        if not np.isfinite(d1):
            return longest
        h = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
        return min(h, longest, 1e-3 * (self.final - self.start))


def _new(rows: Floats) -> NDArray[np.bool_]:
    """Which rows tell something new: times never decrease, and a change of the mode has one time and two states."""
    t = rows[:, 0]
    same = np.zeros(len(rows), dtype=bool)
    same[1:] = (rows[1:] == rows[:-1]).all(axis=1)
    return (t >= np.maximum.accumulate(t)) & ~same
