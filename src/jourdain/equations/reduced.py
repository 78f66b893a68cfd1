"""Forward dynamics with constraints embedded: dependent speeds' rates follow, the equations are the others' alone.

Rows A u̇ + b = 0 are solved for as many rates as there are rows, u̇_D = D u̇_I + e (Gillespie 2003, eq 5), and with
u̇ = G u̇_I + γ the equations are Gᵀ M G u̇_I = Gᵀ (f − h − M γ). That is cheaper than multipliers, but only safe where
what is divided by cannot vanish: a number, or an expression of parameters. Otherwise no speed is singled out
(`constraints`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..graph import Node, reachable
from ..model.elimination import Equation
from .constraints import Bonds
from .factor import factorize
from .mechanics import Mechanics
from .rows import Rows, dot, times, transposed, zeros
from .square import solve_square
from .states import general_values

NEGLIGIBLE = 1e-9  # of a divisor, at the parameters' default values


@dataclass(frozen=True)
class Embedding:
    """u̇ = G u̇_I + γ.

    independent: places of the speeds that are left. matrix: G (speeds, independent). drift: γ (speeds,).
    """

    independent: tuple[int, ...]
    matrix: Rows
    drift: tuple[Node, ...]


def embed(mechanics: Mechanics, rows: Bonds) -> Embedding | None:
    """None where some row offers no divisor that is safe."""
    graph, n = mechanics.graph, len(mechanics.u)
    # Each line: coefficients of all rates, then what their sum is to be.
    left = [[*row, -rest] for row, rest in zip(rows.matrix, rows.rest)]
    values = general_values(mechanics.lowered, [])
    solved: dict[int, list[Node]] = {}  # place -> line that says u̇_place = right − Σ coefficients u̇
    while left:
        found = [
            (_complexity(x), sum(not y.is_zero for y in line), i, k)
            for i, line in enumerate(left)
            for k, x in enumerate(line[:n])
            if x.is_static and not x.is_zero and abs(values(x)) > NEGLIGIBLE
        ]
        if not found:
            return None
        *_, i, k = min(found)
        line = left.pop(i)
        inverse = graph.one / line[k]
        answer = [graph.zero if j == k else x * inverse for j, x in enumerate(line)]
        left = [_without(other, k, answer) for other in left]
        solved = {place: _without(other, k, answer) for place, other in solved.items()}
        solved[k] = answer
    independent = tuple(k for k in range(n) if k not in solved)
    matrix = zeros(graph, n, len(independent))
    drift = [graph.zero] * n
    for column, place in enumerate(independent):
        matrix[place][column] = graph.one
    for place, answer in solved.items():
        matrix[place] = [-answer[k] for k in independent]
        drift[place] = answer[n]
    return Embedding(independent, matrix, tuple(drift))


def reduced_forward_dynamics(mechanics: Mechanics, embedding: Embedding) -> list[Node]:
    """The speeds' rates (speeds,) under the declared forces and f, the rows kept at zero."""
    graph, g, drift = mechanics.graph, embedding.matrix, embedding.drift
    width = len(embedding.independent)
    mass = mechanics.mass_matrix()
    force = [f - h - dot(graph, row, drift) for f, h, row in zip(mechanics.f, mechanics.bias_forces(), mass)]
    columns = transposed(g, width)
    felt = times(graph, mass, g, width)  # M G
    lower = [[dot(graph, columns[i], [row[k] for row in felt]) for k in range(i + 1)] for i in range(width)]
    whole = [[lower[max(i, k)][min(i, k)] for k in range(width)] for i in range(width)]
    rates = factorize(whole).solve([dot(graph, column, force) for column in columns])
    return [dot(graph, row, rates) + rest for row, rest in zip(g, drift)]


def embedded_multipliers(
    mechanics: Mechanics, rows: Bonds, embedding: Embedding, rates: Sequence[Node]
) -> list[Node]:
    """What the rows carry (rows,): what the dependent speeds' equations miss, A_Dᵀ λ = (M u̇ + h − f)_D."""
    graph, mass = mechanics.graph, mechanics.mass_matrix()
    missed = [dot(graph, row, rates) + h - f for row, h, f in zip(mass, mechanics.bias_forces(), mechanics.f)]
    dependent = [k for k in range(len(rates)) if k not in embedding.independent]
    equations = [Equation([row[k] for row in rows.matrix], [missed[k]]) for k in dependent]
    values = general_values(mechanics.lowered, [])
    return [x for (x,) in solve_square(graph, equations, lambda node: abs(values(node)))]


def _without(line: Sequence[Node], k: int, answer: Sequence[Node]) -> list[Node]:
    """A line in which u̇_k has been put in."""
    factor = line[k]
    if factor.is_zero:
        return list(line)
    return [x.graph.zero if j == k else x - factor * y for j, (x, y) in enumerate(zip(line, answer))]


def _complexity(divisor: Node) -> int:
    """A number costs nothing, parameters little."""
    return 0 if divisor.is_constant else len(reachable([divisor]))
