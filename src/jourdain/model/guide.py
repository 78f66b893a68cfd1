"""Bodies whose motion is given by expressions of the coordinates and speeds, instead of by a joint's own freedom.

A cam's follower, a geared wheel, a body of a model that says velocities and not positions (as models of
`sympy.physics.mechanics` do): where it is and how fast it moves are formulas. Kane's method needs no more than that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..graph import Node
from ..spatial import Vector
from .pose import Pose

RATE = "{}.rate"
"""The name of the symbol of the rate of what another symbol stands for."""


@dataclass(frozen=True)
class Guide:
    """A body's motion relative to the ground, as expressions of coordinates, speeds, inputs and time.

    place: the body's axes in the ground's, and its origin [m]. w, v: the body's angular velocity [rad/s] and its
    origin's velocity [m/s], along those axes. turning: the axes' own angular velocity, which is another one where a
    symmetric body spins in axes that do not spin with it. alpha, a: angular acceleration and the origin's acceleration
    where no speed changes, where they are given too; they follow from w and v otherwise. These alone may hold rates of
    joints' speeds, symbols called as `RATE` says.

    The velocities are what the equations are made of. That they belong to the place is the model's affair: they may
    be those of rolling, which no position shows.
    """

    place: Pose
    w: Vector
    v: Vector
    turning: Vector
    alpha: Vector | None = None
    a: Vector | None = None

    def carried(self, pose: Callable[[Pose], Pose], vector: Callable[[Vector], Vector]) -> Guide:
        """The same in another graph, given how its parts are copied there."""
        alpha = None if self.alpha is None else vector(self.alpha)
        a = None if self.a is None else vector(self.a)
        return Guide(pose(self.place), vector(self.w), vector(self.v), vector(self.turning), alpha, a)

    def nodes(self) -> list[Node]:
        """All expressions of the motion, without the place."""
        vectors = (self.w, self.v, self.turning, self.alpha, self.a)
        return [x for vector in vectors if vector is not None for x in vector]
