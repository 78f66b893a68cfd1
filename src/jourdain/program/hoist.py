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
    static = set(program.parameters.nodes)  # blocks decide, not roles: a parameter may be an input of this program
    results = program.results
    nodes = [node for node in needed(results, given | static) if node.op is not CONSTANT]
    edge: set[Node] = set()
    for node in nodes:
        if node in given or node in static:
            continue
        known = [x for x in node.args if x in static]
        if len(known) == sum(x.op is not CONSTANT for x in node.args):
            static.add(node)
        else:
            edge.update(known)
    edge.update(node for node in results if node in static)
    if not edge:
        return Split(None, Program(program.name, program.inputs, Block(HOISTED, ()), program.outputs))
    hoisted = Block(HOISTED, tuple(sorted(edge, key=lambda node: node.id)))
    setup = Program(f"{program.name}_setup", (program.parameters,), Block("none", ()), (hoisted,))
    main = Program(program.name, program.inputs, hoisted, program.outputs)
    return Split(setup, main)
