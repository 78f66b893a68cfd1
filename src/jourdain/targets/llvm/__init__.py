"""LLVM IR, and machine code for the host."""

from .loop import BATCH, FUNCTION, LOOP, REPEAT, SETUP, SLOT
from .machine import Host, Library, assemble, host
from .module import Form, Source, symbols, write, write_batch

__all__ = [
    "BATCH", "FUNCTION", "LOOP", "REPEAT", "SETUP", "SLOT", "Form", "Host", "Library", "Source", "assemble", "host",
    "symbols", "write", "write_batch",
]  # fmt: skip
