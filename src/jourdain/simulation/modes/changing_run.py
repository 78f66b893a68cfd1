"""Runs through changing constraints: the compiled loop with its modes, and what it noted of their changes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...driver.changing import Changing
from ...driver.moving import Named
from ...native import Cache, Routine
from ..compiled_run import CompiledRun, Kind, Raw
from ..event import Event
from ..method import Stepped
from ..ode import Ode
from .layout import Layout
from .modal_stepper import modal_stepper

Floats = NDArray[np.float64]
CHANGES = 1024  # that are taken from the loop at once


@lru_cache(maxsize=64)
def modal_routine_of(
    layout: Layout, kind: Kind, guards: Named, tables: tuple[int, ...], cache: Cache | None
) -> tuple[Routine, int, int, int]:
    """The compiled loop, and the sizes of its state, of a row, and of a change's row; made once in a process."""
    procedure, plant, landing = modal_stepper(layout, kind(), guards, tables)
    return Routine(procedure, cache), plant.size, plant.row_width, landing.log_width


class ChangingRun(CompiledRun):
    """One run through modes."""

    stays_in_tables: ClassVar[bool] = False  # conditions are counted on where tables of the user's events have ended

    def __init__(
        self, ode: Ode, method: Stepped, events: dict[str, Event], y: Floats, start: float, times: Floats | None,
        final: float, enumerated: tuple[tuple[str, ...], ...] = (),
    ) -> None:  # fmt: skip
        """enumerated: the modes that are compiled beforehand."""
        self.enumerated = enumerated
        super().__init__(ode, method, events, y, start, times, final)

    @property
    def layout(self) -> Layout:
        """Of the system's rows, contacts, switches."""
        return Layout(Changing.of(self.ode.compiled.system, self.ode.drives.expressions), self.enumerated)

    def built(self, kind: Kind, guards: Named, tables: tuple[int, ...]) -> tuple[Routine, int, int]:
        routine, size, width, self.change_width = modal_routine_of(
            self.layout, kind, guards, tables, self.ode.compiled.cache
        )
        return routine, size, width

    def further(self, directions: Floats) -> dict[str, Floats]:
        layout = self.layout
        self.changes = np.empty((CHANGES, self.change_width))
        self.noted: list[Floats] = []
        sides = np.full(2 * layout.contacts, -1.0)
        return {
            **layout.given, "changes": self.changes, "seen": np.empty(0), "calls": np.zeros(len(layout.call_places)),
            "directions": np.concatenate([directions, np.ones(len(layout.conditions)), sides]),
        }  # fmt: skip

    def prime(self) -> None:
        """Switches as they are at the start."""
        system, layout = self.ode.compiled.system, self.layout
        started = {x.constraint for x in system.switchings if x.start} | set(self.ode.compiled.mode)
        self.session.array("switched")[:] = [float(name in started) for name in layout.switches]
        self._set(**{"change capacity": float(CHANGES - 32)})
        self.first_marks = np.concatenate([np.empty(0), *self.marks()])

    def marks(self) -> list[Floats]:
        return [self.session.array(name) for name in ("touch", "heading", "switched") if self.session.array(name).size]

    def take(self) -> None:
        super().take()
        count = int(self.session["change rows"])
        self.noted.append(self.changes[:count].copy())
        self.session["change rows"] = 0.0

    def kept(self) -> dict[str, Floats]:
        return {"noted": np.concatenate([np.empty((0, self.change_width)), *self.noted])}

    def restore(self, kept: Mapping[str, Floats]) -> str:
        noted = kept.get("noted")
        if noted is None or noted.shape[1:] != (self.change_width,) or not np.isfinite(noted).all():
            return "its changes of the mode are not finite, or not as wide as they must be"
        self.noted = [noted.copy()]
        return ""

    def look_back(self, rows: Floats) -> dict[str, Floats]:
        """At rows (count, 1 + size + marks) of a run: rates and forces (count, n); multipliers, positions, velocities
        of all constraints' rows and whether they hold (count, rows)."""
        layout = self.layout
        widths = {"rates": layout.speeds, "forces": layout.speeds, "multipliers": layout.rows,
                  "positions": layout.rows, "velocities": layout.rows, "holds": layout.rows}  # fmt: skip
        seen = np.zeros((len(rows), sum(widths.values())))
        session = self.routine.session({
            **self.session.given, "rows": np.ascontiguousarray(rows), "seen": seen,
            "inputs": self.session.given["inputs"].copy(),
        })  # fmt: skip
        session["looking back"], session["rows to look at"] = 1.0, float(len(rows))
        session.run()
        places = np.cumsum([0, *widths.values()])
        return {name: seen[:, a:b] for name, a, b in zip(widths, places, places[1:])}

    def result(self) -> Raw:
        raw = super().result()
        if self.enumerated:
            beforehand = int(self.session["evaluations beforehand"])
            raw.counts["in modes compiled beforehand"] = beforehand
            raw.counts["in the general way"] = raw.counts["evaluations"] - beforehand
        raw.changes = np.concatenate(self.noted) if self.noted else np.empty((0, self.change_width))
        return raw
