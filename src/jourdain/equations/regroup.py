"""Base parameters: what a body's inertia shares with its parent's is carried by the parent.

A part of a link's ten inertial parameters can be moved to its parent without any effect on the motion when the joint
can neither feel it nor show where it stands (`reach`). Such parts are linear spaces; for a revolute joint about z that
can be anywhere the space is spanned by m, h_z and J_xx + J_yy, for a prismatic one by the six entries of J. What
reaches the ground has no effect at all. Where every link has inertia, none of what is left can be replaced by the rest.
"""

from __future__ import annotations

from dataclasses import replace

from ..graph import Node
from ..spatial import Inertia, Matrix, Vector
from .passages import Movable
from .tree import Tree

NAMES = ("m", "hx", "hy", "hz", "Jxx", "Jyy", "Jzz", "Jxy", "Jxz", "Jyz")


def regroup(tree: Tree) -> Tree:
    """The tree with inertias moved towards the root wherever the free speeds' motion cannot tell the difference.

    Where a share depends on the values of parameters it stays where it is, so that they can take any value later.
    """
    graph = tree.graph
    movable = Movable(tree)
    parameters = [flatten(link.inertia) for link in tree.links]
    for index, link in tree.inward():
        own = parameters[index]
        if all(x.is_zero for x in own):
            continue
        moved = [graph.zero] * 10
        for pivot, vector in movable.basis(index):
            amount = own[pivot]
            if amount.is_zero:
                continue
            for k, share in vector:
                moved[k] = moved[k] + amount * share
                own[k] = graph.zero if k == pivot else own[k] - amount * share
        target = link.parent
        seen = inertia_of(moved).in_parent(link.placement, link.offset) if target >= 0 else Inertia.zero(graph)
        while target >= 0 and target in movable.hollow:
            # What a link without inertia is given goes on. In every position of its joint it is the same: take q = 0.
            between = tree.links[target]
            seen = seen.in_parent(between.placement, between.offset)
            target = between.parent
        if target >= 0 and not seen.is_zero:
            parameters[target] = [x + y for x, y in zip(parameters[target], flatten(seen))]
    links = [replace(link, inertia=inertia_of(own)) for link, own in zip(tree.links, parameters)]
    return replace(tree, links=tuple(links))


def flatten(inertia: Inertia) -> list[Node]:
    """In the order of `NAMES`."""
    j = inertia.matrix
    return [inertia.mass, *inertia.moment, j.a.x, j.b.y, j.c.z, j.a.y, j.a.z, j.b.z]


def inertia_of(parameters: list[Node]) -> Inertia:
    """From the ten in the order of `NAMES`."""
    m, hx, hy, hz, xx, yy, zz, xy, xz, yz = parameters
    return Inertia(m, Vector(hx, hy, hz), Matrix(Vector(xx, xy, xz), Vector(xy, yy, yz), Vector(xz, yz, zz)))


__all__ = ["NAMES", "flatten", "inertia_of", "regroup"]
