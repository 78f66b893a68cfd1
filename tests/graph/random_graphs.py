"""Random graphs over all operations of the language, and values for their symbols: the same ones for the same seed.

Every value stays between -LARGEST and LARGEST times a few, inside every operation's domain and away from poles, for
all symbols between -2 and 2. Steps are taken where rounding decides nothing: at shifted values, or between whole
numbers. So a graph that was rearranged, or printed to another target, must agree with the interpreter to rounding.

    graph, symbols, outputs = random_graph(seed=3, size=80)
    values = random_values(symbols, seed=3, members=16)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from hypothesis import strategies
from numpy.typing import NDArray

from jourdain.graph import Graph, Node, Operation, Role
from jourdain.graph.operations import (
    ABS,
    ACOS,
    ADD,
    ASIN,
    ATAN2,
    COS,
    DIV,
    EQUAL,
    EXP,
    FLOOR,
    LESS,
    LESS_EQUAL,
    LOG,
    MAX,
    MIN,
    MUL,
    NEG,
    NOT_EQUAL,
    OPERATIONS,
    POW,
    SELECT,
    SIGN,
    SIN,
    SQRT,
    SUB,
    TAN,
)

LARGEST = 8.0
"""What a sum or product may reach before an operand of it is replaced by its sine."""
CONSTANTS = (0.0, 1.0, -1.0, 2.0, 0.5, -1.25, 0.1, 3.0, 0.7071067811865476)
SYMBOLS = {
    Role.COORDINATE: ("q1", "q2", "q3"),
    Role.SPEED: ("u1", "u2"),
    Role.ACCELERATION: ("u1dot",),
    Role.PARAMETER: ("m", "L", "I"),
    Role.INPUT: ("tau",),
    Role.TIME: ("t",),
}


class RandomGraph(NamedTuple):
    """A graph, all of its symbols, and the outputs, which need every operation that was made."""

    graph: Graph
    symbols: list[Node]
    outputs: list[Node]


class _Builder:
    """Nodes made so far, each with a bound of its magnitude."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.graph = Graph()
        self.symbols = [self.graph.symbol(name, role) for role, names in SYMBOLS.items() for name in names]
        self.bound: dict[Node, float] = dict.fromkeys(self.symbols, 2.0)
        self.made: list[Node] = list(self.symbols)
        self.unused: dict[Node, None] = {}

    def keep(self, node: Node, bound: float) -> Node:
        """A node with what its magnitude cannot exceed."""
        if node not in self.bound:
            self.bound[node] = bound
            self.made.append(node)
        return node

    def apply(self, op: Operation, bound: float, *args: Node | float) -> Node:
        for x in args:
            if isinstance(x, Node):
                self.unused.pop(x, None)
        return self.keep(self.graph.apply(op, *args), bound)

    def pick(self, largest: float = LARGEST) -> Node:
        """Some node, or its sine where it could be larger; what nobody uses yet is preferred."""
        if self.rng.random() < 0.1:
            value = self.rng.choice(CONSTANTS)
            node = self.keep(self.graph.constant(value), abs(value))
        elif self.unused and self.rng.random() < 0.5:
            node = self.rng.choice(list(self.unused))
        else:
            node = self.rng.choice(self.made)
        return node if self.bound[node] <= largest else self.apply(SIN, 1.0, node)

    def bounded(self) -> Node:
        """Some node between -1 and 1."""
        return self.pick(1.0)

    def above(self, floor: float) -> Node:
        """Something not less than the floor, and not much more than 5."""
        if self.rng.random() < 0.5:
            a = self.apply(ABS, 4.0, self.pick(4.0))
        else:
            a = self.pick(2.0)
            a = self.apply(MUL, 4.0, a, a)
        return self.apply(ADD, 4.0 + floor, a, floor)

    def shifted(self) -> Node:
        """Something that is not near a whole number but by bad luck."""
        return self.apply(ADD, LARGEST + 1.0, self.pick(), self.rng.uniform(0.1, 0.4))

    def whole(self) -> Node:
        """A whole number that rounding does not change."""
        return self.apply(FLOOR, LARGEST + 2.0, self.shifted())

    def sides(self) -> tuple[Node, Node]:
        """Two sides of a comparison."""
        return (self.whole(), self.whole()) if self.rng.random() < 0.5 else (self.pick(), self.shifted())

    def flag(self) -> Node:
        """0 or 1."""
        return self.apply(self.rng.choice((LESS, LESS_EQUAL)), 1.0, *self.sides())


def _sum(op: Operation) -> Callable[[_Builder], Node]:
    def make(b: _Builder) -> Node:
        x = b.pick(LARGEST / 2)
        y = b.pick(LARGEST / 2)
        return b.apply(op, b.bound[x] + b.bound[y], x, y)

    return make


def _product(b: _Builder) -> Node:
    x = b.pick()
    y = b.pick(LARGEST / max(b.bound[x], 1.0))
    return b.apply(MUL, b.bound[x] * b.bound[y], x, y)


def _power(b: _Builder) -> Node:
    base = b.above(0.5)
    exponent = b.rng.choice((2.0, 3.0, -1.0, -2.0, 0.5, 1.5, -0.5, 2.5))
    if b.rng.random() < 0.5:
        return b.apply(SIN, 1.0, b.apply(POW, 100.0, base, exponent))
    return b.apply(POW, 5.0, base, b.bounded())


def _angle(b: _Builder) -> Node:
    y = b.above(0.25)
    return b.apply(ATAN2, 3.2, b.apply(NEG, b.bound[y], y) if b.rng.random() < 0.5 else y, b.pick())


def _extreme(op: Operation) -> Callable[[_Builder], Node]:
    def make(b: _Builder) -> Node:
        x, y = b.pick(), b.pick()
        return b.apply(op, max(b.bound[x], b.bound[y]), x, y)

    return make


def _choice(b: _Builder) -> Node:
    x, y = b.pick(), b.pick()
    return b.apply(SELECT, max(b.bound[x], b.bound[y]), b.flag() if b.rng.random() < 0.7 else b.whole(), x, y)


def _same(op: Operation) -> Callable[[_Builder], Node]:
    def make(b: _Builder) -> Node:
        x = b.pick()
        return b.apply(op, b.bound[x], x)

    return make


RECIPES: dict[Operation, Callable[[_Builder], Node]] = {
    NEG: _same(NEG),
    ADD: _sum(ADD),
    SUB: _sum(SUB),
    MUL: _product,
    DIV: lambda b: b.apply(DIV, 2.0 * LARGEST, b.pick(), b.above(0.5)),
    SQRT: lambda b: b.apply(SQRT, 2.1, b.above(0.25)),
    SIN: lambda b: b.apply(SIN, 1.0, b.pick()),
    COS: lambda b: b.apply(COS, 1.0, b.pick()),
    TAN: lambda b: b.apply(TAN, 1.6, b.bounded()),
    ASIN: lambda b: b.apply(ASIN, 1.2, b.apply(MUL, 0.9, b.bounded(), 0.9)),
    ACOS: lambda b: b.apply(ACOS, 2.8, b.apply(MUL, 0.9, b.bounded(), 0.9)),
    ATAN2: _angle,
    EXP: lambda b: b.apply(EXP, 7.4, b.pick(2.0)),
    LOG: lambda b: b.apply(LOG, 1.6, b.above(0.25)),
    POW: _power,
    ABS: _same(ABS),
    MIN: _extreme(MIN),
    MAX: _extreme(MAX),
    SIGN: lambda b: b.apply(SIGN, 1.0, b.shifted()),
    FLOOR: _Builder.whole,
    LESS: lambda b: b.apply(LESS, 1.0, *b.sides()),
    LESS_EQUAL: lambda b: b.apply(LESS_EQUAL, 1.0, *b.sides()),
    EQUAL: lambda b: b.apply(EQUAL, 1.0, b.whole(), b.whole()),
    NOT_EQUAL: lambda b: b.apply(NOT_EQUAL, 1.0, b.whole(), b.whole()),
    SELECT: _choice,
}
"""How each operation finds operands that suit it; a row for every row of the operation table."""


def random_graph(
    seed: int, size: int = 60, outputs: int = 4, operations: Sequence[Operation] = OPERATIONS
) -> RandomGraph:
    """A graph of about `size` operations, every kind in turn; now and then an output is a leaf, a minus or doubled.

    The same seed, size and operations give the same graph in every process.
    """
    b = _Builder(seed)
    deck: list[Operation] = []
    for _ in range(size):
        if not deck:
            deck = list(operations)
            b.rng.shuffle(deck)
        made = RECIPES[deck.pop()](b)
        if made.args:
            b.unused[made] = None
    groups: list[Node] = [b.graph.zero] * outputs
    for i, node in enumerate(list(b.unused)):
        groups[i % outputs] = groups[i % outputs] + node
    if b.rng.random() < 0.3:
        groups.insert(b.rng.randrange(outputs), b.rng.choice((b.pick(), b.rng.choice(groups), -b.rng.choice(groups))))
    return RandomGraph(b.graph, b.symbols, groups)


def random_values(
    symbols: Sequence[Node], seed: int, members: int | tuple[int, ...] | None = None
) -> dict[Node, NDArray[np.float64]]:
    """A value between -2 and 2 for each symbol: single numbers, or arrays of this many."""
    rng = np.random.default_rng(seed)
    return {x: np.asarray(rng.uniform(-2.0, 2.0, members)) for x in symbols}


def graphs(largest: int = 80, operations: Sequence[Operation] = OPERATIONS) -> strategies.SearchStrategy[RandomGraph]:
    """Random graphs for hypothesis; it shrinks the size."""

    def build(seed: int, size: int) -> RandomGraph:
        return random_graph(seed, size, operations=operations)

    return strategies.builds(build, strategies.integers(0, 2**32 - 1), strategies.integers(1, largest))
