"""Motions of every kind of joint, for tests that hold for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from jourdain.graph import Graph, Node, Role
from jourdain.model import joints
from jourdain.model.motion import ANGLES, QUATERNION, Column, Motion
from jourdain.spatial import Vector

Array = NDArray[np.float64]
Make = Callable[[Graph], Motion]


def given(rows: Sequence[Sequence[float | str]], groups: list[int]) -> Make:
    """A joint by its 6×n matrix; texts are parameters, with or without a minus."""

    def make(graph: Graph) -> Motion:
        def entry(x: float | str) -> Node:
            if isinstance(x, str):
                symbol = graph.symbol(x.removeprefix("-"), Role.PARAMETER)
                return -symbol if x.startswith("-") else symbol
            return graph.constant(x)

        columns: list[Column] = []
        for k in range(len(rows[0])):
            a, b, c, d, e, f = (entry(row[k]) for row in rows)
            columns.append((a, b, c, d, e, f))
        return joints.given(columns, groups)

    return make


def axis(*components: float) -> Callable[[Graph], Vector]:
    """A unit vector."""
    unit = np.array(components) / np.linalg.norm(components)
    return lambda graph: Vector.of(graph, unit.tolist())


X, Y, Z, SKEW, OTHER = axis(1, 0, 0), axis(0, 1, 0), axis(0, 0, 1), axis(2, -3, 6), axis(1, 4, 8)

MOTIONS: dict[str, Make] = {
    "weld": joints.weld,
    "revolute": lambda g: joints.revolute(g, Z(g)),
    "revolute, backwards": lambda g: joints.revolute(g, -X(g)),
    "revolute, skew": lambda g: joints.revolute(g, SKEW(g)),
    "prismatic": lambda g: joints.prismatic(g, Y(g)),
    "prismatic, skew": lambda g: joints.prismatic(g, SKEW(g)),
    "screw": lambda g: joints.screw(g, X(g), g.symbol("pitch", Role.PARAMETER)),
    "screw, skew": lambda g: joints.screw(g, SKEW(g), g.constant(0.3)),
    "universal": lambda g: joints.universal(g, X(g), Y(g)),
    "universal, skew": lambda g: joints.universal(g, SKEW(g), OTHER(g)),
    "cylindrical": lambda g: joints.cylindrical(g, Y(g)),
    "cylindrical, skew": lambda g: joints.cylindrical(g, OTHER(g)),
    "planar": joints.planar,
    "spherical by angles": lambda g: joints.spherical(g, ANGLES),
    "spherical by quaternion": lambda g: joints.spherical(g, QUATERNION),
    "free by angles": lambda g: joints.free(g, ANGLES),
    "free by quaternion": lambda g: joints.free(g, QUATERNION),
    "oblique screw": given([[0.6], [0], [0.8], [1.5], [-2], [0.25]], [1]),
    "skew screw of no unit length": given([[1.2], [0], [1.6], [0.5], [0], [2]], [1]),
    "screw of no unit length": given([[0], ["w"], [0], ["s"], [0], [2]], [1]),
    "two turns, two slides": given(
        [[0, 0, 1, 0], [0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0.5, 0]], [1, 1, 1, 1]
    ),
    "cylinder, then turn": given([[0, 0, 1], [0, 0, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 1, 0]], [2, 1]),
    "turning, then sliding": given(np.eye(6).tolist(), [3, 3]),
    "sphere in another order": given(
        [[0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]], [3]
    ),
    "plane with another order": given(
        [[0, 0, 0], [0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0]], [3]
    ),
    "sphere about a point": given(
        [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, "-b"], [0, "b", 0]], [3]
    ),
}  # fmt: skip


def coordinates(motion: Motion, rng: np.random.Generator) -> Array:
    """Any (nq,), a quaternion of unit length."""
    q = rng.uniform(-1.2, 1.2, motion.nq)
    if motion.orientation is QUATERNION:
        places = [motion.coordinate_order.index(k) for k in range(4)]
        q[places] /= np.linalg.norm(q[places])
    return q
