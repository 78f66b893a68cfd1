"""No result depends on how a batch is shaped or how its arrays lie in memory; shapes are NumPy's, errors too."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jourdain.graph import Graph, Role, sin
from jourdain.native import Bound, Function
from jourdain.program import Block, Program

from .compiled import PARAMETERS, PRECISIONS, Floats, arm, assert_same, compiled

MEMBERS = 40
Arrays = tuple[Floats, ...]


@pytest.fixture(scope="module", params=PRECISIONS, ids=["float64", "float32"])
def function(request: pytest.FixtureRequest) -> Function:
    return compiled(arm(), request.param)


@pytest.fixture(scope="module", params=["whole", "pieces"])
def bound(request: pytest.FixtureRequest, function: Function) -> Bound:
    if request.param == "pieces":
        function = compiled(arm(), function.dtype, piece=9)
    return function.bind(PARAMETERS)


def states(dtype: Any, *batch: int) -> Arrays:
    """q, u and scale of so many members."""
    rng = np.random.default_rng(8)
    return tuple(rng.uniform(-3.0, 3.0, (*batch, *own)).astype(dtype) for own in ((3,), (3,), ()))


def one_by_one(bound: Bound, q: Floats, u: Floats, scale: Floats) -> Arrays:
    results = [bound(*member) for member in zip(q, u, scale)]
    return tuple(np.stack(column) for column in zip(*results))


def assert_all_same(found: Arrays, expected: Arrays) -> None:
    assert len(found) == len(expected)
    for a, b in zip(found, expected):
        assert_same(a, b)


def test_batches_of_every_size_are_the_members_one_by_one(bound: Bound) -> None:
    inputs = states(bound.function.dtype, MEMBERS)
    expected = one_by_one(bound, *inputs)
    for size in range(1, MEMBERS + 1):
        assert_all_same(bound(*(x[:size] for x in inputs)), tuple(y[:size] for y in expected))
        if size < MEMBERS:
            assert_all_same(bound(*(x[-size:] for x in inputs)), tuple(y[-size:] for y in expected))


def strided(x: Floats) -> Floats:
    """Room after every number."""
    room = np.full((*x.shape, 3), np.nan, x.dtype)
    room[..., 1] = x
    return room[..., 1]


def members_apart(x: Floats) -> Floats:
    """Members in C order, a gap between them."""
    room = np.full((2 * len(x), *x.shape[1:]), np.nan, x.dtype)
    room[::2] = x
    return room[::2]


def backwards(x: Floats) -> Floats:
    """Negative strides on every axis."""
    every = (slice(None, None, -1),) * x.ndim
    return np.ascontiguousarray(x[every])[every]


def members_backwards(x: Floats) -> Floats:
    return np.ascontiguousarray(x[::-1])[::-1]


def fortran(x: Floats) -> Floats:
    """Members next to each other."""
    return np.asfortranarray(x)


def shifted(x: Floats) -> Floats:
    """Not on a boundary of vectors, only of numbers."""
    room = np.empty(x.size + 1, x.dtype)
    return _filled(room[1:].reshape(x.shape), x)


def misaligned(x: Floats) -> Floats:
    """Not even on a boundary of numbers."""
    room = np.empty(x.nbytes + 1, np.uint8)
    return _filled(room[1:].view(x.dtype).reshape(x.shape), x)


def swapped(x: Floats) -> Floats:
    """Bytes the other way round."""
    return x.astype(x.dtype.newbyteorder())


def read_only(x: Floats) -> Floats:
    x = x.copy()
    x.flags.writeable = False
    return x


def _filled(view: Floats, x: Floats) -> Floats:
    view[...] = x
    return view


LAYOUTS: tuple[Callable[[Floats], Floats], ...] = (
    strided, members_apart, backwards, members_backwards, fortran, shifted, misaligned, swapped, read_only,
)
WRITABLE = LAYOUTS[:-1]
by_layout = pytest.mark.parametrize("layout", LAYOUTS, ids=[layout.__name__ for layout in LAYOUTS])


@by_layout
@pytest.mark.parametrize("members", [1, 3, 8, 21])
def test_inputs_may_lie_anyhow(bound: Bound, layout: Callable[[Floats], Floats], members: int) -> None:
    inputs = states(bound.function.dtype, members)
    expected = bound(*inputs)
    for chosen in itertools.product((True, False), repeat=3):
        moved = tuple(layout(x) if move else x for x, move in zip(inputs, chosen))
        assert_all_same(bound(*moved), expected)


@pytest.mark.parametrize("layout", WRITABLE, ids=[layout.__name__ for layout in WRITABLE])
@pytest.mark.parametrize("members", [1, 8, 21])
def test_results_may_go_anywhere(bound: Bound, layout: Callable[[Floats], Floats], members: int) -> None:
    inputs = states(bound.function.dtype, members)
    expected = bound(*inputs)
    out = tuple(layout(np.full_like(y, np.nan)) for y in expected)
    returned = bound(*inputs, out=out)
    assert all(a is b for a, b in zip(returned, out))
    assert_all_same(tuple(y.astype(bound.function.dtype) for y in out), expected)


def test_a_single_call_may_lie_anyhow_too(bound: Bound) -> None:
    inputs = states(bound.function.dtype, 1)
    expected = bound(*(x[0] for x in inputs))
    for layout in LAYOUTS:
        moved = tuple(layout(x)[0] for x in inputs)
        assert_all_same(bound(*moved), expected)
    out = tuple(np.empty((*y.shape, 2), y.dtype)[..., 0] for y in expected)
    bound(*(x[0] for x in inputs), out=out)
    assert_all_same(tuple(np.asarray(y) for y in out), expected)


def test_nothing_is_written_beside_the_results(bound: Bound) -> None:
    inputs = states(bound.function.dtype, 21)
    room = np.full((23, 5, 4), 7.0, bound.function.dtype)
    before = room.copy()
    out = room[1:-1, 1:-1, 1:-1]
    _, expected, _ = bound(*inputs)
    bound(*inputs, out=(None, out, None))
    before[1:-1, 1:-1, 1:-1] = expected
    assert_same(room, before)


def test_out_may_be_an_input(bound: Bound) -> None:
    """As with every NumPy function: the result is that of separate arrays."""
    for members in (1, 5, 21):
        q, u, scale = states(bound.function.dtype, members)
        a, b, c = bound(q, u, scale)
        for victim in (q, u):
            kept = victim.copy()
            bound(q, u, scale, out=(victim, None, None))
            assert_same(victim, a)
            victim[...] = kept
        kept = scale.copy()
        bound(q, u, scale, out=(None, None, scale))
        assert_same(scale, c)
        scale[...] = kept
        if members > 1:  # overlapping, not the same
            room = np.empty((members + 1, 3), q.dtype)
            room[:-1] = q
            bound(room[:-1], u, scale, out=(room[1:], None, None))
            assert_same(room[1:], a)
        room = np.empty((members, 3, 2), q.dtype)
        room[..., 1] = u
        bound(q, room[..., 1], scale, out=(None, room, None))
        assert_same(room, b)


def test_leading_axes_broadcast(bound: Bound) -> None:
    dtype = bound.function.dtype
    rng = np.random.default_rng(4)
    q = rng.uniform(-1.0, 1.0, (4, 1, 9, 3)).astype(dtype)
    u = rng.uniform(-1.0, 1.0, (5, 1, 3)).astype(dtype)
    scale = rng.uniform(-1.0, 1.0, 9).astype(dtype)
    a, b, c = bound(q, u, scale)
    assert (a.shape, b.shape, c.shape) == ((4, 5, 9, 3), (4, 5, 9, 3, 2), (4, 5, 9))
    shapes = ((q, (3,)), (u, (3,)), (scale, ()))
    full = [np.broadcast_to(x, (4, 5, 9, *own)).reshape(180, *own).copy() for x, own in shapes]
    expected = one_by_one(bound, *full)
    assert_all_same((a.reshape(180, 3), b.reshape(180, 3, 2), c.reshape(180)), expected)


def test_broadcast_views_and_single_members_among_many(bound: Bound) -> None:
    q, u, scale = states(bound.function.dtype, 21)
    expected = one_by_one(bound, q, np.repeat(u[:1], 21, axis=0), scale)
    assert_all_same(bound(q, u[0], scale), expected)
    assert_all_same(bound(q, np.broadcast_to(u[0], (21, 3)), scale), expected)
    same = one_by_one(bound, np.repeat(q[:1, :1], 21, axis=0).repeat(3, axis=1), u, np.repeat(scale[:1], 21))
    assert_all_same(bound(np.broadcast_to(q[0, 0], (21, 3)), u, scale[0]), same)


def test_batches_without_members(bound: Bound) -> None:
    q, u, scale = states(bound.function.dtype, 2)
    a, b, c = bound(q[:0], u[:0], scale[:0])
    assert (a.shape, b.shape, c.shape) == ((0, 3), (0, 3, 2), (0,))
    a, b, c = bound(np.empty((4, 0, 3), q.dtype), u[0], scale[0])
    assert (a.shape, b.shape, c.shape) == ((4, 0, 3), (4, 0, 3, 2), (4, 0))


def test_lists_and_numbers_are_arrays(bound: Bound) -> None:
    q, u, scale = (x[0] for x in states(bound.function.dtype, 1))
    assert_all_same(bound(q.tolist(), u.tolist(), float(scale)), bound(q, u, scale))
    whole = bound(np.array([1, 2, 3]), [0, 1, 0], 2)
    exact = np.array([1.0, 2.0, 3.0], q.dtype), np.array([0.0, 1.0, 0.0], q.dtype), q.dtype.type(2)
    assert_all_same(whole, bound(*exact))


@pytest.mark.parametrize(
    ("q", "u", "scale", "message"),
    [
        ((4,), (3,), (), "mismatch in its core dimension"),
        ((3,), (2,), (), "mismatch in its core dimension"),
        ((), (3,), (), "does not have enough dimensions"),
        ((5, 3), (4, 3), (), "broadcast"),
        ((5, 3), (3,), (2,), "broadcast"),
    ],
)
def test_wrong_shapes_are_numpys_errors(bound: Bound, q: Any, u: Any, scale: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bound(np.zeros(q), np.zeros(u), np.zeros(scale))


def test_wrong_results_are_numpys_errors(bound: Bound) -> None:
    inputs = states(bound.function.dtype, 5)
    with pytest.raises(ValueError, match=r"broadcast|shape"):
        bound(*inputs, out=(np.zeros((4, 3)), None, None))
    with pytest.raises(ValueError, match="mismatch in its core dimension"):
        bound(*inputs, out=(np.zeros((5, 2)), None, None))
    with pytest.raises(ValueError, match="read-only"):
        bound(*inputs, out=(read_only(np.zeros((5, 3), bound.function.dtype)), None, None))
    with pytest.raises(TypeError, match="positional"):
        bound(*inputs[:2])
    with pytest.raises(TypeError, match=r"Cannot cast|cast"):
        bound(*inputs, out=(np.zeros((5, 3), int), None, None))


def test_complex_numbers_are_refused(bound: Bound) -> None:
    q, u, scale = states(bound.function.dtype, 1)
    with pytest.raises(TypeError, match=r"cast|not supported"):
        bound(q + 1j, u, scale)


def test_double_precision_is_rounded_for_single() -> None:
    bound = compiled(arm(), np.float32).bind(PARAMETERS)
    inputs = states(np.float64, 9)
    found = bound(*inputs)
    assert all(y.dtype == np.float32 for y in found)
    assert_all_same(found, bound(*(x.astype(np.float32) for x in inputs)))


def test_axes_and_keywords_are_numpys(bound: Bound) -> None:
    q, u, scale = states(bound.function.dtype, 6)
    a, _, _ = bound(q.T, u, scale, axes=[(0,), (1,), (), (0,), (1, 2), ()])
    assert_same(np.ascontiguousarray(a.T), bound(q, u, scale)[0])


# -- unusual blocks -----------------------------------------------------------------------------------------------


def sample(inputs: tuple[Block, ...], outputs: tuple[Block, ...], parameters: Block | None = None) -> Function:
    return compiled(Program("sample", inputs, parameters or Block("parameters", ()), outputs))


def test_blocks_without_elements() -> None:
    """Such as the coordinates of a mechanism that cannot move."""
    graph = Graph()
    x = graph.symbol("x", Role.INPUT)
    function = sample((Block("q", ()), Block("x", (x,))), (Block("y", (sin(x),)),))
    assert function.signature == "(empty0_0),(1)->(1)"
    bound = function.bind()
    assert_same(bound(np.empty(0), np.array([0.5])), np.sin([0.5]))
    assert bound(np.empty((7, 0)), np.zeros((7, 1))).shape == (7, 1)
    assert bound(np.empty((20, 0)), [1.0]).shape == (20, 1)
    with pytest.raises(ValueError, match=r"'q' has no elements, an array of shape \(7, 2\) was given"):
        bound(np.zeros((7, 2)), np.zeros((7, 1)))
    with pytest.raises(ValueError, match=r"'q' has no elements, an array of shape \(\) was given"):
        bound(0.0, np.zeros((7, 1)))
    with pytest.raises(TypeError, match="positional"):
        bound(np.empty(0))


def test_matrices_without_elements() -> None:
    graph = Graph()
    x = graph.symbol("x", Role.INPUT)
    bound = sample((Block("J", (), (6, 0)), Block("x", (x,))), (Block("y", (x + 1.0,)),)).bind()
    assert bound(np.empty((5, 6, 0)), np.zeros((5, 1))).shape == (5, 1)
    with pytest.raises(ValueError, match=r"'J' has no elements, an array of shape \(6, 1\) was given"):
        bound(np.empty((6, 1)), [0.0])


def test_no_inputs_at_all() -> None:
    graph = Graph()
    k = graph.symbol("k", Role.PARAMETER)
    function = sample((), (Block("y", (sin(k), k)),), Block("parameters", (k,)))
    assert function.signature == "->(2)"
    expected = function.bind([0.5])()
    np.testing.assert_allclose(expected, [np.sin(0.5), 0.5], rtol=1e-15)
    assert_same(function.bind([[0.5], [0.5], [0.5]])(), np.stack([expected] * 3))
    assert_same(function.bind([0.5])(out=np.empty((19, 2))), np.stack([expected] * 19))


def test_only_an_empty_input() -> None:
    graph = Graph()
    k = graph.symbol("k", Role.PARAMETER)
    bound = sample((Block("q", ()),), (Block("y", (sin(k), k)),), Block("parameters", (k,))).bind([0.5])
    assert_same(bound([]), np.array([np.sin(0.5), 0.5]))
    assert bound(np.empty((30, 0))).shape == (30, 2)


def test_scalars_in_and_out() -> None:
    graph = Graph()
    x, y = (graph.symbol(name, Role.INPUT) for name in "xy")
    bound = sample((Block("x", (x,), ()), Block("y", (y,), ())), (Block("z", (x * y + 1.0,), ()),)).bind()
    assert bound(2.0, 3.0) == 7.0
    for members in (1, 3, 8, 19):
        rows = np.arange(float(members))
        assert_same(bound(rows, 2.0), rows * 2.0 + 1.0)
        assert_same(bound(rows[::-1], rows), rows[::-1] * rows + 1.0)


def test_results_that_need_no_operation() -> None:
    """Inputs, parameters and constants handed through, one of them twice."""
    graph = Graph()
    x, y = (graph.symbol(name, Role.INPUT) for name in "xy")
    k = graph.symbol("k", Role.PARAMETER)
    outputs = (Block("a", (y, graph.constant(2.5), x, y)), Block("b", (k, graph.zero, -x), (3, 1)))
    bound = sample((Block("x", (x, y)),), outputs, Block("parameters", (k,))).bind([9.0])
    for members in (1, 11):
        given = np.arange(2.0 * members).reshape(members, 2) + 1.0
        a, b = bound(given)
        assert_same(a, np.stack([given[:, 1], np.full(members, 2.5), given[:, 0], given[:, 1]], axis=-1))
        assert_same(b, np.stack([np.full(members, 9.0), np.zeros(members), -given[:, 0]], axis=-1)[..., None])


def test_matrices_in_any_order_of_axes() -> None:
    graph = Graph()
    nodes = tuple(graph.symbol(f"m{i}", Role.INPUT) for i in range(24))
    scaled = tuple(x * float(i + 1) for i, x in enumerate(nodes))
    bound = sample((Block("m", nodes, (2, 3, 4)),), (Block("y", scaled, (4, 6)),)).bind()
    m = np.random.default_rng(0).uniform(-1.0, 1.0, (19, 2, 3, 4))
    expected = (m.reshape(19, 24) * np.arange(1.0, 25.0)).reshape(19, 4, 6)
    for order in itertools.permutations(range(4)):
        turned = np.ascontiguousarray(m.transpose(order)).transpose(np.argsort(order))
        assert_same(bound(turned), expected)
    room = np.empty((6, 19, 4))
    bound(m, out=room.transpose(1, 2, 0))
    assert_same(np.ascontiguousarray(room.transpose(1, 2, 0)), expected)


def test_long_blocks_and_heap_memory() -> None:
    """More working memory than a thread's stack holds: tiles and scratch come from the heap."""
    graph = Graph()
    nodes = tuple(graph.symbol(f"x{i}", Role.INPUT) for i in range(3000))
    outputs = tuple(x * nodes[-1 - i] + 1.0 for i, x in enumerate(nodes))
    bound = compiled(Program("long", (Block("x", nodes),), Block("p", ()), (Block("y", outputs),)), piece=500).bind()
    x = np.random.default_rng(0).uniform(-1.0, 1.0, (19, 3000))
    found = bound(x)
    np.testing.assert_allclose(found, x * x[:, ::-1] + 1.0, rtol=0.0, atol=4e-16)
    assert_same(np.stack([bound(member) for member in x]), found)
    assert_same(bound(np.asfortranarray(x)), found)


def test_no_warnings_of_branches_not_taken() -> None:
    """NumPy looks at the processor's flags; a division that a selection discards is nobody's mistake."""
    graph = Graph()
    x = graph.symbol("x", Role.INPUT)
    bound = sample((Block("x", (x,)),), (Block("y", (1.0 / x, 1e300 * x * x, (x - 1.0) ** 0.5)),)).bind()
    with np.errstate(all="raise"):
        for members in (1, 20):
            y = bound(np.zeros((members, 1)))
            assert np.isinf(y[:, 0]).all()
            assert np.isnan(y[:, 2]).all()
            bound(np.full((members, 1), 1e10))
