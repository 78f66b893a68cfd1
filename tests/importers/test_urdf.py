"""URDF: what the elements mean. Every joint type, origins, inertias, the tree, warnings, parameters."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.importers.urdf import plane
from jourdain.importers.urdf_file import Limits, read_urdf

from ..model.looking import Array, Seen, close

BODY = (
    '<inertial><origin xyz="0.1 0 0.2" rpy="0.3 0 0"/><mass value="2"/>'
    '<inertia ixx="0.3" iyy="0.4" izz="0.5" ixy="0.01" ixz="0" iyz="-0.02"/></inertial>'
)


def robot(joints: str, links: str = "") -> str:
    """Links base and tip, and what is given."""
    return f'<robot name="two"><link name="base"/><link name="tip">{BODY}</link>{links}{joints}</robot>'


def joint(kind: str, inside: str = "", name: str = "j") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="base"/><child link="tip"/>{inside}</joint>'


def turned(rpy: tuple[float, float, float]) -> Array:
    """R = Rz(yaw) Ry(pitch) Rx(roll)."""
    return np.array(Rotation.from_euler("xyz", rpy).as_matrix())


def moved(kind: str, axis: tuple[float, float, float], q: Array) -> Array:
    """The joint's motion by its definition."""
    found = np.eye(4)
    unit = np.array(axis) / np.linalg.norm(axis)
    if kind in ("revolute", "continuous"):
        found[:3, :3] = Rotation.from_rotvec(unit * q[0]).as_matrix()
    elif kind == "prismatic":
        found[:3, 3] = unit * q[0]
    elif kind == "floating":
        found[:3, :3] = Rotation.from_quat(q[3:]).as_matrix()
        found[:3, 3] = q[:3]
    elif kind == "planar":
        found[:3, :3] = Rotation.from_rotvec(unit * q[2]).as_matrix()
        found[:3, 3] = np.array(plane(axis)) @ [q[0], q[1], 0]
    return found


@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic", "fixed", "floating", "planar"])
@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 2.0), (1.0, 2.0, -2.0)])
def test_every_joint_type(kind: str, axis: tuple[float, float, float]) -> None:
    place, rpy = (0.1, -0.2, 0.3), (0.4, -0.5, 0.6)
    inside = f'<origin xyz="0.1 -0.2 0.3" rpy="0.4 -0.5 0.6"/><axis xyz="{axis[0]} {axis[1]} {axis[2]}"/>'
    system = jd.load_urdf(robot(joint(kind, inside)))
    seen = Seen.at_random(system)
    origin = np.eye(4)
    origin[:3, :3], origin[:3, 3] = turned(rpy), place
    assert close(seen.pose("tip"), origin @ moved(kind, axis, seen.state.q))
    count = {"fixed": 0, "floating": 7, "planar": 3}.get(kind, 1)
    assert len(system.coordinates) == count


def test_the_axis_is_x_where_none_is_given() -> None:
    seen = Seen(jd.load_urdf(robot(joint("revolute"))), q=[0.7])
    assert close(seen.pose("tip")[:3, :3], turned((0.7, 0, 0)))


def test_a_plane_of_a_coordinate_axis_has_the_axes_that_follow() -> None:
    assert plane((0, 0, 3)) == np.eye(3).tolist()
    assert np.array_equal(np.array(plane((2, 0, 0))).T, [[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert np.array_equal(np.array(plane((0, 5, 0))).T, [[0, 0, 1], [1, 0, 0], [0, 1, 0]])


def test_an_inertia_is_about_the_centre_in_its_own_axes() -> None:
    body = jd.load_urdf(robot(joint("revolute"))).body("tip")
    turn = turned((0.3, 0, 0))
    own = np.array([[0.3, 0.01, 0], [0.01, 0.4, -0.02], [0, -0.02, 0.5]])
    assert close([[x.value for x in row] for row in body.inertia], turn @ own @ turn.T)
    assert [x.value for x in body.center] == [0.1, 0, 0.2]
    assert body.mass.value == 2.0


def test_links_without_mass_are_massless() -> None:
    empty = '<link name="a"><inertial><mass value="0"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/>'
    fixed = joint("fixed", name="k").replace("tip", "a")
    system = jd.load_urdf(robot(joint("revolute") + fixed, f"{empty}</inertial></link>"))
    assert system.body("a").mass.is_zero
    assert system.body("base").mass.is_zero
    assert system.coordinates == ("j",)


def test_fixed_or_floating_on_the_ground() -> None:
    fixed = jd.load_urdf(robot(joint("revolute")))
    assert (fixed.name, fixed.coordinates) == ("two", ("j",))
    assert fixed.joint("root").motion.kind == "weld"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jd.ModelWarning)  # the tip's freedom is the base's too
        floating = jd.load_urdf(robot(joint("revolute")), floating=True)
    assert floating.coordinates == (*(f"root.{x}" for x in ("x", "y", "z", "qx", "qy", "qz", "qw")), "j")
    assert floating.speeds[:6] == tuple(f"root.{x}" for x in ("wx", "wy", "wz", "vx", "vy", "vz"))
    assert [x.value for x in fixed.gravity] == [0, 0, -9.81]


def test_a_joint_called_root_keeps_its_name() -> None:
    system = jd.load_urdf(robot(joint("revolute", name="root")))
    assert [x.name for x in system.joints] == ["root_", "root"]


def test_names_that_mean_something_here_get_an_underscore() -> None:
    text = robot(joint("revolute", name="t")).replace('"base"', '"ground"')
    system = jd.load_urdf(text, parameters=True)
    assert [x.name for x in system.bodies] == ["ground_", "tip"]
    assert [(x.name, x.parent) for x in system.joints] == [("root", "ground"), ("t_", "ground_")]
    both = text.replace('"tip"', '"ground_"')
    assert [x.name for x in jd.load_urdf(both).bodies] == ["ground__", "ground_"]


def test_the_order_is_the_trees_limb_by_limb() -> None:
    links = "".join(f'<link name="{x}"/>' for x in "abc")
    rows = "".join(
        f'<joint name="{name}" type="fixed"><parent link="{parent}"/><child link="{child}"/></joint>'
        for name, parent, child in (("jc", "a", "c"), ("jb", "base", "b"), ("ja", "base", "a"))
    )
    read = read_urdf(robot(rows + joint("fixed"), links))
    assert [x.name for x in read.joints] == ["jb", "ja", "jc", "j"]
    assert read.root == "base"


def test_parameters_have_the_files_values_and_can_be_changed() -> None:
    plain, changing = (jd.load_urdf(robot(joint("revolute")), parameters=x) for x in (False, True))
    assert dict(plain.parameters) == {}
    assert dict(changing.parameters) == {
        "tip.mass": 2.0, "tip.cx": 0.1, "tip.cy": 0.0, "tip.cz": 0.2, "tip.ixx": 0.3, "tip.iyy": 0.4, "tip.izz": 0.5,
        "tip.ixy": 0.01, "tip.ixz": 0.0, "tip.iyz": -0.02,
    }  # fmt: skip
    seen = Seen.at_random(plain)
    assert close(seen.forces, seen.at(changing).forces)


def test_limits_damping_and_friction_are_shown_and_not_applied() -> None:
    inside = '<limit lower="-1" upper="2.5e0" effort=".5" velocity="3."/><dynamics damping="0.1" friction="0.2"/>'
    (read,) = read_urdf(robot(joint("revolute", inside))).joints
    assert read.limits == Limits(-1.0, 2.5, 0.5, 3.0)
    assert (read.damping, read.friction) == (0.1, 0.2)
    assert not jd.load_urdf(robot(joint("revolute", inside))).loads
    (bare,) = read_urdf(robot(joint("revolute"))).joints
    assert (bare.limits, bare.damping, bare.friction, bare.mimic) == (None, 0.0, 0.0, None)


def test_a_joint_that_mimics_is_independent_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text(robot(joint("revolute", '\n<mimic joint="k"/>')))
    with pytest.warns(jd.ModelWarning, match="joint 'j' mimics 'k'; it is loaded as an independent joint") as caught:
        system = jd.load_urdf(path)
    assert system.coordinates == ("j",)
    assert [(x.filename, x.lineno) for x in caught] == [(str(path), 1)]


def test_an_impossible_inertia_is_warned_of() -> None:
    own = 'ixx="0.3" iyy="0.4" izz="0.5" ixy="0.01" ixz="0" iyz="-0.02"'
    with pytest.warns(jd.ModelWarning, match=r"link 'tip' has an inertia that no physical body has.* 0\.1, 0\.2, 1 "):
        jd.load_urdf(robot(joint("revolute")).replace(own, 'ixx="0.1" iyy="0.2" izz="1" ixy="0" ixz="0" iyz="0"'))


def test_other_elements_are_passed_over_and_names_are_read(tmp_path: Path) -> None:
    text = robot(joint("revolute"), '<material name="red"/><transmission name="t"/><gazebo><link name="x"/></gazebo>')
    assert [x.name for x in jd.load_urdf(text).bodies] == ["base", "tip"]
    path = tmp_path / "no name.urdf"
    path.write_text(text.replace(' name="two"', ""))
    assert jd.load_urdf(str(path)).name == "no name"
    assert jd.load_urdf("  " + text.replace("two", "7'")).name == "robot"
    assert jd.load_urdf(text.replace("two", "Roboter für μ")).name == "Roboter für μ"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_files_say_their_encoding(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    text = f'<?xml version="1.0" encoding="{encoding}"?>' + robot(joint("revolute")).replace("tip", "hüfte")
    path.write_bytes(text.encode(encoding))
    assert [x.name for x in jd.load_urdf(path).bodies] == ["base", "hüfte"]


def test_a_loaded_robot_can_be_saved(tmp_path: Path) -> None:
    system = jd.load_urdf(robot(joint("planar", '<axis xyz="1 2 3"/>')), parameters=True)
    system.save(tmp_path / "x.json")
    seen = Seen.at_random(system)
    assert np.array_equal(seen.forces, seen.at(jd.load(tmp_path / "x.json")).forces)
