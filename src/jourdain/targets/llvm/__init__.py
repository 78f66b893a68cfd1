"""LLVM IR, and machine code for the host."""

from .asking import SLOT
from .loop import BATCH, FUNCTION, LOOP, REPEAT, SETUP
from .machine import WHOLE, Host, Library, assemble, host
from .module import Form, Source, symbols, write, write_batch
from .procedure import PROCEDURE, write_procedure

__all__ = [
    "BATCH", "FUNCTION", "LOOP", "PROCEDURE", "REPEAT", "SETUP", "SLOT", "WHOLE", "Form", "Host", "Library", "Source",
    "assemble", "host", "symbols", "write", "write_batch", "write_procedure",
]  # fmt: skip
