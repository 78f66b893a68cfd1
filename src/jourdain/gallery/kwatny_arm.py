"""Kwatny and Blankenship's arm of six freedoms (1995), section IV."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.inertias import principal, thin_rod
from ..model.model import Model
from ..model.system import System

SHOULDER = [[0, 0], [1, 0], [0, 1], [0, 0], [0, 0], [0, 0]]  # the paper's H1: turns about y and z
WRIST = [[0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]  # H3: y, z, x


def kwatny_arm(wrist: Sequence[int] = (1, 1, 1)) -> System:
    """Kwatny and Blankenship's arm of six freedoms (1995): shoulder, elbow and wrist, two bars and a gripper.

    wrist: how the wrist is made of simple joints: (1, 1, 1) the paper's compound representation, (3,) its simple one,
    whose speeds are the gripper's angular velocity relative to the forearm along the gripper's own y, z and x. The
    coordinates are the same: shoulder.q1, shoulder.q2, elbow, wrist.q1, wrist.q2, wrist.q3 are the paper's s1, s2, e,
    t1, t2, t3. The shoulder is compound in both, r = (1, 1): its two columns are not closed under the bracket, so they
    are no simple joint, whatever the paper's last page says.

    Bodies: `upper arm`, `forearm`, `gripper`, each with its frame at its joint and along its z. The gripper's moment
    about its own axis is m3 R3²/12, as printed; that of a solid cylinder is m3 R3²/2. The point `tip` is the paper's
    end effector.
    """
    m = Model("kwatny-arm")
    p = m.parameters(m1=1.0, L1=3.0, m2=1.0, L2=3.0, m3=0.5, L3=0.7, R3=0.35, g=9.81)
    m.gravity = (0, 0, -p.g)
    upper = m.body("upper arm", mass=p.m1, center=(0, 0, p.L1 / 2), inertia=thin_rod(p.L1, "z"))
    forearm = m.body("forearm", mass=p.m2, center=(0, 0, p.L2 / 2), inertia=thin_rod(p.L2, "z"))
    across = p.m3 * (p.L3 * p.L3 + 3.0 * p.R3 * p.R3) / 12.0
    along = p.m3 * p.R3 * p.R3 / 12.0
    gripper = m.body("gripper", mass=p.m3, center=(0, 0, p.L3 / 2), inertia=principal(across, across, along))
    m.joint("shoulder", m.ground, upper, H=SHOULDER, r=[1, 1])
    m.revolute("elbow", upper, forearm, axis="y", at=(0, 0, p.L1))
    m.joint("wrist", forearm, gripper, H=WRIST, r=list(wrist), at=(0, 0, p.L2))
    gripper.point("tip", (0, 0, p.L3))
    return m.system()
