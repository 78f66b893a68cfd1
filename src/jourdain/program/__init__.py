"""Programs: inputs and outputs, hoisting, contraction, schedule, cutting; no mechanics."""

from .contract import Fused, contract
from .digest import digest
from .draft import Draft, Place
from .hoist import Split, hoist
from .kernel import Floats, Kernel, KernelError, kernel
from .perform import perform
from .pieces import PIECE, Piece, cut
from .procedure import Array, Part, Procedure
from .program import Block, Program, needed
from .schedule import Compute, Step, Trig, schedule

__all__ = [
    "PIECE", "Array", "Block", "Compute", "Draft", "Floats", "Fused", "Kernel", "KernelError", "Part", "Piece", "Place",
    "Procedure", "Program", "Split", "Step", "Trig", "contract", "cut", "digest", "hoist", "kernel", "needed",
    "perform", "schedule",
]
