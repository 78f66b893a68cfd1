"""The interpreter: NumPy's meaning of every node, broadcasting, precision, and what is missing."""

from __future__ import annotations

import math

import numpy as np
import pytest

from jourdain.graph import OPERATIONS, Graph, Operation, Role, interpret, less, select, sin, sqrt

from .exact import exact
from .random_graphs import random_graph, random_values

G = Graph()
X, Y = (G.symbol(name, Role.COORDINATE) for name in "xy")
M = G.symbol("m", Role.PARAMETER)


@pytest.mark.parametrize("op", OPERATIONS, ids=repr)
def test_every_operation_is_its_row(op: Operation) -> None:
    symbols = [G.symbol(f"v{i}", Role.INPUT) for i in range(op.arity)]
    at = (0.3, -0.7, 1.9)[: op.arity]
    (value,) = interpret([G.apply(op, *symbols)], dict(zip(symbols, at)))
    np.testing.assert_array_equal(value, np.float64(op.vectorized(*np.array(at)[:, None])[0]))


def test_against_many_digits() -> None:
    """The same graphs in arithmetic of 60 digits."""
    for seed in range(15):
        _, symbols, outputs = random_graph(seed, 60)
        values = random_values(symbols, seed)
        witness = [float(y.real) for y in exact(outputs, {x: float(v) for x, v in values.items()})]
        np.testing.assert_allclose(interpret(outputs, values), witness, rtol=1e-13, atol=1e-13)


def test_values_broadcast() -> None:
    rows, columns = np.arange(3.0)[:, None], np.arange(4.0)
    total, product, only = interpret([X + Y, X * M, M + 1], {X: rows, Y: columns, M: 2.0})
    np.testing.assert_array_equal(total, rows + columns)
    np.testing.assert_array_equal(product, 2.0 * rows)
    assert only.shape == ()
    assert only == 3.0


def test_members_do_not_touch_one_another() -> None:
    _, symbols, outputs = random_graph(3, 60)
    values = random_values(symbols, 3, 7)
    together = interpret(outputs, values)
    for i in range(7):
        alone = interpret(outputs, {x: v[i] for x, v in values.items()})
        np.testing.assert_allclose([np.broadcast_to(y, 7)[i] for y in together], alone, rtol=1e-14, atol=1e-14)


def test_leaves_and_repeated_outputs() -> None:
    assert [float(v) for v in interpret([X, G.constant(2.5), X, -X], {X: 1.5})] == [1.5, 2.5, 1.5, -1.5]
    assert interpret([], {}) == []


def test_precision_is_asked_for() -> None:
    (single,) = interpret([sin(X) / 3], {X: 1.0}, dtype=np.float32)
    assert single.dtype == np.float32
    assert abs(float(single) - math.sin(1.0) / 3) < 1e-7
    (double,) = interpret([sin(X) / 3], {X: np.float32(1.0)})
    assert double.dtype == np.float64


def test_no_warnings_from_poles() -> None:
    inverse, root, chosen = interpret([1 / X, sqrt(X), select(less(X, 0), 0.0, 1 / X)], {X: np.array([0.0, -1.0])})
    assert inverse[0] == math.inf
    assert math.isnan(root[1])
    np.testing.assert_array_equal(chosen, [math.inf, 0.0])


def test_any_node_may_be_given() -> None:
    """What it was computed from is then not needed."""
    product = X * Y
    (value,) = interpret([sin(product) + M], {product: 2.0, M: 1.0})
    assert value == math.sin(2.0) + 1.0


def test_missing_values_are_named() -> None:
    with pytest.raises(ValueError, match="no value for x, m"):
        interpret([X * Y + M], {Y: 1.0})
