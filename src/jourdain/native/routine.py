"""Compiled procedures: machine code that works on a caller's memory, so that a session can stop and go on."""

from __future__ import annotations

import ctypes
import functools
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..program import Floats, Procedure
from .cache import Cache, default_cache
from .foreign import Callback, Slots

if TYPE_CHECKING:
    from ..targets.llvm import Host
    from .build import Built

LINE = 64  # bytes: vectors are read from whole cache lines
_CALL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)  # other threads run meanwhile


class Routine:
    """A procedure; machine code is made, or read from the cache, on first use.

    machine: the processor as code is to use it: `host()` if left out, `host().portable` for the same digits everywhere.
    """

    def __init__(self, procedure: Procedure, cache: Cache | None = None, machine: Host | None = None) -> None:
        self.procedure = procedure
        self._cache, self._machine = cache or default_cache(), machine
        self._lock = threading.RLock()

    @functools.cached_property
    def fingerprint(self) -> str:
        """Of the machine code: where it is the same, the same memory gives the same bits."""
        from ..targets.llvm import host
        from .build import procedure_key

        return procedure_key(self.procedure, self._machine or host())

    @property
    def cached(self) -> bool:
        """Whether the machine code came from the disk."""
        return self.built.cached

    @property
    def compile_seconds(self) -> float:
        """Time it took to make or load the machine code."""
        return self.built.seconds

    @property
    def built(self) -> Built:
        """The machine code."""
        with self._lock:
            return self._build_once

    @functools.cached_property
    def _build_once(self) -> Built:
        from ..targets.llvm import host  # LLVM takes 0.1 s to import
        from .build import build_procedure

        return build_procedure(self.procedure, self._cache, self._machine or host())

    def session(self, given: Mapping[str, Floats]) -> Session:
        """Working memory of zeros, with these given arrays."""
        return Session(self, given)


class Session:
    """Working memory of one run of a routine.

    given: the caller's arrays by name, which the code reads and writes in place: C-contiguous, float64.
    """

    def __init__(self, routine: Routine, given: Mapping[str, Floats]) -> None:
        self.routine = routine
        procedure = routine.procedure
        self.given = {array.name: given[array.name] for array in procedure.given}
        for array in procedure.given:
            own = self.given[array.name]
            if own.dtype != np.float64 or not own.flags.c_contiguous or own.size < array.length:
                raise ValueError(f"{array.name!r} must be at least {array.length} numbers, in one piece, in float64")
        self._raw = np.zeros(procedure.size + LINE // 8)
        start = -self._raw.ctypes.data % LINE // 8
        self.memory = self._raw[start : start + procedure.size]
        self._cells = {name: k for k, name in enumerate(procedure.cells)}
        self._arrays = {array.name: self.memory[k : k + array.length] for array, k in procedure.offsets.items()}
        pointers = [x.ctypes.data for x in self.given.values()]
        self._pointers = (ctypes.c_void_p * max(1, len(pointers)))(*pointers)
        arrays = {array: self.array(array.name) for array in (*procedure.offsets, *procedure.given)}
        self._slots = Slots(procedure, arrays)
        self._address = routine.built.library.addresses["procedure"]
        self._code: Any = _CALL(self._address)

    @property
    def entry(self) -> tuple[int, int, int]:
        """The address of the code and the two pointers that it takes, for machine code that runs it; good as long as
        this session lives. What a connected function raises is not raised there, but leaves NaNs."""
        return self._address, self.memory.ctypes.data, ctypes.addressof(self._pointers)

    def run(self) -> None:
        """Once from the first statement to the last. What a connected function has raised is raised after that."""
        self._code(self.memory.ctypes.data, ctypes.addressof(self._pointers))
        self._slots.settle()

    def connect(self, array: str, place: int, function: Callback | int | None, keep: object = None) -> None:
        """Puts a function where a `foreign` statement looks for its address: a number of a given array.

        function: a Python function of (source, target), which fills the target; the address of a C function of two
        pointers; or None, to take it away. keep: what must live as long as the address is good. A Python function that
        raises an exception leaves NaNs, and is not called again in this run.
        """
        self._slots.fill(array, place, function, keep)

    def array(self, name: str) -> Floats:
        """An array of the working memory, or a given one: a view."""
        return self.given[name] if name in self.given else self._arrays[name]

    def has(self, cell: str) -> bool:
        """Whether there is such a cell."""
        return cell in self._cells

    def __getitem__(self, cell: str) -> float:
        return float(self.memory[self._cells[cell]])

    def __setitem__(self, cell: str, value: float) -> None:
        self.memory[self._cells[cell]] = value
