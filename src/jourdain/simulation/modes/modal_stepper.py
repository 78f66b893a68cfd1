"""The loop around a method where modes change: steps as ever, and what is between them."""

from __future__ import annotations

from collections.abc import Sequence

from ...driver.moving import Named
from ...graph import Node, less
from ...program import Array, Draft, Procedure
from ..method import Stepped
from ..status import Status
from ..stepper import Loop
from .changes import transposed
from .layout import Layout
from .modal_landing import ModalLanding
from .modal_plant import ModalPlant


def modal_stepper(
    layout: Layout, method: Stepped, guards: Named = (), tables: Sequence[int] = ()
) -> tuple[Procedure, ModalPlant, ModalLanding]:
    """The procedure, as `stepper`'s; with it, what lies where."""
    draft = Draft(f"{method.name} of {layout.changing.system.name} through its modes")
    plant = ModalPlant(draft, layout, tables)
    loop = ModalLoop(plant, method, guards)
    loop.emit()
    return draft.done(), plant, loop.modal


class ModalLoop(Loop):
    """Emits the whole run of a plant whose constraints change."""

    def __init__(self, plant: ModalPlant, method: Stepped, guards: Named) -> None:
        self.modes = plant
        super().__init__(plant, method, guards)

    def watch(self, guards: Named) -> ModalLanding:
        """What is watched."""
        self.modal = ModalLanding(self.modes, self.at, self.polynomial, guards)
        return self.modal

    def begin(self) -> None:
        """Emits the start: the state on the rows that hold, contacts that touch resolved."""
        at = self.at
        self.modes.begin(at.y, at.t)
        self.modal.change(at.y, at.t)
        self._fail_if_stuck()
        self.plant.motion(at.y, at.t, at.f)

    def emit(self) -> None:
        """Emits the run, and beside it a look at states of one that has been made."""
        with self.draft.when(self.draft.cell("looking back")):
            self._look_back()
        with self.draft.otherwise():
            super().emit()

    def _look_back(self) -> None:
        """For each row of the table `rows`, one of `seen`: u̇, multipliers, what these do to the speeds, and where the
        rows of the constraints are and how quick."""
        draft, plant, layout = self.draft, self.modes, self.modes.layout
        t, k = draft.cell("time looked at"), draft.cell("row looked at")
        y, pulled = plant.state("state looked at"), draft.array("pulled", layout.speeds)
        seen = draft.array("seen", 0, given=True)
        draft.set({k: 0.0})
        with draft.loop(less(k, draft.cell("rows to look at"))):
            column = 0
            parts: list[Node | Array] = [t, y, *plant.marks]
            for part in parts:
                draft.fetch(self.rows, plant.row_width, column, k, part)
                column += 1 if isinstance(part, Node) else part.length
            plant.facing.spread()
            plant.look(y, t)
            plant.parts()
            plant.hold(plant.touch)
            plant.choose()
            draft.perform("modal motion")
            draft.run(transposed, layout.speeds, layout.rows, plant.matrix, plant.carried, pulled)
            column = 0
            for found in (plant.rates, pulled, plant.carried, plant.positions, plant.velocities, plant.holds):
                if found.length:
                    draft.store(found, seen, plant.seen_width, column, k)
                column += found.length
            draft.set({k: k + 1.0})

    def change(self) -> None:
        """Emits a change of the mode, a row after it, and the rates in the new mode."""
        draft, at = self.draft, self.at
        self.modal.meet(at.y, at.t)
        with draft.when(self.modal.changed):
            self.modal.change(at.y, at.t)
            self._fail_if_stuck()
            self.plant.motion(at.y, at.t, at.f)
            if self.method.is_adaptive:
                with draft.when(draft.cell("every")):
                    self.put(at.t, at.y)

    def _fail_if_stuck(self) -> None:
        resolving = self.modal.resolving
        self.fail_if(self.modal.stuck, Status.NOT_SETTLING)
        self.fail_if(resolving.unsolved, Status.CONTACTS_NOT_SOLVED)
        self.fail_if(resolving.paradox, Status.PARADOX)
