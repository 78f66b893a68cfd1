"""Lemke's method against least squares and by its own conditions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls

from jourdain.simulation.contact.lemke import lemke

from .problems import Array


def found(matrix: Array, q: Array) -> Array | None:
    n = len(q)
    z = np.zeros(n)
    table = np.concatenate([matrix, q[:, None]], axis=1).ravel()
    return z if lemke(table, n, z, np.zeros(n * (n + 2)), np.zeros(2 * n + 1)) else None


@pytest.mark.parametrize("seed", range(40))
def test_nearly_singular(seed: int) -> None:
    """M = J Jᵀ + ε², q = J g: z ≥ 0 for which |Jᵀ z + g|² + ε² |z|² is least."""
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(int(rng.integers(1, 9)), 5))
    g, n, epsilon = rng.normal(size=5), len(J), 1e-4
    z = found(J @ J.T + epsilon**2 * np.eye(n), J @ g)
    least, _ = nnls(np.concatenate([J.T, epsilon * np.eye(n)]), np.concatenate([-g, np.zeros(n)]))
    assert z is not None
    assert J.T @ z == pytest.approx(J.T @ least, abs=1e-8)


@pytest.mark.parametrize("seed", range(40))
def test_copositive(seed: int) -> None:
    """M ≥ 0 with a positive diagonal, of no symmetry: there is an answer whatever q is."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 10))
    matrix, q = rng.uniform(0.0, 1.0, size=(n, n)) + np.eye(n), rng.normal(size=n)
    z = found(matrix, q)
    assert z is not None
    w = matrix @ z + q
    assert z.min() >= 0.0
    assert w.min() > -1e-11
    assert abs(z @ w) < 1e-10


def test_a_ray() -> None:
    assert found(np.array([[-1.0]]), np.array([-1.0])) is None
    assert found(np.array([[0.0]]), np.array([-1.0])) is None
    assert found(np.array([[-1.0]]), np.array([2.0])) is not None
