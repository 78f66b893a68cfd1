"""LLVM IR, and machine code for the host."""

from .machine import Host, Library, assemble, host
from .module import FUNCTION, LOOP, REPEAT, SYMBOLS, write

__all__ = ["FUNCTION", "LOOP", "REPEAT", "SYMBOLS", "Host", "Library", "assemble", "host", "write"]
