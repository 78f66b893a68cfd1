"""What an event does: switches turn, impulses are resolved, contacts find how they go on, speeds are chosen.

One passage through the outer loops of Gillespie's Figure 2 (2003): constraint deletion, imposition, impulse resolution,
choice of speeds. Velocities jump here; positions never do.
"""

from __future__ import annotations

from ...graph import Node, equal, less_equal, maximum
from ...program import Array
from ..contact.acceleration import INCONSISTENT, INDETERMINATE, NOT_FOUND, solve_contacts
from ..contact.impact import UNRESOLVED, impact_work, resolve_impact
from .changes import add, adopt, at_rows, bouncing, creeping, halt, lean, pulled, push, slipping, staying, switch_over
from .contacts import as_they_are, gather, goes_on
from .modal_plant import ModalPlant
from .reduction import mobility


class Resolving:
    """Emits the routine RESOLVE: of the plant's point, what happens there at once."""

    def __init__(self, plant: ModalPlant, fired: Array, conditions: int) -> None:
        """fired (conditions + 2 contacts,): 1 for what has happened."""
        self.plant, self.fired, self.conditions = plant, fired, conditions
        draft, layout = plant.draft, plant.layout
        n, rows, contacts = layout.speeds, layout.rows, layout.contacts
        array, cell = draft.array, draft.cell
        self.fired_contacts = fired.part(conditions, 2 * layout.contacts)
        self.targets, self.turns = (array(x, conditions, given=True) for x in ("targets", "turns"))
        self.open, self.stopped = array("nothing touches", contacts), array("what would stick", contacts)
        self.change, self.impulse = array("speeds' change", n), array("pushed", rows)
        self.impulses, self.work = array("impulses", rows), cell("work of impulses")
        self.pull, self.struck = array("pull", n), array("struck", rows)
        most = 3 * contacts
        self.closed, self.start, self.sides = (array(x, contacts) for x in ("closed", "starts", "sides"))
        self.effective, self.coefficient = array("effective restitution", contacts), array("coefficient", contacts)
        self.moving, self.direction = array("moving", contacts), array("direction", 2 * contacts)
        self.state, self.chosen = array("state", contacts), array("chosen", most)
        self.v, self.b, self.p = (array(x, most) for x in ("contact v", "contact b", "contact p"))
        self.felt, self.counts = array("felt", most * most), array("contact counts", 2)
        self.count, self.size = cell("contact count"), cell("contact rows")
        self.report, self.solving = array("report", 1), array("solving", impact_work(most, contacts))
        self.after, self.energy, self.struck_law = array("after", most), array("impact energy", 1), cell("struck law")
        self.reduced_rows = array("reduced rows", most * n)
        self.created = cell("energy of the law of impact")
        self.unsolved, self.paradox = cell("contacts unsolved"), cell("paradox")

    def emit(self) -> None:
        draft, plant, layout = self.plant.draft, self.plant, self.plant.layout
        with draft.routine("resolve"):
            draft.set({self.created: 0.0, self.work: 0.0, self.unsolved: 0.0, self.paradox: 0.0})
            draft.copy(plant.no_rest, self.impulses)
            draft.run(switch_over, self.conditions, self.fired, self.targets, self.turns, plant.switched)
            plant.parts()
            plant.hold(self.open)
            plant.choose()
            plant.prepare()
            plant.respond(plant.no_force, plant.velocities, self.change, self.impulse)
            self._push()
            if layout.contacts:
                self._touch()
            plant.parts()
            plant.hold(plant.touch)
            plant.choose()

    def emit_whether_it_goes_on(self, quiet: Array, values: Array) -> None:
        """Emits the routine that asks, at the motion's point, for forces with which all goes on as it does."""
        draft, plant, layout = self.plant.draft, self.plant, self.plant.layout
        status = draft.cell("forces for going on")
        kept = {x: draft.array(f"kept {x.name}", x.length) for x in (plant.holds, plant.pivots, plant.columns)}
        rank = draft.cell("kept rank")
        with draft.routine("whether it goes on"):
            draft.set({rank: plant.rank})
            plant.parts()
            for array, copy in kept.items():
                draft.copy(array, copy)
            plant.hold(self.open)
            plant.choose()
            plant.prepare()
            plant.respond(plant.force, plant.rest, plant.rates, plant.carried)
            draft.run(
                gather, layout.contacts, plant.touch, self.open, plant.positions, plant.friction, plant.normals,
                plant.slips, plant.tangents, self.closed, self.start, self.sides, self.chosen, self.counts,
            )  # fmt: skip
            self._count()
            self._at_rows()
            self._mobility()
            draft.run(
                as_they_are, self.count, self.closed, self.chosen, self.start, self.sides, plant.touch,
                plant.velocities, plant.heading, plant.friction, self.coefficient, self.moving, self.direction,
            )  # fmt: skip
            self._solve(status)
            draft.run(
                goes_on, layout.contacts, self.count, status, self.closed, self.state, plant.touch, quiet, values
            )
            for array, copy in kept.items():
                draft.copy(copy, array)
            draft.set({plant.rank: rank})

    # -- contacts -------------------------------------------------------------------------------------------------

    def _touch(self) -> None:
        """Impacts, then how the contacts that stay go on."""
        draft, plant, layout = self.plant.draft, self.plant, self.plant.layout
        self._accelerations()
        draft.run(
            gather, layout.contacts, plant.touch, self.fired.part(self.conditions, layout.contacts), plant.positions,
            plant.friction, plant.normals, plant.slips, plant.tangents, self.closed, self.start, self.sides,
            self.chosen, self.counts,
        )  # fmt: skip
        self._count()
        with draft.when(self.count):
            self._at_rows()
            approaches = draft.cell("approaches")
            draft.run(
                bouncing, self.count, self.closed, self.start, self.chosen, plant.restitution, plant.laws,
                plant.positions, self.v, self.b, self.effective, self.struck_law, to=approaches,
            )  # fmt: skip
            with draft.when(approaches):
                self._impact()
            draft.run(
                staying, self.count, self.closed, self.start, self.sides, self.chosen, plant.positions, self.v, self.b,
                plant.touch, self.counts,
            )  # fmt: skip
            self._count()
        self._adopt(0, 0)
        with draft.when(self.count):
            self._go_on()

    def _impact(self) -> None:
        draft, plant, layout = self.plant.draft, self.plant, self.plant.layout
        self._mobility()
        self._slipping()
        status = draft.cell("impact status")
        draft.run(
            resolve_impact, self.felt, self.v, self.size, self.count, self.start, self.sides, self.coefficient,
            self.effective, self.struck_law, self.p, self.after, self.energy, self.solving, to=status,
        )  # fmt: skip
        draft.set({self.unsolved: maximum(self.unsolved, equal(status, float(UNRESOLVED)))})
        draft.copy(self.energy, self.created)
        draft.run(
            pulled, layout.speeds, layout.rows, self.size, self.chosen, self.p, plant.matrix, self.pull, self.struck
        )
        plant.respond(self.pull, plant.no_rest, self.change, self.impulse)
        draft.run(add, layout.rows, self.struck, self.impulse)
        self._push()
        self._accelerations()
        self._at_rows()

    def _stop(self) -> None:
        """Slip that counts as none is none."""
        draft, plant, creeps = self.plant.draft, self.plant, self.plant.draft.cell("creeps")
        draft.run(
            creeping, plant.layout.contacts, self.count, self.closed, self.start, self.sides, self.v, self.moving,
            self.stopped, to=creeps,
        )  # fmt: skip
        with draft.when(creeps):
            plant.hold(self.stopped)
            plant.choose()
            plant.prepare()
            plant.respond(plant.no_force, plant.velocities, self.change, self.impulse)
            self._push()
            plant.parts()
            plant.hold(self.open)
            plant.choose()
            plant.prepare()
            self._accelerations()
            self._at_rows()

    def _go_on(self) -> None:
        draft = self.plant.draft
        self._slipping()
        self._stop()
        self._mobility()
        # Accelerations of redundant rows must agree as they are.
        with draft.when(less_equal(self.size, self.plant.layout.speeds - self.plant.rank)):
            draft.run(lean, self.count, self.size, self.closed, self.start, self.fired_contacts, self.b)
        status, halted = draft.cell("contact status"), draft.cell("halted")
        self._solve(status)
        with draft.when(equal(status, float(INCONSISTENT))):
            draft.run(halt, self.count, self.start, self.sides, self.v, self.moving, to=halted)
            with draft.when(halted):
                self._solve(status)
        alone = equal(status, float(INDETERMINATE)) * equal(self.count, 1.0)  # of several, an answer is there
        draft.set({
            self.unsolved: maximum(self.unsolved, equal(status, float(NOT_FOUND))),
            self.paradox: maximum(self.paradox, maximum(equal(status, float(INCONSISTENT)), alone)),
        })
        self._adopt(self.count, self.size)

    # -- pieces ---------------------------------------------------------------------------------------------------

    def _solve(self, status: Node) -> None:
        self.plant.draft.run(
            solve_contacts, self.felt, self.b, self.size, self.count, self.start, self.sides, self.coefficient,
            self.moving, self.direction, self.p, self.state, self.report, self.solving, to=status,
        )  # fmt: skip

    def _accelerations(self) -> None:
        """Parts at the speeds as they are now, and what these do without contacts."""
        plant = self.plant
        plant.parts()
        plant.respond(plant.force, plant.rest, plant.rates, plant.carried)

    def _at_rows(self) -> None:
        plant = self.plant
        plant.draft.run(
            at_rows, self.size, plant.layout.speeds, self.chosen, plant.matrix, plant.rates, plant.rest,
            plant.velocities, self.v, self.b,
        )  # fmt: skip

    def _mobility(self) -> None:
        plant = self.plant
        plant.draft.run(
            mobility, plant.matrix, self.chosen, self.size, plant.columns, plant.rank, plant.layout.speeds,
            plant.follow, plant.reduced, self.reduced_rows, self.felt,
        )  # fmt: skip

    def _slipping(self) -> None:
        self.plant.draft.run(
            slipping, self.count, self.closed, self.start, self.sides, self.v, self.plant.friction,
            self.coefficient, self.moving, self.direction,
        )  # fmt: skip

    def _adopt(self, count: Node | int, size: Node | int) -> None:
        plant, layout = self.plant, self.plant.layout
        plant.draft.run(
            adopt, layout.contacts, count, self.closed, self.state, self.direction, plant.touch, plant.heading,
            self.moving, self.sides, plant.armed, size, self.chosen, self.p, layout.rows, plant.wanted,
        )  # fmt: skip

    def _count(self) -> None:
        draft = self.plant.draft
        draft.copy(self.counts.part(0, 1), self.count)
        draft.copy(self.counts.part(1, 1), self.size)

    def _push(self) -> None:
        plant, layout = self.plant, self.plant.layout
        plant.draft.run(
            push, layout.speeds, layout.rows, plant.matrix, self.impulse, self.change, self.impulses,
            plant.u(plant.point), self.work,
        )  # fmt: skip
