"""A planar four-bar linkage: the simplest closed loop."""

from __future__ import annotations

from ..model.inertias import about_z
from ..model.model import Model
from ..model.system import System


def four_bar() -> System:
    """A planar crank-rocker: crank, coupler and rocker on the ground, the loop closed by a revolute joint.

    The mechanism lies in the ground's plane x, y, y up. The crank's pivot is the origin, the rocker's lies l4 along x;
    the crank has the length l1, the coupler l2, the rocker l3, each along its own x, with its mass centre in the
    middle. Coordinates [rad], anticlockwise about z: q1 of the crank and q3 of the rocker from the ground's x, q2 of
    the coupler from the crank's. The constraint "pin" joins the ends of coupler and rocker; three of its five rows hold
    in the plane anyway, and what a rigid mechanism carries across its plane is not told. With the lengths given the
    crank turns fully.

    Input: torque tau [N m] of the ground on the crank. Output: `tip x`, `tip y`, where the coupler's end is [m].
    """
    m = Model("four-bar")
    p = m.parameters(
        l1=0.2, l2=0.5, l3=0.4, l4=0.45, m1=0.4, m2=1.0, m3=0.8, I1=0.0014, I2=0.021, I3=0.011, g=9.81
    )  # fmt: skip
    m.gravity = (0, -p.g, 0)
    tau = m.input("tau")
    crank = m.body("crank", mass=p.m1, center=(p.l1 / 2, 0, 0), inertia=about_z(p.I1))
    coupler = m.body("coupler", mass=p.m2, center=(p.l2 / 2, 0, 0), inertia=about_z(p.I2))
    rocker = m.body("rocker", mass=p.m3, center=(p.l3 / 2, 0, 0), inertia=about_z(p.I3))
    m.revolute("q1", m.ground, crank, axis="z")
    m.revolute("q2", crank, coupler, axis="z", at=(p.l1, 0, 0))
    m.revolute("q3", m.ground, rocker, axis="z", at=(p.l4, 0, 0))
    m.close("pin", "revolute", coupler, rocker, axis="z", at=(p.l2, 0, 0), child_at=(p.l3, 0, 0))
    m.torque(tau * crank.z, on=crank)
    tip = coupler.point("tip", (p.l2, 0, 0))
    m.output("tip x", tip.position @ m.ground.x)
    m.output("tip y", tip.position @ m.ground.y)
    m.handle(rocker, at=rocker.point("end", (p.l3, 0, 0)))
    return m.system()
