"""The order of evaluation."""

from __future__ import annotations

from jourdain.graph import Graph, Role, cos, reachable, sin, symbols_of, uses

from .random_graphs import random_graph

G = Graph()
X, Y, Z = (G.symbol(name, Role.COORDINATE) for name in "xyz")


def test_operands_come_first() -> None:
    for seed in range(10):
        nodes = reachable(random_graph(seed, 60).outputs)
        place = {node: i for i, node in enumerate(nodes)}
        assert len(place) == len(nodes)
        for node in nodes:
            assert all(place[x] < place[node] for x in node.args)


def test_only_what_is_needed() -> None:
    wanted = sin(X * Y)
    _ = cos(X * Y) + Z
    assert reachable([wanted]) == [X, Y, X * Y, wanted]
    assert reachable([wanted, wanted, X]) == reachable([wanted])
    assert reachable(iter([wanted])) == reachable([wanted])
    assert reachable([]) == []


def test_what_lies_below_given_nodes_is_left_out() -> None:
    product = X * Y
    wanted = sin(product) + Z
    assert reachable([wanted], {product}) == [Z, product, sin(product), wanted]
    assert reachable([wanted * X], {product})[0] is X
    assert reachable([wanted], {wanted}) == [wanted]


def test_symbols_in_order_of_birth() -> None:
    assert symbols_of([Z + X, Y]) == [X, Y, Z]
    assert symbols_of([G.one]) == []


def test_uses() -> None:
    square = X * X
    total = square + Y
    assert uses([total, total, square]) == {X: 2, Y: 1, square: 2, total: 2}
