"""Common parts computed once: a pair of terms that several sums hold, or of factors that several products hold."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heappop, heappush

from .opened import Lists, Opened

REACH = 32
"""Each term of a list is paired with this many others at most, so that the work is linear in the list's length."""

Pair = tuple[int, int]  # two terms, the earlier entry first and positive


def share(opened: Opened, lists: Lists) -> None:
    """Compute once what two or more lists have in common, pair by pair, the most frequent first."""
    _Sharing(opened, lists).run()


class _Sharing:
    """The pairs that lists hold in common.

    owners: pair -> the lists in which it was seen; some may have lost it since.
    asked: pair -> its place in the order in which pairs were first seen twice.
    best: pairs, the most frequent first; one that was seen again since stands there again, with its new number.
    members: of the lists that change, term -> how often it is there.
    """

    def __init__(self, opened: Opened, lists: Lists) -> None:
        self.opened = opened
        self.lists = lists
        self.owners: dict[Pair, list[int]] = {}
        self.asked: dict[Pair, int] = {}
        self.best: list[tuple[int, int, Pair]] = []
        self.members: dict[int, dict[int, int]] = {}

    def run(self) -> None:
        for entry, terms in self._candidates():
            for pair in _pairs(terms):
                self.owners.setdefault(pair, []).append(entry)
        for pair, held in self.owners.items():
            if len(held) > 1:
                self.asked[pair] = len(self.asked)
                self.best.append((-len(held), self.asked[pair], pair))
        heapify(self.best)
        while self.best:
            times, _, pair = heappop(self.best)
            if -times == len(self.owners[pair]):
                self._share(pair)
        for entry, members in self.members.items():
            if entry in self.opened.changed:
                self.lists[entry] = [t for t, times in members.items() for _ in range(times)]

    def _candidates(self) -> Iterator[tuple[int, list[int]]]:
        """The lists, each with only those terms that some other list holds too."""
        times = [0] * len(self.opened.origin)
        for terms in self.lists.values():
            for t in terms:
                times[t >> 1] += 1
        for entry, terms in self.lists.items():
            common = [t for t in terms if times[t >> 1] > 1]
            if len(common) > 1:
                yield entry, sorted(set(common))

    def _share(self, pair: Pair) -> None:
        holding = [entry for entry in dict.fromkeys(self.owners[pair]) if self._sign(entry, pair) is not None]
        if len(holding) < 2:
            return
        make = self.opened.sum if self.lists is self.opened.sums else self.opened.product
        shared = make([*pair])
        for entry in holding:
            if entry != shared >> 1:
                self._replace(entry, pair, shared)

    def _sign(self, entry: int, pair: Pair) -> int | None:
        """0 where the list holds the pair, 1 where it holds its negative, None where neither."""
        members = self.members.get(entry)
        if members is None:
            members = self.members[entry] = {}
            for t in self.lists[entry]:
                members[t] = members.get(t, 0) + 1
        x, y = pair
        if x in members and y in members:
            return 0
        return 1 if x ^ 1 in members and y ^ 1 in members else None

    def _replace(self, entry: int, pair: Pair, shared: int) -> None:
        sign = self._sign(entry, pair)
        assert sign is not None, "only lists that hold the pair are asked for"
        members = self.members[entry]
        for t in pair:
            if members[t ^ sign] == 1:
                del members[t ^ sign]
            else:
                members[t ^ sign] -= 1
        term = shared ^ sign
        for t in sorted(members)[-REACH:]:
            self._seen(_pair(t, term), entry)
        members[term] = members.get(term, 0) + 1
        self.opened.changed.add(entry)

    def _seen(self, pair: Pair, entry: int) -> None:
        held = self.owners.setdefault(pair, [])
        held.append(entry)
        if len(held) > 1:
            order = self.asked.setdefault(pair, len(self.asked))
            heappush(self.best, (-len(held), order, pair))


def _pairs(terms: list[int]) -> Iterator[Pair]:
    """Pairs of different entries; the terms are sorted."""
    for i, t in enumerate(terms):
        sign = t & 1
        for u in terms[i + 1 : i + 1 + REACH]:
            yield t ^ sign, u ^ sign


def _pair(t: int, u: int) -> Pair:
    if t > u:
        t, u = u, t
    return t & ~1, u ^ (t & 1)
