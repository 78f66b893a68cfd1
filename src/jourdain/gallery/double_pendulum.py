"""Two point masses on two massless rods."""

from __future__ import annotations

from ..model.model import Model
from ..model.system import System


def double_pendulum() -> System:
    """Point masses m1, m2 on rods l1, l2, one hung on the other; it hangs at rest where both angles are 0.

    Coordinates: `shoulder`, the upper rod's angle from the vertical, and `elbow`, the lower rod's angle from the upper
    one [rad], both about the ground's y.
    """
    m = Model("double-pendulum")
    p = m.parameters(m1=1.0, m2=1.0, l1=1.0, l2=1.0, g=9.81)
    m.gravity = (0, 0, -p.g)
    upper = m.particle("upper", p.m1, center=(0, 0, -p.l1))
    lower = m.particle("lower", p.m2, center=(0, 0, -p.l2))
    m.revolute("shoulder", m.ground, upper, axis="y")
    m.revolute("elbow", upper, lower, axis="y", at=(0, 0, -p.l1))
    return m.system()
