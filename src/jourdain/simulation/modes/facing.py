"""Polyhedra in the loop: what stands in their slots, as the equations ask for it, and the detector asked for it."""

from __future__ import annotations

from collections.abc import Sequence

from ...driver.changing import Changing
from ...model.encounter import SLOTS, WIDTH
from ...program import Array, Draft, Part
from ..features.codes import PLACES, renew, spread, staying
from ..features.detector import AHEAD, BETWEEN, EVENT

__all__ = ["AHEAD", "BETWEEN", "EVENT", "Facing"]


class Facing:
    """Memory and statements. count: pairs of polyhedra; where there are none nothing is emitted."""

    def __init__(self, draft: Draft, changing: Changing) -> None:
        self.draft, self.changing = draft, changing
        system = changing.system
        n = self.count = len(system.encounters)
        self.slots = n * SLOTS
        place = {x.name: k for k, x in enumerate(system.contacts)}
        self._contacts = [place[name] for met in system.encounters for name in met.slots]
        self.codes, self.features = draft.array("codes", self.slots), draft.array("features", self.slots * WIDTH)
        self.codes_before, self.poses = draft.array("codes before", self.slots), draft.array("poses", 12 * n)
        self.contacts, self.places, self.margins, self.tables, self._detectors = (
            draft.array(name, length, given=True)
            for name, length in (
                ("slots' contacts", self.slots), ("places of polyhedra", PLACES * n), ("margins", n),
                ("polyhedra", 0), ("detector", 1),
            )
        )  # fmt: skip
        self.is_new, self.missed = draft.cell("features are new"), draft.cell("contact was missed")
        self._asked = draft.array("asked of the detector", 1 + 12 * n + 3 * self.slots)
        self._answer = draft.array("answer of the detector", 3 * self.slots + 2)

    @property
    def more(self) -> Sequence[Array]:
        """What the equations' parts take besides."""
        return (self.features,) if self.count else ()

    def spread(self) -> None:
        """Emits the features for the codes."""
        if self.count:
            self.draft.run(spread, self.count, self.codes, self.places, self.tables, self.features)

    def ask(self, when: float, touch: Array, fired: Part) -> None:
        """Emits a question to the detector, of the poses that were computed last. touch, fired (contacts,)."""
        draft, n, slots = self.draft, self.count, self.slots
        moment = draft.cell("moment of the question")
        draft.set({moment: when})
        asked, answer = self._asked, self._answer
        draft.copy(self.codes, self.codes_before)
        draft.copy(moment, asked.part(0, 1))
        draft.copy(self.poses, asked.part(1, 12 * n))
        draft.copy(self.codes, asked.part(1 + 12 * n, slots))
        for k, contact in enumerate(self._contacts):
            draft.copy(touch.part(contact, 1), asked.part(1 + 12 * n + slots + k, 1))
            draft.copy(fired.array.part(fired.start + contact, 1), asked.part(1 + 12 * n + 2 * slots + k, 1))
        draft.foreign(self._detectors.part(0, 1), asked, answer)
        draft.copy(answer.part(0, slots), self.codes)
        for k, contact in enumerate(self._contacts):
            draft.copy(answer.part(slots + k, 1), touch.part(contact, 1))
            draft.copy(answer.part(2 * slots + k, 1), fired.array.part(fired.start + contact, 1))
        draft.copy(answer.part(3 * slots, 1), self.is_new)
        draft.copy(answer.part(3 * slots + 1, 1), self.missed)
        self.spread()

    def stay(self, touch: Array, values: Array) -> None:
        """Emits how far closed contacts are from the ends of their features, of the poses that were computed last."""
        self.draft.run(
            staying, self.count, self.codes, self.contacts, touch, self.places, self.tables, self.poses, self.margins,
            values,
        )  # fmt: skip

    def renew(self, normals: Array, positions: Array, least: float, values: Part) -> None:
        """Emits the gaps that are watched, values (contacts,), which have jumped with the features."""
        self.draft.run(
            renew, self.count, self.codes_before, self.codes, self.contacts, normals, positions, least, values
        )


