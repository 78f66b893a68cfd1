"""Which motions a simple joint that is given by its map allows: one of the ten groups of rigid displacements.

Columns that are closed under the Lie bracket span the twists of a group. Their angular parts span none, one or all
three directions (never two), and the slides among them are then none, one, two or all three, along or across that one
axis (Hervé 1978): so a few vectors say where the group's axis, plane or point is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..graph import Graph, Node, sqrt
from ..spatial import Vector
from .closure import TOLERANCE, numbers
from .elimination import Equation, solve
from .motion import Column

SIX = "every motion"
_SLIDING = {1: "prismatic", 2: "two slides", 3: "three slides"}
_TURNING = {0: "screw", 1: "cylindrical", 2: "planar screw", 3: "three slides and a turn"}
_WITHOUT_PITCH = {"screw": "revolute", "planar screw": "planar"}


@dataclass(frozen=True)
class Subgroup:
    """kind: of joint, with its own names for what has no familiar one. point: of the axis, or the centre; direction:
    of the axis, or normal of the plane; pitch [m/rad]: of a screw. In the joint's own frame."""

    kind: str
    point: Vector
    direction: Vector
    pitch: Node | None = None


def subgroup(columns: Sequence[Column]) -> Subgroup:
    """Of independent columns (angular, linear) that are closed under the bracket."""
    pairs = [(Vector(*column[:3]), Vector(*column[3:])) for column in columns]
    graph = columns[0][0].graph
    zero, z = Vector.zero(graph), Vector.unit(graph, 2)
    turns = numbers(columns)[:3]
    sizes = np.linalg.norm(turns, axis=0)
    rank = int(np.linalg.matrix_rank(turns, tol=TOLERANCE * max(1.0, float(sizes.max()))))
    if rank == 0:
        slides = [v for _, v in pairs]
        normal = z if len(slides) == 3 else _unit(slides[0].cross(slides[1]) if len(slides) == 2 else slides[0])
        return Subgroup(_SLIDING[len(slides)], zero, normal)
    if rank == 3:
        return Subgroup(SIX if len(pairs) == 6 else "spherical", _center(graph, pairs), z)
    w, v = pairs[int(np.argmax(sizes))]
    square = w.dot(w)
    kind, pitch = _TURNING[len(pairs) - 1], w.dot(v) * (1.0 / square)
    if abs(_value(pitch)) <= TOLERANCE:
        kind = _WITHOUT_PITCH.get(kind, kind)
    return Subgroup(kind, w.cross(v) * (1.0 / square), _unit(w), pitch if "screw" in kind else None)


def _center(graph: Graph, pairs: Sequence[tuple[Vector, Vector]]) -> Vector:
    """The point r that all turns leave where it is: v = r × w."""
    zero = graph.zero
    equations: list[Equation] = []
    for w, v in pairs:
        rows = ([zero, w.z, -w.y], [-w.z, zero, w.x], [w.y, -w.x, zero])
        equations += [Equation(row, [x]) for row, x in zip(rows, v) if not all(e.is_zero for e in row)]
    found = solve(graph, equations, 3, lambda x: abs(_value(x)))
    return Vector(*(row[0] for row in found))


def _unit(v: Vector) -> Vector:
    """Exact along the axes of coordinates."""
    present = [k for k in range(3) if not v[k].is_zero]
    if len(present) == 1 and v[present[0]].is_constant:
        return Vector.unit(v.x.graph, present[0]) * float(np.sign(v[present[0]].value))
    return v * (1.0 / sqrt(v.dot(v)))


def _value(x: Node) -> float:
    """At values of the parameters that meet no coincidence."""
    return float(numbers([(x,) * 6])[0, 0])
