"""Polynomials through counts, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jourdain.history.counting import Growth, growth
from jourdain.history.polynomial import fitted, polynomial

QUARTIC = polynomial("65/2", "1037/12", "685/4", "160/3", -128)


@given(st.lists(st.fractions(-50, 50, max_denominator=12), max_size=5), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_found_again(coefficients: list[Fraction], first: int) -> None:
    """Any polynomial, from its values at some whole numbers, made whole by a common denominator."""
    p = polynomial(*(c * 27720 for c in coefficients))
    values = {n: int(p(n)) for n in range(first, first + len(coefficients) + 3)}
    assert fitted(values) == p


def test_what_is_no_polynomial() -> None:
    with pytest.raises(ValueError, match=r"n = 1 … 6 are no polynomial of degree 3"):
        fitted({n: 2**n for n in range(1, 7)})


def test_a_fit_without_points_to_prove_it_is_refused() -> None:
    with pytest.raises(ValueError, match="no polynomial of degree 0"):
        fitted({1: 1, 2: 2, 3: 3})


def test_written() -> None:
    assert str(QUARTIC) == "32 1/2 n⁴ + 86 5/12 n³ + 171 1/4 n² + 53 1/3 n − 128"
    assert str(polynomial(-1, 0, "1/6")) == "−n² + 1/6"
    assert str(polynomial(0, 0)) == "0"
    assert str(polynomial("-1/2", 3)) == "−1/2 n + 3"


def test_degree_and_value() -> None:
    assert QUARTIC.degree == 4
    assert polynomial(0).degree == -1
    assert QUARTIC(2) == Fraction(65, 2) * 16 + Fraction(1037, 12) * 8 + 685 + Fraction(320, 3) - 128


def test_growth_from_a_later_joint_on() -> None:
    found = growth({1: 7, **{n: 3 * n + 1 for n in range(2, 9)}})
    assert found == Growth(2, (polynomial(3, 1),))
    assert found(10) == 31
    with pytest.raises(ValueError, match="holds from 2 joints on, not for 1"):
        found(1)


def test_growth_that_differs_for_odd_and_even() -> None:
    found = growth({n: 5 * n + n % 2 for n in range(1, 13)})
    assert found == Growth(1, (polynomial(5, 1), polynomial(5, 0)))
    assert [found(n) for n in (20, 21)] == [100, 106]
    assert found.degree == 1
    assert str(found) == "5 n + 1 (n odd), 5 n (n even)"


def test_growth_that_is_none() -> None:
    with pytest.raises(ValueError, match="no polynomial goes through"):
        growth({n: 2**n for n in range(1, 13)})
