"""The operation table: one meaning on floats and on arrays, and a row wherever an operation must be known."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from jourdain.graph import BY_NAME, OPERATIONS, Cost, Graph, Operation, Role
from jourdain.graph.differentiate import RULES
from jourdain.graph.operations import CONSTANT, LEAVES, STATIC_MASK, SYMBOL
from jourdain.graph.parse import parse
from jourdain.graph.spell import spell
from jourdain.graph.write import latex, text
from jourdain.targets.llvm.spelling import SPELLING

AWKWARD = (
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, 1.5, 5e-324, -1e-310, 2.2250738585072014e-308, 1e-16, 1e16, -1e16,
    math.pi / 2, -math.pi, 1e5, 710.0, -746.0, 1e200, -1e200, 1.7976931348623157e308, math.inf, -math.inf, math.nan,
)  # fmt: skip
# What IEEE 754 defines exactly; the other functions may differ in the last digit between Python's library and NumPy's.
EXACT = frozenset(
    "neg add sub mul div sqrt abs min max sign floor less less_equal equal not_equal select".split()  # noqa: SIM905
)
ULPS = 4


def agree(op: Operation, a: float, b: float) -> bool:
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    if op.name in EXACT or a == 0.0 or b == 0.0 or math.isinf(a) or math.isinf(b):
        return a == b and math.copysign(1.0, a) == math.copysign(1.0, b)
    return abs(a - b) <= ULPS * math.ulp(a)


@pytest.mark.parametrize("op", OPERATIONS, ids=repr)
def test_floats_and_arrays_agree(op: Operation) -> None:
    points = list(itertools.product(AWKWARD, repeat=op.arity))
    with np.errstate(all="ignore"):
        arrays = op.vectorized(*np.array(points).T)
    assert arrays.dtype == np.float64
    for point, expected in zip(points, arrays):
        value = op.evaluate(*point)
        assert type(value) is float
        assert agree(op, value, float(expected)), f"{op.name}{point} is {value!r}, as an array {expected!r}"


@pytest.mark.parametrize("op", OPERATIONS, ids=repr)
def test_single_precision_stays_single(op: Operation) -> None:
    operands = [np.array([0.25, 0.5], np.float32)] * op.arity
    assert op.vectorized(*operands).dtype == np.float32


@pytest.mark.parametrize("op", OPERATIONS, ids=repr)
def test_every_operation_is_known_everywhere(op: Operation) -> None:
    assert BY_NAME[op.name] is op
    assert op.arity in (1, 2, 3)
    assert isinstance(op.cost, Cost)
    assert repr(op) == op.name
    rules = RULES[op]
    assert rules is None or len(rules) == op.arity
    assert op in SPELLING
    graph = Graph()
    operands = [graph.symbol(name, Role.INPUT) for name in "xyz"[: op.arity]]
    node = graph.apply(op, *operands)
    assert node.op is op
    assert node.args == tuple(operands)
    assert all(x.name in text(node) and x.name in latex(node) for x in operands)
    assert parse(spell(node), {x.name: x for x in operands}, graph) is node


def test_the_tables_hold_nothing_else() -> None:
    assert set(RULES) == set(OPERATIONS) == set(SPELLING) == set(BY_NAME.values())
    assert len(BY_NAME) == len(OPERATIONS)


def test_leaves_have_no_meaning_of_their_own() -> None:
    assert LEAVES == (CONSTANT, SYMBOL)
    for leaf in LEAVES:
        assert leaf.arity == 0
        assert leaf.cost is Cost.FREE
        assert math.isnan(leaf.evaluate())
        assert math.isnan(leaf.vectorized())


def test_every_role_has_a_bit_of_its_own() -> None:
    assert sorted(role.bit for role in Role) == [1 << i for i in range(len(Role))]
    assert Role.PARAMETER.bit == STATIC_MASK


def test_a_comparison_of_a_nan_is_false_but_unequal() -> None:
    values = {name: BY_NAME[name].evaluate(math.nan, 1.0) for name in ("less", "less_equal", "equal", "not_equal")}
    assert values == {"less": 0.0, "less_equal": 0.0, "equal": 0.0, "not_equal": 1.0}


def test_select_takes_anything_but_zero_as_true() -> None:
    select = BY_NAME["select"].evaluate
    assert [select(c, 1.0, 2.0) for c in (0.0, -0.0, 1.0, -3.0, math.nan)] == [2.0, 2.0, 1.0, 1.0, 1.0]
