"""A system whose constraints change, as a method sees it: the mode is in memory, and the steps ask what it is.

The same code serves every mode: parts of the equations, a choice of independent speeds, the embedding of whatever rows
hold (Gillespie 2003, section 4 and Figure 2). Beside it there may be code of single modes, made beforehand; then a cell
says which of these the mode is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...driver.enumerated import Enumerated
from ...driver.moving import Moving
from ...graph import Node, equal, less, maximum
from ...program import Array, Draft, Part, Place
from ..plant import LOST, QUADRATIC, ROUNDS, Plant
from .changes import add, missed
from .contacts import follow_slips, hold
from .contradiction import repeats
from .elimination import choose
from .embedding import prepare, respond
from .facing import Facing
from .layout import Layout
from .motion import move
from .recognising import recognise

STRONG = 30.0  # how strongly dependent speeds may follow before others are chosen; a fresh choice is below 2


class ModalPlant(Plant):
    """Emits the equations in whatever mode the memory says."""

    def __init__(
        self, draft: Draft, layout: Layout, tables: Sequence[int] = (), functions: Sequence[int] = ()
    ) -> None:
        changing = self.changing = layout.changing
        self.layout, self.facing = layout, Facing(draft, changing)
        super().__init__(draft, Moving(changing.system, (), changing.drives), tables, functions)
        n, rows, contacts = layout.speeds, layout.rows, layout.contacts
        array, cell = draft.array, draft.cell
        # The state and the time at which parts were asked for last.
        self.point, self.moment = self.state("modal point"), cell("modal time")
        self.qdot, self.mass, self.force = array("qdot", self.nq), array("mass", n * n), array("force", n)
        self.matrix, self.rest = array("matrix", rows * n), array("rest", rows)
        self.velocities, self.positions = array("velocities", rows), array("positions", rows)
        self.friction, self.restitution = array("friction", contacts), array("restitution", contacts)
        # The mode.
        self.switched, self.touch = array("switched", len(layout.switches)), array("touch", contacts)
        self.heading, self.holds = array("heading", 2 * contacts), array("holds", rows)
        self.pivots, self.columns, self.rank = array("pivots", rows), array("columns", n), cell("rank")
        self.mode = cell("mode")  # among those that are compiled beforehand, from 1; 0: none of them
        self.beforehand = cell("evaluations beforehand")
        # What it makes of them.
        self.rates, self.carried = array("udot", n), array("carried", rows)
        self.gained, self.strength = cell("gained"), cell("strength")
        self.choices = cell("choices")
        self.armed, self.depth = array("armed", contacts), array("depth", contacts)
        self.spare, self.wanted = array("spare rows", rows), array("wanted forces", rows)
        self.shares, self.gram = array("shares", rows * rows), array("gram", rows * rows)
        self.block, self.follow, self.reduced = (array(x, n * n) for x in ("block", "follow", "reduced"))
        self.room = array("modal work", n * (n + rows + 4) + 2 * rows + contacts * (n + rows + contacts + 2) + 2)
        self.no_force, self.no_rest = array("no force", n), array("no rest", rows)
        names = ("owners", "normals", "slips", "tangents", "laws", "modes' rows", "modes' ranks")
        self.owners, self.normals, self.slips, self.tangents, self.laws, self.mode_rows, self.mode_ranks = (
            draft.array(name, len(layout.given[name]), given=True) for name in names
        )
        self._emit_routines()

    @property
    def has_power(self) -> bool:
        """Contacts exchange energy with the outside."""
        return True

    @property
    def changes(self) -> bool:
        """Constraints come and go."""
        return True

    @property
    def marks(self) -> Sequence[Array]:
        """How contacts touch, where they slip to, which switches are on, the forces that redundant contacts keep near
        to, and what stands in the slots of polyhedra."""
        shared = [self.wanted] if self.layout.contacts else []
        return [x for x in (self.touch, self.heading, self.switched, *shared, self.facing.codes) if x.length]

    # -- what every plant does ------------------------------------------------------------------------------------

    def motion(self, y: Array, t: Node, rates: Array) -> None:
        """rates = ẏ(t, y)"""
        draft = self.draft
        self.look(y, t)
        draft.perform("modal motion")
        draft.copy(self.qdot, self.q(rates))
        draft.copy(self.rates, self.u(rates))
        draft.copy(self.gained, self.work(rates))
        draft.set({self.evaluations: self.evaluations + 1.0})
        if self.layout.modes:
            draft.set({self.beforehand: self.beforehand + less(0.0, self.mode)})

    def evaluate(self, y: Array, t: Node, rates: Array) -> None:
        """The same."""
        self.motion(y, t, rates)

    @property
    def drifts(self) -> bool:
        """Whether a step can leave what the coordinates or speeds must satisfy."""
        return self.layout.rows > 0 or super().drifts

    def begin(self, y: Array, t: Node) -> None:
        """Emits the start: y on the rows that hold then, contacts left alone."""
        self.look(y, t)
        self.parts()
        self.hold(self.touch)
        self.choose()
        self.recognise()
        self.settle(y, t)

    def settle(self, y: Array, t: Node) -> None:
        """y onto the rows that hold, positions first."""
        draft = self.draft
        self.look(y, t)
        draft.perform("modal settling")
        draft.copy(self.point, y)

    # -- parts ----------------------------------------------------------------------------------------------------

    def look(self, y: Array, t: Node) -> None:
        """The point at which routines look."""
        self.draft.copy(y, self.point)
        self.draft.set({self.moment: t})

    def parts(self) -> None:
        """Emits the equations' parts at the point."""
        blocks: dict[str, Array] = {
            "qdot": self.qdot, "mass": self.mass, "force": self.force, "matrix": self.matrix, "rest": self.rest,
            "velocities": self.velocities, "positions": self.positions, "friction": self.friction,
            "restitution": self.restitution,
        }  # fmt: skip
        program = self.changing.parts
        outputs: list[Part | Array | Node] = [blocks[x.name] for x in program.outputs]
        self.run(program, self.point, self.moment, outputs, self.facing.more)

    def meet(self, when: float, fired: Array, conditions: int) -> None:
        """Emits a question about the features of polyhedra at the point; what has fired begins with conditions."""
        if self.changing.poses is not None:
            self.run(self.changing.poses, self.point, self.moment, [self.facing.poses])
            self.facing.ask(when, self.touch, fired.part(conditions, self.layout.contacts))

    def hold(self, touch: Array) -> None:
        """Emits which rows hold, where contacts touch so."""
        self.draft.run(
            hold, self.layout.rows, self.layout.contacts, self.owners, self.switched, touch, self.friction,
            self.normals, self.slips, self.tangents, self.holds,
        )  # fmt: skip

    def choose(self) -> None:
        """Emits the choice of independent speeds for the rows that hold, at the parts' point."""
        n, rows = self.layout.speeds, self.layout.rows
        self.draft.run(
            choose, self.matrix, self.mass, self.holds, rows, n, self.room, self.room.part(rows * n, n), self.pivots,
            self.columns, to=self.rank,
        )  # fmt: skip
        self.draft.set({self.choices: self.choices + 1.0})

    def prepare(self) -> None:
        """Emits the factors that `respond` takes."""
        self.draft.run(
            prepare, self.matrix, self.mass, self.pivots, self.columns, self.rank, self.layout.speeds, self.block,
            self.follow, self.reduced, self.room, to=self.strength,
        )  # fmt: skip

    def respond(self, force: Array, rest: Array, change: Array, carried: Array) -> None:
        """Emits how the speeds change, and what the rows carry."""
        self.draft.run(
            respond, self.matrix, self.mass, force, rest, self.layout.rows, self.pivots, self.columns, self.rank,
            self.layout.speeds, self.block, self.follow, self.reduced, self.room, change, carried,
        )  # fmt: skip

    def recognise(self) -> None:
        """Emits which of the modes that are compiled beforehand this one is, after a choice of speeds."""
        layout = self.layout
        self.draft.run(
            recognise, len(layout.modes), layout.rows, layout.contacts, self.mode_rows, self.mode_ranks, self.holds,
            self.touch, self.rank, to=self.mode,
        )  # fmt: skip

    def adopt(self, y: Array, t: Node) -> None:
        """Emits what follows a step that stands: headings, and other independent speeds, or rows, before these get
        bad."""
        if not self.layout.modes:
            self._adopt(y, t)
            return
        with self.draft.when(equal(self.mode, 0.0)):  # a mode of equalities alone goes on as it is
            self._adopt(y, t)
            if self.layout.contacts:
                self.recognise()

    # -- inside ---------------------------------------------------------------------------------------------------

    def _adopt(self, y: Array, t: Node) -> None:
        draft = self.draft
        if self.layout.contacts:
            self.look(y, t)
            self.parts()
            draft.run(
                follow_slips, self.layout.contacts, self.touch, self.positions, self.velocities, self.normals,
                self.slips, self.tangents, self.heading, self.armed, self.depth,
            )  # fmt: skip
        repeated = draft.cell("rows repeat")
        draft.run(repeats, self.layout.rows, self.holds, self.owners, self.pivots, self.rank, to=repeated)
        with draft.when(maximum(repeated, less(STRONG, self.strength))):
            self.look(y, t)
            self.parts()
            self.choose()

    def _emit_routines(self) -> None:
        draft, modes = self.draft, self.layout.modes
        with draft.routine("modal motion"):
            self._among(0, len(modes), self._move_generally, self._move_in)
        with draft.routine("modal settling"):
            self._among(0, len(modes), self._settle, lambda mode: self.settle_as(mode, self.point, self.moment))

    def _among(
        self, low: int, high: int, generally: Callable[[], None], within: Callable[[Enumerated], None]
    ) -> None:
        """Emits what is done in the present mode: 0 is the general way, and k, up to `high`, mode k - 1."""
        draft = self.draft
        if low == high:
            if low:
                within(self.layout.modes[low - 1])
            else:
                generally()
            return
        middle = (low + high) // 2
        with draft.when(less(self.mode, middle + 0.5)):
            self._among(low, middle, generally, within)
        with draft.otherwise():
            self._among(middle + 1, high, generally, within)

    def _move_generally(self) -> None:
        draft, layout = self.draft, self.layout
        self.parts()
        draft.set({self.gained: 0.0})
        draft.run(
            move, layout.speeds, layout.rows, layout.contacts, self.u(self.point), self.mass, self.force, self.matrix,
            self.rest, self.velocities, self.friction, self.normals, self.slips, self.tangents, self.touch,
            self.heading, self.holds, self.owners, self.pivots, self.columns, self.rank, self.block, self.follow,
            self.reduced, self.spare, self.shares, self.gram, self.wanted, self.room, self.rates, self.carried,
            self.gained, self.strength,
        )  # fmt: skip
        self._apply_power()

    def _move_in(self, mode: Enumerated) -> None:
        """The mode's own equations, and what is watched in it."""
        draft, places = self.draft, self.changing.places
        gaps, friction = (
            draft.array(f"{what} of {len(some)}", len(some)) for what, some in
            (("gaps", mode.open), ("friction", mode.sticking))
        )  # fmt: skip
        blocks: dict[str, Array | Node] = {
            "qdot": self.qdot, "udot": self.rates, "gained": self.gained, "carried": self.carried, "gaps": gaps,
            "friction": friction,
        }  # fmt: skip
        self.run(mode.equations, self.point, self.moment, [blocks[x.name] for x in mode.equations.outputs])
        for k, contact in enumerate(mode.open):
            draft.copy(gaps.part(k, 1), self.positions.part(places[contact.normal].start, 1))
        for k, contact in enumerate(mode.sticking):
            place = self.changing.system.contacts.index(contact)
            draft.copy(friction.part(k, 1), self.friction.part(place, 1))

    def _apply_power(self) -> None:
        program = self.changing.applied_power
        if program is not None:
            draft, more = self.draft, self.draft.cell("applied power")
            own: list[Place] = [self.q(self.point), self.u(self.point), self.inputs, self.moment, self.rates]
            draft.call(program, own, [more], self.parameters)
            draft.set({self.gained: self.gained + more})

    def _settle(self) -> None:
        draft, n, rows = self.draft, self.layout.speeds, self.layout.rows
        super().settle(self.point, self.moment)  # what the speeds satisfy by themselves, and quaternions
        if not rows:
            return
        miss, last, rounds = draft.cell("miss"), draft.cell("last miss"), draft.cell("rounds")
        step, moved, carried = draft.array("settling", n), draft.array("moved q", self.nq), draft.array("pushed", rows)
        draft.set({miss: 1e300, last: 1e308, rounds: 0.0})
        with draft.loop(less(QUADRATIC, miss) * less(miss, last * 0.5) * less(rounds, float(ROUNDS))):
            draft.set({last: miss, rounds: rounds + 1.0})
            self.parts()
            draft.run(missed, rows, self.holds, self.positions, to=miss)
            self.prepare()
            self.respond(self.no_force, self.positions, step, carried)
            draft.call(
                self.changing.step, [self.q(self.point), step, self.inputs, self.moment], [moved], self.parameters
            )
            draft.copy(moved, self.q(self.point))
        draft.set({self.lost: maximum(self.lost, less(LOST, miss) * less(QUADRATIC, miss))})
        self.parts()
        self.prepare()
        self.respond(self.no_force, self.velocities, step, carried)
        draft.run(add, n, step, self.u(self.point))
