"""A chain's geometry as functions of q and q̇ that take complex numbers, for derivatives by a complex step.

Everything is in fixed axes. A derivative by a complex step has no difference in it, so it is good to rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jourdain.history.chain import Chain, at
from jourdain.history.numbers import COMPLEX

Array = NDArray[Any]
STEP = 1e-40


@dataclass(frozen=True)
class Geometry:
    """Of all links: rotations, central inertias (n, 3, 3), mass centres, joints' axes and points on them (n, 3);
    masses and which joints turn (n,)."""

    rotations: Array
    centers: Array
    inertias: Array
    axes: Array
    points: Array
    masses: Array
    turns: Array

    def partial_velocities(self) -> tuple[Array, Array]:
        """∂v_i/∂q̇_j and ∂ω_i/∂q̇_j (i, j, 3) by Silver's (3.15) and (3.16)."""
        n = len(self.axes)
        linear, angular = np.zeros((2, n, n, 3), complex)
        for i in range(n):
            for j in range(i + 1):
                turns = self.turns[j]
                lever = np.cross(self.axes[j], self.centers[i] - self.points[j])
                linear[i, j] = lever if turns else self.axes[j]
                angular[i, j] = self.axes[j] if turns else 0.0
        return linear, angular

    def velocities(self, rates: Array) -> tuple[Array, Array]:
        """v_i and ω_i (n, 3) by (3.13) and (3.14)."""
        linear, angular = self.partial_velocities()
        return np.einsum("ijk,j->ik", linear, rates), np.einsum("ijk,j->ik", angular, rates)

    def turning_axes(self) -> Array:
        """z_k, taken as 0 where joint k slides (appendix, before A.2)."""
        return self.axes * self.turns[:, None]


def geometry(chain: Chain, q: Array) -> Geometry:
    """The chain at coordinates q (n,), real or complex."""
    still = [0.0] * len(chain)
    moment = at(chain, COMPLEX, q, still, still)
    rotation, origin = np.eye(3, dtype=complex), np.zeros(3, complex)
    rows: list[tuple[Array, ...]] = []
    for joint in moment.joints:
        axis, point = rotation[:, 2], origin
        step = np.array(joint.a)
        origin = origin + rotation @ step[:3, 3]
        rotation = rotation @ step[:3, :3]
        center = origin + rotation @ np.array(joint.center)
        inertia = rotation @ np.array(joint.inertia) @ rotation.T
        rows.append((rotation, center, inertia, axis, point, np.array(joint.mass), np.array(not joint.slides)))
    return Geometry(*(np.array(column) for column in zip(*rows)))


def derivative(function: Callable[[Array], Array], at_: Array, along: Array) -> Array:
    """Of a real-analytic function at a real place, along a direction."""
    found: Array = np.asarray(function(at_ + 1j * STEP * along)).imag / STEP
    return found


def by_each(function: Callable[[Array], Array], at_: Array) -> Array:
    """(n, …): by each argument."""
    return np.array([derivative(function, at_, row) for row in np.eye(len(at_))])
