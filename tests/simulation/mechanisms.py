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
