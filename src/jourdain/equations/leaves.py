"""Last links turned about their own axes so that their first moments lie in a coordinate plane.

Nothing is carried further by a last link, so its frame may turn about its joint's axis by any fixed angle; the angle
that takes the first moment's second entry away costs one addition and saves products. It is static: parameters may
change without compiling again.
"""

from __future__ import annotations

from dataclasses import replace

from ..graph import Node, atan2, cos, sin
from ..model.pose import Pose
from ..spatial import Inertia, Rotation, Turn, Vector
from .lower import Home, Lowered
from .tree import Link, Tree


def turn_leaves(lowered: Lowered) -> Lowered:
    """The same mechanism with its last links' frames turned; the very same object where that changes nothing."""
    tree = lowered.tree
    turns = _turns(tree)
    if not turns:
        return lowered
    links = list(tree.links)
    back: dict[int, Rotation] = {}
    for index, (axis, angle) in turns.items():
        turn = Rotation.turn(tree.graph, axis, angle)
        back[index] = turn.inverse()
        links[index] = _turned(tree, links[index], axis, angle, back[index])
    homes = {name: _home(home, back) for name, home in lowered.homes.items()}
    solids = tuple(
        replace(
            solid, rotation=back[solid.link].then(solid.rotation), offset=back[solid.link].inward(solid.offset),
            center=back[solid.link].inward(solid.center), central=back[solid.link].conjugate(solid.central),
        )
        if solid.link in back else solid
        for solid in tree.solids
    )
    return replace(lowered, tree=replace(tree, links=tuple(links), solids=solids), homes=homes)


def turns_leaves(lowered: Lowered) -> bool:
    """Whether `turn_leaves` would turn any link."""
    return bool(_turns(lowered.tree))


def _turns(tree: Tree) -> dict[int, tuple[int, Node]]:
    """Last link -> the axis and the fixed angle to turn by."""
    inner = {link.parent for link in tree.links}
    found = {index: _angle(link) for index, link in enumerate(tree.links) if index not in inner}
    return {index: turn for index, turn in found.items() if turn is not None}


def _angle(link: Link) -> tuple[int, Node] | None:
    """The axis and the fixed angle to turn by, for a link that turns about a coordinate axis."""
    if link.angle is None or len(link.motion.factors) != 1 or not isinstance(link.motion.factors[0], Turn):
        return None
    if not link.travel.is_zero:
        return None
    axis = link.motion.factors[0].axis
    i, j = (axis + 1) % 3, (axis + 2) % 3
    h = link.inertia.moment
    if h[i].is_zero or h[j].is_zero:
        return None
    return axis, atan2(h[j], h[i])


def _turned(tree: Tree, link: Link, axis: int, angle: Node, back: Rotation) -> Link:
    assert link.angle is not None
    total = link.angle + angle
    i, j = (axis + 1) % 3, (axis + 2) % 3
    h = link.inertia.moment
    moment = [h[axis]] * 3
    moment[i], moment[j] = (h[i] * h[i] + h[j] * h[j]) ** 0.5, tree.graph.zero
    inertia = Inertia(link.inertia.mass, Vector(*moment), back.conjugate(link.inertia.matrix))
    motion = Rotation(tree.graph, (Turn(axis, cos(total), sin(total)),))
    columns = tuple(replace(c, angular=back.inward(c.angular), linear=back.inward(c.linear)) for c in link.columns)
    return replace(link, motion=motion, columns=columns, inertia=inertia, angle=total)


def _home(home: Home, back: dict[int, Rotation]) -> Home:
    if home.link not in back:
        return home
    rotation = back[home.link]
    pose = home.pose
    return Home(home.link, Pose(rotation.then(pose.rotation), rotation.inward(pose.translation)))
