"""Steps and pieces carried out one by one with NumPy, as a target would write them down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from jourdain.graph import Node
from jourdain.graph.operations import ADD, CONSTANT, COS, MUL, SIN, SUB
from jourdain.program import Compute, Piece, Program, Step

Values = dict[Node, np.float64]


def carry_out(steps: Iterable[Step], values: Values) -> None:
    """Adds what the steps compute to `values`; an operand that is not there yet is an error."""

    def value(node: Node) -> np.float64:
        return np.float64(node.value) if node.op is CONSTANT and node not in values else values[node]

    with np.errstate(all="ignore"):
        for step in steps:
            if isinstance(step, Compute):
                values[step.node] = _computed(step, [value(x) for x in step.operands])
            else:
                for angle, sine, cosine in zip(step.angles, step.sines, step.cosines):
                    for node, operation in ((sine, SIN), (cosine, COS)):
                        if node is not None:
                            values[node] = operation.vectorized(value(angle))


def _computed(step: Compute, operands: Sequence[np.float64]) -> np.float64:
    """With two roundings where a target has one, so that results are the interpreter's to the last bit."""
    if step.fused is None:
        return np.float64(step.node.op.vectorized(*operands))
    a, b, c = operands
    product = MUL.vectorized(a, b)
    if step.fused.negate_product:
        return np.float64(SUB.vectorized(c, product))
    return np.float64((SUB if step.fused.negate_addend else ADD).vectorized(product, c))


def carry_out_pieces(
    program: Program, pieces: Iterable[Piece], slots: int, given: Mapping[Node, float]
) -> list[np.float64]:
    """The results, where a piece sees the leaves and its own values, and all else goes through the scratch buffer."""
    scratch = [np.float64(np.nan)] * slots
    results: Values = {node: np.float64(value) for node, value in given.items()}
    for piece in pieces:
        values = {node: np.float64(value) for node, value in given.items()}
        values.update({node: scratch[slot] for node, slot in piece.fetch.items()})
        carry_out(piece.steps, values)
        for node, slot in piece.keep.items():
            scratch[slot] = values[node]
        own = {node for step in piece.steps for node in step.results}
        results.update({node: values[node] for node in own})
    return [np.float64(x.value) if x.op is CONSTANT and x not in results else results[x] for x in program.results]
