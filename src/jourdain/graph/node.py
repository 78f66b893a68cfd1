"""Unique, frozen scalars: an operation on the same operands is built once and never again.

A `Graph` is the table in which the nodes of one derivation live. Building through Python's operators applies the
rules that hold at birth: constants folded, zeros and ones gone, one canonical sign and order, parameter-only factors
and terms gathered so that they can be hoisted out of run-time code. x*0 is 0 and x - x is 0 here, also where x
could be infinite: mechanics has no use for those infinities, and without the rule nothing would vanish.
"""

from __future__ import annotations

import math
import struct
from typing import Final

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
    STATIC_MASK,
    SUB,
    SYMBOL,
    TAN,
    Operation,
    Role,
)

_DYNAMIC = ~STATIC_MASK

type_error = "an expression of the graph or a number is needed here, not {!r}"


class Node:
    """One scalar of a graph. Compare with `is`: equal expressions are the same object.

    id: order of birth, so operands always have smaller ids than the node itself.
    roles: bits of the roles (`Role`) of all symbols the node depends on.
    payload: a constant's value, a symbol's (name, role), None otherwise.
    """

    __slots__ = ("args", "graph", "id", "op", "payload", "roles")

    graph: Final[Graph]
    op: Final[Operation]
    args: Final[tuple[Node, ...]]
    id: Final[int]
    roles: Final[int]
    payload: Final[float | tuple[str, Role] | None]

    def __init__(
        self, graph: Graph, op: Operation, args: tuple[Node, ...], roles: int, payload: float | tuple[str, Role] | None
    ) -> None:
        self.graph = graph
        self.op = op
        self.args = args
        self.roles = roles
        self.payload = payload
        nodes = graph.nodes
        self.id = len(nodes)
        nodes.append(self)

    # Look-ups of expressions that exist already take only the `try` branch.
    def __add__(self, other: Node | float) -> Node:
        try:
            return self.graph._adds[self, other]
        except KeyError:
            return self.graph._add(self, other)
        except TypeError:  # not hashable: an array does this element by element
            return NotImplemented

    def __radd__(self, other: float) -> Node:
        return self + other

    def __sub__(self, other: Node | float) -> Node:
        try:
            return self.graph._subs[self, other]
        except KeyError:
            return self.graph._sub(self, other)
        except TypeError:  # not hashable: an array does this element by element
            return NotImplemented

    def __rsub__(self, other: float) -> Node:
        return self.graph.constant(other) - self

    def __mul__(self, other: Node | float) -> Node:
        try:
            return self.graph._muls[self, other]
        except KeyError:
            return self.graph._mul(self, other)
        except TypeError:  # not hashable: an array does this element by element
            return NotImplemented

    def __rmul__(self, other: float) -> Node:
        return self * other

    def __truediv__(self, other: Node | float) -> Node:
        try:
            return self.graph._divs[self, other]
        except KeyError:
            return self.graph._div(self, other)
        except TypeError:  # not hashable: an array does this element by element
            return NotImplemented

    def __rtruediv__(self, other: float) -> Node:
        return self.graph.constant(other) / self

    def __neg__(self) -> Node:
        try:
            return self.graph._negs[self]
        except KeyError:
            return self.graph._neg(self)

    def __pos__(self) -> Node:
        return self

    def __pow__(self, exponent: Node | float) -> Node:
        return power(self, exponent)

    def __rpow__(self, base: float) -> Node:
        return power(self.graph.constant(base), self)

    def __abs__(self) -> Node:
        return absolute(self)

    def __bool__(self) -> bool:
        raise TypeError("an expression has no truth value; compare with less(), equal(), select(), or `is`")

    def __float__(self) -> float:
        if self.op is CONSTANT:
            return self.value
        raise TypeError(
            f"{self!r} is an expression, not a number; functions of expressions are jourdain.sin, jourdain.sqrt, … (or "
            "NumPy's, not those of math), and numbers come from compiled functions, such as outputs"
        )

    def _unordered(self, other: object) -> bool:
        raise TypeError(
            f"{self!r} is an expression, which is neither less nor more than {other!r} until it is evaluated; inside a "
            "model write jourdain.select(jourdain.less(a, b), x, y), jourdain.minimum or jourdain.maximum"
        )

    __lt__ = __le__ = __gt__ = __ge__ = _unordered

    # NumPy's functions of an object, and of each object in an array, are its methods: np.sin(x) is sin(x).
    def sin(self) -> Node:
        return sin(self)

    def cos(self) -> Node:
        return cos(self)

    def tan(self) -> Node:
        return tan(self)

    def arcsin(self) -> Node:
        return asin(self)

    def arccos(self) -> Node:
        return acos(self)

    def arctan2(self, x: Node | float) -> Node:
        return atan2(self, x)

    def sqrt(self) -> Node:
        return sqrt(self)

    def exp(self) -> Node:
        return exp(self)

    def log(self) -> Node:
        return log(self)

    @property
    def value(self) -> float:
        """The number of a constant."""
        assert isinstance(self.payload, float), "only a constant has a value"
        return self.payload

    @property
    def name(self) -> str:
        """The name of a symbol."""
        assert isinstance(self.payload, tuple), "only a symbol has a name"
        return self.payload[0]

    @property
    def role(self) -> Role:
        """The role of a symbol."""
        assert isinstance(self.payload, tuple), "only a symbol has a role"
        return self.payload[1]

    @property
    def is_constant(self) -> bool:
        return self.op is CONSTANT

    @property
    def is_symbol(self) -> bool:
        return self.op is SYMBOL

    @property
    def is_zero(self) -> bool:
        return self is self.graph.zero

    @property
    def is_static(self) -> bool:
        """True where the node depends on parameters and constants alone."""
        return not self.roles & _DYNAMIC

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("nodes are not pickled; save the System, or write the expression as text")

    def __repr__(self) -> str:
        from .write import text

        return text(self)


class Graph:
    """The table of one derivation's nodes; order of birth is deterministic, so code comes out the same every time."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._constants: dict[bytes, Node] = {}
        self._symbols: dict[str, Node] = {}
        # One table an operation, keyed by operands as they were asked for: a second request costs one look-up.
        # Where a rule rewrote the request, the table holds what came of it.
        self._adds: dict[tuple[Node, Node | float], Node] = {}
        self._subs: dict[tuple[Node, Node | float], Node] = {}
        self._muls: dict[tuple[Node, Node | float], Node] = {}
        self._divs: dict[tuple[Node, Node | float], Node] = {}
        self._negs: dict[Node, Node] = {}
        self._others: dict[tuple[Operation, tuple[Node, ...]], Node] = {}
        self.zero = self.constant(0.0)
        self.one = self.constant(1.0)

    # -- leaves -------------------------------------------------------------------------------------------------

    def constant(self, value: float) -> Node:
        """The node of a number; 0.0 and -0.0 are both the zero of the graph, all NaNs one NaN."""
        try:
            number = value + 0.0  # not float(value): text is no number
        except (TypeError, OverflowError):
            raise TypeError(type_error.format(value)) from None
        if type(number) is not float:
            number = _as_float(number)
        if number == 0.0:
            number = 0.0  # a signed zero would keep products alive that vanish
        elif number != number:
            number = math.nan  # inf - inf has another bit pattern
        key = struct.pack("<d", number)
        node = self._constants.get(key)
        if node is None:
            node = self._constants[key] = Node(self, CONSTANT, (), 0, number)
        return node

    def symbol(self, name: str, role: Role) -> Node:
        """The symbol of this name; asking again gives the same one, with another role is an error."""
        node = self._symbols.get(name)
        if node is None:
            node = self._symbols[name] = Node(self, SYMBOL, (), role.bit, (name, role))
        elif node.role is not role:
            was, wanted = node.role.name.lower(), role.name.lower()
            raise ValueError(f"symbol {name!r} is already a {was}, it cannot be a {wanted} too")
        return node

    @property
    def symbols(self) -> tuple[Node, ...]:
        """All symbols, in order of birth."""
        return tuple(self._symbols.values())

    def __len__(self) -> int:
        return len(self.nodes)

    def node(self, value: Node | float) -> Node:
        """A node of this graph from a node or a number."""
        if isinstance(value, Node):
            if value.graph is not self:
                raise ValueError(f"{value!r} belongs to another graph; copy it here with `transfer`")
            return value
        return self.constant(value)

    # -- sums ---------------------------------------------------------------------------------------------------

    def _add(self, a: Node, b: Node | float) -> Node:
        if not isinstance(b, Node):
            self._adds[a, b] = result = a + self.constant(b)
            return result
        if b.graph is not self:
            raise ValueError(f"{b!r} belongs to another graph; copy it here with `transfer`")
        result = self._sum(a, b)
        self._adds[a, b] = self._adds[b, a] = result
        return result

    def _sum(self, a: Node, b: Node) -> Node:
        if a.op is CONSTANT:
            if b.op is CONSTANT:
                return self.constant(a.value + b.value)
            a, b = b, a
        if b.op is CONSTANT:
            if b is self.zero:
                return a
            if b.value < 0:
                return a - self.constant(-b.value)
        if b.op is NEG:
            if a.op is NEG:
                return -(a.args[0] + b.args[0])
            return a - b.args[0]
        if a.op is NEG:
            return b - a.args[0]
        if a is b:
            return self.constant(2.0) * a
        if a.op is MUL and b.op is MUL and a.args[0] is a.args[1] and b.args[0] is b.args[1]:
            s, c = a.args[0], b.args[0]
            if s.args == c.args and {s.op, c.op} == {SIN, COS}:
                return self.one
        # Static terms gather: (s + x) + t = (s + t) + x, never more work at run time, often less.
        if not (a.roles & _DYNAMIC and b.roles & _DYNAMIC):
            if not a.roles & _DYNAMIC:
                a, b = b, a
            if a.roles & _DYNAMIC and (a.op is ADD or a.op is SUB):
                x, y = a.args
                if not x.roles & _DYNAMIC:
                    return (x + b) + y if a.op is ADD else (x + b) - y
                if not y.roles & _DYNAMIC:
                    return x + (y + b) if a.op is ADD else x - (y - b)
        if a.id > b.id:
            a, b = b, a
        return Node(self, ADD, (a, b), a.roles | b.roles, None)

    def _sub(self, a: Node, b: Node | float) -> Node:
        if not isinstance(b, Node):
            self._subs[a, b] = result = a - self.constant(b)
            return result
        if b.graph is not self:
            raise ValueError(f"{b!r} belongs to another graph; copy it here with `transfer`")
        result = self._difference(a, b)
        self._subs[a, b] = result
        return result

    def _difference(self, a: Node, b: Node) -> Node:
        if a is b:
            return self.zero if a.op is not CONSTANT else self.constant(a.value - a.value)  # inf - inf is not 0
        if b.op is NEG:
            return a + b.args[0]
        if a.op is NEG:
            return -(a.args[0] + b)
        if b.op is CONSTANT:
            if a.op is CONSTANT:
                return self.constant(a.value - b.value)
            if b is self.zero:
                return a
            if b.value < 0:
                return a + self.constant(-b.value)
        elif a.op is CONSTANT:
            if a is self.zero:
                return -b
            if a.value < 0:
                return -(b + self.constant(-a.value))
        if not b.roles & _DYNAMIC:
            if a.roles & _DYNAMIC and (a.op is ADD or a.op is SUB):
                x, y = a.args
                if not x.roles & _DYNAMIC:
                    return (x - b) + y if a.op is ADD else (x - b) - y
                if not y.roles & _DYNAMIC:
                    return x + (y - b) if a.op is ADD else x - (y + b)
        elif not a.roles & _DYNAMIC and (b.op is ADD or b.op is SUB):
            x, y = b.args
            if not x.roles & _DYNAMIC:
                return (a - x) - y if b.op is ADD else (a - x) + y
            if not y.roles & _DYNAMIC:
                return (a - y) - x if b.op is ADD else (a + y) - x
        if a.id > b.id:  # a - b and b - a share one node
            return -(b - a)
        return Node(self, SUB, (a, b), a.roles | b.roles, None)

    def _neg(self, a: Node) -> Node:
        if a.op is NEG:
            result = a.args[0]
        elif a.op is CONSTANT:
            result = self.constant(-a.value)
        else:
            result = Node(self, NEG, (a,), a.roles, None)
        self._negs[a] = result
        return result

    # -- products -----------------------------------------------------------------------------------------------

    def _mul(self, a: Node, b: Node | float) -> Node:
        if not isinstance(b, Node):
            self._muls[a, b] = result = a * self.constant(b)
            return result
        if b.graph is not self:
            raise ValueError(f"{b!r} belongs to another graph; copy it here with `transfer`")
        result = self._product(a, b)
        self._muls[a, b] = self._muls[b, a] = result
        return result

    def _product(self, a: Node, b: Node) -> Node:
        if b.op is CONSTANT:
            a, b = b, a
        if a.op is CONSTANT:
            if b.op is CONSTANT:
                return self.constant(a.value * b.value)
            if a is self.zero or a is self.one:
                return a if a is self.zero else b
            if a.value < 0:
                return -(self.constant(-a.value) * b)
        if b.op is NEG:
            return a.args[0] * b.args[0] if a.op is NEG else -(a * b.args[0])
        if a.op is NEG:
            return -(a.args[0] * b)
        # Static factors gather: (s x) t = (s t) x, never more work at run time.
        if not (a.roles & _DYNAMIC and b.roles & _DYNAMIC):
            if not a.roles & _DYNAMIC:
                a, b = b, a
            if a.op is MUL:
                x, y = a.args
                if a.roles & _DYNAMIC:
                    if not x.roles & _DYNAMIC:
                        return (x * b) * y
                    if not y.roles & _DYNAMIC:
                        return (y * b) * x
                elif b.op is CONSTANT:
                    if x.op is CONSTANT:
                        return (x * b) * y
                    if y.op is CONSTANT:
                        return (y * b) * x
            elif b.op is CONSTANT and a.op is DIV and a.args[0].op is CONSTANT:
                return (a.args[0] * b) / a.args[1]
        if a.id > b.id:
            a, b = b, a
        return Node(self, MUL, (a, b), a.roles | b.roles, None)

    def _div(self, a: Node, b: Node | float) -> Node:
        if not isinstance(b, Node):
            self._divs[a, b] = result = a / self.constant(b)
            return result
        if b.graph is not self:
            raise ValueError(f"{b!r} belongs to another graph; copy it here with `transfer`")
        result = self._quotient(a, b)
        self._divs[a, b] = result
        return result

    def _quotient(self, a: Node, b: Node) -> Node:
        if b.op is CONSTANT:
            if a.op is CONSTANT:
                return self.constant(DIV.evaluate(a.value, b.value))
            if b is self.one:
                return a
            if b.value < 0:
                return -(a / self.constant(-b.value))
        elif a.op is CONSTANT:
            if a is self.zero:
                return a
            if a.value < 0:
                return -(self.constant(-a.value) / b)
        if a is b:
            return self.one
        if a.op is NEG:
            return a.args[0] / b.args[0] if b.op is NEG else -(a.args[0] / b)
        if b.op is NEG:
            return -(a / b.args[0])
        # A division by what is known beforehand is a multiplication at run time.
        if not b.roles & _DYNAMIC and (a.roles & _DYNAMIC or (b.op is CONSTANT and b is not self.zero)):
            inverse = self.one / b
            if inverse.op is not CONSTANT or math.isfinite(inverse.value):  # 1e-310 has no inverse
                return a * inverse
        return Node(self, DIV, (a, b), a.roles | b.roles, None)

    # -- everything else ----------------------------------------------------------------------------------------

    def apply(self, op: Operation, *args: Node | float) -> Node:
        """The node of any operation, with the rules that hold for it."""
        nodes = tuple([self.node(x) for x in args])
        if len(nodes) != op.arity:
            raise TypeError(f"{op.name} takes {op.arity} operands, {len(nodes)} given")
        return self.applied(op, nodes)

    def applied(self, op: Operation, nodes: tuple[Node, ...]) -> Node:
        """The same, of nodes that are known to be this graph's, as many as the operation takes."""
        if op is MUL:
            return nodes[0] * nodes[1]
        if op is ADD:
            return nodes[0] + nodes[1]
        if op is SUB:
            return nodes[0] - nodes[1]
        if op is NEG:
            return -nodes[0]
        if op is DIV:
            return nodes[0] / nodes[1]
        existing = self._others.get((op, nodes))
        if existing is None:
            existing = self._others[op, nodes] = self._other(op, nodes)
        return existing

    def _other(self, op: Operation, args: tuple[Node, ...]) -> Node:
        if not args:
            raise TypeError(f"a {op.name} is made by Graph.{op.name}(), not by an operation")
        if all(x.op is CONSTANT for x in args):
            return self.constant(op.evaluate(*(x.value for x in args)))
        a = args[0]
        if op in _COMMUTATIVE and a.id > args[1].id:
            return self.apply(op, args[1], a)
        if a.op is NEG and op in _ODD:
            return -self.apply(op, a.args[0])
        if a.op is NEG and op in _EVEN:
            return self.apply(op, a.args[0])
        if op is POW:
            rewritten = self._power(a, args[1])
            if rewritten is not None:
                return rewritten
        elif op is SELECT:
            if a.op is CONSTANT:
                return args[1] if a.value != 0 else args[2]
            if args[1] is args[2]:
                return args[1]
            # Whatever is not 0 counts as true, also NaN, so a comparison with 0 says nothing more.
            if (a.op is NOT_EQUAL or a.op is EQUAL) and self.zero in a.args:
                b, c = args[1:]
                while (a.op is NOT_EQUAL or a.op is EQUAL) and self.zero in a.args:
                    if a.op is EQUAL:
                        b, c = c, b
                    a = a.args[1] if a.args[0] is self.zero else a.args[0]
                return self.apply(SELECT, a, b, c)
        elif len(args) == 2 and a is args[1]:
            if op is MIN or op is MAX:
                return a
            if op is LESS or op is NOT_EQUAL:
                return self.zero
            if op is LESS_EQUAL or op is EQUAL:
                return self.one
        roles = 0
        for x in args:
            roles |= x.roles
        return Node(self, op, args, roles, None)

    def _power(self, base: Node, exponent: Node) -> Node | None:
        """A whole power up to 64 as products by repeated squaring, a half as a root; None keeps the general power."""
        if exponent.op is not CONSTANT:
            return None
        n = exponent.value
        if n == 0.5:
            return self.apply(SQRT, base)
        if n != int(n) if abs(n) <= 64 else True:
            return None
        count, result, square = abs(int(n)), self.one, base
        while count:
            if count & 1:
                result = result * square
            count >>= 1
            if count:
                square = square * square
        return result if n >= 0 else self.one / result


_ODD = frozenset({SIN, TAN, ASIN, SIGN})
_EVEN = frozenset({COS, ABS})
_COMMUTATIVE = frozenset({MIN, MAX, EQUAL, NOT_EQUAL})


def _as_float(number: object) -> float:
    """A NumPy scalar (or fraction, or array without axes) as a Python float."""
    try:
        return float(number)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise TypeError(type_error.format(number)) from None


def _graph_of(*args: Node | float) -> Graph | None:
    for x in args:
        if isinstance(x, Node):
            return x.graph
    return None


def _unary(op: Operation, a: Node) -> Node:
    if not isinstance(a, Node):
        raise TypeError(f"{op.name}() takes an expression, not {a!r}; for a number use Python's math")
    return a.graph.apply(op, a)


def sqrt(a: Node) -> Node:
    """The square root; NaN below zero."""
    return _unary(SQRT, a)


def sin(a: Node) -> Node:
    """The sine of an angle [rad]."""
    return _unary(SIN, a)


def cos(a: Node) -> Node:
    """The cosine of an angle [rad]."""
    return _unary(COS, a)


def tan(a: Node) -> Node:
    """The tangent of an angle [rad]."""
    return _unary(TAN, a)


def asin(a: Node) -> Node:
    """The angle [rad] from −π/2 to π/2 with this sine."""
    return _unary(ASIN, a)


def acos(a: Node) -> Node:
    """The angle [rad] from 0 to π with this cosine."""
    return _unary(ACOS, a)


def exp(a: Node) -> Node:
    """The exponential."""
    return _unary(EXP, a)


def log(a: Node) -> Node:
    """The natural logarithm."""
    return _unary(LOG, a)


def absolute(a: Node) -> Node:
    """The absolute value."""
    return _unary(ABS, a)


def sign(a: Node) -> Node:
    """−1, 0 or 1."""
    return _unary(SIGN, a)


def floor(a: Node) -> Node:
    """The largest whole number that is not above."""
    return _unary(FLOOR, a)


def _binary(op: Operation, a: Node | float, b: Node | float) -> Node:
    graph = _graph_of(a, b)
    if graph is None:
        raise TypeError(f"{op.name}() takes at least one expression; for two numbers use Python's own")
    return graph.apply(op, a, b)


def atan2(y: Node | float, x: Node | float) -> Node:
    """The angle [rad] from −π to π of the point (x, y)."""
    return _binary(ATAN2, y, x)


def power(a: Node | float, exponent: Node | float) -> Node:
    """a to a power; NaN for a negative a and a power that is not whole."""
    return _binary(POW, a, exponent)


def minimum(a: Node | float, b: Node | float) -> Node:
    """The smaller of two; NaN if either is."""
    return _binary(MIN, a, b)


def maximum(a: Node | float, b: Node | float) -> Node:
    """The larger of two; NaN if either is."""
    return _binary(MAX, a, b)


def less(a: Node | float, b: Node | float) -> Node:
    """1 where a < b, else 0."""
    return _binary(LESS, a, b)


def less_equal(a: Node | float, b: Node | float) -> Node:
    """1 where a <= b, else 0."""
    return _binary(LESS_EQUAL, a, b)


def equal(a: Node | float, b: Node | float) -> Node:
    """1 where a == b, else 0."""
    return _binary(EQUAL, a, b)


def not_equal(a: Node | float, b: Node | float) -> Node:
    """1 where a != b, else 0."""
    return _binary(NOT_EQUAL, a, b)


def select(condition: Node | float, a: Node | float, b: Node | float) -> Node:
    """a where the condition is not 0, else b; both sides are evaluated."""
    graph = _graph_of(condition, a, b)
    if graph is None:
        raise TypeError("select() takes at least one expression; for numbers use Python's own if")
    return graph.apply(SELECT, condition, a, b)
