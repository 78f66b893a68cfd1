"""A disk that rolls on a level plane: the classic nonholonomic system."""

from __future__ import annotations

from ..model.inertias import principal
from ..model.model import Model
from ..model.system import System


def rolling_disk() -> System:
    """A thin disk that rolls on a level plane without slipping, full and nonlinear.

    Coordinates: the contact's place, contact.x and contact.y, and the heading contact.angle; lean, about the heading,
    0 where the disk stands upright; and spin. The ground's z is up; the heading is the lean frame's x, the axle its y.

    Rolling leaves three of five speeds: u1, u2, u3, the disk's angular velocity along the heading, along the axle and
    along the disk's steepest diameter. It rolls at r · u2. Parameters: mass m, radius r, moments I about a diameter
    and J about the axle.

    It is at rest upright, rolls straight, spins on one spot (u3 alone), and turns in circles at any lean whose speeds
    balance; near lean = ±90°, where it would lie flat, the contact is no longer defined.
    """
    m = Model("rolling-disk")
    p = m.parameters(m=1.0, r=0.5, I=0.0625, J=0.125, g=9.81)
    m.gravity = (0, 0, -p.g)
    heading, upright = m.link("heading frame"), m.link("lean frame")
    disk = m.body("disk", mass=p.m, inertia=principal(p.I, p.J, p.I))
    m.planar("contact", m.ground, heading)
    m.revolute("lean", heading, upright, axis="x")
    m.revolute("spin", upright, disk, axis="y", at=(0, 0, p.r))
    # The contact travels with the lean frame; there the disk turns about its axle against that frame.
    contact, turning = upright.origin.velocity, (disk.omega - upright.omega) @ upright.y
    m.keep("rolls", contact @ heading.x - p.r * turning, contact @ heading.y)
    m.speeds(u1=disk.omega @ upright.x, u2=disk.omega @ upright.y, u3=disk.omega @ upright.z)
    return m.system()
