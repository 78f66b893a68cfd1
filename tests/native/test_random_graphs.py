"""Native code on random graphs: the witness to the last bit, the interpreter to rounding; whole and in pieces."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jourdain.graph import Graph, Node, Operation, Role
from jourdain.graph.interpret import interpret
from jourdain.graph.operations import ADD, DIV, MUL, NEG, SQRT, SUB
from jourdain.graph.order import reachable
from jourdain.program import PIECE, Block, Program

from ..graph.random_graphs import graphs, random_graph, random_values
from .compiled import PRECISIONS, Floats, assert_same, compiled, function_of
from .witness import witness

seeds = st.integers(0, 2**32 - 1)
pieces = st.sampled_from((1, 3, 10, 40, PIECE))


def hoisting(seed: int, size: int) -> Program:
    """A random graph with its parameters as parameters."""
    graph = random_graph(seed, size)
    parameters = tuple(x for x in graph.symbols if x.role is Role.PARAMETER)
    rest = tuple(x for x in graph.symbols if x.role is not Role.PARAMETER)
    blocks = (Block("x", rest[:4]), Block("z", rest[4:]))
    return Program("random", blocks, Block("parameters", parameters), (Block("y", tuple(graph.outputs)),))


@pytest.mark.parametrize("dtype", PRECISIONS)
@settings(max_examples=25, deadline=None, derandomize=True)
@given(graph=graphs(largest=90), piece=pieces, seed=seeds)
def test_native_is_the_witness(dtype: Any, graph: Any, piece: int, seed: int) -> None:
    """Every bit, single and side by side, also where values are far outside every domain."""
    values = random_values(graph.symbols, seed, 19)
    rng = np.random.default_rng(seed)
    wild = rng.choice([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-310, 1e30, -1e38, 1e308], (5, len(graph.symbols)))
    with np.errstate(over="ignore"):
        x = np.concatenate([np.stack([values[s] for s in graph.symbols], axis=-1), wild]).astype(dtype)
    blocks = (Block("x", tuple(graph.symbols)),), Block("p", ()), (Block("y", tuple(graph.outputs)),)
    program = Program("random", *blocks)
    native = compiled(program, dtype, piece).bind()
    expected = witness(program, dict(zip(graph.symbols, x.T)), dtype)
    assert_same(native(x), expected)
    for member in (0, 7, 20, 23):
        assert_same(native(x[member]), expected[member])


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seeds, st.integers(1, 90), pieces)
def test_native_is_the_interpreter_to_rounding(seed: int, size: int, piece: int) -> None:
    """Values are all about one and away from poles; a graph this deep loses a few digits, with either rounding."""
    program = hoisting(seed, size)
    values = random_values(list(program.leaves), seed, 11)
    parameters = {node: values[node][0] for node in program.parameters.nodes}
    given_values = {node: values[node] for block in program.inputs for node in block.nodes}
    oracle = [np.broadcast_to(x, 11) for x in interpret(program.results, {**given_values, **parameters})]
    native = compiled(program, piece=piece).bind(list(parameters.values()))
    inputs = [np.stack([values[node] for node in block.nodes], axis=-1) for block in program.inputs]
    np.testing.assert_allclose(native(*inputs), np.stack(oracle, axis=-1), rtol=1e-10, atol=1e-10)


# How errors of operands come into a result: (exact result, operands, their errors) -> its error before rounding.
CARRIED: dict[Operation, Callable[..., Floats]] = {
    NEG: lambda r, x, e: e[0],
    ADD: lambda r, x, e: e[0] + e[1],
    SUB: lambda r, x, e: e[0] + e[1],
    MUL: lambda r, x, e: abs(x[0]) * e[1] + abs(x[1]) * e[0] + e[0] * e[1],
    DIV: lambda r, x, e: (e[0] + abs(r) * e[1]) / (abs(x[1]) - e[1]),
    SQRT: lambda r, x, e: e[0] / np.sqrt(x[0] - e[0]),
}


def arithmetic(seed: int, size: int) -> tuple[list[Node], list[Node]]:
    """Symbols, and expressions of +, −, ×, ÷ and roots that stay below a thousand where symbols are below two."""
    rng = random.Random(seed)
    graph = Graph()
    symbols = [graph.symbol(name, Role.INPUT) for name in "abcdef"]
    bound: dict[Node, float] = dict.fromkeys(symbols, 2.0)
    while len(bound) < size:
        x, y = rng.choice(list(bound)), rng.choice(list(bound)[-8:])
        made = [
            (x * y, bound[x] * bound[y]), (x * y + rng.choice(symbols), bound[x] * bound[y] + 2.0),
            (x - y, bound[x] + bound[y]), (x / (y * y + 0.7), 2.0 * bound[x]), (-(x + y), bound[x] + bound[y]),
            ((x * x + 0.3) ** 0.5, bound[x] + 1.0),
        ]
        node, largest = rng.choice(made)
        if largest < 1000.0:
            bound.setdefault(node, largest)
    return symbols, list(bound)[-6:]


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("seed", range(6))
def test_arithmetic_is_within_its_rounding(dtype: Any, seed: int) -> None:
    """A bound that follows half an ulp at each operation through the graph to the results.

    Native code (which rounds a product in a sum once) and the interpreter (which rounds it twice) both stay inside.
    """
    symbols, outputs = arithmetic(seed, 80)
    half_ulp = float(np.finfo(dtype).eps) / 2
    x = np.random.default_rng(seed).uniform(-2.0, 2.0, (17, len(symbols))).astype(dtype)
    value: dict[Node, Floats] = {s: column.astype(np.longdouble) for s, column in zip(symbols, x.T)}
    error: dict[Node, Floats] = {s: np.zeros(17, np.longdouble) for s in symbols}
    for node in reachable(outputs):
        if node.is_constant:
            value[node] = np.full(17, node.value, np.longdouble)
            error[node] = abs(value[node] - np.asarray(node.value, dtype))
        elif node not in value:
            args, errors = [value[a] for a in node.args], [error[a] for a in node.args]
            value[node] = node.op.vectorized(*args)
            carried = CARRIED[node.op](value[node], args, errors)
            error[node] = carried + (0.0 if node.op is NEG else half_ulp) * (abs(value[node]) + carried)
    oracle = np.stack(interpret(outputs, dict(zip(symbols, x.T)), dtype), axis=-1)
    exact, bound = (np.stack([of[node] for node in outputs], axis=-1) for of in (value, error))
    slack = 1e-3 * bound + 64 * np.finfo(np.longdouble).eps * abs(exact)  # the witness rounds too
    assert np.all(abs(oracle - exact) <= bound + slack)
    for piece in (7, PIECE):
        assert np.all(abs(function_of(symbols, outputs, dtype, piece)(x) - exact) <= bound + slack)
