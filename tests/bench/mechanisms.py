"""Small mechanisms of every joint that the peers can be given."""

from __future__ import annotations

import jourdain as jd
from jourdain import gallery
from jourdain.model.handles import BodyHandle
from jourdain.model.system import System


def solid(m: jd.Model, name: str) -> BodyHandle:
    """A body with nothing at zero."""
    k = len(name)
    inertia = jd.tensor([0.3, 0.4 + 0.01 * k, 0.5, 0.02, -0.03, 0.04])
    return m.body(name, mass=1.0 + 0.1 * k, center=(0.05, -0.02 * k, 0.11), inertia=inertia)


def with_joint(kind: str) -> System:
    """A turning base, the joint in question, and a link beyond it; a branch beside."""
    m = jd.Model(kind)
    base, moved, outer, beside = (solid(m, name) for name in ("base", "moved", "outermost", "beside"))
    if kind == "free":
        m.free("it", m.ground, base, at=(0.1, -0.2, 0.3), rotation=[("z", 0.7)])
        m.revolute("turn", base, moved, axis=(0.6, 0.0, 0.8), at=(0.1, -0.2, 0.3))
    else:
        m.revolute("turn", m.ground, base, axis="z")
        if kind in ("revolute", "prismatic"):
            getattr(m, kind)("it", base, moved, axis=(0.6, 0.0, 0.8), at=(0.1, -0.2, 0.3), rotation=[("z", 0.7)])
        elif kind == "screw":
            m.screw("it", base, moved, axis=(0.6, 0.0, 0.8), pitch=0.3, at=(0.1, -0.2, 0.3))
        elif kind == "upright screw":
            m.screw("it", base, moved, axis="y", pitch=0.3, at=(0.1, -0.2, 0.3))
        elif kind == "angles":
            m.spherical("it", base, moved, orientation=jd.ANGLES, at=(0.1, -0.2, 0.3))
        elif kind == "weld":
            m.weld("it", base, moved, at=(0.1, -0.2, 0.3), rotation=[("z", 0.7)])
        elif kind == "locked":
            m.revolute("it", base, moved, axis="x", at=(0.1, -0.2, 0.3))
            m.lock("it", 0.4)
        elif kind == "rotor":
            m.revolute("it", base, moved, axis="x", at=(0.1, -0.2, 0.3))
            m.rotor("it", inertia=0.001, ratio=50.0)
        elif kind == "off-axis":
            m.joint("it", base, moved, H=[[0], [0], [2.0], [0.3], [0.4], [0.5]], r=[1], at=(0.1, 0.2, 0.3))
        elif kind == "massless":
            between = m.link("between")
            m.revolute("half", base, between, axis="x", at=(0.1, -0.2, 0.3))
            m.revolute("it", between, moved, axis="y")
        else:
            getattr(m, kind)("it", base, moved, at=(0.1, -0.2, 0.3))
    m.revolute("outer", moved, outer, axis="y", at=(0.0, 0.3, 0.1))
    m.prismatic("branch", base, beside, axis="x", at=(0.2, 0.0, 0.1))
    return m.system()


JOINTS = (
    "revolute", "prismatic", "screw", "upright screw", "universal", "cylindrical", "planar", "spherical", "free",
    "weld", "locked", "rotor", "off-axis", "massless",
)  # fmt: skip


def floating_in_free() -> System:
    """A free joint that is not at the ground."""
    m = jd.Model("free on a base")
    base, moved = solid(m, "base"), solid(m, "moved")
    m.revolute("turn", m.ground, base, axis="z")
    m.free("it", base, moved)
    return m.system()


def askew() -> System:
    """A sequence of two joints whose axes pass each other at a distance."""
    m = jd.Model("askew")
    m.joint("it", m.ground, solid(m, "body"), H=[[1, 0], [0, 0], [0, 1], [0, 0], [0, 0.5], [0.2, 0]], r=[1, 1])
    return m.system()


def free_with_a_rotor() -> System:
    """A rotor on a joint of six freedoms."""
    m = jd.Model("free with a rotor")
    m.free("it", m.ground, solid(m, "body"))
    m.rotor("it", inertia=0.01, index=2)
    return m.system()


def driven() -> System:
    """A joint that moves as given."""
    m = jd.Model("driven")
    base, moved = solid(m, "base"), solid(m, "moved")
    m.revolute("turn", m.ground, base, axis="z")
    m.revolute("it", base, moved, axis="x")
    m.prescribe("turn", jd.sin(m.time))
    return m.system()


def welded() -> System:
    """Nothing that can move."""
    m = jd.Model("welded")
    m.weld("it", m.ground, solid(m, "body"))
    return m.system()


def loaded() -> System:
    """A pendulum with a damper, which the peers are not given."""
    m = jd.Model.of(gallery.pendulum())
    m.joint_damper("angle", damping=3.0)
    return m.system()
