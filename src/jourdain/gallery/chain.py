"""A chain of any length, for looking at how cost grows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..model.inertias import tensor
from ..model.model import Model
from ..model.system import System

LENGTH = 0.1  # m, from joint to joint


def chain(n: int = 10, seed: int = 1983) -> System:
    """A chain of n links turning about x, y, z in turn, every link with a full inertia of its own.

    Links are 0.1 m long along z; no mass centre lies on a joint's axis. Coordinates q1 … qn [rad]. The bodies come from
    `seed`, link by link, so that a shorter chain is the beginning of a longer one. Data are numbers, not parameters:
    at three hundred links three thousand parameters would be a burden.
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise ValueError(f"a chain of {n!r} links; give a whole number from 1")
    m = Model(f"chain{n}")
    parent = m.ground
    for i in range(n):
        mass, center, inertia = _link(seed, i)
        link = m.body(f"link{i + 1}", mass=mass, center=center, inertia=tensor(inertia))
        m.revolute(f"q{i + 1}", parent, link, axis="xyz"[i % 3], at=(0, 0, LENGTH if i else 0))
        parent = link
    return m.system()


def _link(seed: int, i: int) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """Mass [kg], mass centre [m] and inertia about it [kg m²], rounded as in a data sheet."""
    random = np.random.default_rng([seed, i])
    mass = round(float(random.uniform(0.5, 1.5)), 3)
    center = np.round(random.uniform(-0.03, 0.03, 3) + np.array([0, 0, LENGTH / 2]), 4)
    # Second moments a aᵀ + ε belong to some distribution of mass, so that the inertia is physical.
    a = 0.02 * random.standard_normal((3, 3))
    second = a @ a.T + 1e-4 * np.eye(3)
    inertia = np.round(mass * (np.trace(second) * np.eye(3) - second), 7)
    return mass, center, inertia
