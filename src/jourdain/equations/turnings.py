"""Angular velocities by summed angles: of joints with parallel axes only the last one turns vectors from further in.

Where a link's axis lies along its parent's, the angular velocity reaches both from the same link further in, turned
by q_p and by q_p + q_i about one axis; seen from there most of its entries are often zero. One more sine and cosine
replaces products.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..graph import Node, cos, sin
from ..spatial import Rotation, Turn, Vector
from .inverse import Turning
from .tree import Link, Tree, relative_speed


def summed(tree: Tree) -> dict[int, tuple[int, Rotation]]:
    """Link -> a link further in (−1: the ground) and the rotation from it, for links whose axes continue a parent's."""
    found: dict[int, tuple[int, Rotation]] = {}
    angles: dict[int, Node] = {}
    for index, link in tree.outward():
        if link.angle is None:
            continue
        angles[index] = link.angle
        p = link.parent
        if p < 0 or link.placement.factors or p not in angles or _axis(tree.links[p]) != _axis(link):
            continue
        angles[index] = angles[p] + link.angle
        first = tree.links[_first(tree, p, found)]
        turn = Turn(_axis(link), cos(angles[index]), sin(angles[index]))
        found[index] = (first.parent, first.placement.then(Rotation(tree.graph, (turn,))))
    return found


def _first(tree: Tree, index: int, found: dict[int, tuple[int, Rotation]]) -> int:
    """The first link of a row of parallel axes."""
    while index in found:
        index = tree.links[index].parent
    return index


def _axis(link: Link) -> int:
    return next((factor.axis for factor in link.motion.factors if isinstance(factor, Turn)), -1)


def turn_with_sums(tree: Tree, speeds: Sequence[Node], rates: Sequence[Node]) -> list[Turning]:
    """Link by link, from the parent or, along rows of parallel axes, from the link further in."""
    rows = summed(tree)
    still = Vector.zero(tree.graph)
    turnings: list[Turning] = []
    # Along a row: what all joints of the row turn together.
    w_row: list[Vector] = []
    rate_row: list[Vector] = []
    for index, link in tree.outward():
        w_rel, _ = relative_speed(tree, link, speeds)
        rate_rel, _ = relative_speed(tree, link, rates)
        outer, rotation = link.parent, link.rotation
        w_sum, rate_sum = w_rel, rate_rel
        if index in rows:
            outer, rotation = rows[index]
            w_sum, rate_sum = w_row[link.parent] + w_rel, rate_row[link.parent] + rate_rel
        w_row.append(w_sum)
        rate_row.append(rate_sum)
        seen = rotation.outward(turnings[outer].w if outer >= 0 else still)
        w = seen + w_sum
        rate = rotation.outward(turnings[outer].rate if outer >= 0 else still) + seen.cross(w_sum) + rate_sum
        turnings.append(Turning(w - w_rel, w, rate))
    return turnings
