"""Radau IIA of order 5 for stiff systems: SciPy's, with our compiled equations and exact Jacobians."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from numpy.typing import ArrayLike

from ..method import Method


@dataclass(frozen=True)
class Radau(Method):
    """Adaptive, implicit, of order 5, stepped by SciPy: for stiff systems. rtol, atol: as of the explicit methods."""

    rtol: float = 1e-8
    atol: ArrayLike = field(default=1e-10)
    longest_step: float = float("inf")

    order: ClassVar[int] = 5
    is_adaptive: ClassVar[bool] = True
