"""Real robots, of the wheel `example-robot-data`, load."""

from __future__ import annotations

import warnings
from importlib import metadata
from pathlib import Path

import pytest

import jourdain as jd
from jourdain.bench.robots import ROBOTS, robot, robot_file

from ..model.looking import Seen

# File, free joints' coordinates and speeds.
FILES = {
    "ur_description/urdf/ur5_robot.urdf": (6, 6),
    "ur_description/urdf/ur10_robot.urdf": (6, 6),
    "panda_description/urdf/panda.urdf": (9, 9),
    "solo_description/robots/solo.urdf": (8, 8),
    "solo_description/robots/solo12.urdf": (12, 12),
    "talos_data/robots/talos_reduced.urdf": (32, 32),
}
EMPTY = "ur3"  # a <robot> with a comment in it


def all_files() -> list[str]:
    """Every URDF of the wheel that has a robot in it."""
    wheel = metadata.distribution("example-robot-data")
    return sorted(str(wheel.locate_file(x)) for x in wheel.files or () if str(x).endswith(".urdf") and x.stem != EMPTY)


def test_a_file_without_robot_is_refused() -> None:
    with pytest.raises(jd.ModelError, match="the robot has no link"):
        jd.load_urdf(robot_file(f"ur_description/urdf/{EMPTY}.urdf"))


@pytest.mark.parametrize("path", FILES)
def test_known_robots_have_their_freedoms(path: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jd.ModelWarning)
        system = jd.load_urdf(robot_file(path))
        floating = jd.load_urdf(robot_file(path), floating=True, parameters=True)
    assert (len(system.coordinates), len(system.speeds)) == FILES[path]
    assert len(floating.coordinates) == len(system.coordinates) + 7
    assert len(floating.parameters) % 10 == 0
    assert Seen.at_random(system).forces.shape == (len(system.speeds),)


@pytest.mark.parametrize("name", ROBOTS)
def test_robots_of_the_benchmark(name: str) -> None:
    assert robot(name).name == name


@pytest.mark.parametrize("file", all_files(), ids=lambda x: Path(x).stem)
def test_every_robot_of_the_wheel_loads(file: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jd.ModelWarning)
        system = jd.load_urdf(file)
    assert len(system.bodies) == len(system.joints) > 0
    assert "root" in [x.name for x in system.joints]
