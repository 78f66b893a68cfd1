"""Uicker (1965) and Kahn (1969): Lagrange's equations with 4 × 4 matrices, evaluated as they stand.

    τ_i = Σ_j≥i tr(∂W_j/∂q_i J_j Ẅ_jᵀ) − Σ_j≥i m_j gᵀ ∂W_j/∂q_i r_j                                    (Silver's 1.2)
    Ẅ_j = Σ_k ∂W_j/∂q_k q̈_k + Σ_k Σ_l ∂²W_j/∂q_k∂q_l q̇_k q̇_l

A trace for each i, j, k and l: the cost grows with the fourth power of the number of joints. (Forming Ẅ_j first would
make it the third: what is slow is the order of the sums.)
"""

from __future__ import annotations

from ..arrays import Matrix, apply, dot, product, trace, transposed
from ..chain import Moment
from ..numbers import S

Square = list[list[S]]


def inverse_dynamics(moment: Moment[S]) -> list[S]:
    """Generalized forces (n,)."""
    first, second = derivatives(moment)
    return [_force(moment, i, first, second) for i in range(len(moment))]


def derivatives(moment: Moment[S]) -> tuple[list[list[Square[S]]], list[list[list[Square[S]]]]]:
    """first[j][k] = ∂W_j/∂q_k for k ≤ j; second[j][k][l] = ∂²W_j/∂q_k∂q_l for l ≤ k ≤ j, from link to link outward."""
    w: Matrix[S] = moment.identity(4)
    first: list[list[Square[S]]] = []
    second: list[list[list[Square[S]]]] = []
    for j, joint in enumerate(moment.joints):
        inner = first[j - 1] if j else []
        first.append([product(x, joint.a) for x in inner] + [product(w, joint.da)])
        outer = [[product(x, joint.a) for x in row] for row in second[j - 1]] if j else []
        second.append([*outer, [product(x, joint.da) for x in inner] + [product(w, joint.dda)]])
        w = product(w, joint.a)
    return first, second


def _force(moment: Moment[S], i: int, first: list[list[Square[S]]], second: list[list[list[Square[S]]]]) -> S:
    joints = moment.joints
    force = moment.numbers.known(0.0)
    gravity = [*moment.gravity, moment.numbers.entry(0.0)]
    for j in range(i, len(moment)):
        partial, pseudo = first[j][i], joints[j].pseudo
        for k in range(j + 1):
            force = force + _trace(partial, pseudo, first[j][k]) * joints[k].acceleration
            for m in range(j + 1):
                bent = second[j][max(k, m)][min(k, m)]
                force = force + _trace(partial, pseudo, bent) * joints[k].rate * joints[m].rate
        # m_j r_j, with a last component m_j, is the last column of the inertia matrix.
        force = force - dot(gravity, apply(partial, pseudo[3]))
    return force


def _trace(a: Matrix[S], pseudo: Matrix[S], b: Matrix[S]) -> S:
    """tr(A J Bᵀ) by two whole products."""
    return trace(product(product(a, pseudo), transposed(b)))
