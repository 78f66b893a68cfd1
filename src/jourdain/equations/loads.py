"""What the model's loads do to the links: forces and torques at points, struts between points, forces of joints."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..graph import Node, sqrt, substitute
from ..graph.differentiate import jvp
from ..graph.without import without
from ..model.system import GROUND, Force, JointForce, Strut, Torque
from ..spatial import Vector
from .inverse import Load
from .kinematics import across
from .lower import Lowered
from .quantities import Quantities
from .tree import Tree


@dataclass(frozen=True, slots=True)
class Acting:
    """What one load does to one body: a wrench about the origin of its link (−1: the ground), in the link's frame."""

    name: str
    body: str
    link: int
    wrench: Load


@dataclass(frozen=True, slots=True)
class Effort:
    """What one declared load does to a speed of a joint's own: a generalized force at that speed's place."""

    name: str
    joint: str
    place: int
    value: Node


@dataclass
class Applied:
    """All declared loads.

    links: load on each link, about its origin, in its frame. joints: speed's place -> generalized force.
    energy: potential energy of springs [J]. acting, efforts: the same loads one by one.
    """

    links: list[Load]
    joints: dict[int, Node] = field(default_factory=dict)
    energy: Node | None = None
    acting: list[Acting] = field(default_factory=list)
    efforts: list[Effort] = field(default_factory=list)


def applied_loads(lowered: Lowered, quantities: Quantities) -> Applied:
    """The loads that the system declares, at its coordinates, speeds, inputs and time."""
    return _Loading(lowered, quantities).run()


class _Loading:
    def __init__(self, lowered: Lowered, quantities: Quantities) -> None:
        self.lowered, self.tree, self.quantities = lowered, lowered.tree, quantities
        still = Vector.zero(lowered.graph)
        self.applied = Applied([Load(still, still) for _ in lowered.tree.links], {}, None)

    def run(self) -> Applied:
        for load in self.lowered.system.loads:
            if isinstance(load, Force):
                self._force(load)
            elif isinstance(load, Torque):
                self._torque(load)
            elif isinstance(load, Strut):
                self._strut(load)
            else:
                self._joint(load)
        return self.applied

    # -- forces and torques -------------------------------------------------------------------------------------

    def _force(self, load: Force) -> None:
        home = self.lowered.homes[load.body]
        at = home.pose.translation + home.pose.rotation.inward(self.lowered.vector(load.offset))
        force = self._in_link(load.components, load.axes, home.link)
        acting = Load(force, at.cross(force))
        self._add(load.name, load.body, home.link, acting)
        self._react(load, home.link, acting)

    def _torque(self, load: Torque) -> None:
        home = self.lowered.homes[load.body]
        moment = self._in_link(load.components, load.axes, home.link)
        acting = Load(Vector.zero(self.tree.graph), moment)
        self._add(load.name, load.body, home.link, acting)
        self._react(load, home.link, acting)

    def _in_link(self, components: Vector, axes: str, link: int) -> Vector:
        """Components given in some body's axes, in a link's."""
        vector = Vector(*self.quantities.resolved(components))
        home = self.lowered.homes[axes]
        return across(self.tree, home.pose.rotation.inward(vector), home.link, link)

    def _react(self, load: Force | Torque, link: int, acting: Load) -> None:
        if load.reaction != GROUND:
            target = self.lowered.homes[load.reaction].link
            self._add(load.name, load.reaction, target, -carried_across(self.tree, acting, link, target))

    def _add(self, name: str, body: str, link: int, load: Load) -> None:
        if link >= 0:
            self.applied.links[link] = self.applied.links[link] + load
        self.applied.acting.append(Acting(name, body, link, load))

    # -- struts -------------------------------------------------------------------------------------------------

    def _strut(self, strut: Strut) -> None:
        """The force along a line: its ends are placed in the nearest link that carries both."""
        lowered, tree = self.lowered, self.tree
        ends = []
        for body, offset in ((strut.body_a, strut.offset_a), (strut.body_b, strut.offset_b)):
            home = lowered.homes[body]
            ends.append((home.link, home.pose.translation + home.pose.rotation.inward(lowered.vector(offset))))
        common = common_link(tree, ends[0][0], ends[1][0])
        a, b = (placed(tree, at, link, common) for link, at in ends)
        line = b - a
        length = sqrt(line.dot(line)) if not line.is_zero else tree.graph.zero
        rate = jvp([length], self.quantities.rates())[0]
        symbols = lowered.carry([strut.length, strut.rate])
        given = dict(zip(symbols, (length, rate)))
        tension = self.quantities.resolved([strut.tension])[0]
        # Where the length is a factor, as in a spring whose rest length is 0, the ends may meet: nothing is divided.
        pulling = without(tension, symbols[0])
        if pulling is None:
            pulling = tension / symbols[0]
        if strut.energy is not None:
            self._store(substitute([self._squared(strut.energy, symbols[0], line)], given)[0])
        pull = line * substitute([pulling], given)[0]
        for body, (link, at), force in zip((strut.body_a, strut.body_b), ends, (pull, -pull)):
            own = across(tree, force, common, link)
            self._add(strut.name, body, link, Load(own, at.cross(own)))

    def _squared(self, energy: Node, length: Node, line: Vector) -> Node:
        """The energy, without the square of a square root where it has the length's square as a factor."""
        energy = self.quantities.resolved([energy])[0]
        once = without(energy, length)
        twice = None if once is None else without(once, length)
        return energy if twice is None else twice * line.dot(line)

    # -- joints -------------------------------------------------------------------------------------------------

    def _joint(self, load: JointForce) -> None:
        places = self.lowered.places.get(load.joint, ())
        if not places:
            return  # a locked joint does not move
        k = places[load.index]
        value = self.quantities.resolved([load.value])[0]
        held = self.applied.joints
        held[k] = held[k] + value if k in held else value
        self.applied.efforts.append(Effort(load.name, load.joint, k, value))
        if load.energy is not None:
            self._store(self.quantities.resolved([load.energy])[0])

    def _store(self, energy: Node) -> None:
        held = self.applied.energy
        self.applied.energy = energy if held is None else held + energy


def common_link(tree: Tree, a: int, b: int) -> int:
    """The outermost link that carries both; −1 for the ground."""
    found = -1
    for x, y in zip(tree.path(a), tree.path(b)):
        if x != y:
            break
        found = x
    return found


def placed(tree: Tree, at: Vector, link: int, outer: int) -> Vector:
    """A point's place in the frame of a link further in."""
    while link != outer:
        here = tree.links[link]
        at = here.origin + here.rotation.inward(at)
        link = here.parent
    return at


def carried_across(tree: Tree, load: Load, source: int, target: int) -> Load:
    """A load on one link (−1: the ground) as the same load about another link's origin, in its axes."""
    common = common_link(tree, source, target)
    at = source
    while at != common:
        here = tree.links[at]
        load = load.carried(here.rotation, here.origin)
        at = here.parent
    path = tree.path(target)
    for index in path[path.index(common) + 1 :] if common >= 0 else path:
        here = tree.links[index]
        force = here.rotation.outward(load.force)
        load = Load(force, here.rotation.outward(load.moment - here.origin.cross(load.force)))
    return load


__all__ = ["Acting", "Applied", "Effort", "applied_loads", "carried_across", "common_link", "placed"]
