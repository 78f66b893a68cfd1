"""A program's fingerprint: the same for the same code in every process, whatever its names."""

from __future__ import annotations

import hashlib
import struct

from ..graph import Node
from ..graph.operations import CONSTANT
from .program import Program, needed


def digest(program: Program) -> str:
    """SHA-256 of the canonical form: leaves by place, nodes renumbered in order of birth, all blocks' shapes."""
    number: dict[Node, int] = {}
    lines: list[str] = [" ".join(str(block.dimensions) for block in (*program.inputs, program.parameters))]
    for index, node in enumerate(program.leaves):
        number[node] = index
    for node in needed(program.results, number.keys()):
        if node in number:
            continue
        number[node] = len(number)
        if node.op is CONSTANT:
            lines.append(struct.pack("<d", node.value).hex())
        else:
            lines.append(f"{node.op.name} {' '.join([str(number[x]) for x in node.args])}")
    for block in program.outputs:
        lines.append(f"{block.dimensions} {' '.join([str(number[x]) for x in block.nodes])}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
