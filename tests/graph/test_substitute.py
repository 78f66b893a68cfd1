"""Substitution in one graph, and copies from one graph to another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jourdain.graph import Graph, Role, cos, interpret, reachable, sin, substitute, symbols_of, transfer

from .random_graphs import RandomGraph, graphs, random_values

G = Graph()
X, Y, Z = (G.symbol(name, Role.COORDINATE) for name in "xyz")
M = G.symbol("m", Role.PARAMETER)


def test_symbols_are_replaced() -> None:
    assert substitute([X + Y, X], {X: Z * M}) == [Z * M + Y, Z * M]
    assert substitute([sin(X)], {X: 0.0}) == [G.zero]
    assert substitute([X * Y], {X: 2.0}) == [2 * Y]
    assert substitute([], {X: 2.0}) == []


def test_what_comes_in_is_not_replaced_again() -> None:
    assert substitute([X + 2 * Y], {X: Y, Y: X}) == [Y + 2 * X]
    assert substitute([X], {X: X + 1}) == [X + 1]


def test_any_node_may_be_replaced() -> None:
    assert substitute([sin(X * Y) + X], {X * Y: Z}) == [sin(Z) + X]
    assert substitute([sin(X)], {sin(X): cos(X)}) == [cos(X)]
    before = len(G)
    assert substitute([sin(X * Y)], {X * Y: Z, X: M}) == [sin(Z)]  # nothing is built of what was replaced
    assert len(G) == before


def test_what_is_untouched_stays() -> None:
    untouched = cos(Y) * Z
    before = len(G)
    assert substitute([untouched], {X: 1.0}) == [untouched]
    assert substitute([untouched], {}) == [untouched]
    assert len(G) == before


def test_a_replacement_of_another_graph_is_refused() -> None:
    with pytest.raises(ValueError, match="belongs to another graph"):
        substitute([X], {X: Graph().symbol("x", Role.COORDINATE)})


@settings(max_examples=60, deadline=None)
@given(graphs(60), st.integers(0, 1000))
def test_substitution_is_evaluation_elsewhere(sample: RandomGraph, seed: int) -> None:
    """f(g(x)) is f at the value of g."""
    _, symbols, outputs = sample
    values = random_values(symbols, seed, 3)
    inner = {symbols[0]: sin(symbols[1] + 0.3), symbols[3]: symbols[0] * 0.5}
    moved = values | dict(zip(inner, interpret(list(inner.values()), values)))
    found, expected = interpret(substitute(outputs, inner), values), interpret(outputs, moved)
    for a, b in zip(found, expected):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(graphs(60), st.integers(0, 1000))
def test_a_copy_has_the_same_values(sample: RandomGraph, seed: int) -> None:
    _, symbols, outputs = sample
    there = Graph()
    copies = transfer(outputs, there)
    assert all(node.graph is there for node in reachable(copies))
    originals = {x.name: x for x in symbols}
    assert all(x.role is originals[x.name].role for x in symbols_of(copies))
    values = random_values(symbols, seed, 3)
    copied = {x: values[originals[x.name]] for x in symbols_of(copies)}
    for a, b in zip(interpret(copies, copied), interpret(outputs, values)):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


def test_symbols_of_a_copy_may_be_replaced() -> None:
    there = Graph()
    w = there.symbol("w", Role.INPUT)
    (copy,) = transfer([X * M + sin(Y)], there, {X: w, Y: 0.5})
    assert symbols_of([copy]) == [w, there.symbol("m", Role.PARAMETER)]
    assert copy is w * there.symbol("m", Role.PARAMETER) + sin(there.constant(0.5))


def test_a_copy_of_nodes_into_their_own_graph_is_themselves() -> None:
    assert transfer([X * Y + M], G) == [X * Y + M]


def test_a_symbol_with_another_role_there_is_refused() -> None:
    there = Graph()
    there.symbol("x", Role.SPEED)
    with pytest.raises(ValueError, match="symbol 'x' is already a speed"):
        transfer([X], there)
