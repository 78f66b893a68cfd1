"""Sine, cosine and tangent without fused multiply-add: as good as with it, and the same in every form of the code."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from jourdain.graph import Graph, Operation, Role, cos, sin, tan
from jourdain.graph.operations import COS, TAN
from jourdain.program import Block, Program, hoist
from jourdain.targets.llvm import Form, host, write, write_batch

from . import test_trig
from .compiled import Floats, assert_same
from .test_compiling import loaded
from .test_trig import OPERATIONS, by_operation, error_in_ulps, near_multiples

PORTABLE = host().portable
FORM = Form.of(64, PORTABLE)


def program(count: int, *operations: Operation) -> Program:
    graph = Graph()
    x = [graph.symbol(f"x{k}", Role.INPUT) for k in range(count)]
    wanted = [graph.apply(op, angle) for op in operations for angle in x]
    return Program("angles", (Block("x", tuple(x)),), Block("p", ()), (Block("y", tuple(wanted)),))


@cache
def function(op: Operation) -> np.ufunc:
    return loaded(program(1, op), FORM, PORTABLE)


def values(op: Operation, x: Floats) -> Floats:
    found: Floats = function(op)(x[:, None])[:, 0]
    return found


@pytest.fixture(autouse=True)
def _portable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests of the fused functions, of these."""
    monkeypatch.setattr(test_trig, "values", values)


def test_nothing_is_fused() -> None:
    for part in (write, write_batch):
        for text, _ in part(hoist(program(3, *OPERATIONS)), FORM, PORTABLE):
            assert "fma" not in text
    assert PORTABLE.fingerprint != host().fingerprint and not PORTABLE.has_fma


@by_operation
def test_below_one_ulp_on_random_angles(op: Operation) -> None:
    test_trig.test_below_one_ulp_on_random_angles(np.float64, op)


@by_operation
def test_below_one_ulp_around_multiples_of_half_pi(op: Operation) -> None:
    assert error_in_ulps(op, near_multiples(np.float64, 1200)).max() < 0.95


@by_operation
def test_below_one_ulp_at_the_worst_angles(op: Operation) -> None:
    test_trig.test_below_one_ulp_at_the_worst_angles(op)


@by_operation
def test_any_finite_angle(op: Operation) -> None:
    test_trig.test_any_finite_angle(np.float64, op)


@by_operation
def test_zeros_infinities_nan(op: Operation) -> None:
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan])
    expected = [1.0, 1.0, np.nan, np.nan, np.nan] if op is COS else [0.0, -0.0, np.nan, np.nan, np.nan]
    assert_same(values(op, x), np.array(expected))


@by_operation
def test_tiny_angles(op: Operation) -> None:
    test_trig.test_tiny_angles(np.float64, op)


def test_odd_and_even() -> None:
    test_trig.test_odd_and_even(np.float64)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 9])
def test_every_form_gives_the_same_digits(count: int) -> None:
    """One angle, angles packed into vectors of any width, members side by side; near ones and far ones."""
    rng = np.random.default_rng(count)
    x = rng.uniform(-10.0, 10.0, (37, count))
    x[5:9] *= 1e4
    x[10, 0], x[11, -1], x[12], x[20, 0] = 1e9, -1e30, 1e7, np.nan
    together = loaded(program(count, *OPERATIONS), FORM, PORTABLE)
    one = np.concatenate([values(op, x.ravel()).reshape(x.shape) for op in OPERATIONS], axis=-1)
    assert_same(together(x), one)
    assert_same(np.stack([together(member) for member in x]), one)
    graph = Graph()
    angles = [graph.symbol(f"x{k}", Role.INPUT) for k in range(count)]
    wanted = [f(angle) for f in (sin, cos, tan) for angle in angles]
    narrow = Form(64, 2)
    same = Program("narrow", (Block("x", tuple(angles)),), Block("p", ()), (Block("y", tuple(wanted)),))
    assert_same(loaded(same, narrow, PORTABLE)(x), one)


def test_tangents_near_their_poles() -> None:
    k = np.arange(1, 4001, 2)
    x = np.concatenate([np.nextafter(k * (np.pi / 2), 0.0), k * (np.pi / 2)])
    assert np.abs(values(TAN, x)).max() > 1e12
    assert error_in_ulps(TAN, x).max() < 0.95
