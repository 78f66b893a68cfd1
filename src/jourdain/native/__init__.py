"""Compiled functions as NumPy gufuncs, and the cache of machine code. LLVM is imported when code is first needed."""

from .cache import Cache, default_cache
from .function import Bound, Function, compile_program
from .routine import Routine, Session

__all__ = ["Bound", "Cache", "Function", "Routine", "Session", "compile_program", "default_cache"]
