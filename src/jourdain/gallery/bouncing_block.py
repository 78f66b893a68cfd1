"""A block that falls on a floor: it bounces, rocks, and comes to rest."""

from __future__ import annotations

from ..model.inertias import about_z
from ..model.model import Model
from ..model.shapes import Box, Plane
from ..model.system import System


def bouncing_block() -> System:
    """A block that falls on a level floor in a plane: it bounces on its corners, slips, rocks and comes to rest.

    The block lies in the ground's plane x, y, y up. Coordinates: block.x, block.y [m], the place of its middle from
    where that is when the block stands on the floor, and block.angle [rad]. It must not overlap the floor at the start.
    Inputs: a push F [N] along the floor at its middle, and a torque tau [N m]. Parameters: mass m, width and height
    [m], moment of inertia I about its middle, friction mu, restitution e. Contacts "floor 1" to "floor 4", one a
    corner: lower and upper left, lower and upper right.
    """
    m = Model("bouncing-block")
    p = m.parameters(m=1.0, width=0.1, height=0.2, I=0.05 / 12, mu=0.5, e=0.4, g=9.81)
    m.gravity = (0, -p.g, 0)
    push, torque = m.inputs("F", "tau")
    block = m.body("block", mass=p.m, inertia=about_z(p.I))
    m.planar("block", m.ground, block)
    floor = Plane(normal="y", height=-p.height / 2)
    box = Box((p.width, p.height, p.width))
    m.contact("floor", (block, box), floor, friction=p.mu, restitution=p.e)
    m.force(push * m.ground.x, at=block.origin)
    m.torque(torque * block.z, on=block)
    m.handle(block)
    return m.system()
