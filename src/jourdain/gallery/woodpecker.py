"""The woodpecker that pecks its way down a pole: impacts, sticking and slipping make a motion that repeats."""

from __future__ import annotations

from ..model.changing import ImpactLaw
from ..model.inertias import about_z
from ..model.model import Model
from ..model.shapes import Plane, Point
from ..model.system import System


def woodpecker() -> System:
    """The woodpecker toy: a sleeve with clearance on a pole, a bird on a spring, three contacts with friction.

    The model and the data of Glocker (1995) and of Leine, Glocker and van Campen (2001), with its geometry kept
    nonlinear: the sleeve does not move sideways, and touches the pole by the lower and the upper end of its bore. It
    jams and sticks when it tilts; the bird swings, pecks, and the sleeve comes loose and falls a little. The motion
    soon repeats every 0.14 s or so.

    The mechanism lies in the ground's plane x, y, y up, the pole along y. Coordinates: `height` of the sleeve's middle
    [m], its `tilt` and the bird's `swing` against it [rad], anticlockwise. Parameters: masses m_M, m_S and central
    moments of inertia J_M, J_S of sleeve and bird; radii of the pole, r_0, and of the bore, r_M; half the sleeve's
    height, h_M; along x, from the sleeve's middle to the spring, l_M, and from there to the bird's mass centre, l_G;
    the beak, h_S above it and l_S towards the pole; the spring's stiffness c [N m/rad]; friction mu and the beak's
    restitution e, by Newton. Contacts: "beak", "lower", "upper".
    """
    m = Model("woodpecker")
    p = m.parameters(
        m_M=0.0003, J_M=5e-9, m_S=0.0045, J_S=7e-7, r_0=0.0025, r_M=0.0031, h_M=0.0058, l_M=0.01, l_G=0.015, h_S=0.02,
        l_S=0.0201, c=0.0056, mu=0.3, e=0.5, g=9.81,
    )  # fmt: skip
    m.gravity = (0, -p.g, 0)
    slider = m.link("slider")
    sleeve = m.body("sleeve", mass=p.m_M, inertia=about_z(p.J_M))
    bird = m.body("bird", mass=p.m_S, center=(p.l_G, 0, 0), inertia=about_z(p.J_S))
    m.prismatic("height", m.ground, slider, axis="y")
    m.revolute("tilt", slider, sleeve, axis="z")
    m.revolute("swing", sleeve, bird, axis="z", at=(p.l_M, 0, 0))
    m.joint_spring("swing", stiffness=p.c)
    pole = Plane(normal="x", height=p.r_0)
    beak = Point((p.l_G - p.l_S, p.h_S, 0))
    m.contact("beak", (bird, beak), pole, friction=p.mu, restitution=p.e, law=ImpactLaw.NEWTON)
    for name, end in (("lower", -p.h_M), ("upper", p.h_M)):
        m.contact(name, (sleeve, Point((p.r_M, end, 0))), pole, friction=p.mu)
    return m.system()
