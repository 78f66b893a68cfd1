"""Mechanisms whose constraints come and go."""

from __future__ import annotations

from functools import lru_cache

import jourdain as jd
from jourdain.model.system import System

GRAVITY = 9.81


@lru_cache(maxsize=1)
def bouncer() -> System:
    """A particle over a floor, e = 0.5, that two functions grasp and let go."""
    m = jd.Model("bouncer", gravity=(0, 0, -GRAVITY))
    lift = m.input("lift")
    body = m.body("ball", mass=1.0, inertia=jd.point_mass)
    z = m.prismatic("z", m.ground, body, axis="z")
    m.joint_force("z", lift)
    m.stop("floor", z.coordinate, restitution=0.5)
    m.switch("grasp", z.speed, on=m.call("grasp"), off=m.call("let go"))
    m.output("acceleration", z.acceleration)
    return m.system()


@lru_cache(maxsize=1)
def sledge() -> System:
    """A block of 2 kg that keeps upright, on a plane with friction 0.4, pulled along x."""
    m = jd.Model("sledge", gravity=(0, 0, -GRAVITY))
    pull = m.input("pull")
    body = m.body("block", mass=2.0, inertia=jd.point_mass)
    carriage = m.link("carriage")
    m.prismatic("x", m.ground, carriage, axis="x")
    m.prismatic("z", carriage, body, axis="z")
    m.contact("block", (body, jd.shapes.Point()), jd.shapes.Plane(), friction=0.4)
    m.force(pull * m.ground.x, at=body.origin)
    return m.system()


@lru_cache(maxsize=1)
def plank() -> System:
    """A plank of 2 kg with two feet, 0.3 m from its center and 0.1 m below, that falls on a plane; e = 0.3."""
    m = jd.Model("plank", gravity=(0, 0, -GRAVITY))
    body = m.body("plank", mass=2.0, inertia=jd.principal(0.1, 0.1, 0.1))
    carriage, slider = m.link("carriage"), m.link("slider")
    m.prismatic("x", m.ground, carriage, axis="x")
    m.prismatic("z", carriage, slider, axis="z")
    m.revolute("tilt", slider, body, axis="y")
    for name, x in (("rear", -0.3), ("front", 0.3)):
        m.contact(name, (body, jd.shapes.Point((x, 0, -0.1))), jd.shapes.Plane(), friction=0.4, restitution=0.3)
    return m.system()


@lru_cache(maxsize=1)
def latched() -> System:
    """A mass on a spring, 4 N/m, whose latch at x = 0.5 closes as it passes to the right and gives way to 3 N."""
    m = jd.Model("latched", gravity=(0, 0, 0))
    pull = m.input("pull")
    body = m.body("body", mass=1.0, inertia=jd.point_mass)
    x = m.prismatic("x", m.ground, body, axis="x")
    m.joint_spring("x", stiffness=4.0)
    m.joint_force("x", pull)
    m.switch("latch", x.coordinate - 0.5, on=x.coordinate - 0.5, off=-m.multiplier("latch") - 3.0)
    return m.system()
