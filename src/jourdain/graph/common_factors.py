"""Common factors taken out of sums: x a + x b = x (a + b), the factor that saves most first."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from .opened import Opened

Key = tuple[int, int, int, int]


def take_out(opened: Opened) -> None:
    """Take out of every sum, and of the sums that this makes, the factors that its terms have in common."""
    work = list(opened.sums)
    products, used = opened.products, opened.used
    while work:
        entry = work.pop()
        factors: list[int] = []
        for t in opened.sums[entry]:
            if used[t >> 1] == 1 and t >> 1 in products:
                factors += products[t >> 1]
        if len(set(factors)) < len(factors):  # most sums have nothing in common
            _Sum(opened, entry).take_all(work)


class _Sum:
    """One sum: its terms in order, and for each factor the terms that hold it.

    A product counts as a list of factors where no one else uses it. All is kept up to date as factors are taken, so
    that the whole work is proportional to the number of factors.
    """

    def __init__(self, opened: Opened, entry: int) -> None:
        self.opened = opened
        self.entry = entry
        self.terms: list[int | None] = []  # None for terms that have been grouped
        self.held: dict[int, dict[int, bool]] = {}  # factor -> term -> whether all that is left of the term is static
        for t in opened.sums[entry]:
            self._append(t)

    def _factors(self, term: int) -> list[int]:
        entry = term >> 1
        return self.opened.products.get(entry, []) if self.opened.used[entry] == 1 else []

    def _term(self, place: int) -> int:
        term = self.terms[place]
        assert term is not None, "a grouped term holds no factors"
        return term

    def _append(self, term: int) -> list[int]:
        """Add a term; the answer is its factors."""
        place = len(self.terms)
        self.terms.append(term)
        factors = self._factors(term)
        static = self.opened.static
        moving = sum([not static[f >> 1] for f in factors])
        for f in factors:
            self.held.setdefault(f, {})[place] = moving == 1 and not static[f >> 1]
        return factors

    def _key(self, factor: int) -> Key | None:
        """What taking the factor saves: a product for each further term, an addition where the rest is static."""
        places = self.held[factor]
        if len(places) < 2:
            return None
        shared = [place for place in places if self.opened.used[self._term(place) >> 1] > 1]
        for place in shared:  # a group has come to hold the same product: it stays whole
            del places[place]
        if len(places) < 2:
            return None
        worth = 2 * (len(places) - 1) + max(sum(places.values()) - 1, 0)
        first = next(iter(places))
        return -worth, first, self._factors(self._term(first)).index(factor), factor

    def take_all(self, work: list[int]) -> None:
        best = [key for key in map(self._key, self.held) if key is not None]
        heapify(best)
        taken = False
        while best:
            key = heappop(best)
            now = self._key(key[-1])
            if now == key:
                taken = True
                for f in self._take(key[-1], work):
                    now = self._key(f)
                    if now is not None:
                        heappush(best, now)
            elif now is not None and now > key:  # others took some of its terms
                heappush(best, now)
        if taken:
            self.opened.sums[self.entry] = [t for t in self.terms if t is not None]
            self.opened.changed.add(self.entry)

    def _take(self, factor: int, work: list[int]) -> list[int]:
        """Group the terms that hold the factor; the answer is the new term's factors."""
        opened = self.opened
        left: list[tuple[list[int], int]] = []
        for place in list(self.held[factor]):
            term = self._term(place)
            factors = self._factors(term)
            for f in dict.fromkeys(factors):
                del self.held[f][place]
            rest = list(factors)
            rest.remove(factor)
            opened.consume(term >> 1)
            left.append((rest, term & 1))
            self.terms[place] = None
        # Not before all are taken apart: what is left of x x a is the x a that stands beside it.
        inner = [opened.product(rest) ^ sign for rest, sign in left]
        known = len(opened.origin)
        group = opened.sum(inner)
        if group >> 1 >= known:
            work.append(group >> 1)
        taken = opened.product([factor, group])
        opened.used[taken >> 1] += 1
        return self._append(taken)
