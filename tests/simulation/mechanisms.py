"""Mechanisms that the tests simulate; machine code is kept for the time of the tests, in memory."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

import jourdain as jd
from jourdain.model.system import System

Floats = NDArray[np.float64]
LENGTH = 1.3


@lru_cache(maxsize=1)
def oscillator() -> System:
    """A mass on a spring and a damper, pushed: m ẍ = push − k x − c ẋ."""
    m = jd.Model("oscillator", gravity=(0, 0, 0))
    p = m.parameters(k=4.0, c=0.0)
    push = m.input("push")
    body = m.body("body", mass=1.0, inertia=jd.point_mass)
    slide = m.prismatic("x", m.ground, body, axis="x")
    m.joint_spring("x", stiffness=p.k)
    m.joint_damper("x", damping=p.c)
    m.joint_force("x", push)
    m.output("reach", 2.0 * slide.coordinate)
    return m.system()


@lru_cache(maxsize=1)
def ball() -> System:
    """A particle that falls along z, 9.81 m/s²."""
    m = jd.Model("ball", gravity=(0, 0, -9.81))
    body = m.body("ball", mass=1.0, inertia=jd.point_mass)
    m.prismatic("z", m.ground, body, axis="z")
    return m.system()


@lru_cache(maxsize=1)
def bob() -> System:
    """A pendulum in Cartesian coordinates, its length a constraint."""
    m = jd.Model("bob", gravity=(0, 0, -9.81))
    body = m.body("bob", mass=2.0, inertia=jd.point_mass)
    carriage = m.link("carriage")
    x = m.prismatic("x", m.ground, carriage, axis="x").coordinate
    z = m.prismatic("z", carriage, body, axis="z").coordinate
    m.keep("rod", x * x + z * z - LENGTH**2)
    return m.system()


@lru_cache(maxsize=1)
def bob_in_one_speed() -> System:
    """The same, with one generalized speed, twice the rate of the area that the rod sweeps, which keeps the length."""
    m = jd.Model("bob in one speed", gravity=(0, 0, -9.81))
    body = m.body("bob", mass=2.0, inertia=jd.point_mass)
    carriage = m.link("carriage")
    x = m.prismatic("x", m.ground, carriage, axis="x")
    z = m.prismatic("z", carriage, body, axis="z")
    m.keep("rod", x.coordinate**2 + z.coordinate**2 - LENGTH**2)
    m.speeds(w=z.speed * x.coordinate - x.speed * z.coordinate)
    return m.system()


@lru_cache(maxsize=1)
def four_bar() -> System:
    """A crank, a coupler and a rocker in the x-y plane, under gravity along −y, closed by a revolute joint."""
    m = jd.Model("four-bar", gravity=(0, -9.81, 0))
    bars = {}
    for name, length in (("crank", 1.0), ("coupler", 3.0), ("rocker", 2.5)):
        bars[name] = m.body(
            name, mass=length, center=(length / 2, 0, 0), inertia=jd.principal(0.01, 0.1 * length, 0.1 * length)
        )
    m.revolute("a", m.ground, bars["crank"], axis="z")
    m.revolute("b", bars["crank"], bars["coupler"], axis="z", at=(1.0, 0, 0))
    m.revolute("c", m.ground, bars["rocker"], axis="z", at=(3.5, 0, 0))
    m.close("pin", "revolute", bars["coupler"], bars["rocker"], axis="z", at=(3.0, 0, 0), child_at=(2.5, 0, 0))
    return m.system()


@lru_cache(maxsize=1)
def stone() -> System:
    """A free rigid body with three different moments of inertia, without weight."""
    m = jd.Model("stone", gravity=(0, 0, 0))
    body = m.body("stone", mass=2.0, center=(0.1, -0.2, 0.3), inertia=jd.principal(0.5, 0.9, 1.2))
    m.free("stone", m.ground, body)
    return m.system()


@lru_cache(maxsize=1)
def crane() -> System:
    """A free base, a slide that is pushed, a mast that turns as given, a load on a spring, wind and a damper."""
    m = jd.Model("crane")
    push, wind = m.inputs(push=1.5, wind=-0.4)
    base = m.body("base", mass=5.0, center=(0.1, 0.0, 0.2), inertia=jd.principal(1.0, 1.1, 1.2))
    cart = m.body("cart", mass=2.0, center=(0, 0.1, 0), inertia=jd.principal(0.3, 0.4, 0.5))
    mast = m.body("mast", mass=1.0, center=(0, 0, 0.3), inertia=jd.principal(0.1, 0.1, 0.05))
    load = m.body("load", mass=0.8, center=(0, 0, -0.7), inertia=jd.principal(0.02, 0.03, 0.04))
    m.free("base", m.ground, base)
    m.prismatic("slide", base, cart, axis="x", at=(0, 0, 0.5))
    m.revolute("turn", cart, mast, axis="z")
    m.prescribe("turn", 0.5 * jd.sin(2.0 * m.time))
    m.revolute("swing", mast, load, axis="y", at=(0.4, 0, 0.6))
    m.joint_force("slide", push)
    m.joint_spring("swing", stiffness=30.0)
    m.joint_damper("swing", damping=0.2)
    m.force(wind * base.y, at=load.center)
    m.output("height", load.center.position @ m.ground.z)
    return m.system()


@lru_cache(maxsize=1)
def belt() -> System:
    """A bead on a plane whose distance from the origin is made to grow, 1 + t/2: a constraint that does work."""
    m = jd.Model("belt", gravity=(0, 0, 0))
    bead = m.body("bead", mass=1.5, inertia=jd.point_mass)
    rail = m.link("rail")
    x = m.prismatic("x", m.ground, rail, axis="x").coordinate
    y = m.prismatic("y", rail, bead, axis="y").coordinate
    reach = 1.0 + 0.5 * m.time
    m.keep("reach", x * x + y * y - reach * reach)
    return m.system()


@lru_cache(maxsize=1)
def bricard() -> System:
    """Bricard's loop of six hinges at right angles, all links of length one: it moves although counting says it cannot.
    Each of its five rows depends on the others, in another way in every position."""
    m = jd.Model("bricard", gravity=(0, 0, -9.81))
    links = [
        m.body(f"link {k}", mass=1.0, center=(0.5, 0, 0), inertia=jd.principal(0.01, 0.1, 0.1)) for k in range(1, 6)
    ]
    for k, (inner, outer) in enumerate(zip([m.ground, *links], links)):
        turn = ("x", np.pi / 2 if k % 2 else -np.pi / 2)
        m.revolute(f"hinge {k + 1}", inner, outer, axis="z", at=(1.0, 0, 0), rotation=[turn])
    m.close("loop", "revolute", links[-1], m.ground, axis="z", at=(1.0, 0, 0), rotation=[("x", np.pi / 2)])
    return m.system()
