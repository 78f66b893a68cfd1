"""Runs that never end: the loop of changing constraints, obeying between two ticks what comes from outside."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ...driver.changing import Changing
from ...driver.moving import Named
from ...native import Cache, Routine, Session
from ...program import Draft
from ..compiled_run import Kind
from ..method import FixedStep
from ..ode import Ode
from ..status import Status
from .changing_run import ChangingRun
from .layout import Layout
from .looking_back import Looking
from .modal_plant import ModalPlant
from .modal_stepper import ModalLoop

Floats = NDArray[np.float64]
NO_MORE: Mapping[str, Floats] = MappingProxyType({})
BLOCK = 1024  # ticks that are made at once


class TickLoop(ModalLoop):
    """Emits the loop; before its steps, what inputs and switches that were set from outside change at once."""

    def emit(self) -> None:
        """Emits it."""
        with self.draft.when(self.draft.cell("started")):
            self._obey()
        super().emit()

    def _obey(self) -> None:
        draft, at = self.draft, self.at
        turned, pushed = draft.cell("switches turned"), draft.cell("inputs set")
        self.modes.recognise()  # the code may be new
        with draft.when(turned):
            self.modal.change(at.y, at.t)
            self._fail_if_stuck()
        with draft.when(turned + pushed):
            self.plant.motion(at.y, at.t, at.f)
            draft.set({turned: 0.0, pushed: 0.0})


@lru_cache(maxsize=64)
def ticking_routine_of(
    layout: Layout, kind: Kind, tables: tuple[int, ...], cache: Cache | None
) -> tuple[Routine, int, int, int]:
    """The compiled loop, and the sizes of its state, of a row, and of a change's row; made once in a process."""
    method = kind()
    draft = Draft(f"{method.name} of {layout.changing.system.name}, tick by tick")
    plant = ModalPlant(draft, layout, tables)
    loop = TickLoop(plant, method, ())
    loop.emit()
    return Routine(draft.done(), cache), plant.size, plant.row_width, loop.modal.log_width


class TickingRun(ChangingRun):
    """A run whose times are written as it goes."""

    def __init__(
        self, ode: Ode, method: FixedStep, y: Floats, start: float, enumerated: tuple[tuple[str, ...], ...]
    ) -> None:
        super().__init__(ode, method, {}, y, start, np.zeros(BLOCK), np.inf, enumerated)

    def built(self, kind: Kind, guards: Named) -> tuple[Routine, int, int]:
        self._made = kind, self.ode.drives.table_places, self.ode.compiled.cache
        routine, size, width, self.change_width = ticking_routine_of(self.layout, *self._made)
        return routine, size, width

    def routine_of(self, layout: Layout) -> Routine:
        """The loop with other modes compiled beforehand."""
        return ticking_routine_of(layout, *self._made)[0]


class Ticker:
    """Ticks of one session: number k is at start + k step, and lies at that to the bit whoever asks for it."""

    def __init__(self, session: Session, start: float, step: float) -> None:
        self.session, self._start, self._step = session, start, step
        self._times, self._changes = session.given["times"], session.given["changes"]
        self._counted = np.arange(1.0, BLOCK + 1.0)

    def run(self, tick: int, count: int, changes: int) -> tuple[int, Floats]:
        """Makes up to `count` ticks, no more than BLOCK, after number `tick`; it ends early after so many rows of
        changes. The ticks that it made, and the rows."""
        session, times = self.session, self._times
        np.add(self._counted[:count], tick, out=times[:count])
        times[:count] *= self._step
        times[:count] += self._start
        times[count] = np.inf
        for cell, value in (("row", 0.0), ("count", count), ("upcoming", times[0]), ("budget", np.inf),
                            ("change rows", 0.0), ("change capacity", changes), ("left", 0.0)):  # fmt: skip
            session[cell] = value
        if session["status"] == Status.DONE.value:
            session["status"] = Status.RUNNING.value
        session.run()
        return int(session["row"]), self._changes[: int(session["change rows"])]


def beside(session: Session, more: Mapping[str, Floats] = NO_MORE) -> Session:
    """Another memory for the same code, with arrays of its own for all that the code writes. more: others of them."""
    own = {name: session.given[name].copy() for name in ("times", "rows", "changes", "inputs", "events")}
    return session.routine.session({**session.given, **own, **more})


class Bearing:
    """Finds what constraints carry in a run as it stands, in a memory of its own."""

    def __init__(self, changing: Changing, ode: Ode) -> None:
        self._looking = Looking(changing, ode.parameters, ode.compiled.cache)
        self._own, self._tables = len(changing.system.coordinates) + len(changing.system.speeds), ode.drives.tables

    def carried(self, session: Session, marks: list[Floats]) -> Floats:
        """Multipliers (rows,) of all constraints."""
        t, y, inputs = session["t"], session.array("y")[: self._own], session.given["inputs"].copy()
        for place, _, table in self._tables:
            inputs[place] = float(table.at(t))
        np.concatenate([[t], y, *marks, inputs], out=self._looking.rows[0])
        found: Floats = self._looking.look()["multipliers"][0]
        return found
