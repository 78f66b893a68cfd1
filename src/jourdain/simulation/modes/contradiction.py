"""Rows that hold together and cannot: what rank decides says nothing about their right-hand sides."""

from __future__ import annotations

from ...program import Floats, kernel

OFF = 1e-8  # [m/s, rad/s]
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
