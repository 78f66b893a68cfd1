"""A program's fingerprint: equal in every process and under every name, different for everything that matters."""

from __future__ import annotations

import os
import subprocess
import sys

from jourdain.graph import Graph, Node, Role, cos, sin
from jourdain.program import Block, Program, digest

from .samples import NO_PARAMETERS, simple, symbols, tangled

PRINT = "from tests.program.samples import tangled; from jourdain.program import digest; print(digest(tangled(500)))"


def test_equal_in_every_process() -> None:
    """Whatever order sets come in."""
    found = set()
    for seed in ("0", "1", "4711"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", PRINT]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        found.add(done.stdout.strip())
    assert found == {digest(tangled(500))}


def test_independent_of_names() -> None:
    one, two = tangled(300), tangled(300, prefix="other_")
    assert digest(one) == digest(two)
    inputs, parameters, outputs = one.inputs[0].nodes, one.parameters.nodes, one.outputs[0].nodes
    renamed = Program("renamed", (Block("first", inputs),), Block("p", parameters), (Block("z", outputs),))
    assert digest(renamed) == digest(one)


def test_independent_of_what_else_is_in_the_graph() -> None:
    def built(before: int) -> str:
        graph = Graph()
        for i in range(before):
            sin(graph.symbol(f"unused{i}", Role.TIME))
        a, b = symbols(graph, "a b")
        return digest(simple((a, b), (sin(a) * b + cos(b),)))

    assert built(0) == built(17)


def test_different_for_whatever_makes_different_code() -> None:
    graph = Graph()
    a, b, c = symbols(graph, "a b c")
    y: tuple[Node, ...] = (a - sin(b), a * c)

    def of(inputs: tuple[Block, ...], parameters: Block, outputs: tuple[Block, ...]) -> str:
        return digest(Program("p", inputs, parameters, outputs))

    x = Block("x", (a, b, c))
    programs = [
        of((x,), NO_PARAMETERS, (Block("y", y),)),
        of((x,), NO_PARAMETERS, (Block("y", y[::-1]),)),
        of((x,), NO_PARAMETERS, (Block("y", y, (2, 1)),)),
        of((x,), NO_PARAMETERS, (Block("y", y, (1, 2)),)),
        of((x,), NO_PARAMETERS, (Block("y", y[:1]), Block("z", y[1:]))),
        of((x,), NO_PARAMETERS, (Block("y", (a - cos(b), a * c)),)),
        of((x,), NO_PARAMETERS, (Block("y", (a - sin(b) * 0.5, a * c)),)),
        of((x,), NO_PARAMETERS, (Block("y", (a - sin(b) * (0.5 + 2.0**-53), a * c)),)),
        of((Block("x", (b, a, c)),), NO_PARAMETERS, (Block("y", y),)),
        of((Block("x", (a, b)), Block("w", (c,))), NO_PARAMETERS, (Block("y", y),)),
        of((Block("x", (a, b)),), Block("parameters", (c,)), (Block("y", y),)),
    ]
    assert len(set(programs)) == len(programs)


def test_the_shape_of_an_input_counts() -> None:
    """Strides are read for every axis, so code for (2, 2) is not code for (4,)."""
    nodes = symbols(Graph(), "a b c d")

    def of(shape: tuple[int, ...]) -> str:
        return digest(Program("p", (Block("x", nodes, shape),), NO_PARAMETERS, (Block("y", nodes[:1]),)))

    assert len({of((4,)), of((2, 2)), of((4, 1))}) == 3
