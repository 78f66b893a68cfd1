"""Events: signs of guards watched along a step's polynomial, and the step repeated so that it ends at the first one.

The polynomial says roughly when; then the method itself steps there, and the time is corrected by Newton's method
until the state that the method gives has the guard at zero. So an event is as accurate as the integration, and a mode
can begin at it.
"""

from __future__ import annotations

from ..driver.moving import Named
from ..graph import Node, absolute, equal, less, less_equal, maximum, minimum, select
from ..program import Array
from .method import Slots
from .plant import Plant
from .polynomial import Polynomial

LOOKS = 4  # a step: what crosses and comes back between two looks is missed
BRACKET = 2.0**-33  # of a step: where bisection hands over
CORRECTIONS = 3
ALREADY = 1e-13  # of max(1, |t|) [s]: an event so near to the end of a step is at its end
TOGETHER = 1e-11  # of max(1, |t|) [s]: events so near to each other are one time
SIGN = 1e-200  # a guard's size below which it has a sign and no more
PAST = 1e-300  # a guard's size where it has just crossed: it counts for its sign alone
COLUMNS = 3  # of an event's row before the state: time, guard, direction


class Landing:
    """Emits the watch over the guards of one step."""

    def __init__(self, plant: Plant, at: Slots, polynomial: Polynomial, guards: Named, more: int = 0) -> None:
        """more: values that are watched beside the guards."""
        self.plant, self.at, self.polynomial = plant, at, polynomial
        draft, n = plant.draft, len(guards)
        self.users, self.count = n, n + more
        self.program = plant.moving.guards(guards) if guards else None
        # Values at the beginning of the step, at its end, at two looks and in between; roots as shares of the step.
        names = ("guards", "guards new", "guards a", "guards b", "guards between", "roots", "signs")
        self.old, self.new, self.a, self.b, self.between, self.roots, self.signs = (
            draft.array(x, self.count) for x in names
        )
        self.directions = draft.array("directions", self.count, given=True)
        self.stops = draft.array("stops", n, given=True)
        self.table = draft.array("events", 0, given=True)
        self.point = plant.state("look")
        self.rows, self.capacity = draft.cell("event rows"), draft.cell("event capacity")
        self.tries, self.redo, self.record = draft.cell("landings"), draft.cell("redo"), draft.cell("record")
        self.first, self.which, self.slope = draft.cell("first root"), draft.cell("first guard"), draft.cell("slope")
        self.length, self.stop = draft.cell("length of the step"), draft.cell("stop")

    @property
    def is_under_way(self) -> Node:
        """A flag: the step is being repeated to end at an event."""
        return less(0.0, self.tries)

    @property
    def has_room(self) -> Node:
        return less_equal(self.rows + float(self.users), self.capacity)

    def begin(self, y: Array, t: Node) -> None:
        """Emits the guards' first values."""
        self._values(y, t, self.old)

    def watch(self) -> None:
        """Emits what follows an accepted step: `redo` is 1 where it is to be repeated, `record` where events are at
        its end."""
        draft = self.plant.draft
        draft.set({self.redo: 0.0, self.record: 0.0})
        self._values_at_end()
        landing = draft.cell("landing")
        draft.set({landing: self.is_under_way})
        with draft.when(landing):
            self._correct()
        with draft.otherwise():
            self._search()

    def adopt(self) -> None:
        """Emits what follows when the step stands: rows of the table; a guard that was landed on has just crossed."""
        draft, at = self.plant.draft, self.at
        j, root, sign, past = (draft.cell(x) for x in ("j", "root", "sign", "past"))
        with draft.when(self.record):
            draft.set({j: 0.0})
            with draft.loop(less(j, float(self.count))):
                draft.fetch(self.roots, 1, 0, j, root)
                near = less_equal((root - self.first) * self.length, TOGETHER * maximum(absolute(at.end), 1.0))
                with draft.when(less(root, 1.5) * near):
                    draft.fetch(self.signs, 1, 0, j, sign)
                    self.happened(j, sign)
                    draft.set({past: sign * PAST})
                    draft.store(past, self.new, 1, 0, j)
                draft.set({j: j + 1.0})
        draft.copy(self.new, self.old)
        draft.set({self.tries: 0.0})

    def happened(self, j: Node, sign: Node) -> None:
        """Emits what an event does, of the guard j, which has risen (1) or fallen (-1): a row of the table."""
        draft, at, stops = self.plant.draft, self.at, self.plant.draft.cell("stops here")
        draft.fetch(self.stops, 1, 0, j, stops)
        width = COLUMNS + self.plant.size
        for column, value in enumerate((at.end, j, sign)):
            draft.store(value, self.table, width, column, self.rows)
        draft.store(at.new, self.table, width, COLUMNS, self.rows)
        draft.set({self.rows: self.rows + 1.0, self.stop: maximum(self.stop, stops)})

    # -- inside ---------------------------------------------------------------------------------------------------

    def _values(self, y: Array, t: Node, to: Array) -> None:
        assert self.program is not None
        self.plant.run(self.program, y, t, [to])

    def _values_at_end(self) -> None:
        """The guards at the end of the step, where the motion has just been computed."""
        self._values(self.at.new, self.at.end, self.new)

    def _look(self, share: Node, to: Array) -> None:
        """The guards on the polynomial."""
        draft, moment = self.plant.draft, self.plant.draft.cell("t of the look")
        self.polynomial.evaluate(share, self.point)
        draft.set({moment: self.at.t + share * self.at.h})
        self._values(self.point, moment, to)

    def _search(self) -> None:
        draft, at = self.plant.draft, self.at
        look, left, right, j = (draft.cell(x) for x in ("look", "share a", "share b", "j"))
        self.polynomial.prepare()
        draft.set({look: 0.0, left: 0.0, self.first: 2.0, self.length: at.h})
        draft.each([self.roots], lambda x: x.graph.constant(2.0), [self.old])
        self._from_the_beginning()
        with draft.loop(less(look, float(LOOKS))):
            draft.set({right: (look + 1.0) * (1.0 / LOOKS)})
            with draft.when(less(right, 1.0)):
                self._between_the_ends(right)
            with draft.otherwise():
                self._at_the_end()
            draft.set({j: 0.0})
            with draft.loop(less(j, float(self.count))):
                self._bracket(j, left, right)
                draft.set({j: j + 1.0})
            self._onwards()
            draft.set({look: look + 1.0, left: right})
        with draft.when(less(self.first, 1.5)):
            self._land()

    def _from_the_beginning(self) -> None:
        self.plant.draft.copy(self.old, self.a)

    def _between_the_ends(self, share: Node) -> None:
        self._look(share, self.b)

    def _at_the_end(self) -> None:
        self.plant.draft.copy(self.new, self.b)

    def _onwards(self) -> None:
        self.plant.draft.copy(self.b, self.a)

    def _bracket(self, j: Node, left: Node, right: Node) -> None:
        """Guard j between two looks; only its first root counts."""
        draft = self.plant.draft
        a, b, direction, root = (draft.cell(x) for x in ("a", "b", "direction", "root"))
        for array, cell in ((self.a, a), (self.b, b), (self.directions, direction), (self.roots, root)):
            draft.fetch(array, 1, 0, j, cell)
        up = less(a, 0.0) * less_equal(0.0, b) * less_equal(0.0, direction)
        down = less(0.0, a) * less_equal(b, 0.0) * less_equal(direction, 0.0)
        with draft.when(less(1.5, root) * maximum(up, down)):
            low, high, sign = (draft.cell(x) for x in ("low", "high", "sign"))
            draft.set({low: left, high: right, sign: select(less(a, 0.0), 1.0, -1.0)})
            self._narrow(j)

    def _narrow(self, j: Node) -> None:
        """The root of guard j between the shares `low` and `high`, which it crosses in the direction `sign`."""
        draft = self.plant.draft
        middle, low, high, half, sign = (draft.cell(x) for x in ("middle", "low", "high", "half", "sign"))
        with draft.loop(less(BRACKET, high - low)):
            draft.set({half: (low + high) * 0.5})
            self._look(half, self.between)
            draft.fetch(self.between, 1, 0, j, middle)
            before = less(middle * sign, 0.0)
            draft.set({low: select(before, half, low), high: select(before, high, half)})
        draft.store(high, self.roots, 1, 0, j)
        draft.store(sign, self.signs, 1, 0, j)
        earlier = less(high, self.first)
        draft.set({self.which: select(earlier, j, self.which), self.first: minimum(high, self.first)})

    def _land(self) -> None:
        """The step is to end at the first root; the slope there, for Newton's method."""
        draft, at = self.plant.draft, self.at
        there = less_equal((1.0 - self.first) * at.h, ALREADY * maximum(absolute(at.end), 1.0))
        draft.set({self.record: there})
        with draft.when(equal(self.record, 0.0)):
            share, above, below = (draft.cell(x) for x in ("share", "above", "below"))
            for cell, offset in ((below, -1e-5), (above, 1e-5)):
                draft.set({share: self.first + offset})
                self._look(share, self.between)
                draft.fetch(self.between, 1, 0, self.which, cell)
            draft.set({self.slope: (above - below) / (at.h * 2e-5)})
            draft.set({
                at.h: self.first * at.h, at.end: at.t + self.first * at.h, self.tries: 1.0 + CORRECTIONS,
                self.redo: 1.0,
            })  # fmt: skip

    def _correct(self) -> None:
        """The step ended near the event: nearer, or near enough."""
        draft, at = self.plant.draft, self.at
        value, move = draft.cell("value"), draft.cell("move")
        draft.fetch(self.new, 1, 0, self.which, value)
        draft.set({self.tries: self.tries - 1.0, move: value / self.slope})
        # What says yes or no, and no more, is where the polynomial has it.
        tells = less(SIGN, absolute(value))
        moves = less(1e-15 * maximum(absolute(at.end), 1e-3), absolute(move)) * less(absolute(move), at.h * 0.5)
        useful = tells * moves
        draft.set({self.redo: useful * self.is_under_way})
        with draft.when(self.redo):
            draft.set({at.h: at.h - move, at.end: at.t + (at.h - move)})
        with draft.otherwise():
            draft.set({self.record: 1.0})
