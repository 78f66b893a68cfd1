"""A mechanism's equations for reading: as text, as LaTeX, as a page."""

from .equations_of_motion import EquationsOfMotion, derive, shown
from .kinematics import Kinematics, kinematics
from .speed_choices import SpeedChoices, compare_speeds
from .speed_relations import SpeedRelations, speed_relations

__all__ = [
    "EquationsOfMotion", "Kinematics", "SpeedChoices", "SpeedRelations", "compare_speeds", "derive", "kinematics",
    "shown", "speed_relations",
]  # fmt: skip
