"""Whether a constant joint map describes a simple joint: its columns must be closed under the Lie bracket.

Where they are not, the motions they make do not stay on a surface of as many dimensions, and X⁻¹Ẋ = H p cannot hold
for the X that the paper builds from the columns (its Table II lists a universal joint as simple, which it is not).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..graph import Node, interpret, symbols_of
from ..spatial import Vector
from .motion import Column
from .pose import Twist
from .screw import bracket

TOLERANCE = 1e-9
SCALES = (1.0, 10.0, 0.1, 100.0, -1.0, -10.0)  # of the values of parameters: an expression may have none at the first


def independent(columns: Sequence[Column]) -> bool:
    """Whether the columns have full rank, at values of the parameters that meet no coincidence."""
    matrix = numbers([list(column) for column in columns])
    return int(np.linalg.matrix_rank(matrix, tol=TOLERANCE * max(1.0, float(np.abs(matrix).max(initial=0.0))))) == len(
        columns
    )


def open_pairs(columns: Sequence[Column]) -> list[tuple[int, int]]:
    """Pairs of columns whose bracket leaves their span; none for a simple joint."""
    twists = [Twist(Vector(*column[:3]), Vector(*column[3:])) for column in columns]
    pairs = [(i, k) for i in range(len(twists)) for k in range(i + 1, len(twists))]
    made = [bracket(twists[i], twists[k]) for i, k in pairs]
    everything = numbers([list(column) for column in columns] + [[*t.angular, *t.linear] for t in made])
    span, brackets = everything[:, : len(columns)], everything[:, len(columns) :]
    found = []
    for pair, value in zip(pairs, brackets.T):
        nearest = span @ np.linalg.lstsq(span, value, rcond=None)[0]
        if np.abs(value - nearest).max() > TOLERANCE * max(1.0, float(np.abs(value).max())):
            found.append(pair)
    return found


def numbers(columns: Sequence[Sequence[Node]]) -> NDArray[np.float64]:
    """(6, n), each parameter at a value of its own, where all entries are finite; what is nowhere comes out as 0."""
    flat = [x for column in columns for x in column]
    found = np.zeros(len(flat))
    for scale in SCALES:
        values = {symbol: scale * (0.5 + 0.6180339887 * (k + 1) % 1.0) for k, symbol in enumerate(symbols_of(flat))}
        found = np.array([float(x) for x in interpret(flat, values)])
        if np.isfinite(found).all():
            break
    return np.where(np.isfinite(found), found, 0.0).reshape(len(columns), 6).T
