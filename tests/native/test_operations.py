"""Native code is the interpreter: every operation of the table, on every awkward value, one by one and side by side."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from jourdain.graph import Graph, Operation, Role
from jourdain.graph.interpret import interpret
from jourdain.graph.operations import (
    ABS,
    ADD,
    DIV,
    EQUAL,
    FLOOR,
    LESS,
    LESS_EQUAL,
    MAX,
    MIN,
    MUL,
    NEG,
    NOT_EQUAL,
    OPERATIONS,
    SELECT,
    SIGN,
    SQRT,
    SUB,
)
from jourdain.targets.llvm.spelling import SPELLING

from .compiled import PRECISIONS, Floats, assert_same, function_of, operation, ulps

# Correctly rounded by IEEE 754, or no rounding at all.
EXACT = {NEG, ADD, SUB, MUL, DIV, SQRT, ABS, SIGN, FLOOR, LESS, LESS_EQUAL, EQUAL, NOT_EQUAL, SELECT}
# Of minus zero and zero, IEEE 754 leaves open which is the smaller.
ZEROS_ALIKE = {MIN, MAX}
# Two good libraries: each within an ulp or two of the truth, NumPy's vector code within four.
LIBRARY = 5

ids = [op.name for op in OPERATIONS]


def awkward(dtype: Any) -> Floats:
    """Zeros, infinities, NaN, subnormal, tiny, huge and ordinary numbers."""
    limits = np.finfo(dtype)
    positive = [
        0.0, limits.smallest_subnormal, 3 * limits.smallest_subnormal, limits.tiny, limits.eps, 0.1, 0.5, 0.7, 1.0, 1.5,
        2.0, 3.0, np.pi, 100.5, 1.0 / limits.eps, limits.max / 2, limits.max, np.inf,
    ]
    numbers = np.array(positive, dtype)
    return np.concatenate([numbers, -numbers, np.array([np.nan], dtype)])


def operands(op: Operation, dtype: Any) -> Floats:
    """All combinations, (members, arity)."""
    return np.array(list(itertools.product(awkward(dtype), repeat=op.arity)), dtype)


def expected(op: Operation, x: Floats) -> Floats:
    graph = Graph()
    symbols = [graph.symbol(f"x{i}", Role.INPUT) for i in range(op.arity)]
    (result,) = interpret([graph.apply(op, *symbols)], dict(zip(symbols, x.T)), x.dtype)
    return result


def assert_agree(op: Operation, native: Floats, oracle: Floats) -> None:
    assert native.dtype == oracle.dtype
    if op in EXACT:
        assert_same(native, oracle)
    elif op in ZEROS_ALIKE:
        assert_same(native + 0.0, oracle + 0.0)
    else:
        worst = int(np.argmax(ulps(native, oracle)))
        assert ulps(native, oracle)[worst] <= LIBRARY, f"{native[worst]} {oracle[worst]}"


def test_the_table_is_spelled_row_by_row() -> None:
    assert set(SPELLING) == set(OPERATIONS)


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("op", OPERATIONS, ids=ids)
def test_every_operation_is_the_interpreters(op: Operation, dtype: Any) -> None:
    x = operands(op, dtype)
    assert_agree(op, operation(op, dtype)(x)[:, 0], expected(op, x))


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("op", OPERATIONS, ids=ids)
def test_one_by_one_is_side_by_side(op: Operation, dtype: Any) -> None:
    x = operands(op, dtype)
    if len(x) > 2000:
        x = x[np.random.default_rng(0).permutation(len(x))[:2000]]
    function = operation(op, dtype)
    assert_same(np.array([function(member) for member in x]), function(x))


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("op", OPERATIONS, ids=ids)
def test_operands_may_be_constants(op: Operation, dtype: Any) -> None:
    """Constants are written into the code, in the precision of the code."""
    graph = Graph()
    x = graph.symbol("x", Role.INPUT)
    values = np.array([0.3, 1.9, -2.5, 0.0, np.inf, np.nan], dtype)
    for at, number in itertools.product(range(op.arity), (0.1, 2.0, 1e300, -3.7)):
        node = graph.apply(op, *(x if i == at else graph.constant(number) for i in range(op.arity)))
        (oracle,) = interpret([node], {x: values}, dtype)
        native = function_of([x], [node], dtype)(values[:, None])[:, 0]
        assert_agree(op if node.op is op else ADD, native, np.broadcast_to(oracle, native.shape).astype(dtype))


def test_a_product_in_a_sum_is_rounded_once() -> None:
    """a*b ± c and c - a*b, all signs: within half an ulp of the exact value; two roundings may lose everything."""
    graph = Graph()
    a, b, c = (graph.symbol(name, Role.INPUT) for name in "abc")
    rng = np.random.default_rng(3)
    x = rng.uniform(-2.0, 2.0, (500, 3)).astype(np.float32)
    x[::2, 2] = x[::2, 0] * x[::2, 1]  # what is left is the product's rounding error
    wide = x.astype(np.float64)  # exact: 24 + 24 bits fit into 53, and so does the sum where the terms are alike
    for node, exact in (
        (a * b + c, wide[:, 0] * wide[:, 1] + wide[:, 2]),
        (a * b - c, wide[:, 0] * wide[:, 1] - wide[:, 2]),
        (c - a * b, wide[:, 2] - wide[:, 0] * wide[:, 1]),
        (-(a * b) - c, -wide[:, 2] - wide[:, 0] * wide[:, 1]),
    ):
        native = function_of([a, b, c], [node], np.float32)(x)[:, 0]
        half = 0.5 * np.spacing(np.abs(native)).astype(np.float64)
        assert np.all(np.abs(native - exact) <= half * (1.0 + 1e-6))
    (oracle,) = interpret([a * b - c], {a: x[::2, 0], b: x[::2, 1], c: x[::2, 2]}, np.float32)
    assert not oracle.any(), "the interpreter rounds twice, so here it has nothing left"
