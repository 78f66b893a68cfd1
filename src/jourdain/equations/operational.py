"""Operational space: the inertia that a hand feels which moves a body by one of its points.

With the point's Jacobian J, a wrench f there accelerates it by J M⁻¹ Jᵀ f, the mobility; where J has six independent
rows its inverse Λ is the operational-space inertia (Khatib 1987). With M = Lᵀ D L the mobility is Yᵀ D⁻¹ Y,
Y = L⁻ᵀ Jᵀ, and symmetric by construction.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..graph import Node
from .factor import Factors, factorize

Rows = list[list[Node]]


def mobility(factors: Factors, jacobian: Sequence[Sequence[Node]]) -> Rows:
    """J M⁻¹ Jᵀ (m, m) of a Jacobian (m, n) and the factors of the mass matrix (n, n)."""
    if not factors.lower:
        raise ValueError("a system without freedom has no mobility; give the body a joint that can move")
    graph = jacobian[0][0].graph
    halves = [factors.inward(row) for row in jacobian]
    scaled = [[x * d for x, d in zip(row, factors.inverse_diagonal)] for row in halves]
    found = [[graph.zero] * len(halves) for _ in halves]
    for i, row in enumerate(scaled):
        for j in range(i + 1):
            total = graph.zero
            for x, y in zip(row, halves[j]):
                total = total + x * y
            found[i][j] = found[j][i] = total
    return found


def operational_inertia(mobility: Sequence[Sequence[Node]]) -> Rows:
    """Λ, the inverse (m, m) of a mobility; meaningless numbers where the rows of J depend on each other."""
    inverse = factorize(mobility)
    graph, size = mobility[0][0].graph, len(mobility)
    columns = [inverse.solve([graph.one if i == k else graph.zero for i in range(size)]) for k in range(size)]
    return [[columns[k][i] for k in range(size)] for i in range(size)]
