"""A mechanism's equations for reading: as text, as LaTeX, as a page."""

from .equations_of_motion import EquationsOfMotion, derive
from .kinematics import Kinematics, kinematics

__all__ = ["EquationsOfMotion", "Kinematics", "derive", "kinematics"]
