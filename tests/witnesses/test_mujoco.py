"""MuJoCo on a handful of mechanisms of hinges, slides, balls and free bodies."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest
from numpy.typing import NDArray

from jourdain.equations.mechanics import Mechanics
from jourdain.graph import Node, interpret
from jourdain.model.motion import Motion
from jourdain.model.system import GROUND, System

from ..equations.systems import State, Traits, random_state, random_system
from .agreement import agree
from .pinocchio_answers import evaluated, flat

Array = NDArray[np.float64]
KINDS = ("revolute", "prismatic", "spherical", "free")
WORDS = {"revolute": "hinge", "prismatic": "slide", "spherical": "ball", "free": "free"}


def numbers(nodes: list[Node]) -> Array:
    return np.array([float(x) for x in interpret(nodes, {})])


def written(values: Any) -> str:
    return " ".join(repr(float(x)) for x in values)


def quaternion(rotation: Array) -> Array:
    """Scalar first, as MuJoCo writes it."""
    found = np.zeros(4)
    mujoco.mju_mat2Quat(found, rotation.ravel())
    return found


def mjcf(system: System) -> str:
    """The tree, each MuJoCo body at our joint's moving frame: there its joint sits at the origin."""
    children: dict[str, list[int]] = {}
    for index, joint in enumerate(system.joints):
        children.setdefault(joint.parent, []).append(index)
    gravity = written(numbers(list(system.gravity)))
    inside = "".join(body(system, index, np.eye(4), children) for index in children.get(GROUND, []))
    return (
        f'<mujoco><compiler angle="radian" inertiafromgeom="false" balanceinertia="false"/>'
        f'<option gravity="{gravity}"><flag contact="disable"/></option><worldbody>{inside}</worldbody></mujoco>'
    )


def body(system: System, index: int, parent: Array, children: dict[str, list[int]]) -> str:
    """parent: the parent's body frame in its MuJoCo frame."""
    joint, own = system.joints[index], system.bodies[index]
    place = parent @ pose(joint.in_parent)
    inner = np.asarray(np.linalg.inv(pose(joint.in_child)), dtype=float)  # our body frame in the moving frame
    center = (inner @ np.append(numbers(list(own.center)), 1.0))[:3]
    central = numbers([x for row in own.inertia for x in row]).reshape(3, 3)
    central = inner[:3, :3] @ central @ inner[:3, :3].T
    full = [central[0, 0], central[1, 1], central[2, 2], central[0, 1], central[0, 2], central[1, 2]]
    # A free body of MuJoCo's moves beside the world: its q is its pose there, whatever its frame's place.
    at = np.eye(4) if joint.motion.kind == "free" else place
    inside = "".join(body(system, k, inner, children) for k in children.get(own.name, []))
    return (
        f'<body name="{own.name}" pos="{written(at[:3, 3])}" quat="{written(quaternion(at[:3, :3]))}">'
        f'{element(joint.name, joint.motion)}<inertial pos="{written(center)}" '
        f'mass="{written(numbers([own.mass]))}" fullinertia="{written(full)}"/>{inside}</body>'
    )


def element(name: str, motion: Motion) -> str:
    if motion.kind == "free":
        return f'<freejoint name="{name}"/>'
    axis = ""
    if motion.np == 1:
        column = numbers(list(motion.columns[0]))
        axis = f' axis="{written(column[:3] + column[3:])}"'
    return f'<joint name="{name}" type="{WORDS[motion.kind]}"{axis}/>'


def pose(given: Any) -> Array:
    found = np.eye(4)
    found[:3, :3] = numbers([x for row in given.rotation.matrix() for x in row]).reshape(3, 3)
    found[:3, 3] = numbers(list(given.translation))
    return found


class Beside:
    """MuJoCo's state and answers in our order; its free joint's linear speeds are along the world's axes."""

    def __init__(self, system: System, state: State) -> None:
        self.system = system
        self.model = mujoco.MjModel.from_xml_string(mjcf(system))
        self.data = mujoco.MjData(self.model)
        n = self.model.nv
        self.turn = np.zeros((n, n))  # our speeds -> MuJoCo's
        drift = np.zeros(n)
        for joint in system.joints:
            own_q, own_u = system.slices(joint.name)
            theirs = self.model.joint(joint.name)
            q, v = int(theirs.qposadr[0]), int(theirs.dofadr[0])
            value = state.q[own_q]
            size = own_u.stop - own_u.start
            if joint.motion.kind == "spherical":
                value = value[[3, 0, 1, 2]]
            if joint.motion.kind == "free":
                fixed = pose(joint.in_parent)
                turned = np.zeros(9)
                mujoco.mju_quat2Mat(turned, value[[6, 3, 4, 5]])
                own = fixed[:3, :3] @ turned.reshape(3, 3)
                value = np.concatenate([fixed[:3, :3] @ value[:3] + fixed[:3, 3], quaternion(own)])
                self.turn[v : v + 3, own_u.start + 3 : own_u.stop] = own
                self.turn[v + 3 : v + 6, own_u.start : own_u.start + 3] = np.eye(3)
                w, speed = state.u[own_u][:3], state.u[own_u][3:]
                drift[v : v + 3] = own @ np.cross(w, speed)  # (R v)' = R v' + R (w × v)
            else:
                self.turn[v : v + size, own_u] = np.eye(size)
            self.data.qpos[q : q + len(value)] = value
        self.data.qvel[:] = self.turn @ state.u
        mujoco.mj_forward(self.model, self.data)
        mass = np.zeros((n, n))
        for k in range(n):
            mujoco.mj_mulM(self.model, self.data, mass[k], np.eye(n)[k])
        self.mass = self.turn.T @ mass @ self.turn
        self.bias = self.turn.T @ (self.data.qfrc_bias + mass @ drift)
        self.data.qacc[:] = self.turn @ state.udot + drift
        mujoco.mj_inverse(self.model, self.data)
        self.inverse = self.turn.T @ self.data.qfrc_inverse


@pytest.mark.parametrize("kind", [*KINDS, "any"])
def test_dynamics(kind: str) -> None:
    for seed in range(4):
        if kind == "free":
            traits = Traits(("revolute", "spherical"), floating=True)
        else:
            traits = Traits(KINDS[:3] if kind == "any" else (kind,))
        system = random_system(seed, 1 + seed + (kind == "any"), traits)
        state = random_state(system, np.random.default_rng(seed))
        beside = Beside(system, state)
        mechanics = Mechanics(system)
        parts = {
            "mass": flat(mechanics.mass_matrix()), "bias": mechanics.bias_forces(),
            "inverse": mechanics.inverse_dynamics(),
        }  # fmt: skip
        found = evaluated(mechanics, parts, state)
        n = len(state.u)
        agree(found["mass"].reshape(n, n), beside.mass, 0.0, "mass matrix")
        m, u = np.abs(beside.mass), np.abs(state.u)
        size = float((m @ np.abs(state.udot) + m @ u * u.max()).max() + np.abs(beside.bias).max())
        agree(found["bias"], beside.bias, size, "bias")
        agree(found["inverse"], beside.inverse, size, "inverse dynamics")
