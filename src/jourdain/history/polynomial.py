"""Counts as polynomials of the number of joints: found exactly, in rational numbers, and held against every point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Polynomial:
    """coefficients: of n⁰, n¹, …, the last not zero (but for the zero polynomial, which has none)."""

    coefficients: tuple[Fraction, ...]

    @property
    def degree(self) -> int:
        """−1 for the zero polynomial."""
        return len(self.coefficients) - 1

    def __call__(self, n: int) -> Fraction:
        return sum((c * n**k for k, c in enumerate(self.coefficients)), Fraction())

    def __str__(self) -> str:
        terms = [(k, c) for k, c in reversed(list(enumerate(self.coefficients))) if c]
        if not terms:
            return "0"
        text = " ".join(f"{'−' if c < 0 else '+'} {_term(k, abs(c))}" for k, c in terms)
        return text.removeprefix("+ ").replace("− ", "−", 1) if text[0] == "−" else text.removeprefix("+ ")


def _term(power: int, c: Fraction) -> str:
    whole, rest = divmod(c.numerator, c.denominator)
    number = f"{whole}" if not rest else f"{whole or ''}{' ' if whole else ''}{rest}/{c.denominator}"
    if power == 0:
        return number
    name = "n" if power == 1 else f"n{str(power).translate(DIGITS)}"
    return name if c == 1 else f"{number} {name}"


def polynomial(*coefficients: int | str | Fraction) -> Polynomial:
    """From the highest power down to the constant."""
    exact = [Fraction(c) for c in reversed(coefficients)]
    while exact and not exact[-1]:
        exact.pop()
    return Polynomial(tuple(exact))


def fitted(values: Mapping[int, int]) -> Polynomial:
    """The polynomial of lowest degree through every point, exactly.

    At least two points must be left over to prove it: where there are none, the values are not a polynomial's.
    """
    points = sorted(values)
    newton: list[Fraction] = []
    column = [Fraction(values[n]) for n in points]
    for k in range(len(points)):
        newton.append(column[0])
        column = [(column[i + 1] - column[i]) / (points[i + k + 1] - points[i]) for i in range(len(column) - 1)]
    while newton and not newton[-1]:
        newton.pop()
    if len(newton) > len(points) - 2:
        raise ValueError(f"the counts at n = {points[0]} … {points[-1]} are no polynomial of degree {len(points) - 3}")
    coefficients = [Fraction()]
    for k in reversed(range(len(newton))):  # Horner's rule on the Newton form
        shifted = [Fraction(), *coefficients]
        coefficients = [a - points[k] * b for a, b in zip(shifted, [*coefficients, Fraction()])]
        coefficients[0] += newton[k]
    return polynomial(*reversed(coefficients))
