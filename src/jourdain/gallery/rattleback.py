"""The rattleback: an ellipsoid that rolls on a plane and will spin one way only."""

from __future__ import annotations

from ..model.inertias import tensor
from ..model.model import Model
from ..model.system import System


def rattleback() -> System:
    """A rattleback, or celt: an ellipsoid with skew axes of inertia that rolls without slipping on a level plane.

    The model of Kane and Levinson (1982), whose data these are: semi-axes a, b, c along the body's own x, y, z; mass
    centre h below the ellipsoid's centre, on the body's z, up while it lies; central moments of inertia A, B, C along
    these axes, and D, the entry of the inertia matrix for x and y, which tells one sense of spinning from the other.
    Spun anticlockwise, seen from above, it begins to rattle, comes to rest, and turns the other way; clockwise it spins
    on.

    Coordinates: the place [m] of the ellipsoid's centre in the ground, z up, and a quaternion. Speeds: the angular
    velocity along the body's own axes [rad/s], and the centre's velocity along them [m/s]. The constraint "touches"
    keeps the gap at zero: its multiplier is the normal force; "rolls" keeps the slip at zero: its multipliers are
    friction along the ground's x and y. Nothing dissipates. Output: `spin` [rad/s] about the vertical.
    """
    m = Model("rattleback")
    p = m.parameters(
        a=0.2, b=0.03, c=0.02, h=0.01, m=1.0, A=0.0002, B=0.0016, C=0.0017, D=0.00002, g=9.81
    )  # fmt: skip
    m.gravity = (0, 0, -p.g)
    celt = m.body("stone", mass=p.m, center=(0, 0, -p.h), inertia=tensor((p.A, p.B, p.C, p.D, 0, 0)))
    m.free("celt", m.ground, celt)
    touch = m.ellipsoid(celt, semi_axes=(p.a, p.b, p.c))
    m.keep("touches", touch.gap)
    m.keep("rolls", *touch.slip)
    m.output("spin", touch.spin)
    m.handle(celt)
    return m.system()
