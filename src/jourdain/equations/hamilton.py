"""Hamilton's form, where the speeds are the rates of the coordinates: momenta p = ∂L/∂q̇ and ṗ = ∂L/∂q + Q."""

from __future__ import annotations

from collections.abc import Sequence

from ..graph import Node
from ..graph.differentiate import jvp
from .factor import factorize
from .mechanics import Mechanics


def momenta(mechanics: Mechanics) -> list[Node]:
    """p = M q̇ (speeds,)."""
    graph = mechanics.graph
    found = []
    for row in mechanics.mass_matrix():
        total = graph.zero
        for x, u in zip(row, mechanics.u):
            total = total + x * u
        found.append(total)
    return found


def canonical_forces(mechanics: Mechanics) -> list[Node]:
    """ṗ (speeds,) of the momenta M q̇: Ṁ q̇ − (bias forces), for M u̇ + bias = 0."""
    changed = jvp(momenta(mechanics), mechanics.quantities.rates())
    return [x - h for x, h in zip(changed, mechanics.bias_forces())]


def speeds_of(mechanics: Mechanics, p: Sequence[Node]) -> list[Node]:
    """q̇ (speeds,) of momenta."""
    return factorize(mechanics.mass_matrix()).solve(p)
