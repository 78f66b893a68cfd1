"""A simulated motion through modes, and what changed them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...driver.changing import Changing
from ...model.changing import ImpactLaw
from ..change import Change, warn_of_gains
from ..checks import Checks, stacked
from ..compiled_run import CompiledRun, Progress
from ..method import Method
from ..motion import ModeSpan
from ..ode import Ode
from ..run import Run, kept
from ..scipy_run import ScipyRun
from .changing_run import ChangingRun
from .failing import reason_of
from .looking_back import look_back
from .modal_checks import modal_checks, modal_forces
from .telling import changes_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class ModalRun(Run):
    """A run through modes. marks (n, marks): what its rows tell of them. changes: in order of time.

    Where the mode changes there are two rows at one time, unless times were asked for: before and after. At a time that
    was asked for, and at which it happens to change, the row is before the change where steps are adaptive, after it
    where they are fixed.
    """

    marks: Floats
    changes: tuple[Change, ...] = ()

    @classmethod
    def of(cls, ode: Ode, going: CompiledRun | ScipyRun, method: Method, progress: Progress | None) -> ModalRun:
        """Goes on until the end, or Ctrl-C."""
        assert isinstance(going, ChangingRun)
        began = time.perf_counter()
        going.go(progress)
        spent = time.perf_counter() - began
        raw = going.result()
        assert raw.marks is not None and raw.work is not None and raw.changes is not None
        t = np.concatenate([[going.start], raw.t])
        q, u = (np.ascontiguousarray(x) for x in ode.split(np.concatenate([going.settled[None], raw.states])))
        marks = np.concatenate([going.settled_marks[None], raw.marks])
        work = np.concatenate([[going.settled_work], raw.work])
        changes = changes_of(going, raw.changes)
        laws = dict.fromkeys(x.law for x in going.layout.changing.system.contacts if x.law is not ImpactLaw.STRONGE)
        warn_of_gains(changes, [f"{x.value}'s" for x in laws])
        return kept(going, cls(
            ode, t, q, u, work, tuple(raw.events), method, raw.status, raw.counts, spent, going, marks,
            changes,
        ))  # fmt: skip

    @property
    def beforehand(self) -> tuple[tuple[str, ...], ...]:
        """The modes that were compiled beforehand."""
        assert isinstance(self.going, ChangingRun)
        return self.going.enumerated

    @cached_property
    def modes(self) -> tuple[ModeSpan, ...]:
        """The modes that it went through, in order of time, those of no duration left out."""
        return spans_of(self.changes, self._first_mode, float(self.t[0]), float(self.t[-1]))

    @cached_property
    def outputs(self) -> dict[str, Floats]:
        """The model's named outputs (n,); accelerations are those of the modes, with the friction of contacts."""
        changing = Changing.of(self.system)
        if not changing.asks_accelerations:
            return super().outputs
        given = stacked(self.inputs, self.q)
        found = self.ode.bound(changing.outputs)(self.q, self.u, given, self.t, self._seen["rates"])
        return {name: found[..., k] for k, name in enumerate(self.system.outputs)}

    @cached_property
    def forces(self) -> dict[str, Floats]:
        """Forces of constraint (n, rows), by constraint, friction among them; 0 where one did not act."""
        return modal_forces(self.system, self._seen)

    @property
    def kept_forces(self) -> dict[str, Floats]:
        """All of them: whether a contact sticks or slips is not told by a state."""
        return self.forces

    @cached_property
    def checks(self) -> Checks:
        """What must stay, and what must come back; conserved momenta are none, for contacts push."""
        assert self.work is not None
        return modal_checks(self.compiled, self.t, self.q, self.u, self.work, self.inputs, self._seen)

    @cached_property
    def reason(self) -> str:
        """Why it ended, in a sentence: where it failed, with the time and the names of contacts and switches."""
        return reason_of(self)

    # -- inside ---------------------------------------------------------------------------------------------------

    @property
    def _first_mode(self) -> tuple[str, ...]:
        assert isinstance(self.going, ChangingRun)
        return self.going.started

    @cached_property
    def _seen(self) -> dict[str, Floats]:
        return look_back(self.compiled, self.t, self.q, self.u, self.marks, stacked(self.inputs, self.q))


def spans_of(
    changes: Sequence[Change], mode: tuple[str, ...], start: float, end: float
) -> tuple[ModeSpan, ...]:
    """mode: before the first change."""
    found, since = [], start
    for x in changes:
        if x.mode != mode:
            if x.t > since:
                found.append(ModeSpan(since, x.t, mode))
                since = x.t
            mode = x.mode
            if found and found[-1].mode == mode and found[-1].end == since:
                since = found.pop().start
    if end > since or not found:
        found.append(ModeSpan(since, end, mode))
    return tuple(found)
