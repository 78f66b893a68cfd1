"""From a System to the tree of links that the recursions run over.

Bodies welded together become one link, compound joints become rows of massless links, prescribed joints give driven
speeds, and the links' frames are settled where they cost least (`frames`). The tree lives in a graph of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..graph import Graph, Node, transfer
from ..model.carrier import Carrier
from ..model.guide import Guide
from ..model.motion import Motion
from ..model.pose import Pose
from ..model.system import GROUND, Joint, System
from ..spatial import Given, Inertia, Matrix, Rotation, Turn, Vector
from .frames import Stand, plain, settle
from .known import Known
from .tree import Column, Driven, Link, Solid, Tree

GUIDED = 6  # driven speeds of a guided body: its angular velocity, then its origin's velocity


@dataclass(frozen=True, slots=True)
class Home:
    """Where a body's frame is fixed: in which link (−1: the ground), and its pose in that link's frame."""

    link: int
    pose: Pose


@dataclass(frozen=True)
class Passage:
    """One joint's coordinates and speeds: their places in q and u; its motion, in the derivation's graph."""

    motion: Motion
    coordinates: slice
    speeds: slice


@dataclass(frozen=True, eq=False)
class Lowered:
    """A system's tree, its coordinates and speeds, and where its bodies are.

    speeds: of the joints; expressions of the system's generalized speeds where the user has defined some.
    """

    system: System
    tree: Tree
    coordinates: tuple[Node, ...]
    speeds: tuple[Node, ...]
    homes: Mapping[str, Home]
    passages: tuple[Passage, ...]
    places: Mapping[str, tuple[int, ...]]  # joint -> places of its speeds, driven ones after the free ones
    known: tuple[Known, ...] = ()  # measure numbers that are generalized speeds by definition
    guides: tuple[Guide, ...] = ()  # of guided bodies: their links and their driven speeds are the tree's last

    def rates(self) -> list[Node]:
        """q̇ = Γ(q) u (nq,)."""
        found: list[Node] = []
        for passage in self.passages:
            q, p = self.coordinates[passage.coordinates], self.speeds[passage.speeds]
            found += passage.motion.rates(self.graph, q, p)
        return found

    @property
    def graph(self) -> Graph:
        return self.tree.graph

    def carry(self, nodes: Sequence[Node]) -> list[Node]:
        """Expressions of the system as expressions of this derivation."""
        return transfer(nodes, self.graph, dict(zip(self.system.joint_speed_symbols, self.speeds)))

    def vector(self, vector: Vector) -> Vector:
        """A vector of the system as one of this derivation."""
        return Vector(*self.carry(vector))


def only_joints(system: System) -> None:
    """ValueError where bodies are guided, which what is told by a tree of joints does not see."""
    if system.is_guided:
        raise ValueError(
            f"bodies of {system.name!r} move as expressions say, which equations of joints alone do not know"
        )


def lower(system: System, graph: Graph | None = None, settled: bool = True) -> Lowered:
    """The tree of a system.

    settled: False leaves every link's frame at its joint as the user placed it.
    """
    return _Lowering(system, graph or Graph()).run(settled)


@dataclass
class _Lowering:
    system: System
    graph: Graph
    stands: list[Stand] = field(default_factory=list)
    homes: dict[str, Home] = field(default_factory=dict)
    driven: list[Driven] = field(default_factory=list)
    places: dict[str, tuple[int, ...]] = field(default_factory=dict)  # joint -> its speeds' places
    guides: dict[str, Guide] = field(default_factory=dict)  # body -> its motion

    def run(self, settled: bool) -> Lowered:
        graph, system = self.graph, self.system
        # Symbols first, in the system's order, so that code reads in that order too.
        coordinates = tuple(transfer([x for joint in system.joints for x in _free(joint.coordinates, joint)], graph))
        speeds = tuple(transfer([x for joint in system.joints for x in _free(joint.speeds, joint)], graph))
        self.homes[GROUND] = Home(-1, Pose.identity(graph))
        passages = self._joints(coordinates, speeds)
        poses = {name: home.pose for name, home in self.homes.items()}
        links = {name: home.link for name, home in self.homes.items()}
        if settled:
            settle(graph, self.stands, links, poses)
        self.homes = {name: Home(links[name], poses[name]) for name in links}
        for link, name in enumerate(self.guides, len(self.stands)):
            self.homes[name] = Home(link, Pose.identity(graph))
        solids = [self._solid(body.name) for body in system.bodies]
        return Lowered(
            system, self._tree(solids, len(speeds)), coordinates, speeds, self.homes, tuple(passages), self.places,
            guides=tuple(self.guides.values()),
        )  # fmt: skip

    # -- joints -------------------------------------------------------------------------------------------------

    def _joints(self, coordinates: Sequence[Node], speeds: Sequence[Node]) -> list[Passage]:
        passages: list[Passage] = []
        q_at = u_at = 0
        carrier = Carrier(self.graph)
        for joint in self.system.joints:
            if joint.guide is not None:
                self.guides[joint.child] = joint.guide.carried(carrier.pose, carrier.vector)
                continue
            motion = joint.motion.moved_to(self.graph)
            fixed = self.homes[joint.parent]
            start = fixed.pose.then(self._pose(joint.in_parent))
            end = self._pose(joint.in_child).inverse()
            if joint.prescribed:
                home = self._prescribed(joint, motion, fixed.link, start)
            else:
                q = slice(q_at, q_at + motion.nq)
                p = slice(u_at, u_at + motion.np)
                q_at, u_at = q.stop, p.stop
                passages.append(Passage(motion, q, p))
                home = self._row(joint.name, motion, fixed.link, start, coordinates[q], range(p.start, p.stop))
            self.homes[joint.child] = Home(home.link, plain(home.pose.then(end)))
        return passages

    def _row(
        self, name: str, motion: Motion, parent: int, start: Pose, q: Sequence[Node], speeds: Sequence[int]
    ) -> Home:
        """The joint's simple parts one after the other; where its moving frame is."""
        self.places[name] = tuple(speeds)
        if motion.np == 0:
            return Home(parent, start)
        for part in motion.simple_parts():
            own = [q[i] for i in part.coordinates]
            at = tuple(speeds[i] for i in part.speeds)
            self.stands.append(Stand(name, parent, plain(start), part.motion, own, at))
            parent, start = len(self.stands) - 1, Pose.identity(self.graph)
        return Home(parent, start)

    def _prescribed(self, joint: Joint, motion: Motion, parent: int, start: Pose) -> Home:
        """A joint whose coordinates are given; one whose speeds are zero, too, is locked and makes no link."""
        q = transfer(joint.prescribed, self.graph)
        p, rates = (transfer(x, self.graph) for x in (joint.prescribed_speeds, joint.prescribed_rates))
        if all(x.is_zero for x in (*p, *rates)):
            return Home(parent, start.then(motion.configuration(self.graph, q)))
        first = len(self.driven)
        self.driven += [Driven(speed, rate) for speed, rate in zip(p, rates)]
        # Their places follow the free speeds, whose number is known already.
        freedom = sum(other.motion.np for other in self.system.joints if not other.prescribed)
        return self._row(joint.name, motion, parent, start, q, range(freedom + first, freedom + len(self.driven)))

    # -- links and bodies ---------------------------------------------------------------------------------------

    def _tree(self, solids: list[Solid], freedom: int) -> Tree:
        graph = self.graph
        inertias = [Inertia.zero(graph) for _ in (*self.stands, *self.guides)]
        for solid in solids:
            if solid.link >= 0:
                own = Inertia.about_center(solid.mass, solid.center, solid.central)
                inertias[solid.link] = inertias[solid.link] + own
        rotors = []
        for rotor in self.system.rotors:
            places = self.places.get(rotor.joint, ())
            if places:  # the rotor of a locked joint stands still
                inertia, ratio = transfer([rotor.inertia, rotor.ratio], graph)
                rotors.append((places[rotor.index], inertia * ratio * ratio))
        links = [_link(graph, stand, inertia) for stand, inertia in zip(self.stands, inertias)]
        driven = list(self.driven)
        for name, guide in self.guides.items():
            links.append(_guided_link(graph, name, guide, freedom + len(driven), inertias[len(links)]))
            driven += [Driven(speed, graph.zero) for speed in (*guide.w, *guide.v)]
        gravity = Vector(*transfer(self.system.gravity, graph))
        return Tree(graph, tuple(links), gravity, freedom, tuple(driven), tuple(solids), tuple(rotors))

    def _solid(self, name: str) -> Solid:
        body = self.system.body(name)
        home = self.homes[name]
        mass, *center = transfer([body.mass, *body.center], self.graph)
        central = Matrix(*(Vector(*transfer(row, self.graph)) for row in body.inertia))
        rotation, offset = home.pose.rotation, home.pose.translation
        place = offset + rotation.inward(Vector(*center))
        return Solid(name, home.link, rotation, offset, mass, place, rotation.conjugate(central))

    def _pose(self, pose: Pose) -> Pose:
        """A static pose of the system as one of this derivation."""
        return moved_pose(pose, self.graph)


def moved_pose(pose: Pose, graph: Graph) -> Pose:
    """A pose copied into another graph."""
    return Pose(_moved_rotation(pose.rotation, graph), Vector(*transfer(pose.translation, graph)))


def _moved_rotation(rotation: Rotation, graph: Graph) -> Rotation:
    factors: list[Turn | Given] = []
    for factor in rotation.factors:
        if isinstance(factor, Turn):
            factors.append(Turn(factor.axis, *transfer([factor.c, factor.s], graph)))
        else:
            factors.append(Given(Matrix(*(Vector(*transfer(row, graph)) for row in factor.rows))))
    return Rotation(graph, tuple(factors))


def _free(symbols: Sequence[Node], joint: Joint) -> Sequence[Node]:
    return () if joint.prescribed else symbols


def _link(graph: Graph, stand: Stand, inertia: Inertia) -> Link:
    pose = stand.motion.configuration(graph, stand.q)
    columns = tuple(
        Column(Vector(*entries[:3]), Vector(*entries[3:])) for entries in stand.motion.joint_map(graph, stand.q)
    )
    angle: Node | None = None
    if stand.axis is not None and not stand.slides:
        angle = columns[0].angular[stand.axis] * stand.q[0]
    return Link(
        stand.parent, stand.placement.rotation, stand.placement.translation, pose.rotation, pose.translation, columns,
        stand.speeds, inertia, stand.name, angle,
    )


def _guided_link(graph: Graph, name: str, guide: Guide, first: int, inertia: Inertia) -> Link:
    """On the ground, with a driven speed for each component of its velocities; `guided` sets their rates."""
    zero, still = Vector.zero(graph), Rotation(graph)
    units = [Vector.unit(graph, k) for k in range(3)]
    columns = (*(Column(x, zero) for x in units), *(Column(zero, x) for x in units))
    place = guide.place
    speeds = tuple(range(first, first + GUIDED))
    return Link(-1, place.rotation, place.translation, still, zero, columns, speeds, inertia, name)
