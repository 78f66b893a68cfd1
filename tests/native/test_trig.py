"""Sine, cosine and tangent of our own: below one unit in the last place, everywhere, in every form of the code."""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

from jourdain.graph import Graph, Node, Operation, Role, cos, sin, tan
from jourdain.graph.operations import COS, SIN, TAN

from .compiled import PRECISIONS, Floats, assert_same, function_of, operation

OPERATIONS = (SIN, COS, TAN)
EXACT: dict[Operation, Callable[[Any], Any]] = {SIN: mp.sin, COS: mp.cos, TAN: mp.tan}
REACH = 1e5
"""Up to here the error is below one ulp."""

by_operation = pytest.mark.parametrize("op", OPERATIONS, ids=[op.name for op in OPERATIONS])
by_precision = pytest.mark.parametrize("dtype", PRECISIONS)


def values(op: Operation, x: Floats) -> Floats:
    result: Floats = operation(op, x.dtype)(x[:, None])[:, 0]
    return result


def error_in_ulps(op: Operation, x: Floats) -> Floats:
    """Distances from the exact values, in units in the last place of the exact value."""
    found = values(op, x)
    errors = np.empty(len(x))
    with mp.workprec(160):
        for i, (angle, value) in enumerate(zip(x.tolist(), found.tolist())):
            exact = EXACT[op](mpf(angle))
            errors[i] = float(abs(mpf(value) - exact) / mpf(float(np.spacing(abs(x.dtype.type(float(exact)))))))
    return errors


def near_multiples(dtype: Any, count: int) -> Floats:
    """The numbers of the format around multiples of π/2, where almost everything of the angle is cancelled."""
    k = np.unique(np.concatenate([np.arange(1, 65), np.geomspace(65, REACH / 1.5708, count).astype(int)]))
    nearest = (k * (np.pi / 2)).astype(dtype)
    x = np.concatenate([nearest, np.nextafter(nearest, dtype(0)), np.nextafter(nearest, dtype(np.inf))])
    return x[x < REACH]


@by_operation
@by_precision
def test_below_one_ulp_on_random_angles(dtype: Any, op: Operation) -> None:
    rng = np.random.default_rng(7)
    ranges = [rng.uniform(-top, top, 1500) for top in (0.8, 3.2, 100.0, REACH)]
    scales = rng.choice([-1.0, 1.0], 1500) * 10.0 ** rng.uniform(-40 if dtype is np.float32 else -300, 5, 1500)
    x = np.concatenate([*ranges, scales]).astype(dtype)
    assert error_in_ulps(op, x).max() < 0.95


@by_operation
@by_precision
def test_below_one_ulp_around_multiples_of_half_pi(dtype: Any, op: Operation) -> None:
    assert error_in_ulps(op, near_multiples(dtype, 1200)).max() < 0.95


@by_operation
def test_below_one_ulp_at_the_worst_angles(op: Operation) -> None:
    """Doubles below 1e5 that lie extraordinarily close to a multiple of π/2: continued fractions find them."""
    found: list[float] = []
    with mp.workprec(400):
        for exponent in range(-1, 17):  # x = m 2**(exponent - 52), and x/(π/2) as near a whole number as can be
            ratio = mpf(2) ** (exponent - 52) / (mp.pi / 2)
            p0, q0, p1, q1, rest = 0, 1, 1, 0, ratio
            while q1 < 2**53:
                whole = int(mp.floor(rest))
                p0, q0, p1, q1 = p1, q1, whole * p1 + p0, whole * q1 + q0
                found += [m * q1 * 2.0 ** (exponent - 52) for m in (1, 3) if q1 and m * q1 < 2**53]
                rest = 1 / (rest - whole)
    x = np.array(sorted(x for x in set(found) if 0.5 < x < REACH))
    assert len(x) > 50
    with mp.workprec(160):
        nearest = min(abs(float(mp.sin(mpf(2) * mpf(angle)))) for angle in x.tolist())
    assert nearest < 1e-17, "these are not the worst angles"
    assert error_in_ulps(op, x).max() < 0.95


@by_operation
@by_precision
def test_any_finite_angle(dtype: Any, op: Operation) -> None:
    """Beyond the reach of our own reduction, too: as good as the C library, which is asked there."""
    top = 38.0 if dtype is np.float32 else 308.0
    x = np.concatenate([10.0 ** np.linspace(4.9, top, 400), [0.9999 * float(np.finfo(dtype).max), 2.0**17, 2.0**19]])
    x = np.concatenate([x, -x]).astype(dtype)
    assert error_in_ulps(op, x).max() < 1.6


@by_operation
@by_precision
def test_zeros_infinities_nan(dtype: Any, op: Operation) -> None:
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan], dtype)
    expected = [1.0, 1.0, np.nan, np.nan, np.nan] if op is COS else [0.0, -0.0, np.nan, np.nan, np.nan]
    assert_same(values(op, x), np.array(expected, dtype))
    assert_same(np.array([operation(op, dtype)([angle])[0] for angle in x]), np.array(expected, dtype))


@by_operation
@by_precision
def test_tiny_angles(dtype: Any, op: Operation) -> None:
    """sin x = tan x = x, cos x = 1, down to the last subnormal."""
    limits = np.finfo(dtype)
    x = np.array([limits.smallest_subnormal, 7 * limits.smallest_subnormal, limits.tiny, 1e-30], dtype)
    x = np.concatenate([x, -x])
    assert_same(values(op, x), np.ones_like(x) if op is COS else x)


@by_precision
def test_odd_and_even(dtype: Any) -> None:
    x = np.random.default_rng(1).uniform(0.0, 1e6, 5000).astype(dtype)
    assert_same(values(SIN, -x), -values(SIN, x))
    assert_same(values(TAN, -x), -values(TAN, x))
    assert_same(values(COS, -x), values(COS, x))


@by_precision
def test_beyond_the_reach_the_c_library_answers(dtype: Any) -> None:
    library = ctypes.CDLL(ctypes.util.find_library("m"))
    number: Any = ctypes.c_float if dtype is np.float32 else ctypes.c_double
    x = np.array([2.0**20 * 1.1, 1e12, 3e30], dtype)
    for op in OPERATIONS:
        function = getattr(library, op.name + ("f" if dtype is np.float32 else ""))
        function.restype, function.argtypes = number, [number]
        assert_same(values(op, x), np.array([function(float(angle)) for angle in x], dtype))


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7, 8, 9, 17])
@by_precision
def test_every_form_gives_the_same_digits(dtype: Any, count: int) -> None:
    """One angle, angles packed into a vector, members side by side; near ones, far ones and none beside one another."""
    graph = Graph()
    angles = [graph.symbol(f"q{i}", Role.INPUT) for i in range(count)]
    wanted: list[Node] = [*(sin(x) for x in angles), *(cos(x) for x in angles), *(tan(x) for x in angles)]
    packed = function_of(angles, wanted, dtype)
    rng = np.random.default_rng(count)
    x = rng.uniform(-10.0, 10.0, (37, count)).astype(dtype)
    x[5:9] *= dtype(1e4)
    x[10, 0], x[11, -1], x[12], x[20, 0] = 1e9, -1e30, 1e7, np.nan
    x[21, -1], x[22, 0], x[23, :] = np.inf, -0.0, 0.0
    side_by_side = packed(x)
    assert_same(np.stack([packed(member) for member in x]), side_by_side)
    one = [values(op, x.ravel()).reshape(x.shape) for op in OPERATIONS]
    assert_same(side_by_side, np.concatenate(one, axis=-1))


def test_sine_alone_and_cosine_alone_are_the_pair() -> None:
    graph = Graph()
    x, y = (graph.symbol(name, Role.INPUT) for name in "xy")
    angles = np.random.default_rng(2).uniform(-1e3, 1e3, (100, 2))
    mixed = function_of([x, y], [sin(x), cos(y)])(angles)
    pairs = function_of([x, y], [sin(x), cos(x), sin(y), cos(y)])(angles)
    assert_same(mixed, pairs[:, [0, 3]])
