"""Expressions of SymPy: evaluated on both sides, for every operation, on random graphs, and through `cse`."""

from __future__ import annotations

import math
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sympy.physics.mechanics import dynamicsymbols

from jourdain.graph import (
    OPERATIONS,
    Graph,
    Node,
    Operation,
    Role,
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
    select,
    sin,
    sqrt,
    tan,
)
from jourdain.graph.from_sympy import from_sympy
from jourdain.graph.to_sympy import dynamic_symbols, plain_symbols, spelling, to_sympy, to_sympy_steps

from .random_graphs import RandomGraph, graphs, random_graph, random_values

G = Graph()
X, Y, Z = (G.symbol(name, Role.COORDINATE) for name in "xyz")
M = G.symbol("m", Role.PARAMETER)
x, y, z, m = sympy.symbols("x y z m")
SYMBOLS = {x: X, y: Y, z: Z, m: M}
POINTS = ((0.31, 0.77, -0.53), (-0.9, 0.25, 0.25), (0.5, 0.5, 0.0))
POSITIVE = frozenset({"sqrt", "log", "pow"})


def evaluated(expression: Any, values: dict[Any, float]) -> float:
    """SymPy's own arithmetic, 30 digits."""
    exact = {symbol: sympy.Float(value, 30) for symbol, value in values.items()}
    return float(expression.xreplace(exact).doit().evalf(30))


def read(expression: Any) -> Node:
    (node,) = from_sympy([expression], G, SYMBOLS)
    return node


# -- to SymPy --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", OPERATIONS, ids=repr)
@pytest.mark.parametrize("evaluate", [False, True])
def test_every_operation(op: Operation, evaluate: bool) -> None:
    symbols = [X, Y, Z][: op.arity]
    node = G.apply(op, *symbols)
    (expression,) = to_sympy([node], {X: x, Y: y, Z: z}, evaluate)
    (back,) = from_sympy([expression], G, SYMBOLS)
    assert back is node
    for point in POINTS:
        at = [abs(v) if op.name in POSITIVE else v for v in point[: op.arity]]
        (value,) = interpret([node], dict(zip(symbols, at)))
        found = evaluated(expression, dict(zip((x, y, z), at)))
        assert abs(found - float(value)) <= 1e-15 * max(1.0, abs(found))


def test_the_table_has_every_operation() -> None:
    assert set(spelling()) == set(OPERATIONS)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 40), st.booleans())
@example(5129, 24, True)  # conditions within conditions
def test_random_graphs_evaluate_alike(seed: int, size: int, evaluate: bool) -> None:
    _, symbols, outputs = random_graph(seed, size)
    names = plain_symbols(symbols)
    replacements, reduced = to_sympy_steps(outputs, names, evaluate)
    function = sympy.lambdify(
        [names[s] for s in symbols], reduced, "numpy", cse=lambda _: (replacements, reduced)
    )
    values = random_values(symbols, seed, 3)
    # Point by point: SymPy's printer cannot join a condition of numbers alone with one of arrays.
    found = np.array([function(*(values[s][k] for s in symbols)) for k in range(3)], dtype=float)
    expected = np.transpose([np.broadcast_to(x, 3) for x in interpret(outputs, values)])
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(graphs(60), st.integers(0, 1000))
def test_there_and_back(sample: RandomGraph, seed: int) -> None:
    """As it is built here, it comes back with the same values, and as much work but for a reciprocal or two."""
    graph, symbols, outputs = sample
    names = plain_symbols(symbols)
    back = from_sympy(to_sympy(outputs, names), graph, {b: a for a, b in names.items()})
    assert count(back).total <= 1.1 * count(outputs).total + 3
    values = random_values(symbols, seed, 3)
    for found, expected in zip(interpret(back, values), interpret(outputs, values)):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_what_is_shared_is_one_object() -> None:
    part = sin(X * Y) + 1
    one, other = to_sympy([exp(part), cos(part)])
    assert one.args[0] is other.args[0]
    node = X
    for _ in range(200):  # 2^200 operands if it were written out
        node = minimum(node, node * node) + select(less(node, Y), node, Z)
    (expression,) = to_sympy([node])
    (back,) = from_sympy([expression], G, SYMBOLS)
    assert back is node


def test_numbers_are_exact() -> None:
    for value in (0.1, 1e-300, 5e-324, 1.7976931348623157e308, 1 / 3, 123456789.125, 2.0**60, -0.3):
        (number,) = to_sympy([G.constant(value)])
        assert float(number) == value
        assert read(number) is G.constant(value)
    assert to_sympy([G.constant(v) for v in (0.0, -3.0, 0.5, -2.75)]) == [
        sympy.Integer(0), sympy.Integer(-3), sympy.Rational(1, 2), sympy.Rational(-11, 4),
    ]  # fmt: skip
    specials = [G.constant(v) for v in (math.inf, -math.inf, math.nan)]
    assert to_sympy(specials) == [sympy.oo, -sympy.oo, sympy.nan]
    assert from_sympy(to_sympy(specials), G, {}) == specials


def test_forms_that_a_person_would_write() -> None:
    names = {X: x, Y: y, Z: z, M: m}

    def form(node: Node) -> Any:
        return to_sympy([node], names, evaluate=True)[0]

    assert form(X * Y + M) == x * y + m
    assert form(X - Y) == x - y
    assert form(X / Y) == x / y
    assert form(1 / X) == 1 / x
    assert form(-X) == -x
    assert form(sqrt(X)) == sympy.sqrt(x)
    assert form(X * X * 0.5) == x**2 / 2
    assert form(power(X, Y)) == x**y
    assert form(minimum(X, Y)) == sympy.Min(x, y)
    assert form(maximum(X, Y)) == sympy.Max(x, y)
    assert form(atan2(X, Y)) == sympy.atan2(x, y)
    assert form(select(less(X, Y), X, Z)) == sympy.Piecewise((x, x < y), (z, True))
    assert form(select(X, Y, Z)) == sympy.Piecewise((y, sympy.Ne(x, 0)), (z, True))
    assert form(less_equal(X, Y)) == sympy.Piecewise((1, x <= y), (0, True))
    assert str(to_sympy([X - Y * 2], names)[0]) == "x - 2*y"


def test_symbols_of_any_kind() -> None:
    u = G.symbol("u", Role.SPEED)
    t = G.symbol("t", Role.TIME)
    dotted = G.symbol("base.qx, y", Role.COORDINATE)
    nodes = [X * u + M * t, dotted]
    plain, dynamic = plain_symbols(nodes), dynamic_symbols(nodes)
    assert set(plain) == set(dynamic) == {X, u, M, t, dotted}
    assert plain[dotted] == sympy.Symbol("base.qx, y")
    assert dynamic[X] == dynamicsymbols("x")
    assert dynamic[M] == m
    assert dynamic[t] is dynamicsymbols._t
    assert to_sympy([X * u + M * t], dynamic, True) == [
        dynamicsymbols("x") * dynamicsymbols("u") + m * dynamicsymbols._t
    ]
    assert to_sympy([X + M]) == to_sympy([X + M], plain)
    # Speeds as derivatives, as mechanics writes them.
    q = dynamicsymbols("x")
    moving = dynamic | {u: q.diff()}
    assert to_sympy([u * X], moving, True) == [q * q.diff()]
    assert to_sympy([sin(X * M) + 1], {X * M: z}) == to_sympy([sin(Z) + 1], {Z: z})


def test_steps_have_the_names_of_the_listing() -> None:
    q1 = G.symbol("q1", Role.COORDINATE)
    k = M * M + 1
    shared = sin(q1) * k
    replacements, (one, other) = to_sympy_steps([shared * cos(q1), sqrt(shared)], evaluate=True)
    q = sympy.Symbol("q1")
    p1, s1, c1, z1 = sympy.symbols("P1 s1 c1 Z1")
    assert replacements == [(p1, m**2 + 1), (s1, sympy.sin(q)), (z1, s1 * p1), (c1, sympy.cos(q))]
    assert (one, other) == (z1 * c1, sympy.sqrt(z1))
    assert to_sympy_steps([]) == ([], [])


def test_what_cse_returns_comes_back() -> None:
    """SymPy's own common subexpressions, read step by step."""
    _, symbols, outputs = random_graph(5, 25)
    names = plain_symbols(symbols)
    graph = outputs[0].graph
    known = {b: a for a, b in names.items()}
    replacements, reduced = sympy.cse(to_sympy(outputs, names, evaluate=True))
    for symbol, expression in replacements:
        known[symbol] = from_sympy([expression], graph, known)[0]
    values = random_values(symbols, 5, 4)
    for found, expected in zip(interpret(from_sympy(reduced, graph, known), values), interpret(outputs, values)):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


# -- from SymPy ------------------------------------------------------------------------------------------------------

READ: list[tuple[Any, Node]] = [
    (x, X),
    (sympy.Integer(3), G.constant(3.0)),
    (sympy.Rational(1, 3), G.constant(1 / 3)),
    (sympy.Rational(10**400, 10**400 * 3 + 1), G.constant(1 / 3)),
    (sympy.Float("0.1"), G.constant(0.1)),
    (sympy.Float("0.1", 40), G.constant(0.1)),
    (sympy.pi, G.constant(math.pi)),
    (sympy.E, G.constant(math.e)),
    (sympy.GoldenRatio, G.constant((1 + math.sqrt(5)) / 2)),
    (sympy.true, G.one),
    (sympy.false, G.zero),
    (2.5, G.constant(2.5)),
    (7, G.constant(7.0)),
    (x + y - z, (X + Y) - Z),
    (-x, -X),
    (x * y, X * Y),
    (x / y, X / Y),
    (1 / y, 1 / Y),
    (x / (y * z), X / (Y * Z)),
    (x**2, X * X),
    (x**-2, 1 / (X * X)),
    (sympy.sqrt(x), sqrt(X)),
    (1 / sympy.sqrt(x), 1 / sqrt(X)),
    (x ** sympy.Rational(3, 2), X * sqrt(X)),
    (x ** sympy.Rational(-5, 2), 1 / (X * X * sqrt(X))),
    (x ** sympy.Rational(1, 3), power(X, 1 / 3)),
    (x**y, power(X, Y)),
    (2**x, power(2.0, X)),
    (x**100, power(X, 100.0)),
    (x ** sympy.Rational(201, 2), power(X, 100.5)),
    (sympy.exp(x), exp(X)),
    (sympy.Pow(sympy.E, x, evaluate=False), exp(X)),
    (sympy.log(x), log(X)),
    (sympy.log(x, 2, evaluate=False), log(X) / math.log(2.0)),
    (sympy.tan(x), tan(X)),
    (sympy.sec(x), 1 / cos(X)),
    (sympy.csc(x), 1 / sin(X)),
    (sympy.cot(x), cos(X) / sin(X)),
    (sympy.atan(x), atan2(X, 1.0)),
    (sympy.atan2(x, y), atan2(X, Y)),
    (sympy.ceiling(x), -floor(-X)),
    (sympy.Gt(x, y), less(Y, X)),
    (sympy.Ge(x, y), less_equal(Y, X)),
    (sympy.Eq(x, y), equal(X, Y)),
    (sympy.Ne(x, y), not_equal(X, Y)),
    (sympy.And(x < y, y < z), minimum(less(X, Y), less(Y, Z))),
    (sympy.Or(x < y, y < z), maximum(less(X, Y), less(Y, Z))),
    (sympy.Not(x < y), less_equal(Y, X)),
    (sympy.Not(x < y, evaluate=False), 1 - less(X, Y)),
    (sympy.Piecewise((x, x < 0), (y, True)), select(less(X, 0), X, Y)),
    (sympy.Piecewise((x, x < 0), (y, x < 1), (z, True)), select(less(X, 0), X, select(less(X, 1), Y, Z))),
    (sympy.Piecewise((1, x < 0), (0, True)), less(X, 0)),
    (sympy.Piecewise((x, x < 0)), select(less(X, 0), X, math.nan)),
    (sympy.Heaviside(x).rewrite(sympy.Piecewise), select(less(X, 0), 0, select(equal(X, 0), 0.5, 1))),
]


@pytest.mark.parametrize(("expression", "node"), READ, ids=[str(a)[:40] for a, _ in READ])
def test_what_is_read(expression: Any, node: Node) -> None:
    assert read(expression) is node


def test_sums_and_products_of_many_and_nested_extremes() -> None:
    values = {X: 0.61, Y: 0.23, Z: 1.7, M: 2.0}
    numbers = {a: values[b] for a, b in SYMBOLS.items()}
    for expression in (
        sympy.expand((x + y + z + m) ** 4),
        sympy.Min(x, y, z, m) * sympy.Max(x, y, z),
        sympy.sin(x + y).diff(x, 3) / (x**2 + y**2) ** sympy.Rational(3, 2),
        (sympy.Abs(x - z) * sympy.sign(x - z) + sympy.floor(3 * z)) ** m,
        sympy.Matrix([[x, y, z], [y, m, x], [z, x, 5]]).inv()[1, 2],
    ):
        (value,) = interpret([read(expression)], values)
        assert abs(float(value) - evaluated(expression, numbers)) <= 1e-13 * max(1.0, abs(float(value)))


def test_functions_of_time_and_their_derivatives() -> None:
    q = dynamicsymbols("q")
    t = dynamicsymbols._t
    angle, speed, rate = G.symbol("q", Role.COORDINATE), G.symbol("v", Role.SPEED), G.symbol("a", Role.ACCELERATION)
    names = {q: angle, q.diff(t): speed, q.diff(t, 2): rate, m: M}
    twice = sympy.sin(q).diff(t, 2) * m
    (found,) = from_sympy([twice], G, names)
    expected = M * (cos(angle) * rate - sin(angle) * speed * speed)
    values = {angle: 0.4, speed: -1.3, rate: 2.1, M: 0.7}
    one, other = interpret([found, expected], values)
    np.testing.assert_allclose(one, other, rtol=1e-15)


def test_matrices_are_read_entry_by_entry() -> None:
    assert from_sympy(sympy.Matrix([[x, y], [z, x + y]]), G, SYMBOLS) == [X, Y, Z, X + Y]
    assert from_sympy([], G, {}) == []


def test_symbols_may_stand_for_any_node_or_number() -> None:
    assert from_sympy([x * y], G, {x: X + 1, y: 2.0}) == [(X + 1) * 2]


def test_a_reciprocal_that_is_shared_is_computed_once() -> None:
    nodes = from_sympy([x / z, y / z, m / z], G, SYMBOLS)
    assert count(nodes).div == 1
    assert count(from_sympy([x / z], G, SYMBOLS)).as_dict()["total"] == 1


def test_kane_s_method_of_sympy() -> None:
    """A pendulum on a cart, derived by SymPy, against its own numbers."""
    from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame

    q, s, v, w = dynamicsymbols("q s v w")
    t = dynamicsymbols._t
    length, g, mass = sympy.symbols("l g M")
    ground, arm = ReferenceFrame("N"), ReferenceFrame("A")
    arm.orient_axis(ground, q, ground.z)
    arm.set_ang_vel(ground, w * ground.z)
    cart = Point("C")
    cart.set_vel(ground, v * ground.x)
    bob = cart.locatenew("B", -length * arm.y)
    bob.v2pt_theory(cart, ground, arm)
    bodies = [Particle("cart", cart, mass), Particle("bob", bob, m)]
    kane = KanesMethod(ground, [s, q], [v, w], kd_eqs=[s.diff(t) - v, q.diff(t) - w])
    kane.kanes_equations(bodies, [(bob, -m * g * ground.y)])
    entries = list(kane.mass_matrix) + list(kane.forcing)
    graph = Graph()
    names = {a: graph.symbol(str(a), Role.INPUT) for a in (q, s, v, w, length, g, mass, m)}
    numbers = {a: 0.3 + 0.2 * i for i, a in enumerate(names)}
    found = interpret(from_sympy(entries, graph, names), {names[a]: value for a, value in numbers.items()})
    for node_value, entry in zip(found, entries):
        assert abs(float(node_value) - evaluated(entry, numbers)) < 1e-14


# -- what cannot be converted ----------------------------------------------------------------------------------------

REFUSED: list[tuple[Any, str]] = [
    (sympy.Symbol("unknown") + x, "no node is given for unknown; add it to `symbols`"),
    (dynamicsymbols("q"), r"no node is given for q\(t\)"),
    (dynamicsymbols("q").diff(), r"no node is given for Derivative\(q\(t\), t\)"),
    (sympy.Function("f")(x), r"no node is given for f\(x\)"),
    (sympy.Indexed("a", 1), r"no node is given for a\[1\]"),
    (sympy.MatrixSymbol("A", 2, 2)[0, 1], r"no node is given for A\[0, 1\]"),
    (sympy.besselj(0, x), "besselj of SymPy has no counterpart here; rewrite it first, with"),
    (sympy.sinh(x), r"sinh of SymPy has no counterpart here; .*rewrite"),
    (sympy.Integral(sympy.sin(x), x), "Integral of SymPy has no counterpart here"),
    (sympy.I * x, "I is no real number and no symbol"),
    (sympy.zoo, "zoo is no real number and no symbol"),
    (sympy.Integer(10) ** 400, r"1\.0000E\+400 is too large for a float of 64 bits"),
    (sympy.Float("1e400"), r"1\.0000E\+400 is too large for a float of 64 bits"),
]


@pytest.mark.parametrize(("expression", "message"), REFUSED, ids=[str(a)[:30] for a, _ in REFUSED])
def test_what_cannot_be_converted_is_named(expression: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(expression)


def test_text_is_not_run() -> None:
    with pytest.raises(sympy.SympifyError):
        from_sympy(["x + 1"], G, SYMBOLS)


def test_nodes_of_another_graph_are_refused() -> None:
    with pytest.raises(ValueError, match="belongs to another graph"):
        from_sympy([x], Graph(), {x: X})


# -- without SymPy ---------------------------------------------------------------------------------------------------


def test_a_missing_sympy_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sympy", None)
    for call in (
        lambda: to_sympy([X]), lambda: to_sympy_steps([X]), lambda: plain_symbols([X]), lambda: dynamic_symbols([X]),
        lambda: from_sympy([], G, {}),
    ):  # fmt: skip
        with pytest.raises(ImportError, match="need SymPy, which is not installed: pip install sympy"):
            call()


def test_the_language_does_not_import_sympy() -> None:
    code = "import sys, jourdain.graph.to_sympy, jourdain.graph.from_sympy; assert 'sympy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
