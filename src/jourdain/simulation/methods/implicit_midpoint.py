"""The implicit midpoint rule: order 2, stable however stiff, symmetric in time; Newton's method with exact slopes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...program import Array
from ..method import FixedStep, Slots
from ..newton import newton
from ..plant import INSTEAD, Plant


@dataclass(frozen=True)
class ImplicitMidpoint(FixedStep):
    """Fixed steps, of order 2: y₁ = y₀ + h f(ȳ), ȳ = y₀ + h/2 f(ȳ). For stiff springs and dampers at fixed steps."""

    order: ClassVar[int] = 2

    def refusal(self, plant: Plant) -> str:
        """Its slopes are those of one mode."""
        if not plant.changes:
            return ""
        return f"its implicit equations are those of constraints that stay, and these change; {INSTEAD}"

    def emit(self, plant: Plant, at: Slots) -> None:
        draft, own = plant.draft, plant.own
        middle, rates, moment = plant.state("middle"), plant.state("k1"), draft.cell("t of the stage")
        unknown, slopes = draft.array("unknown", own), draft.array("slopes", own * own)
        unit = draft.array("unit", own * own)
        draft.copy(draft.array("unit matrix", own * own, given=True), unit)
        draft.set({moment: at.t + at.h * 0.5})
        draft.each([middle], lambda y, f, h: y + h * 0.5 * f, [at.y, at.f], [at.h])
        draft.copy(middle.part(0, own), unknown)

        def linearized(matrix: Array, right: Array) -> None:
            draft.copy(unknown, middle.part(0, own))
            plant.evaluate(middle, moment, rates)  # what the slopes are those of
            plant.run(plant.moving.slopes, middle, moment, [slopes])
            draft.each([matrix], lambda one, slope, h: one - h * 0.5 * slope, [unit, slopes], [at.h])
            missed = plant.state("missed")
            draft.each([missed], lambda x, y, f, h: x - (y + h * 0.5 * f), [middle, at.y, rates], [at.h])
            draft.copy(missed.part(0, own), right)

        newton(plant, at, unknown, linearized)
        draft.copy(unknown, middle.part(0, own))
        plant.evaluate(middle, moment, rates)
        draft.each([at.new], lambda y, f, h: y + h * f, [at.y, rates], [at.h])
