"""Kane's auxiliary speeds: forces of constraint brought into evidence, by giving way to them in thought.

Where a joint is thought to give way, six auxiliary speeds σ tell how the child would move relative to where the joint
holds it. They are zero on every motion, but each has its partial velocities, and so an equation of its own, in which
the force that keeps it at zero stands: F_σ + F*_σ + Aᵀ_σ λ + R_σ = 0. Where a constraint is thought to give way, the
velocities that its rows keep at zero are the auxiliary speeds, and their equations give its multipliers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from ..graph import Node, Role, substitute
from ..model import joints
from ..model.elimination import Equation, solve
from ..model.motion import Orientation
from ..model.pose import Pose
from ..model.system import Body, Joint, System
from ..spatial import Matrix, Vector
from .constraints import Bonds, Kinetics, bonds, solve_kinetics
from .embedded import Embedded
from .factor import factorize
from .kane import Kane
from .own_speeds import holding, in_own_speeds
from .rows import dot, on_vector

GIVING = "\0giving way"  # no user's name begins so


class GivingJoint:
    """A joint that is thought to give way, in the joints' own speeds of its system.

    kane: Kane's quantities with the six auxiliary speeds after the joint's own; all of them are held at zero in what is
    answered here. multipliers: symbols of λ, for each row of the constraints that hold in the mode; places: whose row
    each is, and which.
    """

    def __init__(self, system: System, joint: str, mode: Sequence[str] = ()) -> None:
        own = in_own_speeds(system)
        self.system, self.joint = own, own.joint(joint)
        self.kane = Kane(_with_giving(own, self.joint))
        self.graph = self.kane.graph
        start = self.kane.system.slices(GIVING)
        self._coordinates, self._speeds = range(len(self.kane.q))[start[0]], range(len(self.kane.u))[start[1]]
        self.q, self.u, self.udot = (
            tuple(x for k, x in enumerate(symbols) if k not in held)
            for symbols, held in (
                (self.kane.q, self._coordinates), (self.kane.u, self._speeds), (self.kane.udot, self._speeds),
            )
        )  # fmt: skip
        names = holding(own, tuple(mode))
        self.places = tuple((name, k) for name in names for k in range(len(own.constraint(name).rows)))
        self.rows: Bonds = bonds(self.kane.mechanics, names)
        self.multipliers = tuple(
            self.graph.symbol(f"λ[{k}]", Role.INPUT) for k in range(len(self.rows.owners))
        )

    def partial_angular_velocities(self, body: str, axes: str | None = None) -> list[Vector]:
        """ω_σ of a body for the six auxiliary speeds: three turns, then three shifts, along the joint's moving axes."""
        found = self.kane.partial_angular_velocities(body, axes)
        return [Vector(*self._held(found[k])) for k in self._speeds]

    def partial_velocities(self, body: str, at: Sequence[float] | None = None, axes: str | None = None) -> list[Vector]:
        """v_σ of a point of a body for the six auxiliary speeds."""
        found = self.kane.partial_velocities(body, at, axes)
        return [Vector(*self._held(found[k])) for k in self._speeds]

    def reaction(self) -> list[Node]:
        """(6,): the moment about the origin of the joint's moving frame, then the force, along that frame's axes, that
        the parent exerts on the child: R_σ = −(F_σ + F*_σ + Aᵀ_σ λ), of q, u, u̇ and λ."""
        active, inertia = self.kane.active_forces(), self.kane.inertia_forces()
        pulls = [
            dot(self.graph, [row[k] for row in self.rows.matrix], self.multipliers) for k in self._speeds
        ]
        return self._held([-(active[k] + inertia[k] + pull) for k, pull in zip(self._speeds, pulls)])

    def _held(self, nodes: Sequence[Node]) -> list[Node]:
        still = [self.kane.q[k] for k in self._coordinates]
        still += [x[k] for k in self._speeds for x in (self.kane.u, self.kane.udot)]
        return substitute(nodes, dict.fromkeys(still, self.graph.zero))


def _with_giving(system: System, joint: Joint) -> System:
    """The system with six freedoms between the joint and the body that it carries."""
    graph = system.graph
    motion = joints.free(graph, Orientation.ANGLES)
    q = tuple(graph.symbol(f"{GIVING} q{k}", Role.COORDINATE) for k in range(6))
    p = tuple(graph.symbol(f"{GIVING} u{k}", Role.SPEED) for k in range(6))
    here = Pose.identity(graph)
    between = Body(GIVING, graph.zero, Vector.zero(graph), Matrix.zero(graph))
    place = system.joints.index(joint)
    first = replace(joint, child=GIVING, in_child=here)
    second = Joint(GIVING, GIVING, joint.child, motion, here, joint.in_child, q, p)
    return replace(
        system,
        bodies=(*system.bodies[:place], between, *system.bodies[place:]),
        joints=(*system.joints[:place], first, second, *system.joints[place + 1 :]),
    )


class GivingConstraints:
    """The constraints of a system thought to give way: their multipliers λ, three ways, consistent to rounding.

    embedded: the constraints, with the choice of dependent speeds. rows: names of the constraints, row by row, in the
    order of λ.
    """

    def __init__(self, embedded: Embedded) -> None:
        self.embedded, self.kane, self.graph = embedded, embedded.kane, embedded.graph
        self.rows = embedded.owners

    @cached_property
    def _forces(self) -> list[Node]:
        """F + F* + f (all speeds,), of q, u and u̇: what the forces of constraint balance, Aᵀ_B λ."""
        return self.kane.equations()

    def by_auxiliary_speeds(self) -> list[Node]:
        """λ (rows,) of q, u, u̇: with w = A_B u + C as auxiliary speeds, u_D = D u_I + E + A⁻¹ w, and their equations
        are A⁻ᵀ (F_D + F*_D) + λ = 0."""
        matrix, others = self.embedded.dependent_matrix(), self.embedded.dependent
        places = [self.kane.speeds.index(x) for x in others]
        equations = [
            Equation([row[i] for row in matrix], [-self._forces[k]]) for i, k in enumerate(places)
        ]
        if not equations:
            return []
        return [row[0] for row in solve(self.graph, equations, len(matrix), self.embedded.size)]

    def by_projection(self) -> list[Node]:
        """λ (rows,) of q, u, u̇: the equations projected on the complement of the motions that the rows leave, which the
        rows span: A_B A_Bᵀ λ = −A_B (F + F*), the kinetostatic equations."""
        matrix = self.embedded.constraint_matrix()
        if not matrix:
            return []
        felt = [[dot(self.graph, a, b) for b in matrix] for a in matrix]
        return factorize(felt).solve([-x for x in on_vector(self.graph, matrix, self._forces)])

    def by_multipliers(self) -> list[Node]:
        """λ (rows,) of q, u and f, the motion not known beforehand: from M u̇ + h = f + A_Bᵀ λ and the rows' rates."""
        mechanics = self.kane.mechanics
        return solve_kinetics(Kinetics.of(mechanics, self.embedded.bonds), mechanics).multipliers


__all__ = ["GivingConstraints", "GivingJoint"]
