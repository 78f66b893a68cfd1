"""Multiplying out, collecting and writing keep every value; what is equal becomes the same expression."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jourdain.graph import Graph, Node, Role, cos, interpret, sin, sqrt, symbols_of
from jourdain.graph.write import TEXT, write
from jourdain.reader.shortened import balanced, fraction, length, shortened

NAMES = {"a": Role.PARAMETER, "b": Role.PARAMETER, "x": Role.COORDINATE, "y": Role.COORDINATE, "u": Role.SPEED}
Make = Callable[[Graph], Node]


def symbols(graph: Graph) -> dict[str, Node]:
    return {name: graph.symbol(name, role) for name, role in NAMES.items()}


def shorten(make: Make) -> Node:
    found = shortened([make(Graph())], _paper(), longest=10_000)
    assert found is not None
    return found[0]


def _paper() -> Graph:
    graph = Graph()
    symbols(graph)
    return graph


def value(node: Node) -> float:
    at = {"a": 0.7, "b": 1.3, "x": 0.4, "y": -0.9, "u": 2.1}
    return float(interpret([node], {x: at[x.name] for x in symbols_of([node])})[0])


leaves = st.sampled_from([*NAMES, "2", "0.3", "third"])
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["+", "-", "*"]), inner, inner),
        st.tuples(st.sampled_from(["sin", "cos", "neg", "root", "below", "per"]), inner),
    ),
    max_leaves=9,
)


def build(tree: object, graph: Graph) -> Node:
    known = {**symbols(graph), "2": graph.constant(2.0), "0.3": graph.constant(0.3), "third": graph.constant(1 / 3)}
    if isinstance(tree, str):
        return known[tree]
    assert isinstance(tree, tuple)
    op, *rest = tree
    args = [build(x, graph) for x in rest]
    if op in "+-*":
        return {"+": args[0] + args[1], "-": args[0] - args[1], "*": args[0] * args[1]}[op]
    one: dict[str, Callable[[Node], Node]] = {
        "sin": sin, "cos": cos, "neg": lambda x: -x, "root": lambda x: sqrt(x * x + 1.0),
        "below": lambda x: 1.0 / (x * x + 2.0), "per": lambda x: x / cos(known["x"]) / sin(known["y"]),
    }  # fmt: skip
    return one[op](args[0])


@settings(max_examples=150, deadline=None)
@given(trees)
def test_values_are_kept(tree: object) -> None:
    graph = Graph()
    node = build(tree, graph)
    found = shortened([node], _paper(), longest=10_000)
    if found is not None:
        assert value(found[0]) == pytest.approx(value(node), rel=1e-11, abs=1e-11)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda s: sin(s["x"]) * sin(s["x"]) * s["a"] + s["a"] * cos(s["x"]) * cos(s["x"]), "a"),
        (lambda s: sin(s["x"]) * cos(s["y"]) + cos(s["x"]) * sin(s["y"]), "sin(x + y)"),
        (lambda s: s["a"] * s["u"] - s["b"] * s["u"], "(a - b)*u"),
        (lambda s: 0.5 * s["a"] * s["u"] * s["u"], "a*u**2/2"),
        (lambda s: 0.08333333333333333 * (s["a"] + 3.0 * s["b"]), "(a + 3*b)/12"),
        (lambda s: 0.3 * s["a"] + 0.7 * s["b"], "0.3*a + 0.7*b"),
        (lambda s: (s["a"] * s["x"] + s["a"] * s["u"]) / s["b"], "a*(u + x)/b"),
        (lambda s: s["x"] - s["x"] * 1.0, "0"),
        (lambda s: sin(-s["x"]) * s["a"], "-a*sin(x)"),
        (lambda s: cos(2.0 * s["x"]), "cos(2*x)"),
        (lambda s: s["a"] * sin(s["x"]) * cos(s["y"]) / sin(s["x"]), "a*cos(y)"),
        (lambda s: s["a"] + s["b"] / (s["a"] * s["a"]), "a + b/a**2"),
        (lambda s: s["a"] * cos(s["x"]) + s["b"] * s["u"] * cos(s["x"]), "(b*u + a)*cos(x)"),
        (lambda s: -s["a"] * cos(s["x"]) - s["b"] * s["u"] * cos(s["x"]), "-(b*u + a)*cos(x)"),
        (lambda s: cos(s["y"]) * s["u"] * s["b"] * cos(s["x"]) * s["a"], "a*b*u*cos(x)*cos(y)"),
    ],
)
def test_short_forms(make: Callable[[dict[str, Node]], Node], text: str) -> None:
    assert write(shorten(lambda graph: make(symbols(graph))), TEXT, {}) == text


def test_applied_terms_stand_on_the_right() -> None:
    graph, paper = Graph(), _paper()
    s = symbols(graph)
    line = s["a"] * s["x"] - s["b"] * s["y"] * cos(s["x"]) - s["a"] * s["y"]
    (found,) = balanced([line], paper, [paper.symbol("b", Role.PARAMETER)], {"y"}) or []
    assert [write(x, TEXT, {}) for x in found] == ["a*x", "b + a*y + b*y*cos(x)"]
    (found,) = balanced([line], paper, [paper.zero], {"y"}) or []
    assert write(found[1], TEXT, {}) == "a*y + b*y*cos(x)"
    assert balanced([line], paper, [paper.zero], {"y"}, longest=5) is None


@pytest.mark.parametrize(
    ("above", "below", "text"),
    [
        (lambda s: s["a"] * s["b"] * sin(s["x"]), lambda s: s["b"] * cos(s["x"]), "a*sin(x)/cos(x)"),
        (lambda s: -s["a"] - s["b"], lambda s: s["a"] * (sin(s["x"]) * cos(s["y"]) - cos(s["x"]) * sin(s["y"])),
         "(a + b)/(a*sin(y - x))"),
        (lambda s: s["a"] * s["a"] * s["u"], lambda s: s["a"] * s["u"], "a"),
        (lambda s: -s["a"] * s["x"] * s["u"], lambda s: 1.5 * s["a"], "-2*x*u/3"),
    ],
)  # fmt: skip
def test_fractions(above: Callable[..., Node], below: Callable[..., Node], text: str) -> None:
    s = symbols(Graph())
    found = fraction(above(s), below(s), _paper())
    assert found is not None
    assert write(found, TEXT, {}) == text
    assert fraction(above(s) + s["x"] * s["y"], below(s), _paper(), longest=3) is None


def test_what_is_too_long_is_left() -> None:
    graph = Graph()
    s = symbols(graph)
    node = s["a"]
    for k in range(40):
        node = (node + float(k)) * (s["x"] + s["u"] + sin(s["y"] * float(k + 1)))
    assert shortened([node], _paper()) is None


def test_length_counts_what_stands_on_paper() -> None:
    s = symbols(graph := Graph())
    assert length(s["a"] * s["b"] + s["a"] * s["b"] * s["u"]) == 9
    assert length(graph.one) == 1
