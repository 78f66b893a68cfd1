"""A mechanism's equations for reading: as text, as LaTeX, as a page."""

from .equations_of_motion import EquationsOfMotion, derive, shown

__all__ = ["EquationsOfMotion", "derive", "shown"]
