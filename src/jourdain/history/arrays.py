"""Vectors and matrices of any scalar, as lists: each function executes just the operations that it must."""

from __future__ import annotations

from collections.abc import Sequence

from .numbers import S

Vector = Sequence[S]
Matrix = Sequence[Sequence[S]]


def dot(a: Vector[S], b: Vector[S]) -> S:
    """n products, n − 1 sums."""
    total = a[0] * b[0]
    for x, y in zip(a[1:], b[1:]):
        total = total + x * y
    return total


def cross(a: Vector[S], b: Vector[S]) -> list[S]:
    """6 products, 3 differences."""
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def plus(*vectors: Vector[S]) -> list[S]:
    """The sum of vectors."""
    total = list(vectors[0])
    for vector in vectors[1:]:
        total = [x + y for x, y in zip(total, vector)]
    return total


def minus(a: Vector[S], b: Vector[S]) -> list[S]:
    """a − b."""
    return [x - y for x, y in zip(a, b)]


def times(a: Vector[S], factor: S) -> list[S]:
    """A vector times a scalar."""
    return [x * factor for x in a]


def transposed(m: Matrix[S]) -> list[list[S]]:
    """Mᵀ; no operation."""
    return [list(column) for column in zip(*m)]


def apply(m: Matrix[S], v: Vector[S]) -> list[S]:
    """M v."""
    return [dot(row, v) for row in m]


def product(a: Matrix[S], b: Matrix[S]) -> list[list[S]]:
    """A B: 27 products and 18 sums for 3 × 3, 64 and 48 for 4 × 4."""
    columns = transposed(b)
    return [[dot(row, column) for column in columns] for row in a]


def matrix_sum(*matrices: Matrix[S]) -> list[list[S]]:
    """The sum of matrices."""
    return [plus(*rows) for rows in zip(*matrices)]


def matrix_difference(a: Matrix[S], b: Matrix[S]) -> list[list[S]]:
    """A − B."""
    return [minus(x, y) for x, y in zip(a, b)]


def matrix_times(m: Matrix[S], factor: S) -> list[list[S]]:
    """A matrix times a scalar."""
    return [times(row, factor) for row in m]


def outer(a: Vector[S], b: Vector[S]) -> list[list[S]]:
    """a bᵀ."""
    return [times(b, x) for x in a]


def trace(m: Matrix[S]) -> S:
    """The sum of the diagonal."""
    total = m[0][0]
    for k in range(1, len(m)):
        total = total + m[k][k]
    return total
