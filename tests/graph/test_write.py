"""Expressions as text and as LaTeX: golden lines, values kept, every bracket closed."""

from __future__ import annotations

import math

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
    acos,
    asin,
    atan2,
    cos,
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
    sign,
    sin,
    sqrt,
    tan,
)
from jourdain.graph.parse import parse
from jourdain.graph.write import LATEX, TEXT, UNLIMITED, latex, levels_within, number, text, write

from .latex_check import check_latex
from .random_graphs import RandomGraph, graphs, random_values

G = Graph()
X, Y, Z, Q1, Q2 = (G.symbol(name, Role.COORDINATE) for name in ("x", "y", "z", "q1", "q2"))
U1 = G.symbol("u1", Role.SPEED)
M, L1, IA2 = (G.symbol(name, Role.PARAMETER) for name in ("m", "L1", "IA2"))

GOLDEN: list[tuple[Node, str, str]] = [
    (X + Y, "x + y", "x + y"),
    (X - Y, "x - y", "x - y"),
    (Y - X, "y - x", "y - x"),
    (X * Y, "x*y", r"x \, y"),
    (X / Y, "x/y", r"\frac{x}{y}"),
    (1 / X, "1/x", r"\frac{1}{x}"),
    (X / (Y * Z), "x/(y*z)", r"\frac{x}{y \, z}"),
    (X / Y / Z, "x/(y*z)", r"\frac{x}{y \, z}"),
    (X / (Y + Z), "x/(y + z)", r"\frac{x}{y + z}"),
    ((X + Y) / (X - Y), "(x + y)/(x - y)", r"\frac{x + y}{x - y}"),
    ((X + Y) * Z, "z*(x + y)", r"z \, \left(x + y\right)"),
    (-(X * Y), "-x*y", r"-x \, y"),
    (-(X + Y), "-(x + y)", r"-\left(x + y\right)"),
    (Z - X * Y, "z - x*y", r"z - x \, y"),
    (X - (Y + Z), "x - (y + z)", r"x - \left(y + z\right)"),
    (X - (Y - Z), "x - (y - z)", r"x - \left(y - z\right)"),
    (X + (Y - Z), "x + y - z", "x + y - z"),
    (X * X, "x**2", "{x}^{2}"),
    ((X + Y) ** 2, "(x + y)**2", r"{\left(x + y\right)}^{2}"),
    (1 / (X * X), "1/x**2", r"\frac{1}{{x}^{2}}"),
    (X**0.3, "x**0.3", "{x}^{0.3}"),
    ((-X) ** Y, "(-x)**y", r"{\left(-x\right)}^{y}"),
    (power(X**Y, Z), "(x**y)**z", r"{\left({x}^{y}\right)}^{z}"),
    (X ** (Y**Z), "x**y**z", "{x}^{{y}^{z}}"),
    (2**X, "2**x", "{2}^{x}"),
    (X + 1, "x + 1", "x + 1"),
    (X - 1, "x - 1", "x - 1"),
    (1 - X, "1 - x", "1 - x"),
    (-2 * X, "-2*x", r"-2 \, x"),
    (3 / (4 * X), "3/(4*x)", r"\frac{3}{4 \, x}"),
    (M * L1 * L1 * cos(Q1) * U1, "m*L1**2*u1*cos(q1)", r"m \, {L_{1}}^{2} \, u_{1} \, \cos q_{1}"),
    (sin(Q1), "sin(q1)", r"\sin q_{1}"),
    (sin(Q1 + Q2), "sin(q1 + q2)", r"\sin\left(q_{1} + q_{2}\right)"),
    (sin(Q1) * sin(Q1), "sin(q1)**2", r"\sin^{2} q_{1}"),
    (1 / sin(X), "1/sin(x)", r"\frac{1}{\sin x}"),
    (tan(X), "tan(x)", r"\tan x"),
    (asin(0.5 * X), "asin(0.5*x)", r"\arcsin\left(0.5 \, x\right)"),
    (acos(X), "acos(x)", r"\arccos x"),
    (atan2(Y, X), "atan2(y, x)", r"\operatorname{atan2}\left(y, x\right)"),
    (sqrt(X + Y), "sqrt(x + y)", r"\sqrt{x + y}"),
    (exp(-X), "exp(-x)", "e^{-x}"),
    (exp(X) ** Y, "exp(x)**y", r"{\left(e^{x}\right)}^{y}"),
    (log(X), "log(x)", r"\ln x"),
    (absolute(X - Y), "abs(x - y)", r"\left|x - y\right|"),
    (floor(0.5 * X), "floor(0.5*x)", r"\left\lfloor 0.5 \, x\right\rfloor "),
    (sign(X), "sign(x)", r"\operatorname{sgn} x"),
    (minimum(X, Y), "min(x, y)", r"\min\left(x, y\right)"),
    (maximum(X + 1, Y), "max(y, x + 1)", r"\max\left(y, x + 1\right)"),
    (less(X, Y), "x < y", r"\left[x < y\right]"),
    (Z * less_equal(X, Y), "z*(x <= y)", r"z \, \left[x \le y\right]"),
    (equal(X, Y), "x == y", r"\left[x = y\right]"),
    (not_equal(X, Y), "x != y", r"\left[x \ne y\right]"),
    (
        select(less(X, 0), X, Y),
        "select(x < 0, x, y)",
        r"\begin{cases} x & \text{if } x < 0 \\ y & \text{otherwise} \end{cases}",
    ),
    (
        select(X, 1, 2),
        "select(x, 1, 2)",
        r"\begin{cases} 1 & \text{if } x \ne 0 \\ 2 & \text{otherwise} \end{cases}",
    ),
    (G.constant(1e-5), "1e-05", "10^{-5}"),
    (G.constant(-1e20), "-1e+20", "-10^{20}"),
    (1.5e-7 * X, "1.5e-07*x", r"1.5 \times 10^{-7} \, x"),
    (power(1e20, X), "1e+20**x", r"{\left(10^{20}\right)}^{x}"),
    (G.constant(math.inf), "inf", r"\infty"),
    (G.constant(-math.inf), "-inf", r"-\infty"),
    (G.constant(math.nan), "nan", r"\mathrm{NaN}"),
]


@pytest.mark.parametrize(("node", "plain", "mathematics"), GOLDEN, ids=[plain for _, plain, _ in GOLDEN])
def test_golden(node: Node, plain: str, mathematics: str) -> None:
    assert text(node) == plain
    assert latex(node) == mathematics
    check_latex(mathematics)


@settings(max_examples=60, deadline=None)
@given(graphs(60), st.integers(0, 1000))
def test_text_reads_back_to_the_same_value(sample: RandomGraph, seed: int) -> None:
    """Association may change, values only by rounding."""
    graph, symbols, outputs = sample
    values = random_values(symbols, seed, 3)
    for node in outputs:
        whole = text(node, UNLIMITED)
        if len(whole) < 20_000:
            back = parse(whole, {x.name: x for x in symbols}, graph)
            found, expected = interpret([back, node], values)
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(graphs(60), st.sampled_from([0, 1, 5, 20, 100, 1000]))
def test_latex_is_well_formed_at_any_length(sample: RandomGraph, limit: int) -> None:
    for node in sample.outputs:
        check_latex(latex(node, limit))


@pytest.mark.parametrize("op", OPERATIONS, ids=repr)
def test_every_operation_inside_every_other(op: Operation) -> None:
    """Brackets stand wherever they are needed."""
    inner = G.apply(op, *(X, Y, Z)[: op.arity])
    values = {X: 0.31, Y: 0.77, Z: 0.53, U1: 0.19}
    for around in OPERATIONS:
        for place in range(around.arity):
            operands: list[Node] = [X, U1, Y][: around.arity]
            operands[place] = inner
            node = G.apply(around, *operands)
            check_latex(latex(node))
            back, value = interpret([parse(text(node), {x.name: x for x in values}, G), node], values)
            np.testing.assert_allclose(back, value, rtol=1e-14)


def test_long_expressions_are_abbreviated_from_the_inside() -> None:
    node = (X * Y + Z) * sin(Q1 + Q2 * X)
    assert text(node, 1000) == "(z + x*y)*sin(q1 + x*q2)"
    assert text(node, 8) == "(z + …)*sin(…)"
    assert text(node, 1) == text(node, 0) == "…"
    assert latex(node, 3) == r"\ldots  \, \ldots "
    assert text(X, 0) == "x"


def test_levels() -> None:
    assert levels_within(X, 100) == UNLIMITED
    assert levels_within(X + Y, 3) == UNLIMITED
    assert levels_within(X + Y, 2) == 0
    assert levels_within(sin(X + Y), 3) == 1


def test_abbreviating_is_quick_where_the_whole_would_never_end() -> None:
    """A thousand squarings: 2^1000 operands if it were written out."""
    node = X
    for _ in range(1000):
        node = node * node + Y
    assert len(text(node)) < 1000
    assert len(latex(node)) < 10_000


def test_named_parts_are_written_by_name() -> None:
    part = X + Y
    assert write(part * part * Z, TEXT, {part: "Z₁"}) == "z*Z₁**2"
    assert write(part, TEXT, {part: "Z₁"}) == "x + y"  # what is defined is not written by its own name
    assert write(-part, LATEX, {part: "Z_{1}"}) == "-Z_{1}"
    assert write(sin(part), LATEX, {part: "Z_{1}"}) == r"\sin Z_{1}"
    assert write(select(less(X, Y), part, Z), LATEX, {less(X, Y): "c"}) == (
        r"\begin{cases} x + y & \text{if } c \ne 0 \\ z & \text{otherwise} \end{cases}"
    )


@given(st.floats())
def test_numbers_read_back_to_the_same_bits(value: float) -> None:
    assert np.float64(float(number(value))).tobytes() == np.float64(value).tobytes() or math.isnan(value)
