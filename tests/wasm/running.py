"""WebAssembly run by wasmtime, and the same procedure as machine code in portable arithmetic: all memory is compared.

Functions that a page takes from JavaScript's `Math` are the C library's here, as they are native code's.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import wasmtime
from numpy.typing import NDArray

from jourdain.native import Cache, Routine, Session
from jourdain.program import Procedure
from jourdain.targets.llvm import host
from jourdain.targets.wasm import Wasm, write_wasm

Floats = NDArray[np.float64]
NOWHERE = Cache(None)
ENGINE = wasmtime.Engine()
ALIGN = 64
MATHEMATICS = ctypes.CDLL(ctypes.util.find_library("m"))


def portable(procedure: Procedure, cache: Cache = NOWHERE) -> Routine:
    """Native code whose digits are WebAssembly's."""
    return Routine(procedure, cache, host().portable)


class Page:
    """What `runtime.js` does: one procedure's working memory and given arrays, in the module's memory."""

    def __init__(self, wasm: Wasm, name: str, given: Mapping[str, Floats]) -> None:
        layout = wasm.layout
        self.own = layout["procedures"][name]
        sizes = [self.own["size"], *(max(x.size, 1) for x in given.values()), 2 * len(given) + 2]
        store = self.store = wasmtime.Store(ENGINE)
        pages = layout["pages"] + (8 * sum(sizes) + ALIGN * (len(sizes) + 2) >> 16) + 1
        self.memory = wasmtime.Memory(store, wasmtime.MemoryType(wasmtime.Limits(pages, None)))
        module = wasmtime.Module(ENGINE, wasm.code)
        self.imports = [(x.module, x.name) for x in module.imports]
        imports = [self.memory if x.name == "memory" else self._function(x) for x in module.imports]
        self.exports = wasmtime.Instance(store, module, imports).exports(store)
        self._free: int = layout["free"]
        self._base = self._room(self.own["size"])
        self._sizes = {x: y.size for x, y in given.items()}
        self.given = {x: self._room(max(y.size, 1)) for x, y in given.items()}
        self._pointers = self._room(len(given) + 1)
        for k, (key, _) in enumerate(self.own["given"]):
            self._whole()[self._pointers // 4 + 2 * k] = self.given[key]
        for key, x in given.items():
            self.numbers(self.given[key], x.size)[:] = x.reshape(-1)
        self._entry = self.exports[name]

    def _function(self, x: Any) -> Any:
        function = getattr(MATHEMATICS, x.name)
        function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double] * len(x.type.params)
        return wasmtime.Func(self.store, x.type, function)

    def _room(self, count: int) -> int:
        place = -(-self._free // ALIGN) * ALIGN
        self._free = place + 8 * count
        return place

    def _bytes(self) -> Any:
        size = self.memory.data_len(self.store)
        return ctypes.cast(self.memory.data_ptr(self.store), ctypes.POINTER(ctypes.c_ubyte * size)).contents

    def _whole(self) -> NDArray[np.uint32]:
        return np.frombuffer(self._bytes(), np.uint32)

    def numbers(self, place: int, count: int) -> Floats:
        """A view of the module's memory."""
        return np.frombuffer(self._bytes(), np.float64, count, place)

    @property
    def working(self) -> Floats:
        """The procedure's working memory."""
        return self.numbers(self._base, self.own["size"])

    def array(self, name: str) -> Floats:
        """An array of it, or a given one, as it is now."""
        if name in self.own["arrays"]:
            start, length = self.own["arrays"][name]
            return self.working[start : start + length]
        return self.numbers(self.given[name], self._sizes[name])

    def __setitem__(self, cell: str, value: float) -> None:
        self.working[self.own["cells"][cell]] = value

    def __getitem__(self, cell: str) -> float:
        return float(self.working[self.own["cells"][cell]])

    def connect(self, array: str, place: int, function: Callable[[Floats, Floats], None]) -> None:
        """A function where a slot is looked at."""
        (sizes,) = [x[2:] for x in self.own["calls"] if x[:2] == [array, place]]

        def call(source: int, target: int) -> None:
            function(self.numbers(source, sizes[0]), self.numbers(target, sizes[1]))

        kind = wasmtime.FuncType([wasmtime.ValType.i32(), wasmtime.ValType.i32()], [])
        table: Any = self.exports["functions"]
        at = table.grow(self.store, 1, wasmtime.Func(self.store, kind, call))
        self.numbers(self.given[array], place + 1).view(np.int64)[place] = at

    def run(self) -> None:
        """Once."""
        entry: Any = self._entry
        entry(self.store, self._base, self._pointers)


Prepare = Callable[[Any], None]


def beside(
    procedure: Procedure, given: Mapping[str, Floats], prepare: Prepare = lambda _: None, runs: int = 1
) -> tuple[Session, Page]:
    """Both, run; equal to the last bit of working memory and given arrays (all NaNs are one)."""
    native = portable(procedure).session({key: x.copy() for key, x in given.items()})
    page = Page(write_wasm({"run": procedure}), "run", {x.name: given[x.name] for x in procedure.given})
    prepare(native)
    prepare(page)
    for _ in range(runs):
        native.run()
        page.run()
    assert_same_memory(native, page)
    for key, x in native.given.items():
        assert_same(page.numbers(page.given[key], x.size), x.reshape(-1))
    return native, page


def assert_same_memory(native: Session, page: Page) -> None:
    """To the last bit: cells and arrays; not what is written past an array's end, a vector at a time."""
    assert len(page.working) == len(native.memory)
    for name in native.routine.procedure.cells:
        assert_same(np.array([page[name]]), np.array([native[name]]))
    for array in native.routine.procedure.arrays:
        assert_same(page.array(array.name), native.array(array.name))


def assert_same(found: Floats, expected: Floats) -> None:
    """Bit patterns; all NaNs are one."""
    a, b = (np.where(np.isnan(x), np.nan, x).view(np.uint64) for x in (found, expected))
    different = np.flatnonzero(a != b)
    assert not different.size, (different[:5], found[different[:5]], expected[different[:5]])
