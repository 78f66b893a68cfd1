"""The classical Runge–Kutta method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..explicit import advance, stages
from ..method import FixedStep, Slots
from ..plant import Plant
from ..tableau import Tableau

TABLEAU = Tableau(
    order=4,
    c=(0.0, 1 / 2, 1 / 2, 1.0),
    a=((1 / 2,), (0.0, 1 / 2), (0.0, 0.0, 1.0)),
    b=(1 / 6, 1 / 3, 1 / 3, 1 / 6),
)


@dataclass(frozen=True)
class RK4(FixedStep):
    """Fixed steps, explicit, of order 4, four evaluations each."""

    order: ClassVar[int] = 4
    tableau: ClassVar[Tableau] = TABLEAU

    def emit(self, plant: Plant, at: Slots) -> None:
        advance(plant, at.new, self.tableau.b, stages(plant, self.tableau, at), at)
