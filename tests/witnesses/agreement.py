"""How two answers are compared: to rounding, beside the size of the terms that were summed."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

ROUNDING = 1e-12


def agree(found: ArrayLike, wanted: ArrayLike, scale: float = 0.0, what: str = "") -> None:
    """Every entry to 1e-12 of the largest one, or of `scale` where larger terms were summed."""
    a, b = np.asarray(found, dtype=float), np.asarray(wanted, dtype=float)
    assert a.shape == b.shape, f"{what}: {a.shape} beside {b.shape}"
    size = max(float(np.abs(b).max(initial=0.0)), scale)
    error = float(np.abs(a - b).max(initial=0.0))
    assert error <= ROUNDING * size, f"{what}: off by {error:.2e} beside {size:.2e}"
