"""The semi-implicit Euler method: speeds first, positions with the new speeds. What games and many engines use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..method import FixedStep, Slots
from ..plant import Plant


@dataclass(frozen=True)
class SemiImplicitEuler(FixedStep):
    """Fixed steps, of order 1, one evaluation each: u₁ = u₀ + h u̇(q₀, u₀), q₁ = q₀ + h q̇(q₀, u₁)."""

    order: ClassVar[int] = 1

    def emit(self, plant: Plant, at: Slots) -> None:
        """Work goes with the old rates."""
        draft, between = plant.draft, plant.state("stage")
        moved = draft.array("q rates", plant.size)
        draft.each([between], lambda y, f, h: y + h * f, [at.y, at.f], [at.h])
        draft.copy(between, at.new)
        draft.copy(plant.q(at.y), plant.q(between))
        draft.copy(at.f, moved)
        plant.run(plant.moving.rates, between, at.end, [plant.q(moved)])
        stepped = plant.state("stepped")
        draft.each([stepped], lambda y, f, h: y + h * f, [at.y, moved], [at.h])
        draft.copy(plant.q(stepped), plant.q(at.new))

