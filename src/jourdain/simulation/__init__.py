"""Simulation: integrators compiled whole with the equations, runs and their checks."""

from .checks import Checks
from .event import Event, Occurrence
from .front import StateError, simulate
from .method import Method
from .methods import (
    RK4,
    Cvode,
    DormandPrince54,
    DormandPrince853,
    ImplicitMidpoint,
    Radau,
    SemiImplicitEuler,
    SymplecticMidpoint,
)
from .ode import Ode, ode
from .run import Run
from .status import Status
from .table import Table

__all__ = [
    "RK4", "Checks", "Cvode", "DormandPrince54", "DormandPrince853", "Event", "ImplicitMidpoint", "Method",
    "Occurrence", "Ode", "Radau", "Run", "SemiImplicitEuler", "StateError", "Status", "SymplecticMidpoint", "Table",
    "ode", "simulate",
]  # fmt: skip
