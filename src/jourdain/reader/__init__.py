"""A mechanism's equations for reading: as text, as LaTeX, as a page."""

from .derive import EquationsOfMotion, derive

__all__ = ["EquationsOfMotion", "derive"]
