"""Gillespie's spherical wrist (2003), example 2: what the choice of speeds does to the equations."""

from __future__ import annotations

from ..model.inertias import principal
from ..model.model import Model
from ..model.system import System


def spherical_wrist(*, rates: bool = False) -> System:
    """Gillespie's spherical wrist (2003): a hand C on two massless links A and B, three axes through one point.

    rates: whether the speeds are the rates of the angles, as in the paper's (48). Left out, they are the angular
    velocity along C's own axes, u1 = ω·c1 and so on (50): the equations are then the short ones (49), and the angles'
    rates divide by sin q2.

    Joints q1 about n3, q2 about a2, q3 about b3; the ground's x (the paper's n1) is up. C's mass centre lies L along
    c3. Inputs: a torque T1, T2, T3 and, at the mass centre, a force F1, F2, F3, along C's axes.
    """
    m = Model("spherical-wrist")
    p = m.parameters(M=2.0, I1=0.02, I2=0.03, I3=0.01, L=0.15, g=9.81)
    m.gravity = (-p.g, 0, 0)
    torque, force = m.inputs("T1", "T2", "T3"), m.inputs("F1", "F2", "F3")
    a, b = m.link("A"), m.link("B")
    c = m.body("C", mass=p.M, center=(0, 0, p.L), inertia=principal(p.I1, p.I2, p.I3))
    m.revolute("q1", m.ground, a, axis="z")
    m.revolute("q2", a, b, axis="y")
    m.revolute("q3", b, c, axis="z")
    if not rates:
        m.speeds(u1=c.omega @ c.x, u2=c.omega @ c.y, u3=c.omega @ c.z)
    m.torque(c.vector(torque), on=c)
    m.force(c.vector(force), at=c.center)
    return m.system()
