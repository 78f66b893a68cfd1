"""Lagrange's equations that come out as Kane's, body by body (Parsa 2007).

Of each body: the angular velocity ω along its own axes and the velocity v of its mass centre along the ground's, both
in the one array (ω, v); its Jacobian J by the velocity variables; its inertia M = diag(I, m 1), which is constant so;
and W = diag([ω×], 0). Then Σ Jᵀ [M d/dt(ω, v) + W M (ω, v)] = Σ Jᵀ w (36), w the body's wrench: moment along its own
axes, force along the ground's.

The variables are the coordinates' rates, as in the paper, or the joints' speeds, for which J is what he calls T (48).
Reflected rotors, which the paper does not have, are bodies of one speed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..graph import Node, substitute
from ..graph.differentiate import jacobian
from ..model.system import System
from ..spatial import Matrix, Vector, cross_matrix
from .chain import congruent
from .course import Course, course_of
from .kinematics import Place, Twist, places, twists
from .mechanics import Mechanics
from .rows import Rows, blocks, from_left, on_vector, plus, times, transposed, zeros
from .tree import Solid
from .velocities import Velocities, by_rates


@dataclass(frozen=True)
class BodyVelocity:
    """Of a body: ω along its own axes, v of its mass centre along the ground's; R from the one to the other."""

    angular: Vector
    linear: Vector
    rotation: Matrix


class Parsa:
    """Body Jacobians and what they make up.

    variables: `by_rates` (coordinates' rates) or `by_speeds` (the joints' speeds).
    bodies: names of all that move.
    """

    def __init__(
        self, system: System | Mechanics, variables: Callable[[Course], Velocities] = by_rates
    ) -> None:
        self.course: Course = course_of(system)
        self.mechanics, self.graph = self.course.mechanics, self.course.graph
        self.velocities = variables(self.course)
        self.variables, self.rates = self.velocities.symbols, self.velocities.rates
        self._solids = {x.name: x for x in self.course.tree.solids if x.link >= 0}
        self.bodies = tuple(self._solids)

    # -- one body -----------------------------------------------------------------------------------------------

    def velocity(self, body: str) -> BodyVelocity:
        """ω, v and R of a body, as functions of coordinates and variables."""
        found = self._velocity(body)
        w, v = Vector(*self._back(found.angular)), Vector(*self._back(found.linear))
        return BodyVelocity(w, v, Matrix(*(Vector(*self._back(row)) for row in found.rotation)))

    def jacobian(self, body: str) -> Rows:
        """J (6, variables): ∂ω/∂w, then ∂v/∂w (21, 26)."""
        return self._back_rows(self._jacobian(body))

    def jacobian_rate(self, body: str) -> Rows:
        """J̇ (6, variables), entry by entry."""
        return self._back_rows(self._jacobian_rate(body))

    def inertia_dyad(self, body: str) -> Rows:
        """M (6, 6): diag(I, m 1), constant (26)."""
        solid = self._solid(body)
        rows = self.mechanics.system.body(body).inertia
        own = Matrix(*(Vector(*self.course.lowered.carry(row)) for row in rows))
        zero = Matrix.zero(self.graph)
        return blocks([[own, zero], [zero, Matrix.identity(self.graph).scaled(solid.mass)]])

    def velocity_dyad(self, body: str) -> Rows:
        """W (6, 6): diag([ω×], 0) (30)."""
        return self._back_rows(self._dyad(body))

    def inertia_wrench(self, body: str) -> list[Node]:
        """M d/dt(ω, v) + W M (ω, v) (6,): (I ω̇ + ω × I ω, m v̇), what Newton and Euler ask for (37)."""
        return self._back(self._wrench(body))

    # -- theorems 1 and 2, corollary 1 --------------------------------------------------------------------------

    def change_of_angular_velocity(self, body: str) -> Rows:
        """J̇_ω + [ω×] J_ω (3, variables), for variables that are rates: it is ∂ω/∂q, ω along the body's axes.

        Entry by entry where coordinates are independent (A-1); where they are not, times any δq that they can make
        (A-7).
        """
        found, first, rate = self._velocity(body), self._jacobian(body)[:3], self._jacobian_rate(body)[:3]
        turned = times(self.graph, cross_rows(found.angular), first, len(self.variables))
        return self._back_rows(plus(rate, turned))

    def change_of_angular_velocity_in_ground(self, body: str) -> Rows:
        """The same for ω along the ground's axes: J̇_ω − [ω×] J_ω, of the Jacobian along those axes (A-6)."""
        found = self._velocity(body)
        w = found.rotation @ found.angular
        first = jacobian(list(w), self.variables)
        n = len(self.variables)
        flat = self.velocities.rate([x for row in first for x in row])
        rate = [flat[i * n : (i + 1) * n] for i in range(3)]
        return self._back_rows(plus(rate, times(self.graph, cross_rows(w), first, n), -1.0))

    # -- the system ---------------------------------------------------------------------------------------------

    def mass_matrix(self) -> Rows:
        """Σ Jᵀ M J (variables, variables) (39)."""
        n = len(self.variables)
        total = zeros(self.graph, n, n)
        for body in self.bodies:
            total = plus(total, congruent(self.graph, self.inertia_dyad(body), self._jacobian(body), n))
        for row, inertia in self._rotor_rows():
            total = plus(total, [[x * y * inertia for y in row] for x in row])
        return self._back_rows(total)

    def coriolis_matrix(self) -> Rows:
        """C = Σ Jᵀ (M J̇ + W M J + M W J) (40): Ṁ − 2C is skew-symmetric and, where nothing is driven, C w = h."""
        graph, n = self.graph, len(self.variables)
        total = zeros(graph, n, n)
        for body in self.bodies:
            j, m, w = self._jacobian(body), self.inertia_dyad(body), self._dyad(body)
            inner = times(graph, m, self._jacobian_rate(body), n)
            both = plus(times(graph, w, m, 6), times(graph, m, w, 6))
            inner = plus(inner, times(graph, both, j, n))
            total = plus(total, times(graph, transposed(j, n), inner, n))
        for row, inertia in self._rotor_rows():
            total = plus(total, [[x * y * inertia for y in self.velocities.rate(row)] for x in row])
        return self._back_rows(total)

    def velocity_terms(self) -> list[Node]:
        """h (variables,): what (36) has beside M ẇ; driven joints' part is in it."""
        still = dict.fromkeys(self.rates, self.graph.zero)
        return self._back(substitute(self._inertial(), still))

    def gravity_forces(self) -> list[Node]:
        """Σ m J_vᵀ g (variables,): what gravity does (32)."""
        graph, n = self.graph, len(self.variables)
        g = self.course.tree.gravity
        total = [graph.zero] * n
        for body in self.bodies:
            pull = from_left(graph, list(g * self._solid(body).mass), self._jacobian(body)[3:], n)
            total = [x + y for x, y in zip(total, pull)]
        return self._back(total)

    def applied_forces(self) -> list[Node]:
        """Of the declared loads on the variables (33); gravity apart."""
        return self.velocities.forces(self.course.applied_forces)

    def rotor_forces(self) -> list[Node]:
        """J u̇ of the reflected rotors, on the variables."""
        return self._back(self._rotor_forces())

    def equations(self) -> list[Node]:
        """The forces (variables,) to be added to gravity and the declared loads for rates ẇ (36)."""
        acting = zip(self.gravity_forces(), self.applied_forces())
        return [x - (g + f) for x, (g, f) in zip(self._back(self._inertial()), acting)]

    def inverse_dynamics(self) -> list[Node]:
        """The same on the joints' speeds, at u and u̇: projected by ∂q̇/∂u where the variables are rates (15)."""
        found = self.velocities.at_speeds(self.equations())
        return found if self.velocities.partial is None else self.course.along_fields(found)

    # -- inside -------------------------------------------------------------------------------------------------

    def _solid(self, body: str) -> Solid:
        if body not in self._solids:
            self.mechanics.system.body(body)  # says what there is
            raise ValueError(f"body {body!r} is fixed to the ground and has no Jacobian; ask for a body that moves")
        return self._solids[body]

    def _velocity(self, body: str) -> BodyVelocity:
        solid = self._solid(body)
        w, v = self._twists[solid.link]
        place = self._places[solid.link]
        center = place.rotation @ (v + w.cross(solid.center))
        return BodyVelocity(solid.rotation.outward(w), center, place.rotation.times(solid.rotation.matrix()))

    def _jacobian(self, body: str) -> Rows:
        if body not in self._jacobians:
            found = self._velocity(body)
            self._jacobians[body] = jacobian([*found.angular, *found.linear], self.variables)
        return self._jacobians[body]

    def _jacobian_rate(self, body: str) -> Rows:
        n = len(self.variables)
        flat = self.velocities.rate([x for row in self._jacobian(body) for x in row])
        return [flat[i * n : (i + 1) * n] for i in range(6)]

    def _dyad(self, body: str) -> Rows:
        zero = Matrix.zero(self.graph)
        return blocks([[cross_matrix(self._velocity(body).angular), zero], [zero, zero]])

    def _wrench(self, body: str) -> list[Node]:
        graph, found, m = self.graph, self._velocity(body), self.inertia_dyad(body)
        twist = [*found.angular, *found.linear]
        momentum = on_vector(graph, m, twist)
        turned = on_vector(graph, self._dyad(body), momentum)
        return [x + y for x, y in zip(on_vector(graph, m, self.velocities.rate(twist)), turned)]

    def _inertial(self) -> list[Node]:
        graph, n = self.graph, len(self.variables)
        total = [graph.zero] * n
        for body in self.bodies:
            felt = from_left(graph, self._wrench(body), self._jacobian(body), n)
            total = [x + y for x, y in zip(total, felt)]
        return [x + y for x, y in zip(total, self._rotor_forces())]

    def _rotor_forces(self) -> list[Node]:
        return self.velocities.forces(self.course.rotor_forces(self.velocities.rate(self.velocities.speeds)))

    def _rotor_rows(self) -> list[tuple[list[Node], Node]]:
        """∂u_k/∂w of each speed that has a rotor, and the rotor's inertia."""
        speeds, free = self.velocities.speeds, len(self.course.u)
        return [(jacobian([speeds[k]], self.variables)[0], x) for k, x in self.course.tree.rotors if k < free]

    def _back(self, nodes: Sequence[Node]) -> list[Node]:
        return self.course.put_back(list(nodes))

    def _back_rows(self, rows: Rows) -> Rows:
        return [self.course.put_back(row) for row in rows]

    @cached_property
    def _jacobians(self) -> dict[str, Rows]:
        return {}

    @cached_property
    def _twists(self) -> list[Twist]:
        return twists(self.course.tree, self.velocities.speeds)

    @cached_property
    def _places(self) -> list[Place]:
        return places(self.course.tree)


def cross_rows(v: Vector) -> Rows:
    """[v×] (3, 3)"""
    return [list(row) for row in cross_matrix(v)]


__all__ = ["BodyVelocity", "Parsa"]
