"""Real robots: Pinocchio on the same tree, and Pinocchio's own reading of the same file."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from numpy.typing import NDArray

from jourdain.bench.robots import ROBOTS, robot, robot_file
from jourdain.equations.mechanics import Mechanics
from jourdain.model.motion import Orientation

from ..equations.systems import random_state
from .agreement import agree
from .pinocchio_answers import evaluated, everything_agrees, flat
from .test_derivatives import derivatives_agree

Array = NDArray[np.float64]


@pytest.mark.parametrize("name", ROBOTS)
def test_everything(name: str) -> None:
    everything_agrees(robot(name), 1, states=2)


@pytest.mark.parametrize("name", ["ur5", "panda", "solo"])
def test_derivatives(name: str) -> None:
    derivatives_agree(robot(name), 2)


@pytest.mark.parametrize("name", ROBOTS)
def test_the_file_as_pinocchio_reads_it(name: str) -> None:
    """Joints are matched by name, so that neither the tree's order nor the merging of links matters."""
    system = robot(name)
    model = read_by_pinocchio(name)
    data = model.createData()
    moving = [joint for joint in system.joints if not joint.prescribed and joint.motion.np]
    places = [place_in(model, joint.name) for joint in moving]
    order = [k for _, speeds in places for k in speeds]
    assert sorted(order) == list(range(model.nv))
    mechanics = Mechanics(system)
    parts = {"inverse": mechanics.inverse_dynamics(), "mass": flat(mechanics.mass_matrix())}
    state = random_state(system, np.random.default_rng(3))
    q, u, udot = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
    for (start, speeds), joint in zip(places, moving):
        own_q, own_u = system.slices(joint.name)
        value = state.q[own_q]
        if joint.motion.orientation is not Orientation.QUATERNION and wide(model, start) == 2:
            value = np.array([np.cos(value[0]), np.sin(value[0])])
        q[start : start + len(value)] = value
        u[speeds], udot[speeds] = state.u[own_u], state.udot[own_u]
    found = evaluated(mechanics, parts, state)
    wanted = np.asarray(pin.rnea(model, data, q, u, udot))[order]
    mass = np.triu(pin.crba(model, data, q))
    mass = (mass + np.triu(mass, 1).T)[np.ix_(order, order)]
    size = float((np.abs(mass) @ np.abs(state.udot)).max()) + float(np.abs(wanted).max())
    agree(found["inverse"], wanted, size, "inverse dynamics")
    agree(found["mass"].reshape(mass.shape), mass, 0.0, "mass matrix")


def read_by_pinocchio(name: str) -> Any:
    """The model, with what we hold still held there, too."""
    known = ROBOTS[name]
    path = str(robot_file(known.path))
    model = pin.buildModelFromUrdf(path, pin.JointModelFreeFlyer()) if known.floating else pin.buildModelFromUrdf(path)
    held = [model.getJointId(x) for x in model.names if known.locked and known.locked in x]
    return pin.buildReducedModel(model, held, pin.neutral(model)) if held else model


def place_in(model: Any, joint: str) -> tuple[int, list[int]]:
    """Where a joint's coordinates begin in Pinocchio's q, and where its speeds, in our order, lie."""
    name = joint if model.existJointName(joint) else "root_joint"
    found = model.joints[model.getJointId(name)]
    speeds = list(range(found.idx_v, found.idx_v + found.nv))
    return found.idx_q, speeds[3:] + speeds[:3] if found.nv == 6 else speeds


def wide(model: Any, start: int) -> int:
    """How many coordinates the joint has whose coordinates begin here."""
    return next(int(joint.nq) for joint in model.joints if joint.nv and joint.idx_q == start)
