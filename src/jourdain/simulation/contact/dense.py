"""Small dense linear algebra: elimination with row exchanges, and least-norm solutions of singular equations."""

from __future__ import annotations

from math import sqrt

from ...program import Floats, kernel


@kernel
def largest(x: Floats, n: int) -> float:
    """The greatest magnitude among n numbers; 0 of none."""
    found = 0.0
    for i in range(n):
        found = max(found, abs(x[i]))
    return found


@kernel
def are_finite(x: Floats, n: int) -> int:
    """1 where all of n numbers are finite and small enough to be squared, else 0."""
    for i in range(n):
        if not (abs(x[i]) < 1e150):
            return 0
    return 1


@kernel
def dot(x: Floats, y: Floats, n: int) -> float:
    """Σ x_i y_i."""
    found = 0.0
    for i in range(n):
        found += x[i] * y[i]
    return found


@kernel
def dot_magnitudes(x: Floats, y: Floats, n: int) -> float:
    """Σ |x_i y_i|."""
    found = 0.0
    for i in range(n):
        found += abs(x[i] * y[i])
    return found


@kernel
def eliminate(a: Floats, x: Floats, n: int) -> int:
    """Solves A x = r by elimination with row exchanges; 1 if it was done, 0 where A is singular to rounding.

    a: A (n, n), overwritten; x: r (n), becomes the solution.
    """
    size = largest(a, n * n)
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(a[i * n + k]) > abs(a[best * n + k]):
                best = i
        if not (abs(a[best * n + k]) > 1e-15 * size):
            return 0
        if best != k:
            for j in range(k, n):
                kept = a[k * n + j]
                a[k * n + j] = a[best * n + j]
                a[best * n + j] = kept
            kept = x[k]
            x[k] = x[best]
            x[best] = kept
        for i in range(k + 1, n):
            ratio = a[i * n + k] / a[k * n + k]
            if ratio != 0.0:
                for j in range(k + 1, n):
                    a[i * n + j] -= ratio * a[k * n + j]
                x[i] -= ratio * x[k]
    for back in range(n):
        i = n - 1 - back
        found = x[i]
        for j in range(i + 1, n):
            found -= a[i * n + j] * x[j]
        x[i] = found / a[i * n + i]
    return 1


@kernel
def least_norm(a: Floats, r: Floats, x: Floats, n: int, tolerance: float, work: Floats) -> int:
    """The shortest x among those that make |A x − r| least; returns the rank of A.

    a: A (n, n), overwritten; r (n), overwritten; x (n); tolerance: what counts as zero beside the longest column;
    work (3 n). Householder's reflections with the longest column first, from the left, then from the right (Golub and
    Van Loan, Matrix Computations, 4th ed., 5.4 and 5.5): A P = Q [L 0; 0 0] Z.
    """
    # work: where a column came from; the reflections' factors from the right; the solution in the exchanged order
    for j in range(n):
        work[j] = float(j)
    rank = 0
    first = 0.0
    for k in range(n):
        best = k
        longest = -1.0
        for j in range(k, n):
            square = 0.0
            for i in range(k, n):
                square += a[i * n + j] * a[i * n + j]
            if square > longest:
                longest = square
                best = j
        length = sqrt(longest)
        if k == 0:
            first = length
        if not (length > tolerance * first):
            break
        if best != k:
            for i in range(n):
                kept = a[i * n + k]
                a[i * n + k] = a[i * n + best]
                a[i * n + best] = kept
            kept = work[k]
            work[k] = work[best]
            work[best] = kept
        head = a[k * n + k]
        if head > 0.0:
            length = -length
        # v = column − length e_k, scaled so that its first component is head − length; 2 / v·v = 1 / (length² − …)
        lead = head - length
        factor = -1.0 / (length * lead)
        a[k * n + k] = lead
        for j in range(k + 1, n):
            along = 0.0
            for i in range(k, n):
                along += a[i * n + k] * a[i * n + j]
            along = along * factor
            for i in range(k, n):
                a[i * n + j] -= along * a[i * n + k]
        along = 0.0
        for i in range(k, n):
            along += a[i * n + k] * r[i]
        along = along * factor
        for i in range(k, n):
            r[i] -= along * a[i * n + k]
        a[k * n + k] = length
        rank = k + 1
    # From the right: rows 0 … rank−1 of the trapezoid become a triangle, from the last row up.
    for back in range(rank):
        k = rank - 1 - back
        square = a[k * n + k] * a[k * n + k]
        rest = 0.0
        for j in range(rank, n):
            rest += a[k * n + j] * a[k * n + j]
        work[n + k] = 0.0
        if rest > 0.0:
            length = sqrt(square + rest)
            if a[k * n + k] > 0.0:
                length = -length
            lead = a[k * n + k] - length
            # The reflection's vector is (lead at k, a[k, rank:]); kept divided by lead.
            factor = -lead / length
            work[n + k] = factor
            for j in range(rank, n):
                a[k * n + j] = a[k * n + j] / lead
            a[k * n + k] = length
            for i in range(k):
                along = a[i * n + k]
                for j in range(rank, n):
                    along += a[i * n + j] * a[k * n + j]
                along = along * factor
                a[i * n + k] -= along
                for j in range(rank, n):
                    a[i * n + j] -= along * a[k * n + j]
    for back in range(rank):
        i = rank - 1 - back
        found = r[i]
        for j in range(i + 1, rank):
            found -= a[i * n + j] * work[2 * n + j]
        work[2 * n + i] = found / a[i * n + i]
    for j in range(rank, n):
        work[2 * n + j] = 0.0
    for k in range(rank):
        factor = work[n + k]
        if factor != 0.0:
            along = work[2 * n + k]
            for j in range(rank, n):
                along += a[k * n + j] * work[2 * n + j]
            along = along * factor
            work[2 * n + k] -= along
            for j in range(rank, n):
                work[2 * n + j] -= along * a[k * n + j]
    for j in range(n):
        x[int(work[j])] = work[2 * n + j]
    return rank
