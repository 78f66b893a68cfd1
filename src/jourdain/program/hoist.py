"""Hoisting: what depends on parameters alone is computed once per set of parameters, not once per call."""

from __future__ import annotations

from dataclasses import dataclass

from ..graph import Node
from ..graph.operations import CONSTANT
from .program import Block, Program, needed

HOISTED = "hoisted"


@dataclass(frozen=True)
class Split:
    """A program in two.

    setup: parameters -> hoisted values; None where nothing is hoisted.
    main: (inputs; hoisted values as its parameters) -> outputs.
    """

    setup: Program | None
    main: Program

    @property
    def hoisted(self) -> Block:
        return self.main.parameters


def hoist(program: Program) -> Split:
    """Splits a program where parameter-only expressions meet the rest, and where they are outputs themselves."""
    given = {node for block in program.inputs for node in block.nodes}
    parameters = set(program.parameters.nodes)

    def is_static(node: Node) -> bool:
        return (node.is_static or node in parameters) and node not in given and node.op is not CONSTANT

    results = program.results
    stops = given | parameters
    edge = {node for node in results if is_static(node)}
    for node in needed(results, stops):
        if not (is_static(node) or node in stops):
            edge.update(x for x in node.args if is_static(x))
    if not edge:
        return Split(None, Program(program.name, program.inputs, Block(HOISTED, ()), program.outputs))
    hoisted = Block(HOISTED, tuple(sorted(edge, key=lambda node: node.id)))
    setup = Program(f"{program.name}_setup", (program.parameters,), Block("none", ()), (hoisted,))
    main = Program(program.name, program.inputs, hoisted, program.outputs)
    return Split(setup, main)
