"""Graphs as deep as a user may make them: every walk is a loop, so Python's limit of recursion does not matter."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import pytest
import sympy

from jourdain.graph import (
    Graph,
    Node,
    Role,
    count,
    equal,
    exp,
    floor,
    interpret,
    less,
    maximum,
    minimum,
    reachable,
    select,
    sin,
    substitute,
    symbols_of,
    transfer,
    uses,
)
from jourdain.graph.differentiate import gradient, jvp
from jourdain.graph.from_sympy import from_sympy
from jourdain.graph.improve import improve
from jourdain.graph.listing import listing
from jourdain.graph.pause import collector_paused
from jourdain.graph.spell import from_table, spell, to_table
from jourdain.graph.to_sympy import plain_symbols, to_sympy, to_sympy_steps
from jourdain.graph.write import LATEX, TEXT, latex, text, write

MARGIN = 60
"""Calls that may be nested below a test."""


class Deep(NamedTuple):
    graph: Graph
    x: Node
    top: Node
    size: int


def chain(size: int, *steps: Callable[[Node, Node], Node]) -> Deep:
    """One operation upon the other, to a depth of about `size`; steps take what is below and a symbol."""
    graph = Graph()
    x, y = graph.symbol("x", Role.COORDINATE), graph.symbol("y", Role.SPEED)
    top = x
    while len(graph) < size:
        for step in steps:
            top = step(top, y)
    return Deep(graph, x, top, len(graph))


SHAPES: dict[str, tuple[Callable[[Node, Node], Node], ...]] = {
    "sums": (lambda z, y: z + y * 0.25, lambda z, y: sin(z)),
    "products": (lambda z, y: z * sin(z + y),),
    "quotients": (lambda z, y: y / (z + 3.0),),
    "signs": (lambda z, y: y - z, lambda z, y: exp(-z)),
    "powers": (lambda z, y: (z * z + 1.5) ** 0.3,),
    "choices": (lambda z, y: select(less(z, y), z + 0.5, y), lambda z, y: minimum(sin(z), maximum(z, y))),
    "steps": (lambda z, y: equal(z, 0), lambda z, y: floor(z + y)),
    "one long sum": (lambda z, y: z + z.graph.symbol(f"a{len(z.graph)}", Role.INPUT),),
    "one long product": (lambda z, y: z * z.graph.symbol(f"a{len(z.graph)}", Role.INPUT),),
}


@pytest.fixture
def shallow() -> Iterator[None]:
    """No deep recursion is possible while the test runs."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + MARGIN)
    with collector_paused():
        yield
    sys.setrecursionlimit(before)


def test_the_fixture_forbids_recursion(shallow: None) -> None:
    def depth(n: int) -> int:
        return 1 + depth(n - 1) if n else 0

    with pytest.raises(RecursionError):
        depth(2 * MARGIN)


@pytest.mark.parametrize("steps", SHAPES.values(), ids=SHAPES)
def test_every_shape_through_every_walk(steps: tuple[Callable[[Node, Node], Node], ...], shallow: None) -> None:
    walk(chain(4_000, *steps))


def test_a_hundred_thousand_nodes(shallow: None) -> None:
    mixed = (
        lambda z, y: sin(z), lambda z, y: z + y, lambda z, y: z * z, lambda z, y: 1.0 / (z + 3.0),
        lambda z, y: minimum(z, y), lambda z, y: -z, lambda z, y: select(less(z, y), z, y * z),
    )  # fmt: skip
    walk(chain(100_000, *mixed))


def walk(deep: Deep) -> None:
    graph, x, top, size = deep
    nodes = reachable([top])
    assert size * 0.9 < len(nodes) <= size
    assert len(uses([top])) == len(nodes)
    assert count([top]).total > 0.3 * size
    values: dict[Node, float] = dict.fromkeys(symbols_of([top]), 0.5)
    (value,) = interpret([top], values)
    (same,) = substitute([top], {x: x})
    assert same is top
    (number,) = substitute([top], values)
    assert np.allclose(number.value, value, equal_nan=True)
    (copy,) = transfer([top], Graph())
    assert len(reachable([copy])) == len(nodes)
    (better,) = improve([top])
    assert np.allclose(interpret([better], values)[0], value, equal_nan=True)
    reverse, forward = interpret([gradient(top, [x])[0], jvp([top], {x: 1.0})[0]], values)
    assert np.allclose(reverse, forward, equal_nan=True)
    lines = listing([top])
    assert len(lines.text()) > size
    assert len(lines.latex()) > size
    assert len(text(top)) < 4_000
    assert len(latex(top)) < 40_000
    table = to_table([top])
    assert from_table(table, graph) == [top]


@pytest.mark.parametrize(
    "steps",
    [
        (lambda z, y: sin(z),),
        (lambda z, y: z + z.graph.symbol(f"a{len(z.graph)}", Role.INPUT),),
        (lambda z, y: y / (z.graph.symbol(f"a{len(z.graph)}", Role.INPUT) - z),),
        (lambda z, y: floor(-z * z.graph.symbol(f"a{len(z.graph)}", Role.INPUT)) ** 0.3,),
    ],
    ids=["functions", "sum", "quotients", "powers"],
)
def test_written_out_in_full(steps: tuple[Callable[[Node, Node], Node], ...], shallow: None) -> None:
    """What shares nothing can be written on one line, however long."""
    top = chain(20_000, *steps).top
    for line in (write(top, TEXT, {}), write(top, LATEX, {}), spell(top)):
        assert 10_000 < len(line) < 2_000_000


@pytest.mark.parametrize("steps", SHAPES.values(), ids=SHAPES)
def test_to_sympy_and_back(steps: tuple[Callable[[Node, Node], Node], ...], shallow: None) -> None:
    """SymPy's own functions descend into expressions; building and reading them here does not."""
    graph, _, top, _ = chain(3_000, *steps)
    symbols = plain_symbols([top])
    (expression,) = to_sympy([top], symbols)
    (back,) = from_sympy([expression], graph, {b: a for a, b in symbols.items()})
    values: dict[Node, float] = dict.fromkeys(symbols, 0.5)
    found, expected = interpret([back, top], values)
    assert np.allclose(found, expected, equal_nan=True)
    replacements, reduced = to_sympy_steps([top], symbols)
    assert len(replacements) > 50
    assert isinstance(reduced[0], sympy.Basic)
