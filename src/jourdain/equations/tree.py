"""The tree of links that the recursions run over: one simple joint a link, inertias about the joint's frame.

A compound joint becomes a sequence of links without mass. All nodes live in the derivation's own graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..graph import Graph, Node
from ..spatial import Inertia, Matrix, Rotation, Vector

Nodes = list[Node]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a simple joint's map H, in the moving link's frame: what a unit of speed turns and shifts it by."""

    angular: Vector
    linear: Vector


@dataclass(frozen=True, slots=True)
class Link:
    """A moving frame and the rigid bodies fixed in it.

    parent: index of the parent link, -1 for the ground.
    placement, offset: rotation and origin of the joint's fixed frame in the parent's frame, static.
    motion, travel: rotation and origin of the moving frame in the fixed one, functions of coordinates and time.
    columns: the joint's map H, constant in the link's frame.
    speeds: for each column its speed's position in u; from `Tree.freedom` on, in the tree's driven speeds.
    inertia: about the link's origin, of all bodies fixed in it.
    angle: the coordinate (an expression) by which a joint about one coordinate axis turns, None for other joints.
    """

    parent: int
    placement: Rotation
    offset: Vector
    motion: Rotation
    travel: Vector
    columns: tuple[Column, ...]
    speeds: tuple[int, ...]
    inertia: Inertia
    name: str = ""
    angle: Node | None = None

    @property
    def rotation(self) -> Rotation:
        """Of the link's frame in the parent's."""
        return self.placement.then(self.motion)

    @property
    def origin(self) -> Vector:
        """Of the link's frame in the parent's."""
        return self.offset + self.placement.inward(self.travel)


@dataclass(frozen=True, slots=True)
class Solid:
    """A body of the model as it is fixed in a link: standard parameters, never regrouped.

    link: index of the link, -1 for a body fixed to the ground. rotation, offset: of the body's frame in the link's.
    mass [kg]; center: in the link's frame [m]; central: inertia about the mass centre, link axes [kg m²].
    """

    name: str
    link: int
    rotation: Rotation
    offset: Vector
    mass: Node
    center: Vector
    central: Matrix


@dataclass(frozen=True, slots=True)
class Driven:
    """A speed that is given as a function of time, and its rate."""

    speed: Node
    rate: Node


@dataclass(frozen=True, slots=True)
class Tree:
    """Links, parents first, under a gravity field [m/s²] given in the ground frame."""

    graph: Graph
    links: tuple[Link, ...]
    gravity: Vector
    freedom: int  # number of free speeds
    driven: tuple[Driven, ...] = ()
    solids: tuple[Solid, ...] = ()
    rotors: tuple[tuple[int, Node], ...] = ()  # speed, reflected inertia [kg m²]

    def outward(self) -> Iterator[tuple[int, Link]]:
        """Links from the ground to the leaves."""
        yield from enumerate(self.links)

    def inward(self) -> Iterator[tuple[int, Link]]:
        """Links from the leaves to the ground."""
        for index in reversed(range(len(self.links))):
            yield index, self.links[index]

    def all_speeds(self, u: Sequence[Node]) -> Nodes:
        """The free speeds and, after them, the driven ones."""
        return [*u, *(driven.speed for driven in self.driven)]

    def all_rates(self, udot: Sequence[Node]) -> Nodes:
        """The free speeds' rates and, after them, the driven ones'."""
        return [*udot, *(driven.rate for driven in self.driven)]

    def without_gravity(self) -> Tree:
        return replace(self, gravity=Vector.zero(self.graph))

    def path(self, link: int) -> list[int]:
        """The links from the ground to this one, itself included."""
        found = []
        while link >= 0:
            found.append(link)
            link = self.links[link].parent
        return found[::-1]


def combine(columns: Sequence[Vector], factors: Sequence[Node], graph: Graph) -> Vector:
    """The sum of vectors times scalars."""
    total = Vector.zero(graph)
    for column, factor in zip(columns, factors):
        total = total + column * factor
    return total


def relative_speed(tree: Tree, link: Link, speeds: Sequence[Node]) -> tuple[Vector, Vector]:
    """H p of a link for all speeds (free and driven): angular and linear, in the link's frame."""
    p = [speeds[k] for k in link.speeds]
    return (
        combine([c.angular for c in link.columns], p, tree.graph),
        combine([c.linear for c in link.columns], p, tree.graph),
    )
