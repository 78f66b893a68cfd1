"""The loop around a method, written once: steps, their acceptance, samples, events, and how all of it ends.

The procedure's memory holds the whole run: it can be called for some steps, looked at, and called again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..driver.moving import Moving, Named
from ..graph import Node, absolute, equal, floor, less, less_equal, maximum, minimum, power, select
from ..program import Array, Draft, Procedure
from .adaptive import GROW, SAFETY, SHRINK, Adaptive
from .landing import Landing
from .method import Slots, Stepped
from .plant import Plant
from .polynomial import Polynomial
from .status import Status

SMALLEST = 1e-15  # of |t|: a step below this does not move the clock


def stepper(
    moving: Moving, method: Stepped, guards: Named = (), tables: Sequence[int] = (), functions: Sequence[int] = ()
) -> tuple[Procedure, Plant]:
    """The procedure. Where `method` is adaptive and the cell `every` is 1, each step is a row of the table `rows`;
    else each of `times` is, which end with infinity."""
    draft = Draft(f"{method.name} of {moving.system.name}")
    loop = Loop(Plant(draft, moving, tables, functions), method, guards)
    loop.emit()
    return draft.done(), loop.plant


class Loop:
    """Emits the whole run of a plant."""

    def __init__(self, plant: Plant, method: Stepped, guards: Named) -> None:
        draft, moving = plant.draft, plant.moving
        self.plant, self.draft, self.method = plant, draft, method
        reason = method.refusal(plant)
        if reason:
            raise ValueError(f"{method.name} cannot integrate system {moving.system.name!r}: {reason}")
        cell, state = draft.cell, plant.state
        self.at = Slots(
            cell("t"), cell("h"), cell("end"), state("y"), state("f"), state("new"), state("rates"),
            cell("error"), cell("trouble"),
        )  # fmt: skip
        self.polynomial = Polynomial(plant, method, self.at)
        self.landing = self.watch(guards)
        self.times, self.rows = draft.array("times", 0, given=True), draft.array("rows", 0, given=True)
        names = ("status", "budget", "row", "capacity", "upcoming", "count", "steps", "accepted")
        (
            self.status, self.budget, self.row, self.capacity, self.upcoming, self.count, self.steps, self.accepted,
        ) = map(cell, names)  # fmt: skip

    def watch(self, guards: Named) -> Landing | None:
        """What is watched."""
        return Landing(self.plant, self.at, self.polynomial, guards) if guards else None

    def begin(self) -> None:
        """Emits the start: the state on the constraints, its rates."""
        self.plant.settle(self.at.y, self.at.t)
        self.plant.motion(self.at.y, self.at.t, self.at.f)

    def change(self) -> None:
        """Emits what follows where a step that stands ends at events: nothing, in one mode."""

    def emit(self) -> None:
        """Emits it."""
        draft, at, plant = self.draft, self.at, self.plant
        started = draft.cell("started")
        with draft.when(equal(started, 0.0)):
            draft.set({plant.lost: 0.0})
            self.begin()
            draft.fetch(self.times, 1, 0, self.row, self.upcoming)
            if self.landing:
                self.landing.begin(at.y, at.t)
            draft.set({started: 1.0})
        going = equal(self.status, 0.0) * less(0.0, self.budget) * less(self.row, self.capacity)
        if self.landing:
            going = going * self.landing.has_room
        with draft.loop(going):
            draft.set({self.budget: self.budget - 1.0, at.trouble: 0.0, plant.lost: 0.0, at.error: 0.0})
            if self.landing:
                with draft.when(equal(self.landing.is_under_way, 0.0)):
                    self._choose()
            else:
                self._choose()
            self.method.emit(plant, at)
            self._judge()
            with draft.when(self.accepted):
                self._accept()
            if self.method.is_adaptive:
                with draft.otherwise():
                    self._reject()

    # -- the length of a step -------------------------------------------------------------------------------------

    def _choose(self) -> None:
        (self._choose_adaptive if self.method.is_adaptive else self._choose_fixed)()

    def _choose_adaptive(self) -> None:
        """As proposed; the last two before the end share what is left."""
        draft, at = self.draft, self.at
        proposal, final = draft.cell("proposal"), draft.cell("final")
        left = final - at.t
        reaches = less_equal(left, proposal * (1.0 + 1e-9))
        h = select(reaches, left, select(less(left, proposal * 2.0), left * 0.5, proposal))
        draft.set({at.h: h, at.end: select(reaches, final, at.t + h)})

    def _choose_fixed(self) -> None:
        """Equal steps to the next time that is asked for, none longer than the method's."""
        draft, at = self.draft, self.at
        left, each, step = draft.cell("left"), draft.cell("each"), draft.cell("step")
        with draft.when(equal(left, 0.0)):
            whole = -floor(-((self.upcoming - at.t) / step - 1e-6))
            draft.set({left: maximum(whole, 1.0)})
            draft.set({each: (self.upcoming - at.t) / left})
        last = equal(left, 1.0)
        draft.set({at.h: each, at.end: select(last, self.upcoming, self.upcoming - (left - 1.0) * each)})

    # -- what becomes of it ---------------------------------------------------------------------------------------

    def _judge(self) -> None:
        if not self.method.is_adaptive:
            self.draft.set({self.accepted: 1.0})
            return
        limit: Node | float = 1.0
        if self.landing:  # a part of a step that was accurate enough
            limit = select(self.landing.is_under_way, 1e3, 1.0)
        self.draft.set({self.accepted: less_equal(self.at.error, limit)})

    def _accept(self) -> None:
        """The state at the end, on the constraints, and its rates; then events; then the step stands."""
        draft, plant, at = self.draft, self.plant, self.at
        known = isinstance(self.method, Adaptive) and self.method.tableau.ends_with_rates
        if plant.drifts:
            plant.settle(at.new, at.end)
        if plant.drifts or not known:
            plant.motion(at.new, at.end, at.rates)
        self.judge_state()
        stands = equal(self.status, 0.0)
        with draft.when(stands):
            if self.landing:
                self.landing.watch()
                with draft.when(equal(self.landing.redo, 0.0)):
                    self._adopt()
            else:
                self._adopt()

    def judge_state(self) -> None:
        """Emits the end of the run where the state at the end of a step cannot be."""
        self.fail_if(self.at.trouble, Status.NOT_SOLVED)
        self.fail_if(self.plant.lost, Status.CONSTRAINTS_LOST)
        self.fail_if(1.0 - self.plant.finite(self.at.new), Status.NOT_FINITE)

    def fail_if(self, flag: Node, status: Status) -> None:
        """Emits the end of the run where a flag is 1."""
        self.draft.set({self.status: select(flag, float(status.value), self.status)})

    def _reject(self) -> None:
        draft, at = self.draft, self.at
        proposal, rejected, before = draft.cell("proposal"), draft.cell("rejected"), draft.cell("just rejected")
        shorter = maximum(SAFETY * power(at.error, -self._exponent), SHRINK)
        # An error that is no number is not less than anything.
        draft.set({
            proposal: at.h * select(less(at.error, math.inf), shorter, SHRINK), rejected: rejected + 1.0, before: 1.0,
        })  # fmt: skip
        if self.landing:
            draft.set({self.landing.tries: 0.0})
        self.fail_if(less_equal(proposal, SMALLEST * maximum(absolute(at.t), 1e-300)), Status.STEP_TOO_SMALL)

    def _adopt(self) -> None:
        """The step stands: samples along it, and on."""
        draft, at = self.draft, self.at
        if self.method.is_adaptive:
            self._sample()
            self._propose()
        if self.landing:
            landed = draft.cell("landed")
            draft.set({landed: self.landing.is_under_way})
            self.landing.adopt()
        else:
            landed = draft.graph.zero
        draft.copy(at.new, at.y)
        draft.copy(at.rates, at.f)
        draft.set({at.t: at.end, self.steps: self.steps + 1.0})
        self.plant.adopt(at.y, at.t)
        self.change()
        done = less_equal(draft.cell("final"), at.t) if self.method.is_adaptive else self._reach(landed)
        draft.set({self.status: select(done, float(Status.DONE.value), self.status)})
        if self.landing:
            stopped = float(Status.STOPPED.value)
            draft.set({self.status: select(self.landing.stop, stopped, self.status)})

    @property
    def _exponent(self) -> float:
        assert isinstance(self.method, Adaptive)
        return self.method.exponent

    def _propose(self) -> None:
        """The next step, from the error of this one; not from one that was cut short at an event."""
        draft, at = self.draft, self.at
        proposal, longest, before = draft.cell("proposal"), draft.cell("longest"), draft.cell("just rejected")
        grow = minimum(maximum(SAFETY * power(maximum(at.error, 1e-30), -self._exponent), SHRINK), GROW)
        wanted = minimum(at.h * select(before, minimum(grow, 1.0), grow), longest)
        if self.landing:
            wanted = select(self.landing.is_under_way, proposal, wanted)
        draft.set({proposal: wanted, before: 0.0})

    # -- rows -----------------------------------------------------------------------------------------------------

    def _sample(self) -> None:
        """Every step, or all times that it passes."""
        draft, at, plant = self.draft, self.at, self.plant
        every, prepared, share = draft.cell("every"), draft.cell("prepared"), draft.cell("share of the sample")
        sample, moment = plant.state("sample"), self.upcoming
        with draft.when(every):
            self.put(at.end, at.new)
        with draft.otherwise():
            draft.set({prepared: 0.0})
            with draft.loop(less_equal(moment, at.end)):
                with draft.when(less(moment, at.end)):
                    with draft.when(equal(prepared, 0.0)):
                        self.polynomial.prepare()
                    draft.set({prepared: 1.0, share: (moment - at.t) / at.h})
                    self.polynomial.evaluate(share, sample)
                    plant.settle(sample, moment)
                with draft.otherwise():
                    draft.copy(at.new, sample)
                self._put(sample)

    def _put(self, state: Array) -> None:
        """A row at the upcoming time; the next time."""
        self.put(self.upcoming, state)
        self.draft.fetch(self.times, 1, 0, self.row, self.upcoming)

    def put(self, t: Node, state: Array) -> None:
        """Emits a row: time, state, and the mode."""
        draft, width, column = self.draft, self.plant.row_width, 0
        parts: list[Node | Array] = [t, state, *self.plant.marks]
        for part in parts:
            draft.store(part, self.rows, width, column, self.row)
            column += part.length if isinstance(part, Array) else 1
        draft.set({self.row: self.row + 1.0})

    def _reach(self, landed: Node) -> Node:
        """A fixed step more; whether the last time is reached. After an event the rest of the way is shared anew."""
        draft, at = self.draft, self.at
        left = draft.cell("left")
        draft.set({left: select(landed, 0.0, left - 1.0)})
        with draft.when(less_equal(self.upcoming, at.t)):
            draft.set({left: 0.0})
            self._put(at.y)
        return less_equal(self.count, self.row)
