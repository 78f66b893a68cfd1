"""Hoisting: the two halves together are the whole, and nothing is in the half where it does not belong."""

from __future__ import annotations

import pytest

from jourdain.graph import Graph, Node, Role, sin, sqrt
from jourdain.graph.interpret import interpret
from jourdain.graph.operations import CONSTANT
from jourdain.program import Block, Program, hoist, needed

from .samples import NO_PARAMETERS, simple, symbols, tangled

VALUES = {"a": 0.3, "b": -1.7, "c": 2.2, "k": 0.9, "l": -0.4}


def evaluated(program: Program, values: dict[str, float]) -> list[float]:
    """Both halves, one after the other."""
    split = hoist(program)
    given: dict[Node, float] = {node: values[node.name] for block in program.inputs for node in block.nodes}
    if split.setup is not None:
        parameters = {node: values[node.name] for node in program.parameters.nodes}
        hoisted = interpret(split.setup.results, parameters)
        given.update({node: float(x) for node, x in zip(split.hoisted.nodes, hoisted)})
    return [float(x) for x in interpret_from(split.main, given)]


def interpret_from(program: Program, given: dict[Node, float]) -> list[float]:
    """The interpreter stops at given nodes, but asks for every symbol: those behind leaves are not needed."""
    behind = {node: 0.0 for node in needed(program.results, ()) if node.is_symbol and node not in given}
    used = needed(program.results, given)
    assert not [node for node in used if node in behind], "the main half looks behind its leaves"
    return [float(x) for x in interpret(program.results, behind | given)]


@pytest.mark.parametrize("seed", range(10))
def test_hoisted_and_main_are_the_whole(seed: int) -> None:
    program = tangled(200, seed)
    whole = interpret(program.results, {node: VALUES[node.name] for node in program.leaves})
    assert evaluated(program, VALUES) == [float(x) for x in whole]


@pytest.mark.parametrize("seed", range(10))
def test_main_computes_nothing_static_and_setup_nothing_else(seed: int) -> None:
    split = hoist(tangled(200, seed))
    for node in needed(split.main.results, split.main.leaves):
        assert node in split.main.leaves or node.op is CONSTANT or not node.is_static
    assert split.setup is not None
    assert all(node.is_static for node in needed(split.setup.results, ()))
    assert len(set(split.hoisted.nodes)) == len(split.hoisted)


def test_each_value_is_hoisted_where_it_meets_the_rest() -> None:
    """The square root, not the sum below it; what both sides need, once."""
    graph = Graph()
    (x,) = symbols(graph, "x")
    (k,) = symbols(graph, "k", Role.PARAMETER)
    root = sqrt(k + 1.0)
    program = Program("p", (Block("x", (x,)),), Block("parameters", (k,)), (Block("y", (root * x, sin(x) + root, k)),))
    split = hoist(program)
    assert split.hoisted.nodes == (k, root)
    assert split.setup is not None
    assert split.setup.inputs == (program.parameters,)
    assert split.main.outputs == program.outputs


def test_without_parameters_there_is_no_setup() -> None:
    (x,) = symbols(Graph(), "x")
    split = hoist(simple((x,), (sin(x), x.graph.constant(2.0))))
    assert split.setup is None
    assert len(split.hoisted) == 0


def test_parameters_nobody_needs_are_not_hoisted() -> None:
    graph = Graph()
    (x,) = symbols(graph, "x")
    (k,) = symbols(graph, "k", Role.PARAMETER)
    split = hoist(Program("p", (Block("x", (x,)),), Block("parameters", (k,)), (Block("y", (sin(x),)),)))
    assert split.setup is None


def test_a_symbol_of_any_role_may_be_a_parameter_and_a_parameter_an_input() -> None:
    """Blocks decide, not roles: a coordinate held fixed is hoisted, a parameter that varies is not."""
    graph = Graph()
    (q,) = symbols(graph, "q", Role.COORDINATE)
    (k,) = symbols(graph, "k", Role.PARAMETER)
    program = Program("p", (Block("k", (k,)),), Block("fixed", (q,)), (Block("y", (q * k,)),))
    split = hoist(program)
    assert split.hoisted.nodes == (q,)
    given: dict[Node, float] = {k: 2.0, q: 3.0}
    assert interpret_from(split.main, given) == [6.0]


def test_an_expression_of_parameters_with_a_given_part_is_not_hoisted() -> None:
    """A static expression over a static node that comes from outside changes with every call."""
    graph = Graph()
    (k,) = symbols(graph, "k", Role.PARAMETER)
    inner = sin(k)
    program = Program("p", (Block("x", (inner,)),), NO_PARAMETERS, (Block("y", (sqrt(inner),)),))
    split = hoist(program)
    assert split.setup is None
    assert interpret_from(split.main, {inner: 4.0}) == [2.0]


def test_expressions_follow_the_blocks_not_the_roles() -> None:
    graph = Graph()
    (q,) = symbols(graph, "q", Role.COORDINATE)
    (k,) = symbols(graph, "k", Role.PARAMETER)
    program = Program("p", (Block("k", (k,)),), Block("fixed", (q,)), (Block("y", (sin(q) * sqrt(k) * 2.0,)),))
    split = hoist(program)
    assert split.hoisted.nodes == (sin(q),)
    assert split.setup is not None
