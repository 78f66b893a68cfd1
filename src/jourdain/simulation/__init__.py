"""Simulation: integrators compiled whole with the equations, runs and their checks."""

from .called import FunctionError
from .change import Change
from .checks import Checks
from .event import Event, Occurrence
from .front import simulate
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
from .motion import ModeSpan
from .ode import Ode, ode
from .read_run import RunFileError
from .resuming import CheckpointError, resume
from .run import Run
from .saved_run import SavedRun, load_run
from .start import StateError
from .status import Status
from .table import Table

__all__ = [
    "RK4", "Change", "CheckpointError", "Checks", "Cvode", "DormandPrince54", "DormandPrince853", "Event",
    "FunctionError", "ImplicitMidpoint", "Method", "ModeSpan", "Occurrence", "Ode", "Radau", "Run", "RunFileError",
    "SavedRun", "SemiImplicitEuler", "StateError", "Status", "SymplecticMidpoint", "Table", "load_run", "ode", "resume",
    "simulate",
]  # fmt: skip
