"""Small programs to test with."""

from __future__ import annotations

import random
from collections.abc import Sequence

from jourdain.graph import Graph, Node, Role, cos, sin, sqrt
from jourdain.program import Block, Program

NO_PARAMETERS = Block("parameters", ())


def symbols(graph: Graph, names: str, role: Role = Role.INPUT) -> tuple[Node, ...]:
    """Symbols by their names, blanks between."""
    return tuple(graph.symbol(name, role) for name in names.split())


def simple(inputs: Sequence[Node], outputs: Sequence[Node], name: str = "simple") -> Program:
    """One block in, one block out, no parameters."""
    return Program(name, (Block("x", tuple(inputs)),), NO_PARAMETERS, (Block("y", tuple(outputs)),))


def tangled(size: int, seed: int = 0, prefix: str = "") -> Program:
    """Some `size` operations that read one another far and near; three inputs, two parameters, four results."""
    rng = random.Random(seed)
    graph = Graph()
    inputs = symbols(graph, f"{prefix}a {prefix}b {prefix}c")
    parameters = symbols(graph, f"{prefix}k {prefix}l", Role.PARAMETER)
    known: list[Node] = [*inputs, *parameters]
    while len(known) < size:
        x, y = (known[-1 - min(int(rng.expovariate(0.1)), len(known) - 1)] for _ in range(2))
        kind = rng.randrange(8)
        if kind < 3:
            node = x * cos(y)
        elif kind < 5:
            node = x * y + known[rng.randrange(len(known))]
        elif kind == 5:
            node = sin(x) - y
        elif kind == 6:
            node = x / (y * y + 1.5)
        else:
            node = sqrt(x * x + 0.5)
        if not node.is_constant:
            known.append(node)
    return Program("tangled", (Block("x", inputs),), Block("parameters", parameters), (Block("y", tuple(known[-4:])),))
