"""Lagrange's equations, by differentiating the energies: d/dt ∂T/∂q̇ − ∂T/∂q + ∂𝒱/∂q = Q.

They are written in the coordinates' rates, whatever the joints' speeds are: T(q, q̇) has p = Γ⁻¹ q̇ put in. A quaternion's
four components depend on each other; then only the projection Vᵀ(…) = Vᵀ Q on the motions there are is meant, which is
all that the principle of virtual work says (Parsa 2007, eq 15), and which does not depend on how T is continued to
quaternions that are not of unit length.
"""

from __future__ import annotations

from functools import cached_property

from ..graph import Node
from ..graph.differentiate import gradient
from ..model.system import System
from .course import Course, course_of
from .energy import energy
from .mechanics import Mechanics
from .velocities import Velocities, by_rates, dependent_joints


class Lagrange:
    """Lagrange's equations of a system.

    q, qdot, qddot: coordinates, their rates and accelerations (symbols).
    """

    def __init__(self, system: System | Mechanics) -> None:
        self.course: Course = course_of(system)
        self.mechanics, self.graph = self.course.mechanics, self.course.graph
        self.velocities: Velocities = by_rates(self.course)
        self.q, self.qdot, self.qddot = self.course.q, self.velocities.symbols, self.velocities.rates

    @property
    def dependent(self) -> list[str]:
        """Joints whose coordinates are more than their freedoms; with any, only the projected equations hold."""
        return dependent_joints(self.course)

    def kinetic_energy(self) -> Node:
        """T(q, q̇) [J]"""
        return self.course.put_back([self._kinetic])[0]

    def potential_energy(self) -> Node:
        """𝒱(q) [J] of gravity; springs are among the forces."""
        return self.course.put_back([self._potential])[0]

    def momenta(self) -> list[Node]:
        """∂T/∂q̇ (coordinates,)"""
        return self.course.put_back(self._momenta)

    def generalized_forces(self) -> list[Node]:
        """Q (coordinates,) of the declared loads, springs among them: the power is Q · q̇."""
        return self.velocities.forces(self.course.applied_forces)

    def equations(self) -> list[Node]:
        """d/dt ∂T/∂q̇ − ∂T/∂q + ∂𝒱/∂q − Q (coordinates,): the forces to be added on the coordinates for q̈."""
        return [x - y for x, y in zip(self.course.put_back(self._inertial), self.generalized_forces())]

    def inverse_dynamics(self) -> list[Node]:
        """Vᵀ(…) (speeds,): the forces to be added on the joints' speeds, at speeds u and rates u̇."""
        inertial = self.velocities.at_speeds(self.course.put_back(self._inertial))
        return [x - y for x, y in zip(self.course.along_fields(inertial), self.course.applied_forces)]

    # -- inside -------------------------------------------------------------------------------------------------

    @cached_property
    def _kinetic(self) -> Node:
        return energy(self.course.tree, self.velocities.speeds).kinetic

    @cached_property
    def _potential(self) -> Node:
        return energy(self.course.tree, self.velocities.speeds).potential

    @cached_property
    def _momenta(self) -> list[Node]:
        return gradient(self._kinetic, self.qdot)

    @cached_property
    def _inertial(self) -> list[Node]:
        rates = self.velocities.rate(self._momenta)
        return [x - y for x, y in zip(rates, gradient(self._kinetic - self._potential, self.q))]


__all__ = ["Lagrange"]
