"""Linear equations solved in the graph: right wherever they can be solved, also where coefficients vanish."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.equations.square import solve_square
from jourdain.graph import Graph, Node, Role, interpret
from jourdain.model.elimination import Equation


def solved(pattern: np.ndarray, numbers: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The solution by the expressions that are found for this pattern of coefficients, at these numbers."""
    graph, n = Graph(), len(pattern)
    symbols = [[graph.symbol(f"a{i}{k}", Role.COORDINATE) for k in range(n)] for i in range(n)]
    loads = [graph.symbol(f"b{i}", Role.SPEED) for i in range(n)]
    rows = [Equation([x if pattern[i, k] else graph.zero for k, x in enumerate(row)], [loads[i]])
            for i, row in enumerate(symbols)]  # fmt: skip
    found = solve_square(graph, rows, lambda x: 0.0 if x.is_zero else 1.0)
    values: dict[Node, float] = dict(zip(loads, right))
    values |= {symbols[i][k]: float(numbers[i, k]) for i in range(n) for k in range(n)}
    return np.array(interpret([x for (x,) in found], values))


@pytest.mark.parametrize("seed", range(60))
def test_sparse_and_dense(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 1 + seed % 6
    pattern = rng.random((n, n)) < rng.choice([0.3, 0.6, 1.0])
    pattern[np.arange(n), rng.permutation(n)] = True
    numbers = np.where(pattern, rng.normal(size=(n, n)), 0.0)
    right = rng.normal(size=n)
    found = solved(pattern, numbers, right)
    assert np.abs(numbers @ found - right).max() <= 1e-13 * np.linalg.cond(numbers) * np.abs(right).max()


@pytest.mark.parametrize("n", range(2, 6))
@pytest.mark.parametrize("seed", range(6))
def test_coefficients_that_vanish_where_the_matrix_is_regular(n: int, seed: int) -> None:
    """A permutation: n of n² coefficients are not zero, and nobody knew which when the expressions were found."""
    rng = np.random.default_rng(seed)
    numbers = np.zeros((n, n))
    numbers[np.arange(n), rng.permutation(n)] = rng.uniform(1.0, 2.0, n)
    right = rng.normal(size=n)
    found = solved(np.ones((n, n), bool), numbers, right)
    assert np.isfinite(found).all()
    assert np.abs(numbers @ found - right).max() <= 1e-14
