"""Kernels: numerical algorithms with loops and decisions, written as plain functions of a small part of Python.

    @kernel
    def norm(x: Floats, n: int) -> float:
        total = 0.0
        for i in range(n):
            total += x[i] * x[i]
        return sqrt(total)

A kernel that is called is the Python function, on NumPy's arrays. In a procedure (`Draft.run`) a target prints it, and
the same numbers come out to the last bit.

Arrays are flat, of float64, and may overlap. Parameters are `Floats`, `int` or `float`; the result None, int or float.
There are assignments to variables and to `a[i]`, `for` over `range`, `while`, `if`, `break`, `continue`, `return`, and
calls of other kernels, which may be handed `a[start:]`; arithmetic, comparisons, `and`, `or`, `not`, `x if c else y`,
`abs`, `min`, `max`, `int`, `float`, and `sqrt` and `floor` of `math` or NumPy; numbers of the module by their names. A
variable is an int or a float or a truth, never by turns.

Python minds where machine code does not: an index must lie in its array and never count from the end, a whole number
in 64 bits. What is an exception in Python (1.0 / 0.0, math.sqrt of a negative number) is an infinity or a NaN there.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from .imperative import Code, Type

Floats = NDArray[np.float64]
_READING = threading.RLock()  # one thread at a time, so that circles are seen
P = ParamSpec("P")
R = TypeVar("R")


class KernelError(ValueError):
    """A kernel is written in more than the kernels' part of Python."""


class Kernel(Generic[P, R]):
    """A function, and on first use its code."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.function = function
        self.is_being_read = False
        update_wrapper(self, function)

    @property
    def name(self) -> str:
        """As it is written."""
        return self.function.__name__

    @cached_property
    def code(self) -> Code:
        """What targets print; read from the source on first use."""
        from .translate import translate  # Python's parser, and inspect, which take a while to import

        with _READING:
            self.is_being_read = True
            try:
                return translate(self.function)
            finally:
                self.is_being_read = False

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The Python function. Numbers are converted as they are for machine code."""
        code = self.code
        if kwargs or len(args) != len(code.parameters):
            raise TypeError(f"kernel {self.name!r} takes {len(code.parameters)} arguments by place")
        function: Any = self.function
        result = function(*(self._taken(x.type, x.name, arg) for x, arg in zip(code.parameters, args)))
        found: R = result if code.result is None else _number(code.result, result)
        return found

    def _taken(self, type_: Type, name: str, value: object) -> object:
        if type_ is not Type.FLOATS:
            return _number(type_, value)
        if not isinstance(value, np.ndarray) or value.dtype != np.float64 or value.ndim != 1:
            raise TypeError(f"kernel {self.name!r}: {name!r} must be a flat array of float64, not {value!r}")
        return value


def _number(type_: Type, value: Any) -> Any:
    return operator.index(value) if type_ is Type.INT else np.float64(value)


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """A function that procedures can run; see the module."""
    return Kernel(function)
