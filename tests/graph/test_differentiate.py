"""Derivatives: every rule against a complex step in many digits, forward against reverse, on random graphs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jourdain.graph import (
    OPERATIONS,
    Graph,
    Node,
    Operation,
    Role,
    absolute,
    atan2,
    cos,
    count,
    exp,
    floor,
    interpret,
    less,
    log,
    maximum,
    minimum,
    power,
    select,
    sign,
    sin,
    sqrt,
)
from jourdain.graph.differentiate import (
    RULES,
    directions,
    forward_jacobian,
    gradient,
    jacobian,
    jvp,
    reverse_jacobian,
    vjp,
)

from .exact import exact, exact_rates
from .random_graphs import RandomGraph, graphs, random_graph, random_values

G = Graph()
X, Y, Z = (G.symbol(name, Role.COORDINATE) for name in "xyz")
POINTS = ((0.3, 0.7, -0.4), (0.9, 0.2, 0.6), (-0.5, -0.8, 0.1), (0.1, -0.6, -0.9), (-0.2, 0.9, 0.5))
POSITIVE = frozenset({"sqrt", "log", "pow"})


def close(found: Sequence[Any], expected: Sequence[Any]) -> None:
    """Equal but for what folding constants in 64 bits rounded."""
    np.testing.assert_allclose(
        np.array([float(a.real) for a in found]), np.array([float(b) for b in expected]), rtol=1e-12, atol=1e-12
    )


def numbers(symbols: Sequence[Node], seed: int) -> dict[Node, float]:
    return {x: float(v) for x, v in random_values(symbols, seed).items()}


# -- the rules -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", OPERATIONS, ids=repr)
@pytest.mark.parametrize("point", POINTS, ids=str)
def test_every_rule(op: Operation, point: tuple[float, ...]) -> None:
    symbols = [X, Y, Z][: op.arity]
    values = {x: abs(v) if op.name in POSITIVE and x is X else v for x, v in zip(symbols, point)}
    node = G.apply(op, *symbols)
    for x in symbols:
        expected = exact_rates([node], values, {x: 1.0})
        close(exact(jvp([node], {x: 1.0}), values), expected)
        close(exact(gradient(node, [x]), values), expected)


@pytest.mark.parametrize("op", OPERATIONS, ids=repr)
def test_rules_with_constant_and_equal_operands(op: Operation) -> None:
    """As they come in models: one operand a number, or the same one twice."""
    values = {X: 0.4, Y: 0.6, Z: 0.8}
    cases = [G.apply(op, *[sin(X) + 0.5] * op.arity)]
    for place in range(op.arity if op.arity > 1 else 0):
        operands: list[Node | float] = [*(X, Y, Z)[: op.arity]]
        operands[place] = 0.7
        cases.append(G.apply(op, *operands))
    for node in cases:
        for x in (X, Y, Z):
            expected = exact_rates([node], values, {x: 1.0})
            close(exact(jvp([node], {x: 1.0}), values), expected)
            close(exact(gradient(node, [x]), values), expected)


def test_steps_are_flat() -> None:
    for op, rules in RULES.items():
        if rules is None:
            node = G.apply(op, *[sin(X), Y][: op.arity])
            assert gradient(node, [X, Y]) == [G.zero, G.zero]
            assert jvp([node], {X: 1.0, Y: 1.0}) == [G.zero]


def test_forms_that_a_person_would_write() -> None:
    assert gradient(sin(X), [X]) == [cos(X)]
    assert gradient(cos(X), [X]) == [-sin(X)]
    assert gradient(X * Y, [X, Y]) == [Y, X]
    assert gradient(exp(X), [X]) == [exp(X)]
    assert gradient(log(X), [X]) == [1 / X]
    assert gradient(absolute(X), [X]) == [sign(X)]
    assert gradient(X**3, [X])[0] is not G.zero
    assert jvp([minimum(X, Y)], {X: 1.0, Y: 2.0}) == [select(less(Y, X), 2.0, 1.0)]
    assert jvp([select(Z, X, Y)], {X: 1.0}) == [select(Z, 1.0, 0.0)]
    assert jvp([select(Z, X, Y)], {Z: 1.0}) == [G.zero]
    assert jvp([sqrt(X)], {}) == [G.zero]


def test_a_power_of_nothing_has_a_derivative_by_its_exponent() -> None:
    """0^y is flat, where log(0) alone would give NaN."""
    (by_exponent,) = interpret(gradient(power(X, Y), [Y]), {X: np.array([0.0, 2.0]), Y: 3.0})
    np.testing.assert_allclose(by_exponent, [0.0, 8.0 * np.log(2.0)], rtol=1e-15)


def test_kinks_take_one_side() -> None:
    values = {X: 1.0, Y: 1.0}
    for extreme in (minimum, maximum):
        found = [float(v) for v in interpret(gradient(extreme(X, Y), [X, Y]), values)]
        assert found == [1.0, 0.0]
        assert [float(v) for v in interpret(jvp([extreme(X, Y)], {X: 1.0, Y: 5.0}), values)] == [1.0]
    assert [float(v) for v in interpret(gradient(absolute(X), [X]), {X: 0.0})] == [0.0]


# -- both directions on random graphs --------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(graphs(50), st.integers(0, 1000))
def test_forward_is_the_complex_step(sample: RandomGraph, seed: int) -> None:
    _, symbols, outputs = sample
    values, direction = numbers(symbols, seed), numbers(symbols, seed + 1)
    close(exact(jvp(outputs, direction), values), exact_rates(outputs, values, direction))


@settings(max_examples=60, deadline=None)
@given(graphs(50), st.integers(0, 1000))
def test_reverse_is_the_transpose_of_forward(sample: RandomGraph, seed: int) -> None:
    """w · (J v) = v · (Jᵀ w), for any w and v."""
    _, symbols, outputs = sample
    values, v = numbers(symbols, seed), numbers(symbols, seed + 1)
    w = [float(x) for x in np.random.default_rng(seed).uniform(-1.0, 1.0, len(outputs))]
    pushed = exact(jvp(outputs, v), values)
    pulled = exact(vjp(outputs, w, symbols), values)
    forward = sum(a * b for a, b in zip(w, pushed))
    reverse = sum(v[x] * b for x, b in zip(symbols, pulled))
    close([forward], [reverse.real])


@settings(max_examples=40, deadline=None)
@given(graphs(50), st.integers(0, 1000))
def test_jacobians_agree(sample: RandomGraph, seed: int) -> None:
    _, symbols, outputs = sample
    values = numbers(symbols, seed)
    shapes = [(len(rows), {len(row) for row in rows}) for rows in (jacobian(outputs, symbols),)]
    assert shapes == [(len(outputs), {len(symbols)})]
    forward = [exact(row, values) for row in forward_jacobian(outputs, symbols)]
    reverse = [exact(row, values) for row in reverse_jacobian(outputs, symbols)]
    chosen = [exact(row, values) for row in jacobian(outputs, symbols)]
    for i, row in enumerate(forward):
        close(reverse[i], [a.real for a in row])
        close(chosen[i], [a.real for a in row])
    for j, x in enumerate(symbols):
        close([row[j] for row in forward], exact_rates(outputs, values, {x: 1.0}))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_second_derivatives_are_symmetric(seed: int) -> None:
    _, symbols, outputs = random_graph(seed, 25)
    values = numbers(symbols, seed)
    hessian = jacobian(gradient(outputs[0], symbols), symbols)
    rows = [exact(row, values) for row in hessian]
    for i in range(len(symbols)):
        close(rows[i], [rows[j][i].real for j in range(len(symbols))])


# -- what the functions promise --------------------------------------------------------------------------------------


def test_variables_may_be_intermediate_nodes() -> None:
    """What such a node was computed from is held fixed."""
    product = X * Y
    f = sin(product) + X * product
    assert gradient(f, [product]) == [cos(product) + X]
    assert jvp([f], {product: 1.0}) == [cos(product) + X]
    assert gradient(product, [product, X]) == [G.one, G.zero]
    assert jvp([product], {product: 2.0, X: 5.0}) == [G.constant(2.0)]
    assert forward_jacobian([f], [product, X])[0][0] is cos(product) + X


def test_a_time_derivative_is_a_push() -> None:
    u = G.symbol("u", Role.SPEED)
    assert jvp([sin(X) * Y, Z], {X: u}) == [u * cos(X) * Y, G.zero]


def test_equal_outputs_add_up() -> None:
    assert vjp([X * Y, X * Y], [2.0, 3.0], [X]) == [5 * Y]
    assert vjp([X, -X], [1.0, 1.0], [X]) == [G.zero]


def test_what_does_not_matter_is_zero() -> None:
    assert gradient(sin(X), [Y, Z]) == [G.zero, G.zero]
    assert gradient(G.constant(3.0), [X]) == [G.zero]
    assert jacobian([floor(X), Y], [X, Y]) == [[G.zero, G.zero], [G.zero, G.one]]


def test_nothing_asked_nothing_made() -> None:
    before = len(G)
    assert vjp([X], [1.0], []) == []
    assert vjp([], [], [X]) == [G.zero]
    assert jvp([], {X: 1.0}) == []
    assert jacobian([], [X]) == []
    assert jacobian([X, Y], []) == reverse_jacobian([X, Y], []) == forward_jacobian([X, Y], []) == [[], []]
    assert len(G) == before


def test_cotangents_must_match_the_outputs() -> None:
    with pytest.raises(ValueError, match="2 outputs need as many cotangents, 1 given"):
        vjp([X, Y], [1.0], [X])


def test_the_direction_with_less_to_carry_is_chosen() -> None:
    symbols = [G.symbol(f"w{i}", Role.INPUT) for i in range(12)]
    one = sum((sin(x) for x in symbols), G.zero)
    many = [sin(X * (i + 2.0)) for i in range(12)]
    forward, reverse = directions([one], symbols)
    assert forward > reverse
    forward, reverse = directions(many, [X])
    assert forward <= reverse
    assert jacobian([one], symbols) == reverse_jacobian([one], symbols)
    assert jacobian(many, [X]) == forward_jacobian(many, [X])


def test_a_gradient_costs_little_more_than_its_function() -> None:
    """The law of reverse differentiation: a small multiple, however many symbols there are."""
    symbols = [G.symbol(f"w{i}", Role.INPUT) for i in range(40)]
    f = G.zero
    for a, b in pairwise(symbols):
        f = f + sin(a * b) / (a * a + 2.0) + atan2(a, b)
    alone, both = count([f]), count([f, *gradient(f, symbols)])
    assert both.total <= 4 * alone.total


def test_shared_parts_stay_shared() -> None:
    f = exp(sin(X) * cos(X))
    assert count([f, *gradient(f, [X])]).trig == 1
    assert count([f, *gradient(f, [X])]).other == 1
