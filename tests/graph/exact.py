"""A second interpreter, in complex numbers of 60 digits: only a wrong formula can make a difference there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import mpmath

from jourdain.graph import Node, Operation, reachable
from jourdain.graph.operations import (
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
)

DIGITS = 60
STEP = mpmath.mpf(10) ** -25
"""A step along the imaginary axis, whose square vanishes among 60 digits beside what is compared."""


def _atan2(y: Any, x: Any) -> Any:
    """The angle at the real parts, continued to complex numbers beside them by its differential."""
    squares = y.real**2 + x.real**2
    return mpmath.mpc(mpmath.atan2(y.real, x.real), (x.real * y.imag - y.real * x.imag) / squares)


_MEANING: dict[Operation, Callable[..., Any]] = {
    NEG: lambda a: -a,
    ADD: lambda a, b: a + b,
    SUB: lambda a, b: a - b,
    MUL: lambda a, b: a * b,
    DIV: lambda a, b: a / b,
    SQRT: mpmath.sqrt,
    SIN: mpmath.sin,
    COS: mpmath.cos,
    TAN: mpmath.tan,
    ASIN: mpmath.asin,
    ACOS: mpmath.acos,
    ATAN2: _atan2,
    EXP: mpmath.exp,
    LOG: mpmath.log,
    POW: lambda a, b: mpmath.exp(b * mpmath.log(a)),
    # What has kinks and steps is decided by the real parts.
    ABS: lambda a: -a if a.real < 0 else a,
    MIN: lambda a, b: b if b.real < a.real else a,
    MAX: lambda a, b: b if b.real > a.real else a,
    SIGN: lambda a: mpmath.mpc(mpmath.sign(a.real)),
    FLOOR: lambda a: mpmath.mpc(mpmath.floor(a.real)),
    LESS: lambda a, b: mpmath.mpc(a.real < b.real),
    LESS_EQUAL: lambda a, b: mpmath.mpc(a.real <= b.real),
    EQUAL: lambda a, b: mpmath.mpc(a.real == b.real),
    NOT_EQUAL: lambda a, b: mpmath.mpc(a.real != b.real),
    SELECT: lambda c, a, b: a if c.real != 0 else b,
}
"""Each operation on complex numbers of many digits; a row for every row of the operation table."""


def exact(outputs: Sequence[Node], values: Mapping[Node, Any]) -> list[Any]:
    """The outputs as complex numbers of 60 digits."""
    with mpmath.workdps(DIGITS):
        known = {node: mpmath.mpc(value) for node, value in values.items()}
        for node in reachable(outputs):
            if node not in known:
                if node.op is CONSTANT:
                    known[node] = mpmath.mpc(node.value)
                else:
                    known[node] = _MEANING[node.op](*(known[x] for x in node.args))
        return [known[node] for node in outputs]


def exact_rates(outputs: Sequence[Node], values: Mapping[Node, float], direction: Mapping[Node, float]) -> list[Any]:
    """The outputs' derivatives along a direction, by a complex step."""
    with mpmath.workdps(DIGITS):
        moved = {x: mpmath.mpc(value, STEP * mpmath.mpf(direction.get(x, 0.0))) for x, value in values.items()}
        return [y.imag / STEP for y in exact(outputs, moved)]
