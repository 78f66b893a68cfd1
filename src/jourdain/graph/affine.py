"""Expressions at one state, in plain numbers: a fraction of a millisecond, where there is no code yet to be called.

Some symbols may stay unknown, where the expressions are affine in them: a value then is what the expression is where
they are zero, and its slopes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .node import Node
from .operations import ADD, CONSTANT, DIV, MUL, NEG, SELECT, SUB, SYMBOL, Operation
from .order import reachable

Floats = NDArray[np.float64]
Value = float | Floats
"""A number; of what depends on unknown symbols an array, its value without them and its slopes."""


class NotAffine(ValueError):
    """An expression is bent in the symbols that stay unknown."""


def affine(outputs: Sequence[Node], values: Mapping[Node, float], unknown: Sequence[Node] = ()) -> Floats:
    """Of each output its value where the unknown symbols are zero, then its slopes (outputs, 1 + unknown).

    values: of all other symbols. Raises NotAffine where the outputs are not affine, ValueError where a value is
    missing. What is divided by zero is not finite, as in compiled code.
    """
    known: dict[Node, Value] = {x: float(value) for x, value in values.items()}
    units = np.eye(len(unknown) + 1)
    known.update(zip(unknown, units[1:]))
    roles = 0  # whose roles a node has not, does not depend on an unknown symbol
    for symbol in unknown:
        roles |= symbol.roles
    with np.errstate(all="ignore"):
        for node in reachable(outputs, known):
            if node in known:
                continue
            op = node.op
            if node.roles & roles and node.args:
                known[node] = _value(op, [known[x] for x in node.args])
            elif op is MUL:
                a, b = node.args
                known[node] = known[a] * known[b]
            elif op is ADD:
                a, b = node.args
                known[node] = known[a] + known[b]
            elif op is SUB:
                a, b = node.args
                known[node] = known[a] - known[b]
            elif op is CONSTANT:
                known[node] = node.value
            elif op is SYMBOL:
                raise ValueError(f"no value for {node.name}")
            else:
                known[node] = op.evaluate(*[known[x] for x in node.args])
    found = np.zeros((len(outputs), len(units)))
    for row, node in zip(found, outputs):
        value = known[node]
        if isinstance(value, float):
            row[0] = value
        else:
            row[:] = value
    return found


def _value(op: Operation, values: list[Value]) -> Value:
    """Of an operation some of whose operands may have slopes."""
    if op is MUL or op is DIV:
        a, b = values
        if isinstance(b, float):
            if op is MUL:
                return a * b
            return op.evaluate(a, b) if isinstance(a, float) else a / np.float64(b)
        if isinstance(a, float) and op is MUL:
            return a * b
    elif op is ADD or op is SUB:
        a, b = values
        if isinstance(a, float) is isinstance(b, float):
            return a + b if op is ADD else a - b
        if isinstance(b, float):
            return _moved(a, b if op is ADD else -b)
        return _moved(b if op is ADD else -b, a)
    elif op is NEG:
        return -values[0]
    elif op is SELECT and isinstance(values[0], float):
        return values[1] if values[0] != 0.0 else values[2]
    elif all(isinstance(x, float) for x in values):
        return op.evaluate(*values)
    raise NotAffine(f"{op.name} of symbols that stay unknown")


def _moved(value: Value, by: Value) -> Floats:
    """An array with a number added to what it is without slopes."""
    found: Floats = np.array(value)
    found[0] += by
    return found
