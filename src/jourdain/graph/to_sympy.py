"""To SymPy: the graph's expressions as SymPy's, with everything shared, or in steps as `sympy.cse` gives them.

    expressions = to_sympy(nodes, dynamic_symbols(nodes))
    replacements, reduced = to_sympy_steps(nodes)

SymPy is imported here and in `from_sympy` alone, when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from math import isinf
from typing import Any

from .listing import listing
from .node import Node
from .operations import (
    ABS,
    ACOS,
    ADD,
    ASIN,
    ATAN2,
    CONSTANT,
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
    Role,
)
from .order import reachable, symbols_of

Expression = Any
"""An expression of SymPy, which has no types of its own."""
Make = Callable[..., Expression]
"""(class of SymPy, arguments) -> expression."""

_COMPARISONS = {LESS: "Lt", LESS_EQUAL: "Le", EQUAL: "Eq", NOT_EQUAL: "Ne"}


def sympy_itself() -> Any:
    """The package, or an ImportError that says what to install."""
    try:
        import sympy
    except ImportError:
        raise ImportError("expressions of SymPy need SymPy, which is not installed: pip install sympy") from None
    return sympy


def plain_symbols(nodes: Iterable[Node]) -> dict[Node, Expression]:
    """For each symbol that the nodes depend on, SymPy's symbol of the same name."""
    sympy = sympy_itself()
    return {x: sympy.Symbol(x.name) for x in symbols_of(nodes)}


def dynamic_symbols(nodes: Iterable[Node]) -> dict[Node, Expression]:
    """The same for `sympy.physics.mechanics`: parameters are symbols, time is its t, all others functions of it."""
    sympy = sympy_itself()
    from sympy.physics.vector import dynamicsymbols

    time = dynamicsymbols._t

    def of(symbol: Node) -> Expression:
        if symbol.role is Role.TIME:
            return time
        return sympy.Symbol(symbol.name) if symbol.role is Role.PARAMETER else sympy.Function(symbol.name)(time)

    return {x: of(x) for x in symbols_of(nodes)}


def to_sympy(
    nodes: Sequence[Node], symbols: Mapping[Node, Expression] | None = None, evaluate: bool = False
) -> list[Expression]:
    """The nodes as SymPy's expressions; a node that is used twice is one object.

    symbols: what stands for symbols (or for any nodes), as `plain_symbols` and `dynamic_symbols` give it; a symbol
    that it lacks becomes a plain one.
    evaluate: as in SymPy. False keeps every operation as it is in the graph, whatever its size; True lets SymPy
    rewrite each as it is made, which flattens sums and products, takes longer, and cannot go as deep.
    """
    return _converted(nodes, symbols or {}, evaluate, {})[0]


def to_sympy_steps(
    nodes: Sequence[Node], symbols: Mapping[Node, Expression] | None = None, evaluate: bool = False
) -> tuple[list[tuple[Expression, Expression]], list[Expression]]:
    """(replacements, expressions), as `sympy.cse` returns them: what `listing` names stands once, before its uses."""
    sympy = sympy_itself()
    lines = listing(nodes)
    names = {line.node: sympy.Symbol(line.name) for line in lines.once + lines.steps}
    expressions, steps = _converted(nodes, symbols or {}, evaluate, names)
    return [(name, steps[node]) for node, name in names.items()], expressions


def _converted(
    nodes: Sequence[Node], symbols: Mapping[Node, Expression], evaluate: bool, names: Mapping[Node, Expression]
) -> tuple[list[Expression], dict[Node, Expression]]:
    """The expressions, and what the names stand for."""
    sympy = sympy_itself()
    make = _evaluated if evaluate else _as_given
    known: dict[Node, Expression] = dict(symbols)
    steps: dict[Node, Expression] = {}
    for node in reachable(nodes):
        if node in known:
            continue
        if node.op is CONSTANT:
            known[node] = _number(node.value)
        elif node.is_symbol:
            known[node] = sympy.Symbol(node.name)
        else:
            expression = spelling()[node.op](make, node, [known[x] for x in node.args])
            _ = expression.is_commutative  # SymPy would ask all the way down, had it not been asked on the way up
            if node in names:
                steps[node] = expression
                expression = names[node]
            known[node] = expression
    return [known[node] for node in nodes], steps


def _number(value: float) -> Expression:
    """Whole numbers, halves and quarters as such, all others as floats; exact either way."""
    sympy = sympy_itself()
    if value != value:
        return sympy.nan
    if isinf(value):
        return sympy.oo if value > 0 else -sympy.oo
    if abs(value) < 2.0**53 and (4.0 * value).is_integer():
        return sympy.Rational(int(4.0 * value), 4)
    return sympy.Float(value)


def _evaluated(kind: Any, *args: Any) -> Expression:
    expression = kind(*args)
    if kind is sympy_itself().Piecewise and expression.has(sympy_itself().ITE):
        return expression.replace(sympy_itself().ITE, _as_alternatives)
    return expression


def _as_alternatives(condition: Expression, true: Expression, false: Expression) -> Expression:
    """A choice between conditions, which SymPy makes of nested ones and its NumPy printer cannot write."""
    s = sympy_itself()
    return s.Or(s.And(condition, true), s.And(s.Not(condition), false))


def _as_given(kind: Any, *args: Any) -> Expression:
    sympy = sympy_itself()
    if kind is sympy.Piecewise:
        # SymPy would search the conditions for what it could fold, over and over where they share parts.
        pairs = [sympy.Tuple.__new__(_pair(), *sympy.sympify(pair)) for pair in args]
        return sympy.Basic.__new__(kind, *pairs)
    if kind in (sympy.Min, sympy.Max):
        # SymPy would sort the operands by how many parts they have, which it counts without regard to sharing.
        expression = sympy.Basic.__new__(kind, *args)
        expression._argset = frozenset(args)
        return expression
    return kind(*args, evaluate=False)


@cache
def _pair() -> Any:
    from sympy.functions.elementary.piecewise import ExprCondPair

    return ExprCondPair


@cache
def spelling() -> dict[Operation, Callable[[Make, Node, list[Expression]], Expression]]:
    """How each operation is made of SymPy's classes; a row for every row of the operation table."""
    s = sympy_itself()

    def function(kind: Any) -> Callable[[Make, Node, list[Expression]], Expression]:
        return lambda make, node, x: make(kind, *x)

    def minus(make: Make, x: Expression) -> Expression:
        return make(s.Mul, s.S.NegativeOne, x)

    def quotient(make: Make, node: Node, x: list[Expression]) -> Expression:
        inverse = make(s.Pow, x[1], s.S.NegativeOne)
        return inverse if x[0] is s.S.One else make(s.Mul, x[0], inverse)

    def comparison(make: Make, op: Operation, x: list[Expression]) -> Expression:
        return make(getattr(s, _COMPARISONS[op]), *x)

    def flag(make: Make, node: Node, x: list[Expression]) -> Expression:
        return make(s.Piecewise, (s.S.One, comparison(make, node.op, x)), (s.S.Zero, s.true))

    def choice(make: Make, node: Node, x: list[Expression]) -> Expression:
        condition, flagged = x[0], node.args[0]
        if flagged.op in _COMPARISONS and isinstance(condition, s.Piecewise):  # the comparison itself, not its 1 or 0
            condition = condition.args[0].cond
        else:
            condition = make(s.Ne, condition, s.S.Zero)
        return make(s.Piecewise, (x[1], condition), (x[2], s.true))

    return {
        NEG: lambda make, node, x: minus(make, x[0]),
        ADD: function(s.Add),
        SUB: lambda make, node, x: make(s.Add, x[0], minus(make, x[1])),
        MUL: function(s.Mul),
        DIV: quotient,
        SQRT: lambda make, node, x: make(s.Pow, x[0], s.S.Half),
        SIN: function(s.sin),
        COS: function(s.cos),
        TAN: function(s.tan),
        ASIN: function(s.asin),
        ACOS: function(s.acos),
        ATAN2: function(s.atan2),
        EXP: function(s.exp),
        LOG: function(s.log),
        POW: function(s.Pow),
        ABS: function(s.Abs),
        MIN: function(s.Min),
        MAX: function(s.Max),
        SIGN: function(s.sign),
        FLOOR: function(s.floor),
        LESS: flag,
        LESS_EQUAL: flag,
        EQUAL: flag,
        NOT_EQUAL: flag,
        SELECT: choice,
    }
