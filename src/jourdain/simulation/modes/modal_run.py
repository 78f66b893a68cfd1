"""A simulated motion through modes, and what changed them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..checks import Checks
from ..compiled_run import CompiledRun, Progress, Raw
from ..method import Method
from ..motion import ModeSpan
from ..ode import Ode
from ..run import Run
from ..scipy_run import ScipyRun
from .changing_run import ChangingRun
from .layout import Layout

Floats = NDArray[np.float64]
TINY = 1e-300
TOGETHER = 100_000  # rows that are looked at together


@dataclass(frozen=True)
class Change:
    """What happened at a time [s].

    causes: in words. imposed, deleted: switchable constraints that began and ceased to hold. impulses: by constraint
    [N s, N m s]. work: that these did [J]; what is negative was lost. q (coordinates,); u_before, u (speeds,).
    """

    t: float
    causes: tuple[str, ...]
    imposed: tuple[str, ...]
    deleted: tuple[str, ...]
    impulses: dict[str, Floats]
    work: float
    q: Floats
    u_before: Floats
    u: Floats

    def __str__(self) -> str:
        said = [*self.causes, *(f"+{x}" for x in self.imposed), *(f"-{x}" for x in self.deleted)]
        lost = f", {-self.work:.4g} J lost" if self.impulses else ""
        return f"{self.t:.9g} s: {', '.join(said)}{lost}"


@dataclass(frozen=True, eq=False, repr=False)
class ModalRun(Run):
    """A run through modes. marks (n, marks): what its rows tell of them. changes: in order of time.

    Where the mode changes there are two rows at one time, unless times were asked for: before and after.
    """

    marks: Floats
    changes: tuple[Change, ...]

    @classmethod
    def of(cls, ode: Ode, going: CompiledRun | ScipyRun, method: Method, progress: Progress | None) -> ModalRun:
        """Goes on until the end, or Ctrl-C."""
        assert isinstance(going, ChangingRun)
        began = time.perf_counter()
        going.go(progress)
        spent = time.perf_counter() - began
        raw = going.result()
        assert raw.marks is not None and raw.work is not None
        t = np.concatenate([[going.start], raw.t])
        q, u = (np.ascontiguousarray(x) for x in ode.split(np.concatenate([going.settled[None], raw.states])))
        marks = np.concatenate([going.settled_marks[None], raw.marks])
        work = np.concatenate([[going.settled_work], raw.work])
        return cls(
            ode, t, q, u, work, tuple(raw.events), method, raw.status, raw.counts, spent, going, marks,
            _changes(going, raw),
        )  # fmt: skip

    # -- modes ----------------------------------------------------------------------------------------------------

    @property
    def layout(self) -> Layout:
        """Where in the marks what stands."""
        assert isinstance(self.going, ChangingRun)
        return self.going.layout

    @property
    def beforehand(self) -> tuple[tuple[str, ...], ...]:
        """The modes that were compiled beforehand."""
        return self.layout.enumerated

    @cached_property
    def modes(self) -> tuple[ModeSpan, ...]:
        """The modes that it went through, in order of time."""
        new = np.flatnonzero(np.any(np.diff(self._holding, axis=0) != 0.0, axis=1)) + 1
        starts = [0, *map(int, new)]
        ends = [*(float(self.t[k]) for k in new), float(self.t[-1])]
        return tuple(
            ModeSpan(float(self.t[k]), end, self.layout.mode(self.marks[k])) for k, end in zip(starts, ends)
        )

    @cached_property
    def forces(self) -> dict[str, Floats]:
        """Forces of constraint (n, rows), by constraint, friction among them; 0 where one did not act."""
        return {name: self._seen["multipliers"][:, list(rows)] for name, rows in self.layout.changing.places.items()}

    @property
    def kept_forces(self) -> dict[str, Floats]:
        """All of them: whether a contact sticks or slips is not told by a state."""
        return self.forces

    @cached_property
    def checks(self) -> Checks:
        """What must stay, and what must come back; conserved momenta are none, for contacts push."""
        d, seen = self.compiled, self._seen
        energy = d.energy(self.q, self.u, inputs=self.inputs, t=self.t)
        assert self.work is not None
        balance = energy.total - self.work
        missed = d.inverse_dynamics(self.q, self.u, seen["rates"], inputs=self.inputs, t=self.t) - seen["forces"]
        size = max(_largest(seen["forces"]), _largest(missed + seen["forces"]), TINY)
        drift = {}
        for name, places in self.layout.changing.places.items():
            rows = list(places)
            off = np.maximum(np.abs(seen["positions"][:, rows]), np.abs(seen["velocities"][:, rows]))
            drift[name] = _largest(off * seen["holds"][:, rows])
        for contact in self.system.contacts:  # what is open must not overlap
            row = self.layout.changing.places[contact.normal].start
            drift[contact.normal] = max(drift[contact.normal], -float(seen["positions"][:, row].min(initial=0.0)))
        lengths = [np.linalg.norm(self.q[:, k : k + 4], axis=-1) - 1.0
                   for k, name in enumerate(self.coordinates) if name.endswith(".qx")]  # fmt: skip
        exchanged = max(_largest(energy.kinetic), _largest(energy.potential - energy.potential[0]))
        return Checks(
            _largest(balance - balance[0]), exchanged, {}, drift, max(map(_largest, lengths), default=0.0),
            _largest(missed) / size,
        )  # fmt: skip

    # -- inside ---------------------------------------------------------------------------------------------------

    @cached_property
    def _holding(self) -> Floats:
        """Marks without headings."""
        k = self.layout.contacts
        return np.concatenate([self.marks[:, :k], self.marks[:, 3 * k :]], axis=1)

    @cached_property
    def _seen(self) -> dict[str, Floats]:
        assert isinstance(self.going, ChangingRun) and self.work is not None
        rows = np.concatenate([self.t[:, None], self.q, self.u, self.work[:, None], self.marks], axis=1)
        parts = [self.going.look_back(rows[k : k + TOGETHER]) for k in range(0, len(rows), TOGETHER)]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _changes(going: ChangingRun, raw: Raw) -> tuple[Change, ...]:
    layout, system = going.layout, going.ode.compiled.system
    n, own, size, contacts, switches = (
        len(system.coordinates), going.own, going.size, layout.contacts, len(layout.switches),
    )  # fmt: skip
    found: list[Change] = []
    before = layout.mode(going.first_marks)
    assert raw.changes is not None
    for row in raw.changes:
        parts = np.split(row, np.cumsum([1, 1, size, size, contacts, switches, layout.rows])) 
        (t,), (work,), old, new, touch, switched, impulses, fired = parts
        after = layout.mode(np.concatenate([touch, np.zeros(2 * contacts), switched]))
        by_name = {name: impulses[list(rows)] for name, rows in layout.changing.places.items()}
        change = Change(
            float(t), layout.causes(fired), tuple(x for x in after if x not in before),
            tuple(x for x in before if x not in after), {name: x for name, x in by_name.items() if x.any()},
            float(work), new[:n].copy(), old[n:own].copy(), new[n:own].copy(),
        )  # fmt: skip
        before = after
        if change.imposed or change.deleted or change.impulses or np.any(fired[: len(layout.conditions)]):
            found.append(change)
    return tuple(found)


def _largest(x: Floats) -> float:
    return float(np.abs(x).max(initial=0.0))
