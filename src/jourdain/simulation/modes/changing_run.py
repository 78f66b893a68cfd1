"""Runs through changing constraints: the compiled loop with its modes, and what it noted of their changes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ...driver.changing import Changing
from ...driver.moving import Named
from ...native import Cache, Routine, Session
from ..called import Called, Function
from ..compiled_run import CompiledRun, Kind, Raw
from ..event import Event
from ..features.detector import Detector
from ..features.polyhedra import Polyhedra
from ..method import Stepped
from ..ode import Ode
from ..start import NEAR, must_be_near, must_be_possible, must_not_overlap
from .layout import Layout
from .modal_stepper import modal_stepper
from .touching import OPEN, RESTS, SLIPS, STICKS

Floats = NDArray[np.float64]
CHANGES = 1024  # that are taken from the loop at once
SPARE = 32  # of these, for a chain of changes at one time
NO_CALLS: Mapping[str, Function] = MappingProxyType({})
MARKS = ("touch", "heading", "switched", "wanted forces", "codes")


@lru_cache(maxsize=64)
def modal_routine_of(
    layout: Layout, kind: Kind, guards: Named, tables: tuple[int, ...], functions: tuple[int, ...], cache: Cache | None
) -> tuple[Routine, int, int, int]:
    """The compiled loop, and the sizes of its state, of a row, and of a change's row; made once in a process."""
    procedure, plant, landing = modal_stepper(layout, kind(), guards, tables, functions)
    return Routine(procedure, cache), plant.size, plant.row_width, landing.log_width


class ChangingRun(CompiledRun):
    """One run through modes."""

    def __init__(
        self, ode: Ode, method: Stepped, events: dict[str, Event], y: Floats, start: float, times: Floats | None,
        final: float, enumerated: tuple[tuple[str, ...], ...] = (), calls: Mapping[str, Function] = NO_CALLS,
    ) -> None:  # fmt: skip
        """enumerated: the modes that are compiled beforehand. calls: the functions that are conditions, by name."""
        self.ode, self.enumerated, self.calls = ode, enumerated, calls
        contacts = {x.normal for x in ode.compiled.system.contacts} | {x.slip for x in ode.compiled.system.contacts}
        for name in ode.compiled.mode:
            if name in contacts:
                raise ValueError(
                    f"{name!r} is a contact's, which finds by itself when it holds; leave it out of the mode"
                )
        super().__init__(ode, method, events, y, start, times, final)

    @property
    def layout(self) -> Layout:
        """Of the system's rows, contacts, switches."""
        return Layout(Changing.of(self.ode.compiled.system, self.ode.drives.expressions), self.enumerated)

    def built(self, kind: Kind, guards: Named) -> tuple[Routine, int, int]:
        drives = self.ode.drives
        routine, size, width, self.change_width = modal_routine_of(
            self.layout, kind, guards, drives.table_places, drives.function_places, self.ode.compiled.cache
        )
        return routine, size, width

    def slots(self) -> dict[str, Floats]:
        return {**super().slots(), "calls": np.zeros(len(self.layout.call_places)), "detector": np.zeros(1)}

    def connect(self, session: Session) -> None:
        super().connect(session)
        if self.polyhedra.pairs:
            session.connect("detector", 0, Detector(self.polyhedra))
        system = self.ode.compiled.system
        for k, name in enumerate(self.layout.call_names):
            session.connect("calls", k, Called(f"condition {name!r}", self.calls[name], len(system.coordinates)))

    @property
    def calls_python(self) -> bool:
        return super().calls_python or bool(self.calls) or bool(self.polyhedra.pairs)

    @cached_property
    def polyhedra(self) -> Polyhedra:
        """Boxes and meshes that touch one another."""
        return Polyhedra.of(self.ode.compiled.system, self.ode.parameters)

    def further(self, directions: Floats) -> dict[str, Floats]:
        layout = self.layout
        self.changes = np.empty((CHANGES, self.change_width))
        self.noted: list[Floats] = []
        sides = np.full(2 * layout.contacts + len(self.polyhedra.contacts), -1.0)
        return {
            **layout.given, **self.polyhedra.given, "changes": self.changes,
            "directions": np.concatenate([directions, np.ones(len(layout.conditions)), sides]),
        }  # fmt: skip

    def prime(self) -> None:
        """Switches as they are at the start."""
        self.session.array("switched")[:] = [float(name in self.started) for name in self.layout.switches]
        self._set(**{"change capacity": float(CHANGES - SPARE)})

    @property
    def started(self) -> tuple[str, ...]:
        """The switches that are on at the start."""
        system = self.ode.compiled.system
        on = {x.constraint for x in system.switchings if x.start} | set(self.ode.compiled.mode)
        return tuple(name for name in self.layout.switches if name in on)

    def refuse_start(self, given: Floats) -> None:
        """StateError where bodies overlap, or constraints that hold at the start are far from it. given: y."""
        session, places = self.session, self.layout.changing.places
        begun = session.array("state at the start")[: self.own]
        compiled = self.ode.compiled.in_mode(self.started)
        positions = session.array("positions at the start")
        system = self.ode.compiled.system
        names = [x.name for x in system.contacts]
        friction, restitution = (dict(zip(names, map(float, session.array(x)))) for x in ("friction", "restitution"))
        must_be_possible(system, friction, restitution)
        gaps = {x.name: float(positions[places[x.normal].start]) for x in system.contacts}
        if float(np.abs(begun - given).max(initial=0.0)) <= NEAR:  # what overlaps may be why it was lost
            must_not_overlap(system, gaps)
        must_be_near(self.ode, compiled, given, begun, self.is_lost, self.start)
        must_not_overlap(system, gaps)

    def marks(self) -> list[Floats]:
        """How contacts touch, where they slip to, which switches are on, the forces that contacts keep near to, and
        what stands in the slots of polyhedra."""
        return [self.session.array(name) for name in (MARKS if self.layout.contacts else MARKS[2:3])]

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
        return "" if self._is_of_a_mode() else "its memory is not that of a run: the mode in it cannot be"

    def _is_of_a_mode(self) -> bool:
        """Whether what compiled code takes for places among rows and speeds are such."""
        session, n, rows = self.session, self.layout.speeds, self.layout.rows
        rank, pivots = session["rank"], session.array("pivots")
        if rank not in range(min(n, rows) + 1):
            return False
        chosen = pivots[: int(rank)]
        flags = [session.array("switched"), session.array("holds")]
        return bool(
            np.array_equal(np.sort(session.array("columns")), np.arange(n))
            and np.isin(chosen, np.arange(rows)).all() and len(set(chosen)) == len(chosen)
            and np.isin(session.array("touch"), (OPEN, RESTS, STICKS, SLIPS)).all()
            and all(np.isin(x, (0.0, 1.0)).all() for x in flags)
        )  # fmt: skip

    def result(self) -> Raw:
        raw = super().result()
        if self.enumerated:
            beforehand = int(self.session["evaluations beforehand"])
            raw.counts["in modes compiled beforehand"] = beforehand
            raw.counts["in the general way"] = raw.counts["evaluations"] - beforehand
        raw.changes = np.concatenate(self.noted) if self.noted else np.empty((0, self.change_width))
        if self.raised is not None:
            raw.changes = raw.changes[(raw.changes[:, 0] < self.raised.t) & np.isfinite(raw.changes).all(axis=1)]
        return raw
