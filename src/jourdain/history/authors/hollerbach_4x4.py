"""Hollerbach (1980) with 4 × 4 matrices: Uicker and Kahn's sums as recursions, outward for W, inward for the forces.

    τ_i = tr(∂W_i/∂q_i D_i) − gᵀ ∂W_i/∂q_i c_i
    D_i = J_i Ẅ_iᵀ + A_i+1 D_i+1,   c_i = m_i r_i + A_i+1 c_i+1
"""

from __future__ import annotations

from ..arrays import Matrix, apply, dot, matrix_sum, matrix_times, plus, product, trace, transposed
from ..chain import Moment, Moved
from ..numbers import S


def inverse_dynamics(moment: Moment[S]) -> list[S]:
    """Generalized forces (n,)."""
    partials, accelerations = outward(moment, [(x.a, x.da, x.dda) for x in moment.joints])
    gravity = [*moment.gravity, moment.numbers.entry(0.0)]
    forces = []
    d: Matrix[S] = moment.zeros(4, 4)
    c: list[S] = moment.zeros(4)
    beyond: Moved[S] | None = None
    for joint, partial, acceleration in reversed(list(zip(moment.joints, partials, accelerations))):
        if beyond is not None:
            d, c = product(beyond.a, d), apply(beyond.a, c)
        d = matrix_sum(product(joint.pseudo, transposed(acceleration)), d)
        c = plus(joint.pseudo[3], c)
        forces.append(trace(product(partial, d)) - dot(gravity, apply(partial, c)))
        beyond = joint
    return forces[::-1]


Steps = list[tuple[list[list[S]], list[list[S]], list[list[S]]]]


def outward(moment: Moment[S], steps: Steps[S]) -> tuple[list[list[list[S]]], list[list[list[S]]]]:
    """∂W_i/∂q_i and Ẅ_i of every link, from A_i, ∂A_i/∂q_i and ∂²A_i/∂q_i²; 4 × 4 or 3 × 3."""
    size = len(steps[0][0])
    w: Matrix[S] = moment.identity(size)
    rate: Matrix[S] = moment.zeros(size, size)
    acceleration: Matrix[S] = moment.zeros(size, size)
    partials, accelerations = [], []
    for joint, (a, da, dda) in zip(moment.joints, steps):
        partial = product(w, da)
        acceleration = matrix_sum(
            product(acceleration, a),
            matrix_times(product(rate, da), joint.rate + joint.rate),
            matrix_times(product(w, dda), joint.rate * joint.rate),
            matrix_times(product(w, da), joint.acceleration),
        )
        rate = matrix_sum(product(rate, a), matrix_times(product(w, da), joint.rate))
        w = product(w, a)
        partials.append(partial)
        accelerations.append(acceleration)
    return partials, accelerations
