"""Integrators, one a file: a tableau and a few declarations, or the few lines of a step."""

from .cvode import Cvode
from .dormand_prince54 import DormandPrince54
from .dormand_prince853 import DormandPrince853
from .implicit_midpoint import ImplicitMidpoint
from .radau import Radau
from .runge_kutta4 import RK4
from .semi_implicit_euler import SemiImplicitEuler
from .symplectic_midpoint import SymplecticMidpoint

METHODS = (
    SemiImplicitEuler, RK4, SymplecticMidpoint, ImplicitMidpoint, DormandPrince54, DormandPrince853, Radau, Cvode,
)  # fmt: skip
"""All of them."""

__all__ = [
    "METHODS", "RK4", "Cvode", "DormandPrince54", "DormandPrince853", "ImplicitMidpoint", "Radau",
    "SemiImplicitEuler", "SymplecticMidpoint",
]  # fmt: skip
