"""How joints are drawn, as in a mechanism's picture: small solids about an axis, whose size is one of the screen.

Points are in pixels; z is the joint's axis. A symbol is the outline (convex hull) of its points as they are seen, the
cap that faces the eye, open lines, and circles that look alike from everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
AROUND = 20  # points of a circle
CYLINDERS = {"revolute": 12.0, "cylindrical": 18.0, "screw": 15.0}
DISCS = {"spherical": (9.5, 4.5), "universal": (9.0, 2.5), "weld": (4.0,)}
RADIUS = 7.0
WHEEL = 15.0


@dataclass(frozen=True)
class Symbol:
    """solid: points whose outline is drawn and filled; caps: rings that are seen from the side of their sign along z;
    discs: radii [px]."""

    solid: Floats
    caps: tuple[tuple[int, Floats], ...] = ()
    discs: tuple[float, ...] = ()


NOTHING = np.empty((0, 3))


def symbol(kind: str) -> Symbol:
    """Of a joint; of one that is drawn as a line, nothing."""
    if kind in CYLINDERS:
        half = CYLINDERS[kind]
        ends = [(sign, _ring(RADIUS, sign * half)) for sign in (-1, 1)]
        dots = [(sign, _ring(1.6, sign * half)) for sign in (-1, 1)]
        return Symbol(np.concatenate([ring for _, ring in ends]), (*ends, *dots))
    if kind == "prismatic":
        square = RADIUS * np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]])
        ends = [(sign, square + np.array([0.0, 0.0, 14.0 * sign])) for sign in (-1, 1)]
        return Symbol(np.concatenate([ring for _, ring in ends]), tuple(ends))
    if kind == "planar":
        return Symbol(9.0 * np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]]))
    return Symbol(NOTHING, (), DISCS.get(kind, ()))


def wheel() -> Symbol:
    """A disc across its axis."""
    return Symbol(np.concatenate([_ring(WHEEL, -1.5), _ring(WHEEL, 1.5)]))


def along(axis: Sequence[float] | Floats) -> Floats:
    """A rotation (3, 3) whose z is this axis."""
    z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    least = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = np.cross(least, z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def _ring(radius: float, height: float) -> Floats:
    turn = np.linspace(0.0, 2.0 * np.pi, AROUND, endpoint=False)
    return np.column_stack([radius * np.cos(turn), radius * np.sin(turn), np.full(AROUND, height)])
