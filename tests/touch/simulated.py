"""A clock that goes on only when it is waited for, and stages in Python: the loop then does the same each time."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from jourdain.touch.clock import Clock
from jourdain.touch.stage import Stage

_GETTIME = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_int64))
_NANOSLEEP = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_int64), ctypes.c_void_p
)
_STAGE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
SECOND = 1_000_000_000
EINTR = 4


class Simulated:
    """now [ns]; late: by how much it oversleeps; answers: what the next waits answer before they succeed."""

    def __init__(self, now: int = 5 * SECOND, late: int = 0) -> None:
        self.now, self.late = now, late
        self.answers: list[int] = []
        self.deadlines: list[int] = []
        callbacks = _GETTIME(self._gettime), _NANOSLEEP(self._nanosleep)
        gettime, nanosleep = (ctypes.cast(x, ctypes.c_void_p).value or 0 for x in callbacks)
        self.clock = Clock(gettime, nanosleep, callbacks)

    def _gettime(self, which: int, spec: ctypes._Pointer[ctypes.c_int64]) -> int:
        assert which == 1
        spec[0], spec[1] = divmod(self.now, SECOND)
        return 0

    def _nanosleep(self, which: int, flags: int, spec: ctypes._Pointer[ctypes.c_int64], rest: int | None) -> int:
        assert (which, flags, rest) == (1, 1, None)
        if self.answers:
            return self.answers.pop(0)
        deadline = spec[0] * SECOND + spec[1]
        self.deadlines.append(deadline)
        self.now = max(self.now, deadline) + self.late
        return 0


def in_python(name: str, function: Callable[[], object], at_end: bool = False) -> Stage:
    """A stage that is a function of Python."""

    def call(a: int, b: int) -> None:
        function()

    callback = _STAGE(call)
    return Stage(name, (ctypes.cast(callback, ctypes.c_void_p).value or 0, 0, 0), at_end, callback)
