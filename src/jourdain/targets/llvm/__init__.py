"""LLVM IR, and machine code for the host."""

from .asking import SLOT
from .kernel import kernel_name
from .loop import BATCH, FUNCTION, LOOP, REPEAT, SETUP
from .machine import WHOLE, Host, Library, assemble, host
from .module import Form, Source, symbols, write, write_batch
from .procedure import PROCEDURE, kernels_of, write_kernels_of, write_procedure

__all__ = [
    "BATCH", "FUNCTION", "LOOP", "PROCEDURE", "REPEAT", "SETUP", "SLOT", "WHOLE", "Form", "Host", "Library", "Source",
    "assemble", "host", "kernel_name", "kernels_of", "symbols", "write", "write_batch", "write_kernels_of",
    "write_procedure",
]  # fmt: skip
