"""URDF: the dynamics of a robot's description file as a `System`."""

from __future__ import annotations

import os
from collections.abc import Collection

import numpy as np

from ..graph import Node
from ..model.inertias import tensor
from ..model.mistakes import warn
from ..model.model import Model
from ..model.system import GROUND, TIME, System
from .urdf_file import Inertial, Joint, Link, Robot, Triple, read_urdf

TRIANGLE = 1e-6  # what printed digits may miss, relative to the largest principal moment
ROOT = "root"


def load_urdf(source: str | os.PathLike[str], floating: bool = False, parameters: bool = False) -> System:
    """The robot of a URDF file (a path, or the text itself where a string begins with "<").

    Joints and links keep their names, but a link called "ground" has an underscore after it, and a joint called "t",
    which is the time. The root link is welded to the ground or, when `floating`, carried by a free
    joint; that joint is called "root" (with underscores after it where the file has a joint of that name). A floating
    joint's coordinates are position, then quaternion (x, y, z, w); its speeds angular, then linear velocity, in the
    moved link's axes. A planar joint's normal is its axis: for the axis z it has x, y and the angle, for x or y
    the axes follow in turn (y and z, z and x). Gravity is 9.81 m/s² along −z of the ground.

    parameters: each link's mass, mass centre and inertia become parameters with the file's values as defaults:
    "LINK.mass", "LINK.cx" … "LINK.cz", "LINK.ixx", "LINK.iyy", "LINK.izz", "LINK.ixy", "LINK.ixz", "LINK.iyz", the
    inertia about the mass centre, in the axes of the file's <inertial>.

    Joint damping, friction and limits are not applied: `importers.urdf_file.read_urdf` shows them, and a System with
    them is made by placing this one in a `Model` and adding `joint_damper` and `joint_friction`. Geometry,
    transmissions and simulators' own elements are passed over; no other file is opened. A joint that mimics another
    is loaded as independent, with a ModelWarning; so is a link whose inertia no physical body has.
    """
    robot = read_urdf(source)
    model = Model(robot.name)
    names = {joint.name for joint in robot.joints}
    bodies = {link: _free(link, {GROUND}, robot.links) for link in robot.links}
    base = bodies[robot.root]
    _add_link(model, base, robot.links[robot.root], parameters)
    root = _free(ROOT, names, ())
    if floating:
        model.free(root, GROUND, base)
    else:
        model.weld(root, GROUND, base)
    for joint in robot.joints:
        parent, child = bodies[joint.parent], bodies[joint.child]
        _add_link(model, child, robot.links[joint.child], parameters)
        _add_joint(model, joint, _free(joint.name, {TIME}, names), parent, child)
    _warn(robot)
    return model.system()


def _free(name: str, taken: Collection[str], others: Collection[str]) -> str:
    """The name, with underscores after it where it is taken (and no other thing is called so)."""
    while name in taken:
        name += "_"
        taken = {*taken, *others}
    return name


def _add_link(model: Model, name: str, link: Link, parameters: bool) -> None:
    own = link.inertial
    if own is None or not (parameters or own.mass or any(own.inertia)):
        model.link(name)
        return
    mass, center, inertia = _parameters(model, name, own) if parameters else (own.mass, own.xyz, own.inertia)
    shape = tensor(inertia).in_axes(_turns(own.rpy)).as_meant()
    model.body(name, mass=mass, center=center, inertia=shape)


def _parameters(model: Model, link: str, own: Inertial) -> tuple[Node, list[Node], list[Node]]:
    def named(names: tuple[str, ...], values: tuple[float, ...]) -> list[Node]:
        return [model.parameter(f"{link}.{name}", value) for name, value in zip(names, values)]

    return (
        model.parameter(f"{link}.mass", own.mass),
        named(("cx", "cy", "cz"), own.xyz),
        named(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), own.inertia),
    )


def _add_joint(model: Model, joint: Joint, name: str, parent: str, child: str) -> None:
    turns = _turns(joint.rpy)
    if joint.kind in ("revolute", "continuous"):
        model.revolute(name, parent, child, axis=joint.axis, at=joint.xyz, rotation=turns)
    elif joint.kind == "prismatic":
        model.prismatic(name, parent, child, axis=joint.axis, at=joint.xyz, rotation=turns)
    elif joint.kind == "floating":
        model.free(name, parent, child, at=joint.xyz, rotation=turns)
    elif joint.kind == "fixed":
        model.weld(name, parent, child, at=joint.xyz, rotation=turns)
    else:
        normal = np.array(plane(joint.axis))
        stand = _matrix(joint.rpy) @ normal
        model.planar(name, parent, child, at=joint.xyz, rotation=stand, child_rotation=normal)


def _turns(rpy: Triple) -> list[tuple[str, float]] | None:
    """R = Rz(yaw) Ry(pitch) Rx(roll), without the turns by nothing."""
    roll, pitch, yaw = rpy
    return [turn for turn in (("z", yaw), ("y", pitch), ("x", roll)) if turn[1]] or None


def _matrix(rpy: Triple) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def plane(normal: Triple) -> list[list[float]]:
    """A rotation whose third column is the normal; for a coordinate axis the two others follow it in turn."""
    n = np.array(normal) / np.abs(normal).max()
    n /= np.linalg.norm(n)
    first = np.eye(3)[(int(np.argmax(np.abs(n))) + 1) % 3]
    a = first - n * (n @ first)
    a /= np.linalg.norm(a)
    rows: list[list[float]] = np.column_stack([a, np.cross(n, a), n]).tolist()
    return rows


def _warn(robot: Robot) -> None:
    for joint in robot.joints:
        if joint.mimic is not None:
            warn(f"joint {joint.name!r} mimics {joint.mimic!r}; it is loaded as an independent joint", joint.where)
    for link in robot.links.values():
        if link.inertial is not None:
            xx, yy, zz, xy, xz, yz = link.inertial.inertia
            moments = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            if 2 * moments.max() > moments.sum() + TRIANGLE * np.abs(moments).max():
                shown = ", ".join(f"{x:.4g}" for x in moments)
                warn(
                    f"link {link.name!r} has an inertia that no physical body has: of its principal moments {shown} "
                    "one is larger than the two others together",
                    link.where,
                )
