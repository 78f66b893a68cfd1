"""Silver (1981): Lagrange's equations with ω in the place of Ẇ.

    τ_j = Σ_i (F_i · ∂v_i/∂q̇_j + N_i · ∂ω_i/∂q̇_j)                                                            (3.12)
    ∂v_i/∂q̇_j = z_j × p_ji, ∂ω_i/∂q̇_j = z_j   where joint j turns;   z_j, 0   where it slides           (3.15, 3.16)

so that τ_j = z_j · Σ_i≥j (p_ji × F_i + N_i) or z_j · Σ_i≥j F_i, and the sums run inward from link to link, for p_ji,
from joint j's axis to mass centre i, is p*_j + p_j+1,i. The motion is found outward as by Luh, Walker and Paul. What
differs from theirs is the point about which the sum is kept while it crosses a link; nothing else does.
"""

from __future__ import annotations

from ..arrays import apply, cross, dot, plus
from ..chain import Moment
from ..numbers import S
from .luh_walker_paul import Motion, Wrench, newton_euler, outward


def inverse_dynamics(moment: Moment[S], base: Motion[S] | None = None, tip: Wrench[S] | None = None) -> list[S]:
    """Generalized forces (n,).

    base: how the base moves (section 3.2: its acceleration may stand for gravity; here gravity is added to it). tip:
    what the terminal link exerts on what it holds, about the origin and in the axes of its frame; it enters the sums
    as would the force and moment of one more link, whose motion is such that they come out.
    """
    bodies = [newton_euler(joint, motion) for joint, motion in zip(moment.joints, outward(moment, base))]
    torques = []
    # Σ F and Σ (p × F + N) about origin i, of all beyond link i; then about origin i − 1, of link i too.
    force = list(tip.force) if tip else moment.zeros(3)
    turning = list(tip.moment) if tip else moment.zeros(3)
    for joint, (own, spin) in reversed(list(zip(moment.joints, bodies))):
        force = plus(force, own)
        turning = plus(turning, spin, cross(joint.center, own), cross(joint.arm, force))
        torques.append(dot(force if joint.slides else turning, joint.turned_axis))
        force, turning = apply(joint.rotation, force), apply(joint.rotation, turning)
    return torques[::-1]
