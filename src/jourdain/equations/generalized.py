"""Kane's equations for generalized speeds of the user's choice.

Velocities are written in u, what the user defined as a measure number is that speed itself (`known`), and generalized
forces are the transpose of the velocities' dependence on u: one reverse sweep of the same graph gives F_r + F_r* for
any speeds, full or reduced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from ..graph import Node
from ..graph.differentiate import jacobian, jvp, vjp
from ..model.system import Quantity, System, must_be_system
from ..spatial import Vector
from .coriolis import coriolis_matrix
from .diagonal import diagonal_of
from .energy import Energy, energy, mass_center, momentum
from .factor import factorize
from .formulation import Formulation
from .inverse import Load, accelerate, turn_from_parent
from .kinematics import Twist, twists
from .known import Known, along
from .loads import Applied, applied_loads
from .lower import Lowered
from .mass import mass_matrix
from .mechanics import Mechanics, Rows
from .quantities import Quantities
from .recombined import Recombined
from .regressor import Seat, regressor
from .speeds import Speeds, with_speeds
from .tree import Tree


def mechanics_of(system: System, formulation: Formulation | None = None) -> Mechanics:
    """The equations of a system in its own speeds: the joints', or the user's."""
    must_be_system(system, "put into equations")
    if system.is_guided:
        from .guided import Guided

        return Guided(system, formulation)
    return Generalized(system, formulation) if system.definitions else Mechanics(system, formulation)


class Generalized(Mechanics):
    """The equations in generalized speeds. Frames stand at the joints, where the user's axes are."""

    def __init__(
        self,
        system: System,
        formulation: Formulation | None = None,
        lowered: Lowered | None = None,
        speeds: Speeds | None = None,
    ) -> None:
        self._given = speeds
        asked = formulation or Formulation()
        chosen = replace(asked, settled=False, articulated=False)
        if not asked.recombined:  # the recursions over the bare tree know these, substitution does not
            chosen = replace(chosen, leaves_turned=False, sums=False)
        super().__init__(system, chosen, lowered)
        self.lowered = replace(self.lowered, known=self._known(self.lowered, self.udot))

    def _speeds(self) -> tuple[Node, ...]:
        if self._given is None:
            self.lowered, self._given = with_speeds(self.lowered)
        return self.map.u

    @property
    def map(self) -> Speeds:
        """How u and the joints' speeds belong together."""
        assert self._given is not None
        return self._given

    def written(self, formulation: Formulation) -> Generalized:
        """The same equations, in the same graph, written another way."""
        return type(self)(self.system, formulation, self.lowered, self.map)

    # -- speeds -------------------------------------------------------------------------------------------------

    @cached_property
    def from_joints(self) -> Rows:
        """W (joint speeds, speeds) of p = W u + X."""
        return self.map.back()

    def joint_rates(self, udot: Sequence[Node]) -> list[Node]:
        """ṗ (joint speeds,) for rates of u."""
        return jvp(self.map.p, {**self._kinematics, **dict(zip(self.u, udot))})

    @cached_property
    def _kinematics(self) -> dict[Node, Node]:
        """q̇ and ṫ."""
        return self.quantities.rates()

    @cached_property
    def grouped(self) -> Lowered:
        """Links with base parameters where the formulation asks for them, and what is known of them."""
        found = super().grouped
        return replace(found, known=self._known(found, self.udot))

    @cached_property
    def _recombined(self) -> Recombined:
        return Recombined(self, self.map)

    def _known(self, lowered: Lowered, rates: Sequence[Node]) -> tuple[Known, ...]:
        """Definitions that are components along axes of the very body that moves, as its frame stands."""
        system = self.system
        found = []
        for speed, u, rate in zip(system.definitions, self.map.u, rates):
            quantity = system.quantities.get(speed.value)
            if quantity is not None:
                known = _component(lowered, quantity, u, rate)
                found += [known] if known else []
        return tuple(found)

    # -- dynamics -----------------------------------------------------------------------------------------------

    def inverse_dynamics(self, udot: Sequence[Node] | None = None) -> list[Node]:
        """Generalized forces to add (speeds,), so that the speeds change at the rates udot: −(F_r + F_r*)."""
        rates = self.udot if udot is None else udot
        if self.formulation.recombined:
            return self._recombined.forces(rates)
        lowered, applied, algebra = self.moving(self.grouped, rates), self._grouped_loads, self.formulation.algebra
        tree, p, pdot, known = lowered.tree, lowered.speeds, self.joint_rates(rates), self._known(lowered, rates)
        turnings = turn_from_parent(tree, tree.all_speeds(p), tree.all_rates(pdot), known)
        motion = accelerate(tree, p, pdot, turnings, algebra, known)
        loads = [
            algebra.inertia_load(link.inertia, s, a) - load
            for link, s, a, load in zip(tree.links, motion.spins, motion.origins, applied.links)
        ]
        own = {k: inertia * tree.all_rates(pdot)[k] for k, inertia in tree.rotors}
        for k, force in applied.joints.items():
            own[k] = own[k] - force if k in own else -force
        return self._projected(tree, loads, own)

    def _projected(self, tree: Tree, loads: Sequence[Load], own: dict[int, Node]) -> list[Node]:
        """What loads on links, and forces on joints' own speeds, ask of each speed: partial velocities, transposed."""
        outputs: list[Node] = []
        weights: list[Node] = []
        for twist, load in zip(self._twists, loads):
            for velocity, force in ((twist.w, load.moment), (twist.v, load.force)):
                for x, y in zip(velocity, force):
                    if not y.is_zero:
                        outputs.append(x)
                        weights.append(y)
        for k, effort in own.items():
            if k < tree.freedom:
                outputs.append(self.map.p[k])
                weights.append(effort)
        return vjp(outputs, weights, self.u)

    @cached_property
    def _twists(self) -> list[Twist]:
        return twists(self.grouped.tree, self.map.p, self.grouped.known)

    def bias_forces(self) -> list[Node]:
        """What the forces must be when no speed changes: M u̇ + bias = f."""
        return self.inverse_dynamics([self.graph.zero] * len(self.u))

    def gravity_forces(self) -> list[Node]:
        """The part of the bias forces that balances gravity."""
        return self._to_speeds(super().gravity_forces())

    def mass_matrix(self) -> Rows:
        """(speeds, speeds)"""
        if self._diagonal is not None:
            zero = self.graph.zero
            return [[x if i == k else zero for k in range(len(self.u))] for i, x in enumerate(self._diagonal)]
        if self.formulation.recombined:
            return self._recombined.mass_matrix
        rows = jacobian(self.inverse_dynamics(), self.udot)
        return [[rows[max(i, k)][min(i, k)] for k in range(len(rows))] for i in range(len(rows))]

    @cached_property
    def _diagonal(self) -> list[Node] | None:
        """The whole mass matrix, where the speeds were chosen so that it is diagonal."""
        return diagonal_of(self.lowered, self.map)

    def coriolis_matrix(self) -> Rows:
        """(speeds, speeds): Wᵀ (M Ẇ + C W). Where the speeds have no remainders, C u are the velocity terms."""
        w = self.from_joints
        flat = jvp([x for row in w for x in row], self._kinematics)
        rate = [flat[i * len(self.u) : (i + 1) * len(self.u)] for i in range(len(w))]
        m, c = mass_matrix(self.standard), coriolis_matrix(self.standard, self.map.p)
        inner = [[x + y for x, y in zip(one, other)] for one, other in zip(_times(m, rate), _times(c, w))]
        return _times([list(row) for row in zip(*w)], inner)

    def forward_dynamics(self) -> list[Node]:
        """The speeds' rates (speeds,) under the declared forces and f."""
        rest = [f - h for f, h in zip(self.f, self.bias_forces())]
        return factorize(self.mass_matrix()).solve(rest)

    @cached_property
    def _grouped_loads(self) -> Applied:
        return applied_loads(self.grouped, Quantities(self.grouped))

    # -- motion and totals --------------------------------------------------------------------------------------

    def jacobian(self, body: str, offset: Vector | None = None, ground_axes: bool = False) -> Rows:
        """(6, speeds): angular, then linear velocity of a point of a body for a unit of each speed."""
        return self.by_speeds(super().jacobian(body, offset, ground_axes))

    def joint_step(self, step: Sequence[Node]) -> list[Node]:
        """W times a step of the speeds."""
        return [row[0] for row in _times(self.from_joints, [[x] for x in step])]

    def speed_step(self, step: Sequence[Node]) -> list[Node]:
        """Y times a step of the joints."""
        return [row[0] for row in _times(self.map.forward(), [[x] for x in step])]

    def by_speeds(self, rows: Rows) -> Rows:
        """Times W."""
        return _times(rows, self.from_joints)

    def energy(self) -> Energy:
        """Kinetic and potential energy [J], springs' energy with gravity's."""
        found = energy(self.standard, self.map.p)
        stored = self.loads.energy
        return found if stored is None else Energy(found.kinetic, found.potential + stored)

    def momentum(self) -> list[Node]:
        """(6,): angular momentum about the mass centre, then linear momentum; ground axes."""
        angular, linear = momentum(self.standard, self.map.p, mass_center(self.standard))
        return [*angular, *linear]

    def momentum_matrix(self) -> Rows:
        """(6, speeds): the centroidal momentum matrix."""
        return self.by_speeds(super().momentum_matrix())

    def mass_center_jacobian(self) -> Rows:
        """(3, speeds), ground axes."""
        return self.by_speeds(super().mass_center_jacobian())

    def regressor(self) -> Rows:
        """(speeds, 10 · bodies): about each body's own frame, in its axes, in the system's order."""
        homes = [self.lowered.homes[body.name] for body in self.system.bodies]
        seats = [Seat(home.link, home.pose.rotation, home.pose.translation) for home in homes]
        rows = regressor(self.standard, self.map.p, self.joint_rates(self.udot), seats)
        return _times([list(row) for row in zip(*self.from_joints)], rows)

    def quantities_at(self, rates: Sequence[Node]) -> Quantities:
        """Quantities whose accelerations are those at these rates of the speeds."""
        lowered = self.moving(self.lowered, rates)
        lowered = replace(lowered, known=self._known(lowered, rates))
        return Quantities(lowered, self.joint_rates(rates))


    def _to_speeds(self, forces: Sequence[Node]) -> list[Node]:
        """Wᵀ times generalized forces on the joints' speeds."""
        return vjp(self.map.p, forces, self.u)


def _component(lowered: Lowered, quantity: Quantity, u: Node, rate: Node) -> Known | None:
    if quantity.kind not in ("omega", "velocity"):
        return None
    home, axes = lowered.homes[quantity.of], lowered.homes[quantity.axes]
    seat = along(axes.pose.rotation, quantity.component)
    if home.link < 0 or axes.link != home.link or seat is None:
        return None
    axis, sign = seat
    value, change = (u, rate) if sign > 0 else (-u, -rate)
    if quantity.kind == "omega":
        return Known(home.link, axis, value, change)
    offset = Vector.zero(lowered.graph) if quantity.offset is None else lowered.vector(Vector(*quantity.offset))
    return Known(home.link, axis, value, change, home.pose.translation + home.pose.rotation.inward(offset))


def _times(a: Rows, b: Rows) -> Rows:
    width = len(b[0]) if b else 0
    found: Rows = []
    for row in a:
        out = [row[0].graph.zero] * width
        for x, line in zip(row, b):
            if not x.is_zero:
                out = [total + x * y for total, y in zip(out, line)]
        found.append(out)
    return found
