"""A planar slider-crank: a piston, its rod and its crank."""

from __future__ import annotations

from ..model.inertias import about_z, point_mass
from ..model.model import Model
from ..model.system import System


def slider_crank() -> System:
    """A planar slider-crank: a crank, a connecting rod, and a piston that slides along the ground's x.

    The mechanism lies in the ground's plane x, y, y up. The crank, of the length l1, turns about the origin, its mass
    centre there; the rod, of the length l2, has its own c2 along it; the piston's bore passes through the origin.
    Coordinates: q1 of the crank [rad] from the ground's x and q2 of the rod [rad] from the crank's, anticlockwise about
    z, and q3, the place of the piston's gudgeon pin [m]. The constraint "gudgeon pin" joins rod and piston; three of
    its five rows hold in the plane anyway. The piston's side thrust is the force along y in `reactions("q3", …)`.

    Inputs: torque tau [N m] of the ground on the crank, and force F [N] of the gas on the piston along x.
    """
    m = Model("slider-crank")
    p = m.parameters(l1=0.05, l2=0.15, c2=0.05, m1=2.0, m2=0.6, m3=0.5, I1=0.01, I2=0.002, g=9.81)
    m.gravity = (0, -p.g, 0)
    tau, gas = m.inputs("tau", "F")
    crank = m.body("crank", mass=p.m1, inertia=about_z(p.I1))
    rod = m.body("rod", mass=p.m2, center=(p.c2, 0, 0), inertia=about_z(p.I2))
    piston = m.body("piston", mass=p.m3, inertia=point_mass)
    m.revolute("q1", m.ground, crank, axis="z")
    m.revolute("q2", crank, rod, axis="z", at=(p.l1, 0, 0))
    m.prismatic("q3", m.ground, piston, axis="x")
    m.close("gudgeon pin", "revolute", rod, piston, axis="z", at=(p.l2, 0, 0))
    m.torque(tau * crank.z, on=crank)
    m.force(gas * m.ground.x, at=piston.origin)
    m.handle(piston)
    return m.system()
