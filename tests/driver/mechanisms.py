"""Small mechanisms whose compiled functions the tests call; nothing is kept on the disk."""

from __future__ import annotations

from functools import lru_cache

import jourdain as jd
from jourdain.driver import Compiled, compile
from jourdain.model.system import System
from jourdain.native import Cache

NOWHERE = Cache(None)


@lru_cache(maxsize=1)
def crane() -> System:
    """Everything at once: a free base, a slide that is pushed, a swing with a spring, a joint that moves as given."""
    m = jd.Model("crane")
    p = m.parameters(mass=2.0, length=0.7, stiffness=30.0)
    push, wind = m.inputs(push=1.5, wind=-0.4)
    base = m.body("base", mass=5.0, center=(0.1, 0.0, 0.2), inertia=jd.principal(1.0, 1.1, 1.2))
    cart = m.body("cart", mass=p.mass, center=(0, 0.1, 0), inertia=jd.principal(0.3, 0.4, 0.5))
    mast = m.body("mast", mass=1.0, center=(0, 0, 0.3), inertia=jd.principal(0.1, 0.1, 0.05))
    load = m.body("load", mass=0.8, center=(0, 0, -p.length), inertia=jd.principal(0.02, 0.03, 0.04))
    m.free("base", m.ground, base)
    m.prismatic("slide", base, cart, axis="x", at=(0, 0, 0.5))
    m.revolute("turn", cart, mast, axis="z")
    m.prescribe("turn", 0.5 * jd.sin(2.0 * m.time))
    swing = m.revolute("swing", mast, load, axis="y", at=(0.4, 0, 0.6))
    load.point("hook", at=(0.1, 0, -0.2))
    m.joint_force("slide", push)
    m.joint_spring("swing", stiffness=p.stiffness)
    m.force(wind * base.y, at=load.center)
    m.output("height", load.center.position @ m.ground.z)
    m.output("rate", swing.speed)
    return m.system()


@lru_cache(maxsize=1)
def pendulum() -> System:
    return jd.gallery.pendulum()


@lru_cache(maxsize=1)
def stone() -> System:
    """Without any freedom."""
    m = jd.Model("stone")
    body = m.body("body", mass=1.0, inertia=jd.principal(1.0, 1.0, 1.0))
    m.weld("fixed", m.ground, body, at=(0, 0, 2.0))
    return m.system()


@lru_cache(maxsize=4)
def compiled(name: str) -> Compiled:
    """One of these, once for all tests."""
    return compile({"crane": crane, "pendulum": pendulum, "stone": stone}[name](), cache=NOWHERE)
