"""Which speeds are independent: pivoted elimination of the rows that hold now.

Reckdahl chooses by singular values (Gillespie 2003, section 4, block 2); elimination with complete pivoting chooses as
well, for a third of the work, and says the rank too. Columns are measured by the masses they move: a speed [rad/s] and
one [m/s] are compared by what they carry.
"""

from __future__ import annotations

from math import sqrt

from ...program import Floats, kernel

RANK = 1e-8  # of the first pivot: a row whose rest is smaller says nothing new here
BETTER = 1.0 + 1e-9  # times: of pivots that are equal but for rounding the first is taken
LIGHT = 1e-12  # of the largest mass: what is lighter counts as so heavy, and is solved for first


@kernel
def choose(
    matrix: Floats, mass: Floats, holds: Floats, rows: int, n: int, rest: Floats, scale: Floats, pivots: Floats,
    columns: Floats,
) -> int:
    """The rank of the rows that hold. matrix (rows, n); mass (n, n); holds (rows,): 1 where a row holds, else 0.

    pivots (rows,): the rows that are independent, in order of elimination, then −1. columns (n,): as many dependent
    speeds, each the pivot of its row, then the independent ones in their order. rest (rows, n), scale (n,): work.
    """
    heaviest = 0.0
    for j in range(n):
        heaviest = max(heaviest, mass[j * n + j])
    for j in range(n):
        scale[j] = 1.0 / sqrt(max(mass[j * n + j], LIGHT * heaviest)) if heaviest > 0.0 else 1.0
    for i in range(rows):
        pivots[i] = -1.0
        longest = 0.0
        for j in range(n):
            rest[i * n + j] = matrix[i * n + j] * scale[j]
            longest = max(longest, abs(rest[i * n + j]))
        for j in range(n):  # rows of length about one: lengths and angles are not compared
            rest[i * n + j] = rest[i * n + j] / longest if longest > 0.0 and holds[i] != 0.0 else 0.0
    for j in range(n):
        columns[j] = 0.0  # as yet: the place of each dependent speed among these, from 1
    rank = 0
    searching = True
    while searching and rank < rows and rank < n:
        row = -1
        column = -1
        largest = RANK
        for i in range(rows):
            for j in range(n):
                if abs(rest[i * n + j]) > largest * BETTER:
                    largest = abs(rest[i * n + j])
                    row = i
                    column = j
        if row < 0:
            searching = False
        else:
            for i in range(rows):
                if i != row and rest[i * n + column] != 0.0:
                    factor = rest[i * n + column] / rest[row * n + column]
                    for j in range(n):
                        rest[i * n + j] -= factor * rest[row * n + j]
                    rest[i * n + column] = 0.0
            for j in range(n):
                rest[row * n + j] = 0.0
            pivots[rank] = float(row)
            rank += 1
            columns[column] = float(rank)
    free = rank
    for j in range(n):
        scale[j] = columns[j]
    for j in range(n):
        if scale[j] == 0.0:
            columns[free] = float(j)
            free += 1
        else:
            columns[int(scale[j]) - 1] = float(j)
    return rank
