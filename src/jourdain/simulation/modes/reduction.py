"""Contacts as the independent speeds feel them: W = J̃ M̃⁻¹ J̃ᵀ, and what their rows do without contact forces."""

from __future__ import annotations

from ...program import Floats, kernel


@kernel
def mobility(
    matrix: Floats, chosen: Floats, count: int, columns: Floats, rank: int, n: int, follow: Floats, reduced: Floats,
    work: Floats, felt: Floats,
) -> None:
    """felt (count, count) = J̃ M̃⁻¹ J̃ᵀ of the rows `chosen` (count,), J̃ = J G, with the rows that are embedded kept.

    matrix (rows, n); columns, rank: from `choose`; follow, reduced: from `prepare`; work (count, n).
    """
    p = n - rank
    for i in range(count):
        row = int(chosen[i]) * n
        for j in range(p):
            total = matrix[row + int(columns[rank + j])]
            for k in range(rank):
                total += matrix[row + int(columns[k])] * follow[k * p + j]
            for k in range(j):
                total -= reduced[j * p + k] * work[i * p + k]
            work[i * p + j] = total / reduced[j * p + j]
    for i in range(count):
        for j in range(i + 1):
            total = 0.0
            for k in range(p):
                total += work[i * p + k] * work[j * p + k]
            felt[i * count + j] = total
            felt[j * count + i] = total
