"""Which method, where none is named: explicit and of high order, unless a stiff motion would take it too many steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .method import Method
from .methods.dormand_prince853 import DormandPrince853
from .methods.radau import Radau
from .ode import Ode

Floats = NDArray[np.float64]
STIFF = 1e6  # decay rate times duration: about as many explicit steps would only keep it from growing
OFFSET = 1e-6


def pick(ode: Ode, y: Floats, start: float, final: float) -> Method:
    """Explicit steps, compiled, take a microsecond, SciPy's implicit ones a hundred: it pays for very stiff motion."""
    if fastest_decay(ode, y, start) * (final - start) > STIFF:
        return Radau()
    return DormandPrince853()


def fastest_decay(ode: Ode, y: Floats, t: float) -> float:
    """The rate [1/s] at which the fastest disturbance of the start dies, from differences of the rates."""
    n = y.size
    if n == 0:
        return 0.0
    step = OFFSET * np.maximum(np.abs(y), 1.0)
    states = np.concatenate([y + np.diag(step), y - np.diag(step)])
    rates = np.array([ode(t, x) for x in states]) if ode.drives.functions else ode(t, states)
    slopes = ((rates[:n] - rates[n:]) / (2.0 * step)[:, None]).T
    if not np.isfinite(slopes).all():
        return 0.0
    return float(-np.linalg.eigvals(slopes).real.min())
