"""Wheels in frames that do not turn with them.

A last link that turns about an axis of symmetry has the same inertia in any frame that is turned about that axis, so
its equations may be written in the frame of the joint's other side: the wheel's angle leaves the equations, as it has
left the motion. What is fixed in the body (its own axes, points off the axis) still turns, in `homes`.
"""

from __future__ import annotations

from dataclasses import replace

from ..graph import Node
from ..model.pose import Pose
from ..spatial import Inertia, Rotation
from .lower import Home, Lowered
from .tree import Link, Tree


def still_wheels(lowered: Lowered) -> Lowered:
    """The same mechanism with such links' frames at rest beside them; the very same object where there are none."""
    tree = lowered.tree
    wheels = _wheels(tree)
    if not wheels:
        return lowered
    still = Rotation(tree.graph)
    links = tuple(
        replace(link, motion=still, angle=None) if k in wheels else link for k, link in enumerate(tree.links)
    )
    homes = {
        name: Home(home.link, _turned(wheels[home.link], home.pose)) if home.link in wheels else home
        for name, home in lowered.homes.items()
    }
    return replace(lowered, tree=replace(tree, links=links), homes=homes)


def has_wheels(lowered: Lowered) -> bool:
    """Whether there are any such links, with frames that turn."""
    return bool(_wheels(lowered.tree))


def _wheels(tree: Tree) -> dict[int, Rotation]:
    """Last link -> how it turns."""
    inner = {link.parent for link in tree.links}
    return {k: link.motion for k, link in enumerate(tree.links) if k not in inner and _is_wheel(link)}


def _is_wheel(link: Link) -> bool:
    """Whether the link only turns, about a coordinate axis through its frame, and its inertia does not show it."""
    if link.angle is None or not link.travel.is_zero or len(link.columns) != 1 or not link.columns[0].linear.is_zero:
        return False
    present = [k for k in range(3) if not link.columns[0].angular[k].is_zero]
    return len(present) == 1 and _is_round(link.inertia, present[0])


def _is_round(inertia: Inertia, axis: int) -> bool:
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix, moment = inertia.matrix, inertia.moment
    absent: tuple[Node, ...] = (matrix[i][j], matrix[i][axis], matrix[j][axis], moment[i], moment[j])
    return matrix[i][i] is matrix[j][j] and all(x.is_zero for x in absent)


def _turned(rotation: Rotation, pose: Pose) -> Pose:
    return Pose(rotation.then(pose.rotation), rotation.inward(pose.translation))
