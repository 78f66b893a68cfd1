"""Tables of expressions: bit for bit there and back, and hostile tables refused."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jourdain.graph import OPERATIONS, Graph, Node, Operation, Role, interpret, reachable, sin, symbols_of
from jourdain.graph.parse import ExpressionError, parse
from jourdain.graph.spell import from_table, quoted, spell, to_table

from .random_graphs import RandomGraph, graphs, random_values

G = Graph()
X, Y, Z = (G.symbol(name, Role.COORDINATE) for name in "xyz")
M = G.symbol("m", Role.PARAMETER)


@settings(max_examples=60, deadline=None)
@given(graphs(80))
def test_into_the_same_graph_it_is_the_same_nodes(sample: RandomGraph) -> None:
    graph, _, outputs = sample
    assert from_table(to_table(outputs), graph) == outputs


@settings(max_examples=60, deadline=None)
@given(graphs(80), st.integers(0, 1000))
def test_into_another_graph_every_bit_stays(sample: RandomGraph, seed: int) -> None:
    """Through JSON, as a file would hold it."""
    _, symbols, outputs = sample
    there = Graph()
    copies = from_table(json.loads(json.dumps(to_table(outputs))), there)
    assert all(node.graph is there for node in reachable(copies))
    values = random_values(symbols, seed, 3)
    by_name = {x.name: values[x] for x in symbols}
    assert {x.name: x.role for x in symbols_of(copies)} == {x.name: x.role for x in symbols_of(outputs)}
    found = interpret(copies, {x: by_name[x.name] for x in symbols_of(copies)})
    for a, b in zip(found, interpret(outputs, values)):
        assert np.array_equal(a, b)  # not merely close
    assert to_table(from_table(to_table(copies), Graph())) == to_table(copies)


@settings(max_examples=40, deadline=None)
@given(graphs(12))
def test_one_line_reads_back(sample: RandomGraph) -> None:
    graph, symbols, outputs = sample
    for node in outputs:
        line = spell(node)
        if len(line) < 2000:
            assert parse(line, {x.name: x for x in symbols}, graph) is node


@pytest.mark.parametrize("op", OPERATIONS, ids=repr)
def test_every_operation_inside_every_other(op: Operation) -> None:
    inner = G.apply(op, *(X, Y, Z)[: op.arity])
    for around in OPERATIONS:
        for place in range(around.arity):
            operands: list[Node] = [X, M, Y][: around.arity]
            operands[place] = inner
            node = G.apply(around, *operands)
            assert parse(spell(node), {"x": X, "y": Y, "z": Z, "m": M}, G) is node
            assert from_table(to_table([node, -node]), G) == [node, -node]


@given(st.floats())
def test_numbers_keep_their_bits(value: float) -> None:
    constant = G.constant(value)
    assert from_table(json.loads(json.dumps(to_table([constant, X * constant]))), G)[0] is constant


def test_the_form_of_a_table() -> None:
    product = X * Y
    table = to_table([sin(product), product + M, -product, X])
    assert table == {
        "symbols": {"x": "coordinate", "y": "coordinate", "m": "parameter"},
        "steps": {"Z1": "x*y"},
        "expressions": ["sin(Z1)", "m + Z1", "-Z1", "x"],
    }
    assert to_table([]) == {"symbols": {}, "steps": {}, "expressions": []}
    assert from_table(to_table([]), G) == []


def test_steps_avoid_the_symbols_names() -> None:
    z1 = G.symbol("Z1", Role.COORDINATE)
    table = to_table([sin(z1 * X) + z1 * X])
    assert list(table["steps"]) == ["Y1"]
    assert from_table(table, G) == [sin(z1 * X) + z1 * X]


def test_long_lines_are_cut() -> None:
    total = X
    for i in range(200):
        total = total * (Y + (i + 0.5)) + M
    table = to_table([total])
    assert all(len(line) < 600 for line in table["steps"].values())
    assert len(table["steps"]) > 10
    assert from_table(table, G) == [total]


ODD_NAMES = ["f[q1]", "a b", "pi", "sin", "nan", "2x", "é!", "x-y", "Z9", "q̇", "a.b", "a..b", "λ", "'", '"', "\\"]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_names_come_back(name: str) -> None:
    graph = Graph()
    x = graph.symbol(name, Role.INPUT)
    nodes = [sin(x) * sin(x) + x, x]
    assert from_table(to_table(nodes), graph) == nodes
    assert parse(quoted(name), {name: x}, graph) is x


@pytest.mark.parametrize("name", ["", "a`b", "a\nb", "\x00", "x" * 201], ids=repr)
def test_names_that_could_not_be_read_back_are_not_written(name: str) -> None:
    x = Graph().symbol(name, Role.INPUT)
    with pytest.raises(ExpressionError, match=r"a symbol named .* cannot be written"):
        to_table([x])
    with pytest.raises(ExpressionError, match="cannot be written"):
        spell(x + 1)


def test_given_nodes_stand_for_symbols() -> None:
    table = to_table([X * M + Y])
    graph = Graph()
    w = graph.symbol("w", Role.SPEED)
    (node,) = from_table(table, graph, {"x": w, "m": graph.constant(2.0), "unused": w})
    assert node is w * 2.0 + graph.symbol("y", Role.COORDINATE)


# -- tables from anywhere --------------------------------------------------------------------------------------------

GOOD: dict[str, Any] = {"symbols": {"x": "coordinate"}, "steps": {"Z1": "x*x"}, "expressions": ["Z1 + 1"]}

HOSTILE: list[tuple[Any, str]] = [
    (None, "a table of expressions has the keys expressions, steps, symbols and no others"),
    ([], "has the keys"),
    ({}, "has the keys"),
    (GOOD | {"more": 1}, "has the keys"),
    (GOOD | {"symbols": ["x"]}, "symbols must be names with texts, not list"),
    (GOOD | {"steps": "x"}, "steps must be names with texts, not str"),
    (GOOD | {"symbols": {"x": 1}}, "symbols: 'x' with '1' is no name with a text"),
    (GOOD | {"symbols": {"": "coordinate"}}, "symbols: '' with 'coordinate' is no name"),
    (GOOD | {"symbols": {"a`b": "coordinate"}}, "is no name with a text"),
    (GOOD | {"symbols": {1: "coordinate"}}, "symbols: '1' with 'coordinate' is no name with a text"),
    (GOOD | {"symbols": {"x" * 500: "coordinate"}}, "symbols: 'x{60}' with"),
    (GOOD | {"symbols": {"x": "wizard"}}, "symbol 'x' is a 'wizard'; the roles are coordinate, speed, acceleration"),
    (GOOD | {"symbols": {"taken": "coordinate"}}, "symbols: symbol 'taken' is already a input"),
    (GOOD | {"steps": {"x": "x"}}, "steps: 'x' is defined twice"),
    (GOOD | {"steps": {"Z1": "Z1 + 1"}}, "step Z1: column 1 of 'Z1 \\+ 1': there is no symbol 'Z1'"),
    (GOOD | {"steps": {"Z1": "Z2", "Z2": "x"}}, "step Z1: .* there is no symbol 'Z2'"),
    (GOOD | {"steps": {"Z1": ["x"]}}, "steps: 'Z1' with .* is no name with a text"),
    (GOOD | {"steps": {"Z1": "__import__('os')"}}, "step Z1: column 1 .* there is no function '__import__'"),
    (GOOD | {"expressions": "Z1"}, "expressions must be a list of texts"),
    (GOOD | {"expressions": [1.0]}, "expressions must be a list of texts"),
    (GOOD | {"expressions": ["Z1", "Z1 +"]}, "expression 2: column 5 of 'Z1 \\+': an operand is missing at the end"),
    (GOOD | {"expressions": ["(" * 5000]}, "expression 1: .* stand open"),
    (GOOD | {"expressions": ["x" * 30_000]}, "expression 1: an expression of 30000 characters"),
]


@pytest.mark.parametrize(("table", "message"), HOSTILE, ids=[message[:40] for _, message in HOSTILE])
def test_hostile_tables(table: Any, message: str) -> None:
    graph = Graph()
    graph.symbol("taken", Role.INPUT)
    with pytest.raises(ExpressionError, match=message):
        from_table(table, graph)


def test_the_good_table_is_good() -> None:
    (node,) = from_table(GOOD, G)
    assert node is X * X + 1


def test_doubling_steps_stay_small() -> None:
    """Each step twice the one before: a line each, and a graph of as many nodes, whatever the value."""
    steps = {"Z1": "x*x"} | {f"Z{i}": f"Z{i - 1}*Z{i - 1}" for i in range(2, 2000)}
    graph = Graph()
    (node,) = from_table({"symbols": {"x": "input"}, "steps": steps, "expressions": ["Z1999"]}, graph)
    assert len(graph) < 2100
    (value,) = interpret([node], {graph.symbol("x", Role.INPUT): 2.0})
    assert value == math.inf
