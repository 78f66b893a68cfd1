"""Tables of values read at any point between: piecewise polynomials written with selections."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ..graph import Node, less, maximum, minimum, select

if TYPE_CHECKING:
    from .arguments import Reader, Scalar


class Curve(Enum):
    """How a table is read between its points."""

    LINEAR = "linear"
    """Straight lines."""
    CUBIC = "cubic"
    """The cubic spline with continuous first and second derivatives: for motions, whose accelerations are felt."""


LINEAR = Curve.LINEAR
CUBIC = Curve.CUBIC


def interpolated(reader: Reader, at: Scalar, points: Any, values: Any, curve: object) -> Node:
    """The expression of a table; what is wrong with it is noted as a mistake."""
    x = reader.scalar(at, "where the table is read")
    xs, ys = _numbers(reader, points, "points"), _numbers(reader, values, "values")
    nothing = reader.graph.one
    if not isinstance(curve, Curve):
        reader.mistakes.add(f"the curve of the table is {curve!r}; write jourdain.LINEAR or jourdain.CUBIC")
        return nothing
    if xs is None or ys is None:
        return nothing
    if len(xs) != len(ys) or len(xs) < 2:
        reader.mistakes.add(f"the table has {len(xs)} points and {len(ys)} values; give as many of each, two or more")
        return nothing
    for k, (a, b) in enumerate(pairwise(xs)):
        if b <= a:
            reader.mistakes.add(f"the points of the table must increase, but points[{k + 1}] = {b:g} follows {a:g}")
            return nothing
    return _read(minimum(maximum(x, xs[0]), xs[-1]), xs, pieces(xs, ys, curve))


def _numbers(reader: Reader, values: Any, what: str) -> list[float] | None:
    try:
        entries = list(values)
    except TypeError:
        reader.mistakes.add(f"the {what} of the table are {values!r}; a sequence of numbers is needed")
        return None
    return [reader.number(value, f"{what}[{k}] of the table") for k, value in enumerate(entries)]


def pieces(xs: Sequence[float], ys: Sequence[float], curve: Curve) -> list[tuple[float, ...]]:
    """Coefficients of each piece in powers of x − xs[k], the highest first."""
    if curve is Curve.LINEAR or len(xs) == 2:
        return [((b - a) / (q - p), a) for p, q, a, b in zip(xs, xs[1:], ys, ys[1:])]
    from scipy.interpolate import CubicSpline

    coefficients = CubicSpline(xs, ys).c.T
    return [tuple(float(c) for c in piece) for piece in coefficients]


def _read(x: Node, xs: Sequence[float], pieces: Sequence[tuple[float, ...]]) -> Node:
    """Horner's rule with coefficients chosen by halving, so that the chain of selections stays short."""
    graph = x.graph

    def chosen(column: Sequence[float], first: int) -> Node:
        if len(set(column)) == 1:
            return graph.constant(column[0])
        half = math.ceil(len(column) / 2)
        return select(
            less(x, xs[first + half]), chosen(column[:half], first), chosen(column[half:], first + half)
        )

    step = x - chosen([float(p) for p in xs[:-1]], 0)
    total = graph.zero
    for column in zip(*pieces):
        total = total * step + chosen(column, 0)
    return total
