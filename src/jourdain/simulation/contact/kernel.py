"""How the numerics of contact are written: functions of flat arrays and numbers, in a part of Python that compiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_P = ParamSpec("_P")
_R = TypeVar("_R")


def kernel(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """A function of flat arrays and numbers, as plain Python."""
    return function
