"""A program: straight-line graph code with named inputs and outputs. It knows no mechanics."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from ..graph import Node
from ..graph.operations import SYMBOL


@dataclass(frozen=True)
class Block:
    """A named array of nodes, in C order.

    shape: of the array's last axes, (len(nodes),) where not given; () is a scalar.
    """

    name: str
    nodes: tuple[Node, ...]
    shape: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if self.shape is None:
            object.__setattr__(self, "shape", (len(self.nodes),))
        if math.prod(self.dimensions) != len(self.nodes):
            count = len(self.nodes)
            raise ValueError(f"block {self.name!r} has {count} nodes, its shape {self.shape} is for another number")

    @property
    def dimensions(self) -> tuple[int, ...]:
        """The shape, which is always there after construction."""
        assert self.shape is not None
        return self.shape

    def __len__(self) -> int:
        return len(self.nodes)


@dataclass(frozen=True)
class Program:
    """Outputs as expressions of inputs, which change with every call, and parameters, which seldom do.

    The nodes of inputs and parameters are leaves: usually symbols, but any node may be cut off and given from
    outside. Leaves that no output needs are allowed.
    """

    name: str
    inputs: tuple[Block, ...]
    parameters: Block
    outputs: tuple[Block, ...]

    def __post_init__(self) -> None:
        problems = [*self._duplicates(), *self._undefined()]
        if not self.outputs:
            problems.append("it has no outputs")
        problems += [f"output {block.name!r} is empty" for block in self.outputs if not block.nodes]
        if problems:
            raise ValueError(f"program {self.name!r}: " + "; ".join(problems))

    @property
    def results(self) -> list[Node]:
        """The nodes of all outputs, one after the other."""
        return [node for block in self.outputs for node in block.nodes]

    @property
    def leaves(self) -> dict[Node, tuple[str, int]]:
        """Where each leaf is given: the name of its block and its place in it."""
        given = (*self.inputs, self.parameters)
        return {node: (block.name, i) for block in given for i, node in enumerate(block.nodes)}

    def _duplicates(self) -> Iterable[str]:
        blocks = (*self.inputs, self.parameters, *self.outputs)
        names = [block.name for block in blocks]
        yield from (f"two blocks are called {name!r}" for name in dict.fromkeys(names) if names.count(name) > 1)
        seen: dict[Node, str] = {}
        for block in (*self.inputs, self.parameters):
            for node in block.nodes:
                if node in seen:
                    yield f"{_called(node)} is given by both {seen[node]!r} and {block.name!r}"
                seen[node] = block.name

    def _undefined(self) -> Iterable[str]:
        leaves = self.leaves
        missing = [_called(node) for node in needed(self.results, leaves) if node.op is SYMBOL and node not in leaves]
        if missing:
            yield f"no input or parameter gives {', '.join(missing)}"


def _called(node: Node) -> str:
    return node.name if node.op is SYMBOL else f"node {node.id}"


def needed(results: Iterable[Node], leaves: Iterable[Node]) -> list[Node]:
    """Every node that the results depend on without looking behind leaves, in order of birth."""
    known = set(leaves)
    seen: set[Node] = set()
    stack = list(results)
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            if node not in known:
                stack.extend(node.args)
    return sorted(seen, key=lambda node: node.id)
