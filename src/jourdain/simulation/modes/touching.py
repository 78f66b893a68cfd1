"""What a contact can be at a time, and how it is told."""

from __future__ import annotations

OPEN, RESTS, STICKS, SLIPS = 0.0, 1.0, 2.0, 3.0  # RESTS: closed and without force; STICKS: carries, and does not slip
SLOW = 1e-10  # [m/s] of a slip whose direction is the one it began with
