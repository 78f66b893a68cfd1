"""A factor taken out of an expression: what is left times the factor is what there was."""

from __future__ import annotations

import pytest

from jourdain.graph import Graph, Node, Role, sin, sqrt
from jourdain.graph.without import without

G = Graph()
X, Y = (G.symbol(name, Role.COORDINATE) for name in "xy")
K, C = (G.symbol(name, Role.PARAMETER) for name in "kc")


@pytest.mark.parametrize(
    ("node", "left"),
    [
        (X, G.one),
        (G.zero, G.zero),
        (K * X, K),
        (X * Y * K, K * Y),
        (-X, -G.one),
        (X * Y / C, Y / C),
        (K * X + C * X, K + C),
        (Y * X - sin(Y) * X, Y - sin(Y)),
        (X * X, X),
        (X**3, X * X),
    ],
    ids=str,
)
def test_a_factor_is_taken_out(node: Node, left: Node) -> None:
    assert without(node, X) is left


@pytest.mark.parametrize("node", [G.one, Y, K * Y, X + 1, K * (X - C), X - C * Y, C / X, sqrt(X), sin(X)], ids=str)
def test_what_is_no_factor_is_not(node: Node) -> None:
    assert without(node, X) is None
