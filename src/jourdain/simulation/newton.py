"""Newton's method inside a step: until its corrections are rounding."""

from __future__ import annotations

from collections.abc import Callable

from ..graph import absolute, less, less_equal, maximum
from ..program import Array
from .method import Slots
from .plant import Plant

ROUNDS = 25
SETTLED = 1e-13  # of an unknown's size, or of 1: the next correction would be its square


def newton(plant: Plant, at: Slots, unknown: Array, linearized: Callable[[Array, Array], None]) -> None:
    """Improves the unknown until it stands still; `trouble` where it does not.

    linearized(matrix, residual): emits the residual at the unknown and its derivative (n, n).
    """
    draft, n = plant.draft, unknown.length
    matrix, right = draft.array("Newton's matrix", n * n), draft.array("residual", n)
    moves, moved, rounds = draft.array("moves", n), draft.cell("moved"), draft.cell("rounds")
    draft.set({moved: 1.0, rounds: 0.0})
    with draft.loop(less(SETTLED**2, moved) * less(rounds, float(ROUNDS))):
        linearized(matrix, right)
        draft.solve(matrix, right)
        draft.each([unknown], lambda x, dx: x - dx, [unknown, right])
        draft.each([moves], lambda x, dx: (dx / maximum(absolute(x), 1.0)) * (dx / maximum(absolute(x), 1.0)),
                   [unknown, right])  # fmt: skip
        plant.total(moves, moved, n)
        draft.set({rounds: rounds + 1.0})
    draft.set({at.trouble: maximum(at.trouble, 1.0 - less_equal(moved, SETTLED**2))})
