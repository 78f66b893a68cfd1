"""The Whipple bicycle with the benchmark's parameters of Meijaard, Papadopoulos, Ruina and Schwab (2007)."""

from __future__ import annotations

import math

from ..graph import Node
from ..model.inertias import InertiaOf, principal, tensor
from ..model.model import Model
from ..model.system import System

PARAMETERS = {  # m, rad, kg, kg m²; the benchmark's
    "w": 1.02, "c": 0.08, "lam": math.pi / 10, "g": 9.81,
    "r_R": 0.3, "m_R": 2.0, "IR_xx": 0.0603, "IR_yy": 0.12,
    "x_B": 0.3, "z_B": -0.9, "m_B": 85.0, "IB_xx": 9.2, "IB_xz": 2.4, "IB_yy": 11.0, "IB_zz": 2.8,
    "x_H": 0.9, "z_H": -0.7, "m_H": 4.0, "IH_xx": 0.05892, "IH_xz": -0.00756, "IH_yy": 0.06, "IH_zz": 0.00708,
    "r_F": 0.35, "m_F": 3.0, "IF_xx": 0.1405, "IF_yy": 0.28,
}  # fmt: skip


def whipple_bicycle() -> System:
    """The Whipple bicycle, full and nonlinear, with the parameters of Meijaard et al.'s benchmark (2007).

    Four bodies: rear frame B with the rider, front frame H (fork and handlebar), rear wheel R, front wheel F, thin
    wheels that roll on a level plane without slipping. The ground's z is *down*, as in the paper: x forward and y to
    the right while the bicycle rides along x. w is the wheelbase, c the trail, lam the steer axis's tilt from the
    vertical; mass centres and moments are those of the reference position (upright, straight, rear contact at the
    origin), along the ground's axes.

    Coordinates: the rear contact's place on the ground, contact.x and contact.y, and the heading contact.angle; lean
    (positive to the right), pitch of the rear frame, rear_wheel, steer (positive to the right) and front_wheel. That
    the front wheel touches the ground makes pitch depend on lean and steer: `assemble` finds it. Both wheels roll,
    which leaves three speeds: lean_rate, steer_rate and wheel_rate, how fast the rear wheel turns about its axle
    against the lean frame, negative forward: the rear contact moves at −r_R · wheel_rate along the heading.

    Inputs: torques lean_torque of the ground on the rear frame about the line of its heading, steer_torque of the rear
    frame on the front frame, and drive_torque of the rear frame on the rear wheel.
    """
    m = Model("whipple-bicycle")
    p = m.parameters(**PARAMETERS)
    m.gravity = (0, 0, p.g)
    lean_torque, steer_torque, drive_torque = m.inputs("lean_torque", "steer_torque", "drive_torque")
    heading, upright = m.link("heading frame"), m.link("lean frame")
    # B's frame has its origin at the rear wheel's centre, H's where the steer axis meets the ground.
    rear_inertia = _symmetric(p.IB_xx, p.IB_xz, p.IB_yy, p.IB_zz)
    B = m.body("B", mass=p.m_B, center=(p.x_B, 0, p.z_B + p.r_R), inertia=rear_inertia)
    R = m.body("R", mass=p.m_R, inertia=principal(p.IR_xx, p.IR_yy, p.IR_xx))
    front_inertia = _symmetric(p.IH_xx, p.IH_xz, p.IH_yy, p.IH_zz)
    H = m.body("H", mass=p.m_H, center=(p.x_H - p.w - p.c, 0, p.z_H), inertia=front_inertia)
    F = m.body("F", mass=p.m_F, inertia=principal(p.IF_xx, p.IF_yy, p.IF_xx))
    tilted = [("y", p.lam)]
    m.planar("contact", m.ground, heading)
    m.revolute("lean", heading, upright, axis="x")
    m.revolute("pitch", upright, B, axis="y", at=(0, 0, -p.r_R))
    m.revolute("rear_wheel", B, R, axis="y")
    m.revolute("steer", B, H, axis="z", at=(p.w + p.c, 0, p.r_R), rotation=tilted, child_rotation=tilted)
    m.revolute("front_wheel", H, F, axis="y", at=(-p.c, 0, -p.r_F))

    # The rear contact travels with the lean frame; where it is, the wheel turns about the axle against that frame.
    contact = upright.origin.velocity
    rear = (R.omega - upright.omega) @ upright.y
    m.keep("rear wheel rolls", contact @ heading.x + p.r_R * rear, contact @ heading.y)
    touch = m.wheel(F, radius=p.r_F, axis="y", fork=H, normal="-z")
    m.keep("front wheel touches", touch.gap)
    m.keep("front wheel rolls", *touch.rolling)
    m.speeds(lean_rate=m["lean"].speed, steer_rate=m["steer"].speed, wheel_rate=rear)

    m.joint_force("lean", lean_torque)
    m.joint_force("steer", steer_torque)
    m.joint_force("rear_wheel", drive_torque)
    return m.system()


def _symmetric(xx: Node, xz: Node, yy: Node, zz: Node) -> InertiaOf:
    """Of a body whose left is its right's mirror image."""
    rows: list[list[Node | float]] = [[xx, 0.0, xz], [0.0, yy, 0.0], [xz, 0.0, zz]]
    return tensor(rows)
