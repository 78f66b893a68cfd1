"""Hollerbach (1980) with 3 × 3 rotations and displacement vectors: half the operations of the 4 × 4 matrices.

    τ_i = tr(∂W_i/∂q_i D_i) − gᵀ ∂W_i/∂q_i c_i              (turning; for a sliding joint z_i−1 · (e_i − g Σ m))
    D_i = A_i+1 D_i+1 + p*_i e_i + n_i p̈_iᵀ + J_i Ẅ_iᵀ,   e_i = e_i+1 + m_i p̈_iᵀ + n_iᵀ Ẅ_iᵀ,   p̈_i = p̈_i−1 + Ẅ_i p*_i
    c_i = A_i+1 c_i+1 + p*_i Σ m + n_i

p*_i: from origin i − 1 to origin i, n_i and J_i: first and second moments about origin i, all in axes i. W stands for
the rotation alone, and p̈_i for the acceleration of origin i.
"""

from __future__ import annotations

from ..arrays import Matrix, apply, dot, matrix_sum, minus, outer, plus, product, times, trace, transposed
from ..chain import Moment, Moved, corner
from ..numbers import S
from .hollerbach_4x4 import outward


def inverse_dynamics(moment: Moment[S]) -> list[S]:
    """Generalized forces (n,)."""
    partials, turns = outward(moment, [(x.rotation, corner(x.da), corner(x.dda)) for x in moment.joints])
    slides, axes = slidings(moment)
    accelerations: list[list[S]] = []
    for joint, turn, sliding in zip(moment.joints, turns, slides):
        inner = accelerations[-1] if accelerations else moment.zeros(3)
        accelerations.append(plus(inner, apply(turn, joint.arm), sliding))
    masses = _masses(moment)
    forces = []
    d: Matrix[S] = moment.zeros(3, 3)
    e: list[S] = moment.zeros(3)
    c: list[S] = moment.zeros(3)
    beyond: Moved[S] | None = None
    for i in reversed(range(len(moment))):
        joint, turn, p = moment.joints[i], turns[i], accelerations[i]
        e = plus(e, times(p, joint.mass), apply(turn, joint.first))
        if beyond is not None:
            d, c = product(beyond.rotation, d), apply(beyond.rotation, c)
        d = matrix_sum(
            d, outer(joint.arm, e), outer(joint.first, p), product(joint.second, transposed(turn))
        )
        c = plus(c, times(joint.arm, masses[i]), joint.first)
        if joint.slides:
            forces.append(dot(axes[i], minus(e, times(moment.gravity, masses[i]))))
        else:
            forces.append(trace(product(partials[i], d)) - dot(moment.gravity, apply(partials[i], c)))
        beyond = joint
    return forces[::-1]


def slidings(moment: Moment[S]) -> tuple[list[list[S]], list[list[S]]]:
    """What sliding adds to each p̈_i, 2 ż q̇ + z q̈, and the sliding axes z_i−1, fixed axes; zeros for turning joints.

    With turning joints alone nothing is computed here.
    """
    added: list[list[S]] = []
    axes: list[list[S]] = []
    if not any(joint.slides for joint in moment.joints):
        return [moment.zeros(3) for _ in moment.joints], [moment.zeros(3) for _ in moment.joints]
    w: Matrix[S] = moment.identity(3)
    rate: Matrix[S] = moment.zeros(3, 3)
    for joint in moment.joints:
        z, turning = [row[2] for row in w], [row[2] for row in rate]
        if joint.slides:
            added.append(plus(times(turning, joint.rate + joint.rate), times(z, joint.acceleration)))
            rate = product(rate, joint.rotation)
        else:
            added.append(moment.zeros(3))
            own = [times(row, joint.rate) for row in product(w, corner(joint.da))]
            rate = matrix_sum(product(rate, joint.rotation), own)
        axes.append(z)
        w = product(w, joint.rotation)
    return added, axes


def _masses(moment: Moment[S]) -> list[S]:
    """Σ m from each link outward: data, made beforehand."""
    total, found = 0.0, []
    for link in reversed(moment.data):
        total += link.mass
        found.append(moment.numbers.number(total))
    return found[::-1]
