"""SUNDIALS' CVODE for stiff systems, through scikit-sundae, with our compiled equations and exact Jacobians."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from numpy.typing import ArrayLike

from ..method import Method


@dataclass(frozen=True)
class Cvode(Method):
    """Adaptive, implicit, backward differences of orders 1 to 5, stepped by SUNDIALS: for stiff systems that are large
    or run long. rtol, atol: as of the explicit methods. Needs scikit-sundae, `pip install jourdain[sundials]`."""

    rtol: float = 1e-8
    atol: ArrayLike = field(default=1e-10)
    longest_step: float = float("inf")

    order: ClassVar[int] = 5
    is_adaptive: ClassVar[bool] = True
