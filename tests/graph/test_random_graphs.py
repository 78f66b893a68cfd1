"""The generator that other tests rely on: every operation, the same graph for the same seed, values in bounds."""

from __future__ import annotations

import numpy as np

from jourdain.graph import OPERATIONS, Node, interpret, reachable

from .random_graphs import LARGEST, RECIPES, random_graph, random_values


def test_every_operation_has_a_recipe() -> None:
    assert set(RECIPES) == set(OPERATIONS)


def test_every_operation_occurs() -> None:
    found = {node.op for seed in range(5) for node in reachable(random_graph(seed, 60).outputs)}
    assert set(OPERATIONS) <= found


def test_the_same_seed_gives_the_same_graph() -> None:
    first, second = random_graph(7, 60), random_graph(7, 60)
    assert [repr(x) for x in first.outputs] == [repr(x) for x in second.outputs]
    assert [x.op for x in first.graph.nodes] == [x.op for x in second.graph.nodes]
    assert [repr(x) for x in random_graph(8, 60).outputs] != [repr(x) for x in first.outputs]


def test_values_are_finite_and_bounded() -> None:
    for seed in range(20):
        _, symbols, outputs = random_graph(seed, 60)
        for value in interpret(outputs, random_values(symbols, seed, (3, 5))):
            assert value.shape in ((3, 5), ())
            assert np.all(np.abs(value) < 60.0 * LARGEST)


def test_nothing_made_is_left_unused() -> None:
    """All outputs together need every operation that a recipe made."""
    graph, _, outputs = random_graph(11, 60)
    used: set[Node] = set(reachable(outputs))
    assert sum(node in used for node in graph.nodes if node.args) >= 60


def test_chosen_operations_only() -> None:
    chosen = [op for op in OPERATIONS if op.name in ("add", "mul")]
    found = {node.op for node in reachable(random_graph(1, 40, operations=chosen).outputs)}
    assert {op.name for op in found} <= {"add", "mul", "sub", "neg", "sin", "constant", "symbol"}
