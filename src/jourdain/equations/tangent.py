"""How fast a small step of the joints grows that is taken from a fixed configuration: what linear models are made of.

Configurations near q₀ are q₀ ⊕ ξ, the step ξ in the joints' own speeds (`manifold`). At ξ = 0 its rate is p; its slope
there depends on how steps are taken. Where coordinates step by Γ(q₀) ξ, the rate is Γ(q₀)⁻¹ Γ(q) p. Where the step is
the exponential of a twist, ξ̇ = p + ½ [ξ, p] + … with the commutator of the joint's motions.
"""

from __future__ import annotations

from ..graph import Node
from ..graph.differentiate import jacobian, jvp
from ..model.motion import Motion, Orientation
from .derivatives import input_symbols, joint_slopes
from .lower import Passage
from .mechanics import Mechanics
from .rows import Rows, dot, on_vector
from .structure import structure_constants


def tangent_rates(mechanics: Mechanics) -> tuple[Node, ...]:
    """ξ̇ at ξ = 0 (joint speeds,): the joints' own speeds p."""
    return tuple(mechanics.lowered.speeds)


def tangent_slopes(mechanics: Mechanics) -> dict[str, Rows]:
    """Of ξ̇ at ξ = 0, (joint speeds, ·) by "joints", ξ itself, by "u", and by "inputs" where there are."""
    rates = tangent_rates(mechanics)
    found = {"joints": _step_slopes(mechanics), "u": jacobian(rates, mechanics.u)}
    symbols = input_symbols(mechanics)
    return {**found, "inputs": jacobian(rates, symbols)} if symbols else found


def _step_slopes(mechanics: Mechanics) -> Rows:
    """∂ξ̇/∂ξ at ξ = 0, u held (joint speeds, joint speeds)."""
    found = joint_slopes(mechanics, tangent_rates(mechanics))
    for passage in mechanics.lowered.passages:
        own = _own_slopes(mechanics, passage)
        for i, row in enumerate(own, passage.speeds.start):
            for k, x in enumerate(row, passage.speeds.start):
                found[i][k] = found[i][k] + x
    return found


def _own_slopes(mechanics: Mechanics, passage: Passage) -> Rows:
    """What a joint's way of taking steps adds."""
    graph, motion = mechanics.graph, passage.motion
    p = mechanics.lowered.speeds[passage.speeds]
    places = range(motion.np)
    if _by_exponential(motion):
        constants = structure_constants(motion, graph)
        return [[dot(graph, constants[j][i], p) * 0.5 for j in places] for i in places]
    q = mechanics.q[passage.coordinates]
    gamma, inverse = motion.kinematic(graph, q), motion.inverse_kinematic(graph, q)
    flat = [x for row in gamma for x in row]
    columns = []
    for j in places:
        rate = jvp(flat, {x: row[j] for x, row in zip(q, gamma)})
        moved = [dot(graph, rate[i * motion.np : (i + 1) * motion.np], p) for i in range(len(q))]
        columns.append(on_vector(graph, inverse, moved))
    return [[column[i] for column in columns] for i in places]


def _by_exponential(motion: Motion) -> bool:
    """Whether the joint steps as `manifold` has it for planar joints and quaternions."""
    return motion.kind == "planar" or motion.orientation is Orientation.QUATERNION
