"""LLVM IR, and machine code for the host."""

from .loop import FUNCTION, LOOP, REPEAT, SETUP
from .machine import Host, Library, assemble, host
from .module import Form, effort, symbols, write
from .procedure import PROCEDURE, write_procedure

__all__ = [
    "FUNCTION", "LOOP", "PROCEDURE", "REPEAT", "SETUP", "Form", "Host", "Library", "assemble", "effort", "host",
    "symbols", "write", "write_procedure",
]  # fmt: skip
