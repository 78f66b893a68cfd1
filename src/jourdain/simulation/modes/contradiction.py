"""Rows that hold together and cannot: what rank decides says nothing about their right-hand sides."""

from __future__ import annotations

from ...program import Floats, kernel

OFF = 1e-6  # [m/s, rad/s]: near a singular position rows that nearly repeat others miss by more than rounding
BESIDE = 1e-6  # of what adds up to a row's velocity


@kernel
def contradicts(rows: int, n: int, holds: Floats, matrix: Floats, velocities: Floats, u: Floats) -> int:
    """1 if the speeds, which are on the independent rows, miss another row that holds."""
    for i in range(rows):
        if holds[i] != 0.0:
            size = 0.0
            for j in range(n):
                size = max(size, abs(matrix[i * n + j] * u[j]))
            if abs(velocities[i]) > OFF + BESIDE * size:
                return 1
    return 0


@kernel
def repeats(rows: int, holds: Floats, owners: Floats, pivots: Floats, rank: int) -> int:
    """1 if a row that holds, no contact's (owners -2), is left out because others say what it says.

    Which rows do depends on the position: those that were chosen may become nearly the same.
    """
    for i in range(rows):
        if holds[i] != 0.0 and owners[i] != -2.0:
            among = 0
            for k in range(rank):
                if int(pivots[k]) == i:
                    among = 1
            if among == 0:
                return 1
    return 0
