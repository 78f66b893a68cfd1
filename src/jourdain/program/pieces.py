"""Cutting: long code in pieces of bounded length, because compilers take more than linear time over one function.

Values that live from one piece to another go through a scratch buffer whose slots are used again.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..graph import Node
from .schedule import Step

PIECE = 500


@dataclass
class Piece:
    """Consecutive steps.

    fetch: values of earlier pieces that this one reads, and their scratch slots.
    keep: values that later pieces read, and their scratch slots.
    """

    steps: list[Step]
    fetch: dict[Node, int] = field(default_factory=dict)
    keep: dict[Node, int] = field(default_factory=dict)


def cut(steps: Sequence[Step], length: int = PIECE) -> tuple[list[Piece], int]:
    """The pieces, nearly equally long, and how many scratch slots they need; what is below two lengths stays whole."""
    count = round(len(steps) / length) if len(steps) >= 2 * length else 1
    bounds = [len(steps) * i // count for i in range(count + 1)]
    pieces = [Piece(list(steps[a:b])) for a, b in itertools.pairwise(bounds)]
    home: dict[Node, int] = {}
    last: dict[Node, int] = {}
    for index, piece in enumerate(pieces):
        for step in piece.steps:
            for node in step.operands:
                if home.get(node, index) != index:
                    last[node] = index
            home.update(dict.fromkeys(step.results, index))
    # A slot is free again after the last piece that reads it; never within one, where order is the compiler's.
    slots = 0
    free: list[int] = []
    slot: dict[Node, int] = {}
    ending: dict[int, list[Node]] = {}
    for node, index in last.items():
        ending.setdefault(index, []).append(node)
    for index, piece in enumerate(pieces):
        for step in piece.steps:
            for node in step.operands:
                if node in slot and home[node] != index:
                    piece.fetch[node] = slot[node]
            for node in step.results:
                if node in last:
                    if free:
                        slot[node] = free.pop()
                    else:
                        slot[node], slots = slots, slots + 1
                    piece.keep[node] = slot[node]
        free.extend(slot[node] for node in ending.get(index, ()))
    return pieces, slots
