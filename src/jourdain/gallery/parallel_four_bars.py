"""Parallelograms side by side: a mechanism that passes through singular configurations twice a turn."""

from __future__ import annotations

from ..model.inertias import about_z
from ..model.model import Model
from ..model.system import System


def parallel_four_bars(n: int = 2) -> System:
    """Parallelograms in a row: n + 1 equal rods on the ground, each joined to the next by a coupler of their distance.

    The benchmark of Bayo and Avello (1994) with n = 2, and of the library of González et al. (2006) with n = 40, where
    all lengths are 1 m, all masses 1 kg, and the rods begin upright, their ends at 1 m/s. When all rods lie on the
    ground's x, n + 1 freedoms are left for a moment, and parallelograms could go on crossed; a simulation keeps the
    branch on which it arrives.

    The mechanism lies in the ground's plane x, y, y up. Coordinates [rad], anticlockwise about z: `rod0` to `rodn` from
    the ground's x, and `coupler1` to `couplern`, each from the rod before it. The constraints "pin1" to "pinn" are two
    rows each, the coupler's end less the next rod's, along the ground's x and y [m]. Output: `tip x`, `tip y`, the end
    of the first rod [m].
    """
    if not isinstance(n, int) or isinstance(n, bool) or n < 1:
        raise ValueError(f"a row of {n!r} parallelograms; give a whole number from 1")
    m = Model("parallel-four-bars" if n == 2 else f"parallel-four-bars{n}")
    p = m.parameters(l=1.0, b=1.0, m_r=1.0, I_r=1.0 / 12.0, m_c=1.0, I_c=1.0 / 12.0, g=9.81)
    m.gravity = (0, -p.g, 0)
    rods = [m.body(f"rod{k}", mass=p.m_r, center=(p.l / 2, 0, 0), inertia=about_z(p.I_r)) for k in range(n + 1)]
    bars = [m.body(f"coupler{k}", mass=p.m_c, center=(p.b / 2, 0, 0), inertia=about_z(p.I_c)) for k in range(1, n + 1)]
    for k, rod in enumerate(rods):
        m.revolute(f"rod{k}", m.ground, rod, axis="z", at=(k * p.b, 0, 0))
    for k, (before, bar, rod) in enumerate(zip(rods, bars, rods[1:]), 1):
        m.revolute(f"coupler{k}", before, bar, axis="z", at=(p.l, 0, 0))
        between = bar.point(f"end of coupler{k}", (p.b, 0, 0)).position - rod.point(f"end{k}", (p.l, 0, 0)).position
        m.keep(f"pin{k}", between @ m.ground.x, between @ m.ground.y)
    tip = rods[0].point("tip", (p.l, 0, 0)).position
    m.output("tip x", tip @ m.ground.x)
    m.output("tip y", tip @ m.ground.y)
    m.handle(rods[0], at="tip")
    return m.system()
