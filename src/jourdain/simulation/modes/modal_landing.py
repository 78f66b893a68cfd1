"""The watch over everything that can change a mode, and what is done when it does.

Three kinds of values are watched beside the user's guards: conditions of switches, which act when they rise through
zero; gaps of open contacts and forces of closed ones, and how far friction is from changing between sticking and
slipping, which act when they fall through it.
"""

from __future__ import annotations

from ...driver.moving import Named
from ...graph import Node, absolute, equal, less, maximum
from ...program import Array, Floats, Place, kernel
from ..method import Slots
from ..polynomial import Polynomial
from ..start import NEAR
from .changes import PAST, add, mask, missed, refresh, relapsed
from .conditions import clear, decide, remember
from .contacts import are_quiet, hush, implied, rates_of_gaps, rouse, sound, watched
from .contradiction import contradicts
from .dipping import Dipping
from .facing import AHEAD, BETWEEN, EVENT
from .modal_plant import ModalPlant
from .recognising import surface
from .resolving import Resolving

CHAIN = 20.0  # changes that cause one another at one time
FEW = 8.0  # changes within a moment that are nothing special
CROWD = 1000.0  # changes within a moment
MOMENT = 1e-7  # [s]
OVERLAPPING = -1e300  # features that face each other only at a step's end may have overlapped all along


class ModalLanding(Dipping):
    """Emits the watch of one step, and changes of the mode."""

    def __init__(self, plant: ModalPlant, at: Slots, polynomial: Polynomial, guards: Named) -> None:
        layout, draft = plant.layout, plant.draft
        self.conditions, self.sides, self.slots = len(layout.conditions), 2 * layout.contacts, plant.facing.slots
        super().__init__(plant, at, polynomial, guards, self.conditions + self.sides + self.slots)
        self.modal = plant
        self.user_values = draft.array("user guards", len(guards))
        self.condition_values = draft.array("conditions", self.conditions)
        self.as_told, self.told_before = (draft.array(x, self.conditions) for x in ("as told", "told before"))
        self.contact_values = draft.array("contact guards", self.sides)
        self.facing_values = draft.array("facing", self.slots)
        contacts = layout.contacts
        self.lay_out(contacts)
        self.quiet, self.least, self.least_at_end, self.touched = (
            draft.array(x, contacts) for x in ("quiet", "least", "least at the end", "touched")
        )
        self.fired = draft.array("fired", self.conditions + self.sides + self.slots)
        self.spares = draft.cell("spare rows of contacts")
        self.changed, self.relapse = draft.cell("changed"), draft.cell("relapse")
        self.spent = draft.array("spent", self.conditions)
        self.levels = draft.array("levels", self.conditions, given=True)
        self.resolving = Resolving(plant, self.fired, self.conditions)
        self.resolving.emit()
        self.resolving.emit_whether_it_goes_on(self.quiet, self.contact_values)
        self.before = plant.state("before the change")
        self.log = draft.array("changes", 0, given=True)
        self.log_rows, self.log_capacity = draft.cell("change rows"), draft.cell("change capacity")
        self.crowd, self.since = draft.cell("crowd"), draft.cell("crowd since")
        self.stuck, self.afar, self.contradiction = (draft.cell(x) for x in ("stuck", "afar", "contradiction"))
        self.imposed = draft.array("positions imposed", plant.layout.rows)

    @property
    def has_room(self) -> Node:
        return super().has_room * less(self.log_rows, self.log_capacity)

    def happened(self, j: Node, sign: Node) -> None:
        """Of the user's guards a row of the table; of the others a change of the mode."""
        draft, place, one = self.plant.draft, self.plant.draft.cell("place"), self.plant.draft.cell("one")
        with draft.when(less(j, float(self.users))):
            super().happened(j, sign)
        with draft.otherwise():
            draft.set({place: j - float(self.users), one: 1.0})
            draft.store(one, self.fired, 1, 0, place)
            draft.set({self.changed: 1.0})

    def adopt(self) -> None:
        super().adopt()
        if self.sides:
            self._copy_rates("new", "old")
            self.plant.draft.run(rouse, self.modal.layout.contacts, self.least_at_end, self.quiet)

    def watch(self) -> None:
        """First what is only found at the step's end gets a slot, so that it is watched from the beginning."""
        draft, at, plant = self.plant.draft, self.at, self.modal
        if self.slots:
            plant.look(at.new, at.end)
            plant.meet(AHEAD, self.fired, self.conditions)
            with draft.when(plant.facing.is_new):
                self._renew(at.y, at.t, OVERLAPPING)
                plant.look(at.new, at.end)
                draft.perform("modal motion")
        super().watch()

    def first_look(self, y: Array, t: Node) -> None:
        """Emits the start's features, so that gaps are those of what faces each other there."""
        if self.slots:
            self.modal.look(y, t)
            self.modal.meet(EVENT, self.fired, self.conditions)
            self.modal.parts()

    def meet(self, y: Array, t: Node) -> None:
        """Emits, after a step that stands, a look for other features; a contact that was missed fires."""
        if self.slots:
            draft, plant = self.plant.draft, self.modal
            with draft.when(equal(self.changed, 0.0)):
                plant.look(y, t)
                plant.meet(BETWEEN, self.fired, self.conditions)
                draft.set({self.changed: plant.facing.missed})
                with draft.when(plant.facing.is_new):
                    self._renew(y, t, PAST)

    def change(self, y: Array, t: Node) -> None:
        """Emits a change of the mode at a state, and the first values to watch in it."""
        draft, plant, chain = self.plant.draft, self.modal, self.plant.draft.cell("links of the chain")
        plant.look(y, t)
        plant.meet(EVENT, self.fired, self.conditions)
        draft.set({chain: 0.0, self.relapse: 1.0, self.afar: 0.0})
        draft.run(clear, self.conditions, self.spent)
        with draft.loop(self.relapse * less(chain, CHAIN)):
            draft.set({chain: chain + 1.0})
            draft.copy(y, self.before)
            draft.run(remember, self.conditions, self.fired, self.spent)
            draft.copy(plant.touch, self.touched)
            draft.copy(self.as_told, self.told_before)
            plant.look(y, t)
            draft.perform("resolve")
            plant.recognise()
            draft.run(implied, plant.layout.rows, plant.holds, plant.owners, plant.rank, to=self.spares)
            draft.run(
                hush, plant.layout.contacts, self.spares + less(FEW, self.crowd),
                self.fired.part(self.conditions, self.sides), self.touched, plant.touch, self.quiet,
            )  # fmt: skip
            self._look_at_jumps()
            draft.perform("modal settling")
            draft.copy(plant.point, y)
            plant.parts()
            draft.run(
                sound, plant.layout.contacts, plant.touch, plant.positions, plant.velocities, plant.normals, plant.depth
            )
            draft.run(add, 1, self.resolving.work, plant.work(y))
            self._note(y, t)
            self.begin(y, t)
        plant.look(y, t)
        plant.parts()
        draft.run(
            contradicts, plant.layout.rows, plant.layout.speeds, plant.holds, plant.matrix, plant.velocities,
            plant.u(y), to=self.contradiction,
        )  # fmt: skip
        draft.set({
            self.changed: 0.0, self.stuck: self.relapse, self.contradiction: maximum(self.contradiction, plant.lost),
        })  # fmt: skip
        with draft.when(less(MOMENT, absolute(t - self.since))):
            draft.set({self.crowd: 0.0, self.since: t})
        draft.set({self.crowd: self.crowd + 1.0})
        draft.set({self.stuck: maximum(self.stuck, less(CROWD, self.crowd))})

    def begin(self, y: Array, t: Node) -> None:
        """What has just been decided holds, whatever rounding says; conditions on forces that hold at once act at once,
        and so do those that an impulse has carried through zero."""
        draft = self.plant.draft
        super().begin(y, t)
        self._copy_rates("", "old")
        draft.run(refresh, self.sides, self.contact_values)
        draft.run(refresh, self.slots, self.facing_values)
        draft.run(decide, self.conditions, self.levels, self.spent, self.condition_values)
        draft.run(
            relapsed, self.conditions, self.fired.length, self.levels, self.condition_values, self.fired,
            to=self.relapse,
        )
        carried = draft.cell("carried through zero")
        draft.run(
            risen, self.conditions, self.told_before, self.as_told, self.condition_values, self.fired, to=carried
        )
        draft.copy(self.as_told, self.told_before)
        draft.set({self.relapse: maximum(self.relapse, carried)})
        self._gather(self.old)

    def _look_at_jumps(self) -> None:
        """Whether what has just been imposed is far from holding: positions would jump."""
        draft, plant, miss = self.plant.draft, self.modal, self.plant.draft.cell("miss imposed")
        draft.run(missed, plant.layout.rows, plant.holds, plant.positions, to=miss)
        with draft.when(less(NEAR, miss)):
            draft.copy(plant.positions, self.imposed)
            draft.set({self.afar: 1.0})

    # -- inside ---------------------------------------------------------------------------------------------------

    def _values(self, y: Array, t: Node, to: Array) -> None:
        plant = self.modal
        if plant.layout.contacts or plant.layout.multiplier_rows:
            plant.look(y, t)
            plant.draft.perform("modal motion")
        self._after_motion(y, t, to)

    def _values_at_end(self) -> None:
        self._after_motion(self.at.new, self.at.end, self.new)
        draft, plant = self.plant.draft, self.modal
        draft.copy(self.least, self.least_at_end)
        self._copy_rates("", "new")
        if plant.layout.modes and plant.layout.contacts:  # in a mode's own code nothing else looks at depths
            with draft.when(plant.mode):
                draft.run(surface, plant.layout.contacts, plant.positions, plant.normals, plant.depth)

    def _after_motion(self, y: Array, t: Node, to: Array) -> None:
        """The last motion was at y."""
        draft, plant, layout = self.plant.draft, self.modal, self.modal.layout
        if self.program is not None:
            plant.run(self.program, y, t, [self.user_values])
        if self.conditions:
            self._conditions(y, t)
        if self.sides:
            draft.run(
                watched, layout.contacts, plant.touch, plant.positions, plant.velocities, plant.carried,
                plant.friction, plant.normals, plant.slips, plant.tangents, plant.heading, plant.armed, plant.depth,
                self.quiet, self.least, self.contact_values,
            )  # fmt: skip
            draft.run(rates_of_gaps, layout.contacts, plant.velocities, plant.normals, self.rates)
            some = draft.cell("some are quiet")
            draft.run(are_quiet, layout.contacts, self.quiet, to=some)
            with draft.when(some * less(self.crowd, FEW * FEW)):
                draft.perform("whether it goes on")
        if self.slots and plant.changing.poses is not None:
            plant.run(plant.changing.poses, y, t, [plant.facing.poses])
            plant.facing.stay(plant.touch, self.facing_values)
        self._gather(to)

    def _renew(self, y: Array, t: Node, least: float) -> None:
        """The gaps of other features at the beginning of a step; below the least they are as if they were that."""
        plant = self.modal
        plant.look(y, t)
        plant.parts()
        values = self.old.part(self.users + self.conditions, plant.layout.contacts)
        plant.facing.renew(plant.normals, plant.positions, least, values)
        self.plant.draft.run(rates_of_gaps, plant.layout.contacts, plant.velocities, plant.normals, self.rates_old)

    def _conditions(self, y: Array, t: Node) -> None:
        draft, plant, layout = self.plant.draft, self.modal, self.modal.layout
        if layout.crossings is not None:
            values = draft.array("crossings", len(layout.crossing_places))
            more = list[Place]()
            if layout.multiplier_rows:
                needed = draft.array("multipliers", len(layout.multiplier_rows))
                for k, row in enumerate(layout.multiplier_rows):
                    draft.copy(plant.carried.part(row, 1), needed.part(k, 1))
                more.append(needed)
            plant.run(layout.crossings, y, t, [values], more)
            for k, place in enumerate(layout.crossing_places):
                draft.copy(values.part(k, 1), self.condition_values.part(place, 1))
        for k, place in enumerate(layout.call_places):
            slots = draft.array("calls", len(layout.call_places), given=True)
            plant.ask(slots.part(k, 1), y, t, self.condition_values.part(place, 1))
        draft.copy(self.condition_values, self.as_told)
        draft.run(
            mask, self.conditions, self.resolving.targets, self.resolving.turns, plant.switched, self.condition_values
        )

    def _gather(self, to: Array) -> None:
        draft, place = self.plant.draft, 0
        for values in (self.user_values, self.condition_values, self.contact_values, self.facing_values):
            if values.length:
                draft.copy(values, to.part(place, values.length))
                place += values.length

    def _note(self, y: Array, t: Node) -> None:
        """A row of the table of changes."""
        draft, plant, column = self.plant.draft, self.modal, 0
        for part in (t, self.resolving.work, self.before, y, plant.touch, plant.switched, self.resolving.impulses,
                     self.fired.part(0, self.conditions + self.sides), self.resolving.created):  # fmt: skip
            length = 1 if isinstance(part, Node) else part.length
            if length:
                draft.store(part, self.log, self.log_width, column, self.log_rows)
            column += length
        draft.set({self.log_rows: self.log_rows + 1.0})

    @property
    def log_width(self) -> int:
        """Of a row of changes: time, work, state before and after, contacts, switches, impulses, what made it,
        the energy that the law of impact added."""
        layout = self.modal.layout
        return (
            3 + 2 * self.plant.size + layout.contacts + len(layout.switches) + layout.rows + self.conditions
            + self.sides
        )  # fmt: skip


@kernel
def risen(count: int, before: Floats, after: Floats, values: Floats, fired: Floats) -> int:
    """1 if a condition (count,) that was below zero is above it, and has fired. values: as after, but -1 of those that
    would change nothing."""
    found = 0
    for i in range(count):
        if before[i] < 0.0 and after[i] > 0.0 and values[i] > 0.0:
            fired[i] = 1.0
            found = 1
    return found
