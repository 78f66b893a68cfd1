"""Gaps that close and open again between two looks: what is small flies through what is thin.

Where a gap falls at one look and rises at the next, its least is between them, and is looked for; if it is below zero
the bodies met before. Only a gap that turns more than once between two looks can be missed.
"""

from __future__ import annotations

from ...graph import Node, equal, less, less_equal, select
from ..landing import Landing
from .modal_plant import ModalPlant
from .touching import OPEN

NARROW = 2.0**-24  # of a step: nearer to each other than that, nothing is between two places


class Dipping(Landing):
    """Emits the search for the least gaps within a step."""

    modal: ModalPlant
    conditions: int

    def lay_out(self, contacts: int) -> None:
        """Rates of gaps where these were last looked at, where the step begins and ends, at two looks."""
        names = ("gap rates", "gap rates old", "gap rates new", "gap rates a", "gap rates b")
        self.rates, self.rates_old, self.rates_new, self.rates_a, self.rates_b = (
            self.plant.draft.array(x, contacts) for x in names
        )

    def _from_the_beginning(self) -> None:
        super()._from_the_beginning()
        self._copy_rates("old", "a")

    def _between_the_ends(self, share: Node) -> None:
        super()._between_the_ends(share)
        self._copy_rates("", "b")

    def _at_the_end(self) -> None:
        super()._at_the_end()
        self._copy_rates("new", "b")

    def _onwards(self) -> None:
        super()._onwards()
        self._copy_rates("b", "a")

    def _copy_rates(self, source: str, to: str) -> None:
        if self.rates.length:
            names = {"": self.rates, "old": self.rates_old, "new": self.rates_new, "a": self.rates_a, "b": self.rates_b}
            self.plant.draft.copy(names[source], names[to])

    def _bracket(self, j: Node, left: Node, right: Node) -> None:
        """Besides, the gap j if it is least in between."""
        super()._bracket(j, left, right)
        contacts = self.rates.length
        if not contacts:
            return
        draft, k, first = self.plant.draft, self.plant.draft.cell("contact"), float(self.users + self.conditions)
        with draft.when(less_equal(first, j) * less(j, first + float(contacts))):
            a, b, root, falls, rises, touch = (
                draft.cell(x) for x in ("a", "b", "root", "rate a", "rate b", "touch of the contact")
            )
            draft.set({k: j - first})
            for array, place, cell in (
                (self.a, j, a), (self.b, j, b), (self.roots, j, root), (self.rates_a, k, falls),
                (self.rates_b, k, rises), (self.modal.touch, k, touch),
            ):  # fmt: skip
                draft.fetch(array, 1, 0, place, cell)
            turns = less(falls, 0.0) * less(0.0, rises) * less(0.0, a) * less(0.0, b)
            with draft.when(turns * less(1.5, root) * equal(touch, float(OPEN))):
                self._least(j, k, left, right)

    def _least(self, j: Node, k: Node, left: Node, right: Node) -> None:
        """Where the gap is least; if it is below zero there, where it falls through zero."""
        draft = self.plant.draft
        low, high, half, sign, value, rate, met = (
            draft.cell(x) for x in ("low", "high", "half", "sign", "middle", "rate between", "met")
        )
        draft.set({low: left, high: right, met: 0.0, sign: -1.0})
        with draft.loop(less(NARROW, high - low) * equal(met, 0.0)):
            draft.set({half: (low + high) * 0.5})
            self._look(half, self.between)
            draft.fetch(self.between, 1, 0, j, value)
            draft.fetch(self.rates, 1, 0, k, rate)
            falling = less(rate, 0.0)
            draft.set({
                met: less(value, 0.0), low: select(falling, half, low), high: select(falling, high, half),
            })  # fmt: skip
        with draft.when(met):
            draft.set({low: left, high: half})
            self._narrow(j)
