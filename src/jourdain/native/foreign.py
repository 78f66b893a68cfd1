"""Functions of elsewhere that compiled procedures call: Python's, and machine code that is known by its address.

Code finds an address in a slot, a number of a given array whose bits it is; 0 is none. A slot can be filled while code
runs: it is looked at anew at each call.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..program import Array, Floats, Part, Procedure
from ..program.procedure import Foreign

Callback = Callable[[Floats, Floats], None]
"""(source, target): reads the one, fills the other."""
_POINTERS = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


class Slots:
    """What is in the slots of one session. arrays: all arrays that its code works on."""

    def __init__(self, procedure: Procedure, arrays: Mapping[Array, Floats]) -> None:
        self._arrays = arrays
        self._calls: dict[tuple[str, int], list[Foreign]] = {}
        for x in procedure.statements:
            if isinstance(x, Foreign):
                self._calls.setdefault((x.slot.array.name, x.slot.start), []).append(x)
        self._kept: list[object] = []
        self._raised: BaseException | None = None

    def fill(self, array: str, place: int, function: Callback | int | None, keep: object) -> None:
        """Fills a slot with a Python function, an address, or nothing."""
        calls = self._calls.get((array, place))
        if calls is None:
            known = ", ".join(f"{name!r}, {k}" for name, k in self._calls) or "none"
            raise ValueError(f"no statement looks for a function at {array!r}, {place}; known places: {known}")
        if callable(function):
            keep = callback = self._callback(function, calls)
            address = ctypes.cast(callback, ctypes.c_void_p).value or 0
        else:
            address = function or 0
        # What was there before is kept: code may just be calling it.
        self._kept.append(keep)
        bits = self._arrays[calls[0].slot.array].reshape(-1).view(np.int64)
        bits[place] = address
        if address:
            weakref.finalize(self, _empty, bits, place, address).atexit = False

    def settle(self) -> None:
        """Raises what a function has raised."""
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised

    def _callback(self, function: Callback, calls: list[Foreign]) -> Any:
        """The C function. It does not own the slots, so that these can go."""
        views = {}
        for x in calls:
            source, target = self._view(x.source), self._view(x.target)
            key = source.ctypes.data, target.ctypes.data
            source.flags.writeable = False
            views[key] = source, target
        slots = weakref.ref(self)

        def call(source: int, target: int) -> None:
            own = slots()
            reads, fills = views[source, target]
            if own is None or own._raised is not None:
                fills[:] = np.nan
                return
            try:
                function(reads, fills)
            except BaseException as raised:  # an exception cannot pass through machine code
                own._raised = raised
                fills[:] = np.nan

        return _POINTERS(call)

    def _view(self, part: Part) -> Floats:
        found: Floats = self._arrays[part.array].reshape(-1)[part.start : part.start + part.length]
        return found


def _empty(bits: NDArray[np.int64], place: int, address: int) -> None:
    """A session's functions go with it."""
    if bits[place] == address:
        bits[place] = 0
