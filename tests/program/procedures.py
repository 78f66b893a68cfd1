"""Procedures for tests: one with every kind of statement, and what it works on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from jourdain.graph import Graph, Role, cos, less, less_equal, sin
from jourdain.program import Block, Draft, Procedure, Program

Floats = NDArray[np.float64]
SIZE = 11  # no multiple of a vector's lanes
ROUNDS = 6


def swing(scale: float = 1.0) -> Program:
    """x (SIZE,) with parameters a, b -> y (SIZE,); a b is hoisted."""
    graph = Graph()
    x = tuple(graph.symbol(f"x{k}", Role.INPUT) for k in range(SIZE))
    a, b = (graph.symbol(name, Role.PARAMETER) for name in "ab")
    y = tuple(sin(x[k]) * (a * b) - x[(k + 1) % SIZE] * cos(x[k]) * scale for k in range(SIZE))
    return Program("swing", (Block("x", x),), Block("parameters", (a, b)), (Block("y", y),))


def everything(rounds: int = ROUNDS) -> Procedure:
    """Steps along `swing`, at most `budget` of them; rows of a table; sums; a linear system at every step."""
    draft = Draft("everything")
    t, h, budget, total, column = (draft.cell(name) for name in ("t", "h", "budget", "total", "column"))
    y, rates = draft.array("y", SIZE), draft.array("rates", SIZE)
    parameters, table = draft.array("parameters", 2, given=True), draft.array("table", 0, given=True)
    matrix, right = draft.array("matrix", 9), draft.array("right", 3)
    with draft.loop(less(t, float(rounds)) * less(0.0, budget)):
        draft.call(swing(), [y], [rates], parameters)
        draft.each([y], lambda x, dx, h: x + h * dx, [y, rates], [h])
        draft.each([rates, y], lambda x: (x * 0.5, x + 0.125), [y])
        draft.copy(y.part(0, 9), matrix)
        draft.copy(y.part(8, 3), right)
        draft.solve(matrix, right)
        draft.store(y, table, SIZE + 2, 2, t)
        draft.store(t, table, SIZE + 2, 0, t)
        draft.fetch(table, SIZE + 2, 3, t, column)
        draft.set({t: t + 1.0, budget: budget - 1.0})
        with draft.when(less_equal(t, 3.0)):
            draft.set({total: total + column})
        with draft.otherwise():
            draft.set({total: total - sin(column), column: total})
    return draft.done()


def given() -> dict[str, Floats]:
    """The caller's arrays."""
    return {"parameters": np.array([0.7, 1.3]), "table": np.zeros((ROUNDS, SIZE + 2))}


def start(memory: Floats, procedure: Procedure, budget: float = 100.0) -> None:
    """Fills working memory."""
    cells = {name: k for k, name in enumerate(procedure.cells)}
    memory[cells["h"]], memory[cells["budget"]] = 0.1, budget
    (y,) = (array for array in procedure.arrays if array.name == "y")
    place = procedure.offsets[y]
    memory[place : place + SIZE] = np.sin(1.7 * np.arange(SIZE) ** 2 + 0.3)
