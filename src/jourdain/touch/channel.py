"""Numbers handed from one thread to another without a lock: the last whole message, or the one before it.

One writes, others read. The writer never waits, and a reader never sees half a message; see `ticking`.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .ticking import HEADER, library

Floats = NDArray[np.float64]
WORD = 8  # bytes


class Channel:
    """size: how many numbers a message has. It begins with a message of zeros, number 0."""

    def __init__(self, size: int) -> None:
        if size < 1:
            raise ValueError(f"a channel for messages of {size} numbers; at least one is needed")
        self.size = size
        self._words = np.zeros(HEADER // WORD + 2 * size, dtype=np.int64)
        self._words[1] = size

    @property
    def address(self) -> int:
        """Where machine code finds it."""
        return int(self._words.ctypes.data)

    @property
    def number(self) -> int:
        """Of the last message."""
        return int(self._words[0])

    def write(self, message: ArrayLike) -> None:
        """message: (size,)"""
        numbers = np.ascontiguousarray(message, dtype=np.float64)
        if numbers.shape != (self.size,):
            raise ValueError(f"a message of shape {numbers.shape} for a channel of {self.size} numbers")
        _functions()[0](self.address, numbers.ctypes.data)

    def read(self) -> Floats:
        """The last message (size,)."""
        target = np.empty(self.size)
        while True:
            # A number that no message has, so that any message is news.
            found = _functions()[1](self.address, target.ctypes.data, -1)
            if found != -1:
                return target


@functools.cache
def _functions() -> tuple[Any, Any]:
    """`publish` and `collect`. They take well below a microsecond, so that Python's lock is kept."""
    code = library().addresses
    publish = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(code["publish"])
    collect = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)(code["collect"])
    return publish, collect
