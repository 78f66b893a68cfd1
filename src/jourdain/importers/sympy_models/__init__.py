"""Models of `sympy.physics.mechanics` as a `System`."""

from .convert import from_sympy

__all__ = ["from_sympy"]
