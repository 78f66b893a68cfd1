"""Nodes: unique, frozen by convention, simplified at birth, in one canonical form, and clear about misuse."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jourdain.graph import (
    OPERATIONS,
    Graph,
    Node,
    Role,
    absolute,
    acos,
    asin,
    atan2,
    cos,
    count,
    equal,
    exp,
    floor,
    interpret,
    less,
    less_equal,
    log,
    maximum,
    minimum,
    not_equal,
    power,
    reachable,
    select,
    sign,
    sin,
    sqrt,
    substitute,
    tan,
)
from jourdain.graph.operations import ADD, CONSTANT, DIV, MUL, NEG, POW, SELECT, SQRT, SUB, SYMBOL

from .random_graphs import RandomGraph, graphs, random_values

UNARY = (sqrt, sin, cos, tan, asin, acos, exp, log, absolute, sign, floor)
BINARY = (atan2, power, minimum, maximum, less, less_equal, equal, not_equal)


class Letters:
    """A graph with symbols of every kind: x, y, z at run time, m, k, L known beforehand."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.x, self.y, self.z = (self.graph.symbol(name, Role.COORDINATE) for name in "xyz")
        self.m, self.k, self.L = (self.graph.symbol(name, Role.PARAMETER) for name in "mkL")


@pytest.fixture
def a() -> Letters:
    return Letters()


# -- leaves ----------------------------------------------------------------------------------------------------------


def test_a_constant_is_unique_by_its_bits() -> None:
    graph = Graph()
    assert graph.constant(0.1 + 0.2) is not graph.constant(0.3)
    assert graph.constant(2) is graph.constant(2.0) is graph.constant(True) + 1
    assert graph.constant(5e-324) is not graph.zero


def test_signed_zeros_are_one_zero_and_all_nans_one_nan() -> None:
    graph = Graph()
    assert graph.constant(-0.0) is graph.zero is graph.constant(0)
    assert math.copysign(1.0, graph.constant(-0.0).value) == 1.0
    nan = graph.constant(math.nan)
    assert nan is graph.constant(math.inf - math.inf) is graph.constant(-math.nan)
    assert nan is not graph.constant(math.inf)


@pytest.mark.parametrize("number", [np.float32(0.5), np.float64(0.5), np.array(0.5), Fraction(1, 2)], ids=repr)
def test_numbers_of_all_kinds_are_constants(number: Any) -> None:
    constant = Graph().constant(number)
    assert constant.is_constant
    assert type(constant.value) is float
    assert constant.value == 0.5


@pytest.mark.parametrize(
    # Named by their types: an object's repr has its address, and every worker of pytest-xdist must find the same names.
    "value",
    ["1.0", None, 1j, [1.0], np.array([1.0, 2.0]), object(), 10**400],
    ids=lambda x: type(x).__name__,
)
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="an expression of the graph or a number is needed here"):
        Graph().constant(value)


def test_a_symbol_is_unique_by_name(a: Letters) -> None:
    assert a.graph.symbol("x", Role.COORDINATE) is a.x
    assert a.graph.symbols == (a.x, a.y, a.z, a.m, a.k, a.L)
    assert (a.x.name, a.x.role, a.x.is_symbol, a.x.is_constant) == ("x", Role.COORDINATE, True, False)


def test_a_symbol_cannot_change_its_role(a: Letters) -> None:
    with pytest.raises(ValueError, match="symbol 'x' is already a coordinate, it cannot be a speed too"):
        a.graph.symbol("x", Role.SPEED)


def test_roles_are_gathered(a: Letters) -> None:
    u = a.graph.symbol("u", Role.SPEED)
    assert (a.x * u).roles == Role.COORDINATE.bit | Role.SPEED.bit
    assert (a.m * a.k).is_static
    assert a.graph.one.is_static
    assert not (a.m * a.x).is_static


def test_operands_are_born_before(a: Letters) -> None:
    nodes = a.graph.nodes
    _ = select(less(a.x, a.y), sin(a.x) * a.m, a.z / (a.y + 3.0))
    assert len(a.graph) == len(nodes)
    for i, node in enumerate(nodes):
        assert node.id == i
        assert all(x.id < i for x in node.args)


@settings(max_examples=60, deadline=None)
@given(graphs(60))
def test_no_node_is_there_twice(sample: RandomGraph) -> None:
    keys = [(node.op, node.args, repr(node.payload)) for node in sample.graph.nodes]
    assert len(set(keys)) == len(keys)


@settings(max_examples=60, deadline=None)
@given(graphs(60))
def test_building_again_makes_nothing_new(sample: RandomGraph) -> None:
    before = len(sample.graph)
    for node in reachable(sample.outputs):
        if node.args:
            assert sample.graph.apply(node.op, *node.args) is node
    assert len(sample.graph) == before


# -- folding ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", OPERATIONS, ids=repr)
def test_constants_are_folded(op: Any) -> None:
    graph = Graph()
    numbers = (0.75, -0.5, 2.0)[: op.arity]
    folded = graph.apply(op, *numbers)
    assert folded.is_constant
    assert folded is graph.constant(op.evaluate(*numbers))


def test_folding_follows_ieee() -> None:
    graph = Graph()
    one, zero, inf = graph.one, graph.zero, graph.constant(math.inf)
    assert (one / zero).value == math.inf
    assert (-one / zero).value == -math.inf
    assert math.isnan((inf - inf).value)
    assert math.isnan((inf + -inf).value)
    assert math.isnan((zero * inf).value)
    assert math.isnan(sqrt(-one).value)
    assert math.isnan(asin(graph.constant(2.0)).value)
    assert log(zero).value == -math.inf
    assert exp(graph.constant(1000.0)).value == math.inf


def test_zeros_and_ones_vanish(a: Letters) -> None:
    x, zero, one = a.x, a.graph.zero, a.graph.one
    for same in (x + 0, 0 + x, x - 0, x * 1, 1 * x, x / 1, +x, x**1, 0 - (0 - x), (x * -1) * -1):
        assert same is x
    for nothing in (x * 0, 0 * x, 0 / x, x - x, x + -x, (x + a.y) - (a.y + x), x * 0 * 3):
        assert nothing is zero
    for unity in (x / x, x**0, -x / -x, power(x, 0.0)):
        assert unity is one
    assert 0 - x is -x
    assert x + x is 2 * x
    assert sin(x) * sin(x) + cos(x) * cos(x) is one
    assert cos(x) * cos(x) + sin(x) * sin(x) is one
    assert sin(x) * sin(x) + cos(a.y) * cos(a.y) is not one
    assert sin(x) * sin(x) + sin(a.y) * sin(a.y) is not one


def test_operands_of_one_operation_that_are_equal(a: Letters) -> None:
    x = a.x
    assert minimum(x, x) is maximum(x, x) is x
    assert less(x, x) is not_equal(x, x) is a.graph.zero
    assert less_equal(x, x) is equal(x, x) is a.graph.one
    assert select(x, a.y, a.y) is a.y


def test_a_known_condition_chooses(a: Letters) -> None:
    assert select(1.0, a.x, a.y) is a.x
    assert select(0.0, a.x, a.y) is a.y
    assert select(math.nan, a.x, 2.0) is a.x
    assert select(a.graph.zero, 1.0, 2.0).value == 2.0


def test_a_condition_compared_with_zero_is_the_condition(a: Letters) -> None:
    plain = select(a.z, a.x, a.y)
    assert select(not_equal(a.z, 0), a.x, a.y) is plain
    assert select(not_equal(0, a.z), a.x, a.y) is plain
    assert select(equal(a.z, 0), a.y, a.x) is plain
    assert select(equal(equal(a.z, 0), 0), a.x, a.y) is plain
    assert select(equal(a.z, 1), a.x, a.y).args[0] is equal(a.z, 1)


# -- canonical form --------------------------------------------------------------------------------------------------


def test_order_does_not_matter(a: Letters) -> None:
    x, y = a.x, a.y
    assert x + y is y + x
    assert x * y is y * x
    assert minimum(x, y) is minimum(y, x)
    assert maximum(x, y) is maximum(y, x)
    assert equal(x, y) is equal(y, x)
    assert not_equal(x, y) is not_equal(y, x)
    assert less(x, y) is not less(y, x)
    assert atan2(x, y) is not atan2(y, x)


def test_signs_come_out(a: Letters) -> None:
    x, y = a.x, a.y
    assert x - y is -(y - x)
    assert x + -y is x - y
    assert -x + y is y - x
    assert -x + -y is -(x + y)
    assert -x - y is -(x + y)
    assert x - -y is x + y
    assert -x * y is x * -y is -(x * y)
    assert -x * -y is x * y
    assert -x / y is x / -y is -(x / y)
    assert -x / -y is x / y
    assert x * -2 is -(2 * x)
    assert -2 / x is -(2 / x)
    assert -1 / x is -(1 / x)
    assert x / -2 is -(x / 2)
    assert x + -2 is x - 2
    assert x - -2 is x + 2
    assert -2 - x is -(x + 2)
    assert -2 + x is x - 2


@settings(max_examples=60, deadline=None)
@given(graphs(80))
def test_no_sum_or_product_holds_a_minus(sample: RandomGraph) -> None:
    """Nor a negative number."""
    for node in sample.graph.nodes:
        if node.op in (ADD, SUB, MUL, DIV, NEG):
            assert not any(x.op is NEG or (x.is_constant and x.value < 0) for x in node.args)


def test_odd_and_even_functions(a: Letters) -> None:
    for odd in (sin, tan, asin, sign):
        assert odd(-a.x) is -odd(a.x)
    for even in (cos, absolute):
        assert even(-a.x) is even(a.x)
    for neither in (exp, log, sqrt, acos, floor):
        assert neither(-a.x).args == (-a.x,)


def test_whole_powers_are_products_and_a_half_is_a_root(a: Letters) -> None:
    x = a.x
    assert x**2 is x * x
    assert x**3 is x * (x * x)
    assert x**5 is x * ((x * x) * (x * x))
    assert x**-1 is 1 / x
    assert x**-2 is 1 / (x * x)
    assert count([x**64]).mul == 6
    assert (x**0.5).op is SQRT
    for kept in (x**65, x**0.25, x**-0.5, x**math.inf, x**math.nan, x**a.y, 2**x):
        assert kept.op is POW


# -- what is static gathers ------------------------------------------------------------------------------------------


def test_static_factors_gather(a: Letters) -> None:
    x, y, m, k = a.x, a.y, a.m, a.k
    assert (m * x) * k is (m * k) * x
    assert k * (x * m) is (m * k) * x
    assert 2 * (3 * x) is 6 * x
    assert 2 * (x * m) is (2 * m) * x
    assert (m * (x * y)).args[0] is m
    assert 2 * (m * 3) is 6 * m
    assert 2 * (3 / m) is 6 / m


def test_static_terms_gather(a: Letters) -> None:
    x, m, k, L = a.x, a.m, a.k, a.L
    assert (m + x) + k is (m + k) + x
    assert k + (x + m) is x + (m + k)
    assert (m - x) + k is (m + k) - x
    assert (x - m) + k is x - (m - k)
    assert (x + m) - k is x + (m - k)
    assert (m + x) - k is (m - k) + x
    assert (m - x) - k is (m - k) - x
    assert (x - m) - k is x - (m + k)
    assert k - (x + m) is (k - m) - x
    assert k - (m - x) is (k - m) + x
    assert k - (x - m) is (k + m) - x
    assert L - (L - x) is x
    assert ((x + 1) - m) + (m - 1) is x


def test_a_static_divisor_is_a_factor_known_beforehand(a: Letters) -> None:
    x, m = a.x, a.m
    assert x / m is x * (1 / m)
    assert x / 4 is x * 0.25
    assert (m / 2).op is MUL
    assert (m / a.k).op is DIV  # known beforehand anyway
    assert (m / x).op is DIV
    assert (x / 1e-310).op is DIV  # which has no finite inverse
    assert (x / 0).op is DIV


LAWS: dict[str, Callable[[Node, Node, Node], tuple[Node, Node]]] = {
    "sums": lambda x, s, t: ((s + x) + t, x + (t + s)),
    "differences": lambda x, s, t: ((s - x) - t, (s - t) - x),
    "products": lambda x, s, t: ((s * x) * t, x * (t * s)),
    "quotients": lambda x, s, t: ((x / s) / t, (x / s) * (1 / t)),
    "powers": lambda x, s, t: (x**7, x * x * x * x * x * x * x),
    "signs": lambda x, s, t: (-(s - x) * -t, (s - x) * t),
}


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@settings(max_examples=40, deadline=None)
@given(st.tuples(*[st.floats(0.25, 4.0)] * 3))
def test_gathering_keeps_values(law: Callable[[Any, Any, Any], tuple[Any, Any]], at: tuple[float, ...]) -> None:
    letters = Letters()
    written = law(letters.x, letters.m, letters.k)
    values = interpret(list(written), dict(zip((letters.x, letters.m, letters.k), at)))
    expected = law(*at)
    np.testing.assert_allclose(values, expected, rtol=1e-14, atol=1e-14)


@settings(max_examples=60, deadline=None)
@given(graphs(60), st.integers(0, 1000))
def test_birth_rules_keep_values(sample: RandomGraph, seed: int) -> None:
    """What folds with numbers for symbols is what the interpreter computes."""
    values = random_values(sample.symbols, seed)
    numbers = substitute(sample.outputs, {x: float(v) for x, v in values.items()})
    np.testing.assert_allclose([x.value for x in numbers], interpret(sample.outputs, values), rtol=1e-12, atol=1e-12)


def test_static_gathering_never_adds_run_time_work(a: Letters) -> None:
    both = (a.m * (a.x + a.k)) * a.k - a.L * (a.x - a.m)
    assert count([both]).total <= 5


# -- Python's operators ----------------------------------------------------------------------------------------------


def test_operators_of_python(a: Letters) -> None:
    x = a.x
    assert 2 + x is x + 2.0
    assert 2 - x is -(x - 2)
    assert (a.y - x).op is NEG
    assert (x - a.y).op is SUB
    assert 2 * x is x * 2.0
    assert (2 / x).op is DIV
    assert abs(x) is absolute(x)
    assert x**a.y is power(x, a.y)
    assert 2**x is power(2.0, x)
    assert (-x).op is NEG
    assert (x + a.y).op is ADD


def test_numbers_of_numpy_are_numbers(a: Letters) -> None:
    single: Any = np.float32(0.5)
    whole: Any = np.int64(4)
    assert np.float64(2.0) * a.x is 2.0 * a.x
    assert a.x + single is a.x + 0.5
    assert a.x / whole is a.x / 4


def test_arrays_work_element_by_element(a: Letters) -> None:
    x: Any = a.x
    for array in (np.array([a.m, a.y]), np.array([1.0, 2.0])):
        second = array[1]
        assert [(x + array)[1], (array + x)[1]] == [x + second, second + x]
        assert [(x - array)[1], (array - x)[1]] == [x - second, second - x]
        assert [(x * array)[1], (array * x)[1]] == [x * second, second * x]
        assert [(x / array)[1], (array / x)[1]] == [x / second, second / x]


def test_a_constant_is_a_number_and_nothing_else_is(a: Letters) -> None:
    assert float(a.graph.constant(2.5)) == 2.5
    with pytest.raises(TypeError, match=r"x \+ y is an expression, not a number"):
        float(a.x + a.y)


def test_an_expression_has_no_truth_value(a: Letters) -> None:
    with pytest.raises(TypeError, match="an expression has no truth value"):
        bool(a.x)
    with pytest.raises(TypeError, match="an expression has no truth value"):
        _ = 1 if less(a.x, a.y) else 0


def test_comparing_nodes_is_by_identity(a: Letters) -> None:
    assert (a.x == a.y) is False
    assert a.x in [a.y, a.x]
    assert len({a.x, a.x, a.y}) == 2


def test_value_name_and_role_belong_to_leaves(a: Letters) -> None:
    with pytest.raises(AssertionError, match="only a constant has a value"):
        _ = a.x.value
    with pytest.raises(AssertionError, match="only a symbol has a name"):
        _ = a.graph.one.name
    with pytest.raises(AssertionError, match="only a symbol has a role"):
        _ = (a.x + a.y).role


def test_nodes_are_not_pickled(a: Letters) -> None:
    with pytest.raises(TypeError, match="nodes are not pickled; save the System"):
        pickle.dumps(a.x)
    with pytest.raises(TypeError, match="nodes are not pickled"):
        copy.copy(a.x)


def test_repr_is_the_expression(a: Letters) -> None:
    assert repr(a.m * sin(a.x)) == "m*sin(x)"


# -- misuse ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "operation",
    [lambda x, y: x + y, lambda x, y: x - y, lambda x, y: x * y, lambda x, y: x / y, minimum, atan2],
)
def test_graphs_do_not_mix(operation: Callable[[Node, Node], Node]) -> None:
    there = Graph().symbol("there", Role.INPUT)
    with pytest.raises(ValueError, match="there belongs to another graph; copy it here with `transfer`"):
        operation(Letters().x, there)


@pytest.mark.parametrize("function", UNARY, ids=lambda f: str(f.__name__))
def test_functions_of_one_operand_want_an_expression(function: Callable[[Any], Node]) -> None:
    with pytest.raises(TypeError, match=r"\(\) takes an expression, not 2.0; for a number use Python's math"):
        function(2.0)


@pytest.mark.parametrize("function", BINARY, ids=lambda f: str(f.__name__))
def test_functions_of_two_operands_want_an_expression(function: Callable[[Any, Any], Node]) -> None:
    with pytest.raises(TypeError, match=r"\(\) takes at least one expression; for two numbers use Python's own"):
        function(2.0, 3.0)
    x = Letters().x
    assert function(2.0, x).args in ((x.graph.constant(2.0), x), (x, x.graph.constant(2.0)))


def test_select_wants_an_expression() -> None:
    with pytest.raises(TypeError, match=r"select\(\) takes at least one expression"):
        select(1.0, 2.0, 3.0)


def test_the_number_of_operands_is_checked(a: Letters) -> None:
    with pytest.raises(TypeError, match="select takes 3 operands, 2 given"):
        a.graph.apply(SELECT, a.x, a.y)
    with pytest.raises(TypeError, match="add takes 2 operands, 1 given"):
        a.graph.apply(ADD, a.x)


def test_leaves_are_no_operations(a: Letters) -> None:
    for leaf in (CONSTANT, SYMBOL):
        with pytest.raises(TypeError, match=rf"a {leaf.name} is made by Graph.{leaf.name}\(\), not by an operation"):
            a.graph.apply(leaf)


@pytest.mark.parametrize("other", ["1", None, 1j], ids=repr)
def test_operators_refuse_what_is_no_number(a: Letters, other: Any) -> None:
    for operation in (
        lambda: a.x + other, lambda: other + a.x, lambda: a.x - other, lambda: other - a.x, lambda: a.x * other,
        lambda: a.x / other, lambda: other / a.x, lambda: a.x**other, lambda: minimum(a.x, other),
    ):  # fmt: skip
        with pytest.raises(TypeError, match="an expression of the graph or a number is needed here"):
            operation()


def test_numpys_functions_are_those_of_expressions(a: Letters) -> None:
    x, y = a.x, a.y
    theirs: Any = np.arctan2
    ours: Any
    assert theirs(x, y) is atan2(x, y)
    for theirs, ours in (
        (np.sin, sin), (np.cos, cos), (np.tan, tan), (np.arcsin, asin), (np.arccos, acos), (np.sqrt, sqrt),
        (np.exp, exp), (np.log, log),
    ):  # fmt: skip
        assert theirs(x) is ours(x)
        assert theirs(np.array([x, y]))[1] is ours(y)


def test_expressions_have_no_order(a: Letters) -> None:
    compared: list[Callable[[Any], object]] = [
        lambda x: x < 1.0, lambda x: x <= a.y, lambda x: x > 1.0, lambda x: x >= a.y, lambda x: max(0.0, x)
    ]  # fmt: skip
    for compare in compared:
        with pytest.raises(TypeError, match=r"x is an expression, which is neither .* jourdain\.select"):
            compare(a.x)
