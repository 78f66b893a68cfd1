"""Gibbs's and Appell's equations: ∂S/∂u̇ = Q, with the Gibbs function, an energy of accelerations,

    S = ½ Σ m a·a + ½ α·I α + α·(ω × I ω)

over all bodies, a of the mass centre (terms without accelerations left out, for no derivative sees them). That these
are Kane's equations is the identity ∂a/∂u̇ = ∂v/∂u (Gillespie 2003, eq 20).
"""

from __future__ import annotations

from functools import cached_property

from ..graph import Node
from ..graph.differentiate import gradient, jacobian
from ..model.system import System
from ..spatial import Vector
from .course import Course, course_of
from .inverse import Accelerations, accelerate
from .kinematics import Place, places, twists
from .mechanics import Mechanics
from .rows import Rows


class GibbsAppell:
    """Gibbs's and Appell's equations of a system, in its joints' speeds u and their rates udot."""

    def __init__(self, system: System | Mechanics) -> None:
        self.course: Course = course_of(system)
        self.mechanics, self.graph = self.course.mechanics, self.course.graph
        self.tree = self.course.lowered.tree
        self.u, self.udot = self.course.u, self.course.udot

    def gibbs_function(self) -> Node:
        """S(q, u, u̇) [W/s]; reflected rotors with ½ J u̇²."""
        graph, motion = self.graph, self._motion
        total = graph.zero
        for solid in self.tree.solids:
            if solid.link < 0:
                continue
            spin = motion.spins[solid.link]
            a, w, alpha = self._center_acceleration(solid.link, solid.center), spin.w, spin.rate
            gyroscopic = w.cross(solid.central @ w)
            total = total + (a.dot(a) * solid.mass + alpha.dot(solid.central @ alpha)) * 0.5 + alpha.dot(gyroscopic)
        rates = self.tree.all_rates(self.udot)
        for k, inertia in self.tree.rotors:
            total = total + inertia * (rates[k] * rates[k]) * 0.5
        return total

    def weight_forces(self) -> list[Node]:
        """Generalized forces (speeds,) of gravity, Σ m g · ∂a/∂u̇."""
        total = self.graph.zero
        for solid in self.tree.solids:
            if solid.link >= 0:
                a = self._places[solid.link].rotation @ self._center_acceleration(solid.link, solid.center)
                total = total + self.tree.gravity.dot(a) * solid.mass
        return gradient(total, self.udot)

    def inverse_dynamics(self) -> list[Node]:
        """∂S/∂u̇ − Q (speeds,): the forces to be added to gravity and the declared loads."""
        inertial = gradient(self.gibbs_function(), self.udot)
        acting = zip(self.weight_forces(), self.course.applied_forces)
        return [x - (weight + load) for x, (weight, load) in zip(inertial, acting)]

    # -- partial velocities, two ways ---------------------------------------------------------------------------

    def partial_velocities(self, body: str) -> Rows:
        """(6, speeds): ∂ω/∂u, then ∂v/∂u of the mass centre, in the body's link's axes."""
        link, center = self._seat(body)
        w, v = twists(self.tree, self.u)[link]
        return jacobian([*w, *(v + w.cross(center))], self.u)

    def partial_accelerations(self, body: str) -> Rows:
        """(6, speeds): ∂α/∂u̇, then ∂a/∂u̇; equal to the partial velocities (20)."""
        link, center = self._seat(body)
        alpha = self._motion.spins[link].rate
        return jacobian([*alpha, *self._center_acceleration(link, center)], self.udot)

    # -- inside -------------------------------------------------------------------------------------------------

    def _seat(self, body: str) -> tuple[int, Vector]:
        self.mechanics.system.body(body)  # says what there is
        solid = next(x for x in self.tree.solids if x.name == body)
        if solid.link < 0:
            raise ValueError(f"body {body!r} is fixed to the ground and has no partial velocities; ask for a moving one")
        return solid.link, solid.center

    def _center_acceleration(self, link: int, center: Vector) -> Vector:
        return self._motion.origins[link] + self._motion.spins[link].u @ center

    @cached_property
    def _motion(self) -> Accelerations:
        return accelerate(self.tree.without_gravity(), self.u, self.udot)

    @cached_property
    def _places(self) -> list[Place]:
        return places(self.tree)


__all__ = ["GibbsAppell"]
