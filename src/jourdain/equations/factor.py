"""LᵀDL of a tree's mass matrix, eliminated from the leaves so that the tree's zeros stay zero.

M = Lᵀ D L with L unit lower triangular (Featherstone 2008, section 6.5): where M_ij vanishes because neither joint
carries the other, so does L_ij, and nothing is computed for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..graph import Node
from .tree import Tree


@dataclass(frozen=True, slots=True)
class Factors:
    """lower[i][j], j < i: the unit lower triangle; inverse_diagonal[i] = 1 / D_i."""

    lower: list[list[Node]]
    inverse_diagonal: list[Node]

    def inward(self, right: Sequence[Node]) -> list[Node]:
        """y of Lᵀ y = right: what each speed feels when all further out are free to yield."""
        y = list(right)
        for i in reversed(range(len(y))):
            for j in range(i):
                y[j] = y[j] - self.lower[i][j] * y[i]
        return y

    def solve(self, right: Sequence[Node]) -> list[Node]:
        """x of M x = right."""
        x = self.inward(right)
        for i in range(len(x)):  # D L x = y
            x[i] = x[i] * self.inverse_diagonal[i]
            for j in range(i):
                x[i] = x[i] - self.lower[i][j] * x[j]
        return x


def factorize(matrix: Sequence[Sequence[Node]]) -> Factors:
    """LᵀDL of a symmetric positive definite matrix (n, n) given in full."""
    return eliminated(matrix, lambda k, pivot: pivot.graph.one / pivot)


def eliminated(matrix: Sequence[Sequence[Node]], inverted: Callable[[int, Node], Node]) -> Factors:
    """LᵀDL of a symmetric matrix (n, n), from the last row on; inverted: of what row it is, and its pivot."""
    work = [list(row) for row in matrix]
    inverse: list[Node] = []
    for k in reversed(range(len(work))):
        reciprocal = inverted(k, work[k][k])
        inverse.append(reciprocal)
        active = [i for i in range(k) if not work[k][i].is_zero]
        for i in reversed(active):
            ratio = work[k][i] * reciprocal
            for j in active:
                if j <= i:
                    work[i][j] = work[i][j] - ratio * work[k][j]
            work[k][i] = ratio
    inverse.reverse()
    return Factors(work, inverse)


def elimination_operations(tree: Tree) -> int:
    """Multiplications and additions of `factorize` alone, at least, from the tree's shape."""
    carried: list[int] = []  # free speeds from the ground to each link
    total = 0
    for _, link in tree.outward():
        inside = carried[link.parent] if link.parent >= 0 else 0
        free = sum(k < tree.freedom for k in link.speeds)
        # One row: `before` ratios, before · (before + 1) / 2 products and as many differences.
        total += sum(before * (before + 2) for before in range(inside, inside + free))
        carried.append(inside + free)
    return total
