"""Systems with something of everything."""

from __future__ import annotations

import jourdain as jd
from jourdain.graph import Node
from jourdain.model.handles import BodyHandle


def cart() -> jd.Model:
    """Gillespie's shopping cart without its constraints: two bodies in the plane."""
    m = jd.Model("shopping cart")
    p = m.parameters(L1=0.4, L2=0.9, L3=0.1, m_B=20.0, I_B=1.6, m_C=1.0)
    F, tau = m.inputs("F", "tau")
    basket = m.body("B", mass=p.m_B, center=(p.L1, 0, 0), inertia=jd.about_z(p.I_B))
    caster = m.body("C", mass=p.m_C, center=(-p.L3, 0, 0), inertia=jd.point_mass)
    m.planar("cart", m.ground, basket)
    m.revolute("swivel", basket, caster, axis="z", at=(p.L2, 0, 0))
    P1, P3 = basket.origin, caster.center
    m.force(F * basket.x, at=P1)
    m.torque(tau * basket.z, on=basket)
    m.output("rear wheels slip", P1.velocity @ basket.y)
    m.output("front wheel slips", P3.velocity @ caster.y)
    m.output("caster turns", m["swivel"].speed)
    m.output("P3", P3.position)
    return m


def everything() -> jd.Model:
    """Every joint, load, drive, place and output that a model can have."""
    m = jd.Model("everything: ω, ½ and « » in its name", gravity=(0, 0, -9.81))
    p = m.parameters(L=0.4, rho=3.0, k=50.0, c=0.7, alpha=0.3, pitch=0.02)
    push, follow = m.input("push", 0.5), m.input("follow the leader", -0.25)
    mass = p.rho * p.L
    length, swing = p.L, m.time * 0.5

    def solid(name: str) -> BodyHandle:
        return m.body(name, mass=mass, center=(0.1, p.L / 2, 0), inertia=jd.solid_box(length, 0.2, 0.3))

    bodies = {name: solid(name) for name in ("base", "a", "b", "c", "d", "e", "f", "g", "h", "i")}
    m.free("float", m.ground, bodies["base"])
    m.revolute("turn", "base", "a", axis=(1, 2, 2), at=(0, p.L, 0), rotation=[("z", p.alpha), ("-x", 0.25)])
    m.prismatic("slide", "a", "b", axis="-y", child_at=(0, 0, 0.1), child_rotation=[("y", -p.alpha)])
    m.screw("screw", "b", "c", axis="x", pitch=p.pitch)
    m.universal("cross", "c", "d")
    m.cylindrical("tube", "c", "e", axis="y")
    m.planar("plate", "base", "f", rotation=[[0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    m.spherical("ball", "f", "g", orientation=jd.ANGLES)
    m.joint("given", "g", "h", H=[[0, p.L], [0, 0], [1, 0], [0, 0], [0, 1], [0.5, 0]], r=[1, 1])
    m.revolute("driven", "base", "i", axis="y")
    m.prescribe("driven", jd.sin(swing) * p.alpha + 0.1 * swing)
    m.particle("bead", p.L / 10, (0, 0.1, 0))
    m.weld("glue", "d", "bead", at=(0, 0, 0.2))
    m.link("tail")
    m.revolute("tail joint", "e", "tail")
    m.particle("tip mass", 0.1, (0, 0.5, 0.1))
    m.spherical("end", "tail", "tip mass", orientation=jd.QUATERNION)
    m.lock("end", 0.5, 0.5, -0.5, p.alpha / p.alpha * 0.5)
    tip = bodies["d"].point("tip", (0, p.L, 0))
    hook = m.ground.point("hook", (1, 0, p.L * 2))
    hand = bodies["h"].frame("hand", (0, 0, p.L), [("x", p.alpha)])
    loads(m, p.k, p.c, push, follow)
    m.spring(tip, hook, stiffness=p.k, rest=p.L)
    m.output("tip", tip.position, axes=hand)
    m.output("tip speed", tip.velocity.norm())
    m.output("felt", tip.acceleration @ bodies["d"].x)
    m.output("spin", bodies["h"].omega @ hand.y + bodies["a"].alpha @ m.ground.z)
    m.output("lean", bodies["a"].z @ bodies["d"].z)
    m.output("work", push * m["turn"].speed)
    m.output("half", p.L * 0.5)
    return m


def loads(m: jd.Model, k: Node, c: Node, push: Node, follow: Node) -> None:
    """Every load."""
    tip, hook, slide = m["tip"], m["hook"], m["slide"]
    m.force(push * m["d"].x - follow * m.ground.z + tip.velocity * (-c), at=tip, name="drag")
    m.force((0, jd.sin(m.time), k / 100), at=m["e"].center, axes=m["hand"], reaction="base")
    m.torque((follow, 0, m.table(m.time, [0, 1, 3], [0, 2, 1], jd.CUBIC)), on="h", axes="h", reaction="g")
    m.joint_force("tube", push * slide.coordinate, index=1)
    m.damper(tip, m["h"].origin, damping=c)
    m.strut(tip, hook, tension=lambda length, rate: k * jd.maximum(length - 0.5, 0) ** 3 + c * rate * length)
    m.joint_spring("turn", stiffness=k, rest=0.1)
    m.joint_spring("plate", stiffness=k * 2, index=1)
    m.joint_damper("ball", damping=c)
    m.joint_friction("slide", moment=c * (1 + push * push), width=0.05)
    m.rotor("turn", inertia=c / 1000, ratio=100)
    m.rotor("cross", inertia=0.001, ratio=k, index=1, name="small rotor")
