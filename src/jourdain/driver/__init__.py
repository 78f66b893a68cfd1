"""The driver: from a System to compiled functions. Derive, improve, make a program, compile."""

from .compiled import Compiled, compile
from .counting import Alternative, alternatives, count

__all__ = ["Alternative", "Compiled", "alternatives", "compile", "count"]
