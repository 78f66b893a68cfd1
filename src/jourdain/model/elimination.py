"""Solving a few linear equations in the graph so that what comes out is what one would write by hand.

A joint's kinematic equation B(ε) ε̇ = H β can be written in the frame after each of its columns; the equations are
the same, but in one frame one of them holds a single unknown, in another frame another. So all are offered at once,
and those that can be solved by themselves, with the simplest coefficient, are taken first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..graph import Graph, Node, reachable

NEGLIGIBLE = 1e-12  # a constant coefficient this small is rounding


@dataclass(slots=True)
class Equation:
    """Σ coefficients · unknowns = right, for each column of the right-hand side."""

    coefficients: list[Node]
    right: list[Node]


def solve(
    graph: Graph, equations: Sequence[Equation], unknowns: int, size_at_home: Callable[[Node], float]
) -> list[list[Node]]:
    """Unknowns (unknowns, columns of the right-hand side), for equations that hold them all and agree.

    size_at_home: a coefficient's absolute value where the solution is wanted to be regular (ε = 0).
    """
    pool = [Equation([_clean(graph, x) for x in e.coefficients], list(e.right)) for e in equations]
    solved: list[tuple[int, Equation]] = []
    open_unknowns = set(range(unknowns))
    while open_unknowns:
        equation, k = _best(pool, open_unknowns, size_at_home)
        pool.remove(equation)
        pivot = equation.coefficients[k]
        # ε̇_k = (right − Σ others) / pivot
        inverse = graph.one / pivot
        rest = [graph.zero if i == k else x * inverse for i, x in enumerate(equation.coefficients)]
        answer = Equation(rest, [x * inverse for x in equation.right])
        for other in pool:
            factor = other.coefficients[k]
            if factor.is_zero:
                continue
            other.coefficients = [
                graph.zero if i == k else _clean(graph, x - factor * y)
                for i, (x, y) in enumerate(zip(other.coefficients, answer.coefficients))
            ]
            other.right = [x - factor * y for x, y in zip(other.right, answer.right)]
        solved.append((k, answer))
        open_unknowns.discard(k)
    values: dict[int, list[Node]] = {}
    for k, answer in reversed(solved):  # what an answer still holds was solved after it
        value = answer.right
        for i, factor in enumerate(answer.coefficients):
            if not factor.is_zero:
                value = [x - factor * y for x, y in zip(value, values[i])]
        values[k] = value
    return [values[k] for k in range(unknowns)]


def _best(
    pool: list[Equation], open_unknowns: set[int], size_at_home: Callable[[Node], float]
) -> tuple[Equation, int]:
    best: tuple[tuple[int, int, float], Equation, int] | None = None
    for equation in pool:
        held = [k for k in sorted(open_unknowns) if not equation.coefficients[k].is_zero]
        for k in held:
            pivot = equation.coefficients[k]
            size = size_at_home(pivot)
            if size <= 1e-9:
                continue
            score = (len(held), _complexity(pivot), -size)
            if best is None or score < best[0]:
                best = score, equation, k
    if best is None:
        raise ValueError("the columns of the joint's map are not independent")
    return best[1], best[2]


def _complexity(pivot: Node) -> int:
    if pivot.is_constant:
        return 0 if abs(pivot.value) == 1.0 else 1
    return len(reachable([pivot])) + (2 if pivot.is_static else 1000)


def _clean(graph: Graph, x: Node) -> Node:
    return graph.zero if x.is_constant and abs(x.value) < NEGLIGIBLE else x
