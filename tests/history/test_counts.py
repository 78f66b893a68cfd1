"""What each author's equations cost: exact, polynomial in n, and beside the published figures.

A change of any number here is a change of an author's formulas, or of the rule by which they are counted.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from jourdain.history.counting import MOST, OURS, Tally, counts, grown
from jourdain.history.methods import FORWARD, INVERSE, METHODS
from jourdain.history.polynomial import polynomial
from jourdain.history.published import HOLLERBACH_3X3, HOLLERBACH_4X4, JOINTS, NEWTON_EULER, UICKER_KAHN, Published
from jourdain.history.tables import plot, table, table_by_joints, table_of_growth

AT_SIX = [
    (Tally(74609, 57370), Tally(42937, 32646)),
    (Tally(4222, 3352), Tally(2092, 1534)),
    (Tally(2121, 1623), Tally(1750, 1264)),
    (Tally(1218, 990), Tally(1069, 822)),
    (Tally(789, 654), Tally(694, 540)),
    (Tally(768, 642), Tally(676, 531)),
    (Tally(962, 795, 5), Tally(846, 679, 5)),
    (Tally(1813, 1512, 26), Tally(1584, 1266, 26)),
    (None, Tally(401, 336)),
    (None, Tally(847, 675, 5)),
]
FULL = {  # multiplications, additions, full matrices
    0: (polynomial("65/2", "356/3", 171, "893/6", -192), polynomial(25, "274/3", 131, "335/3", -144)),
    1: (polynomial(805, -608), polynomial(644, -512)),
    2: (polynomial(397, -261), polynomial(306, -213)),
    3: (polynomial(18, 96, -6), polynomial(15, 77, -12)),
    4: (polynomial(138, -39), polynomial(116, -42)),
    5: (polynomial(129, -6), polynomial(110, -18)),
    6: (polynomial("27/2", "185/2", -79), polynomial(10, 85, -75)),
    7: (polynomial("1/6", "29/2", "688/3", -121), polynomial("1/6", 11, "1199/6", -119)),
}
ROWS = range(len(METHODS))


def test_six_joints() -> None:
    assert [(row.full, row.sparse) for row in counts()] == AT_SIX


@pytest.mark.parametrize("row", ROWS, ids=lambda i: f"{METHODS[i].name}, {METHODS[i].quantity}")
def test_counts_are_polynomials_of_the_stated_degree(row: int) -> None:
    """Through all of n = 1 … 12 with full matrices; from n = 3 at the latest without their zeros and ones."""
    for operation, expected in zip(("mul", "add"), FULL[row]):
        found = grown(row, operation, sparse=False)
        assert (found.start, found.polynomials) == (1, (expected,))
        assert found.degree == METHODS[row].degree
        sparse = grown(row, operation, sparse=True)
        assert sparse.start <= 3
        assert sparse.degree == METHODS[row].degree


def test_ours_is_linear_for_odd_and_for_even_chains() -> None:
    """Every second link's frame can be settled so that it has an offset along one axis only."""
    row = len(METHODS)
    assert (counts(1)[row].name, counts(1)[row].quantity) == (OURS, INVERSE)
    mul, add = grown(row, "mul", True), grown(row, "add", True)
    assert (mul.start, add.start) == (2, 2)
    assert mul.polynomials == (polynomial("169/2", "-207/2"), polynomial("169/2", -106))
    assert add.polynomials == (polynomial(72, -93), polynomial(72, -96))


def test_forward_dynamics_divides() -> None:
    """Walker and Orin's: n − 1 for the composites, n (n + 1)/2 for the elimination."""
    found = grown(7, "div", sparse=False)
    assert found.polynomials == (polynomial("1/2", "3/2", -1),)


@pytest.mark.parametrize("n", [2, 6, 12, MOST // 2])
def test_ours_is_the_cheapest(n: int) -> None:
    rows = counts(n)
    for quantity in (INVERSE, FORWARD):
        totals = {row.name: row.sparse.total for row in rows if row.quantity == quantity}
        assert min(totals, key=lambda name: totals[name]) == OURS


# -- beside what is published -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("published", [HOLLERBACH_4X4, HOLLERBACH_3X3, NEWTON_EULER])
def test_published_polynomials_give_the_published_figures(published: Published) -> None:
    assert published.mul_of_n is not None and published.add_of_n is not None
    assert published.mul_of_n(JOINTS) == published.mul
    assert published.add_of_n(JOINTS) == published.add


def test_uicker_and_kahns_do_only_for_the_additions() -> None:
    """The polynomial of the products gives 67 143 where 66 271 is published; without its −128 it gives 67 271."""
    published = UICKER_KAHN
    assert published.mul_of_n is not None and published.add_of_n is not None
    assert published.add_of_n(JOINTS) == published.add
    assert published.mul_of_n(JOINTS) == 67143 != published.mul
    assert published.mul_of_n(JOINTS) + 128 == published.mul + 1000


def test_uicker_and_kahns_fourth_power() -> None:
    """Two whole products of 4 × 4 matrices, a trace and two rates for each i, j ≥ i, k ≤ j and l ≤ j: n²(n + 1)²/4 of
    130 multiplications and 100 additions, in ours as in the published polynomials. The third powers differ by what the
    traces with q̈_k take: 129 and 100 for n³/3 of them in ours, for n³/12 in the published polynomials."""
    for found, published, quartic, cubic in zip(
        FULL[0], (UICKER_KAHN.mul_of_n, UICKER_KAHN.add_of_n), (130, 100), (129, 100)
    ):
        assert published is not None
        assert found.coefficients[4] == published.coefficients[4] == Fraction(quartic, 4)
        assert found.coefficients[3] - published.coefficients[3] == cubic * (Fraction(1, 3) - Fraction(1, 12))


def test_hollerbachs_4x4_ends() -> None:
    """Eight products of matrices at the base and one at the tip, and there one with a vector, are not executed in ours
    as in his: 9 · 64 + 16. Ours also scales no zero matrix at the base (16), and adds none (3 · 16)."""
    mul, add = (-x.coefficients[0] for x in FULL[1])
    assert HOLLERBACH_4X4.mul_of_n is not None and HOLLERBACH_4X4.add_of_n is not None
    assert -HOLLERBACH_4X4.mul_of_n.coefficients[0] == 9 * 64 + 16 == mul - 16
    assert -HOLLERBACH_4X4.add_of_n.coefficients[0] == 9 * 48 + 12 + 16 + 4 == add - 48


def test_silver_spares_one_rotation_a_joint() -> None:
    """Of Luh, Walker and Paul's count: p*_i in the next axes, 9 products and 6 sums; else only the ends differ."""
    assert [a.coefficients[1] - b.coefficients[1] for a, b in zip(FULL[4], FULL[5])] == [9, 6]


@pytest.mark.parametrize("row", [i for i in ROWS if METHODS[i].published], ids=lambda i: METHODS[i].name)
def test_published_figures_are_near(row: int) -> None:
    """Within a sixth of what is executed with full matrices, Walker and Orin's of what is without zeros and ones."""
    found, published = counts()[row], METHODS[row].published
    assert published is not None and found.full is not None
    mine = found.sparse if METHODS[row].quantity == FORWARD else found.full
    assert abs(published.mul / mine.mul - 1) < 1 / 6
    assert abs(published.add / mine.add - 1) < 1 / 6


# -- asked for wrongly, and shown -------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, -1, MOST + 1, 2.0, True])
def test_numbers_of_joints_that_cannot_be(n: int) -> None:
    with pytest.raises(ValueError, match=r"counts for .* joints; give a whole number from 1 to 24"):
        counts(n)


def test_tables_have_every_author() -> None:
    for text in (table(), table_of_growth(), table_of_growth(sparse=True), table_by_joints(8)):
        assert all(method.name in text for method in METHODS)
        assert OURS in text
    assert "66271/51548" in table(6)
    assert "66271" not in table(5)


@pytest.mark.parametrize("upto", [12, 4])
def test_plot(upto: int, tmp_path: Path) -> None:
    figure = Figure(layout="constrained")
    axes = figure.subplots()
    assert plot(upto, axes) is axes
    curves = [np.asarray(line.get_ydata()) for line in axes.lines]
    lines = [curve for curve in curves if len(curve) > 1]
    assert len(lines) == sum(method.quantity == INVERSE for method in METHODS) + 1
    assert len(curves) - len(lines) == (6 if upto >= JOINTS else 0)  # rings
    first = [row.full.total for row in (counts(n)[0] for n in range(1, upto + 1)) if row.full]
    assert lines[0].tolist() == first
    figure.savefig(tmp_path / "growth.png")
    assert (tmp_path / "growth.png").stat().st_size > 10_000


def test_plot_makes_its_own_figure() -> None:
    axes = plot(3)
    assert axes.figure.axes == [axes]
    assert len(axes.lines) == 7
