"""Contraction: which products fuse with sums into one rounding, decided here once for every target and precision.

A compiler left to contract as it likes rounds differently in scalar and in vector code, and differently from release
to release. Here a*b + c is fused where the product has no other reader than sums, so results do not depend on how a
batch is cut or on who compiled the code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..graph import Node
from ..graph.operations import ADD, MUL, SUB


@dataclass(frozen=True, slots=True)
class Fused:
    """±(a*b) ± c with one rounding."""

    a: Node
    b: Node
    c: Node
    negate_product: bool
    negate_addend: bool


def contract(nodes: Sequence[Node], results: Iterable[Node], leaves: Iterable[Node]) -> dict[Node, Fused]:
    """The sums that become fused, among `nodes` in order of evaluation."""
    known = set(leaves)
    readers: dict[Node, int] = dict.fromkeys(nodes, 0)
    depth: dict[Node, int] = dict.fromkeys(known, 0)
    kept = set(results)  # products that somebody needs by themselves
    for node in nodes:
        if node in known:
            continue
        is_sum = node.op is ADD or node.op is SUB
        deepest = -1
        for x in node.args:
            readers[x] += 1
            if depth[x] > deepest:
                deepest = depth[x]
            if not is_sum:
                kept.add(x)
        depth[node] = 1 + deepest
    fused: dict[Node, Fused] = {}
    for node in nodes:
        if node in known or not (node.op is ADD or node.op is SUB):
            continue
        x, y = node.args
        candidates = [p for p in (x, y) if p.op is MUL and p not in known and p not in kept]
        if not candidates:
            continue
        # A product with one reader vanishes for certain; the deeper one goes in last, while the other is being added.
        product = min(candidates, key=lambda p: (readers[p] > 1, -depth[p]))
        a, b = product.args
        if product is x:
            fused[node] = Fused(a, b, y, False, node.op is SUB)
        else:
            fused[node] = Fused(a, b, x, node.op is SUB, False)
    return fused
