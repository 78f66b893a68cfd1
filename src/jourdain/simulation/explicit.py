"""Explicit Runge–Kutta steps, written once for every tableau."""

from __future__ import annotations

from collections.abc import Sequence

from ..graph import Node
from ..program import Array
from .method import Slots
from .plant import Plant
from .tableau import Tableau


def combined(weights: Sequence[float], values: Sequence[Node]) -> Node:
    """Σ w k, nothing built for zeros; the values are of one graph."""
    total = values[0].graph.zero
    for weight, value in zip(weights, values):
        if weight:
            total = total + value * weight
    return total


def used(weights: Sequence[float], arrays: Sequence[Array]) -> tuple[list[float], list[Array]]:
    """Without those whose weight is zero."""
    pairs = [(w, x) for w, x in zip(weights, arrays) if w]
    return [w for w, _ in pairs], [x for _, x in pairs]


def stages(plant: Plant, tableau: Tableau, at: Slots) -> list[Array]:
    """Emits all stages; the arrays of their rates, the first of which is f."""
    rates = [at.f]
    for i, row in enumerate(tableau.a, 1):
        rates.append(stage(plant, f"k{i}", tableau.c[i], row, rates, at))
    return rates


def stage(plant: Plant, name: str, c: float, row: Sequence[float], rates: Sequence[Array], at: Slots) -> Array:
    """Emits one stage: the rates at t + c h, y + h Σ a k."""
    draft, point, k = plant.draft, plant.state("stage"), plant.state(name)
    moment = draft.cell("t of the stage")
    advance(plant, point, row, rates, at)
    draft.set({moment: at.t + at.h * c})
    plant.motion(point, moment, k)
    return k


def advance(plant: Plant, to: Array, weights: Sequence[float], rates: Sequence[Array], at: Slots) -> None:
    """to = y + h Σ w k"""
    w, k = used(weights, rates)
    plant.draft.each([to], lambda y, *given: y + given[-1] * combined(w, given[:-1]), [at.y, *k], [at.h])
