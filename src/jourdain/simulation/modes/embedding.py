"""The rows that hold, embedded numerically: dependent speeds in independent ones, and what is left to solve.

With A u̇ + b = 0 and A = [A_D A_I] on chosen columns, u̇_D = D u̇_I + g with D = −A_D⁻¹ A_I, and the equations are
recombined, F̃ = F_I + Dᵀ F_D, as Gillespie (2003), equations (44)–(46), has it. What the dependent equations then miss
is what the constraints carry (the kinetostatic equations): A_Dᵀ λ = (M u̇ − F)_D.

The same solves for the least change of the speeds that brings the rows' velocities to zero (F = 0, b the velocities),
which is what impulses of constraints do, and for the least step back onto positions (b the positions).
"""

from __future__ import annotations

from math import sqrt

from ...program import Floats, kernel


@kernel
def prepare(
    matrix: Floats, mass: Floats, pivots: Floats, columns: Floats, rank: int, n: int, block: Floats, follow: Floats,
    reduced: Floats, work: Floats,
) -> float:
    """Factors for `respond`; how strongly dependent speeds follow: the largest |D|, the masses its measure.

    matrix (rows, n), mass (n, n); pivots, columns: from `choose`. block (rank, rank): becomes A_D's triangular factors,
    follow (rank, n − rank): D, reduced (n − rank, n − rank): the Cholesky factor of M̃ = Gᵀ M G; work (n, n).
    """
    p = n - rank
    for i in range(rank):
        row = int(pivots[i]) * n
        for j in range(rank):
            block[i * rank + j] = matrix[row + int(columns[j])]
        for j in range(p):
            follow[i * p + j] = -matrix[row + int(columns[rank + j])]
    for k in range(rank):
        pivot = block[k * rank + k]
        for i in range(k + 1, rank):
            factor = block[i * rank + k] / pivot
            block[i * rank + k] = factor
            if factor != 0.0:
                for j in range(k + 1, rank):
                    block[i * rank + j] -= factor * block[k * rank + j]
                for j in range(p):
                    follow[i * p + j] -= factor * follow[k * p + j]
    for back in range(rank):
        k = rank - 1 - back
        for j in range(p):
            total = follow[k * p + j]
            for i in range(k + 1, rank):
                total -= block[k * rank + i] * follow[i * p + j]
            follow[k * p + j] = total / block[k * rank + k]
    # M G, a row for each speed in the order of `columns`, then M̃ = (M G)_I + Dᵀ (M G)_D.
    for i in range(n):
        row = int(columns[i]) * n
        for j in range(p):
            total = mass[row + int(columns[rank + j])]
            for k in range(rank):
                total += mass[row + int(columns[k])] * follow[k * p + j]
            work[i * n + j] = total
    for i in range(p):
        for j in range(i + 1):
            total = work[(rank + i) * n + j]
            for k in range(rank):
                total += follow[k * p + i] * work[k * n + j]
            reduced[i * p + j] = total
    strongest = 0.0
    for i in range(rank):
        heavy = mass[int(columns[i]) * (n + 1)]
        for j in range(p):
            light = mass[int(columns[rank + j]) * (n + 1)]
            if light > 0.0:
                strongest = max(strongest, follow[i * p + j] * follow[i * p + j] * heavy / light)
    for j in range(p):
        total = reduced[j * p + j]
        for k in range(j):
            total -= reduced[j * p + k] * reduced[j * p + k]
        diagonal = sqrt(max(total, 1e-300))
        reduced[j * p + j] = diagonal
        for i in range(j + 1, p):
            total = reduced[i * p + j]
            for k in range(j):
                total -= reduced[i * p + k] * reduced[j * p + k]
            reduced[i * p + j] = total / diagonal
    return sqrt(strongest)


@kernel
def respond(
    matrix: Floats, mass: Floats, force: Floats, rest: Floats, rows: int, pivots: Floats, columns: Floats, rank: int,
    n: int, block: Floats, follow: Floats, reduced: Floats, work: Floats, change: Floats, carried: Floats,
) -> None:
    """change (n,) of M change = force + Aᵀ carried with A change + rest = 0; carried (rows,), 0 for rows left out.

    force (n,), rest (rows,); factors from `prepare`; work (2 n,).
    """
    p = n - rank
    for i in range(rank):  # g = −A_D⁻¹ rest
        total = -rest[int(pivots[i])]
        for k in range(i):
            total -= block[i * rank + k] * work[k]
        work[i] = total
    for back in range(rank):
        i = rank - 1 - back
        total = work[i]
        for k in range(i + 1, rank):
            total -= block[i * rank + k] * work[k]
        work[i] = total / block[i * rank + i]
    for i in range(n):  # F − M g
        row = int(columns[i]) * n
        total = force[int(columns[i])]
        for k in range(rank):
            total -= mass[row + int(columns[k])] * work[k]
        work[n + i] = total
    for i in range(p):
        total = work[n + rank + i]
        for k in range(rank):
            total += follow[k * p + i] * work[n + k]
        for k in range(i):
            total -= reduced[i * p + k] * work[n + rank + k]
        work[n + rank + i] = total / reduced[i * p + i]
    for back in range(p):
        i = p - 1 - back
        total = work[n + rank + i]
        for k in range(i + 1, p):
            total -= reduced[k * p + i] * work[n + rank + k]
        work[n + rank + i] = total / reduced[i * p + i]
        change[int(columns[rank + i])] = work[n + rank + i]
    for i in range(rank):
        total = work[i]
        for k in range(p):
            total += follow[i * p + k] * work[n + rank + k]
        change[int(columns[i])] = total
    for i in range(rows):
        carried[i] = 0.0
    for i in range(rank):  # Uᵀ Lᵀ λ = (M change − F)_D
        row = int(columns[i]) * n
        total = -force[int(columns[i])]
        for k in range(n):
            total += mass[row + k] * change[k]
        for k in range(i):
            total -= block[k * rank + i] * work[k]
        work[i] = total / block[i * rank + i]
    for back in range(rank):
        i = rank - 1 - back
        total = work[i]
        for k in range(i + 1, rank):
            total -= block[k * rank + i] * work[k]
        work[i] = total
        carried[int(pivots[i])] = total
