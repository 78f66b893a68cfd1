"""Derivatives, forward and reverse, from one table of rules; what is zero is never built, what is equal is shared.

The derivative of an operation is a linear map of the operands' tangents, and for scalars that map is its own
transpose. So one row, one map for each operand, serves both directions: forward, the maps' values add up to the
result's tangent; in reverse, each map takes the result's adjoint back to its operand.

A time derivative is `jvp` with the rates of the symbols as seeds. Any node may be a variable, not only a symbol: what
it was computed from is then held fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .node import Node, cos, equal, less, log, power, select, sign, sin, sqrt
from .operations import (
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
    POW,
    SELECT,
    SIGN,
    SIN,
    SQRT,
    SUB,
    TAN,
    Operation,
)
from .order import reachable

Map = Callable[[Node, tuple[Node, ...], Node], Node]
"""(result, operands, tangent of one operand) -> its share of the result's tangent."""


def _squares(args: tuple[Node, ...]) -> Node:
    return args[0] * args[0] + args[1] * args[1]


def _by_exponent(z: Node, x: tuple[Node, ...], t: Node) -> Node:
    # d(a^b)/db is 0 at a = 0, where log(a) alone would make it NaN.
    return t * (z * log(select(equal(x[0], 0.0), 1.0, x[0])))


RULES: dict[Operation, tuple[Map, ...] | None] = {
    NEG: (lambda z, x, t: -t,),
    ADD: (lambda z, x, t: t, lambda z, x, t: t),
    SUB: (lambda z, x, t: t, lambda z, x, t: -t),
    MUL: (lambda z, x, t: x[1] * t, lambda z, x, t: x[0] * t),
    DIV: (lambda z, x, t: t * (1.0 / x[1]), lambda z, x, t: -(t * (z * (1.0 / x[1])))),
    SQRT: (lambda z, x, t: t * (0.5 / z),),
    SIN: (lambda z, x, t: t * cos(x[0]),),
    COS: (lambda z, x, t: -(t * sin(x[0])),),
    TAN: (lambda z, x, t: t * (z * z + 1.0),),
    ASIN: (lambda z, x, t: t * (1.0 / sqrt(1.0 - x[0] * x[0])),),
    ACOS: (lambda z, x, t: -(t * (1.0 / sqrt(1.0 - x[0] * x[0]))),),
    ATAN2: (lambda z, x, t: t * (x[1] / _squares(x)), lambda z, x, t: -(t * (x[0] / _squares(x)))),
    EXP: (lambda z, x, t: t * z,),
    LOG: (lambda z, x, t: t * (1.0 / x[0]),),
    POW: (lambda z, x, t: t * (x[1] * power(x[0], x[1] - 1.0)), _by_exponent),
    ABS: (lambda z, x, t: t * sign(x[0]),),
    MIN: (lambda z, x, t: select(less(x[1], x[0]), 0.0, t), lambda z, x, t: select(less(x[1], x[0]), t, 0.0)),
    MAX: (lambda z, x, t: select(less(x[0], x[1]), 0.0, t), lambda z, x, t: select(less(x[0], x[1]), t, 0.0)),
    # Steps are flat wherever they have a derivative.
    SIGN: None,
    FLOOR: None,
    LESS: None,
    LESS_EQUAL: None,
    EQUAL: None,
    NOT_EQUAL: None,
    SELECT: (
        lambda z, x, t: t.graph.zero,
        lambda z, x, t: select(x[0], t, 0.0),
        lambda z, x, t: select(x[0], 0.0, t),
    ),
}
"""One row an operation, one map an operand; None where the derivative is zero."""

# Of two choices, forward mode chooses between the tangents: one select, where the sum of the maps has two and an add.
_CHOICES: dict[Operation, Callable[[tuple[Node, ...], list[Node]], Node]] = {
    MIN: lambda x, t: select(less(x[1], x[0]), t[1], t[0]),
    MAX: lambda x, t: select(less(x[0], x[1]), t[1], t[0]),
    SELECT: lambda x, t: select(x[0], t[1], t[2]),
}


def jvp(outputs: Sequence[Node], seeds: Mapping[Node, Node | float]) -> list[Node]:
    """Forward: the outputs' derivatives along a direction, given the variables' rates.

    seeds: variable -> its rate; everything else is constant.
    """
    columns = [{x: x.graph.node(rate) for x, rate in seeds.items()}]
    return [row[0] for row in _forward(outputs, columns)]


def vjp(outputs: Sequence[Node], cotangents: Sequence[Node | float], symbols: Sequence[Node]) -> list[Node]:
    """Reverse: the derivative of the outputs' sum, each times its cotangent, with respect to each symbol.

    With velocities as outputs, speeds as symbols and forces as cotangents these are Kane's generalized forces.
    """
    if len(cotangents) != len(outputs):
        raise ValueError(f"{len(outputs)} outputs need as many cotangents, {len(cotangents)} given")
    if not symbols:
        return []
    seeds: dict[Node, Node] = {}
    for output, cotangent in zip(outputs, cotangents):
        weight = output.graph.node(cotangent)
        seeds[output] = seeds[output] + weight if output in seeds else weight
    return _reverse([seeds], symbols)[0]


def gradient(output: Node, symbols: Sequence[Node]) -> list[Node]:
    """Reverse: one output's derivative with respect to each symbol."""
    return vjp([output], [1.0], symbols)


def jacobian(outputs: Sequence[Node], symbols: Sequence[Node]) -> list[list[Node]]:
    """The outputs' derivatives, one row an output, in the direction that has fewer tangents or adjoints to carry."""
    forward, reverse = directions(outputs, symbols)
    return (forward_jacobian if forward <= reverse else reverse_jacobian)(outputs, symbols)


def forward_jacobian(outputs: Sequence[Node], symbols: Sequence[Node]) -> list[list[Node]]:
    """The outputs' derivatives, one row an output, with one tangent a symbol."""
    return _forward(outputs, [{x: x.graph.one} for x in symbols])


def reverse_jacobian(outputs: Sequence[Node], symbols: Sequence[Node]) -> list[list[Node]]:
    """The outputs' derivatives, one row an output, with one adjoint an output."""
    return _reverse([{y: y.graph.one} for y in outputs], symbols)


def directions(outputs: Sequence[Node], symbols: Sequence[Node]) -> tuple[int, int]:
    """How many tangents a forward Jacobian would carry, and how many adjoints a reverse one, zeros left out."""
    nodes = reachable(outputs)
    variables = {x: 1 << i for i, x in enumerate(dict.fromkeys(symbols))}
    below: dict[Node, int] = {}  # which symbols a node depends on, as bits
    for node in nodes:
        bits = variables.get(node, 0)
        if not bits and RULES.get(node.op):
            for operand in node.args:
                bits |= below[operand]
        below[node] = bits
    above: dict[Node, int] = dict.fromkeys(nodes, 0)  # which outputs depend on a node
    for i, output in enumerate(outputs):
        above[output] |= 1 << i
    for node in reversed(nodes):
        if node not in variables and below[node]:
            for operand in node.args:
                above[operand] |= above[node]
    carried = [node for node in nodes if below[node] and node not in variables]
    return sum(below[x].bit_count() for x in carried), sum(above[x].bit_count() for x in carried)


def _forward(outputs: Sequence[Node], columns: Sequence[Mapping[Node, Node]]) -> list[list[Node]]:
    """One sweep for several directions; a node's tangents are kept by direction, the zero ones not at all."""
    tangents: dict[Node, dict[int, Node]] = {}
    for i, seeds in enumerate(columns):
        for variable, rate in seeds.items():
            held = tangents.setdefault(variable, {})
            if not rate.is_zero:
                held[i] = rate
    for node in reachable(outputs):
        if node not in tangents:
            tangents[node] = _push(node, [tangents[x] for x in node.args])
    return [[tangents[y].get(i, y.graph.zero) for i in range(len(columns))] for y in outputs]


def _push(node: Node, operands: list[dict[int, Node]]) -> dict[int, Node]:
    rules = RULES[node.op] if node.args else None
    if rules is None:
        return {}
    result: dict[int, Node] = {}
    choice = _CHOICES.get(node.op)
    zero = node.graph.zero
    for i in sorted(set().union(*operands)):
        if choice:
            tangent = choice(node.args, [x.get(i, zero) for x in operands])
        else:
            tangent = zero
            for rule, held in zip(rules, operands):
                if i in held:
                    tangent = tangent + rule(node, node.args, held[i])
        if not tangent.is_zero:
            result[i] = tangent
    return result


def _reverse(rows: Sequence[Mapping[Node, Node]], symbols: Sequence[Node]) -> list[list[Node]]:
    """One sweep back for several outputs; a node's adjoints are kept by output, the zero ones not at all."""
    variables = set(symbols)
    adjoints: dict[Node, dict[int, Node]] = {}
    for i, seeds in enumerate(rows):
        for output, weight in seeds.items():
            adjoints.setdefault(output, {})[i] = weight
    nodes = reachable(adjoints)
    active: set[Node] = set()
    for node in nodes:
        if node in variables or any(x in active for x in node.args):
            active.add(node)
    for node in reversed(nodes):
        if node in active and node not in variables:
            _pull(node, adjoints, active)
    found = [adjoints.get(x, {}) for x in symbols]
    return [[held.get(i, x.graph.zero) for x, held in zip(symbols, found)] for i in range(len(rows))]


def _pull(node: Node, adjoints: dict[Node, dict[int, Node]], active: set[Node]) -> None:
    rules = RULES[node.op]
    held = adjoints.pop(node, None)
    if rules is None or not held:
        return
    for rule, operand in zip(rules, node.args):
        if operand not in active:
            continue
        there = adjoints.setdefault(operand, {})
        for i, adjoint in held.items():
            if not adjoint.is_zero:
                share = rule(node, node.args, adjoint)
                there[i] = there[i] + share if i in there else share
