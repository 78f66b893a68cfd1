"""WebAssembly as LLVM's target: which of its instructions are used, and object files with the stack that they need."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

import llvmlite.binding as llvm

from ..llvm import Host
from ..llvm.machine import LOCK, improved

# In every browser since 2023: vectors of 128 bits, conversions that never trap, memory moved as a whole.
FEATURES = ("+bulk-memory", "+bulk-memory-opt", "+mutable-globals", "+nontrapping-fptoint", "+sign-ext", "+simd128")
# Portable arithmetic: WebAssembly fuses nothing.
MACHINE = Host("wasm32-unknown-unknown", "mvp", frozenset(FEATURES))
# What a body reads stays as it is while the body runs; said within its caller, it would be said of the whole run.
WITHIN_A_BODY = ", !invariant.load !1"
ROOM = re.compile(r"= alloca (\[(\d+) x i8\])?")
SMALL = 64  # bytes that a variable on the stack takes at most, or its place in line with others
SPARE = 1 << 14


@dataclass(frozen=True)
class Assembled:
    """An object file, and more bytes of stack than it can ever need."""

    code: bytes
    stack: int


@functools.cache
def _target_machine() -> llvm.TargetMachine:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    features = ",".join(sorted(MACHINE.features))
    return llvm.Target.from_triple(MACHINE.triple).create_target_machine(
        cpu=MACHINE.cpu, features=features, opt=2, reloc="static", codemodel="default"
    )


def assemble(ir: str) -> Assembled:
    """Code is improved before it becomes WebAssembly: what the browser makes of it is improved little.

    Nothing calls itself, so that every function's room on the stack is there once at most.
    """
    with LOCK:
        machine = _target_machine()
        module = improved(ir.replace(WITHIN_A_BODY, ""), machine)
        rooms = [int(found[2] or 0) + SMALL for found in ROOM.finditer(str(module))]
        code: bytes = machine.emit_object(module)
    return Assembled(code, sum(rooms))
