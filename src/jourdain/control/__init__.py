"""What control engineers ask of a mechanism: linear models about any state."""

from .linearize import Linear, linearize

__all__ = ["Linear", "linearize"]
