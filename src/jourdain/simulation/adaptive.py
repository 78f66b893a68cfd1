"""Adaptive explicit methods: a tableau with error estimates; tolerances; how a step's length follows its error."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..graph import Node, absolute, maximum
from ..program import Array
from .explicit import advance, combined, stage, stages, used
from .method import Slots, Stepped
from .plant import Plant
from .tableau import Tableau

SAFETY, SHRINK, GROW = 0.9, 0.2, 10.0


@dataclass(frozen=True)
class Adaptive(Stepped):
    """rtol, atol: relative tolerance, and absolute ones in the units of q and u, one or (coordinates + speeds,).

    first_step: chosen if left out [s]. longest_step: [s].
    """

    rtol: float = 1e-10
    atol: ArrayLike = field(default=1e-12)
    first_step: float | None = None
    longest_step: float = float("inf")

    is_adaptive: ClassVar[bool] = True
    tableau: ClassVar[Tableau]
    exponent: ClassVar[float]

    def __post_init__(self) -> None:
        atol = np.asarray(self.atol, dtype=float)
        if not 1e-15 < self.rtol < 1.0:
            raise ValueError(f"rtol is {self.rtol!r}; a number between 1e-15 and 1 is needed")
        if not (np.all(atol >= 0.0) and np.all(np.isfinite(atol))):
            raise ValueError(f"atol is {self.atol!r}; numbers that are not negative are needed")
        if self.first_step is not None and not 0.0 < self.first_step < float("inf"):
            raise ValueError(f"first_step is {self.first_step!r}; a positive number is needed")
        if not self.longest_step > 0.0:
            raise ValueError(f"longest_step is {self.longest_step!r}; a positive number is needed")

    @property
    def order(self) -> int:  # type: ignore[override]
        """Of the steps."""
        return self.tableau.order

    @abstractmethod
    def error(self, squares: tuple[Node, ...], count: int) -> Node:
        """From the sums of the scaled squares of each estimate to a number that is 1 where it is just right."""

    def emit(self, plant: Plant, at: Slots) -> None:
        """All stages, the new state, its error."""
        draft, tableau = plant.draft, self.tableau
        rates = stages(plant, tableau, at)
        advance(plant, at.new, tableau.b, rates, at)
        if tableau.ends_with_rates:
            plant.motion(at.new, at.end, at.rates)
            rates = [*rates, at.rates]
        atol, rtol = draft.array("scale", plant.size), draft.cell("rtol")
        draft.copy(draft.array("atol", plant.size, given=True), atol)
        sums = []
        for number, weights in enumerate(tableau.errors):
            w, k = used(weights, rates)
            squares, total = plant.state("squares"), draft.cell(f"error {number}")

            def scaled(y: Node, new: Node, bound: Node, *given: Node, w: Sequence[float] = w) -> Node:
                h, relative = given[-2:]
                share = h * combined(w, given[:-2]) / (bound + relative * maximum(absolute(y), absolute(new)))
                return share * share

            draft.each([squares], scaled, [at.y, at.new, atol, *k], [at.h, rtol])
            plant.total(squares, total, plant.judged)
            sums.append(total)
        draft.set({at.error: self.error(tuple(sums), plant.judged)})

    def further(self, plant: Plant, at: Slots) -> Sequence[Array]:
        """The further stages, and the polynomial's terms."""
        tableau = self.tableau
        rates = [at.f, *(plant.state(f"k{i}") for i in range(1, tableau.stages)), at.rates]
        for number, (c, row) in enumerate(tableau.more, tableau.stages + 1):
            rates.append(stage(plant, f"k{number}", c, row, rates, at))
        terms = []
        for number, weights in enumerate(tableau.dense):
            w, k = used(weights, rates)
            term = plant.state(f"term {number}")
            plant.draft.each([term], lambda *given, w=w: given[-1] * combined(w, given[:-1]), k, [at.h])
            terms.append(term)
        return terms
