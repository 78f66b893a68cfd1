"""The loop around a method where modes change: steps as ever, and what is between them."""

from __future__ import annotations

from collections.abc import Sequence

from ...driver.moving import Named
from ...graph import equal
from ...program import Draft, Procedure
from ..method import Stepped
from ..status import Status
from ..stepper import Loop
from .contradiction import contradicts
from .layout import Layout
from .modal_landing import ModalLanding
from .modal_plant import ModalPlant


def modal_stepper(
    layout: Layout, method: Stepped, guards: Named = (), tables: Sequence[int] = (), functions: Sequence[int] = ()
) -> tuple[Procedure, ModalPlant, ModalLanding]:
    """The procedure, as `stepper`'s; with it, what lies where."""
    draft = Draft(f"{method.name} of {layout.changing.system.name} through its modes")
    plant = ModalPlant(draft, layout, tables, functions)
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
        draft, at, plant = self.draft, self.at, self.modes
        plant.begin(at.y, at.t)
        self.modal.first_look(at.y, at.t)
        draft.copy(at.y, plant.state("state at the start"))
        draft.copy(plant.positions, draft.array("positions at the start", plant.layout.rows))
        self.modal.change(at.y, at.t)
        self._fail_if_stuck()
        self.plant.motion(at.y, at.t, at.f)

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

    def judge_state(self) -> None:
        """Besides what can go wrong in any mode, rows that hold together and cannot."""
        super().judge_state()
        draft, plant, wrong = self.draft, self.modes, self.draft.cell("contradiction")
        draft.set({wrong: 0.0})
        with draft.when(equal(plant.mode, 0.0)):  # a mode with equations of its own has no rows that do not agree
            draft.run(
                contradicts, plant.layout.rows, plant.layout.speeds, plant.holds, plant.matrix, plant.velocities,
                plant.u(self.at.new), to=wrong,
            )  # fmt: skip
        self.fail_if(wrong, Status.CONTRADICTION)

    def _fail_if_stuck(self) -> None:
        modal, resolving = self.modal, self.modal.resolving
        self.fail_if(modal.stuck, Status.NOT_SETTLING)
        self.fail_if(modal.contradiction, Status.CONTRADICTION)
        self.fail_if(modal.afar, Status.IMPOSED_AFAR)
        self.fail_if(resolving.unsolved, Status.CONTACTS_NOT_SOLVED)
        self.fail_if(resolving.paradox, Status.PARADOX)
