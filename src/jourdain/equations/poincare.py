r"""Poincaré's equations, Lagrange's in quasi-velocities, as Kwatny and Blankenship give them (1995, section III).

With q̇ = V(q) p and T = ½ pᵀ M p the principle of Hamilton gives, for each speed (40),

    d/dt ∂T/∂p_k − Σ p_j c^i_jk ∂T/∂p_i − v_k(T) + v_k(𝒱) = Q_p,k

or, worked out (53): M ṗ + C p + F = Q_p, C = [∂(Mp)/∂q V] − ½ [∂(Mp)/∂q V]ᵀ − [Σ p_j X_j]ᵀ V⁻ᵀ M, F = Vᵀ ∂𝒱/∂q,
Q_p = Vᵀ Q. (The print has the three signs of C reversed, V⁻ᵀ for Vᵀ, and the indices of c in another order.)
V⁻¹ X_j is a table of constants (`structure`), so the equations hold for quaternions too, for which V has no inverse.
Where joints move as given, T also has terms of first and of no degree in p; what they ask for is D: M ṗ + C p + D + F.
Reflected rotors stand in M; T is that of the bodies, since a rotor's gyroscopic moments are left out by definition.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ..graph import Node, substitute
from ..graph.differentiate import gradient, jacobian
from ..model.system import System
from .chain import chain_inertia
from .course import Course, course_of
from .energy import energy
from .mechanics import Mechanics
from .rows import Rows, dot, from_left, on_vector, plus, times, transposed, zeros
from .structure import structure_constants


class Poincare:
    """Poincaré's equations of a system, in its joints' own quasi-velocities.

    q, p, pdot: coordinates, speeds and their rates (symbols). f: generalized forces added to all declared ones.
    Bodies, joints and points are called by name; matrices are rows of expressions.
    """

    def __init__(self, system: System | Mechanics) -> None:
        self.course: Course = course_of(system)
        self.mechanics, self.graph = self.course.mechanics, self.course.graph
        self.system = self.mechanics.system
        self.q, self.p, self.pdot = self.course.q, self.course.u, self.course.udot
        self.f = self.course.f

    # -- joints -------------------------------------------------------------------------------------------------

    def configuration_matrix(self, joint: str) -> Rows:
        """λ(ε) (4, 4): the joint's moved frame in its fixed one (12, 15, 26)."""
        found = self.system.joint(joint)
        pose = found.motion.moved_to(self.graph).configuration(self.graph, self._coordinates(joint))
        zero, one = self.graph.zero, self.graph.one
        rows = [[*row, x] for row, x in zip(pose.rotation.matrix(), pose.translation)]
        return [*rows, [zero, zero, zero, one]]

    def joint_map(self, joint: str) -> Rows:
        """H(ε) (6, speeds): the relative twist, angular then linear, in the moved frame, for each speed (27–28)."""
        found = self.system.joint(joint)
        columns = found.motion.moved_to(self.graph).joint_map(self.graph, self._coordinates(joint))
        return transposed(columns, 6)

    def kinematic_matrix(self, joint: str | None = None) -> Rows:
        """Γ(ε) of a joint (16, 25), or V(q) of the whole system (39), which has them along its diagonal."""
        if joint is None:
            return self.course.kinematic_matrix
        found = self.system.joint(joint)
        return found.motion.moved_to(self.graph).kinematic(self.graph, self._coordinates(joint))

    def _coordinates(self, joint: str) -> Sequence[Node]:
        found = self.system.joint(joint)
        if found.prescribed:
            return self.mechanics.lowered.carry(found.prescribed)
        return self.q[self.system.slices(joint)[0]]

    # -- bodies -------------------------------------------------------------------------------------------------

    def end_effector(self, name: str) -> Rows:
        """(4, 4): a body's frame in the ground's, or the same moved to a named point of it."""
        point = self.system.points.get(name)
        if point is None:
            return self.mechanics.pose(name)
        pose = self.mechanics.pose(point.body)
        offset = [*self.mechanics.lowered.vector(point.offset), self.graph.one]
        return [[*row[:3], dot(self.graph, row, offset)] for row in pose]

    def gravity_potential(self) -> Node:
        """𝒱(q) = −Σ m g · r [J], zero where all mass is at the ground's origin."""
        return self.course.put_back([self._potential])[0]

    def kinetic_energy(self) -> Node:
        """T(q, p) [J] of the bodies."""
        return self.course.put_back([self._kinetic])[0]

    # -- the terms of (53) --------------------------------------------------------------------------------------

    def chain_inertia(self) -> Rows:
        """𝓜(q) (speeds, speeds) by the spatial operators Hᵀ Φᵀ M Φ H (52)."""
        return self._put_back(chain_inertia(self.course.tree))

    def structure_constants(self) -> list[Rows]:
        """V⁻¹ X_j: c[j][i][k] of [v_j, v_k] = Σ c^i_jk v_i (38); constants for every joint, parameters at most."""
        return self._structure

    def velocity_matrix(self) -> Rows:
        """𝓒(q, p) (speeds, speeds) of (53b), its signs put right.

        𝓒 p are the velocity terms; Ṁ − 2𝓒 is in general *not* skew-symmetric (`Mechanics.coriolis_matrix` is).
        """
        graph, n = self.graph, len(self.p)
        momenta = on_vector(graph, self._inertia, self.p)
        swept = times(graph, jacobian(momenta, self.q), self.course.kinematic_matrix, n) if n else []
        turned = zeros(graph, n, n)
        for p, table in zip(self.p, self._structure):
            turned = plus(turned, [[x * p for x in row] for row in table])
        found = plus(swept, transposed(swept, n), -0.5)
        return self._put_back(plus(found, times(graph, transposed(turned, n), self._inertia, n), -1.0))

    def potential_forces(self) -> list[Node]:
        """𝓕(q) = Vᵀ ∂𝒱/∂q (speeds,): what balances gravity."""
        return self.course.put_back(self.course.along_fields(gradient(self._potential, self.q)))

    def drive_forces(self) -> list[Node]:
        """D (speeds,): what the given motions ask for; zero where nothing is driven."""
        graph = self.graph
        if not self.course.is_driven:
            return [graph.zero] * len(self.p)
        n = len(self.p)
        at_rest = dict.fromkeys(self.p, graph.zero)
        carried = substitute(gradient(self._kinetic, self.p), at_rest)  # ∂T₁/∂p
        remaining = substitute([self._kinetic], at_rest)[0] + dot(graph, carried, self.p)  # T₀ + T₁
        terms = self._terms(carried, remaining, self._rates)
        by_time = self.course.rate([x for row in self._inertia for x in row], {})  # ∂M/∂t: what driven joints change
        moved = [dot(graph, by_time[i * n : (i + 1) * n], self.p) for i in range(n)]
        return self.course.put_back([a + b for a, b in zip(terms, moved)])

    def applied_forces(self) -> list[Node]:
        """Q_p (speeds,): of all declared loads, springs among them, and of f."""
        return [x + f for x, f in zip(self.course.applied_forces, self.f)]

    def poincare_function(self) -> list[Node]:
        """𝓒 p + D + 𝓕 − Q_p (speeds,), with which Poincaré's equations are 𝓜 ṗ + it = 0."""
        return [x - f for x, f in zip(self._against_declared(), self.f)]

    # -- the equations ------------------------------------------------------------------------------------------

    def inverse_dynamics(self) -> list[Node]:
        """The forces f (speeds,) to be added so that the speeds change at the rates ṗ, by (53)."""
        inertial = on_vector(self.graph, self.chain_inertia(), self.pdot)
        return [m + x for m, x in zip(inertial, self._against_declared())]

    def inverse_dynamics_by_energy(self) -> list[Node]:
        """The same by (40): nothing but derivatives of T and 𝒱."""
        momenta = gradient(self._kinetic, self.p)
        terms = self._terms(momenta, self._kinetic - self._potential, self._rates)
        turned = zip(self.course.rotor_forces(self.pdot), self.course.applied_forces)
        return [x + rotor - q for x, (rotor, q) in zip(self.course.put_back(terms), turned)]

    # -- inside -------------------------------------------------------------------------------------------------

    def _against_declared(self) -> list[Node]:
        """𝓒 p + D + 𝓕 less the declared loads."""
        parts = zip(
            on_vector(self.graph, self.velocity_matrix(), self.p),
            self.drive_forces(), self.potential_forces(), self.course.applied_forces,
        )  # fmt: skip
        return [c + d + v - q for c, d, v, q in parts]

    def _terms(self, momenta: Sequence[Node], lagrangian: Node, rates: dict[Node, Node]) -> list[Node]:
        """d/dt momenta − Σ p_j c^i_jk momenta_i − v_k(L)."""
        graph, n = self.graph, len(self.p)
        found = self.course.rate(momenta, rates)
        for p, table in zip(self.p, self._structure):
            found = [x - p * c for x, c in zip(found, from_left(graph, momenta, table, n))]
        return [x - y for x, y in zip(found, self.course.along_fields(gradient(lagrangian, self.q)))]

    @cached_property
    def _rates(self) -> dict[Node, Node]:
        return self.course.along_speeds

    @cached_property
    def _kinetic(self) -> Node:
        return energy(self.course.bodies, self.p).kinetic

    @cached_property
    def _potential(self) -> Node:
        return energy(self.course.bodies, self.p).potential

    @cached_property
    def _inertia(self) -> Rows:
        return chain_inertia(self.course.bodies)

    @cached_property
    def _structure(self) -> list[Rows]:
        n = len(self.p)
        found = [zeros(self.graph, n, n) for _ in range(n)]
        for passage in self.course.lowered.passages:
            at = range(n)[passage.speeds]
            for j, rows in zip(at, structure_constants(passage.motion, self.graph)):
                for i, row in zip(at, rows):
                    found[j][i][passage.speeds] = row
        return found

    def _put_back(self, rows: Rows) -> Rows:
        return [self.course.put_back(row) for row in rows]


__all__ = ["Poincare"]
