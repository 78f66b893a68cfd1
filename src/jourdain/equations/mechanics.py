"""Everything that can be asked of a tree of bodies, as expressions: one object, one graph, one formulation.

A `Mechanics` is made for one read-out and thrown away: its graph then holds what that read-out needs and code comes
out the same whatever else was asked for before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

from ..graph import Graph, Node, Role
from ..graph.differentiate import jvp
from ..model.system import System
from ..spatial import Vector
from . import articulated
from .coriolis import coriolis_matrix
from .energy import Energy, energy, mass_center, mass_center_jacobian, momentum, momentum_matrix
from .factor import factorize
from .formulation import Formulation
from .inverse import Load, inverse_dynamics
from .kinematics import Place, columns_at, places, shifted
from .leaves import turn_leaves
from .loads import Applied, applied_loads
from .lower import Home, Lowered, lower, only_joints
from .mass import mass_matrix
from .quantities import Quantities
from .regressor import Seat, regressor
from .regroup import regroup
from .tree import Tree
from .wheels import still_wheels

Rows = list[list[Node]]


class Mechanics:
    """The equations of a system in a graph of its own.

    q, u: coordinates and speeds; udot: the free speeds' rates; f: generalized forces to be added to the declared ones.
    lowered: the system's tree, where it has been made already; the equations are then written in its graph.
    """

    has_choice = True
    """Whether other formulations write these equations too."""

    def __init__(
        self, system: System, formulation: Formulation | None = None, lowered: Lowered | None = None
    ) -> None:
        if self.has_choice:
            only_joints(system)
        self.system = system
        self.formulation = formulation or Formulation()
        self.lowered = lowered or lower(system, Graph(), self.formulation.settled)
        self.graph = self.lowered.graph
        self.q, self.u = self.lowered.coordinates, self._speeds()
        names = [x.name for x in self.u]
        self.udot = tuple(self.graph.symbol(f"{_dotted(name)}", Role.ACCELERATION) for name in names)
        self.f = tuple(self.graph.symbol(f"f[{name}]", Role.INPUT) for name in system.speeds)

    def _speeds(self) -> tuple[Node, ...]:
        """Symbols of u; the joints' own speeds here."""
        return self.lowered.speeds

    def written(self, formulation: Formulation) -> Mechanics:
        """The same equations, in the same graph, written another way."""
        other = type(self)(self.system, formulation, self.lowered)
        mine = self.formulation
        if all(getattr(mine, x) == getattr(formulation, x) for x in ("grouped", "leaves_turned", "still")):
            other.grouped, other._grouped_loads = self.grouped, self._grouped_loads  # what is found already
        return other

    # -- trees --------------------------------------------------------------------------------------------------

    @property
    def standard(self) -> Tree:
        """Links with the bodies' own inertias."""
        return self.lowered.tree

    @cached_property
    def grouped(self) -> Lowered:
        """Links with base parameters where the formulation asks for them."""
        lowered = self.lowered
        if self.formulation.grouped:
            lowered = replace(lowered, tree=regroup(lowered.tree))
        if self.formulation.leaves_turned:
            lowered = turn_leaves(lowered)
        return still_wheels(lowered) if self.formulation.still else lowered

    # -- dynamics -----------------------------------------------------------------------------------------------

    def inverse_dynamics(self, udot: Sequence[Node] | None = None) -> list[Node]:
        """Generalized forces to add (freedom,), so that the speeds change at the rates udot."""
        lowered, applied = self.grouped, self._grouped_loads
        tree = lowered.tree
        rates = self.udot if udot is None else udot
        turnings = self.formulation.turnings(tree, tree.all_speeds(self.u), tree.all_rates(rates))
        forces = inverse_dynamics(tree, self.u, rates, _loads(applied), turnings, self.formulation.algebra)
        return self._without_joint_forces(forces[: tree.freedom], applied)

    def bias_forces(self) -> list[Node]:
        """What the forces must be when no free speed changes: M u̇ + bias = f."""
        return self.inverse_dynamics([self.graph.zero] * self.standard.freedom)

    def gravity_forces(self) -> list[Node]:
        """The part of the bias forces that balances gravity."""
        tree = self.grouped.tree
        still = [self.graph.zero] * tree.freedom
        held = replace(tree, driven=tuple(replace(x, speed=self.graph.zero, rate=self.graph.zero) for x in tree.driven))
        return inverse_dynamics(held, still, still, algebra=self.formulation.algebra)[: tree.freedom]

    def mass_matrix(self) -> Rows:
        """(freedom, freedom)"""
        return mass_matrix(self.grouped.tree)

    def coriolis_matrix(self) -> Rows:
        """(freedom, freedom): C u are the velocity terms, Ṁ − 2C is skew-symmetric (Parsa 2007, eq 40)."""
        return coriolis_matrix(self.standard, self.u)

    def forward_dynamics(self) -> list[Node]:
        """The free speeds' rates (freedom,) under the declared forces and f."""
        tree, applied = self.grouped.tree, self._grouped_loads
        if self.formulation.articulated:
            given = [self.f[k] + applied.joints.get(k, self.graph.zero) for k in range(tree.freedom)]
            return articulated.forward_dynamics(tree, self.u, given, _loads(applied))
        rest = [f - h for f, h in zip(self.f, self.bias_forces())]
        return factorize(self.mass_matrix()).solve(rest)

    def _without_joint_forces(self, forces: Sequence[Node], applied: Applied) -> list[Node]:
        return [x - applied.joints[k] if k in applied.joints else x for k, x in enumerate(forces)]

    @cached_property
    def _grouped_loads(self) -> Applied:
        return applied_loads(self.grouped, Quantities(self.grouped))

    @cached_property
    def loads(self) -> Applied:
        """Declared loads on the links of the standard tree."""
        return applied_loads(self.lowered, self.quantities)

    @cached_property
    def quantities(self) -> Quantities:
        return Quantities(self.lowered)

    # -- motion -------------------------------------------------------------------------------------------------

    def rates(self) -> list[Node]:
        """q̇ (coordinates,)"""
        return self.lowered.rates()

    def pose(self, body: str) -> Rows:
        """(4, 4): the body's frame in the ground frame."""
        home = self._home(body)
        pose = home.pose
        rotation, origin = pose.rotation.matrix(), pose.translation
        if home.link >= 0:
            place = self._places[home.link]
            rotation, origin = place.rotation.times(rotation), place.origin + place.rotation @ origin
        zero, one = self.graph.zero, self.graph.one
        return [[*row, x] for row, x in zip(rotation, origin)] + [[zero, zero, zero, one]]

    def jacobian(self, body: str, offset: Vector | None = None, ground_axes: bool = False) -> Rows:
        """(6, freedom): angular, then linear velocity of a point of a body for a unit of each free speed.

        offset: of the point in the body frame; ground_axes: in the ground's axes instead of the body's.
        """
        home = self._home(body)
        zero = Vector.zero(self.graph)
        pose = home.pose
        at = pose.translation if offset is None else pose.translation + pose.rotation.inward(offset)
        angular = [zero] * self.standard.freedom
        linear = [zero] * self.standard.freedom
        if home.link >= 0:
            place = self._places[home.link]
            for k, column in columns_at(self.standard, home.link).items():
                if k < self.standard.freedom:
                    own = shifted(column, at)
                    for rows, vector in ((angular, own.angular), (linear, own.linear)):
                        rows[k] = place.rotation @ vector if ground_axes else pose.rotation.outward(vector)
        return [[v[i] for v in angular] for i in range(3)] + [[v[i] for v in linear] for i in range(3)]

    def jacobian_rate(self, body: str, offset: Vector | None = None, ground_axes: bool = False) -> Rows:
        """The time derivative of `jacobian`'s entries (6, freedom) at the speeds u."""
        rows = self.jacobian(body, offset, ground_axes)
        flat = jvp([x for row in rows for x in row], self.quantities.rates())
        n = len(self.u)
        return [flat[i * n : (i + 1) * n] for i in range(6)]

    def moving(self, lowered: Lowered, rates: Sequence[Node]) -> Lowered:
        """The tree when the speeds change at these rates, where its driven speeds depend on them."""
        return lowered

    def joint_step(self, step: Sequence[Node]) -> list[Node]:
        """A step of the joints (joint speeds,) for a step of the speeds."""
        return list(step)

    def speed_step(self, step: Sequence[Node]) -> list[Node]:
        """A step of the speeds for a step of the joints (joint speeds,)."""
        return list(step)

    def joint_rates(self, udot: Sequence[Node]) -> list[Node]:
        """ṗ (joint speeds,) for rates of u."""
        return list(udot)

    def by_speeds(self, rows: Rows) -> Rows:
        """What multiplies the speeds, from what multiplies the joints' own."""
        return rows

    # -- totals -------------------------------------------------------------------------------------------------

    def energy(self) -> Energy:
        """Kinetic and potential energy [J], springs' energy with gravity's."""
        found = energy(self.standard, self.u)
        stored = self.loads.energy
        return found if stored is None else Energy(found.kinetic, found.potential + stored)

    def mass_center(self) -> Vector:
        """[m], ground frame."""
        return mass_center(self.standard)

    def mass_center_jacobian(self) -> Rows:
        """(3, freedom), ground axes."""
        return mass_center_jacobian(self.standard)

    def momentum(self) -> list[Node]:
        """(6,): angular momentum about the mass centre, then linear momentum; ground axes."""
        angular, linear = momentum(self.standard, self.u, mass_center(self.standard))
        return [*angular, *linear]

    def momentum_matrix(self) -> Rows:
        """(6, freedom): the centroidal momentum matrix."""
        rows = momentum_matrix(self.standard, mass_center(self.standard))
        return [row[: self.standard.freedom] for row in rows]

    def regressor(self) -> Rows:
        """(freedom, 10 · bodies): about each body's own frame, in its axes, in the system's order."""
        homes = [self.lowered.homes[body.name] for body in self.system.bodies]
        seats = [Seat(home.link, home.pose.rotation, home.pose.translation) for home in homes]
        return regressor(self.standard, self.u, self.udot, seats)

    def outputs(self, rates: Callable[[], Sequence[Node]] | None = None) -> dict[str, Node]:
        """The model's named outputs.

        rates: what finds the speeds' rates (speeds,) for one that holds an acceleration; forward dynamics without
        constraints if left out.
        """
        expressions = self.system.expressions
        quantities = self.quantities
        if quantities.needs_accelerations(list(expressions.values())):
            quantities = self.quantities_at((rates or self.forward_dynamics)())
        return dict(zip(expressions, quantities.resolved(list(expressions.values()))))

    def quantities_at(self, rates: Sequence[Node]) -> Quantities:
        """Quantities whose accelerations are those at these rates of the speeds."""
        return Quantities(self.lowered, rates)

    # -- inside -------------------------------------------------------------------------------------------------

    def _home(self, body: str) -> Home:
        if body not in self.lowered.homes:
            self.system.body(body)  # says what there is
        return self.lowered.homes[body]

    @cached_property
    def _places(self) -> list[Place]:
        return places(self.standard)


def _loads(applied: Applied) -> Sequence[Load]:
    """Nothing where nothing acts, so that nothing is subtracted."""
    acts = any(not (load.force.is_zero and load.moment.is_zero) for load in applied.links)
    return applied.links if acts else ()


def _dotted(speed: str) -> str:
    return f"{speed[:-3]}ddot" if speed.endswith("dot") else f"{speed}dot"
