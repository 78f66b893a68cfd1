"""Which of the modes that are compiled beforehand the present one is."""

from __future__ import annotations

from ...program import Floats, kernel
from .contacts import NOISE
from .touching import RESTS, SLIPS


@kernel
def recognise(
    count: int, rows: int, contacts: int, patterns: Floats, ranks: Floats, holds: Floats, touch: Floats, rank: int
) -> int:
    """The place from 1 among `count` modes, of which patterns (count, rows) say which rows hold, and ranks (count,) how
    many of these are independent; 0 for none of them.

    A contact that slips, or lies close by without force, is left to the general equations, and so is a place at which
    fewer rows are independent than elsewhere.
    """
    for k in range(contacts):
        if touch[k] == SLIPS or touch[k] == RESTS:
            return 0
    for m in range(count):
        same = rank == int(ranks[m])
        for i in range(rows):
            if holds[i] != patterns[m * rows + i]:
                same = False
        if same:
            return m + 1
    return 0


@kernel
def surface(contacts: int, positions: Floats, normals: Floats, depth: Floats) -> None:
    """depth (contacts,): gaps that have opened are no longer counted from below zero (as in `follow_slips`)."""
    for k in range(contacts):
        if positions[int(normals[k])] > 4.0 * NOISE:
            depth[k] = 0.0
