"""To SymPy and back: the graph's expressions as SymPy's with everything shared, SymPy's expressions as nodes.

    expressions = to_sympy(nodes, dynamic_symbols(nodes))
    replacements, reduced = to_sympy_steps(nodes)    # as sympy.cse gives them, with the graph's own Z1, Z2, ...
    nodes = from_sympy(expressions, graph, {q: graph.symbol("q", Role.COORDINATE), ...})

Both walk with a loop, and every expression is converted once however often it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, reduce
from math import e, inf, isinf, nan
from typing import Any

from .listing import listing
from .node import Graph, Node, equal, less, less_equal, not_equal, power, select, sqrt
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


def _sympy() -> Any:
    try:
        import sympy
    except ImportError:
        raise ImportError("expressions of SymPy need SymPy, which is not installed: pip install sympy") from None
    return sympy


# -- to SymPy --------------------------------------------------------------------------------------------------------


def plain_symbols(nodes: Iterable[Node]) -> dict[Node, Expression]:
    """For each symbol that the nodes depend on, SymPy's symbol of the same name."""
    sympy = _sympy()
    return {x: sympy.Symbol(x.name) for x in symbols_of(nodes)}


def dynamic_symbols(nodes: Iterable[Node]) -> dict[Node, Expression]:
    """The same for `sympy.physics.mechanics`: parameters are symbols, time is its t, all others functions of it."""
    sympy = _sympy()
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
    sympy = _sympy()
    lines = listing(nodes)
    names = {line.node: sympy.Symbol(line.name) for line in lines.once + lines.steps}
    expressions, steps = _converted(nodes, symbols or {}, evaluate, names)
    return [(name, steps[node]) for node, name in names.items()], expressions


def _converted(
    nodes: Sequence[Node], symbols: Mapping[Node, Expression], evaluate: bool, names: Mapping[Node, Expression]
) -> tuple[list[Expression], dict[Node, Expression]]:
    """The expressions, and what the names stand for."""
    sympy = _sympy()
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
            expression = _spelling()[node.op](make, node, [known[x] for x in node.args])
            _ = expression.is_commutative  # SymPy would ask all the way down, had it not been asked on the way up
            if node in names:
                steps[node] = expression
                expression = names[node]
            known[node] = expression
    return [known[node] for node in nodes], steps


def _number(value: float) -> Expression:
    """Whole numbers, halves and quarters as such, all others as floats; exact either way."""
    sympy = _sympy()
    if value != value:
        return sympy.nan
    if isinf(value):
        return sympy.oo if value > 0 else -sympy.oo
    if abs(value) < 2.0**53 and (4.0 * value).is_integer():
        return sympy.Rational(int(4.0 * value), 4)
    return sympy.Float(value)


def _evaluated(kind: Any, *args: Any) -> Expression:
    return kind(*args)


def _as_given(kind: Any, *args: Any) -> Expression:
    sympy = _sympy()
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
def _spelling() -> dict[Operation, Callable[[Make, Node, list[Expression]], Expression]]:
    """How each operation is made of SymPy's classes; a row for every row of the operation table."""
    s = _sympy()

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


# -- from SymPy ------------------------------------------------------------------------------------------------------

Read = Callable[[Graph, list[Node]], Node]
"""(graph, operands) -> node."""


def from_sympy(
    expressions: Iterable[Expression], graph: Graph, symbols: Mapping[Expression, Node | float]
) -> list[Node]:
    """SymPy's expressions, or the entries of its matrix row by row, as nodes of the graph.

    symbols: what stands for SymPy's symbols, functions of time and their derivatives.
    Raises ValueError naming what has no counterpart here.
    """
    sympy = _sympy()
    roots = [sympy.sympify(x, strict=True) for x in expressions]  # strict: text is not evaluated
    # By identity: SymPy's own hash and equality descend into an expression, and the graph shares what is equal anyway.
    known: dict[int, Node] = {}
    users: dict[int, int] = {}
    stack = [(x, False) for x in reversed(roots)]
    while stack:
        expression, ready = stack.pop()
        key = id(expression)
        if ready:
            known[key] = _made(graph, expression, known, users)
            continue
        users[key] = users.get(key, 0) + 1
        if users[key] == 1:
            leaf = _leaf(sympy, graph, expression, symbols)
            if leaf is None:
                stack.append((expression, True))
                stack += [(x, False) for x in reversed(_parts(expression))]
            else:
                known[key] = leaf
    return [known[id(x)] for x in roots]


def _parts(expression: Expression) -> list[Expression]:
    """The operands; those of a Piecewise are its values and conditions in turn."""
    if isinstance(expression, _sympy().Piecewise):
        return [x for pair in expression.args for x in pair.args]
    return list(expression.args)


@cache
def _symbolic() -> tuple[Any, ...]:
    """What stands for something else."""
    s = _sympy()
    from sympy.core.function import AppliedUndef
    from sympy.matrices.expressions.matexpr import MatrixElement

    return s.Symbol, AppliedUndef, s.Derivative, s.Indexed, MatrixElement


def _leaf(
    sympy: Any, graph: Graph, expression: Expression, symbols: Mapping[Expression, Node | float]
) -> Node | None:
    """The node of a symbol or number; None where there are operands to look at."""
    if isinstance(expression, _symbolic()):
        if expression not in symbols:
            raise ValueError(f"no node is given for {expression}; add it to `symbols`")
        return graph.node(symbols[expression])
    if expression is sympy.true or expression is sympy.false:
        return graph.constant(float(bool(expression)))
    if expression in (sympy.oo, -sympy.oo, sympy.nan):
        return graph.constant(float(expression))
    if isinstance(expression, (sympy.Rational, sympy.Float, sympy.NumberSymbol)):
        return graph.constant(_real(sympy, expression))
    return None


def _real(sympy: Any, number: Expression) -> float:
    try:  # a quotient of whole numbers is rounded once
        value = int(number.p) / int(number.q) if number.is_Rational else float(number)
    except OverflowError:
        value = inf
    if isinf(value):
        raise ValueError(f"{sympy.Float(number, 5)} is too large for a float of 64 bits")
    return value


def _made(
    graph: Graph, expression: Expression, known: Mapping[int, Node], users: Mapping[int, int]
) -> Node:
    operands = [known[id(x)] for x in _parts(expression)]
    if expression.is_Mul:
        # A reciprocal that nothing else uses is a division; one that others share is computed once.
        own = [
            y.op is DIV and y.args[0] is graph.one and users[id(x)] == 1 for x, y in zip(expression.args, operands)
        ]
        above = reduce(Node.__mul__, [y for y, below in zip(operands, own) if not below], graph.one)
        below = [y.args[1] for y, below in zip(operands, own) if below]
        return above / reduce(Node.__mul__, below) if below else above
    read = next((_reading()[kind] for kind in type(expression).__mro__ if kind in _reading()), None)
    if read is None:
        raise ValueError(_refusal(expression))
    return read(graph, operands)


def _refusal(expression: Expression) -> str:
    if not expression.args:
        return f"{expression} is no real number and no symbol"
    name = type(expression).__name__
    return f"{name} of SymPy has no counterpart here; rewrite it first, with .doit(), .rewrite(...) or .evalf()"


@cache
def _reading() -> dict[Any, Read]:
    """How each class of SymPy is read."""
    s = _sympy()

    def function(op: Operation) -> Read:
        return lambda graph, x: graph.apply(op, *x)

    def folded(op: Operation) -> Read:
        return lambda graph, x: reduce(lambda a, b: graph.apply(op, a, b), x)

    return {
        s.Add: folded(ADD),
        s.Pow: _power,
        s.exp: function(EXP),
        s.log: _logarithm,
        s.sin: function(SIN),
        s.cos: function(COS),
        s.tan: function(TAN),
        s.sec: lambda graph, x: 1.0 / graph.apply(COS, x[0]),
        s.csc: lambda graph, x: 1.0 / graph.apply(SIN, x[0]),
        s.cot: lambda graph, x: graph.apply(COS, x[0]) / graph.apply(SIN, x[0]),
        s.asin: function(ASIN),
        s.acos: function(ACOS),
        s.atan: lambda graph, x: graph.apply(ATAN2, x[0], 1.0),
        s.atan2: function(ATAN2),
        s.Abs: function(ABS),
        s.Min: folded(MIN),
        s.Max: folded(MAX),
        s.sign: function(SIGN),
        s.floor: function(FLOOR),
        s.ceiling: lambda graph, x: -graph.apply(FLOOR, -x[0]),
        s.Lt: function(LESS),
        s.Le: function(LESS_EQUAL),
        s.Gt: lambda graph, x: less(x[1], x[0]),
        s.Ge: lambda graph, x: less_equal(x[1], x[0]),
        s.Eq: lambda graph, x: equal(x[0], x[1]),
        s.Ne: lambda graph, x: not_equal(x[0], x[1]),
        s.And: folded(MIN),
        s.Or: folded(MAX),
        s.Not: lambda graph, x: 1.0 - x[0],
        s.Piecewise: _piecewise,
    }


def _power(graph: Graph, operands: list[Node]) -> Node:
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


def _logarithm(graph: Graph, operands: list[Node]) -> Node:
    """The natural one, or that to the base of a second operand."""
    logarithms = [graph.apply(LOG, x) for x in operands]
    return reduce(Node.__truediv__, logarithms)


def _piecewise(graph: Graph, operands: list[Node]) -> Node:
    """The first value whose condition holds; not a number where none does, as in SymPy."""
    result = graph.constant(nan)
    pairs = list(zip(operands[::2], operands[1::2]))
    for value, condition in reversed(pairs):
        if condition.op in _COMPARISONS and value is graph.one and result is graph.zero:
            result = condition  # is 1 or 0 itself
        else:
            result = select(condition, value, result)
    return result
