"""Systems that have what the gallery lacks."""

from __future__ import annotations

import numpy as np

import jourdain as jd
from jourdain.model.system import System


def every_load() -> System:
    """Joints of several kinds with forces, torques, springs."""
    m = jd.Model("loads")
    p = m.parameters(k=3.0, M=1.0)
    (force,) = m.inputs("F")
    cart = m.body("cart", mass=1.1, center=(0.1, 0, 0.2), inertia=jd.principal(0.1, 0.2, 0.15))
    arm = m.body("arm", mass=p.M, center=(0, 0, -0.3), inertia=jd.principal(0.1, 0.2, 0.15))
    ball = m.body("ball", mass=1 / 3, center=(0, 0.1, -0.3), inertia=jd.tensor([0.3, 0.3, 0.3, 0.01, 0.02, 0.03]))
    m.prismatic("slide", m.ground, cart, axis="x")
    m.revolute("turn", cart, arm, axis="y", at=(0.3, 0, 0), rotation=[("x", np.pi / 2)])
    m.spherical("ball", arm, ball, at=(0, 0, -0.6))
    m.force(force * cart.x, at=cart.origin)
    m.torque(p.k * arm.y, on=arm)
    return m.system()


def constrained() -> System:
    """Two sledges on knife edges, coupled: permanent and switchable constraints, joints' own speeds, a moving frame."""
    m = jd.Model("sledges")
    p = m.parameters(a=0.3, m1=2.0, m2=1.5, J=0.2)
    push = m.input("F")
    first = m.body("first", mass=p.m1, center=(p.a, 0, 0), inertia=jd.about_z(p.J))
    second = m.particle("second", mass=p.m2)
    m.planar("base", m.ground, first)
    m.prismatic("rail", first, second, axis="y", at=(p.a, 0, 0))
    m.keep("edge", first.origin.velocity @ first.y)
    m.switch("clamped", m["rail"].speed)
    m.switch("held", first.omega @ first.z - 0.5 * m["rail"].speed)
    m.force(push * first.x, at=first.origin)
    return m.system()


def four_bar() -> System:
    """A loop that is closed by its position."""
    m = jd.Model("four-bar")
    p = m.parameters(a=1.0, b=2.0, c=1.8, d=2.2, m1=1.0, m2=2.0, m3=1.8, g=9.81)
    m.gravity = (0, -p.g, 0)
    crank = m.body("crank", mass=p.m1, center=(p.a / 2, 0, 0), inertia=jd.about_z(p.m1 * p.a**2 / 12))
    rod = m.body("rod", mass=p.m2, center=(p.b / 2, 0, 0), inertia=jd.about_z(p.m2 * p.b**2 / 12))
    rocker = m.body("rocker", mass=p.m3, center=(p.c / 2, 0, 0), inertia=jd.about_z(p.m3 * p.c**2 / 12))
    m.revolute("q1", m.ground, crank, axis="z")
    m.revolute("q2", crank, rod, axis="z", at=(p.a, 0, 0))
    m.revolute("q3", m.ground, rocker, axis="z", at=(p.d, 0, 0))
    gap = rod.point("A", (p.b, 0, 0)).position - rocker.point("B", (p.c, 0, 0)).position
    m.keep("closed", gap @ m.ground.x, gap @ m.ground.y)
    return m.system()
