"""Kernels for tests: numerical algorithms, and every construct of the language."""

from __future__ import annotations

import linecache
import math
import textwrap
from itertools import count
from math import floor, sqrt
from typing import Any

import numpy as np

from jourdain.program import Floats, Kernel, kernel

TINY = 1e-300
TWO = 2
_files = count()


def written(source: str, **names: Any) -> Kernel[..., Any]:
    """The last kernel of a text, as if it stood in a file."""
    file = f"<kernel {next(_files)}>"
    text = textwrap.dedent(source)
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    home: dict[str, Any] = {"kernel": kernel, "Floats": Floats, "math": math, "np": np, "sqrt": math.sqrt, **names}
    exec(compile(text, file, "exec"), home)  # our own text
    return [x for x in home.values() if isinstance(x, Kernel)][-1]


@kernel
def cholesky(a: Floats, n: int) -> int:
    """a (n, n) symmetric; its lower triangle becomes L with L Lᵀ = a. 0, or the row that was not positive, from 1."""
    for j in range(n):
        for i in range(j, n):
            s = a[i * n + j]
            for k in range(j):
                s -= a[i * n + k] * a[j * n + k]
            if i > j:
                a[i * n + j] = s / a[j * n + j]
            elif s > 0.0:
                a[j * n + j] = sqrt(s)
            else:
                return j + 1
    return 0


@kernel
def forward(lower: Floats, b: Floats, n: int) -> None:
    """b = L⁻¹ b"""
    for i in range(n):
        b[i] = (b[i] - dot(lower[i * n :], b, i)) / lower[i * n + i]


@kernel
def backward(lower: Floats, b: Floats, n: int) -> None:
    """b = L⁻ᵀ b"""
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            b[i] -= lower[j * n + i] * b[j]
        b[i] /= lower[i * n + i]


@kernel
def dot(x: Floats, y: Floats, n: int) -> float:
    """x · y"""
    total = 0.0
    for i in range(n):
        total += x[i] * y[i]
    return total


@kernel
def swap(x: Floats, y: Floats, n: int, stride: int) -> None:
    """Exchanges numbers that lie a stride apart."""
    for i in range(n):
        t = x[i * stride]
        x[i * stride] = y[i * stride]
        y[i * stride] = t


@kernel
def eliminate(a: Floats, b: Floats, order: Floats, n: int, tolerance: float) -> int:
    """a (n, n) x = b by Gaussian elimination with complete pivoting; x replaces b, free unknowns are 0. The rank."""
    for i in range(n):
        order[i] = i
    rank = 0
    while rank < n:
        best = tolerance
        row = -1
        column = -1
        for i in range(rank, n):
            for j in range(rank, n):
                if abs(a[i * n + j]) > best:
                    best = abs(a[i * n + j])
                    row = i
                    column = j
        if row < 0:
            break
        if row != rank:
            swap(a[row * n :], a[rank * n :], n, 1)
            swap(b[row:], b[rank:], 1, 1)
        if column != rank:
            swap(a[column:], a[rank:], n, n)
            swap(order[column:], order[rank:], 1, 1)
        for i in range(rank + 1, n):
            factor = a[i * n + rank] / a[rank * n + rank]
            for j in range(rank, n):
                a[i * n + j] -= factor * a[rank * n + j]
            b[i] -= factor * b[rank]
        rank += 1
    for i in range(n - 1, -1, -1):
        if i >= rank:
            b[i] = 0.0
            continue
        for j in range(i + 1, rank):
            b[i] -= a[i * n + j] * b[j]
        b[i] /= a[i * n + i]
    restore(b, order, n)
    return rank


@kernel
def restore(x: Floats, order: Floats, n: int) -> None:
    """Puts x back where it came from: an insertion sort by the order."""
    for i in range(1, n):
        key = order[i]
        value = x[i]
        j = i
        while j > 0 and order[j - 1] > key:
            order[j] = order[j - 1]
            x[j] = x[j - 1]
            j -= 1
        order[j] = key
        x[j] = value


@kernel
def sort(x: Floats, n: int) -> None:
    """By insertion."""
    for i in range(1, n):
        key = x[i]
        j = i
        while not (j == 0 or x[j - 1] <= key):
            x[j] = x[j - 1]
            j -= 1
        x[j] = key


@kernel
def gcd(a: int, b: int) -> int:
    """The greatest common divisor; its parameters are changed."""
    while b != 0:
        rest = a % b
        a = b
        b = rest
    return abs(a)


@kernel
def search(x: Floats, n: int, low: float, high: float) -> int:
    """The first place with low ≤ x < high, or −1."""
    found = -1
    for i in range(n):
        if low <= x[i] < high:
            found = i
            break
    return found


@kernel
def whole(x: Floats, y: Floats, n: int, step: int) -> float:
    """Whole numbers and truths, conversions, choices, `min` and `max`, the count that the body cannot change."""
    odd = 0
    seen = False
    least = math.inf
    for i in range(n - 1, -1, -2):
        k = int(x[i] * 10.0)
        seen = seen or (k > 3 and not k <= 5)
        y[i] = k // step + (k % step) * 0.5 + floor(x[i]) + float(k) / TWO
        odd += 1 if k % 2 == 1 else 0
        least = min(least, x[i], y[i])
        i += 100
        y[0] += min(i, k, odd) - max(x[0], TINY) * -least
    while True:
        odd += 1
        if odd > 7 or least != least:
            break
    return odd + (0.25 if seen else -0.0) + k_or_zero(n) / 4


@kernel
def k_or_zero(n: int) -> int:
    """Several ways to return."""
    if n > 3:
        return n
    else:
        pass
    while True:
        if n * n >= 4:
            return -n
        n += 1


@kernel
def scribble(a: Floats, b: Floats, n: int) -> None:
    """Arrays that overlap: what is written is read again."""
    for i in range(n):
        b[i + 1] = a[i] * 0.5 + b[i]
        a[i] = b[i + 1] - 1.0
