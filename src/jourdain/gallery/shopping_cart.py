"""Gillespie's shopping cart with a caster that may stick (2003), example 3."""

from __future__ import annotations

from ..graph import absolute, sqrt
from ..model.inertias import about_z, point_mass
from ..model.model import Model
from ..model.system import System


def shopping_cart(*, sticking: bool = False) -> System:
    """Gillespie's shopping cart (2003): a basket on rolling wheels, a caster that sticks while "caster sticks" is on.

    Coordinates: the place of P1 between the rear wheels, the basket's heading, and the caster's angle `swivel` from
    the basket. The rear wheels roll always and are embedded: three speeds are left, u1, the velocity of P1 along the
    basket, and u2, u3, the angular velocities of basket and caster (51)–(53). That the front wheel at P3 rolls (58) is
    a permanent constraint; that the caster sticks (64) a switchable one. Inputs: a push F at P1 along the basket and a
    torque tau. The ground's plane is level, so gravity plays no part.

    sticking: whether the caster sticks and comes loose by itself. Its pivot then rubs with the moment T_slide [N m]
    while it turns; it sticks when it becomes slower than `creep` [rad/s], and comes loose when the moment that it
    carries, the multiplier of "caster sticks", exceeds T_stick [N m] either way. The paper has no values for these.
    """
    m = Model("shopping-cart", gravity=(0, 0, 0))
    p = m.parameters(m_B=20.0, m_C=1.0, I_B=1.6, L1=0.4, L2=0.9, L3=0.1)
    push, torque = m.inputs("F", "tau")
    basket = m.body("B", mass=p.m_B, center=(p.L1, 0, 0), inertia=about_z(p.I_B))
    caster = m.body("C", mass=p.m_C, center=(-p.L3, 0, 0), inertia=point_mass)
    m.planar("cart", m.ground, basket)
    m.revolute("swivel", basket, caster, axis="z", at=(p.L2, 0, 0))
    P1, P3 = basket.origin, caster.center
    m.keep("rear wheels roll", P1.velocity @ basket.y)
    m.speeds(u1=P1.velocity @ basket.x, u2=basket.omega @ basket.z, u3=caster.omega @ caster.z)
    m.keep("front wheel rolls", P3.velocity @ caster.y)
    turning = m["swivel"].speed
    if sticking:
        r = m.parameters(T_slide=0.05, T_stick=0.1, creep=0.02)
        held = absolute(m.multiplier("caster sticks")) - r.T_stick
        m.switch("caster sticks", turning, on=r.creep - absolute(turning), off=held)
        rubbing = -r.T_slide * turning / sqrt(turning * turning + r.creep * r.creep)
        m.torque(rubbing * basket.z, on=caster, reaction=basket)
    else:
        m.switch("caster sticks", turning)
    m.force(push * basket.x, at=P1)
    m.torque(torque * basket.z, on=basket)
    m.handle(basket, at=P1)
    return m.system()
