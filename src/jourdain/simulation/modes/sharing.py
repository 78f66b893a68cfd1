"""How contacts share a load that more of them carry than motion can tell, as a block's four corners do.

Forces of redundant rows are not unique: λ + N z does the same for every z, N the combinations of rows that vanish. Of
all these the one nearest to forces that were found allowed is taken, so that forces change as slowly as the motion.
"""

from __future__ import annotations

from math import sqrt

from ...program import Floats, kernel


@kernel
def find_spare(
    matrix: Floats, holds: Floats, owners: Floats, pivots: Floats, columns: Floats, rank: int, rows: int, n: int,
    block: Floats, spare: Floats, shares: Floats, gram: Floats,
) -> int:
    """How many rows of contacts hold that others imply: spare (rows,), their places; shares (spare, rank), how the
    pivots' rows make them up; gram (spare, spare), the Cholesky factor of Nᵀ N over rows of contacts.

    matrix (rows, n); owners: -2 for rows of contacts; block: A_D's factors from `prepare`.
    """
    count = 0
    for i in range(rows):
        if holds[i] != 0.0 and owners[i] == -2.0:
            among = 0
            for k in range(rank):
                if int(pivots[k]) == i:
                    among = 1
            if among == 0:
                spare[count] = float(i)
                count += 1
    for s in range(count):
        row = int(spare[s]) * n
        for i in range(rank):  # Uᵀ Lᵀ c = a
            total = matrix[row + int(columns[i])]
            for k in range(i):
                total -= block[k * rank + i] * shares[s * rank + k]
            shares[s * rank + i] = total / block[i * rank + i]
        for back in range(rank):
            i = rank - 1 - back
            total = shares[s * rank + i]
            for k in range(i + 1, rank):
                total -= block[k * rank + i] * shares[s * rank + k]
            shares[s * rank + i] = total
    for s in range(count):
        for r in range(s + 1):
            total = 1.0 if s == r else 0.0
            for k in range(rank):
                if owners[int(pivots[k])] == -2.0:
                    total += shares[s * rank + k] * shares[r * rank + k]
            gram[s * count + r] = total
    for r in range(count):
        total = gram[r * count + r]
        for k in range(r):
            total -= gram[r * count + k] * gram[r * count + k]
        diagonal = sqrt(total)
        gram[r * count + r] = diagonal
        for s in range(r + 1, count):
            total = gram[s * count + r]
            for k in range(r):
                total -= gram[s * count + k] * gram[r * count + k]
            gram[s * count + r] = total / diagonal
    return count


@kernel
def share(
    count: int, rank: int, owners: Floats, pivots: Floats, spare: Floats, shares: Floats, gram: Floats,
    wanted: Floats, carried: Floats, work: Floats,
) -> None:
    """carried (rows,) as near to wanted (rows,) on the rows of contacts as the motion allows; work (count,)."""
    for s in range(count):
        total = wanted[int(spare[s])] - carried[int(spare[s])]
        for k in range(rank):
            row = int(pivots[k])
            if owners[row] == -2.0:
                total -= shares[s * rank + k] * (wanted[row] - carried[row])
        for k in range(s):
            total -= gram[s * count + k] * work[k]
        work[s] = total / gram[s * count + s]
    for back in range(count):
        s = count - 1 - back
        total = work[s]
        for k in range(s + 1, count):
            total -= gram[k * count + s] * work[k]
        work[s] = total / gram[s * count + s]
        carried[int(spare[s])] += work[s]
        for k in range(rank):
            carried[int(pivots[k])] -= shares[s * rank + k] * work[s]
