"""The tableaux' numbers: order conditions over all rooted trees, and SciPy's polynomials."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import DOP853, RK45

from jourdain.simulation.methods import dormand_prince54, dormand_prince853, runge_kutta4
from jourdain.simulation.tableau import Tableau

Floats = NDArray[np.float64]
TABLEAUX = {
    "RK4": runge_kutta4.TABLEAU, "DormandPrince54": dormand_prince54.TABLEAU,
    "DormandPrince853": dormand_prince853.TABLEAU,
}  # fmt: skip
Tree = tuple[Any, ...]


@lru_cache(maxsize=16)
def trees(order: int) -> tuple[Tree, ...]:
    """Rooted trees with so many vertices, each the sorted tuple of its branches."""
    if order == 1:
        return ((),)
    found = set()
    for tree in trees(order - 1):
        found |= set(_grown(tree))
    return tuple(sorted(found, key=repr))


def _grown(tree: Tree) -> list[Tree]:
    """A leaf more, anywhere."""
    grown = [tuple(sorted((*tree, ()), key=repr))]
    for k, branch in enumerate(tree):
        grown += [tuple(sorted((*tree[:k], x, *tree[k + 1 :]), key=repr)) for x in _grown(branch)]
    return grown


def density(tree: Tree) -> tuple[int, int]:
    """Vertices and γ(t): the vertices times the branches' densities."""
    count, product = 1, 1
    for branch in tree:
        n, gamma = density(branch)
        count, product = count + n, product * gamma
    return count, count * product


def weights(tree: Tree, a: Floats) -> Floats:
    """Φ_i(t), one a stage."""
    found = np.ones(len(a))
    for branch in tree:
        found = found * (a @ weights(branch, a))
    return found


def matrix(tableau: Tableau) -> Floats:
    n = tableau.stages
    a = np.zeros((n, n))
    for i, row in enumerate(tableau.a, 1):
        a[i, : len(row)] = row
    return a


@pytest.mark.parametrize("name", TABLEAUX)
def test_every_order_condition_holds(name: str) -> None:
    tableau = TABLEAUX[name]
    a, b = matrix(tableau), np.array(tableau.b)
    assert np.abs(a.sum(axis=1) - tableau.c).max() < 1e-14
    checked = 0
    for order in range(1, tableau.order + 1):
        for tree in trees(order):
            wanted = float(Fraction(1, density(tree)[1]))
            assert b @ weights(tree, a) == pytest.approx(wanted, abs=2e-14)
            checked += 1
    assert checked == {4: 8, 5: 17, 8: 200}[tableau.order]
    # And no more than that: the next order fails.
    off = [abs(b @ weights(tree, a) - 1 / density(tree)[1]) for tree in trees(tableau.order + 1)]
    assert max(off) > 1e-7


@pytest.mark.parametrize(("name", "solver"), [("DormandPrince54", RK45), ("DormandPrince853", DOP853)])
def test_numbers_are_scipys(name: str, solver: Any) -> None:
    tableau = TABLEAUX[name]
    n = tableau.stages
    theirs = solver.A[:n, :n]
    assert np.abs(matrix(tableau)[:, : theirs.shape[1]] - theirs).max() < 1e-15
    assert np.abs(np.array(tableau.b) - solver.B).max() < 1e-15


def test_estimates_are_differences_of_orders() -> None:
    """Their weights add up to nothing, and they see no polynomial of a low order."""
    for name, orders in (("DormandPrince54", (4,)), ("DormandPrince853", (5, 3))):
        tableau = TABLEAUX[name]
        c = np.array([*tableau.c, 1.0])
        for row, order in zip(tableau.errors, orders):
            e = np.array(row)
            for k in range(order):
                assert abs(e @ c[: len(e)] ** k) < 1e-14
