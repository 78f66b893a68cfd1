"""Base parameters: what a body's inertia shares with its parent's is carried by the parent.

A change δ of a link's ten inertial parameters can be moved to its parent without any effect on the motion when the
joint can neither feel it (its spatial inertia gives no momentum along the joint's own columns, I(δ) h = 0) nor show
it (the parent sees the same inertia wherever the joint stands: ĥ P(δ) + P(δ) ĥᵀ = 0, P the 4×4 pseudo-inertia).
Both are linear in δ, so the transferable part of any joint is a null space; for a revolute joint about z it is
spanned by m, h_z and J_xx + J_yy, for a prismatic one by the six entries of J: the rules of Gautier and Khalil
(1990) come out, for joints of any kind and for branching trees.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..graph import Graph, Node
from ..spatial import Inertia, Matrix, Vector
from .tree import Column, Tree

# Order of the ten parameters here: which of two equivalent ones is eliminated first is decided by this order.
NAMES = ("m", "hx", "hy", "hz", "Jxx", "Jyy", "Jzz", "Jxy", "Jxz", "Jyz")
Floats = NDArray[np.float64]


def regroup(tree: Tree) -> Tree:
    """The tree with inertias moved towards the root wherever the motion cannot tell the difference."""
    graph = tree.graph
    parameters = [_flatten(link.inertia) for link in tree.links]
    for index, link in tree.inward():
        own = parameters[index]
        moved = [graph.zero] * 10
        for pivot, vector in transferable(_numbers(link.columns)):
            amount = own[pivot]
            if amount.is_zero:
                continue
            for k, share in vector:
                moved[k] = moved[k] + amount * share
                own[k] = graph.zero if k == pivot else own[k] - amount * share
        if link.parent >= 0 and not all(x.is_zero for x in moved):
            # Seen from the parent the moved part is the same in every position of the joint: take q = 0.
            seen = inertia_of(moved).in_parent(link.placement, link.offset)
            parent = parameters[link.parent]
            parameters[link.parent] = [x + y for x, y in zip(parent, _flatten(seen))]
    links = [replace(link, inertia=inertia_of(own)) for link, own in zip(tree.links, parameters)]
    return replace(tree, links=tuple(links))


def _flatten(inertia: Inertia) -> list[Node]:
    j = inertia.matrix
    return [inertia.mass, *inertia.moment, j.a.x, j.b.y, j.c.z, j.a.y, j.a.z, j.b.z]


def inertia_of(parameters: list[Node]) -> Inertia:
    m, hx, hy, hz, xx, yy, zz, xy, xz, yz = parameters
    return Inertia(m, Vector(hx, hy, hz), Matrix(Vector(xx, xy, xz), Vector(xy, yy, yz), Vector(xz, yz, zz)))


def _numbers(columns: tuple[Column, ...]) -> tuple[tuple[float, ...], ...]:
    """The columns as numbers; a symbolic entry (a pitch) stands as a number that meets no coincidence."""
    return tuple(
        tuple(x.value if x.is_constant else 0.5 + 0.01 * (x.id % 37) for x in (*column.angular, *column.linear))
        for column in columns
    )


@lru_cache(maxsize=1024)
def transferable(columns: tuple[tuple[float, ...], ...]) -> tuple[tuple[int, tuple[tuple[int, float], ...]], ...]:
    """A basis of the transferable parameters of a joint: for each its pivot, which it alone contains, and its entries.

    columns: of the joint's map H, angular then linear part.
    """
    conditions = np.vstack([_conditions(np.array(column)) for column in columns]) if columns else np.zeros((0, 10))
    _, sizes, rows = np.linalg.svd(conditions) if columns else (None, np.zeros(0), np.eye(10))
    rank = int(np.sum(sizes > 1e-9 * max(1.0, float(sizes.max(initial=0.0)))))
    return _echelon(rows[rank:])


def _conditions(h: Floats) -> Floats:
    """Rows that a transferable δ must annul for one column: I(δ) h and ĥ P + P ĥᵀ."""
    rows = np.zeros((6 + 16, 10))
    w, v = h[:3], h[3:]
    twist = np.zeros((4, 4))
    twist[:3, :3] = _cross(w)
    twist[:3, 3] = v
    for k in range(10):
        unit = np.zeros(10)
        unit[k] = 1.0
        m, c, j = unit[0], unit[1:4], _matrix(unit)
        momentum = np.concatenate([j @ w + np.cross(c, v), m * v + np.cross(w, c)])
        pseudo = np.zeros((4, 4))
        pseudo[:3, :3] = 0.5 * np.trace(j) * np.eye(3) - j
        pseudo[:3, 3] = pseudo[3, :3] = c
        pseudo[3, 3] = m
        rows[:, k] = np.concatenate([momentum, (twist @ pseudo + pseudo @ twist.T).ravel()])
    return rows


def _cross(w: Floats) -> Floats:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def _matrix(p: Floats) -> Floats:
    return np.array([[p[4], p[7], p[8]], [p[7], p[5], p[9]], [p[8], p[9], p[6]]])


def _echelon(rows: Floats) -> tuple[tuple[int, tuple[tuple[int, float], ...]], ...]:
    """Reduced rows, pivots from the last parameter of the preferred order; entries close to whole numbers made so."""
    rows = rows.copy()
    pivots: list[int] = []
    done = 0
    for k in (0, 3, 1, 2, 5, 4, 6, 7, 8, 9):
        if done == len(rows):
            break
        best = done + int(np.argmax(np.abs(rows[done:, k])))
        if abs(rows[best, k]) < 1e-9:
            continue
        rows[[done, best]] = rows[[best, done]]
        rows[done] /= rows[done, k]
        for other in range(len(rows)):
            if other != done:
                rows[other] -= rows[other, k] * rows[done]
        pivots.append(k)
        done += 1
    whole = np.round(rows)
    rows = np.where(np.abs(rows - whole) < 1e-12, whole, rows)
    return tuple(
        (pivot, tuple((k, float(row[k])) for k in range(10) if row[k] != 0.0)) for pivot, row in zip(pivots, rows)
    )


def base_parameters(tree: Tree) -> dict[str, list[str]]:
    """The names of the parameters that remain, link by link (those without effect near the ground among them)."""
    grouped = regroup(tree)
    return {
        link.name: [name for name, value in zip(NAMES, _flatten(link.inertia)) if not value.is_zero]
        for link in grouped.links
    }


__all__ = ["Graph", "base_parameters", "regroup", "transferable"]
