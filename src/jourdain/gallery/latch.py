"""A door with a catch: it slams, bounces, is caught, and gives way to a pull."""

from __future__ import annotations

from ..graph import absolute
from ..model.inertias import about_z
from ..model.model import Model
from ..model.system import System


def latch() -> System:
    """A door with a spring that closes it, a stop, and a catch that holds it until it is pulled hard enough.

    The hinge is along z; `door` [rad] is the angle by which it is open. The spring's moment at the closed door is
    k · ahead [N m]; the damper of the hinge has c [N m s/rad]. At the stop it bounces with the restitution e. The catch
    engages within `depth` [rad] of the stop when the door is slower than `grip` [rad/s], the less of the one the more
    there is of the other, and holds the door where it is then. It gives way at the moment `hold` [N m], the multiplier
    of the constraint "catch". A faster door bounces off. Input F [N]: a pull on the handle, across the door, which
    opens it.
    """
    m = Model("latch", gravity=(0, 0, 0))
    p = m.parameters(
        m=20.0, width=0.8, J=4.3, k=4.0, ahead=0.5, c=0.5, e=0.4, depth=0.01, grip=0.2, hold=12.0,
    )  # fmt: skip
    pull = m.input("F")
    door = m.body("door", mass=p.m, center=(p.width / 2, 0, 0), inertia=about_z(p.J - p.m * p.width**2 / 4))
    hinge = m.revolute("door", m.ground, door, axis="z")
    m.joint_spring(hinge, stiffness=p.k, rest=-p.ahead)
    m.joint_damper(hinge, damping=p.c)
    m.stop("stop", hinge.coordinate, restitution=p.e)
    near = 1.0 - hinge.coordinate / p.depth - absolute(hinge.speed) / p.grip
    m.switch("catch", hinge.speed, on=near, off=absolute(m.multiplier("catch")) - p.hold)
    handle = door.point("handle", (p.width, 0, 0))
    m.force(pull * door.y, at=handle)
    m.handle(door, at=handle)
    return m.system()
