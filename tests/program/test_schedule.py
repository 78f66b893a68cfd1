"""The schedule: everything once, operands first, sines and cosines in groups."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.graph import Graph, Role, cos, sin, tan
from jourdain.graph.interpret import interpret
from jourdain.program import Compute, Trig, hoist, needed, schedule

from ..graph.random_graphs import random_graph, random_values
from .running import Values, carry_out
from .samples import simple, symbols, tangled


@pytest.mark.parametrize("seed", range(20))
def test_steps_give_the_programs_results(seed: int) -> None:
    """To the last bit, as the interpreter rounds; and no operand is read before it is there."""
    graph = random_graph(seed, 100)
    program = simple(graph.symbols, graph.outputs)
    given = random_values(graph.symbols, seed)
    values: Values = {node: np.float64(x) for node, x in given.items()}
    carry_out(schedule(program), values)
    expected = interpret(program.results, given)
    for node, x in zip(program.results, expected):
        assert (node.value if node.is_constant else values[node]) == x


@pytest.mark.parametrize("seed", range(5))
def test_everything_is_computed_once_and_nothing_in_vain(seed: int) -> None:
    program = tangled(300, seed)
    steps = schedule(program)
    made = [node for step in steps for node in step.results]
    assert len(set(made)) == len(made)
    inside = {x for step in steps for x in step.operands}
    assert set(made) <= inside | set(program.results)
    assert set(made) <= set(needed(program.results, program.leaves))


def test_leaves_and_constants_are_no_steps() -> None:
    x, y = symbols(Graph(), "x y")
    assert schedule(simple((x, y), (x, x.graph.constant(3.0)))) == []
    given = sin(x)
    (step,) = schedule(simple((given, y), (given * y,)))
    assert isinstance(step, Compute)
    assert set(step.operands) == {given, y}
    assert step.results == (given * y,)


def test_sine_and_cosine_of_an_angle_are_one_step() -> None:
    x, y = symbols(Graph(), "x y")
    steps = schedule(simple((x, y), (sin(x), cos(x), cos(y))))
    assert steps == [Trig((x, y), (sin(x), None), (cos(x), cos(y)))]
    assert steps[0].operands == (x, y)
    assert steps[0].results == (sin(x), cos(x), cos(y))


def test_angles_that_depend_on_sines_are_grouped_apart() -> None:
    x, y = symbols(Graph(), "x y")
    inner, outer, third = sin(x), sin(sin(x) + y), cos(tan(y))
    groups = [step for step in schedule(simple((x, y), (outer, third, inner, cos(y)))) if isinstance(step, Trig)]
    assert [set(group.angles) for group in groups] == [{x, y}, {inner + y, tan(y)}]


def test_a_group_has_eight_angles_at_most() -> None:
    graph = Graph()
    x = [graph.symbol(f"x{i}", Role.INPUT) for i in range(19)]
    groups = schedule(simple(x, [sin(angle) for angle in x]))
    assert [len(group.results) for group in groups] == [8, 8, 3]


def test_long_chains_need_no_recursion() -> None:
    graph = Graph()
    x = node = graph.symbol("x", Role.INPUT)
    for _ in range(20_000):
        node = sin(node) + 0.1
    assert len(schedule(simple((x,), (node,)))) == 40_000


def test_the_order_is_the_same_every_time() -> None:
    def order() -> list[list[int]]:
        return [[node.id for node in step.results] for step in schedule(hoist(tangled(200)).main)]

    assert order() == order()
