"""Gillespie's disk on a ramp (2003), example 1: sliding, and rolling while a constraint is on."""

from __future__ import annotations

from ..graph import cos, sin
from ..model.inertias import about_z
from ..model.model import Model
from ..model.shapes import Plane, Wheel
from ..model.system import System


def rolling_disk_on_ramp(*, rubbing: bool = False) -> System:
    """Gillespie's uniform disk on a ramp (2003): it slides, and rolls while the constraint "rolls" is on.

    Coordinates: q1, how far up the ramp the centre is, and q2, the disk's angle. Speeds: u1, the centre's velocity up
    the ramp, and u2, r times the disk's angular velocity; rolling is u1 + u2 = 0. The ground's axes are the ramp's: x
    up along its edge, y normal to it; it rises by the angle phi. Input F_f: friction, down the ramp, at the contact.

    rubbing: whether the ramp is a contact "ramp" with Coulomb friction mu and restitution e, instead of the constraint
    "rolls" and the input. The disk may then leave the ramp, too: there is a third coordinate, `height`, of the disk
    above the ramp, and its velocity u3.
    """
    m = Model("rolling-disk-on-ramp")
    p = m.parameters(m=1.0, J=0.02, r=0.2, phi=0.3, g=9.81)
    m.gravity = (-p.g * sin(p.phi), -p.g * cos(p.phi), 0)
    carriage = m.link("carriage")
    disk = m.body("B", mass=p.m, inertia=about_z(p.J))
    m.prismatic("q1", m.ground, carriage, axis="x", at=(0, p.r, 0))
    if rubbing:
        lift, r = m.link("lift"), m.parameters(mu=0.5, e=0.0)
        m.prismatic("height", carriage, lift, axis="y")
        m.revolute("q2", lift, disk, axis="z")
        m.speeds(u1=m["q1"].speed, u2=p.r * m["q2"].speed, u3=m["height"].speed)
        m.contact("ramp", (disk, Wheel(p.r, axis="z")), Plane(normal="y"), friction=r.mu, restitution=r.e)
        return m.system()
    friction = m.input("F_f")
    m.revolute("q2", carriage, disk, axis="z")
    u = m.speeds(u1=m["q1"].speed, u2=p.r * m["q2"].speed)
    m.switch("rolls", u.u1 + u.u2)
    contact = carriage.point("contact", (0, -p.r, 0))
    m.force(-friction * m.ground.x, at=contact)
    m.torque(-friction * p.r * m.ground.z, on=disk)
    return m.system()
