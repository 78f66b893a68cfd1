"""A second reading of the schedule, number by number through the C library: native code must agree to the last bit.

Fused sums go through the C library's own fma, its elementary functions are the ones that native code calls, and sine,
cosine and tangent are compiled on their own. What is left to differ is everything that the code generator decides.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from jourdain.graph import Node, Operation
from jourdain.graph.operations import (
    ACOS,
    ASIN,
    ATAN2,
    CONSTANT,
    COS,
    EXP,
    LOG,
    MAX,
    MIN,
    POW,
    SIN,
    TAN,
)
from jourdain.program import Compute, Program, schedule

from .compiled import Floats, operation

LIBRARY: dict[Operation, str] = {ASIN: "asin", ACOS: "acos", ATAN2: "atan2", EXP: "exp", LOG: "log", POW: "pow"}
OURS = (SIN, COS, TAN)


@functools.cache
def c_function(name: str, arity: int, dtype: Any) -> Callable[..., Floats]:
    """A function of the C library on arrays."""
    number: Any = ctypes.c_double if dtype is np.float64 else ctypes.c_float
    found = getattr(ctypes.CDLL(ctypes.util.find_library("m")), name + ("" if dtype is np.float64 else "f"))
    found.restype, found.argtypes = number, [number] * arity

    def on_arrays(*args: Floats) -> Floats:
        return np.array([found(*(float(x) for x in row)) for row in zip(*args)], dtype)

    return on_arrays


@functools.cache
def ours(op: Operation, dtype: Any) -> Callable[[Floats], Floats]:
    function = operation(op, dtype)
    return lambda x: np.asarray(function(x[:, None]))[:, 0]


def apply(op: Operation, dtype: Any, args: list[Floats]) -> Floats:
    """One operation on vectors of members."""
    if op in LIBRARY:
        return c_function(LIBRARY[op], op.arity, dtype)(*args)
    if op in OURS:
        return ours(op, dtype)(*args)
    if op is MIN or op is MAX:  # the second one where they are equal, so that zeros have their signs
        a, b = args
        wins = a < b if op is MIN else a > b
        return np.where(wins | np.isnan(a), a, b)
    return np.asarray(op.vectorized(*args))


def witness(program: Program, given: Mapping[Node, Floats], dtype: Any) -> Floats:
    """(members, results)."""
    values = {node: np.asarray(x, dtype) for node, x in given.items()}
    members = len(next(iter(values.values())))

    def value(node: Node) -> Floats:
        if node not in values:
            assert node.op is CONSTANT
            return np.full(members, node.value, dtype)
        return values[node]

    with np.errstate(all="ignore"):
        for step in schedule(program):
            args = [value(x) for x in step.operands]
            if isinstance(step, Compute):
                f = step.fused
                if f is None:
                    values[step.node] = apply(step.node.op, dtype, args)
                else:
                    a, b, c = args
                    fma = c_function("fma", 3, dtype)
                    values[step.node] = fma(-a if f.negate_product else a, b, -c if f.negate_addend else c)
            else:
                for angle, sine, cosine in zip(args, step.sines, step.cosines):
                    for node, op in ((sine, SIN), (cosine, COS)):
                        if node is not None:
                            values[node] = apply(op, dtype, [angle])
    return np.stack([value(node) for node in program.results], axis=-1)
