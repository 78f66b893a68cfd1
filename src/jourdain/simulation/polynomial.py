"""Dense output: the polynomial through a step, one form for every method.

y(t + θ h) = y₀ + θ (F₁ + (1 − θ) (F₂ + θ (F₃ + (1 − θ) (F₄ + …)))): three terms are Hermite's cubic, from the states
and rates at both ends; a method adds what makes it as accurate as its steps (Hairer, Nørsett, Wanner, section II.6).
"""

from __future__ import annotations

from ..graph import Node
from ..program import Array
from .method import Slots, Stepped
from .plant import Plant


class Polynomial:
    """Of the step in these slots; `prepare` before the first `evaluate` of a step."""

    def __init__(self, plant: Plant, method: Stepped, at: Slots) -> None:
        self.plant, self.method, self.at = plant, method, at
        self._cubic = [plant.state(f"cubic {k}") for k in range(3)]
        self._more: list[Array] = []

    def prepare(self) -> None:
        """Emits the terms' computation."""
        at = self.at

        def cubic(y: Node, new: Node, f: Node, rates: Node, h: Node) -> tuple[Node, Node, Node]:
            dy = new - y
            first = h * f - dy
            return dy, first, dy - h * rates - first

        self.plant.draft.each(self._cubic, cubic, [at.y, at.new, at.f, at.rates], [at.h])
        self._more = list(self.method.further(self.plant, at))

    def evaluate(self, share: Node, to: Array) -> None:
        """Emits to = y(t + share · h); share: a cell between 0 and 1."""

        def horner(y: Node, *given: Node) -> Node:
            terms, theta = given[:-1], given[-1]
            total = terms[-1]
            for k in range(len(terms) - 2, -1, -1):
                total = terms[k] + total * (theta if k % 2 else 1.0 - theta)
            return y + theta * total

        self.plant.draft.each([to], horner, [self.at.y, *self._cubic, *self._more], [share])
