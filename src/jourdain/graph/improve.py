"""Fewer operations from the same expressions: common factors taken out, common parts of sums and products shared.

Sums and products that only one operation uses are opened into lists of terms and factors, where association and
order are free. Then, largest saving first:
  * a factor that several terms of a sum have in common is taken out, x a + x b = x (a + b);
  * a pair of terms (or factors) that several sums (or products) have in common is computed once.
Values change by rounding only. The work is close to linear in the size of the graph, and the order deterministic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from .node import Graph, Node
from .operations import ADD, CONSTANT, MUL, NEG, SUB, SYMBOL
from .order import reachable

Term = tuple[int, int]  # sign, entry


def improve(outputs: Sequence[Node]) -> list[Node]:
    """The outputs, rebuilt in the same graph with fewer run-time operations."""
    if not outputs:
        return []
    flat = _Flat(outputs)
    flat.factor_sums()
    flat.share(flat.sums)
    flat.share(flat.products)
    return flat.rebuild()


class _Flat:
    """A graph whose sums and products are lists; entries are numbered in order of first need."""

    def __init__(self, outputs: Sequence[Node]) -> None:
        self.graph: Graph = outputs[0].graph
        self.nodes: list[Node | None] = []  # entry -> a node to be rebuilt from its operands; None for lists
        self.static: list[bool] = []
        self.sums: dict[int, list[Term]] = {}
        self.products: dict[int, list[Term]] = {}
        self._of_sum: dict[tuple[Term, ...], int] = {}
        self._of_product: dict[tuple[Term, ...], int] = {}
        self._entry: dict[Node, Term] = {}
        self.uses = _uses(outputs)
        for node in reachable(outputs):
            if not self._absorbed(node):
                self._entry[node] = self._open(node)
        self.outputs = [self._look(node) for node in outputs]

    # -- opening ------------------------------------------------------------------------------------------------

    def _absorbed(self, node: Node) -> bool:
        """Opened inside its only user, if it has only one and that is of its own kind."""
        if node.is_static or node.op is NEG:
            return node.op is NEG
        user = self.uses[node]
        if user is None:
            return False
        if node.op is MUL:
            return user is MUL
        return (node.op is ADD or node.op is SUB) and user is ADD

    def _open(self, node: Node) -> Term:
        if not node.is_static:
            if node.op is ADD or node.op is SUB:
                return self.sum(self._terms(node))
            if node.op is MUL:
                return self.product(self._factors(node))
        return 1, self._plain(node)

    def _plain(self, node: Node) -> int:
        self.nodes.append(node)
        self.static.append(node.is_static)
        return len(self.nodes) - 1

    def _look(self, node: Node) -> Term:
        sign = 1
        while node.op is NEG:
            node, sign = node.args[0], -sign
        s, entry = self._entry[node]
        return sign * s, entry

    def _terms(self, node: Node) -> list[Term]:
        terms: list[Term] = []
        stack = [(1, node)]
        while stack:
            sign, x = stack.pop()
            if x.op is NEG:
                stack.append((-sign, x.args[0]))
            elif x is node or x not in self._entry:
                a, b = x.args
                stack.append((sign if x.op is ADD else -sign, b))
                stack.append((sign, a))
            else:
                s, entry = self._entry[x]
                terms.append((sign * s, entry))
        return terms

    def _factors(self, node: Node) -> list[Term]:
        factors: list[Term] = []
        stack = [node]
        sign = 1
        while stack:
            x = stack.pop()
            if x.op is NEG:
                sign = -sign
                stack.append(x.args[0])
            elif x is node or x not in self._entry:
                stack.extend(reversed(x.args))
            else:
                s, entry = self._entry[x]
                sign *= s
                factors.append((1, entry))
        if sign < 0:
            factors.append((-1, -1))
        return factors

    # -- lists, each kept once ------------------------------------------------------------------------------------

    def sum(self, terms: Iterable[Term]) -> Term:
        """The entry of a sum and its sign: the first term's is made positive."""
        key = sorted(terms, key=_entry_of)
        if len(key) == 1:
            return key[0]
        sign = key[0][0]
        if sign < 0:
            key = [(-s, x) for s, x in key]
        return sign, self._kept(tuple(key), self._of_sum, self.sums)

    def product(self, factors: Iterable[Term]) -> Term:
        sign, key = 1, []
        for s, x in factors:
            sign *= s
            if x >= 0:
                key.append((1, x))
        key.sort(key=_entry_of)
        if len(key) == 1:
            return sign, key[0][1]
        return sign, self._kept(tuple(key), self._of_product, self.products)

    def _kept(self, key: tuple[Term, ...], known: dict[tuple[Term, ...], int], lists: dict[int, list[Term]]) -> int:
        entry = known.get(key)
        if entry is None:
            self.nodes.append(None)
            self.static.append(all(self.static[x] for _, x in key))
            entry = known[key] = len(self.nodes) - 1
            lists[entry] = list(key)
        return entry

    # -- common factors -------------------------------------------------------------------------------------------

    def factor_sums(self) -> None:
        """Take out of every sum the factors that its terms have in common, the most frequent first."""
        used: Counter[int] = Counter()
        for lists in (self.sums, self.products):
            for key in lists.values():
                used.update(x for _, x in key)
        for node in self.nodes:
            if node is not None:
                used.update(self._look(x)[1] for x in node.args)
        used.update(x for _, x in self.outputs)
        work = list(self.sums)
        while work:
            entry = work.pop()
            terms = self.sums[entry]
            while len(terms) > 1:
                best = self._best_factor(terms, used)
                if best is None:
                    break
                inner: list[Term] = []
                rest: list[Term] = []
                for sign, x in terms:
                    factors = self._open_product(x, used)
                    if best in factors:
                        factors.remove(best)
                        s, left = self.product((1, f) for f in factors)
                        inner.append((sign * s, left))
                    else:
                        rest.append((sign, x))
                known = len(self.nodes)
                s, group = self.sum(inner)
                if group >= known:
                    work.append(group)
                s2, taken = self.product(((1, best), (1, group)))
                used[group] += 1
                used[taken] += 1
                rest.append((s * s2, taken))
                terms = rest
            self.sums[entry] = terms

    def _open_product(self, entry: int, used: Counter[int]) -> list[int]:
        factors = self.products.get(entry)
        if factors is None or used[entry] > 1:
            return [entry]
        return [x for _, x in factors]

    def _best_factor(self, terms: list[Term], used: Counter[int]) -> int | None:
        """The factor whose removal saves most: a product for each further term, an addition where the rest is static."""
        seen: dict[int, list[bool]] = {}
        for _, x in terms:
            factors = self._open_product(x, used)
            if len(factors) < 2:
                continue
            for f in dict.fromkeys(factors):
                if not self.static[f]:
                    left = list(factors)
                    left.remove(f)
                    seen.setdefault(f, []).append(all(self.static[y] for y in left))
                else:
                    seen.setdefault(f, []).append(False)
        best, gain = None, 0
        for f, rests in seen.items():
            if len(rests) < 2:
                continue
            statics = sum(rests)
            worth = 2 * (len(rests) - 1) + max(statics - 1, 0)
            if worth > gain:
                best, gain = f, worth
        return best

    # -- common pairs ---------------------------------------------------------------------------------------------

    def share(self, lists: dict[int, list[Term]]) -> None:
        """Compute once what two or more lists have in common, pair by pair, the most frequent first."""
        make = self.sum if lists is self.sums else self.product
        where: dict[tuple[int, int, int], dict[int, None]] = {}
        for entry, terms in lists.items():
            for pair in _pairs(terms):
                where.setdefault(pair, {})[entry] = None
        work = [pair for pair, owners in where.items() if len(owners) > 1]
        while work:
            pair = max(work, key=lambda p: len(where[p]))
            work.remove(pair)
            owners = [entry for entry in where[pair] if pair in _pairs(lists[entry])]
            if len(owners) < 2:
                continue
            relative, x, y = pair
            sign, shared = make([(1, x), (relative, y)])
            for entry in owners:
                if entry == shared:
                    continue
                terms = lists[entry]
                first = next(s for s, t in terms if t == x)
                left = list(terms)
                left.remove((first, x))
                left.remove((first * relative, y))
                left.append((first * sign, shared))
                lists[entry] = left
                for new in _pairs(left):
                    held = where.setdefault(new, {})
                    held[entry] = None
                    if len(held) == 2:
                        work.append(new)

    # -- back to nodes ----------------------------------------------------------------------------------------------

    def rebuild(self) -> list[Node]:
        built: dict[int, Node] = {}
        stack = [entry for _, entry in reversed(self.outputs)]
        while stack:
            entry = stack[-1]
            if entry in built:
                stack.pop()
                continue
            needed = self._needs(entry)
            waiting = [x for x in needed if x not in built]
            if waiting:
                stack.extend(reversed(waiting))
                continue
            stack.pop()
            built[entry] = self._make(entry, built)
        return [built[x] if sign > 0 else -built[x] for sign, x in self.outputs]

    def _needs(self, entry: int) -> list[int]:
        node = self.nodes[entry]
        if node is None:
            return [x for _, x in self.sums.get(entry) or self.products[entry]]
        if node.is_static:
            return []
        return [self._look(x)[1] for x in node.args]

    def _make(self, entry: int, built: dict[int, Node]) -> Node:
        node = self.nodes[entry]
        if node is not None:
            if node.is_static or node.op is SYMBOL or node.op is CONSTANT:
                return node
            args = []
            for x in node.args:
                sign, y = self._look(x)
                args.append(built[y] if sign > 0 else -built[y])
            return self.graph.apply(node.op, *args)
        terms = self.sums.get(entry)
        if terms is not None:
            # Static terms first, so that they are added beforehand.
            terms = sorted(terms, key=lambda t: not self.static[t[1]])
            total = self.graph.zero
            for sign, x in terms:
                total = total + built[x] if sign > 0 else total - built[x]
            return total
        result = self.graph.one
        for _, x in sorted(self.products[entry], key=lambda t: not self.static[t[1]]):
            result = result * built[x]
        return result


def _entry_of(term: Term) -> int:
    return term[1]


def _pairs(terms: Sequence[Term]) -> list[tuple[int, int, int]]:
    """Unordered pairs of different entries, with their relative sign."""
    ordered = sorted(terms, key=_entry_of)
    return [
        (s * t, x, y) for i, (s, x) in enumerate(ordered) for t, y in ordered[i + 1 :] if x != y
    ]


def _uses(outputs: Sequence[Node]) -> dict[Node, object]:
    """For each reachable node the kind of its only user (ADD for sums and differences, MUL), None for others."""
    kind: dict[Node, object] = {}

    def used(node: Node, by: object) -> None:
        while node.op is NEG:
            node = node.args[0]
        kind[node] = None if node in kind else by

    for node in outputs:
        used(node, None)
    for node in reachable(outputs):
        if node.op is NEG:
            continue
        by: object = ADD if node.op is ADD or node.op is SUB else MUL if node.op is MUL else None
        if node.is_static:
            by = None
        for x in node.args:
            used(x, by)
    return kind
