"""Parameters: bound once, hoisted once, batch axes broadcast; infinities of theirs are nobody's error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jourdain.graph import Graph, Role, sin
from jourdain.graph.interpret import interpret
from jourdain.native import function as native
from jourdain.native.function import BatchBound, Bound, CastingBound, CheckedBound
from jourdain.native.gufunc import make_gufunc
from jourdain.program import Block, Program

from .compiled import NOWHERE, PARAMETERS, PRECISIONS, Floats, arm, assert_same, compiled


def states(*batch: int) -> tuple[Floats, Floats, Floats]:
    rng = np.random.default_rng(5)
    return rng.uniform(-2, 2, (*batch, 3)), rng.uniform(-2, 2, (*batch, 3)), rng.uniform(-2, 2, batch)


@pytest.mark.parametrize("piece", [8, 1000])
@pytest.mark.parametrize("dtype", PRECISIONS)
def test_bound_is_the_interpreter(dtype: Any, piece: int) -> None:
    program = arm()
    q, u, scale = states(11)
    given = dict(zip([x for block in program.inputs for x in block.nodes], [*q.T, *u.T, scale]))
    oracle = interpret(program.results, given | dict(zip(program.parameters.nodes, PARAMETERS)))
    a, b, c = compiled(program, dtype, piece).bind(PARAMETERS)(q, u, scale)
    found = np.concatenate([a, b.reshape(11, 6), c[:, None]], axis=-1)
    tolerance = 100 * float(np.finfo(dtype).eps)
    np.testing.assert_allclose(found, np.stack(oracle, axis=-1), rtol=tolerance, atol=tolerance)


def test_one_function_bound_many_times() -> None:
    """Each keeps its own values; binding again compiles nothing."""
    function = compiled(arm())
    bounds = [function.bind((0.1 * i, 1.0 - i)) for i in range(20)]
    q, u, scale = states(9)
    first = [bound(q, u, scale)[0] for bound in bounds]
    assert len({a.tobytes() for a in first}) == 20
    for i in (0, 7, 19):
        assert_same(function.bind((0.1 * i, 1.0 - i))(q, u, scale)[0], first[i])
    assert all(bound.function is function for bound in bounds)


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize(
    ("batch", "members"), [((1,), (21,)), ((21,), (21,)), ((4, 1), (21,)), ((5,), ()), ((0,), (1,))]
)
def test_batches_of_parameters_are_axes_of_every_call(
    dtype: Any, batch: tuple[int, ...], members: tuple[int, ...]
) -> None:
    function = compiled(arm(), dtype)
    parameters = np.random.default_rng(0).uniform(0.5, 2.0, (*batch, 2))
    bound = function.bind(parameters)
    assert isinstance(bound, BatchBound)
    q, u, scale = states(*members)
    shape = np.broadcast_shapes(batch, members)
    found = bound(q, u, scale)
    assert [y.shape for y in found] == [(*shape, 3), (*shape, 3, 2), shape]
    full = [np.broadcast_to(x, (*shape, *own)) for x, own in ((q, (3,)), (u, (3,)), (scale, ()), (parameters, (2,)))]
    for index in np.ndindex(shape):
        one = function.bind(full[3][index])(*(x[index] for x in full[:3]))
        for y, expected in zip(found, one):
            assert_same(np.asarray(y[index]), np.asarray(expected))


def test_a_batch_of_parameters_honours_out() -> None:
    bound = compiled(arm()).bind([PARAMETERS] * 5)
    q, u, scale = states(5)
    room = np.empty((5, 3, 2))
    _, b, _ = bound(q, u, scale, out=(None, room, None))
    assert b is room
    assert_same(room, bound(q, u, scale)[1])


def test_the_number_of_parameters_is_checked() -> None:
    function = compiled(arm())
    for wrong in ((), (1.0,), (1.0, 2.0, 3.0), 2.0, np.zeros((2, 3))):
        with pytest.raises(ValueError, match=r"arm has 2 parameters; an array of shape \(.*\) was given for them"):
            function.bind(wrong)


def test_without_parameters_nothing_is_bound() -> None:
    graph = Graph()
    x = graph.symbol("x", Role.INPUT)
    function = compiled(Program("p", (Block("x", (x,)),), Block("parameters", ()), (Block("y", (sin(x),)),)))
    assert function.bind().hoisted.shape == (0,)
    assert function.bind(np.empty((4, 0)))(np.zeros((4, 1))).shape == (4, 1)
    assert function.bind(np.empty((4, 0)))([0.5]).shape == (4, 1)


def test_parameters_nobody_needs_may_have_batch_axes() -> None:
    graph = Graph()
    x, k = graph.symbol("x", Role.INPUT), graph.symbol("k", Role.PARAMETER)
    function = compiled(Program("p", (Block("x", (x,)),), Block("parameters", (k,)), (Block("y", (sin(x),)),)))
    assert function.bind([1.0]).hoisted.shape == (0,)
    assert_same(function.bind([[1.0], [2.0]])([0.5]), np.sin([[0.5], [0.5]]))


def test_hoisted_values_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The setup runs at binding, over all sets at once, and never again."""
    graph = Graph()
    x, k = graph.symbol("x", Role.INPUT), graph.symbol("k", Role.PARAMETER)
    program = Program("p", (Block("x", (x,)),), Block("parameters", (k,)), (Block("y", (x * sin(k) * sin(sin(k)),)),))
    function = compiled(program)
    runs: list[tuple[int, ...]] = []
    def counting(name: str, *args: Any) -> Any:
        made = make_gufunc(name, *args)
        if name != "p_setup":
            return made

        def setup(values: Floats) -> Any:
            runs.append(values.shape)
            return made(values)

        return setup

    monkeypatch.setattr(native, "make_gufunc", counting)
    bound = function.bind([0.5])
    for _ in range(10):
        bound(np.ones((100, 1)))
    assert runs == [(1,)]
    assert bound.hoisted.shape == (1,), "the product of both factors is one value"
    np.testing.assert_allclose(bound.hoisted, [np.sin(0.5) * np.sin(np.sin(0.5))], rtol=1e-15)
    function.bind(np.ones((7, 1)))
    assert runs == [(1,), (7, 1)]


def test_hoisted_values_are_computed_in_double_precision() -> None:
    """(1 + k) - 1 keeps its digits although the code computes in single precision."""
    graph = Graph()
    x, k = graph.symbol("x", Role.INPUT), graph.symbol("k", Role.PARAMETER)
    difference = sin(k + 1.0) - sin(1.0 + k * k)
    program = Program("p", (Block("x", (x,)),), Block("parameters", (k,)), (Block("y", (x * difference,)),))
    bound = compiled(program, np.float32).bind([1e-4])
    assert bound.hoisted.dtype == np.float32
    exact = np.sin(1.0 + 1e-4) - np.sin(1.0 + 1e-8)
    np.testing.assert_allclose(bound([1.0]), [exact], rtol=1e-7)


@pytest.mark.parametrize("dtype", PRECISIONS)
def test_infinities_and_nan_are_carried(dtype: Any) -> None:
    """1/0 of a parameter, a number too large for single precision, NaN: values like others, no warnings."""
    graph = Graph()
    x, k, m = graph.symbol("x", Role.INPUT), *(graph.symbol(name, Role.PARAMETER) for name in "km")
    outputs = (Block("y", (x / k, x * m, x + m * k)),)
    function = compiled(Program("p", (Block("x", (x,)),), Block("parameters", (k, m)), outputs), dtype)
    large = 1e300
    expected = [np.inf, large if dtype is np.float64 else np.inf, 1.0]
    assert_same(function.bind([0.0, large])([1.0]), np.array(expected, dtype))
    assert np.isnan(function.bind([np.nan, 1.0])([1.0])).tolist() == [True, False, True]
    assert_same(function.bind([[0.0, large]])([1.0]), np.array([expected], dtype))
    assert_same(function.bind([np.inf, -np.inf])([1.0]), np.array([0.0, -np.inf, -np.inf], dtype))


def test_the_callers_array_may_change_afterwards() -> None:
    values = np.array(PARAMETERS)
    bound = compiled(arm()).bind(values)
    inputs = states(3)
    before = bound(*inputs)
    values[:] = np.nan
    for y, expected in zip(bound(*inputs), before):
        assert_same(y, expected)


def test_single_precision_casts_and_double_does_not() -> None:
    """What `bind` returns costs no more than it must."""
    assert type(compiled(arm()).bind(PARAMETERS)) is Bound
    assert type(compiled(arm(), np.float32).bind(PARAMETERS)) is CastingBound
    graph = Graph()
    k = graph.symbol("k", Role.PARAMETER)
    program = Program("p", (Block("q", ()),), Block("parameters", (k,)), (Block("y", (k,)),))
    assert type(compiled(program).bind([1.0])) is CheckedBound


def test_what_cannot_be_compiled() -> None:
    with pytest.raises(TypeError, match="arm: compiled functions compute in float64 or float32, not in int64"):
        native.compile_program(arm(), np.int64, cache=NOWHERE)
    graph = Graph()
    x = [graph.symbol(f"x{i}", Role.INPUT) for i in range(native.MOST_OPERANDS)]
    many = Program("many", tuple(Block(node.name, (node,)) for node in x), Block("p", ()), (Block("y", (x[0],)),))
    with pytest.raises(ValueError, match=r"many has \d+ inputs and outputs, NumPy takes fewer than \d+"):
        compiled(many)
    few = Program("few", many.inputs[:-2], Block("p", ()), many.outputs)
    assert compiled(few).bind()(*np.ones((native.MOST_OPERANDS - 2, 3, 1))).shape == (3, 1)


def test_timing() -> None:
    """Nanoseconds of one evaluation: positive, and of arguments that fit."""
    function = compiled(arm())
    bound = function.bind(PARAMETERS)
    assert 1.0 < bound.fastest_ns(*(x[0] for x in states(1)), seconds=0.01) < 1e6
    assert 0.1 < bound.fastest_batch_ns(*states(256), seconds=0.01) < 1e6
    for timed in (bound.fastest_ns, bound.fastest_batch_ns):
        with pytest.raises(TypeError, match=r"arm takes 3 arrays \(q, u, scale\), 1 given"):
            timed(np.zeros(3))
    with pytest.raises(ValueError, match="bound to many sets of parameters; bind one to time one evaluation"):
        function.bind([PARAMETERS] * 2).fastest_ns(*(x[0] for x in states(1)))
    assert function.bind([PARAMETERS] * 256).fastest_batch_ns(*states(256), seconds=0.01) > 0.1


def test_reprs() -> None:
    function = compiled(arm())
    assert repr(function) == "<compiled arm(3),(3),()->(3),(3,2),() in float64>"
    assert repr(function.bind(PARAMETERS)) == f"<{function!r} bound to parameters>"
    bound = function.bind(PARAMETERS)
    assert bound.ufunc.__name__ == "arm"
    assert bound.ufunc.signature == function.signature
    assert "(q, u, scale) -> (a, B, c)" in str(bound.ufunc.__doc__)
