"""Sine, cosine and tangent without fused multiply-add: the same digits wherever IEEE arithmetic is, as quick.

The angle is brought to |r| <= pi/4 by subtracting k times pi/2 in parts of 34 bits, whose products with k are exact
(Cody and Waite); what differences round away is carried along. Where a fused instruction would keep a product whole, a
factor is cut in two (Dekker 1971), by clearing the low half of its bits. The polynomials are those of `trig`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .code import Code, Kind

# pi/2: three numbers of 34 bits, and what is left; none is negative, which minus zero relies on.
HALF_PI = (1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32)
ROUND = 1.5 * 2.0**52  # adding it leaves the nearest integer in the lowest bits
TWO_OVER_PI = 0.6366197723675814
HIGH = -(1 << 27)  # keeps 26 bits of a double: products of two such are exact


@dataclass(frozen=True)
class Turned:
    """sin r and cos r, what their last roundings lost, and the quadrant in the lowest two bits of `bits`."""

    sine: str
    sine_lost: str
    cosine: str
    cosine_lost: str
    odd: str
    bits: str


class Arithmetic:
    """Formulas of one kind of value, an instruction a step."""

    def __init__(self, code: Code, kind: Kind) -> None:
        self.code, self.kind = code, kind

    def number(self, value: float) -> str:
        return self.kind.literal(value)

    def add(self, a: str, b: str) -> str:
        return self.code.let(f"fadd {self.kind.type} {a}, {b}")

    def sub(self, a: str, b: str) -> str:
        return self.code.let(f"fsub {self.kind.type} {a}, {b}")

    def mul(self, a: str, b: str) -> str:
        return self.code.let(f"fmul {self.kind.type} {a}, {b}")

    def div(self, a: str, b: str) -> str:
        return self.code.let(f"fdiv {self.kind.type} {a}, {b}")

    def bits(self, a: str) -> str:
        return self.code.let(f"bitcast {self.kind.type} {a} to {self.kind.integer}")

    def cut(self, a: str) -> tuple[str, str]:
        """a as its first 26 bits and the rest."""
        kept = self.code.let(f"and {self.kind.integer} {self.bits(a)}, {self.kind.whole(HIGH)}")
        high = self.code.let(f"bitcast {self.kind.integer} {kept} to {self.kind.type}")
        return high, self.sub(a, high)

    def polynomial(self, z: str, z2: str, coefficients: Sequence[float]) -> str:
        """Pairs of coefficients with z, then pairs by Horner's rule in z**2."""
        terms = [self.number(c) for c in coefficients]
        pairs = [self.add(a, self.mul(z, b)) for a, b in zip(terms[::2], terms[1::2])] + terms[len(terms) & ~1 :]
        result = pairs.pop()
        while pairs:
            result = self.add(pairs.pop(), self.mul(z2, result))
        return result


def reduce(code: Code, kind: Kind, x: str, sine: Sequence[float], cosine: Sequence[float]) -> Turned:
    """For angles of 64 bits below 2**19; sine, cosine: coefficients as in `trig.Constants`."""
    f = Arithmetic(code, kind)
    shifted = f.add(f.mul(x, f.number(TWO_OVER_PI)), f.number(ROUND))
    k = f.sub(shifted, f.number(ROUND))
    hi = f.sub(x, f.mul(k, f.number(HALF_PI[0])))  # exact
    lost = ""
    for part in HALF_PI[1:3]:
        product = f.mul(k, f.number(part))  # exact
        before, hi = hi, f.sub(hi, product)
        more = f.sub(f.sub(before, hi), product)
        lost = f.add(lost, more) if lost else more
    y = f.sub(f.mul(k, f.number(HALF_PI[3])), lost)  # r = hi - y

    z = f.mul(hi, hi)
    z2 = f.mul(z, z)
    # sin(hi - y) = hi - (hi**3 P + y), but for y z/2, which is a tenth of an ulp
    tail = f.add(f.mul(f.mul(z, hi), f.polynomial(z, z2, sine)), y)
    s = f.sub(hi, tail)
    s_lost = f.add(f.sub(f.sub(hi, s), tail), f.mul(f.mul(y, z), f.number(0.5)))
    # cos(hi - y) = 1 - hi**2/2 + (hi**4 Q + hi y), where half of hi**2 is the exact square of its first bits and a rest
    high, low = f.cut(hi)
    half = f.number(0.5)
    square = f.mul(f.mul(high, half), high)
    rest = f.mul(f.mul(low, half), f.add(hi, high))
    w = f.sub(f.number(1.0), square)
    back = f.sub(f.sub(f.number(1.0), w), square)
    small = f.add(f.mul(z2, f.polynomial(z, z2, cosine)), f.mul(hi, y))
    small = f.add(small, f.sub(back, rest))
    c = f.add(w, small)
    c_lost = f.add(f.sub(w, c), small)

    bits = f.bits(shifted)
    odd = code.let(f"icmp ne {kind.integer} {code.let(f'and {kind.integer} {bits}, {kind.whole(1)}')}, {kind.whole(0)}")
    return Turned(s, s_lost, c, c_lost, odd, bits)


def divided(code: Code, kind: Kind, r: Turned) -> str:
    """The tangent: sin r/cos r, or -cos r/sin r in odd quadrants, with what was rounded away in both."""
    f = Arithmetic(code, kind)

    def choose(a: str, b: str) -> str:
        return code.let(f"select {kind.flag} {r.odd}, {kind.type} {a}, {kind.type} {b}")

    top, top_lost = choose(r.cosine, r.sine), choose(r.cosine_lost, r.sine_lost)
    bottom, bottom_lost = choose(r.sine, r.cosine), choose(r.sine_lost, r.cosine_lost)
    q = f.div(top, bottom)
    product = f.mul(q, bottom)
    (q_high, q_low), (b_high, b_low) = f.cut(q), f.cut(bottom)
    error = f.sub(f.mul(q_high, b_high), product)
    error = f.add(f.add(f.add(error, f.mul(q_high, b_low)), f.mul(q_low, b_high)), f.mul(q_low, b_low))
    rest = f.add(f.sub(product, top), error)
    rest = f.add(rest, f.sub(f.mul(q, bottom_lost), top_lost))
    result = f.sub(q, f.div(rest, bottom))
    return choose(code.let(f"fneg {kind.type} {result}"), result)
