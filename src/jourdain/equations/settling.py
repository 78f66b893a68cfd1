"""Back onto the constraints after a step: what integration let drift, projected out of positions, then of speeds.

The correction is the least in the measure of the masses: M δ = Aᵀ λ with A δ = −miss, so that no energy is moved about
needlessly, and rows that say nothing new here are left out as in the dynamics. Positions move along their manifold
(`integrate`), which keeps quaternions unit. For positions it is one step of Newton's method; for speeds, which enter
linearly, all.

At a singular configuration, as where all joints of a parallelogram lie in a line, a row vanishes: what it says next to
that is rounding, divided by next to nothing. There it is left alone; the motion carries the mechanism across.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..graph import Node, absolute, maximum
from ..model.system import Level
from .constraints import Bonds, Kinetics, Mode, bonds
from .formulation import Formulation
from .lower import lower
from .manifold import integrate
from .mechanics import Mechanics
from .redundancy import redundancy, usual
from .rows import dot
from .states import quaternions

WEAK = 1e-6  # of the square that is usual for what is new in a row: below it is left alone


def position_names(mechanics: Mechanics, imposed: Mode) -> Mode:
    """The constraints of positions that hold: those that are imposed, and those that the speeds satisfy, for positions
    drift from these too."""
    system = mechanics.system
    kept = [x for x in system.conditions if x.level is Level.POSITION]
    return tuple(x.name for x in kept if x.name in imposed or (x.satisfied and not system.is_guided))


def turns_quaternions(mechanics: Mechanics) -> bool:
    """Whether some of the coordinates are unit quaternions, which drift."""
    return bool(quaternions(mechanics.lowered))


def independent_rows(mechanics: Mechanics, mode: Mode) -> Bonds:
    """Only rows that say something new."""
    rows = bonds(mechanics, mode)
    return rows.some(redundancy(mechanics, rows).kept)


def settled_positions(mechanics: Mechanics, imposed: Mode) -> tuple[list[Node], Node]:
    """q (coordinates,) after one step towards the constraints, and the largest miss before it, or part of the step:
    near a singular configuration a position far from the constraints misses them by little."""
    names = position_names(mechanics, imposed)
    inner = _in_joint_speeds(mechanics)
    step = [inner.graph.zero] * len(inner.u)
    miss = inner.graph.zero
    if names:
        rows = bonds(inner, names)
        kept = redundancy(inner, rows).kept
        asked = [-rows.positions[i] for i in kept]
        step = _corrected(inner, rows.some(kept), asked)
        miss = largest(largest(miss, rows.positions), step)
    return integrate(inner.lowered, inner.q, inner.joint_step(step)), miss


def _in_joint_speeds(mechanics: Mechanics) -> Mechanics:
    """The same tree, in the same graph, in speeds that can leave constraints which the user's cannot."""
    system = mechanics.system
    if not system.definitions or system.is_guided:
        return mechanics
    own = replace(system, definitions=(), frictions=())
    return Mechanics(own, Formulation(), lower(own, mechanics.graph))


def settled_speeds(mechanics: Mechanics, imposed: Mode) -> tuple[list[Node], Node]:
    """u (speeds,) on the constraints, and the largest miss of any row that is left, beside the speeds or 1: more than
    rounding where rows that repeat others contradict them."""
    every, graph = bonds(mechanics, imposed), mechanics.graph
    rows = every.some(redundancy(mechanics, every).kept)
    step = _corrected(mechanics, rows, [-x for x in rows.velocities])
    left = [x + dot(graph, row, step) for x, row in zip(every.velocities, every.matrix)]
    return [x + dx for x, dx in zip(mechanics.u, step)], largest(graph.zero, left) / largest(graph.one, mechanics.u)


def _corrected(mechanics: Mechanics, rows: Bonds, asked: Sequence[Node]) -> list[Node]:
    """The least change of speeds (speeds,) by which the rows change as asked (rows,)."""
    squares = usual(mechanics, rows, Kinetics.of(mechanics, rows).squares)
    kinetics = Kinetics.of(mechanics, rows, [WEAK * x for x in squares])
    return kinetics.solve([mechanics.graph.zero] * len(mechanics.u), asked).rates


def largest(start: Node, values: Sequence[Node]) -> Node:
    """The largest absolute value."""
    for x in values:
        start = maximum(start, absolute(x))
    return start
