"""Real robots to be measured on: UR5, Panda, Solo and Talos from the wheel `example-robot-data`."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from ..model.system import System
from .toolchain import Missing

WHEEL = "example-robot-data"


@dataclass(frozen=True)
class Robot:
    """A file of the wheel; floating: on a free base; locked: a part of the names of joints that are held at zero."""

    path: str
    floating: bool = False
    locked: str = ""


ROBOTS = {
    "ur5": Robot("ur_description/urdf/ur5_robot.urdf"),
    "panda": Robot("panda_description/urdf/panda.urdf", locked="finger"),
    "solo": Robot("solo_description/robots/solo12.urdf", floating=True),
    "talos": Robot("talos_data/robots/talos_reduced.urdf", floating=True),
}


def robot(name: str) -> System:
    """The robot of this name, called so; Missing where the wheel is not installed."""
    import warnings

    from ..importers.urdf import load_urdf
    from ..model.mistakes import ModelWarning
    from ..model.model import Model

    known = ROBOTS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # of fingers that mimic one another: they are locked
        system = load_urdf(robot_file(known.path), known.floating)
    model = Model.of(system)
    model.name = name
    for joint in system.joints:
        if known.locked and known.locked in joint.name:
            model.lock(joint.name)
    return model.system()


def robot_file(path: str) -> Path:
    """A robot's description file, from `robots/` of the wheel; the wheel itself is not imported."""
    try:
        wheel = metadata.distribution(WHEEL)
    except metadata.PackageNotFoundError:
        raise Missing(f"{WHEEL} is not installed: pip install {WHEEL}") from None
    found = [file for file in wheel.files or () if str(file).endswith(f"robots/{path}")]
    if not found:
        raise Missing(f"{WHEEL} {wheel.version} has no {path}: pip install --upgrade {WHEEL}")
    return Path(str(wheel.locate_file(found[0])))
