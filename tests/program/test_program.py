"""Blocks and programs: their shapes, their leaves, and everything that may be wrong with them."""

from __future__ import annotations

import dataclasses

import pytest

from jourdain.graph import Graph, Role, sin
from jourdain.program import Block, Program, needed

from .samples import NO_PARAMETERS, simple, symbols


def test_a_block_is_a_vector_unless_its_shape_is_given() -> None:
    x = symbols(Graph(), "a b c d e f")
    assert Block("x", x).dimensions == (6,)
    assert Block("x", x, (2, 3)).dimensions == (2, 3)
    assert Block("x", x[:1], ()).dimensions == ()
    assert Block("x", (), (4, 0)).dimensions == (4, 0)
    assert len(Block("x", x, (2, 3))) == 6


def test_a_shape_is_for_as_many_nodes_as_there_are() -> None:
    x = symbols(Graph(), "a b c")
    with pytest.raises(ValueError, match=r"block 'x' has 3 nodes, its shape \(2, 2\) is for another number"):
        Block("x", x, (2, 2))
    with pytest.raises(ValueError, match="for another number"):
        Block("x", (), ())


def test_blocks_and_programs_are_frozen() -> None:
    x = symbols(Graph(), "a")
    with pytest.raises(dataclasses.FrozenInstanceError):
        simple(x, x).name = "other"  # type: ignore[misc]


def test_results_and_leaves() -> None:
    a, b, c = symbols(Graph(), "a b c")
    inputs, outputs = (Block("x", (a,)), Block("z", (b,))), (Block("u", (a + b,)), Block("v", (c, a)))
    program = Program("two", inputs, Block("parameters", (c,)), outputs)
    assert program.results == [a + b, c, a]
    assert program.leaves == {a: ("x", 0), b: ("z", 0), c: ("parameters", 0)}


def test_any_node_may_be_given_from_outside() -> None:
    """What is behind a leaf is not looked at, symbols that nobody gives included."""
    a, b = symbols(Graph(), "a b")
    cut_off = sin(b)
    assert simple((a, cut_off), (a * cut_off,)).leaves[cut_off] == ("x", 1)


@pytest.mark.parametrize("given", ["no outputs", "empty", "missing", "node twice", "name twice", "output's name"])
def test_what_is_wrong_is_said(given: str) -> None:
    a, b, c = symbols(Graph(), "a b c")
    x, parameters, y = Block("x", (a,)), Block("parameters", ()), Block("y", (a,))
    with pytest.raises(ValueError, match=r"^program 'p': ") as error:
        if given == "no outputs":
            Program("p", (x,), parameters, ())
        elif given == "empty":
            Program("p", (x,), parameters, (y, Block("z", ())))
        elif given == "missing":
            Program("p", (x,), parameters, (Block("y", (a * b + c,)),))
        elif given == "node twice":
            Program("p", (x, Block("z", (sin(b), sin(b)))), Block("parameters", (a,)), (y,))
        elif given == "name twice":
            Program("p", (x, Block("x", (b,))), parameters, (y,))
        else:
            Program("p", (x,), parameters, (Block("x", (a,)),))
    told = {
        "no outputs": ["it has no outputs"],
        "empty": ["output 'z' is empty"],
        "missing": ["no input or parameter gives b, c"],
        "node twice": [f"node {sin(b).id} is given by both 'z' and 'z'", "a is given by both 'x' and 'parameters'"],
        "name twice": ["two blocks are called 'x'"],
        "output's name": ["two blocks are called 'x'"],
    }[given]
    assert str(error.value) == f"program 'p': {'; '.join(told)}"


def test_all_that_is_wrong_is_said_at_once() -> None:
    a, b = symbols(Graph(), "a b")
    told = r"two blocks are called 'x'; .*; no input or parameter gives b; output 'z' is empty"
    with pytest.raises(ValueError, match=told):
        Program("p", (Block("x", (a,)), Block("x", (a,))), NO_PARAMETERS, (Block("y", (b,)), Block("z", ())))


def test_needed_is_in_order_of_birth_and_stops_at_leaves() -> None:
    graph = Graph()
    a, b = symbols(graph, "a b")
    inner = sin(a)
    outer = inner * b
    assert needed([outer, b], {inner}) == sorted([outer, b, inner], key=lambda node: node.id)
    assert set(needed([outer], ())) == {outer, inner, a, b}
    assert needed([], ()) == []


def test_long_chains_need_no_recursion() -> None:
    graph = Graph()
    x = node = graph.symbol("x", Role.INPUT)
    for _ in range(20_000):
        node = sin(node)
    assert len(needed([node], {x})) == 20_001
