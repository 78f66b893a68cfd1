"""LLVM IR, and machine code for the host."""

from .loop import FUNCTION, LOOP, REPEAT, SETUP
from .machine import Host, Library, assemble, host
from .module import Form, effort, symbols, write

__all__ = [
    "FUNCTION", "LOOP", "REPEAT", "SETUP", "Form", "Host", "Library", "assemble", "effort", "host", "symbols", "write",
]  # fmt: skip
