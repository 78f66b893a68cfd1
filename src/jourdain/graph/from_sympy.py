"""From SymPy: its expressions as nodes, each converted once however often it is used.

    nodes = from_sympy(expressions, graph, {q: graph.symbol("q", Role.COORDINATE), q.diff(): u, ...})
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, reduce
from math import e, inf, isinf, nan
from typing import Any

from .node import Graph, Node, equal, less, less_equal, not_equal, power, select, sqrt
from .operations import (
    ABS,
    ACOS,
    ASIN,
    ATAN2,
    COS,
    DIV,
    EXP,
    FLOOR,
    LESS,
    LESS_EQUAL,
    LOG,
    MAX,
    MIN,
    SELECT,
    SIGN,
    SIN,
    TAN,
    Operation,
)
from .to_sympy import Expression, sympy_itself
from .write import COMPARISONS

Read = Callable[[Graph, list[Node], list[bool]], Node]
"""(graph, operands, for each operand whether nothing else uses it) -> node."""


def from_sympy(
    expressions: Iterable[Expression], graph: Graph, symbols: Mapping[Expression, Node | float]
) -> list[Node]:
    """SymPy's expressions, or the entries of its matrix row by row, as nodes of the graph.

    symbols: what stands for SymPy's symbols, functions of time and their derivatives.
    Raises ValueError naming what has no counterpart here.
    """
    sympy = sympy_itself()
    roots = [sympy.sympify(x, strict=True) for x in expressions]  # strict: text is not evaluated
    # By identity: SymPy's own hash and equality descend into an expression, and the graph shares what is equal anyway.
    known: dict[int, Node] = {}
    users: dict[int, int] = {}
    made: list[tuple[int, Read, list[Expression]]] = []
    stack: list[tuple[Expression, Read | None, list[Expression]]] = [(x, None, []) for x in reversed(roots)]
    while stack:
        expression, read, parts = stack.pop()
        key = id(expression)
        if read is not None:  # its operands lie before it
            made.append((key, read, parts))
        elif key in users:
            users[key] += 1
        else:
            users[key] = 1
            leaf = _leaf(sympy, graph, expression, symbols)
            if leaf is not None:
                known[key] = leaf
                continue
            read, parts = _reader(expression), _parts(expression)
            stack.append((expression, read, parts))
            stack += [(x, None, []) for x in reversed(parts)]
    leaves = set(known)
    for key, read, parts in made:
        places = [id(x) for x in parts]
        single = [users[x] == 1 and x not in leaves for x in places]
        known[key] = read(graph, [known[x] for x in places], single)
    return [known[id(x)] for x in roots]


def _parts(expression: Expression) -> list[Expression]:
    """The operands; those of a Piecewise are its values and conditions in turn."""
    if getattr(expression, "is_Piecewise", False):
        return [x for pair in expression.args for x in pair.args]
    return list(expression.args)


@cache
def _symbolic() -> tuple[Any, ...]:
    """What stands for something else."""
    s = sympy_itself()
    from sympy.core.function import AppliedUndef
    from sympy.matrices.expressions.matexpr import MatrixElement

    return s.Symbol, AppliedUndef, s.Derivative, s.Indexed, MatrixElement


def _leaf(
    sympy: Any, graph: Graph, expression: Expression, symbols: Mapping[Expression, Node | float]
) -> Node | None:
    """The node of a symbol or number; None where there are operands to look at."""
    if isinstance(expression, _symbolic()):
        try:
            return graph.node(symbols[expression])
        except KeyError:
            raise ValueError(f"no node is given for {expression}; add it to `symbols`") from None
    if expression.args:
        return None
    if isinstance(expression, (sympy.Rational, sympy.Float, sympy.NumberSymbol)):
        return graph.constant(_real(sympy, expression))
    if expression is sympy.true or expression is sympy.false:
        return graph.constant(float(bool(expression)))
    if expression in (sympy.oo, -sympy.oo, sympy.nan):
        return graph.constant(float(expression))
    return None


def _real(sympy: Any, number: Expression) -> float:
    try:  # a quotient of whole numbers is rounded once
        value = int(number.p) / int(number.q) if number.is_Rational else float(number)
    except OverflowError:
        value = inf
    if isinf(value):
        raise ValueError(f"{sympy.Float(number, 5)} is too large for a float of 64 bits")
    return value


def _reader(expression: Expression) -> Read:
    table = _reading()
    for kind in type(expression).__mro__:
        if kind in table:
            return table[kind]
    if not expression.args:
        raise ValueError(f"{expression} is no real number and no symbol")
    name = type(expression).__name__
    raise ValueError(
        f"{name} of SymPy has no counterpart here; rewrite it first, with .doit(), .rewrite(...) or .evalf()"
    )


@cache
def _reading() -> dict[Any, Read]:
    """How each class of SymPy is read."""
    s = sympy_itself()

    def function(op: Operation) -> Read:
        return lambda graph, x, single: graph.apply(op, *x)

    def folded(op: Operation) -> Read:
        return lambda graph, x, single: reduce(lambda a, b: graph.apply(op, a, b), x)

    return {
        s.Add: lambda graph, x, single: reduce(Node.__add__, x),
        s.Mul: _product,
        s.Pow: _power,
        s.exp: function(EXP),
        s.log: _logarithm,
        s.sin: function(SIN),
        s.cos: function(COS),
        s.tan: function(TAN),
        s.sec: lambda graph, x, single: 1.0 / graph.apply(COS, x[0]),
        s.csc: lambda graph, x, single: 1.0 / graph.apply(SIN, x[0]),
        s.cot: lambda graph, x, single: graph.apply(COS, x[0]) / graph.apply(SIN, x[0]),
        s.asin: function(ASIN),
        s.acos: function(ACOS),
        s.atan: lambda graph, x, single: graph.apply(ATAN2, x[0], 1.0),
        s.atan2: function(ATAN2),
        s.Abs: function(ABS),
        s.Min: folded(MIN),
        s.Max: folded(MAX),
        s.sign: function(SIGN),
        s.floor: function(FLOOR),
        s.ceiling: lambda graph, x, single: -graph.apply(FLOOR, -x[0]),
        s.Lt: function(LESS),
        s.Le: function(LESS_EQUAL),
        s.Gt: lambda graph, x, single: less(x[1], x[0]),
        s.Ge: lambda graph, x, single: less_equal(x[1], x[0]),
        s.Eq: lambda graph, x, single: equal(x[0], x[1]),
        s.Ne: lambda graph, x, single: not_equal(x[0], x[1]),
        s.And: folded(MIN),
        s.Or: folded(MAX),
        s.Not: lambda graph, x, single: 1.0 - x[0],
        s.ITE: function(SELECT),
        s.Piecewise: _piecewise,
    }


def _product(graph: Graph, operands: list[Node], single: list[bool]) -> Node:
    """A reciprocal that nothing else uses is a division; one that others share is computed once."""
    above, below = graph.one, graph.one
    for factor, own in zip(operands, single):
        if own and factor.op is DIV and factor.args[0] is graph.one:
            below = below * factor.args[1]
        else:
            above = above * factor
    return above / below


def _power(graph: Graph, operands: list[Node], single: list[bool]) -> Node:
    """Roots and their whole powers by sqrt; e to a power as exp; all else as the graph has powers."""
    base, exponent = operands
    if base.is_constant and base.value == e:
        return graph.apply(EXP, exponent)
    if exponent.is_constant and abs(exponent.value) <= 64.0:
        halves = 2.0 * exponent.value
        if halves.is_integer() and halves % 2.0:
            whole = abs(halves) // 2.0
            raised = sqrt(base) if whole == 0.0 else power(base, whole) * sqrt(base)
            return raised if halves > 0.0 else 1.0 / raised
    return power(base, exponent)


def _logarithm(graph: Graph, operands: list[Node], single: list[bool]) -> Node:
    """The natural one, or that to the base of a second operand."""
    logarithms = [graph.apply(LOG, x) for x in operands]
    return reduce(Node.__truediv__, logarithms)


def _piecewise(graph: Graph, operands: list[Node], single: list[bool]) -> Node:
    """The first value whose condition holds; not a number where none does, as in SymPy."""
    result = graph.constant(nan)
    pairs = list(zip(operands[::2], operands[1::2]))
    for value, condition in reversed(pairs):
        if condition.op in COMPARISONS and value is graph.one and result is graph.zero:
            result = condition  # is 1 or 0 itself
        else:
            result = select(condition, value, result)
    return result
