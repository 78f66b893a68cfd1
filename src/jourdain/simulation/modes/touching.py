"""What a contact can be at a time, and how it is told."""

from __future__ import annotations

OPEN, RESTS, STICKS, SLIPS = 0.0, 1.0, 2.0, 3.0  # RESTS: closed and without force; STICKS: carries, and does not slip
NO_SLIP = 1e-10  # [m/s]: a slip along one direction below this is none
SLOW = 1e-6  # [m/s]
"""A slip in a plane below this has the direction that it began with, or has come to its end: near zero its direction
may turn ever faster, and what is left of it ends within a microsecond."""
