"""A graph opened for rearranging: its sums and products as lists, where association and order are free.

Entries are numbered in the order of the nodes' birth, and a term of a list is one number, 2 * entry + (1 if negative):
lists of numbers sort, hash and compare several times faster than lists of nodes, and their order is the same on
every run. Whatever is parameters alone stays closed: it costs nothing at run time.
"""

from __future__ import annotations

from collections.abc import Sequence

from .node import Graph, Node
from .operations import ADD, MUL, NEG, STATIC_MASK, SUB, Operation

_DYNAMIC = ~STATIC_MASK

Lists = dict[int, list[int]]


class Opened:
    """Entries, each a sum, a product, or a node that is kept as it is but for its operands.

    origin: entry -> the node it stands for, but for its sign; None for what was made here.
    static: entry -> whether it depends on parameters alone.
    used: entry -> how many terms, factors, operands and outputs it is.
    changed: entries whose lists are no longer what their node says.
    """

    def __init__(self, outputs: Sequence[Node]) -> None:
        self.graph: Graph = outputs[0].graph
        self.origin: list[Node | None] = []
        self.static: list[bool] = []
        self.used: list[int] = []
        self.sums: Lists = {}
        self.products: Lists = {}
        self.changed: set[int] = set()
        self._of_sum: dict[tuple[int, ...], int] = {}
        self._of_product: dict[tuple[int, ...], int] = {}
        self._term: dict[Node, int] = {}
        self._merged: set[Node] = set()  # nodes whose entry has another node as origin
        self._open_all(outputs)
        self.outputs = [self.term(node) for node in outputs]
        for term in self.outputs:
            self.used[term >> 1] += 1
        self._first_made = len(self.origin)

    # -- opening ------------------------------------------------------------------------------------------------

    def term(self, node: Node) -> int:
        """A node of the original graph as a term."""
        if node.op is NEG:  # a minus of a minus is never built
            return self._term[node.args[0]] ^ 1
        return self._term[node]

    def _open_all(self, outputs: Sequence[Node]) -> None:
        nodes, users = _needed(outputs)
        terms = self._term
        for node in nodes:
            op = node.op
            if not node.roles & _DYNAMIC:
                terms[node] = self._add(node, True) << 1
            elif op is MUL:
                if users[node] is not MUL:
                    terms[node] = self._open_product(node)
            elif op is ADD or op is SUB:
                if users[node] is not ADD:
                    terms[node] = self._open_sum(node)
            else:
                terms[node] = entry = self._add(node, False) << 1
                for x in node.args:
                    self.used[self.term(x) >> 1] += 1
                    if x in self._merged or (x.op is NEG and x.args[0] in self._merged):
                        self.changed.add(entry >> 1)

    def _open_sum(self, node: Node) -> int:
        known, merged = self._term, self._merged
        terms: list[int] = []
        stack = [(0, node)]
        changed, statics = False, 0
        while stack:
            sign, x = stack.pop()  # never a minus: no sum or product has one as operand
            term = known.get(x)
            if term is None:  # the node itself, or one that only this sum uses
                a, b = x.args
                stack.append((sign if x.op is ADD else sign ^ 1, b))
                stack.append((sign, a))
                continue
            terms.append(term ^ sign)
            if not x.roles & _DYNAMIC:
                statics += 1
            if merged and x in merged:
                changed = True
        many = len(terms)
        terms = _ordered(terms)
        if len(terms) == 1:  # all others cancelled
            self._merged.add(node)
            return terms[0]
        sign = _leading_sign(terms)
        if sign:
            terms = [t ^ 1 for t in terms]
        # Several static terms are to be added beforehand, so the sum is built anew even where nothing else is gained.
        return self._keep(node, terms, self.sums, self._of_sum, changed or statics > 1 or len(terms) < many) << 1 | sign

    def _open_product(self, node: Node) -> int:
        known, merged = self._term, self._merged
        factors: list[int] = []
        stack = [node]
        sign, changed, statics = 0, False, 0
        while stack:
            x = stack.pop()
            term = known.get(x)
            if term is None:
                stack += x.args
                continue
            sign ^= term & 1
            factors.append(term & ~1)
            if not x.roles & _DYNAMIC:
                statics += 1
            if merged and x in merged:
                changed = True
        factors.sort()
        return self._keep(node, factors, self.products, self._of_product, changed or statics > 1) << 1 | sign

    def _keep(
        self, node: Node, terms: list[int], lists: Lists, known: dict[tuple[int, ...], int], changed: bool
    ) -> int:
        """The entry of a node's list, once for nodes that differ only by association."""
        key = tuple(terms)
        entry = known.get(key)
        if entry is not None:
            self._merged.add(node)
            return entry
        known[key] = entry = self._add(node, False)
        lists[entry] = terms
        used = self.used
        for t in terms:
            used[t >> 1] += 1
        if changed:
            self.changed.add(entry)
        return entry

    def _add(self, node: Node | None, static: bool) -> int:
        self.origin.append(node)
        self.static.append(static)
        self.used.append(0)
        return len(self.origin) - 1

    # -- making ---------------------------------------------------------------------------------------------------

    def sum(self, terms: list[int]) -> int:
        """The term that is the sum of terms; the list is the caller's to give away."""
        terms = _ordered(terms)
        if len(terms) == 1:
            return terms[0]
        sign = _leading_sign(terms)
        return self._made([t ^ 1 for t in terms] if sign else terms, self.sums, self._of_sum) << 1 | sign

    def product(self, factors: list[int]) -> int:
        """The term that is the product of terms."""
        sign = 0
        for f in factors:
            sign ^= f & 1
        if len(factors) == 1:
            return factors[0]
        return self._made(sorted([f & ~1 for f in factors]), self.products, self._of_product) << 1 | sign

    def _made(self, terms: list[int], lists: Lists, known: dict[tuple[int, ...], int]) -> int:
        key = tuple(terms)
        entry = known.get(key)
        if entry is None:
            static, used = self.static, self.used
            known[key] = entry = self._add(None, all(static[t >> 1] for t in terms))
            lists[entry] = terms
            for t in terms:
                used[t >> 1] += 1
        return entry

    def consume(self, product: int) -> None:
        """Forget a product that its only user has taken apart."""
        factors = self.products.pop(product)
        del self._of_product[tuple(factors)]
        self.origin[product] = None
        self.used[product] -= 1
        for f in factors:
            self.used[f >> 1] -= 1

    # -- back to nodes --------------------------------------------------------------------------------------------

    def rebuild(self) -> list[Node]:
        """The outputs; what nothing changed below stays the node that it was."""
        stale = self._stale()
        built: dict[int, Node] = {}
        stack = [term >> 1 for term in reversed(self.outputs)]
        while stack:
            entry = stack[-1]
            if entry in built:
                stack.pop()
                continue
            node = self.origin[entry]
            if node is not None and not stale[entry]:
                built[entry] = -node if self._term[node] & 1 else node
                stack.pop()
                continue
            needed = self._needs(entry)
            waiting = [t >> 1 for t in needed if t >> 1 not in built]
            if waiting:
                waiting.reverse()
                stack += waiting
                continue
            stack.pop()
            built[entry] = self._make(entry, needed, built)
        return [-built[t >> 1] if t & 1 else built[t >> 1] for t in self.outputs]

    def _stale(self) -> list[bool]:
        """For each entry of the original graph whether it, or anything below it, has changed."""
        stale = [False] * self._first_made
        if not self.changed:
            return stale
        for entry in self.changed:
            if entry < self._first_made:
                stale[entry] = True
        for entry, done in enumerate(stale):
            # Operands have smaller numbers, except in lists that have changed themselves.
            if not done and not self.static[entry]:
                for t in self._needs(entry):
                    if stale[t >> 1]:
                        stale[entry] = True
                        break
        return stale

    def _needs(self, entry: int) -> list[int]:
        terms = self.sums.get(entry)
        if terms is None:
            terms = self.products.get(entry)
        if terms is None:
            node = self.origin[entry]
            terms = [self.term(x) for x in node.args] if node is not None else []
        return terms

    def _make(self, entry: int, terms: list[int], built: dict[int, Node]) -> Node:
        static = self.static
        if entry in self.sums:
            # Static terms first, so that they are added beforehand.
            total = self.graph.zero
            for t in sorted(terms, key=lambda t: not static[t >> 1]):
                total = total - built[t >> 1] if t & 1 else total + built[t >> 1]
            return total
        if entry in self.products:
            result = self.graph.one
            for t in sorted(terms, key=lambda t: not static[t >> 1]):
                result = result * built[t >> 1]
            return result
        node = self.origin[entry]
        assert node is not None, "what was made here is a sum or a product"
        return self.graph.apply(node.op, *(-built[t >> 1] if t & 1 else built[t >> 1] for t in terms))


def _leading_sign(terms: list[int]) -> int:
    return terms[0] & 1 if terms else 0


def _ordered(terms: list[int]) -> list[int]:
    """Sorted by entry, without pairs that cancel."""
    terms.sort()
    last = -2
    for t in terms:
        if t ^ last == 1:
            break
        last = t
    else:
        return terms
    left: list[int] = []
    for t in terms:
        if left and left[-1] ^ t == 1:
            left.pop()
        else:
            left.append(t)
    return left


def _needed(outputs: Sequence[Node]) -> tuple[list[Node], dict[Node, Operation | None]]:
    """What the outputs depend on, in order of birth, down to what is static; minuses left out.

    With it, for each node the kind of its only user (ADD for sums and differences, MUL), None for all others.
    """
    users: dict[Node, Operation | None] = {}
    stack: list[Node] = []
    for node in outputs:
        if node.op is NEG:
            node = node.args[0]
        if node not in users:
            stack.append(node)
        users[node] = None
    while stack:
        node = stack.pop()
        if not node.roles & _DYNAMIC:
            continue
        op = node.op
        by = op if op is ADD or op is MUL else ADD if op is SUB else None
        for x in node.args:
            if x.op is NEG:
                x = x.args[0]
            if x in users:
                users[x] = None
            else:
                users[x] = by
                stack.append(x)
    return sorted(users, key=_birth), users


def _birth(node: Node) -> int:
    return node.id
