"""Fewer operations from the same expressions: values kept, never more work, the same result on every run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jourdain.graph import BY_NAME, OPERATIONS, Counts, Graph, Node, Operation, Role, count, interpret, sin
from jourdain.graph.improve import improve

from .random_graphs import random_graph, random_values

G = Graph()
A, B, C, D, X, Y, Z = (G.symbol(name, Role.INPUT) for name in ("a", "b", "c", "d", "x", "y", "z"))
M, K, L = (G.symbol(name, Role.PARAMETER) for name in ("m", "k", "L"))

DECKS: dict[str, tuple[Operation, ...]] = {
    "all operations": OPERATIONS,
    "sums and products": tuple(BY_NAME[name] for name in ("add", "sub", "mul", "neg")),
    "products of sums": tuple(BY_NAME[name] for name in ("add", "mul")),
    "quotients": tuple(BY_NAME[name] for name in ("sub", "mul", "div")),
}


def check(outputs: Sequence[Node], symbols: Sequence[Node], seed: int) -> list[Node]:
    """Improved outputs: as many, no dearer, with the same values."""
    better = improve(outputs)
    assert len(better) == len(outputs)
    assert count(better).total <= count(outputs).total
    values = random_values(symbols, seed, 3)
    for found, expected in zip(interpret(better, values), interpret(outputs, values)):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    return better


@pytest.mark.parametrize("operations", DECKS.values(), ids=DECKS)
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 100_000), st.integers(1, 150))
def test_values_are_kept_and_nothing_is_dearer(operations: tuple[Operation, ...], seed: int, size: int) -> None:
    _, symbols, outputs = random_graph(seed, size, operations=operations)
    better = check(outputs, symbols, seed)
    check(better, symbols, seed)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 100_000))
@example(6033)
@example(6085)
def test_sums_of_products(seed: int) -> None:
    """What mechanics is made of: many products of few factors, signs, squares, parameters among them."""
    rng = np.random.default_rng(seed)
    letters = [A, B, C, X, Y, M, K, X + Y, A - B, sin(X)]
    outputs = []
    for _ in range(rng.integers(1, 5)):
        total = G.zero
        for _ in range(rng.integers(1, 14)):
            product = G.constant(float(rng.choice([1.0, -1.0, 2.0])))
            for _ in range(rng.integers(1, 6)):
                product = product * letters[rng.integers(len(letters))]
            total = total + product
        outputs.append(total)
    check(outputs, [A, B, C, D, X, Y, Z, M, K, L], seed)


def saving(*outputs: Node) -> Counts:
    return count(check(outputs, [A, B, C, D, X, Y, Z, M, K, L], 0))


def test_common_factors_come_out() -> None:
    assert saving(A * X + B * X) == Counts(mul=1, add=1)
    assert saving(A * X - B * X) == Counts(mul=1, add=1)
    assert saving(A * X + B * X + C * X + D) == Counts(mul=1, add=3)
    assert saving(A * X * Y + B * X * Y) == Counts(mul=2, add=1)
    assert saving(A * X + B * Y) == Counts(mul=2, add=1)
    assert saving(X * X + A * X) == Counts(mul=1, add=1)
    # What is left of x x a is the x a that stands beside it.
    assert saving((X * X) * A + X * A) == Counts(mul=2, add=1)
    assert saving((X * X) * A + (B * B) * X + X * A) == Counts(mul=3, add=2)


def test_the_factor_that_saves_most_comes_first() -> None:
    """x stands in three terms, y in two; one of the terms is x y."""
    assert saving(A * X + B * X + X * Y * C + Y * D) == Counts(mul=3, add=3)


def test_common_parts_are_computed_once() -> None:
    assert saving(A + B + C, A + B + D) == Counts(add=3)
    assert saving(A + C + B, -B - A + D) == Counts(add=3)
    assert saving(A * B * C, A * D * B) == Counts(mul=3)
    assert saving(A - B + C, B - A + D) == Counts(add=3)
    assert saving(X * (A + B) + Y * (C + (A + B)), A + B) == Counts(mul=2, add=3)


def test_what_cancels_is_gone() -> None:
    assert improve([(A + B) + C - B]) == [A + C]
    assert improve([(A + B) - (B + A * 1)]) == [G.zero]
    assert improve([(A + B + C) - (A + C)]) == [B]
    assert improve([((A + B) + C) - ((C + A) + B)]) == [G.zero]


def test_parameters_are_known_beforehand() -> None:
    """Factors that leave only parameters behind make a precomputed sum; what is static stays closed."""
    assert saving(M * X + K * X) == Counts(mul=1, precompute=1)
    assert saving(M * K + M * L) == count([M * K + M * L])
    assert saving((X + M) + (Y + K)).add == 2


def test_nothing_gained_nothing_changed() -> None:
    """The same objects come back, and the graph does not grow."""
    outputs = [A * X + B * Y, -(A / B), sin(A * X) - C, G.one, M * K, A]
    before = len(G)
    assert improve(outputs) == outputs
    assert len(G) == before
    assert improve([]) == []


def test_it_reaches_inside_functions() -> None:
    assert improve([sin(A * X + B * X)]) == [sin(X * (A + B))]


def test_sums_of_thousands_of_terms() -> None:
    """3000 products of few letters, and a second sum that holds each of them with one factor more."""
    graph = Graph()
    letters = [graph.symbol(f"w{i}", Role.INPUT) for i in range(80)]
    one = other = graph.zero
    for i in range(3000):
        product = letters[i % 80] * letters[(7 * i + i // 80) % 80]
        one, other = one + product, other - product * letters[(3 * i) % 80]
    better = improve([one, other])
    assert count(better).total < 0.72 * count([one, other]).total


SCRIPT = """
from jourdain.graph.improve import improve
from jourdain.graph.differentiate import jacobian
from jourdain.graph.listing import listing
from jourdain.graph.spell import to_table
from jourdain.graph.to_sympy import to_sympy_steps
from tests.graph.random_graphs import random_graph
for seed in range(6):
    graph, symbols, outputs = random_graph(seed, 100)
    better = improve([*outputs, *jacobian(outputs, symbols)[0]])
    print(to_table(better), listing(better), listing(better).latex(), len(graph))
    print(to_sympy_steps(outputs))
"""


def test_the_same_in_every_process() -> None:
    """Whatever Python's hashes and addresses: nodes, listings, tables, SymPy's steps come out letter by letter."""
    root = Path(__file__).parents[2]
    found = []
    for seed in ("0", "1234"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(root), "PYTHONIOENCODING": "utf-8"}
        # Memory taken beforehand moves the addresses that nodes will have.
        script = f"taken = [object() for _ in range({int(seed) * 37})]\n{SCRIPT}"
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, env=environment, capture_output=True, cwd=root, check=True)
        found.append(done.stdout)
    assert len(found[0]) > 10_000
    assert found[0] == found[1]
