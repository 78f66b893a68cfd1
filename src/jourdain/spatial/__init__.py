"""Vectors, rotations and inertias over graph scalars."""

from .inertia import Inertia
from .matrix import Matrix, cross_matrix
from .rotation import Given, Rotation, Turn
from .vector import Vector

__all__ = ["Given", "Inertia", "Matrix", "Rotation", "Turn", "Vector", "cross_matrix"]
