"""How a tree changes in time: the rates of everything its expressions hold, and total derivatives along the motion.

Derivations by energies differentiate the same tree along coordinates, speeds and time. Joints that are prescribed may
follow time, or inputs whose rates the user gave; so they are first *released*: symbols stand for what drives them, each
with its rate, and what drives them is put back in the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from ..graph import Graph, Node, Role, substitute
from ..graph.differentiate import jvp
from ..model.system import Joint, System
from .inverse import project
from .lower import lower, only_joints
from .mechanics import Mechanics
from .rows import Rows, dot, zeros
from .tree import Tree


class Course:
    """A system's standard tree with its driven joints released, in its joints' own speeds; constraints are not in it.

    q, u, udot: coordinates, the joints' speeds and their rates, as in the mechanics' graph. f: forces to be added.
    tree: its driven speeds and all that depends on driven coordinates are written in symbols of their own.
    """

    def __init__(self, mechanics: Mechanics) -> None:
        self.mechanics, self.lowered = mechanics, mechanics.lowered
        self.graph = mechanics.graph
        self.q, self.u = self.lowered.coordinates, self.lowered.speeds
        self.udot = tuple(mechanics.udot)
        if not all(x.is_symbol for x in self.u):
            raise ValueError(
                f"these equations of {mechanics.system.name!r} are in generalized speeds; give the system itself, "
                "whose joints' own speeds are used here"
            )
        only_joints(mechanics.system)
        names = mechanics.system.joint_speeds
        self.f = tuple(self.graph.symbol(f"f[{name}]", Role.INPUT) for name in names)
        self._meaning: dict[Node, Node] = {}
        self._drift: dict[Node, Node] = {}
        self.tree: Tree = self._released() if self.lowered.tree.driven else self.lowered.tree

    @property
    def is_driven(self) -> bool:
        """Whether some joint moves as given."""
        return bool(self.tree.driven)

    # -- derivatives --------------------------------------------------------------------------------------------

    def rate(self, nodes: Sequence[Node], rates: Mapping[Node, Node]) -> list[Node]:
        """d/dt of expressions of the released tree and of time; rates: of coordinates and of what else they hold."""
        clock = {x: self.graph.one for x in self.graph.symbols if x.role is Role.TIME}
        return jvp(nodes, {**clock, **self._drift, **rates})

    @property
    def along_speeds(self) -> dict[Node, Node]:
        """The rates of q and u on a motion: q̇ = Γ u, u̇."""
        return dict(zip((*self.q, *self.u), (*self.lowered.rates(), *self.udot)))

    @cached_property
    def kinematic_matrix(self) -> Rows:
        """V (coordinates, speeds) with q̇ = V u: the joints' kinematic matrices along the diagonal."""
        rows = zeros(self.graph, len(self.q), len(self.u))
        for passage in self.lowered.passages:
            own = passage.motion.kinematic(self.graph, self.q[passage.coordinates])
            for i, row in enumerate(own, passage.coordinates.start):
                rows[i][passage.speeds] = row
        return rows

    @cached_property
    def inverse_kinematic_matrix(self) -> Rows:
        """(speeds, coordinates) with u = V⁻¹ q̇; of quaternions' rates, for those that keep their length."""
        rows = zeros(self.graph, len(self.u), len(self.q))
        for passage in self.lowered.passages:
            own = passage.motion.inverse_kinematic(self.graph, self.q[passage.coordinates])
            for i, row in enumerate(own, passage.speeds.start):
                rows[i][passage.coordinates] = row
        return rows

    def along_fields(self, by_coordinates: Sequence[Node]) -> list[Node]:
        """v_k(f) = Σ ∂f/∂q_i V_ik (speeds,), from the derivatives by coordinates."""
        graph, v = self.graph, self.kinematic_matrix
        return [dot(graph, by_coordinates, [row[k] for row in v]) for k in range(len(self.u))]

    # -- forces -------------------------------------------------------------------------------------------------

    @cached_property
    def applied_forces(self) -> list[Node]:
        """Generalized forces (speeds,) of all declared loads: Kane's Σ (∂v/∂u)ᵀ F. Gravity is not among them."""
        applied = self.mechanics.loads
        forces = project(self.lowered.tree, applied.links)[: len(self.u)]
        total = [x + applied.joints[k] if k in applied.joints else x for k, x in enumerate(forces)]
        return self._in_joint_speeds(total)

    @cached_property
    def bodies(self) -> Tree:
        """The tree without reflected rotors. A rotor asks J u̇ of its speed and no more, whatever the joint's other
        speeds do: its gyroscopic moments are left out, so they must not come in by way of an energy."""
        return replace(self.tree, rotors=())

    def rotor_forces(self, rates: Sequence[Node]) -> list[Node]:
        """J u̇ (speeds,) of the reflected rotors, for rates u̇ of the joints' speeds."""
        found = [self.graph.zero] * len(self.u)
        for k, inertia in self.tree.rotors:
            if k < len(found):
                found[k] = found[k] + inertia * rates[k]
        return found

    def put_back(self, nodes: Sequence[Node]) -> list[Node]:
        """Expressions of the released tree, with what drives its joints in place of the symbols."""
        return substitute(nodes, self._meaning) if self._meaning else list(nodes)

    # -- inside -------------------------------------------------------------------------------------------------

    def _in_joint_speeds(self, nodes: Sequence[Node]) -> list[Node]:
        """Loads that depend on generalized speeds of the user's, which are velocities of the tree."""
        definitions = self.mechanics.system.definitions
        if not definitions:
            return list(nodes)
        symbols = self.lowered.carry([x.symbol for x in definitions])
        meant = self.mechanics.quantities.resolved([x.value for x in definitions])
        return substitute(nodes, dict(zip(symbols, meant)))

    def _released(self) -> Tree:
        holder = Graph()  # symbols are copied by name; the system's own graph stays as it is
        system, graph = self.mechanics.system, self.graph
        joints: list[Joint] = []
        for joint in system.joints:
            if not joint.prescribed or all(x.is_zero for x in (*joint.prescribed_speeds, *joint.prescribed_rates)):
                joints.append(joint)
                continue
            parts = (joint.prescribed, joint.prescribed_speeds, joint.prescribed_rates)
            names = [[f"\0{joint.name}{mark}{k}" for k in range(len(x))] for x, mark in zip(parts, ("", "'", "''"))]
            q, p, rates = ([holder.symbol(x, Role.INPUT) for x in own] for own in names)
            joints.append(
                replace(joint, prescribed=tuple(q), prescribed_speeds=tuple(p), prescribed_rates=tuple(rates))
            )
            stand = [[graph.symbol(x, Role.INPUT) for x in own] for own in names]
            for symbols, expressions in zip(stand, parts):
                self._meaning.update(zip(symbols, self.lowered.carry(expressions)))
            motion = joint.motion.moved_to(graph)
            self._drift.update(zip(stand[0], motion.rates(graph, stand[0], stand[1])))
            self._drift.update(zip(stand[1], stand[2]))
        released = replace(system, joints=tuple(joints))
        return lower(released, graph, self.mechanics.formulation.settled).tree


def course_of(system: System | Mechanics) -> Course:
    """Of a system, in a graph of its own, or of equations that there are, in theirs."""
    return Course(system if isinstance(system, Mechanics) else Mechanics(system))


__all__ = ["Course", "course_of"]
