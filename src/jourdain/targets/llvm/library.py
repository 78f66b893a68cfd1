"""Functions of the C library, called lane by lane; resolved by address when the code is loaded.

They go by names of our own, so that LLVM does not take them for the functions it knows and rewrite the calls.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Iterator, Sequence

from .code import Code, Kind, Module

PREFIX = "jourdain_"
MATHEMATICS = ("sin", "cos", "tan", "asin", "acos", "atan2", "exp", "log", "pow")
MEMORY = ("malloc", "free")
# What LLVM itself may call: for processors without the instruction, and for long copies.
IMPLICIT = ("floor", "floorf", "fma", "fmaf", "memcpy", "memset", "memmove")


def _libraries() -> Iterator[ctypes.CDLL]:
    """Where to look, what is at hand first: Python itself has been linked with the mathematics."""
    if sys.platform == "win32":
        yield ctypes.CDLL("ucrtbase")
        yield ctypes.CDLL("vcruntime140")
    else:
        yield ctypes.CDLL(None)
        from ctypes.util import find_library  # asks other programs, which takes a while

        yield ctypes.CDLL(find_library("m"))


@functools.cache
def addresses() -> dict[str, int]:
    """Symbol -> address, for all functions that generated code may call."""

    def find(name: str) -> int:
        for library in _libraries():
            try:
                address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
            except AttributeError:
                continue
            if address:
                return address
        raise OSError(f"the C library has no function {name!r}, which compiled code needs")

    ours = {PREFIX + name: find(name) for base in MATHEMATICS for name in (base, base + "f")}
    ours |= {PREFIX + name: find(name) for name in MEMORY}
    return ours | {name: find(name) for name in IMPLICIT}


def symbol(kind: Kind, name: str) -> str:
    """The C function's symbol in this precision."""
    return PREFIX + name + ("f" if kind.bits == 32 else "")


def call_scalar(code: Code, kind: Kind, name: str, args: Sequence[str]) -> str:
    """One call with plain numbers."""
    t, function = kind.number, symbol(kind, name)
    code.module.declare(f"{t} @{function}({', '.join([t] * len(args))})")
    return code.let(f"call {t} @{function}({', '.join(f'{t} {x}' for x in args)})")


def call_library(code: Code, kind: Kind, name: str, args: Sequence[str]) -> str:
    """The function of a value of any kind; lane by lane in a helper, to keep the caller short."""
    if kind.lanes == 1:
        return call_scalar(code, kind, name, args)

    def write(module: Module, helper: str) -> None:
        inner = Code(module)
        result = "poison"
        for lane in range(kind.lanes):
            numbers = [inner.let(f"extractelement {kind.type} %x{k}, i32 {lane}") for k in range(len(args))]
            number = call_scalar(inner, kind, name, numbers)
            result = inner.let(f"insertelement {kind.type} {result}, {kind.number} {number}, i32 {lane}")
        inner.do(f"ret {kind.type} {result}")
        inner.close(helper, ", ".join(f"{kind.type} %x{k}" for k in range(len(args))), kind.type)

    helper = code.module.require(f"{name}_{kind.suffix}", write)
    return code.let(f"call {kind.type} @{helper}({', '.join(f'{kind.type} {x}' for x in args)})")
