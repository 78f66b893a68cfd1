"""Programs: inputs and outputs, hoisting, contraction, schedule, cutting; no mechanics."""

from .contract import Fused, contract
from .digest import digest
from .hoist import Split, hoist
from .pieces import PIECE, Piece, cut
from .program import Block, Program, needed
from .schedule import Compute, Step, Trig, schedule

__all__ = [
    "PIECE", "Block", "Compute", "Fused", "Piece", "Program", "Split", "Step", "Trig", "contract", "cut", "digest",
    "hoist", "needed", "schedule",
]
