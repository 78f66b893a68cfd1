"""Expressions in plain numbers are what the interpreter makes of them; in unknown symbols, value and slopes."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.graph import Graph, Role, interpret, less, select, sin
from jourdain.graph.affine import NotAffine, affine
from jourdain.graph.differentiate import jacobian

from .random_graphs import random_graph, random_values


@pytest.mark.parametrize("seed", range(20))
def test_numbers_are_the_interpreters(seed: int) -> None:
    _, symbols, outputs = random_graph(seed=seed, size=120)
    values = {x: float(v[0]) for x, v in random_values(symbols, seed=seed, members=1).items()}
    wanted = np.array([float(x) for x in interpret(outputs, values)])
    found = affine(outputs, values)
    assert found.shape == (len(outputs), 1)
    assert np.allclose(found[:, 0], wanted, rtol=1e-12, atol=1e-12)


def test_values_and_slopes() -> None:
    """Every operation that keeps an expression affine, on either side of what is known."""
    g = Graph()
    q, u, v = g.symbol("q", Role.COORDINATE), g.symbol("u", Role.SPEED), g.symbol("v", Role.SPEED)
    rows = [
        u, q, u + v, u + q, q - u, u - q, u - v, -u, q * v, v * sin(q), u / q, select(less(q, 1.0), u + 2.0, v),
        select(less(q, 0.0), u, q * q), (u + q) * q - (v - 3.0) / q,
    ]  # fmt: skip
    values = {q: 0.7}
    found = affine(rows, values, [u, v])
    full = {q: 0.7, u: 0.0, v: 0.0}
    assert np.allclose(found[:, 0], [float(x) for x in interpret(rows, full)], rtol=1e-15, atol=1e-15)
    slopes = [[float(interpret([x], full)[0]) for x in row] for row in jacobian(rows, [u, v])]
    assert np.allclose(found[:, 1:], slopes, rtol=1e-15, atol=1e-15)
    assert np.array_equal(affine([q * q], values, [u, v]), [[0.7 * 0.7, 0.0, 0.0]])
    assert affine([], values, [u, v]).shape == (0, 3)


def test_what_is_not_affine_is_told() -> None:
    g = Graph()
    q, u = g.symbol("q", Role.COORDINATE), g.symbol("u", Role.SPEED)
    for bent in (u * u, sin(u), q / u, select(less(u, q), u, q)):
        with pytest.raises(NotAffine, match="of symbols that stay unknown"):
            affine([bent], {q: 0.5}, [u])
    with pytest.raises(ValueError, match="no value for q"):
        affine([u + q], {}, [u])


def test_division_by_zero_is_not_finite() -> None:
    g = Graph()
    q, u = g.symbol("q", Role.COORDINATE), g.symbol("u", Role.SPEED)
    found = affine([1.0 / q, u / q], {q: 0.0}, [u])
    assert np.isinf(found[0, 0])
    assert np.isinf(found[1, 1])
