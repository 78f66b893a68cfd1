"""The numerical rank of a system's regressor over many states: how many parameters its motion can tell apart."""

from __future__ import annotations

import numpy as np

from jourdain.equations.mechanics import Mechanics
from jourdain.equations.regroup import NAMES
from jourdain.graph import Node, interpret
from jourdain.model.system import System

from .systems import Array, random_state, values_in


def stacked_regressor(system: System, seed: int = 0) -> Array:
    """Rows of the regressor (many, 10 · bodies) in more states than it has columns, of the largest entry 1."""
    mechanics = Mechanics(system)
    rows = mechanics.regressor()
    width = 10 * len(system.bodies)
    rng = np.random.default_rng(seed)
    states = [values_in(mechanics, random_state(system, rng)) for _ in range(width + 10)]
    values: dict[Node, Array] = {symbol: np.array([state[symbol] for state in states]) for symbol in states[0]}
    entries = interpret([x for row in rows for x in row], values)
    flat = [np.broadcast_to(x, (len(states),)) for x in entries]
    found = np.stack(flat, axis=-1).reshape(-1, width) if flat else np.zeros((1, width))
    return np.asarray(found / max(float(np.abs(found).max()), 1e-300))


def rank(rows: Array) -> int:
    """Of columns brought to one size; what is rounding beside the others is none."""
    size = np.abs(rows).max(axis=0, initial=0.0)
    there = size > 1e-11
    if not there.any():
        return 0
    sizes = np.linalg.svd(rows[:, there] / size[there], compute_uv=False)
    return int(np.sum(sizes > 1e-9 * sizes[0]))


def columns_of(system: System, kept: dict[str, tuple[str, ...]]) -> list[int]:
    """Places of named parameters among the regressor's columns."""
    return [
        10 * i + k for i, body in enumerate(system.bodies) for k, name in enumerate(NAMES) if name in kept[body.name]
    ]
