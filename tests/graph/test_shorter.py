"""Small expressions written anew where that is cheaper."""

from __future__ import annotations

import math

from jourdain.graph import Graph, Role, cos, count, interpret, sin
from jourdain.graph.shorter import shorter


def test_squares_of_sine_and_cosine_are_one() -> None:
    g = Graph()
    a, b, m = g.symbol("a", Role.COORDINATE), g.symbol("b", Role.COORDINATE), g.symbol("m", Role.PARAMETER)
    assert shorter(sin(a) * sin(b) * sin(b) + sin(a) * cos(b) * cos(b)) is sin(a)
    assert shorter(m * sin(a) * sin(a) + cos(a) * m * cos(a)) is m


def test_what_is_short_stays() -> None:
    g = Graph()
    a, b = g.symbol("a", Role.COORDINATE), g.symbol("b", Role.COORDINATE)
    for x in (a, a + b, sin(a) * (cos(b) + a), g.zero, (a + 1.0) * (a + 2.0) * (b + 3.0)):
        assert shorter(x) is x


def test_values_stay() -> None:
    g = Graph()
    a, b = g.symbol("a", Role.COORDINATE), g.symbol("b", Role.COORDINATE)
    long = (a + b) * (a - b) + b * b + 0.3 * a * sin(b) - a * sin(b) * 0.1
    found = shorter(long)
    assert count([found]).total < count([long]).total
    at = {a: 0.7, b: -1.3}
    assert math.isclose(float(interpret([found], at)[0]), float(interpret([long], at)[0]), rel_tol=1e-15)
