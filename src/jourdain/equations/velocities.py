"""What a derivation by energies or by Jacobians differentiates by: the joints' speeds, or the coordinates' rates.

Rates of a quaternion's components are four for three freedoms: such coordinates depend on each other, and what is
derived for them holds after projection on the motions there are, (∂q̇/∂u)ᵀ = Vᵀ (Parsa 2007, eq 15).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..graph import Node, Role, substitute
from ..model.motion import Orientation
from .course import Course
from .rows import AnyRows, on_vector


@dataclass(frozen=True)
class Velocities:
    """Velocity variables w of a course.

    symbols, rates: w and ẇ. speeds: the joints' speeds u as expressions of q and w. qdot: q̇ of q and w.
    partial: ∂u/∂w (speeds, variables), so that forces on the variables are its transpose times forces on the speeds.
    """

    course: Course
    symbols: tuple[Node, ...]
    rates: tuple[Node, ...]
    speeds: tuple[Node, ...]
    qdot: tuple[Node, ...]
    partial: AnyRows | None  # None: the identity

    def rate(self, nodes: Sequence[Node]) -> list[Node]:
        """d/dt of expressions of q and w."""
        moved = (*self.course.q, *self.symbols)
        return self.course.rate(nodes, dict(zip(moved, (*self.qdot, *self.rates))))

    def forces(self, on_speeds: Sequence[Node]) -> list[Node]:
        """Generalized forces on the variables, from those on the joints' speeds: (∂u/∂w)ᵀ f."""
        if self.partial is None:
            return list(on_speeds)
        graph = self.course.graph
        return [
            sum_of(graph.zero, [row[k] * x for row, x in zip(self.partial, on_speeds)])
            for k in range(len(self.symbols))
        ]

    def at_speeds(self, nodes: Sequence[Node]) -> list[Node]:
        """Expressions of q, w, ẇ as expressions of the joints' speeds and their rates."""
        if self.partial is None:
            return list(nodes)
        course = self.course
        qdot = course.lowered.rates()
        qddot = course.rate(qdot, course.along_speeds)
        return substitute(nodes, dict(zip((*self.symbols, *self.rates), (*qdot, *qddot))))


def by_speeds(course: Course) -> Velocities:
    """The joints' own speeds, Kane's generalized speeds if none else are chosen."""
    return Velocities(course, course.u, course.udot, course.u, tuple(course.lowered.rates()), None)


def by_rates(course: Course) -> Velocities:
    """The coordinates' rates, as Lagrange's equations have them."""
    graph = course.graph
    first = tuple(graph.symbol(f"d({x.name})/dt", Role.SPEED) for x in course.q)
    second = tuple(graph.symbol(f"d²({x.name})/dt²", Role.ACCELERATION) for x in course.q)
    inverse = course.inverse_kinematic_matrix
    return Velocities(course, first, second, tuple(on_vector(graph, inverse, first)), first, inverse)


def dependent_joints(course: Course) -> list[str]:
    """Joints whose coordinates depend on each other: those that keep a quaternion."""
    joints = [x for x in course.mechanics.system.joints if not x.prescribed]
    return [x.name for x in joints if x.motion.orientation is Orientation.QUATERNION]


def sum_of(zero: Node, terms: Sequence[Node]) -> Node:
    """Their sum."""
    total = zero
    for x in terms:
        total = total + x
    return total


__all__ = ["Velocities", "by_rates", "by_speeds", "dependent_joints"]
