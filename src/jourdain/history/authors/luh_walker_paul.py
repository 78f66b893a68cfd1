"""Luh, Walker and Paul (1979, 1980): Newton's and Euler's equations, outward for the motion, inward for the forces.

Every quantity of link i is in the axes of frame i, and Aᵀ takes vectors from axes i − 1 to axes i. Gravity is an
acceleration of the base.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from ..arrays import apply, cross, dot, minus, plus, times, transposed
from ..chain import Moment, Moved
from ..numbers import S


@dataclass(frozen=True)
class Motion(Generic[S]):
    """Of one frame, in its own axes: angular velocity and acceleration, the origin's acceleration."""

    omega: list[S]
    alpha: list[S]
    acceleration: list[S]


@dataclass(frozen=True)
class Wrench(Generic[S]):
    """A force and its moment about a frame's origin, in the frame's axes."""

    force: list[S]
    moment: list[S]


def inverse_dynamics(moment: Moment[S], base: Motion[S] | None = None, tip: Wrench[S] | None = None) -> list[S]:
    """Generalized forces (n,).

    base: how the base moves, at rest if it is not given; its acceleration is of its own, gravity is added. tip: what
    the terminal link exerts on what it holds, about the origin and in the axes of its frame.
    """
    motions = outward(moment, base)
    bodies = [newton_euler(joint, motion) for joint, motion in zip(moment.joints, motions)]
    held = tip or Wrench(moment.zeros(3), moment.zeros(3))
    torques = []
    for i in reversed(range(len(moment))):
        joint, (force, turning) = moment.joints[i], bodies[i]
        if i + 1 < len(moment):
            rotation = moment.joints[i + 1].rotation
            # n_i = A [n_i+1 + (Aᵀ p*_i) × f_i+1] + (p*_i + s_i) × F_i + N_i
            shifted = cross(apply(transposed(rotation), joint.arm), held.force)
            carried = Wrench(apply(rotation, held.force), apply(rotation, plus(held.moment, shifted)))
        elif tip is not None:
            carried = Wrench(held.force, plus(held.moment, cross(joint.arm, held.force)))
        else:
            carried = held
        held = Wrench(
            plus(carried.force, force), plus(carried.moment, cross(joint.reach, force), turning)
        )
        torques.append(dot(held.force if joint.slides else held.moment, joint.turned_axis))
    return torques[::-1]


def resting(moment: Moment[S], base: Motion[S] | None) -> Motion[S]:
    """The base's motion with gravity as an acceleration of it."""
    if base is None:
        return Motion(moment.zeros(3), moment.zeros(3), [-x for x in moment.gravity])
    return Motion(base.omega, base.alpha, minus(base.acceleration, moment.gravity))


def outward(moment: Moment[S], base: Motion[S] | None = None) -> list[Motion[S]]:
    """ω, ω̇ and v̇ of every frame, by the rules for turning and sliding joints."""
    motions: list[Motion[S]] = []
    for joint in moment.joints:
        inner = motions[-1] if motions else resting(moment, base)
        motions.append((_sliding if joint.slides else _turning)(moment, joint, inner))
    return motions


def _turning(moment: Moment[S], joint: Moved[S], inner: Motion[S]) -> Motion[S]:
    back = transposed(joint.rotation)
    relative = moment.along(joint.rate)
    omega = apply(back, plus(inner.omega, relative))
    alpha = apply(back, plus(inner.alpha, moment.along(joint.acceleration), cross(inner.omega, relative)))
    carried = apply(back, inner.acceleration)
    return Motion(omega, alpha, plus(swing(omega, alpha, joint.arm), carried))


def _sliding(moment: Moment[S], joint: Moved[S], inner: Motion[S]) -> Motion[S]:
    back = transposed(joint.rotation)
    omega, alpha = apply(back, inner.omega), apply(back, inner.alpha)
    carried = apply(back, plus(inner.acceleration, moment.along(joint.acceleration)))
    coriolis = cross(omega, times(joint.turned_axis, joint.rate + joint.rate))
    return Motion(omega, alpha, plus(swing(omega, alpha, joint.arm), carried, coriolis))


def swing(omega: Sequence[S], alpha: Sequence[S], r: Sequence[S]) -> list[S]:
    """ω̇ × r + ω × (ω × r)."""
    return plus(cross(alpha, r), cross(omega, cross(omega, r)))


def newton_euler(joint: Moved[S], motion: Motion[S]) -> tuple[list[S], list[S]]:
    """F = m v̇ of the mass centre and N = I ω̇ + ω × (I ω) (1.3)."""
    omega, alpha = motion.omega, motion.alpha
    center = plus(swing(omega, alpha, joint.center), motion.acceleration)
    spun = cross(omega, apply(joint.inertia, omega))
    return times(center, joint.mass), plus(apply(joint.inertia, alpha), spun)
