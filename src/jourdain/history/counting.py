"""Every author's equations run with counting numbers, for any number of joints; and the polynomials of the counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from .authors import ours
from .chain import at, random_chain
from .methods import FORWARD, INVERSE, METHODS, Method
from .numbers import Counting
from .polynomial import Polynomial, fitted
from .published import Published

MOST = 24  # joints: Uicker and Kahn's sums then take some thirty million operations
OURS = "Jourdain"


@dataclass(frozen=True)
class Tally:
    """Operations of one evaluation."""

    mul: int
    add: int
    div: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.mul + self.add + self.div

    def __str__(self) -> str:
        return f"{self.mul}/{self.add}" + (f"/{self.div}" if self.div else "")


@dataclass(frozen=True)
class Row:
    """What one author's equations cost at one number of joints.

    full: matrices are full, their zeros and ones numbers like others. sparse: what is 0 or ±1 by construction is left
    out. Ours are always so, and all that they have in common is counted once. published: for six joints only.
    """

    name: str
    quantity: str
    full: Tally | None
    sparse: Tally
    published: Published | None = None


@dataclass(frozen=True)
class Growth:
    """A count as a function of the number of joints: exact from `start` on.

    polynomials: one, or two where odd and even numbers of joints differ (of odd n first).
    """

    start: int
    polynomials: tuple[Polynomial, ...]

    def __call__(self, n: int) -> int:
        if n < self.start:
            raise ValueError(f"the polynomial holds from {self.start} joints on, not for {n}")
        return int(self.polynomials[(n + 1) % len(self.polynomials)](n))

    @property
    def degree(self) -> int:
        return max(x.degree for x in self.polynomials)

    def __str__(self) -> str:
        if len(self.polynomials) == 1:
            return str(self.polynomials[0])
        odd, even = self.polynomials
        return f"{odd} (n odd), {even} (n even)"


def counts(n: int = 6) -> tuple[Row, ...]:
    """Multiplications and additions of every author's equations for a chain of n turning joints with general data.

    Counted as they are executed (`counted`). Left out for all alike: sines and cosines, the six products that make a
    joint's matrix of them, and what is made of data alone. The last rows are ours.
    """
    if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= MOST:
        raise ValueError(f"counts for {n!r} joints; give a whole number from 1 to {MOST}")
    rows = [
        Row(x.name, x.quantity, _executed(i, n, True), _executed(i, n, False), x.published if n == 6 else None)
        for i, x in enumerate(METHODS)
    ]
    return (*rows, *(Row(OURS, quantity, None, _ours(quantity, n)) for quantity in (INVERSE, FORWARD)))


@cache
def _executed(method: int, n: int, dense: bool) -> Tally:
    return execute(METHODS[method], n, dense)


def execute(method: Method, n: int, dense: bool) -> Tally:
    """One run of an author's equations; the values run through are a matter of indifference."""
    numbers = Counting(dense)
    state = [0.5] * n
    method.run(at(random_chain(n), numbers, state, state, state))
    ledger = numbers.ledger
    return Tally(ledger.mul, ledger.add, ledger.div)


@cache
def _ours(quantity: str, n: int) -> Tally:
    found = {INVERSE: ours.inverse_counts, FORWARD: ours.forward_counts}[quantity](random_chain(n))
    return Tally(found.mul, found.add, found.div)


def growth(values: Mapping[int, int]) -> Growth:
    """The polynomial that counts by number of joints are, from the third joint at the latest; else a ValueError.

    A chain's first links are cheaper than the others: the base stands still.
    """
    for period in (1, 2):
        for start in (1, 2, 3):
            try:
                found = [
                    fitted({n: x for n, x in values.items() if n >= start and n % period == first % period})
                    for first in range(1, period + 1)
                ]
            except ValueError:
                continue
            return Growth(start, tuple(found))
    raise ValueError(f"no polynomial goes through {dict(values)}")


def grown(row: int, operation: str, sparse: bool, upto: int = 12) -> Growth:
    """How "mul", "add" or "div" of a row of `counts` grows, from runs with 1 … upto joints."""
    values = {}
    for n in range(1, upto + 1):
        found = counts(n)[row]
        tally = found.sparse if sparse or found.full is None else found.full
        values[n] = int(getattr(tally, operation))
    return growth(values)
