"""Kane's equations for a chain (Kane and Levinson 1983), speeds u_r = q̇_r: partial velocities first, then one sum.

    τ_r = − Σ_i (F*_i · v_r^i + T*_i · ω_r^i),   F* = − m a,   T* = − (I · α + ω × I · ω)

which is Silver's (3.12) as it stands: each body's partial velocities, in its own axes, for every joint before it; then
their dot products with its inertia force and torque. No sum is kept from body to body, so the cost grows with n².
Kane and Levinson write such sums out for one arm, name every common part (their Z's) and so reach a few hundred
operations at n = 6; how many of theirs are executed is counted in the tests of paper 004.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from ..arrays import apply, cross, dot, plus, transposed
from ..chain import Moment
from ..numbers import S
from .luh_walker_paul import newton_euler, outward


@dataclass(frozen=True)
class Partial(Generic[S]):
    """ω_r and v_r of one body for one speed, in the body's axes; v_r of its frame's origin. turns: joint r does."""

    angular: list[S]
    linear: list[S]
    turns: bool


def inverse_dynamics(moment: Moment[S]) -> list[S]:
    """Generalized forces (n,)."""
    forces: list[S] = moment.zeros(len(moment))
    for joint, motion, partials in zip(moment.joints, outward(moment), partial_velocities(moment)):
        force, torque = newton_euler(joint, motion)
        for r, partial in enumerate(partials):
            if partial.turns:
                center = plus(partial.linear, cross(partial.angular, joint.center))
                share = dot(force, center) + dot(torque, partial.angular)
            else:
                share = dot(force, partial.linear)
            forces[r] = forces[r] + share
    return forces


def partial_velocities(moment: Moment[S]) -> list[list[Partial[S]]]:
    """Of each body, for the speeds of the joints up to its own; carried outward from body to body."""
    bodies: list[list[Partial[S]]] = []
    for joint in moment.joints:
        back = transposed(joint.rotation)
        found = []
        for x in bodies[-1] if bodies else []:
            linear = apply(back, x.linear)
            if x.turns:
                angular = apply(back, x.angular)
                found.append(Partial(angular, plus(linear, cross(angular, joint.arm)), True))
            else:
                found.append(Partial(x.angular, linear, False))
        axis, zero = joint.turned_axis, moment.zeros(3)
        own = Partial(zero, axis, False) if joint.slides else Partial(axis, cross(axis, joint.arm), True)
        bodies.append([*found, own])
    return bodies
