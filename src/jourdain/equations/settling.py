"""Back onto the constraints after a step: what integration let drift, projected out of positions, then of speeds.

The correction is the least in the measure of the masses: M δ = Aᵀ λ with A δ = −miss, so that no energy is moved about
needlessly, and rows that say nothing new here are left out as in the dynamics. Positions move along their manifold
(`integrate`), which keeps quaternions unit. For positions it is one step of Newton's method; for speeds, which enter
linearly, all.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..graph import Node, absolute, maximum
from ..model.system import Level
from .constraints import Bonds, Kinetics, Mode, bonds
from .manifold import integrate
from .mechanics import Mechanics
from .redundancy import redundancy
from .states import quaternions


def position_names(mechanics: Mechanics, mode: Mode) -> Mode:
    """The constraints of positions among these."""
    return tuple(x for x in mode if mechanics.system.constraint(x).level is Level.POSITION)


def turns_quaternions(mechanics: Mechanics) -> bool:
    """Whether some of the coordinates are unit quaternions, which drift."""
    return bool(quaternions(mechanics.lowered))


def independent_rows(mechanics: Mechanics, mode: Mode) -> Bonds:
    """Only rows that say something new."""
    rows = bonds(mechanics, mode)
    return rows.some(redundancy(mechanics, rows).kept)


def settled_positions(mechanics: Mechanics, mode: Mode) -> tuple[list[Node], Node]:
    """q (coordinates,) after one step towards the constraints, and the largest miss before it."""
    names = position_names(mechanics, mode)
    graph, n = mechanics.graph, len(mechanics.u)
    step = [graph.zero] * n
    miss = graph.zero
    if names:
        rows = bonds(mechanics, names)
        kept = redundancy(mechanics, rows).kept
        asked = [-rows.positions[i] for i in kept]
        step = Kinetics.of(mechanics, rows.some(kept)).solve(step, asked).rates
        miss = largest(graph.zero, rows.positions)
    return integrate(mechanics.lowered, mechanics.q, mechanics.joint_step(step)), miss


def settled_speeds(mechanics: Mechanics, mode: Mode) -> tuple[list[Node], Node]:
    """u (speeds,) on the constraints, and the largest miss before."""
    graph = mechanics.graph
    rows = independent_rows(mechanics, mode)
    asked = [-x for x in rows.velocities]
    step = Kinetics.of(mechanics, rows).solve([graph.zero] * len(mechanics.u), asked).rates
    return [x + dx for x, dx in zip(mechanics.u, step)], largest(graph.zero, rows.velocities)


def largest(start: Node, values: Sequence[Node]) -> Node:
    """The largest absolute value."""
    for x in values:
        start = maximum(start, absolute(x))
    return start
