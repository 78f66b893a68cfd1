"""Sine, cosine and tangent in the code itself: below one unit in the last place, a few dozen instructions, no calls.

The angle is brought to |r| <= pi/4 by subtracting k times pi/2 in three parts (Cody and Waite), every step but the
last exact thanks to fused multiply-add; what r rounds away is carried along. Two minimax polynomials give sin r and
cos r, the quadrant chooses and signs them. Angles beyond `Constants.far` take a branch that is never taken in mechanics
and asks the C library instead. Without fused multiply-add 64 bits go the way of `trig_portable`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .code import COLD, Code, Kind, Module
from .library import call_scalar
from .trig_portable import Turned, divided, reduce


@dataclass(frozen=True)
class Constants:
    """What depends on precision.

    half_pi: pi/2 as three numbers that add up to it; none is negative, which minus zero relies on.
    short: whether the second of them is so short that k times it is exact, for all k below far.
    round: adding it leaves the nearest integer in the lowest bits.
    sine: of (r - sin r)/r**3 in powers of r**2; cosine: of (cos r - 1 + r**2/2)/r**4.
    """

    far: float
    round: float
    half_pi: tuple[float, float, float]
    short: bool
    sine: tuple[float, ...]
    cosine: tuple[float, ...]


CONSTANTS = {
    64: Constants(
        far=2.0**19,
        round=1.5 * 2.0**52,
        half_pi=(1.5707963267948966, 6.12323399538461e-17, 3.5215598651832e-27),
        short=True,
        sine=(
            0.1666666666666663, -0.008333333333321754, 0.00019841269829256672, -2.755731349368947e-06,
            2.505072607516293e-08, -1.589488507446675e-10,
        ),
        cosine=(
            0.041666666666666595, -0.0013888888888873231, 2.4801587288900066e-05, -2.7557314177746797e-07,
            2.0875698740656673e-09, -1.13583392587131e-11,
        ),
    ),
    32: Constants(
        far=2.0**17,
        round=1.5 * 2.0**23,
        half_pi=(1.570796251296997, 7.549789415861596e-08, 5.390302953474238e-15),
        short=False,
        sine=(0.16666655242443085, -0.008332150056958199, 0.00019513430015649647),
        cosine=(0.04166664555668831, -0.0013887330424040556, 2.4434111765003763e-05),
    ),
}
TWO_OVER_PI = 0.6366197723675814


@dataclass(frozen=True)
class _Reduced:
    """sin r = hi - sine_tail and cos r = 1 + hi slope, rounded; the quadrant in the lowest two bits."""

    sine: str
    cosine: str
    odd: str
    bits: str
    hi: str
    z: str
    cubic: str
    sine_polynomial: str
    sine_tail: str
    y: str
    half: str
    slope: str
    cosine_polynomial: str


def sincos(
    code: Code, kind: Kind, angles: Sequence[str], host_lanes: int, need: Sequence[tuple[bool, bool]], has_fma: bool
) -> list[tuple[str, str]]:
    """Sine and cosine of several values; plain numbers go together through vectors of the host's width."""
    if kind.lanes == 1 and len(angles) > 1 and host_lanes > 1:
        return _packed(code, kind, angles, host_lanes, need, has_fma)
    reduced = _portable if _is_portable(kind, has_fma) else _reduce
    pairs = [_quadrant(code, kind, reduced(code, kind, x), *wanted) for x, wanted in zip(angles, need)]
    return _unless_far(code, kind, angles, pairs, ("sin", "cos"), has_fma)


def sine(code: Code, kind: Kind, x: str, has_fma: bool) -> str:
    return sincos(code, kind, [x], 1, [(True, False)], has_fma)[0][0]


def cosine(code: Code, kind: Kind, x: str, has_fma: bool) -> str:
    return sincos(code, kind, [x], 1, [(False, True)], has_fma)[0][1]


def _is_portable(kind: Kind, has_fma: bool) -> bool:
    return kind.bits == 64 and not has_fma


def _portable(code: Code, kind: Kind, x: str) -> Turned:
    return reduce(code, kind, x, CONSTANTS[64].sine, CONSTANTS[64].cosine)


def tangent(code: Code, kind: Kind, x: str, has_fma: bool) -> str:
    """sin r/cos r, or -cos r/sin r in odd quadrants, with what was rounded away in numerator and denominator."""
    if _is_portable(kind, has_fma):
        found = divided(code, kind, _portable(code, kind, x))
        return _unless_far(code, kind, [x], [(found, found)], ("tan", None), has_fma)[0][0]
    t, k = kind.type, _reduce(code, kind, x)
    # What sin and cos as they stand leave out is small, but a quotient cannot bear the errors of two:
    # hi**3 = cubic + cube, y z/2, and what the slope rounds away.
    minus_z = code.let(f"fneg {t} {k.z}")
    square = code.fma(kind, k.hi, k.hi, minus_z)
    cube = code.fma(kind, k.z, k.hi, code.let(f"fneg {t} {k.cubic}"))
    cube = code.fma(kind, square, k.hi, cube)
    sine_lost = code.let(f"fsub {t} {code.let(f'fsub {t} {k.hi}, {k.sine}')}, {k.sine_tail}")
    sine_lost = code.fma(kind, code.let(f"fneg {t} {cube}"), k.sine_polynomial, sine_lost)
    sine_lost = code.fma(kind, code.let(f"fmul {t} {k.y}, {k.z}"), kind.literal(0.5), sine_lost)
    one = kind.literal(1.0)
    first = code.let(f"fadd {t} {k.y}, {code.fma(kind, k.hi, kind.literal(-0.5), code.let(f'fneg {t} {k.half}'))}")
    second = code.fma(kind, k.cubic, k.cosine_polynomial, code.let(f"fsub {t} {k.half}, {k.slope}"))
    cosine_lost = code.fma(kind, k.hi, k.slope, code.let(f"fsub {t} {one}, {k.cosine}"))
    cosine_lost = code.fma(kind, k.hi, code.let(f"fadd {t} {first}, {second}"), cosine_lost)

    def choose(a: str, b: str) -> str:
        return code.let(f"select {kind.flag} {k.odd}, {t} {a}, {t} {b}")

    top, top_lost = choose(k.cosine, k.sine), choose(cosine_lost, sine_lost)
    bottom, bottom_lost = choose(k.sine, k.cosine), choose(sine_lost, cosine_lost)
    quotient = code.let(f"fdiv {t} {top}, {bottom}")
    rest = code.fma(kind, quotient, bottom, code.let(f"fneg {t} {top}"))
    rest = code.fma(kind, quotient, bottom_lost, code.let(f"fsub {t} {rest}, {top_lost}"))
    result = code.let(f"fsub {t} {quotient}, {code.let(f'fdiv {t} {rest}, {bottom}')}")
    result = choose(code.let(f"fneg {t} {result}"), result)
    return _unless_far(code, kind, [x], [(result, result)], ("tan", None), True)[0][0]


def _polynomial(code: Code, kind: Kind, z: str, z2: str, coefficients: tuple[float, ...]) -> str:
    """Pairs of coefficients with z, then pairs by Horner's rule in z**2: three multiplications deep, no z**4."""
    terms = [kind.literal(c) for c in coefficients]
    pairs = [code.fma(kind, z, b, a) for a, b in zip(terms[::2], terms[1::2])] + terms[len(terms) & ~1 :]
    result = pairs.pop()
    while pairs:
        result = code.fma(kind, z2, result, pairs.pop())
    return result


def _reduce(code: Code, kind: Kind, x: str) -> _Reduced:
    t, n = kind.type, CONSTANTS[kind.bits]
    literal = kind.literal
    shifted = code.fma(kind, x, literal(TWO_OVER_PI), literal(n.round))
    k = code.let(f"fsub {t} {shifted}, {literal(n.round)}")
    minus_k = code.let(f"fneg {t} {k}")
    first = code.fma(kind, minus_k, literal(n.half_pi[0]), x)  # exact
    # r = hi - y. With this sign of y, and tails subtracted below, sin(-0) is -0 by itself.
    if n.short:  # near multiples of pi/2, hi is exact; elsewhere it is close to the first difference
        hi = code.fma(kind, minus_k, literal(n.half_pi[1]), first)
        y = code.fma(kind, k, literal(n.half_pi[1]), code.let(f"fsub {t} {hi}, {first}"))
        y = code.fma(kind, k, literal(n.half_pi[2]), y)
    else:  # what the product rounds away, and what the difference does
        product = code.let(f"fmul {t} {k}, {literal(n.half_pi[1])}")
        hi = code.let(f"fsub {t} {first}, {product}")
        lost = code.let(f"fsub {t} {code.let(f'fsub {t} {first}, {hi}')}, {product}")
        y = code.fma(kind, k, literal(n.half_pi[1]), code.let(f"fneg {t} {product}"))
        y = code.let(f"fsub {t} {code.fma(kind, k, literal(n.half_pi[2]), y)}, {lost}")

    z = code.let(f"fmul {t} {hi}, {hi}")
    z2 = code.let(f"fmul {t} {z}, {z}")
    # sin(hi - y) = hi - (hi**3 P + y), but for y z/2, which is a tenth of an ulp
    cubic = code.let(f"fmul {t} {z}, {hi}")
    polynomial = _polynomial(code, kind, z, z2, n.sine)
    sine_tail = code.fma(kind, cubic, polynomial, y)
    sine = code.let(f"fsub {t} {hi}, {sine_tail}")
    # cos(hi - y) = 1 + hi (y - hi/2 + hi**3 Q), where neither hi**2 nor the last product is rounded
    half = code.fma(kind, hi, literal(-0.5), y)
    cosine_polynomial = _polynomial(code, kind, z, z2, n.cosine)
    slope = code.fma(kind, cubic, cosine_polynomial, half)
    cosine = code.fma(kind, hi, slope, literal(1.0))

    bits = code.let(f"bitcast {t} {shifted} to {kind.integer}")
    low = code.let(f"and {kind.integer} {bits}, {kind.whole(1)}")
    odd = code.let(f"icmp ne {kind.integer} {low}, {kind.whole(0)}")
    return _Reduced(sine, cosine, odd, bits, hi, z, cubic, polynomial, sine_tail, y, half, slope, cosine_polynomial)


def _quadrant(
    code: Code, kind: Kind, r: _Reduced | Turned, want_sine: bool, want_cosine: bool
) -> tuple[str, str]:
    """Sine and cosine of the angle itself; bit 1 of the quadrant is the sine's sign, bit 1 of the next the cosine's."""
    t, i = kind.type, kind.integer
    sign_bit = kind.whole(-(1 << (kind.bits - 1)))

    def signed(a: str, b: str, quadrant: str) -> str:
        chosen = code.let(f"select {kind.flag} {r.odd}, {t} {a}, {t} {b}")
        sign = code.let(f"and {i} {code.let(f'shl {i} {quadrant}, {kind.whole(kind.bits - 2)}')}, {sign_bit}")
        flipped = code.let(f"xor {i} {code.let(f'bitcast {t} {chosen} to {i}')}, {sign}")
        return code.let(f"bitcast {i} {flipped} to {t}")

    s = signed(r.cosine, r.sine, r.bits) if want_sine else kind.literal(0.0)
    c = signed(r.sine, r.cosine, code.let(f"add {i} {r.bits}, {kind.whole(1)}")) if want_cosine else kind.literal(0.0)
    return s, c


def _packed(
    code: Code, kind: Kind, angles: Sequence[str], host_lanes: int, need: Sequence[tuple[bool, bool]], has_fma: bool
) -> list[tuple[str, str]]:
    """The same through vectors, several plain angles to one."""
    lanes = 2
    while lanes < min(len(angles), host_lanes):
        lanes *= 2
    wide = kind.with_lanes(lanes)
    chunks = [angles[i : i + lanes] for i in range(0, len(angles), lanes)]
    vectors = []
    for chunk in chunks:
        vector = wide.literal(0.0)
        for lane, x in enumerate(chunk):
            vector = code.let(f"insertelement {wide.type} {vector}, {kind.type} {x}, i32 {lane}")
        vectors.append(vector)
    wanted = [
        (any(s for s, _ in need[i : i + lanes]), any(c for _, c in need[i : i + lanes]))
        for i in range(0, len(angles), lanes)
    ]
    pairs: list[tuple[str, str]] = []
    for chunk, (s, c) in zip(chunks, sincos(code, wide, vectors, 1, wanted, has_fma)):
        for lane in range(len(chunk)):
            sine_, cosine_ = (code.let(f"extractelement {wide.type} {v}, i32 {lane}") for v in (s, c))
            pairs.append((sine_, cosine_))
    return pairs


def _unless_far(
    code: Code, kind: Kind, angles: Sequence[str], pairs: Sequence[tuple[str, str]], names: tuple[str, str | None],
    has_fma: bool,
) -> list[tuple[str, str]]:
    """The pairs as they are, or with the C library's answers where an angle is large, infinite or NaN."""
    t, count = kind.type, len(angles)
    # One test for all: the sum of squares tells whether any is far. It may say so of several near ones; no harm done.
    total = ""
    for x in angles:
        if total and not _is_portable(kind, has_fma):
            total = code.fma(kind, x, x, total)
        else:
            square = code.let(f"fmul {t} {x}, {x}")
            total = code.let(f"fadd {t} {total}, {square}") if total else square
    far = code.let(f"fcmp ugt {t} {total}, {kind.literal(CONSTANTS[kind.bits].far ** 2)}")
    if kind.lanes > 1:
        mask = code.let(f"bitcast {kind.flag} {far} to i{kind.lanes}")
        far = code.let(f"icmp ne i{kind.lanes} {mask}, 0")
    room = code.reserve(3 * count * kind.width)
    near, stem = code.block, code.fresh("far")
    code.do(f"br i1 {far}, label %{stem}, label %{stem}.done, !prof !0")
    code.label(stem)
    places = [[code.offset(room, (row * count + i) * kind.width) for i in range(count)] for row in range(3)]
    for row, values in zip(places, (angles, [s for s, _ in pairs], [c for _, c in pairs])):
        for place, value in zip(row, values):
            code.do(f"store {t} {value}, ptr {place}, align {kind.width}")
    helper = code.module.require(f"far_{names[0]}_{kind.number}", lambda m, n: _write_far(m, n, kind, names))
    numbers = count * kind.lanes
    code.do(f"call void @{helper}(ptr {places[0][0]}, ptr {places[1][0]}, ptr {places[2][0]}, i64 {numbers})")
    again = [
        tuple(code.let(f"load {t}, ptr {places[row][i]}, align {kind.width}") for row in (1, 2)) for i in range(count)
    ]
    code.do(f"br label %{stem}.done")
    code.label(f"{stem}.done")
    merged: list[tuple[str, str]] = []
    for old, new in zip(pairs, again):
        s, c = (code.let(f"phi {t} [ {a}, %{near} ], [ {b}, %{stem} ]") for a, b in zip(old, new))
        merged.append((s, c))
    return merged


def _write_far(module: Module, name: str, kind: Kind, functions: tuple[str, str | None]) -> None:
    """Goes through numbers in memory and replaces the answers of far angles."""
    code, scalar = Code(module), kind.with_lanes(1)
    t = scalar.type

    def each(i: str) -> None:
        x = code.let(f"load {t}, ptr {code.index('%x', str(kind.size), i)}")
        size = code.intrinsic("fabs", scalar, x)
        is_far = code.let(f"fcmp ugt {t} {size}, {scalar.literal(CONSTANTS[kind.bits].far)}")

        def ask() -> None:
            for function, place in zip(functions, ("%first", "%second")):
                if function:
                    answer = call_scalar(code, scalar, function, [x])
                    code.do(f"store {t} {answer}, ptr {code.index(place, str(kind.size), i)}")

        code.branch(is_far, ask)

    code.loop("%count", each)
    code.do("ret void")
    code.close(name, "ptr %x, ptr %first, ptr %second, i64 %count", group=COLD)
