"""Real robots by name, from the wheel that brings them."""

from __future__ import annotations

from importlib import metadata

import pytest

from jourdain.bench.own import own
from jourdain.bench.pinocchio_peer import PinocchioPython
from jourdain.bench.robots import ROBOTS, robot, robot_file
from jourdain.bench.toolchain import Missing

SPEEDS = {"ur5": 6, "panda": 7, "solo": 18, "talos": 38}


def test_every_robot_is_here() -> None:
    assert set(ROBOTS) == set(SPEEDS)


@pytest.mark.parametrize("name", SPEEDS)
def test_robots(name: str) -> None:
    """Named as asked for, with their freedoms; and Pinocchio, given their bodies, answers as we do."""
    system = robot(name)
    assert (system.name, len(system.speeds)) == (name, SPEEDS[name])
    PinocchioPython().prepare(own(system).case())


def test_without_the_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> object:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr("jourdain.bench.robots.metadata.distribution", absent)
    with pytest.raises(Missing, match="example-robot-data is not installed: pip install example-robot-data"):
        robot("ur5")


def test_a_wheel_without_the_file() -> None:
    with pytest.raises(Missing, match=r"has no no/such\.urdf: pip install --upgrade example-robot-data"):
        robot_file("no/such.urdf")
