"""Small systems whose constraints change."""

from __future__ import annotations

import jourdain as jd
from jourdain.model.system import System

BALL = jd.principal(0.004, 0.004, 0.004)


def cart(rate: float = 9.0) -> System:
    """Gillespie's shopping cart (2003, example 3); the caster sticks while sin(rate t) is positive."""
    m = jd.Model.of(jd.gallery.shopping_cart())
    m.switch("by the clock", m["swivel"].speed, on=jd.sin(rate * m.time), off=-jd.sin(rate * m.time))
    return m.system()


def latch() -> System:
    """A slider on a spring that is caught where it passes 0.1 m, until what holds it exceeds what grips it."""
    m = jd.Model("latch", gravity=(0, 0, 0))
    push = m.input("push")
    carriage, ram = (m.body(x, mass=2.0, inertia=jd.point_mass) for x in ("carriage", "ram"))
    rail = m.prismatic("rail", m.ground, carriage, axis="x")
    slide = m.prismatic("slide", carriage, ram, axis="x")
    m.joint_spring(rail, stiffness=30.0)
    m.joint_spring(slide, stiffness=80.0, rest=0.3)
    m.switch("latch", slide.coordinate - 0.1, on=slide.coordinate - 0.1, off=-m.multiplier("latch") - 17.0)
    m.force(push * m.ground.x, at=carriage.origin)
    return m.system()


def crank_with_stop() -> System:
    """A slider-crank whose piston runs into a stop before it is at its farthest."""
    m = jd.Model.of(jd.gallery.slider_crank())
    m.stop("stop", 0.19 - m["q3"].coordinate, restitution=0.4)
    return m.system()


def ball() -> System:
    """A ball that falls on a rough floor, bounces, slides and rolls."""
    m = jd.Model("ball")
    body = m.body("ball", mass=1.0, inertia=BALL)
    m.free("free", m.ground, body)
    m.contact("floor", (body, jd.shapes.Sphere(0.1)), jd.shapes.Plane(), friction=0.3, restitution=0.5)
    return m.system()


def lift() -> System:
    """A platform that a moving constraint carries while it is on: what holds it does work."""
    m = jd.Model("lift")
    platform = m.body("platform", mass=3.0, inertia=jd.point_mass)
    up = m.prismatic("up", m.ground, platform, axis="z")
    m.joint_spring(up, stiffness=50.0)
    m.switch("carried", up.speed - 0.6 * jd.cos(3.0 * m.time), on=m.time - 1.0, off=m.time - 2.0)
    return m.system()
