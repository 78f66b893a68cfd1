"""Generalized speeds from kinematical differential equations: which of them they tell, and what each stands for.

SymPy asks for as many equations as coordinates, each linear in q̇ and u: K_q q̇ + K_u u + f = 0. Here a speed is an
expression of q̇. Where there are more speeds than equations, the others are no coordinate's rates; where there are
fewer, as with the four parameters of a rotation, the equations hold a constraint too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...graph import Graph, Node, substitute, symbols_of
from ...graph.affine import affine
from ...graph.differentiate import jacobian
from ...model.elimination import Equation, solve

GOLDEN = 0.6180339887498949
RANK = 1e-9


@dataclass(frozen=True)
class Kinematics:
    """values: for each speed the expression of q̇ that it is, None where it is no coordinate's rate. satisfied: rows
    of q̇ that vanish because of the equations."""

    values: list[Node | None]
    satisfied: list[Node]


def kinematics(graph: Graph, rows: Sequence[Node], rates: Sequence[Node], u: Sequence[Node]) -> Kinematics:
    """From the equations' left sides. ValueError says what is wrong with them."""
    matrix = jacobian(rows, u)
    moving = jacobian(rows, rates)
    unknown = {*rates, *u}
    for k in range(len(rows)):
        if any(x in unknown for x in symbols_of([*matrix[k], *moving[k]])):
            raise ValueError(f"kinematical equation {k + 1} is not linear in the speeds and the coordinates' rates")
        if not any(not x.is_zero for x in moving[k]):
            raise ValueError(f"kinematical equation {k + 1} holds no coordinate's rate")
    rest = substitute(rows, dict.fromkeys(u, 0.0))
    chosen_rows, chosen = _independent(matrix)
    others = [k for k in range(len(u)) if k not in chosen]
    equations = [
        Equation([matrix[i][k] for k in chosen], [-rest[i], *(-matrix[i][k] for k in others)]) for i in chosen_rows
    ]
    found = solve(graph, equations, len(chosen), lambda x: abs(float(general([x])[0])))
    values: list[Node | None] = [None] * len(u)
    for k, (value, *factors) in zip(chosen, found):
        for factor, other in zip(factors, others):
            value = value + factor * u[other]
        values[k] = value
    known = {u[k]: value for k, value in enumerate(values) if value is not None}
    left = [row for i, row in enumerate(rows) if i not in chosen_rows]
    satisfied = [x for x in substitute(left, known) if not x.is_zero]
    return Kinematics(values, satisfied)


def general(nodes: Sequence[Node], which: int = 0) -> NDArray[np.float64]:
    """Values in a general position, at which nothing lines up."""
    found: NDArray[np.float64] = affine(nodes, general_values(symbols_of(nodes), which))[:, 0]
    return found


def general_values(symbols: Sequence[Node], which: int = 0) -> dict[Node, float]:
    """Of these symbols, there."""
    return {x: 0.3 + 0.9 * ((GOLDEN * (k + 1) + 0.377 * which) % 1.0) for k, x in enumerate(symbols)}


def _independent(matrix: Sequence[Sequence[Node]]) -> tuple[list[int], list[int]]:
    """Rows and columns of a square part that can be solved; those that hold one speed alone first."""
    height, width = len(matrix), len(matrix[0]) if matrix else 0
    numbers = general([x for row in matrix for x in row]).reshape(height, width)
    rows: list[int] = []
    columns: list[int] = []
    work = numbers.copy()
    for _ in range(min(height, width)):
        size = np.abs(work)
        size[rows, :] = 0.0
        size[:, columns] = 0.0
        held = (size > RANK).sum(axis=1)
        if not held.any():
            break
        i = int(min((k for k in range(height) if held[k]), key=lambda k: (held[k], k)))
        k = int(np.argmax(size[i]))
        for j in range(height):
            if j != i and j not in rows:
                work[j] -= work[i] * (work[j, k] / work[i, k])
        rows.append(i)
        columns.append(k)
    return sorted(rows), sorted(columns)
