"""Static factors are gathered: values stay, products of parameters meet and are computed once."""

from __future__ import annotations

import pytest

from jourdain.graph import Graph, Role, cos, count, interpret, sin, sqrt
from jourdain.graph.static_factors import gather_static


def test_factors_meet_across_a_sum() -> None:
    graph = Graph()
    m, g, length = (graph.symbol(x, Role.PARAMETER) for x in "mgl")
    x, y = (graph.symbol(name, Role.COORDINATE) for name in "xy")
    force = m * length * ((g * sin(x)) * cos(y) + (g * cos(x)) * sin(y))
    other = -(m * length) * (g * sin(x)) / (g * 2.0)
    rest = sqrt((g * x) * (m * y)) - (g * x) + (m * y)
    outputs = [force, other, rest, m * g]
    gathered = gather_static(outputs)
    values = {m: 1.3, g: 9.81, length: 0.7, x: 0.4, y: 0.9}
    for before, after in zip(interpret(outputs, values), interpret(gathered, values)):
        assert float(after) == pytest.approx(float(before), rel=1e-14)
    assert count([force]).mul == 5
    assert count(gathered[:1]).mul == 3
