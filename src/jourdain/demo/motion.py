"""The prescribed motion of Kane and Levinson's Figure 1 (127), and which of the arm's numbers the paper calls what."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DURATION = 10.0  # s
ORDER = ("q1", "q2", "q6", "q3", "q4", "q5")  # the tree's
PAPERS = tuple(ORDER.index(name) for name in ("q1", "q2", "q3", "q4", "q5", "q6"))  # places in ORDER of q1 … q6
EFFORTS = ("τ₁", "τ₂", "τ₃", "τ₄", "τ₅", "σ")
# τ2 … τ5 and σ are what the outer body exerts on the inner one (102, 108, 109), τ1 what the ground exerts on A (103).
SIGNS = np.array([1.0, -1.0, -1.0, -1.0, -1.0, -1.0])

START = np.array([0.0, np.pi / 2, 0.0, 0.0, 0.0, 0.0])  # in the tree's order: q2 starts at 90°
GOAL = np.array([np.pi / 3, np.pi / 3, 0.1, np.pi / 3, np.pi / 3, np.pi / 3])


def prescribed(t: Floats) -> tuple[Floats, Floats, Floats]:
    """q, its rate and its second rate (..., 6) in the tree's order, at the times t: from rest to rest (127)."""
    phase = 2.0 * np.pi * t[..., None] / DURATION
    pace = (GOAL - START) / DURATION
    q = START + pace * (t[..., None] - DURATION / (2.0 * np.pi) * np.sin(phase))
    return q, pace * (1.0 - np.cos(phase)), pace * 2.0 * np.pi / DURATION * np.sin(phase)


def papers_efforts(forces: NDArray[Any]) -> Floats:
    """τ1 … τ5 and σ (..., 6) from generalized forces in the tree's order."""
    efforts: Floats = np.asarray(forces)[..., PAPERS] * SIGNS
    return efforts
