"""Where one frame lies in another, and twists seen from one in the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..graph import Graph
from ..spatial import Rotation, Vector


@dataclass(frozen=True)
class Pose:
    """Where an inner frame lies in an outer one: x_outer = rotation x_inner + translation [m]."""

    rotation: Rotation
    translation: Vector

    def then(self, inner: Pose) -> Pose:
        """The pose, in this one's outer frame, of what `inner` places in this one's inner frame."""
        return Pose(
            self.rotation.then(inner.rotation), self.translation + self.rotation.inward(inner.translation)
        )

    def inverse(self) -> Pose:
        """The outer frame's pose in the inner one."""
        return Pose(self.rotation.inverse(), -self.rotation.outward(self.translation))

    @property
    def is_identity(self) -> bool:
        """True where the frames coincide by construction."""
        return not self.rotation.factors and self.translation.is_zero

    @staticmethod
    def identity(graph: Graph) -> Pose:
        return Pose(Rotation(graph), Vector.zero(graph))


class Twist(NamedTuple):
    """Angular and linear velocity of a frame, in some axes, at some origin."""

    angular: Vector
    linear: Vector

    def seen_inside(self, pose: Pose) -> Twist:
        """The same motion in the inner frame's axes and about its origin: Ad(X⁻¹) ξ = (Rᵀ w, Rᵀ (v + w × t))."""
        return Twist(
            pose.rotation.outward(self.angular),
            pose.rotation.outward(self.linear + self.angular.cross(pose.translation)),
        )

    def seen_outside(self, pose: Pose) -> Twist:
        """The same motion in the outer frame's axes and about its origin: Ad(X) ξ = (R w, R v + t × R w)."""
        angular = pose.rotation.inward(self.angular)
        return Twist(angular, pose.rotation.inward(self.linear) + pose.translation.cross(angular))
