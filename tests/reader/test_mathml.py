"""MathML for every operation and for any name: well formed, and nothing of a name is markup."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jourdain.graph import OPERATIONS, Graph, Operation, Role, less, select, sin
from jourdain.graph.mathml import mathml, mathml_name
from jourdain.reader.page import glyphs, pieces


def parsed(row: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<math>{row}</math>")


@pytest.mark.parametrize("operation", OPERATIONS, ids=repr)
def test_every_operation_is_written(operation: Operation) -> None:
    graph = Graph()
    args = [graph.symbol(f"x_{k}", Role.COORDINATE) + 1.5 for k in range(operation.arity)]
    text = "".join(parsed(mathml(graph.apply(operation, *args))).itertext())
    assert text.count("x") >= operation.arity
    assert "None" not in text


@settings(max_examples=200, deadline=None)
@given(st.text(min_size=1, max_size=30))
def test_any_name_is_text(name: str) -> None:
    element = parsed(mathml_name(name))
    assert {x.tag for x in element.iter()} <= {"math", "mi", "mn", "mo", "mrow", "msub", "mover", "mtext"}


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("m", "<mi>m</mi>"),
        ("q1", "<msub><mi>q</mi><mrow><mn>1</mn></mrow></msub>"),
        ("theta", "<mi>θ</mi>"),
        ("m_A", "<msub><mi>m</mi><mrow><mi>A</mi></mrow></msub>"),
        ("qdot", '<mover accent="true"><mi>q</mi><mo stretchy="false">˙</mo></mover>'),
        ("a<b", "<mi>a&lt;b</mi>"),
        ("a\x00b", "<mi>a b</mi>"),
    ],
)
def test_names(name: str, row: str) -> None:
    assert mathml_name(name) == row


@pytest.mark.parametrize(
    ("value", "text"), [(2.0, "2"), (-0.5, "−0.5"), (1e-5, "10−5"), (2.5e300, "2.5×10300"), (float("inf"), "∞")]
)
def test_numbers(value: float, text: str) -> None:
    assert "".join(parsed(mathml(Graph().constant(value))).itertext()) == text


def test_cases() -> None:
    graph = Graph()
    x = graph.symbol("x", Role.COORDINATE)
    text = "".join(parsed(mathml(select(less(x, 0.0), -x, sin(x)))).itertext())
    assert "if" in text
    assert "otherwise" in text
    assert "x<0" in text
    assert "≠" in "".join(parsed(mathml(select(x, 1.0, 2.0))).itertext())


def test_a_long_row_is_cut_before_its_signs() -> None:
    graph = Graph()
    names = [graph.symbol(f"coordinate{k}", Role.COORDINATE) for k in range(6)]
    inner = names[0] + names[1] + names[2] + names[3] + names[5]
    found = pieces(mathml(inner * names[4] - names[2]))
    for piece in found:
        parsed(piece)
    assert len(found) > 2
    assert glyphs("".join(found)) == glyphs(mathml(inner * names[4] - names[2]))
