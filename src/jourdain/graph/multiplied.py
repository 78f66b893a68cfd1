"""Expressions multiplied out, exactly: a sum of terms, each a number times powers of what cannot be opened.

Sines and cosines are brought to a canonical form, so that equal expressions have equal terms. There are two such
forms, and a reader wants the shorter: products, in which sin² x becomes 1 − cos² x (or the other way round), and
angles, in which products of sines and cosines become sines and cosines of sums. Coefficients are fractions, so what
cancels is gone.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from .node import Node
from .operations import ADD, CONSTANT, COS, DIV, MUL, NEG, SIN, SUB

Angle = tuple[tuple[int, int], ...]
"""Atoms and whole multiples, the first one positive: what a sine or a cosine is of."""
Wave = tuple[bool, Angle]
"""A sine (True) or a cosine of an angle."""
Factor = int | Wave
"""A factor of a term: an atom's number, or a wave."""
Term = tuple[tuple[Factor, int], ...]
"""Factors with their powers, each factor once, in `_rank`'s order."""
Polynomial = dict[Term, Fraction]

ONE: Term = ()
HALF = Fraction(1, 2)
TYPED = 12
"""Digits of a number that someone typed; a longer one came out of a division."""
ROUNDING = 4 * 2.0**-52
LARGEST = 150
"""Terms that an expression may have on the way."""
WORK = 3_000
"""Products of terms that one expander makes before it gives up."""


class TooLong(Exception):
    """Multiplied out, the expression would fill pages."""


class Expander:
    """Multiplies out the expressions of one graph; all of them share the numbering of atoms.

    angles: whether products of sines and cosines become sines and cosines of sums.
    """

    def __init__(self, angles: bool) -> None:
        self.angles = angles
        self.atoms: list[Node] = []
        self._numbers: dict[Node, int] = {}
        self._known: dict[Node, Polynomial] = {}
        self._work = 0

    def expand(self, node: Node) -> Polynomial:
        """The expression as a sum of terms; raises TooLong."""
        known, stack = self._known, [node]
        while stack:
            x = stack[-1]
            if x in known:
                stack.pop()
                continue
            needed = x.args if x.op in _OPENED else ()
            waiting = [y for y in needed if y not in known]
            if waiting:
                stack += waiting
                continue
            known[x] = found = self._made(x)
            if len(found) > LARGEST:
                raise TooLong
        return reduced(known[node])

    def _made(self, x: Node) -> Polynomial:
        if x.op is CONSTANT:
            return _constant(x.value) if _finite(x.value) else self._atom(x)
        if x.op not in _OPENED:
            return self._atom(x)
        first = self._known[x.args[0]]
        if x.op is NEG:
            return {term: -number for term, number in first.items()}
        if x.op in (SIN, COS):
            return self._wave(x, first)
        second = self._known[x.args[1]]
        if x.op is ADD:
            return added(first, second)
        if x.op is SUB:
            return added(first, second, Fraction(-1))
        if x.op is MUL:
            return self.times(first, second)
        return self.times(first, self._inverse(x.args[1], second))

    def _atom(self, node: Node, power: int = 1) -> Polynomial:
        return {((self._number(node), power),): Fraction(1)}

    def _number(self, node: Node) -> int:
        if node not in self._numbers:
            self._numbers[node] = len(self.atoms)
            self.atoms.append(node)
        return self._numbers[node]

    def _inverse(self, node: Node, value: Polynomial) -> Polynomial:
        """1/x: of one term factor by factor (waves where they stay factors, so that they cancel), else an atom."""
        if len(value) == 1:
            (term, number), = value.items()
            if not self.angles or all(isinstance(factor, int) for factor, _ in term):
                return {tuple((factor, -power) for factor, power in term): 1 / number}
        return self._atom(node, -1)

    def _wave(self, node: Node, argument: Polynomial) -> Polynomial:
        """A sine or cosine of whole multiples of atoms, else of the argument as an atom of its own."""
        multiples: dict[int, int] = {}
        for term, number in argument.items():
            factor = term[0][0] if len(term) == 1 and term[0][1] == 1 else None
            if not isinstance(factor, int) or number.denominator != 1:
                multiples = {self._number(node.args[0]): 1}
                break
            multiples[factor] = int(number)
        return _wave(node.op is SIN, multiples, Fraction(1))

    # -- products -----------------------------------------------------------------------------------------------

    def times(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """The product, term by term."""
        self._work += len(a) * len(b)
        if self._work > WORK:
            raise TooLong
        found: Polynomial = {}
        for left, p in a.items():
            for right, q in b.items():
                for term, number in self._product(left, right):
                    _add(found, term, number * p * q)
        return found

    def _product(self, a: Term, b: Term) -> Iterable[tuple[Term, Fraction]]:
        together = _joined(a, b)
        if not self.angles:
            return [(together, Fraction(1))]
        waves = [(factor, power) for factor, power in together if not isinstance(factor, int)]
        if sum(power for _, power in waves) < 2:
            return [(together, Fraction(1))]
        rest = tuple(pair for pair in together if isinstance(pair[0], int))
        total: Polynomial = {ONE: Fraction(1)}
        for wave, power in waves:
            for _ in range(power):
                total = _superposed(total, wave)
        return [(_joined(rest, term), number) for term, number in total.items()]


_OPENED = frozenset({ADD, SUB, MUL, DIV, NEG, SIN, COS})


def _finite(value: float) -> bool:
    return value - value == 0.0


def _constant(value: float) -> Polynomial:
    return {ONE: nice(value)} if value else {}


def nice(value: float) -> Fraction:
    """The fraction that a number stands for but for rounding: 981/100 for 9.81, 1/12 for 0.08333333333333333."""
    for simple in (Fraction(f"{value:.{TYPED}g}"), Fraction(value).limit_denominator(1000)):
        if abs(float(simple) - value) <= ROUNDING * abs(value):
            return simple
    return Fraction(value)


def added(a: Polynomial, b: Polynomial, factor: Fraction = Fraction(1)) -> Polynomial:
    """a + factor b."""
    found = dict(a)
    for term, number in b.items():
        _add(found, term, number * factor)
    return found


def _add(found: Polynomial, term: Term, number: Fraction) -> None:
    total = found.get(term, 0) + number
    if total:
        found[term] = Fraction(total)
    else:
        found.pop(term, None)


def _rank(factor: Factor) -> tuple[int, int, Angle, bool]:
    if isinstance(factor, int):
        return 0, factor, (), False
    return 1, 0, factor[1], factor[0]


def _joined(a: Term, b: Term) -> Term:
    powers = dict(a)
    for factor, power in b:
        powers[factor] = powers.get(factor, 0) + power
    return tuple(sorted(((f, p) for f, p in powers.items() if p), key=lambda pair: _rank(pair[0])))


# -- waves -----------------------------------------------------------------------------------------------------------


def _wave(sine: bool, multiples: dict[int, int], number: Fraction) -> Polynomial:
    """number · sin or cos of an angle, its first multiple made positive."""
    angle = tuple(sorted((atom, k) for atom, k in multiples.items() if k))
    if not angle:
        return {} if sine else {ONE: number}
    if angle[0][1] < 0:
        angle = tuple((atom, -k) for atom, k in angle)
        number = -number if sine else number
    return {(((sine, angle), 1),): number}


def _superposed(total: Polynomial, wave: Wave) -> Polynomial:
    """The product of a sum of waves with one more, as a sum of waves: 2 cos a cos b = cos(a − b) + cos(a + b), …"""
    found: Polynomial = {}
    sine, angle = wave
    for term, number in total.items():
        if term == ONE:
            _add(found, ((wave, 1),), number)
            continue
        factor = term[0][0]
        assert not isinstance(factor, int)
        other, first = factor
        minus, plus = _combined(first, angle, -1), _combined(first, angle, 1)
        half = number * HALF
        if other and sine:
            parts = (_wave(False, minus, half), _wave(False, plus, -half))
        elif other:
            parts = (_wave(True, minus, half), _wave(True, plus, half))
        elif sine:  # cos a sin b = (sin(a + b) − sin(a − b)) / 2
            parts = (_wave(True, plus, half), _wave(True, minus, -half))
        else:
            parts = (_wave(False, minus, half), _wave(False, plus, half))
        for part in parts:
            for term_of, value in part.items():
                _add(found, term_of, value)
    return found


def _combined(a: Angle, b: Angle, sign: int) -> dict[int, int]:
    found = dict(a)
    for atom, k in b:
        found[atom] = found.get(atom, 0) + sign * k
    return found


def reduced(value: Polynomial) -> Polynomial:
    """sin² x written as 1 − cos² x or the other way round, whichever leaves fewer terms."""
    angles = {factor[1] for term in value for factor, power in term if not isinstance(factor, int) and power > 1}
    for angle in sorted(angles):
        ways = [value, _without_squares(value, (True, angle)), _without_squares(value, (False, angle))]
        value = min(ways, key=len)
    return value


def _without_squares(value: Polynomial, wave: Wave) -> Polynomial:
    other: Wave = (not wave[0], wave[1])
    found: Polynomial = {}
    for term, number in value.items():
        power = dict(term).get(wave, 0)
        if power < 2:
            _add(found, term, number)
            continue
        rest = tuple(pair for pair in term if pair[0] != wave)
        part: Polynomial = {_joined(rest, ((wave, 1),)) if power % 2 else rest: number}
        for _ in range(power // 2):  # times 1 − other²
            part = added(part, {_joined(key, ((other, 2),)): x for key, x in part.items()}, Fraction(-1))
        for key, x in part.items():
            _add(found, key, x)
    return found
