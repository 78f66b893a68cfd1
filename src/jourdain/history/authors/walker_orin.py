"""Walker and Orin (1982), method 3: the mass matrix by composite bodies, and forward dynamics with it.

Column j of the mass matrix is what a unit acceleration of joint j alone asks of the joints, with everything at rest and
no gravity: the links from j on then move as one body, and the joints before it merely hold. The velocity and gravity
forces come from Luh, Walker and Paul's recursion with no accelerations.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic

from ..arrays import Matrix, apply, cross, dot, matrix_sum, minus, outer, plus, product, times, transposed
from ..chain import Moment, Moved
from ..numbers import S
from ..rotation import inertia_of_second_moments
from . import luh_walker_paul


@dataclass(frozen=True)
class Composite(Generic[S]):
    """Links from i on as one body, in axes i: mass, mass centre from origin i, inertia about that mass centre."""

    mass: S
    center: list[S]
    inertia: Matrix[S]


def forward_dynamics(moment: Moment[S], forces: list[S]) -> list[S]:
    """q̈ (n,) under generalized forces (n,); the accelerations of `moment` are not looked at."""
    zero = moment.numbers.known(0.0)
    resting = replace(moment, joints=[replace(x, acceleration=zero) for x in moment.joints])
    bias = luh_walker_paul.inverse_dynamics(resting)
    return solve(mass_matrix(moment), minus(forces, bias))


def composites(moment: Moment[S]) -> list[Composite[S]]:
    """Of every link, inward: the link's own body and the composite beyond become one at their common mass centre."""
    found: list[Composite[S]] = []
    beyond: Moved[S] | None = None
    for joint in reversed(moment.joints):
        own = Composite(joint.mass, joint.center, joint.inertia)
        if beyond is not None:
            own = joined(own, _seen_inside(found[-1], beyond))
        found.append(own)
        beyond = joint
    return found[::-1]


def _seen_inside(body: Composite[S], joint: Moved[S]) -> Composite[S]:
    """From axes i to axes i − 1."""
    rotation = joint.rotation
    turned = product(product(rotation, body.inertia), transposed(rotation))
    return Composite(body.mass, apply(rotation, plus(joint.arm, body.center)), turned)


def joined(one: Composite[S], other: Composite[S]) -> Composite[S]:
    """Two bodies as one; a distance r apart they have m₁ m₂ / (m₁ + m₂) (r² 1 − r rᵀ) on top of their own inertias."""
    mass = one.mass + other.mass
    apart = minus(other.center, one.center)
    share = other.mass / mass
    spread = inertia_of_second_moments(outer(times(apart, share * one.mass), apart))
    return Composite(mass, plus(one.center, times(apart, share)), matrix_sum(one.inertia, other.inertia, spread))


def mass_matrix(moment: Moment[S]) -> list[list[S]]:
    """(n, n)"""
    n = len(moment)
    matrix: list[list[S]] = moment.zeros(n, n)
    for j, body in enumerate(composites(moment)):
        joint = moment.joints[j]
        axis, out = joint.turned_axis, plus(joint.arm, body.center)
        if joint.slides:
            force, spin = times(axis, body.mass), moment.zeros(3)
        else:
            force, spin = times(cross(axis, out), body.mass), apply(body.inertia, axis)
        turning = plus(cross(out, force), spin)  # about origin j − 1, axes j
        for i in range(j, -1, -1):
            here = moment.joints[i]
            if i < j:
                rotation = moment.joints[i + 1].rotation
                force, turning = apply(rotation, force), apply(rotation, turning)
                turning = plus(turning, cross(here.arm, force))
            matrix[i][j] = matrix[j][i] = dot(force if here.slides else turning, here.turned_axis)
    return matrix


def solve(matrix: Matrix[S], right: list[S]) -> list[S]:
    """x of M x = right by M = L D Lᵀ, n³/6 products and as many differences to leading order."""
    n = len(right)
    work = [list(row) for row in matrix]
    x = list(right)
    for k in range(n):
        for i in range(k + 1, n):
            ratio = work[i][k] / work[k][k]
            for j in range(k + 1, i + 1):
                work[i][j] = work[i][j] - ratio * work[j][k]
            x[i] = x[i] - ratio * x[k]
    # Column k below the diagonal still holds L D; the upper triangle is its transpose.
    for k in reversed(range(n)):
        for i in range(k + 1, n):
            x[k] = x[k] - work[i][k] * x[i]
        x[k] = x[k] / work[k][k]
    return x
