"""A point mass on a massless rod."""

from __future__ import annotations

from ..model.model import Model
from ..model.system import System


def pendulum() -> System:
    """A point mass m at the distance l from a horizontal axis; it hangs at rest where its angle is 0.

    Coordinate: `angle` [rad] about the ground's y. The textbook's equation is m l² θ̈ + m g l sin θ = 0.
    """
    m = Model("pendulum")
    p = m.parameters(m=1.0, l=1.0, g=9.81)
    m.gravity = (0, 0, -p.g)
    bob = m.particle("bob", p.m, center=(0, 0, -p.l))
    m.revolute("angle", m.ground, bob, axis="y")
    return m.system()
