"""Sums of terms written as a person would: like terms collected, common factors before a bracket, numbers as fractions.

First come the parameters: terms with the same dependence on coordinates and speeds are collected, and their
coefficients factored. Then what has the same coefficient is brought together: (A − B) u₂ u₃, m₂ l₁ l₂ sin θ (…).
What is written is a node of a graph that is only for writing, in which nothing is folded or reordered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from .multiplied import Factor, Polynomial, Term
from .node import Graph, Node
from .operations import ADD, COS, DIV, MUL, NEG, SIN, SUB, Operation, Role
from .substitute import transfer

WHOLE = 1000
"""Numerators and denominators up to here are written as fractions, and taken before a bracket."""


@dataclass(frozen=True)
class Product:
    """A number, powers of factors, and sums in brackets."""

    number: Fraction
    term: Term
    brackets: tuple[tuple[Product, ...], ...] = ()


class Collector:
    """Writes polynomials whose atoms are nodes of some other graph.

    graph: for writing only; its symbols' order of birth is the order in which factors are written.
    """

    def __init__(self, graph: Graph, atoms: Sequence[Node]) -> None:
        self.graph = graph
        self.atoms = transfer(atoms, graph)
        self._waves: dict[Factor, Node] = {}

    def written(self, value: Polynomial) -> Node:
        """The sum as an expression."""
        return self._sum(self.collected(value))

    def written_after(self, first: Node, value: Polynomial) -> Node:
        """What stands first, and the sum after it, in the order in which the last factors of its terms were born."""

        def last(product: Product) -> int:
            return max((self._node(factor).id for factor, _ in self._leading(product)), default=0)

        products = sorted(self.collected(value), key=last)
        if first.is_zero:
            return self._sum(products)
        total = first
        for product in products:
            total = self._raw(SUB if product.number < 0 else ADD, total, self._magnitude(product))
        return total

    def terms(self, value: Polynomial) -> list[Node]:
        """The terms of the sum as it is written, each with its sign."""
        return [self._signed(product) for product in self.collected(value)]

    # -- collecting ---------------------------------------------------------------------------------------------

    def collected(self, value: Polynomial) -> list[Product]:
        """Terms as they are written, in order; a sine or cosine that all of them have stands before a bracket."""
        shared = tuple(pair for pair in common_factors(value) if not isinstance(pair[0], int))
        if shared and len(value) > 1:
            inside = self.collected({divided(term, shared): x for term, x in value.items()})
            if len(inside) > 1:
                if any(x.number > 0 for x in inside):
                    return [Product(Fraction(1), shared, (tuple(inside),))]
                inside = [Product(-x.number, x.term, x.brackets) for x in inside]
                return [Product(Fraction(-1), shared, (tuple(inside),))]
        classes: dict[tuple[tuple[Term, Fraction], ...], Polynomial] = {}
        for moving, coefficient in self._by_motion(value).items():
            number, primitive = self._primitive(coefficient)
            key = tuple(sorted(primitive.items(), key=lambda pair: self._order(pair[0])))
            classes.setdefault(key, {})[moving] = number
        found: list[Product] = []
        for key, moving_terms in classes.items():
            found += self._distributed(self._factored(dict(key)), moving_terms)
        return sorted(found, key=lambda product: self._order(self._leading(product)))

    def _by_motion(self, value: Polynomial) -> dict[Term, Polynomial]:
        """Coefficients of parameters alone, by what multiplies them."""
        found: dict[Term, Polynomial] = {}
        for term, number in value.items():
            still = tuple(pair for pair in term if self._is_static(pair[0]))
            moving = tuple(pair for pair in term if not self._is_static(pair[0]))
            found.setdefault(moving, {})[still] = number
        return found

    def _distributed(self, coefficient: Product, moving: Polynomial) -> list[Product]:
        """A coefficient times a sum: one product for each factor that some terms share, one for all the rest."""
        single = not coefficient.term and not coefficient.brackets
        groups, rest = self._grouped(moving)
        found = [_times(coefficient, group) for group in groups]
        halves = single and not groups and len(rest) > 1 and self._primitive(rest)[0].denominator > 1
        if rest and not halves and (single or (not groups and len(rest) > 3)):
            found += [_times(coefficient, Product(number, term)) for term, number in rest.items()]
        elif rest:
            found.append(_times(coefficient, self._factored(rest)))
        return found

    def _grouped(self, value: Polynomial) -> tuple[list[Product], Polynomial]:
        """Terms that share factors, brought together, the factor that most terms share first; and the others."""
        groups: list[Product] = []
        rest = dict(value)
        while len(rest) > 1:
            counts: dict[tuple[Factor, bool], int] = {}  # a factor below the bar is another than the same above it
            for term in rest:
                for factor, power in term:
                    counts[factor, power > 0] = counts.get((factor, power > 0), 0) + 1
            best = max(counts, key=lambda side: (counts[side], self._weight(side[0])), default=None)
            if best is None or counts[best] < 2:
                break
            factor, above = best
            group = {t: x for t, x in rest.items() if (p := dict(t).get(factor, 0)) and (p > 0) == above}
            rest = {term: number for term, number in rest.items() if term not in group}
            groups.append(self._factored(group))
        return groups, rest

    def _factored(self, value: Polynomial) -> Product:
        """A sum as a product: what all its terms share before a bracket."""
        number, primitive = self._primitive(value)
        shared = common_factors(primitive)
        inside = {divided(term, shared): x for term, x in primitive.items()}
        if len(inside) == 1:
            return Product(number * next(iter(inside.values())), shared)
        groups, rest = self._grouped(inside)
        terms = [*groups, *(Product(x, term) for term, x in rest.items())]
        terms.sort(key=lambda product: (product.number < 0, self._order(self._leading(product))))
        return Product(number, shared, (tuple(terms),))

    def _primitive(self, value: Polynomial) -> tuple[Fraction, Polynomial]:
        """A number and a sum with whole coefficients without a common divisor; general decimals stay what they are.

        The number has the sign that most terms have, the first one's where they are even.
        """
        numbers = list(value.values())
        if len(numbers) == 1:
            return numbers[0], dict.fromkeys(value, Fraction(1))
        content = Fraction(gcd(*(x.numerator for x in numbers)), lcm(*(x.denominator for x in numbers)))
        if any(_is_decimal(x) for x in numbers):  # 0.3 a + 0.6 b is 0.3 (a + 2 b), but 0.3 a + 0.7 b and a + 0.1 stay
            least = min(abs(x) for x in numbers)
            every = all(_is_decimal(x) and (x / least).denominator == 1 for x in numbers)
            content = least if every else Fraction(1)
        elif content.denominator > WHOLE or any(abs(x / content) > WHOLE for x in numbers):
            content = Fraction(1)
        negative = 2 * sum(x < 0 for x in numbers) - len(numbers)
        if negative > 0 or (negative == 0 and value[min(value, key=self._order)] < 0):
            content = -content
        return content, {term: x / content for term, x in value.items()}

    def _weight(self, factor: Factor) -> int:
        """Waves come before the bracket rather than speeds, speeds rather than accelerations."""
        if not isinstance(factor, int):
            return 3
        node = self.atoms[factor]
        return 0 if node.roles & Role.ACCELERATION.bit else 1 if node.roles & Role.SPEED.bit else 2

    def _leading(self, product: Product) -> Term:
        return tuple(product.term) + (self._leading(product.brackets[-1][0]) if product.brackets else ())

    def _order(self, term: Term) -> tuple[object, ...]:
        """Accelerations first, then speeds, then coordinates alone; within each as symbols were born."""
        accelerated = speedy = 0
        places = []
        for factor, power in term:
            node = self._node(factor)
            accelerated += power * bool(node.is_symbol and node.roles & Role.ACCELERATION.bit)
            speedy += power * bool(node.is_symbol and node.roles & Role.SPEED.bit)
            places.append((not isinstance(factor, int), node.id, -power))
        return (-accelerated, -speedy, len(term) == 0, sorted(places))

    def _is_static(self, factor: Factor) -> bool:
        if isinstance(factor, int):
            return self.atoms[factor].is_static
        return all(self.atoms[atom].is_static for atom, _ in factor[1])

    # -- writing ------------------------------------------------------------------------------------------------

    def _node(self, factor: Factor) -> Node:
        if isinstance(factor, int):
            return self.atoms[factor]
        node = self._waves.get(factor)
        if node is None:
            sine, angle = factor
            argument = self._sum([Product(Fraction(k), ((atom, 1),)) for atom, k in sorted(angle, key=self._birth)])
            node = self._waves[factor] = self.graph.apply(SIN if sine else COS, argument)
        return node

    def _place(self, factor: Factor) -> tuple[bool, list[int]]:
        """Where a factor stands in a product: as symbols were born, waves last."""
        if isinstance(factor, int):
            return False, [self.atoms[factor].id]
        return True, sorted(self.atoms[atom].id for atom, _ in factor[1])

    def _birth(self, multiple: tuple[int, int]) -> int:
        return self.atoms[multiple[0]].id

    def _signed(self, product: Product) -> Node:
        node = self._magnitude(product)
        return self._raw(NEG, node) if product.number < 0 else node

    def _sum(self, products: Iterable[Product]) -> Node:
        ordered = list(products)
        first = next((x for x in ordered if x.number > 0), None)
        if first is None:
            if not ordered:
                return self.graph.zero
            total = self._signed(ordered.pop(0))
        else:
            ordered.remove(first)
            total = self._magnitude(first)
        for product in ordered:
            total = self._raw(SUB if product.number < 0 else ADD, total, self._magnitude(product))
        return total

    def _magnitude(self, product: Product) -> Node:
        """The product without its sign."""
        number = abs(product.number)
        above: list[Node] = []
        below: list[Node] = []
        alone = not product.term and not product.brackets
        if _is_decimal(number) or (alone and _terminates(number)):
            above += [self.graph.constant(float(number))] if number != 1 else []
        else:
            above += [self.graph.constant(number.numerator)] if number.numerator > 1 else []
            below += [self.graph.constant(number.denominator)] if number.denominator > 1 else []
        for factor, power in sorted(product.term, key=lambda pair: self._place(pair[0])):
            (above if power > 0 else below).extend([self._node(factor)] * abs(power))
        for node in [x for x in below if not x.is_constant]:  # a wave above the bar that is an atom below it
            if node in above:
                above.remove(node)
                below.remove(node)
        above += [self._sum(bracket) for bracket in product.brackets]
        top = self._chain(above)
        return self._raw(DIV, top, self._chain(below)) if below else top

    def _chain(self, factors: Sequence[Node]) -> Node:
        total = factors[0] if factors else self.graph.one
        for factor in factors[1:]:
            total = self._raw(MUL, total, factor)
        return total

    def _raw(self, op: Operation, *args: Node) -> Node:
        """A node as it is to be written: the graph's own rules would fold m/4 into 0.25 m, and choose the order."""
        roles = 0
        for x in args:
            roles |= x.roles
        return Node(self.graph, op, args, roles, None)


def _terminates(number: Fraction) -> bool:
    """Whether it is a decimal of finitely many digits."""
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1


def _is_decimal(number: Fraction) -> bool:
    """Whether it is written as 0.3 rather than as a fraction: quarters and thirds are fractions, tenths are not."""
    if max(abs(number.numerator), number.denominator) > WHOLE:
        return True
    return number.denominator % 5 == 0 and _terminates(number)


def _times(a: Product, b: Product) -> Product:
    return Product(a.number * b.number, a.term + b.term, a.brackets + b.brackets)


def common_factors(value: Iterable[Term]) -> Term:
    """The factors that all terms share, each with its lowest power: above the bar in all of them, or below it."""
    powers = [dict(term) for term in value]
    factors = dict.fromkeys(factor for term in powers for factor in term)
    found = []
    for factor in factors:
        held = [p.get(factor, 0) for p in powers]
        power = min(held) if min(held) > 0 else max(held) if max(held) < 0 else 0
        if power:
            found.append((factor, power))
    return tuple(found)


def divided(term: Term, shared: Term) -> Term:
    """A product without some of its factors."""
    less = dict(shared)
    kept = [(factor, power - less.pop(factor, 0)) for factor, power in term]
    kept += [(factor, -power) for factor, power in less.items()]
    return tuple((factor, power) for factor, power in kept if power)
