"""Elimination and least-norm solutions against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.simulation.contact.dense import are_finite, dot, dot_magnitudes, eliminate, largest, least_norm


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_elimination(n: int) -> None:
    rng = np.random.default_rng(n)
    a, r = rng.normal(size=(n, n)), rng.normal(size=n)
    x = r.copy()
    assert eliminate(a.copy().ravel(), x, n) == 1
    assert x == pytest.approx(np.linalg.solve(a, r), rel=1e-11, abs=1e-12)


def test_singular_equations_are_said() -> None:
    assert eliminate(np.array([1.0, 2.0, 2.0, 4.0]), np.ones(2), 2) == 0
    assert eliminate(np.zeros(4), np.ones(2), 2) == 0
    assert eliminate(np.full(4, np.nan), np.ones(2), 2) == 0


@pytest.mark.parametrize("seed", range(60))
def test_least_norm(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    rank = int(rng.integers(0, n + 1))
    a = rng.normal(size=(n, rank)) @ rng.normal(size=(rank, n))
    r, x = rng.normal(size=n), np.zeros(n)
    assert least_norm(a.copy().ravel(), r.copy(), x, n, 1e-11, np.zeros(3 * n)) == rank
    assert x == pytest.approx(np.linalg.pinv(a, rcond=1e-11) @ r, rel=1e-8, abs=1e-8)


def test_sums() -> None:
    x = np.array([3.0, -4.0, 1.0])
    assert (largest(x, 3), largest(x, 0), dot(x, x[1:], 2), dot_magnitudes(x, x[1:], 2)) == (4.0, 0.0, -16.0, 16.0)
    assert are_finite(x, 3) == 1
    assert are_finite(np.array([1.0, np.inf]), 2) == 0
    assert are_finite(np.array([np.nan]), 1) == 0
