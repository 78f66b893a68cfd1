"""What a joint that is given by its map forbids, and the axis that a single column turns about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..graph import Node, sqrt
from ..spatial import Vector
from .closure import numbers
from .elimination import Equation, solve
from .motion import Column


class Axis(NamedTuple):
    """The screw of one column: a point of its axis, the direction, metres a radian; None for a mere slide."""

    point: Vector
    direction: Vector
    pitch: Node | None


def screw_axis(column: Column) -> Axis:
    """The axis of a column (angular, linear), in the joint's frame."""
    w, v = Vector(*column[:3]), Vector(*column[3:])
    zero = Vector.zero(w.x.graph)
    if w.is_zero:
        return Axis(zero, v * (1.0 / sqrt(v.dot(v))), None)
    square = w.dot(w)
    return Axis(w.cross(v) * (1.0 / square), w * (1.0 / sqrt(square)), w.dot(v) / square)


def complement(columns: Sequence[Column]) -> list[Column]:
    """Rows n (6 − r) with n·h = 0 for every column h (r), each with few entries: wrenches that do no work on it."""
    graph, r = columns[0][0].graph, len(columns)
    matrix = numbers(columns).T  # (r, 6)
    pivots = _independent(matrix)
    others = [k for k in range(6) if k not in pivots]
    equations = [Equation([column[k] for k in pivots], [-column[k] for k in others]) for column in columns]

    def size(x: Node) -> float:
        return float(np.abs(numbers([(x,) * 6])[0, 0]))

    found = solve(graph, equations, r, size)
    rows: list[Column] = []
    for j, free in enumerate(others):
        row = [graph.zero] * 6
        row[free] = graph.one
        for i, k in enumerate(pivots):
            row[k] = found[i][j]
        a, b, c, d, e, f = row
        rows.append((a, b, c, d, e, f))
    return rows


def _independent(matrix: NDArray[np.float64]) -> list[int]:
    """Places of as many independent columns of a matrix (r, 6) as it has rows, those with most to say."""
    rest, found = matrix.copy(), []
    for _ in range(len(matrix)):
        sizes = np.linalg.norm(rest, axis=0)
        k = int(np.argmax(np.round(sizes, 9)))
        found.append(k)
        direction = rest[:, k] / sizes[k]
        rest = rest - np.outer(direction, direction @ rest)
    return sorted(found)
