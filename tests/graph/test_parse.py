"""Expressions from text: what is read, and for everything else an error that shows where; never anything executed."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jourdain.graph import (
    BY_NAME,
    Graph,
    Node,
    Role,
    atan2,
    cos,
    interpret,
    less,
    less_equal,
    maximum,
    power,
    select,
    sin,
    sqrt,
)
from jourdain.graph.parse import CONSTANTS, DEEPEST, FUNCTIONS, LONGEST, ExpressionError, parse

G = Graph()
X, Y, Z = (G.symbol(name, Role.COORDINATE) for name in "xyz")
M = G.symbol("m", Role.PARAMETER)
DOTTED = G.symbol("base.qx", Role.COORDINATE)
ODD = G.symbol("f[q1]", Role.INPUT)
PI = G.symbol("pi", Role.PARAMETER)
QDOT = G.symbol("q̇₁", Role.SPEED)
NAMES = {x.name: x for x in (X, Y, Z, M, DOTTED, ODD, PI, QDOT)}


def read(text: str) -> Node:
    return parse(text, NAMES, G)


READ: dict[str, Node] = {
    "x": X,
    "  x\t\n": X,
    "((x))": X,
    "1": G.one,
    "2.5": G.constant(2.5),
    ".5": G.constant(0.5),
    "5.": G.constant(5.0),
    "1e-3": G.constant(1e-3),
    "1.5E+2": G.constant(150.0),
    "0.1": G.constant(0.1),
    "5e-324": G.constant(5e-324),
    "1e-999": G.zero,
    "pi": G.constant(math.pi),
    "inf": G.constant(math.inf),
    "-inf": G.constant(-math.inf),
    "nan": G.constant(math.nan),
    "`pi`": PI,
    "`x`": X,
    "base.qx": DOTTED,
    "`f[q1]` + 1": ODD + 1,
    "q̇₁*2": QDOT * 2,
    "x + y": X + Y,
    "x - y - z": (X - Y) - Z,
    "x + y*z": X + Y * Z,
    "x*y/z": (X * Y) / Z,
    "x/y*z": (X / Y) * Z,
    "x/y/z": (X / Y) / Z,
    "x/(y*z)": X / (Y * Z),
    "x**y": power(X, Y),
    "x^y": power(X, Y),
    "x**y**z": power(X, power(Y, Z)),
    "x**2": X * X,
    "x**0.5": sqrt(X),
    "-x**2": -(X * X),
    "2**-x": power(2, -X),
    "2**-x**2": power(2, -(X * X)),
    "2**-x*y": power(2, -X) * Y,
    "-x*y": -(X * Y),
    "x*-y": -(X * Y),
    "x - -y": X + Y,
    "--x": X,
    "+x": X,
    "x + +y": X + Y,
    "x < y": less(X, Y),
    "x > y": less(Y, X),
    "x <= y + 1": less_equal(X, Y + 1),
    "x >= y": less_equal(Y, X),
    "(x < y) + 1": less(X, Y) + 1,
    "sin(x)": sin(X),
    "sin (x)": sin(X),
    "sin((x))": sin(X),
    "sin(-(x))": -sin(X),
    "sin(x)*cos(x)": sin(X) * cos(X),
    "atan(x)": atan2(X, 1.0),
    "atan2(y, x)": atan2(Y, X),
    "max(x, min(y, z))": maximum(X, G.apply(BY_NAME["min"], Y, Z)),
    "select(x <= 0, 0, sqrt(x))": select(less_equal(X, 0), 0, sqrt(X)),
    "m*(x + 2*cos(y))**2": M * ((X + 2 * cos(Y)) ** 2),
    "2*(3 + 4)": G.constant(14.0),
    "1/0": G.constant(math.inf),
    "sin(1)": G.constant(math.sin(1.0)),
}


@pytest.mark.parametrize("text", READ, ids=repr)
def test_what_is_read(text: str) -> None:
    assert read(text) is READ[text]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function(name: str) -> None:
    arity, _ = FUNCTIONS[name]
    node = read(f"{name}({', '.join('xyz'[:arity])})")
    if name != "atan":
        assert node is G.apply(BY_NAME[name], *(X, Y, Z)[:arity])


ERRORS = {
    "": "an operand is missing at the end",
    "   ": "an operand is missing at the end",
    "x +": "column 4 of 'x \\+': an operand is missing at the end",
    "x $ y": "column 3 of 'x \\$ y': '\\$' has no meaning here",
    "x ; y": "column 3 .* ';' has no meaning here",
    "`x": "column 1 .* '`' has no meaning here",
    "x = y": "'=' has no meaning here",
    "x y": "column 3 .* an operator is missing before 'y'",
    "x 2": "an operator is missing before '2'",
    "1..2": "an operator is missing before '.2'",
    "x (y)": "there is no function 'x'",
    "2(x)": "an operator is missing before '\\('",
    "`x`(y)": "an operator is missing before '\\('",
    "*x": "column 1 .* an operand is missing before '\\*'",
    "x + * y": "column 5 .* an operand is missing before '\\*'",
    "()": "an operand is missing before '\\)'",
    "sin()": "an operand is missing before '\\)'",
    "(x": "column 1 of '\\(x': this parenthesis is never closed",
    "x + sin(y": "column 5 .* this parenthesis is never closed",
    "x)": "column 2 .* '\\)' without an opening parenthesis",
    "x, y": "column 2 .* ',' without an opening parenthesis",
    "(x, y)": "column 3 .* a comma separates a function's operands; no function stands open here",
    "sin(x, y)": "column 1 .* sin takes one operand, 2 given",
    "atan2(x)": "column 1 .* atan2 takes 2 operands, 1 given",
    "select(x, y)": "select takes 3 operands, 2 given",
    "sin": "sin is a function; its operands in parentheses are missing",
    "sin + 1": "sin is a function; its operands in parentheses are missing",
    "sinn(x)": "there is no function 'sinn'; is 'sin' meant\\?",
    "SQRT(x)": "there is no function 'SQRT'; is 'sqrt' meant\\?",
    "__import__(x)": "there is no function '__import__'; there are abs, acos, .*, …",
    "base.qxx": "there is no symbol 'base.qxx'; is 'base.qx' meant\\?",
    "M": "there is no symbol 'M'; is 'm' meant\\?",
    "`sin`": "there is no symbol 'sin'",
    "``": "there is no symbol ''",
    "x.": "'.' has no meaning here",
    "x.__class__": "there is no symbol 'x.__class__'",
    "lambda: x": "':' has no meaning here",
    "'x'": '"\'" has no meaning here',
    "x[0]": "'\\[' has no meaning here",
    "x < y < z": "column 7 .* comparisons cannot be chained; use parentheses",
    "x == y != z": "comparisons cannot be chained; use parentheses",
    "1e400": "1e400 is too large",
    "9" * 400: "9999 is too large",
    "x" + "+ x" * 50 + "+ &" + "+ x" * 50: "column 1[0-9]+ of '….*…': '&' has no meaning here",
    "(" * (DEEPEST + 1) + "x": f"more than {DEEPEST} parentheses, functions or signs stand open",
    "-" * (DEEPEST + 1) + "x": f"more than {DEEPEST} parentheses, functions or signs stand open",
    "x**" * (DEEPEST + 1) + "x": f"more than {DEEPEST} parentheses, functions or signs stand open",
    "sin(" * (DEEPEST + 1) + "x": f"more than {DEEPEST} parentheses, functions or signs stand open",
    "x" * (LONGEST + 1): f"an expression of {LONGEST + 1} characters; at most {LONGEST} are read",
}


@pytest.mark.parametrize("text", ERRORS, ids=lambda text: repr(text[:30]))
def test_errors_say_what_and_where(text: str) -> None:
    with pytest.raises(ExpressionError, match=ERRORS[text]):
        read(text)


def test_what_there_is_instead() -> None:
    with pytest.raises(ExpressionError, match="there is no symbol 'x'; there are none"):
        parse("x", {}, G)
    with pytest.raises(ExpressionError, match=r"there is no symbol 'whatever'; there are m, x$"):
        parse("whatever", {"x": X, "m": M}, G)


def test_the_largest_that_is_read() -> None:
    assert read("(" * DEEPEST + "x" + ")" * DEEPEST) is X
    assert read("x" + " " * (LONGEST - 1)) is X
    assert float(interpret([read("+".join(["x*y"] * (LONGEST // 4)))], {X: 1.0, Y: 2.0})[0]) == LONGEST / 2
    assert read("2**2**2**2**2**2").value == math.inf


def test_functions_and_constants_are_different_names() -> None:
    assert not set(FUNCTIONS) & set(CONSTANTS)


PIECES = [
    "x", "y", "base.qx", "`f[q1]`", "`", "2", "1e9", ".", "sin", "atan2", "select", "pi", "(", ")", ",", "+", "-", "*",
    "/", "**", "^", "<", "<=", "==", " ", "\n", "é", "\u0307", "\x00", "'", '"', "\\",
]  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join) | st.text(max_size=20))
def test_any_text_is_an_expression_or_an_error(text: str) -> None:
    try:
        node = read(text)
    except ExpressionError as error:
        assert len(str(error)) < 500
    else:
        assert node.graph is G
