"""Silver 1981, section 2: the rate of a rotation matrix beside the angular velocity, and what each makes of inertia.

W takes components in moved axes to components in fixed axes (2.1); J' = ∫ r' r'ᵀ dm goes with Ẇ, I = ∫ (r² 1 − r rᵀ) dm
with ω. Primes: moved axes.
"""

from __future__ import annotations

from .arrays import Matrix, Vector, apply, cross, dot, outer, plus, product, times, trace, transposed
from .numbers import S


def permutation(i: int, j: int, k: int) -> int:
    """P_ijk: 1, −1 or 0 by the order of 0, 1, 2 (section 2.2)."""
    return (i - j) * (j - k) * (k - i) // 2


def rotation_rate(omega: Vector[S], w: Matrix[S]) -> list[list[S]]:
    """Ẇ_ij = P_ikl ω_k W_lj, that is Ẇ = ω × W column by column (2.5); ω in fixed axes."""
    return transposed([cross(omega, column) for column in transposed(w)])


def angular_velocity(w: Matrix[S], rate: Matrix[S], half: S) -> list[S]:
    """ω_i = ½ P_ijk W_jl Ẇ_kl (2.6), fixed axes; half: the number ½."""
    turned = product(w, transposed(rate))  # W_jl Ẇ_kl
    return [half * (turned[j][k] - turned[k][j]) for j, k in ((1, 2), (2, 0), (0, 1))]


def rotation_acceleration(omega: Vector[S], alpha: Vector[S], w: Matrix[S]) -> list[list[S]]:
    """Ẅ = ω̇ × W + ω × (ω × W): (2.5) differentiated."""
    columns = transposed(w)
    return transposed([plus(cross(alpha, x), cross(omega, cross(omega, x))) for x in columns])


def inertia_of_second_moments(j: Matrix[S]) -> list[list[S]]:
    """I = tr(J) 1 − J (2.11)."""
    return _from_trace(j, trace(j))


def second_moments_of_inertia(i: Matrix[S], half: S) -> list[list[S]]:
    """J = ½ tr(I) 1 − I (2.11); half: the number ½."""
    return _from_trace(i, half * trace(i))


def _from_trace(m: Matrix[S], diagonal: S) -> list[list[S]]:
    return [[diagonal - x if i == k else -x for k, x in enumerate(row)] for i, row in enumerate(m)]


def in_fixed_axes(w: Matrix[S], tensor: Matrix[S]) -> list[list[S]]:
    """W T' Wᵀ: a tensor's components in fixed axes."""
    return product(product(w, tensor), transposed(w))


def energy_with_omega(omega: Vector[S], inertia: Matrix[S], half: S) -> S:
    """½ ω · I · ω (2.10)."""
    return half * dot(omega, apply(inertia, omega))


def energy_with_rate(rate: Matrix[S], j: Matrix[S], half: S) -> S:
    """½ tr(Ẇ J' Ẇᵀ) (2.8)."""
    return half * trace(product(product(rate, j), transposed(rate)))


def force_with_omega(omega: Vector[S], alpha: Vector[S], inertia: Matrix[S], partial: Vector[S]) -> S:
    """[I · ω̇ + ω × (I · ω)] · ∂ω/∂q̇: the turning part of a generalized force; partial: ∂ω/∂q̇."""
    return dot(plus(apply(inertia, alpha), cross(omega, apply(inertia, omega))), partial)


def force_with_rate(partial: Matrix[S], j: Matrix[S], acceleration: Matrix[S]) -> S:
    """tr(∂W/∂q J' Ẅᵀ): the same; partial: ∂W/∂q."""
    return trace(product(product(partial, j), transposed(acceleration)))


def pseudo_inertia(mass: S, center: Vector[S], j: Matrix[S]) -> list[list[S]]:
    """The 4 × 4 matrix ∫ (r, 1)(r, 1)ᵀ dm about a frame's origin, from J about the mass centre."""
    first = times(center, mass)
    about_origin = [plus(x, y) for x, y in zip(j, outer(first, center))]
    return [[*row, x] for row, x in zip(about_origin, first)] + [[*first, mass]]


__all__ = [
    "angular_velocity", "energy_with_omega", "energy_with_rate", "force_with_omega", "force_with_rate", "in_fixed_axes",
    "inertia_of_second_moments", "permutation", "pseudo_inertia", "rotation_acceleration",
    "rotation_rate", "second_moments_of_inertia",
]
