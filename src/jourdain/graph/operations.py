"""The operation table: every operation of the language, its arity, cost, derivative and NumPy meaning.

The interpreter, the counters, the derivative rules and every target's spelling are checked against this table,
so an operation is added here and nowhere else first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np


class Role(Enum):
    """What a symbol stands for; its bit marks, in every node, which roles the node depends on."""

    COORDINATE = 1
    SPEED = 2
    ACCELERATION = 4
    PARAMETER = 8
    INPUT = 16
    TIME = 32
    MULTIPLIER = 64
    FEATURE = 128

    @property
    def bit(self) -> int:
        return int(self.value)


# A node that depends on nothing outside this mask is static: computed once per set of parameters, not per call.
STATIC_MASK = Role.PARAMETER.bit


class Cost(Enum):
    """The bucket an operation is counted in; unary minus, leaves and copies are free."""

    FREE = "free"
    MUL = "mul"
    ADD = "add"
    DIV = "div"
    SQRT = "sqrt"
    TRIG = "trig"
    OTHER = "other"


@dataclass(frozen=True, eq=False)
class Operation:
    """One row of the table.

    evaluate: on Python floats, for folding constants; raises nothing, follows IEEE 754.
    vectorized: the same on NumPy arrays, for the interpreter.
    """

    name: str
    arity: int
    cost: Cost
    evaluate: Callable[..., float]
    vectorized: Callable[..., Any]

    def __repr__(self) -> str:
        return self.name


def _guarded(function: Callable[..., float], vectorized: Callable[..., Any]) -> Callable[..., float]:
    """A float function that answers NaN or infinity, as NumPy does, where Python's math raises."""

    def evaluate(*args: float) -> float:
        try:
            return function(*args)
        except (ValueError, OverflowError, ZeroDivisionError):
            with np.errstate(all="ignore"):
                return float(vectorized(*(np.float64(x) for x in args)))

    return evaluate


def _sign(x: float) -> float:
    return x if math.isnan(x) else float((x > 0) - (x < 0))


def _row(
    name: str, arity: int, cost: Cost, function: Callable[..., float], vectorized: Callable[..., Any]
) -> Operation:
    return Operation(name, arity, cost, _guarded(function, vectorized), vectorized)


def _flag(ufunc: Any) -> Callable[..., Any]:
    """A comparison as 1.0 or 0.0 in the precision of its operands."""

    def compare(a: Any, b: Any) -> Any:
        return np.where(ufunc(a, b), np.asarray(a).dtype.type(1), np.asarray(a).dtype.type(0))

    return compare


CONSTANT = Operation("constant", 0, Cost.FREE, lambda: math.nan, lambda: math.nan)
SYMBOL = Operation("symbol", 0, Cost.FREE, lambda: math.nan, lambda: math.nan)

NEG = _row("neg", 1, Cost.FREE, lambda a: -a, np.negative)
ADD = _row("add", 2, Cost.ADD, lambda a, b: a + b, np.add)
SUB = _row("sub", 2, Cost.ADD, lambda a, b: a - b, np.subtract)
MUL = _row("mul", 2, Cost.MUL, lambda a, b: a * b, np.multiply)
DIV = _row("div", 2, Cost.DIV, lambda a, b: a / b, np.divide)
SQRT = _row("sqrt", 1, Cost.SQRT, math.sqrt, np.sqrt)
SIN = _row("sin", 1, Cost.TRIG, math.sin, np.sin)
COS = _row("cos", 1, Cost.TRIG, math.cos, np.cos)
TAN = _row("tan", 1, Cost.OTHER, math.tan, np.tan)
ASIN = _row("asin", 1, Cost.OTHER, math.asin, np.arcsin)
ACOS = _row("acos", 1, Cost.OTHER, math.acos, np.arccos)
ATAN2 = _row("atan2", 2, Cost.OTHER, math.atan2, np.arctan2)
EXP = _row("exp", 1, Cost.OTHER, math.exp, np.exp)
LOG = _row("log", 1, Cost.OTHER, math.log, np.log)
POW = _row("pow", 2, Cost.OTHER, math.pow, np.power)
ABS = _row("abs", 1, Cost.OTHER, abs, np.abs)
# NaN in either operand gives NaN, as np.minimum; Python's min would depend on the order.
MIN = Operation("min", 2, Cost.OTHER, lambda a, b: float(np.minimum(a, b)), np.minimum)
MAX = Operation("max", 2, Cost.OTHER, lambda a, b: float(np.maximum(a, b)), np.maximum)
SIGN = _row("sign", 1, Cost.OTHER, _sign, np.sign)
# Python's floor makes a whole number, which has no -0.0.
FLOOR = Operation("floor", 1, Cost.OTHER, lambda a: float(np.floor(a)), np.floor)
LESS = _row("less", 2, Cost.OTHER, lambda a, b: float(a < b), _flag(np.less))
LESS_EQUAL = _row("less_equal", 2, Cost.OTHER, lambda a, b: float(a <= b), _flag(np.less_equal))
EQUAL = _row("equal", 2, Cost.OTHER, lambda a, b: float(a == b), _flag(np.equal))
NOT_EQUAL = _row("not_equal", 2, Cost.OTHER, lambda a, b: float(a != b), _flag(np.not_equal))
SELECT = _row("select", 3, Cost.OTHER, lambda c, a, b: a if c != 0 else b, lambda c, a, b: np.where(c != 0, a, b))

LEAVES = (CONSTANT, SYMBOL)
OPERATIONS: tuple[Operation, ...] = (
    NEG, ADD, SUB, MUL, DIV, SQRT, SIN, COS, TAN, ASIN, ACOS, ATAN2, EXP, LOG, POW, ABS, MIN, MAX, SIGN, FLOOR,
    LESS, LESS_EQUAL, EQUAL, NOT_EQUAL, SELECT,
)
BY_NAME: dict[str, Operation] = {operation.name: operation for operation in OPERATIONS}
