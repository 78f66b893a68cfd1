"""Which constraints say nothing new: the rank of their rows in general positions that the constraints allow.

A planar loop in space has rows that hold anyway; an over-constrained mechanism (Bricard, parallel four-bars) has rows
that hold only where all the others do, so the rank is decided in assembled positions, never at random ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ..graph import Node
from ..graph.affine import affine
from ..graph.differentiate import jacobian
from .constraints import Bonds
from .mechanics import Mechanics
from .states import general_state, quaternions

Floats = NDArray[np.float64]
POSITIONS = 4
PATIENCE = 24  # positions that are tried where only one of the first ones could be assembled
ROUNDS = 60
CLOSED = 1e-11
RANK = 1e-6  # of a row: where the last row only touches what the others allow, positions are known to 1e-8
ZERO = 1e-8
LOOSE = 1e-6  # of a combination's largest weight
NOWHERE: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class Redundancy:
    """What is known of the rows of some constraints.

    rank: how many are independent. kept: places of rows that say all: independent ones, and those that depend on them
    in another way at every position, for at some the others alone would say less. repeated: names of constraints with
    a row that says nothing new. not_unique: names of constraints whose multipliers are not determined by the motion,
    because other rows could share the load. assembled: whether positions that satisfy all were found; otherwise the
    rank is that of general positions nearby, which may be too high. shared: places of the rows whose multipliers are
    not determined.
    """

    rank: int
    kept: tuple[int, ...]
    repeated: tuple[str, ...]
    not_unique: tuple[str, ...]
    assembled: bool
    shared: tuple[int, ...] = ()


def redundancy(mechanics: Mechanics, rows: Bonds) -> Redundancy:
    """Decided at the parameters' default values."""
    count = len(rows.owners)
    if not count:
        return Redundancy(0, (), (), (), True)
    finder = _Finder(mechanics, rows)
    found = [finder.matrix(k) for k in range(POSITIONS)]
    assembled = [matrix for matrix, closed in found if closed]
    more = iter(range(POSITIONS, PATIENCE))
    while len(assembled) == 1 and (k := next(more, None)) is not None:  # one position does not tell what stays so
        assembled += [matrix for matrix, closed in [finder.matrix(k)] if closed]
    matrices = assembled or [matrix for matrix, _ in found]
    return redundancy_of(matrices, rows.owners, bool(assembled))


def redundancy_of(matrices: Sequence[Floats], owners: Sequence[str], assembled: bool = True) -> Redundancy:
    """Of rows (rows, speeds) at some configurations; owners: whose each is; assembled: whether they satisfy them."""
    from scipy.linalg import qr  # takes longer to import than most systems to derive

    matrices = _scaled(matrices)
    ranks, count = [_rank(matrix) for matrix in matrices], len(owners)
    best = matrices[int(np.argmax(ranks))]
    rank = max(ranks)
    _, _, pivots = qr(best.T, pivoting=True)
    kept = tuple(sorted(int(i) for i in pivots[:rank]))
    kept = tuple(i for i in range(count) if i in kept or _depends_on_position(matrices, kept, i))
    loose = _loose(best, rank)
    repeated = dict.fromkeys(owners[int(i)] for i in sorted(pivots[rank:]))
    not_unique = dict.fromkeys(owners[i] for i in range(count) if loose[i])
    shared = tuple(i for i in range(count) if loose[i])
    return Redundancy(rank, kept, tuple(repeated), tuple(not_unique), assembled, shared)


def usual(mechanics: Mechanics, rows: Bonds, nodes: Sequence[Node]) -> tuple[float, ...]:
    """Mean values of nodes that depend on positions, at general positions that satisfy the rows, or nearby.

    At the parameters' default values.
    """
    finder = _Finder(mechanics, rows)
    found = [finder.numbers(nodes, finder.state(k)[0]) for k in range(POSITIONS)]
    return tuple(float(x) for x in np.mean(found, axis=0))


def assembled_state(
    mechanics: Mechanics, rows: Bonds, near: Mapping[str, float] = NOWHERE
) -> tuple[dict[Node, float], bool]:
    """Values of all but the speeds in a position that satisfies the rows; False where only one nearby was found.

    near: coordinates to begin with, by name; a general position if left out.
    """
    return _Finder(mechanics, rows).state(0, near)


def _scaled(matrices: Sequence[Floats]) -> list[Floats]:
    """Rows of length one where they are longest: lengths and angles are not compared, nor what vanishes magnified."""
    size = np.max([np.linalg.norm(matrix, axis=1, keepdims=True) for matrix in matrices], axis=0)
    return [matrix / np.where(size > ZERO, size, 1.0) for matrix in matrices]


def _rank(scaled: Floats) -> int:
    return int(np.linalg.matrix_rank(scaled, tol=RANK))


def _depends_on_position(matrices: Sequence[Floats], kept: tuple[int, ...], row: int) -> bool:
    """Whether a row is another combination of those that are kept in every position (Bricard's loop).

    Then there are positions at which these depend on each other, and it is needed; where it is not, it is left out.
    """
    shares = [np.linalg.lstsq(x[list(kept)].T, x[row], rcond=RANK)[0] for x in matrices]
    return bool(np.abs(np.array(shares) - shares[0]).max(initial=0.0) > LOOSE)


def _loose(matrix: Floats, rank: int) -> list[bool]:
    """Rows that take part in a combination of rows that vanishes."""
    left, _, _ = np.linalg.svd(matrix)
    return [bool(x > LOOSE) for x in np.abs(left[:, rank:]).max(axis=1, initial=0.0)]


class _Finder:
    """Finds assembled positions near general ones by Newton's method on coordinates."""

    def __init__(self, mechanics: Mechanics, rows: Bonds) -> None:
        self.mechanics, self.rows = mechanics, rows
        lowered = mechanics.lowered
        self.four = [[lowered.coordinates.index(x) for x in four] for four in quaternions(lowered)]
        self.slopes = jacobian(rows.positions, mechanics.q) if rows.positions else []

    def matrix(self, which: int) -> tuple[Floats, bool]:
        """A (rows, speeds) in a position, and whether the position satisfies all rows."""
        values, closed = self.state(which)
        flat = [x for row in self.rows.matrix for x in row]
        numbers = self.numbers(flat, values)
        return numbers.reshape(len(self.rows.owners), -1), closed

    def numbers(self, nodes: Sequence[Node], values: dict[Node, float]) -> Floats:
        """Values of nodes in a position; those of speeds, if they count, at rest."""
        complete = {**dict.fromkeys(self.mechanics.u, 0.0), **values}
        found: Floats = affine(nodes, complete)[:, 0]
        return found

    def state(self, which: int, near: Mapping[str, float] = NOWHERE) -> tuple[dict[Node, float], bool]:
        """A position, and whether it satisfies all rows."""
        symbols = self.mechanics.q
        values = general_state(self.mechanics.lowered, which)
        values |= {x: near[x.name] for x in symbols if x.name in near}
        if not self.rows.positions:
            return values, True
        flat = [*self.rows.positions, *(x for row in self.slopes for x in row)]
        count = len(self.rows.positions)
        q = np.array([values[x] for x in symbols])
        closed, last = False, np.inf
        for _ in range(ROUNDS):
            found = self.numbers(flat, values)
            miss, slope = found[:count], found[count:].reshape(count, -1)
            for four in self.four:  # a quaternion's length is one more row
                row = np.zeros(len(q))
                row[four] = 2.0 * q[four]
                miss, slope = np.append(miss, q[four] @ q[four] - 1.0), np.vstack([slope, row])
            if not np.isfinite(found).all():
                break
            step = np.linalg.lstsq(slope, -miss, rcond=1e-10)[0]
            size = float(np.abs(step).max())
            closed = float(np.abs(miss).max()) < CLOSED
            if closed and (size < CLOSED or size > 0.9 * last):
                return values, True
            last = size if closed else np.inf
            q = q + step * min(1.0, 0.5 / size if size else 1.0)
            values = {**values, **dict(zip(symbols, map(float, q)))}
        return values, closed
