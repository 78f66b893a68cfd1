"""The abstract scalar of this history, and the two kinds of numbers that it is run with."""

from __future__ import annotations

from typing import Any, Protocol, Self, TypeVar

from .counted import Counted, Ledger


class Scalar(Protocol):
    """What the authors' formulas need of a number: floats, complex numbers, counting numbers and others have it."""

    def __add__(self, other: Self, /) -> Self: ...
    def __sub__(self, other: Self, /) -> Self: ...
    def __mul__(self, other: Self, /) -> Self: ...
    def __truediv__(self, other: Self, /) -> Self: ...
    def __neg__(self) -> Self: ...


S = TypeVar("S", bound=Scalar)
T = TypeVar("T", bound=Scalar, covariant=True)


class Numbers(Protocol[T]):
    """How plain values become scalars.

    number: a datum or anything else that is known when the program runs only. entry: a constant entry 0 or ±1 of a
    joint's matrix. known: a 0 or ±1 that no author would compute with, the starting value of a recursion.
    """

    def number(self, value: Any, /) -> T: ...
    def entry(self, value: float, /) -> T: ...
    def known(self, value: float, /) -> T: ...


class Plain:
    """Floats."""

    def number(self, value: Any, /) -> float:
        return float(value)

    def entry(self, value: float, /) -> float:
        return value

    def known(self, value: float, /) -> float:
        return value


class Complex:
    """Complex numbers, for derivatives by a complex step."""

    def number(self, value: Any, /) -> complex:
        return complex(value)

    def entry(self, value: float, /) -> complex:
        return complex(value)

    def known(self, value: float, /) -> complex:
        return complex(value)


class Counting:
    """Counting numbers.

    dense: the constant entries of a joint's matrix are numbers like others, and a product of two matrices costs what
    a product of full matrices does; else they are known, and only what can differ from 0 and ±1 is computed.
    """

    def __init__(self, dense: bool) -> None:
        self.dense = dense
        self.ledger = Ledger()

    def number(self, value: Any, /) -> Counted:
        return Counted(float(value), self.ledger)

    def entry(self, value: float, /) -> Counted:
        return Counted(value, self.ledger, known=not self.dense)

    def known(self, value: float, /) -> Counted:
        return Counted(value, self.ledger, known=True)


FLOATS = Plain()
COMPLEX = Complex()
