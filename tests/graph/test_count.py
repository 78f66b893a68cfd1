"""Exact counts: per kind, shared work once, what parameters alone decide apart."""

from __future__ import annotations

from jourdain.graph import (
    OPERATIONS,
    Cost,
    Counts,
    Graph,
    Role,
    absolute,
    atan2,
    cos,
    count,
    less,
    select,
    sin,
    sqrt,
    tan,
)

from .random_graphs import random_graph

G = Graph()
X, Y = (G.symbol(name, Role.COORDINATE) for name in "xy")
U = G.symbol("u", Role.SPEED)
T = G.symbol("t", Role.TIME)
M, L = (G.symbol(name, Role.PARAMETER) for name in "ML")


def test_nothing_costs_nothing() -> None:
    assert count([]) == count([X, M, G.one, -X, -M]) == Counts()
    assert count([X]).total == 0


def test_each_kind_is_counted() -> None:
    assert count([X * Y + U - X]) == Counts(mul=1, add=2)
    assert count([X / Y]) == Counts(div=1)
    assert count([sqrt(X)]) == Counts(sqrt=1)
    assert count([tan(X), absolute(X), atan2(X, Y)]) == Counts(other=3)
    assert count([select(less(X, Y), X, Y)]) == Counts(other=2)
    assert count([X**5]) == Counts(mul=3)
    assert count([X**2.5]) == Counts(other=1)


def test_a_minus_is_free() -> None:
    assert count([-(X * Y), X - Y, Y - X]) == Counts(mul=1, add=1)


def test_a_sine_and_cosine_are_one_pair() -> None:
    assert count([sin(X)]).trig == count([sin(X), cos(X), sin(X) * cos(X)]).trig == 1
    assert count([sin(X), cos(Y)]).trig == 2
    assert count([sin(X + Y), cos(Y + X), sin(X)]) == Counts(add=1, trig=2)
    assert count([sin(X), cos(-X)]).trig == 1


def test_shared_work_is_counted_once() -> None:
    product = X * Y
    assert count([product + 1, product + 2, product]) == Counts(mul=1, add=2)
    assert count([product, product]) == Counts(mul=1)


def test_work_of_parameters_alone_is_precomputed() -> None:
    assert count([M * L]) == Counts(precompute=1)
    assert count([X * (M * L), Y / (M + L)]) == Counts(mul=2, precompute=3)
    assert count([sin(M) + cos(M)]) == Counts(precompute=3)
    assert count([X * sin(M)]) == Counts(mul=1, precompute=1)
    assert count([T * M]) == Counts(mul=1)


def test_totals() -> None:
    counts = count([X * Y + U, X / Y, sqrt(X), sin(X), cos(X), tan(X), M * L])
    assert counts.total == 6
    assert counts.as_dict() == {
        "mul": 1, "add": 1, "div": 1, "sqrt": 1, "trig": 1, "other": 1, "precompute": 1, "total": 6,
    }  # fmt: skip


def test_as_text() -> None:
    assert str(count([X * Y + U])) == "1 mul, 1 add"
    assert str(count([X / Y, sqrt(X), sin(X), tan(X), M * L])) == "0 mul, 0 add, 1 div, 1 sqrt, 1 trig, 1 other"


def test_every_operation_is_counted_in_its_bucket() -> None:
    for op in OPERATIONS:
        node = G.apply(op, *(X, Y, U)[: op.arity])
        counts = count([node]).as_dict()
        assert counts["total"] == (op.cost is not Cost.FREE)
        if op.cost is not Cost.FREE:
            assert counts[op.cost.value] == 1


def test_counts_of_a_whole_are_at_most_those_of_its_parts() -> None:
    for seed in range(10):
        outputs = random_graph(seed, 60).outputs
        alone = [count([y]).total for y in outputs]
        assert max(alone) <= count(outputs).total <= sum(alone)
