"""Solving as many linear equations as unknowns, dividing by nothing that vanishes where they can be solved.

Elimination with pivots that are chosen beforehand fails where a pivot vanishes although the matrix is regular, as a
cosine does in the upright position of a bicycle. So what is divided by is what cannot vanish, a number or an expression
of parameters, or what must not: the determinant of a block on the diagonal, once the equations are brought into block
triangular form. A block of up to three is solved by Cramer's rule, a larger one by elimination whose pivots are chosen
in every evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from ..graph import Graph, Node, absolute, less, reachable, select
from ..graph.operations import MUL, NEG
from ..graph.shorter import shorter
from ..model.elimination import Equation

NEGLIGIBLE = 1e-9
CRAMER = 3  # the largest block whose determinant is written out

Size = Callable[[Node], float]


@dataclass(slots=True)
class _Solved:
    """unknown = right − Σ coefficients · unknowns that are solved after it."""

    unknown: int
    coefficients: list[Node]
    right: list[Node]


def solve_square(graph: Graph, equations: Sequence[Equation], size: Size) -> list[list[Node]]:
    """The unknowns (unknowns, columns of the right-hand side), for equations that are independent in general.

    size: of a coefficient in a general position.
    """
    return _Square(graph, equations, size).run()


class _Square:
    def __init__(self, graph: Graph, equations: Sequence[Equation], size: Size) -> None:
        self.graph, self.size = graph, size
        self.pool = [Equation(list(e.coefficients), list(e.right)) for e in equations]
        self.open = set(range(len(equations)))
        self.solved: list[_Solved] = []

    def run(self) -> list[list[Node]]:
        while self.open:
            if not (self._in_one_equation() or self._of_one_unknown() or self._by_safe_pivot()):
                self._by_block()
        values: dict[int, list[Node]] = {}
        for answer in reversed(self.solved):
            value = answer.right
            for i, factor in enumerate(answer.coefficients):
                if not factor.is_zero:
                    value = [x - factor * y for x, y in zip(value, values[i])]
            values[answer.unknown] = value
        return [values[k] for k in range(len(values))]

    # -- steps ----------------------------------------------------------------------------------------------------

    def _of_one_unknown(self) -> bool:
        """An equation that holds a single unknown: a block of one."""
        single = [(e, held[0]) for e in self.pool if len(held := self._held(e)) == 1 and self._counts(e, held[0])]
        if not single:
            return False
        equation, k = min(single, key=lambda x: _complexity(x[0].coefficients[x[1]]))
        self._put_in([self._answer(equation, k)])
        return True

    def _in_one_equation(self) -> bool:
        """An unknown that a single equation holds: a block of one, after all others."""
        for k in sorted(self.open):
            holding = [e for e in self.pool if not e.coefficients[k].is_zero]
            if len(holding) == 1 and len(self._held(holding[0])) > 1 and self._counts(holding[0], k):
                self._put_in([self._answer(holding[0], k)])
                return True
        return False

    def _by_safe_pivot(self) -> bool:
        """Division by a number or by parameters."""
        best: tuple[tuple[int, int, float], Equation, int] | None = None
        for equation in self.pool:
            held = self._held(equation)
            for k in held:
                pivot = equation.coefficients[k]
                if not pivot.is_static or not self._counts(equation, k):
                    continue
                score = (len(held), _complexity(pivot), -self.size(pivot))
                if best is None or score < best[0]:
                    best = score, equation, k
        if best is None:
            return False
        self._put_in([self._answer(best[1], best[2])])
        return True

    def _by_block(self) -> None:
        """The smallest set of equations that hold as many unknowns as they are."""
        rows = self._block()
        unknowns = sorted({k for e in rows for k in self._held(e)})
        matrix = [[e.coefficients[k] for k in unknowns] for e in rows]
        right = [e.right for e in rows]
        values = _by_cramer(matrix, right) if len(rows) <= CRAMER else _by_pivots(matrix, right)
        zeros = [self.graph.zero] * len(rows[0].coefficients)
        for e in rows:
            self.pool.remove(e)
        self.open -= set(unknowns)
        self._put_in([_Solved(k, zeros, value) for k, value in zip(unknowns, values)])

    def _block(self) -> list[Equation]:
        for count in range(2, min(CRAMER, len(self.pool)) + 1):
            for rows in combinations(self.pool, count):
                if len({k for e in rows for k in self._held(e)}) == count:
                    return list(rows)
        return list(self.pool)

    # -- parts ----------------------------------------------------------------------------------------------------

    def _held(self, equation: Equation) -> list[int]:
        return [k for k in sorted(self.open) if not equation.coefficients[k].is_zero]

    def _counts(self, equation: Equation, k: int) -> bool:
        return self.size(equation.coefficients[k]) > NEGLIGIBLE

    def _answer(self, equation: Equation, k: int) -> _Solved:
        self.pool.remove(equation)
        self.open.discard(k)
        inverse = self.graph.one / equation.coefficients[k]
        rest = [self.graph.zero if i == k else x * inverse for i, x in enumerate(equation.coefficients)]
        return _Solved(k, rest, [x * inverse for x in equation.right])

    def _put_in(self, answers: Sequence[_Solved]) -> None:
        for answer in answers:
            k = answer.unknown
            for other in self.pool:
                factor = other.coefficients[k]
                if factor.is_zero:
                    continue
                other.coefficients = [
                    self.graph.zero if i == k else x - factor * y
                    for i, (x, y) in enumerate(zip(other.coefficients, answer.coefficients))
                ]
                other.right = [x - factor * y for x, y in zip(other.right, answer.right)]
            self.solved.append(answer)


def _by_cramer(matrix: list[list[Node]], right: list[list[Node]]) -> list[list[Node]]:
    """Adjugate over determinant, for two or three unknowns; what the two share is not divided by."""
    n = len(matrix)
    cofactors = [[shorter(_cofactor(matrix, i, k)) for k in range(n)] for i in range(n)]
    determinant = shorter(_sum([x * y for x, y in zip(matrix[0], cofactors[0])]))
    columns = range(len(right[0]))
    found: list[list[Node]] = []
    for k in range(n):
        over: dict[Node, list[Node]] = {}  # denominator -> numerators, column by column
        for i in range(n):
            above, below = _cancelled(cofactors[i][k], determinant)
            numerators = over.setdefault(below, [determinant.graph.zero] * len(columns))
            over[below] = [x + above * y for x, y in zip(numerators, right[i])]
        shares = [[x * (1.0 / below) for x in numerators] for below, numerators in over.items()]
        found.append([_sum([share[c] for share in shares]) for c in columns])
    return found


def _cancelled(above: Node, below: Node) -> tuple[Node, Node]:
    """A fraction without the factors that both have."""
    over, under = _factors(above), _factors(below)
    for x in list(over):
        if x in under:
            over.remove(x)
            under.remove(x)
    return _product(above.graph, over), _product(above.graph, under)


def _factors(node: Node) -> list[Node]:
    found, stack = [], [node]
    while stack:
        x = stack.pop()
        if x.op is MUL:
            stack += x.args
        elif x.op is NEG:
            found.append(x.graph.constant(-1.0))
            stack.append(x.args[0])
        else:
            found.append(x)
    return found


def _product(graph: Graph, factors: Sequence[Node]) -> Node:
    total = graph.one
    for x in factors:
        total = total * x
    return total


def _cofactor(matrix: list[list[Node]], i: int, k: int) -> Node:
    rows = [[x for b, x in enumerate(row) if b != k] for a, row in enumerate(matrix) if a != i]
    minor = rows[0][0] if len(rows) == 1 else rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]
    return -minor if (i + k) % 2 else minor


def _by_pivots(matrix: list[list[Node]], right: list[list[Node]]) -> list[list[Node]]:
    """Gauss's elimination; the largest coefficient that is left in a column comes to the diagonal, evaluation by
    evaluation."""
    n = len(matrix)
    work = [[*row, *rest] for row, rest in zip(matrix, right)]
    for c in range(n):
        for r in range(c + 1, n):
            if work[r][c].is_zero:
                continue
            swap = less(absolute(work[c][c]), absolute(work[r][c]))
            upper, lower = work[c], work[r]
            work[c] = [*upper[:c], *(select(swap, b, a) for a, b in zip(upper[c:], lower[c:]))]
            work[r] = [*lower[:c], *(select(swap, a, b) for a, b in zip(upper[c:], lower[c:]))]
        inverse = 1.0 / work[c][c]
        work[c] = [*work[c][: c + 1], *(x * inverse for x in work[c][c + 1 :])]
        for r in range(c + 1, n):
            factor = work[r][c]
            if not factor.is_zero:
                work[r] = [*work[r][: c + 1], *(x - factor * y for x, y in zip(work[r][c + 1 :], work[c][c + 1 :]))]
    values: list[list[Node]] = [[] for _ in range(n)]
    for c in reversed(range(n)):
        value = work[c][n:]
        for k in range(c + 1, n):
            value = [x - work[c][k] * y for x, y in zip(value, values[k])]
        values[c] = value
    return values


def _sum(terms: Sequence[Node]) -> Node:
    total = terms[0]
    for x in terms[1:]:
        total = total + x
    return total


def _complexity(pivot: Node) -> int:
    if pivot.is_constant:
        return 0 if abs(pivot.value) == 1.0 else 1
    return len(reachable([pivot])) + (2 if pivot.is_static else 1000)
