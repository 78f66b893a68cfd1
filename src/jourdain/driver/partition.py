"""Some speeds (or steps) chosen freely, the others following from linear rows: in numbers, over leading axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
RANK = 1e-9
TOGETHER = 1e-6  # of a row: rows that repeat others agree with them as well as positions are closed


def free_places(rows: Floats) -> list[int]:
    """Places of columns that can be chosen freely, the others being as different as can be.

    rows: (..., rows, n), independent or not; of a batch, the first matrix decides.
    """
    n = rows.shape[-1]
    first = rows[(0,) * (rows.ndim - 2)]
    if not len(first):
        return list(range(n))
    from scipy.linalg import qr  # takes longer to import than a mechanism to derive

    _, r, pivots = qr(first, pivoting=True)
    size = np.abs(np.diag(r))
    rank = int(np.sum(size > RANK * max(1.0, float(size.max(initial=0.0)))))
    dependent = {int(k) for k in pivots[:rank]}
    return [k for k in range(n) if k not in dependent]


def following(rows: Floats, free: Sequence[int], names: Sequence[str], where: str, what: str) -> Floats:
    """G (..., n, free) of x = G x_free that keeps all rows at zero.

    names: of all n; ValueError with those that do not follow, or that are too many, `where` and `what` they are.
    """
    n = rows.shape[-1]
    others = _others(n, free)
    if len(set(free)) < len(free):
        twice = ", ".join(names[k] for k in dict.fromkeys(free) if list(free).count(k) > 1)
        raise ValueError(f"of the independent {what}, {twice} is named twice")
    found = np.zeros((*rows.shape[:-2], n, len(free)))
    found[..., free, range(len(free))] = 1.0
    if others:
        inner = rows[..., others]
        smallest = RANK * max(1.0, float(np.abs(rows).max(initial=0.0)))
        if int(np.min(np.linalg.matrix_rank(inner, tol=smallest), initial=n)) < len(others):
            said = ", ".join(names[k] for k in others)
            raise ValueError(f"at this {where} the {what} {said} do not follow from the others; choose other {what}")
        found[..., others, :] = -np.linalg.pinv(inner, rcond=RANK) @ rows[..., free]
    size = max(1.0, float(np.abs(rows).max(initial=0.0)), float(np.abs(found).max(initial=0.0)))
    if float(np.abs(rows @ found).max(initial=0.0)) > TOGETHER * size:
        said = ", ".join(names[k] for k in free)
        raise ValueError(f"at this {where} the {what} {said} cannot all be chosen freely; name fewer, or others")
    return found


def making_up(rows: Floats, free: Sequence[int], change: Floats) -> Floats:
    """x (..., n, ·), zero at the free places, that makes up for a change (..., rows, ·) of the rows."""
    n = rows.shape[-1]
    others = _others(n, free)
    found = np.zeros((*np.broadcast_shapes(rows.shape[:-2], change.shape[:-2]), n, change.shape[-1]))
    if others:
        found[..., others, :] = -np.linalg.pinv(rows[..., others], rcond=RANK) @ change
    return found


def listed(names: str | Sequence[str]) -> Sequence[str]:
    """Names, of which one may be given by itself."""
    return (names,) if isinstance(names, str) else names


def _others(n: int, free: Sequence[int]) -> list[int]:
    return [k for k in range(n) if k not in free]
