"""Which method, where none is named: explicit and of high order, unless a stiff motion would take it too many steps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STIFF = 1e6  # decay rate times duration: about as many explicit steps would only keep it from growing
OFFSET = 1e-6


def is_stiff(rates: Callable[[Floats], Floats], y: Floats, duration: float) -> bool:
    """Explicit steps, compiled, take a microsecond, SciPy's implicit ones a hundred: worth it if very stiff."""
    return fastest_decay(rates, y) * duration > STIFF


def fastest_decay(rates: Callable[[Floats], Floats], y: Floats) -> float:
    """The rate [1/s] at which the fastest disturbance of y dies, from differences of its rates."""
    step = np.diag(OFFSET * np.maximum(np.abs(y), 1.0))
    slopes = np.array([(rates(y + dy) - rates(y - dy)) / (2.0 * dy[k]) for k, dy in enumerate(step)]).T
    if not np.isfinite(slopes).all():
        return 0.0
    return float(-np.linalg.eigvals(slopes).real.min())
