"""Kane's equations where bodies move as expressions of the coordinates and speeds say, not as joints let them.

Such a body is a link on the ground with six driven speeds, the components of its angular velocity and of its origin's
velocity. They depend on u, so the transpose of that dependence (its partial velocities) projects what acts on it, as
it does for every body; their rates are derivatives along the motion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from ..graph import Node, Role, substitute, transfer
from ..graph.differentiate import jacobian, jvp
from ..model.guide import RATE, Guide
from ..model.system import System
from ..spatial import Vector
from .energy import mass_center
from .formulation import Formulation
from .generalized import Generalized
from .inverse import CROSSES, MATRICES, Load, accelerate, inertia_load, spin
from .kinematics import shifted
from .lower import GUIDED, Lowered
from .mechanics import Rows
from .regroup import inertia_of
from .speeds import Speeds
from .tree import Column, Driven, Tree


class Guided(Generalized):
    """The equations of a system with guided bodies, in generalized speeds.

    Inertia cannot be moved inwards, for a guided body shares no motion with a parent, and it is about the mass centre
    mostly, where cross products are short: so there is one formulation.
    """

    has_choice = False

    def __init__(
        self,
        system: System,
        formulation: Formulation | None = None,
        lowered: Lowered | None = None,
        speeds: Speeds | None = None,
    ) -> None:
        super().__init__(system, Formulation(grouped=False, algebra=CROSSES), lowered, speeds)

    def _speeds(self) -> tuple[Node, ...]:
        fresh = self._given is None
        u = super()._speeds()
        if fresh:
            self.lowered = in_speeds(self.lowered)
        return u

    def moving(self, lowered: Lowered, rates: Sequence[Node]) -> Lowered:
        """The tree with the rates of its guided bodies' velocities."""
        return with_rates(lowered, self._kinematics, self.map, rates)

    @cached_property
    def _diagonal(self) -> list[Node] | None:
        """What guided bodies weigh is not in the joints' mass matrix, on which speeds are made that diagonalize it."""
        return None

    # -- motion -------------------------------------------------------------------------------------------------

    def jacobian(self, body: str, offset: Vector | None = None, ground_axes: bool = False) -> Rows:
        """(6, speeds): angular, then linear velocity of a point of a body for a unit of each speed."""
        home = self._home(body)
        if home.link < self._first:
            return super().jacobian(body, offset, ground_axes)
        at = home.pose.translation + (offset or Vector.zero(self.graph))
        rotation = self.standard.links[home.link].rotation
        angular, linear = [], []
        for column in self.partial_velocities(home.link):
            own = shifted(column, at)
            angular.append(rotation.inward(own.angular) if ground_axes else own.angular)
            linear.append(rotation.inward(own.linear) if ground_axes else own.linear)
        return [[v[i] for v in angular] for i in range(3)] + [[v[i] for v in linear] for i in range(3)]

    def partial_velocities(self, link: int) -> list[Column]:
        """A link's twist for a unit of each speed, in its own axes."""
        w, v = self._twists[link]
        rows = jacobian([*w, *v], self.u)
        return [Column(Vector(*x[:3]), Vector(*x[3:])) for x in zip(*rows)]

    @property
    def _first(self) -> int:
        """The first guided link."""
        return len(self.standard.links) - len(self.lowered.guides)

    # -- dynamics -----------------------------------------------------------------------------------------------

    def gravity_forces(self) -> list[Node]:
        """The part of the bias forces that balances gravity."""
        tree = self.standard
        loads = []
        for link in tree.links:
            rotation, at = link.rotation, link
            while at.parent >= 0:
                at = tree.links[at.parent]
                rotation = at.rotation.then(rotation)
            weight = -rotation.outward(tree.gravity)
            loads.append(Load(weight * link.inertia.mass, link.inertia.moment.cross(weight)))
        return self._projected(tree, loads, {})

    def coriolis_matrix(self) -> Rows:
        """(speeds, speeds): Σ Tᵀ (M Ṫ + W M T) over the bodies, T their partial velocities (Parsa 2007, eq 50)."""
        graph, tree, n = self.graph, self.standard, len(self.u)
        total = [[graph.zero] * n for _ in range(n)]
        for index, solid in ((x.link, x) for x in tree.solids if x.link >= 0):
            w, v = self._twists[index]
            center = v + w.cross(solid.center)
            turning = self._turning(index)
            rows = jacobian([*w, *center], self.u)
            flat = jvp([x for row in rows for x in row], self._kinematics)
            rates = [flat[i * n : (i + 1) * n] for i in range(6)]
            columns, slopes = list(zip(*rows)), list(zip(*rates))
            for k in range(n):
                wk, vk = Vector(*columns[k][:3]), Vector(*columns[k][3:])
                wk_rate = Vector(*slopes[k][:3]) + turning.cross(wk)
                force = (Vector(*slopes[k][3:]) + turning.cross(vk)) * solid.mass
                moment = solid.central @ wk_rate + w.cross(solid.central @ wk)
                for j in range(n):
                    wj, vj = Vector(*columns[j][:3]), Vector(*columns[j][3:])
                    total[j][k] = total[j][k] + wj.dot(moment) + vj.dot(force)
        return total

    def _turning(self, link: int) -> Vector:
        """The angular velocity of a link's axes."""
        if link < self._first:
            return self._twists[link].w
        return self.lowered.guides[link - self._first].turning

    def momentum_matrix(self) -> Rows:
        """(6, speeds): the centroidal momentum matrix."""
        return jacobian(self.momentum(), self.u)

    def mass_center_jacobian(self) -> Rows:
        """(3, speeds), ground axes."""
        mass = self.graph.zero
        for solid in self.standard.solids:
            if solid.link >= 0:
                mass = mass + solid.mass
        return [[x / mass for x in row] for row in self.momentum_matrix()[3:]]

    def mass_center(self) -> Vector:
        """[m], ground frame."""
        return mass_center(self.standard)

    def regressor(self) -> Rows:
        """(speeds, 10 · bodies): about each body's own frame, in its axes, in the system's order."""
        lowered = self.moving(self.lowered, self.udot)
        tree = lowered.tree
        motion = accelerate(tree, lowered.speeds, self.joint_rates(self.udot))
        columns: list[list[Node]] = []
        for body in self.system.bodies:
            home = self.lowered.homes[body.name]
            for parameter in range(10):
                loads = [Load(Vector.zero(self.graph), Vector.zero(self.graph)) for _ in tree.links]
                if home.link >= 0:
                    there, turned = motion.spins[home.link], home.pose.rotation.outward
                    own = spin(turned(there.w), turned(there.rate))
                    origin = turned(motion.origins[home.link] + MATRICES.swing(there, home.pose.translation))
                    unit = inertia_of([self.graph.one if k == parameter else self.graph.zero for k in range(10)])
                    load = inertia_load(unit, own, origin)
                    loads[home.link] = load.carried(home.pose.rotation, home.pose.translation)
                columns.append(self._projected(tree, loads, {}))
        return [list(row) for row in zip(*columns)]


def in_speeds(lowered: Lowered) -> Lowered:
    """Guided velocities in the generalized speeds, once the joints' own speeds are known in these."""
    symbols = transfer(lowered.system.joint_speed_symbols, lowered.graph)
    nodes = [x for guide in lowered.guides for x in guide.nodes()]
    known = dict(zip(nodes, substitute(nodes, dict(zip(symbols, lowered.speeds)))))
    guides = tuple(
        guide.carried(lambda pose: pose, lambda v: Vector(*(known[x] for x in v))) for guide in lowered.guides
    )
    still = Vector.zero(lowered.graph), Vector.zero(lowered.graph)
    return replace(lowered, guides=guides, tree=_driven(lowered.tree, guides, [still] * len(guides)))


def with_rates(lowered: Lowered, clock: Mapping[Node, Node], speeds: Speeds, udot: Sequence[Node]) -> Lowered:
    """The rates of guided velocities, so that a link's own recursion comes out with α and a."""
    pace = dict(zip(speeds.u, udot))
    nodes = [x for guide in lowered.guides for x in (*guide.w, *guide.v)]
    # Where an acceleration is given, only what the speeds' own rates add to it is needed.
    some = any(guide.alpha is not None or guide.a is not None for guide in lowered.guides)
    full = dict(zip(nodes, jvp(nodes, {**clock, **pace})))
    part = dict(zip(nodes, jvp(nodes, pace))) if some else {}
    joints = {
        lowered.graph.symbol(RATE.format(x.name), Role.ACCELERATION): rate
        for x, rate in zip(speeds.joint, jvp(speeds.p, clock))
    }

    def rates(guide: Guide) -> tuple[Vector, Vector]:
        """Of w and v along the body's axes: α, and a without what the recursion adds for its turning at ω."""
        w, v = guide.w, guide.v
        extra = guide.turning - w
        if guide.alpha is None:
            alpha = Vector(*(full[x] for x in w)) + extra.cross(w)
        else:
            alpha = Vector(*(part[x] for x in w)) + Vector(*substitute(guide.alpha, joints))
        if guide.a is None:
            return alpha, Vector(*(full[x] for x in v)) + extra.cross(v)
        return alpha, Vector(*(part[x] for x in v)) + Vector(*substitute(guide.a, joints)) - w.cross(v)

    return replace(lowered, tree=_driven(lowered.tree, lowered.guides, [rates(x) for x in lowered.guides]))


def _driven(tree: Tree, guides: Sequence[Guide], rates: Sequence[tuple[Vector, Vector]]) -> Tree:
    """The tree with these driven speeds of its guided bodies."""
    others = tree.driven[: len(tree.driven) - GUIDED * len(guides)]
    own = [
        Driven(speed, rate)
        for guide, (alpha, pull) in zip(guides, rates)
        for speed, rate in zip((*guide.w, *guide.v), (*alpha, *pull))
    ]
    return replace(tree, driven=(*others, *own))


__all__ = ["Guided", "in_speeds", "with_rates"]
