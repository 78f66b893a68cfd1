"""Linked bodies of random shapes and sizes, dropped on a floor."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..model import shapes
from ..model.inertias import principal
from ..model.model import Model
from ..model.system import System

Floats = NDArray[np.float64]
MOST_BODIES = 3


def scene(seed: int) -> tuple[System, Floats, Floats]:
    """One to three bodies on hinges, of spheres, boxes and capsules, with any friction and restitution; their start."""
    rng = np.random.default_rng(seed)
    m = Model(f"scene {seed}", gravity=(0, 0, -9.81))
    count = int(rng.integers(1, MOST_BODIES + 1))
    last = None
    for k in range(count):
        a, b, c = (float(x) for x in rng.uniform(0.1, 0.4, 3))
        mass = float(rng.uniform(0.5, 3.0))
        moments = (mass / 12.0 * (x * x + y * y) for x, y in ((b, c), (a, c), (a, b)))
        body = m.body(f"b{k}", mass=mass, inertia=principal(*moments))
        if last is None:
            m.free("base", m.ground, body)
        else:
            carrier, sizes = last
            place = tuple(float(0.7 * x * side) for x, side in zip(sizes, rng.choice([-1, 1], 3)))
            m.revolute(f"j{k}", carrier, body, axis="xyz"[int(rng.integers(3))], at=place)
        forms = (shapes.Sphere(a / 2.0), shapes.Box((a, b, c)), shapes.Capsule(a / 3.0, b))
        m.contact(
            f"c{k}", (body, forms[int(rng.integers(3))]), shapes.Plane(), friction=float(rng.uniform(0.0, 1.0)),
            restitution=float(rng.uniform(0.0, 0.9)),
        )  # fmt: skip
        last = body, (a, b, c)
    turn = rng.normal(size=4)
    q = np.concatenate([[0.0, 0.0, 1.5], turn / np.linalg.norm(turn), rng.uniform(-1.0, 1.0, count - 1)])
    return m.system(), q, rng.normal(size=6 + count - 1)
