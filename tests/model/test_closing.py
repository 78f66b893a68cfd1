"""Loops: what closes them vanishes in all motions that the joint allows, and in no others."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.equations.constraints import bonds
from jourdain.equations.mechanics import Mechanics
from jourdain.graph import Node
from jourdain.graph.differentiate import jvp
from jourdain.model.system import System

from ..equations.systems import Array, State, evaluate, evaluate_rows, random_state

STILL = jd.principal(0.2, 0.3, 0.4)
PLACE: dict[str, Any] = {
    "at": (0.1, -0.2, 0.3), "rotation": [("x", 0.3), ("z", -1.1)], "child_at": (-0.4, 0.2, 0.1),
    "child_rotation": [("y", 0.7)],
}  # fmt: skip
SKEW = (1, 2, 2)
SCREW = [[0.2], [0.4], [0.4], [0.1], [0.3], [-0.5]]
SLIDE = [[0], [0], [0], [1], [2], [-2]]
TURN = [[0], [0], [2], [0.6], [-0.4], [0]]
PLATE = [[0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]
HELIX = [[0, 0, 0], [0, 0, 0], [1, 0, 0], [0.2, 1, 0], [-0.1, 0, 1], [0.3, 0, 0]]  # a screw, and slides across it
MOVES = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0.3], [0, 1, 0, -0.2], [0, 0, 1, 0]]  # Schoenflies
AROUND = [[2, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0], [0, -0.3, 0.25], [0.6, 0, 0.05], [-0.8, 0.1, -0.15]]  # (0.1, 0.4, 0.3)
TUBE = [[0, 0], [1, 2], [0, 0], [0.3, 0.6], [0.2, 1.4], [-0.1, -0.2]]
GLIDE = [[0, 0], [0, 0], [0, 0], [1, 0], [0, 2], [1, 1]]
SHIFT = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 2, 0], [1, 1, 1]]

Make = Callable[[jd.Model, Any, Any], object]


def given(H: Any) -> tuple[Make, Make]:
    return (
        lambda m, a, b: m.joint("j", a, b, H=H, **PLACE),
        lambda m, a, b: m.close("loop", "joint", a, b, H=H, **PLACE),
    )


CASES: dict[str, tuple[Make, Make]] = {
    "revolute": (lambda m, a, b: m.revolute("j", a, b, axis=SKEW, **PLACE),
                 lambda m, a, b: m.close("loop", "revolute", a, b, axis=SKEW, **PLACE)),
    "prismatic": (lambda m, a, b: m.prismatic("j", a, b, axis="-y", **PLACE),
                  lambda m, a, b: m.close("loop", "prismatic", a, b, axis="-y", **PLACE)),
    "screw": (lambda m, a, b: m.screw("j", a, b, axis=SKEW, pitch=0.3, **PLACE),
              lambda m, a, b: m.close("loop", "screw", a, b, axis=SKEW, pitch=0.3, **PLACE)),
    "cylindrical": (lambda m, a, b: m.cylindrical("j", a, b, axis="x", **PLACE),
                    lambda m, a, b: m.close("loop", "cylindrical", a, b, axis="x", **PLACE)),
    "universal": (lambda m, a, b: m.universal("j", a, b, axes=("z", "x"), **PLACE),
                  lambda m, a, b: m.close("loop", "universal", a, b, **PLACE)),
    "spherical": (lambda m, a, b: m.spherical("j", a, b, **PLACE),
                  lambda m, a, b: m.close("loop", "spherical", a, b, **PLACE)),
    "planar": (lambda m, a, b: m.planar("j", a, b, **PLACE),
               lambda m, a, b: m.close("loop", "planar", a, b, **PLACE)),
    "weld": (lambda m, a, b: m.weld("j", a, b, **PLACE), lambda m, a, b: m.close("loop", "weld", a, b, **PLACE)),
    **{
        f"given {name}": given(H)
        for name, H in (("screw", SCREW), ("slide", SLIDE), ("turn", TURN), ("plate", PLATE), ("helix", HELIX),
                        ("moves", MOVES), ("around", AROUND), ("tube", TUBE), ("glide", GLIDE), ("shift", SHIFT))
    },
}  # fmt: skip

def pair(join: Make) -> System:
    """Two bodies, the first free; the second joined to it, or free as well."""
    m = jd.Model("pair")
    a, b = (m.body(name, mass=1.0, inertia=STILL) for name in "ab")
    m.free("fa", m.ground, a)
    if join in [closed for _, closed in CASES.values()]:
        m.free("fb", m.ground, b)
    join(m, a, b)
    return m.system()


def quaternion(turn: Array) -> Array:
    """(x, y, z, w)"""
    return np.array(Rotation.from_matrix(turn).as_quat())


@pytest.mark.parametrize("name", CASES)
def test_rows_vanish_in_the_joints_motions_and_only_in_these(name: str) -> None:
    joined, closed = CASES[name]
    tree, loop = pair(joined), pair(closed)
    mechanics, free = Mechanics(tree), Mechanics(loop)
    rows = bonds(free, ["loop"])
    allowed = len(tree.speeds) - 6
    for seed in range(3):
        state = random_state(tree, np.random.default_rng(seed))
        state.q[7:] *= 3.0 if tree.joint("j").motion.nq == tree.joint("j").motion.np else 1.0  # screws turn on and on
        pose = evaluate_rows(mechanics, mechanics.pose("b"), state)
        q = np.concatenate([state.q[:7], pose[:3, 3], quaternion(pose[:3, :3])])
        # Every motion of the pair, as twists of both bodies.
        twists = np.vstack([np.eye(6, 6 + allowed), evaluate_rows(mechanics, mechanics.jacobian("b"), state)])
        there = State(q, twists @ state.u, np.zeros(12), np.zeros(12))
        positions = evaluate(free, rows.positions, there)
        assert np.abs(positions).max(initial=0.0) < 1e-13
        assert len(positions) == 6 - allowed
        matrix = evaluate_rows(free, rows.matrix, there)
        assert matrix.shape == (6 - allowed, 12)
        assert np.abs(matrix @ twists).max(initial=0.0) < 1e-12
        sizes = np.linalg.svd(matrix, compute_uv=False)
        assert sizes.min(initial=1.0) > 1e-3
        # A rate of zero, not only once: the rows' own rates under these motions' accelerations.
        rates = evaluate(mechanics, velocity_rates(mechanics), state)
        moving = State(q, twists @ state.u, np.concatenate([state.udot[:6], rates]), np.zeros(12))
        change = evaluate(free, rows.rest, moving) + matrix @ moving.udot
        assert np.abs(change).max(initial=0.0) < 1e-11 * (1.0 + np.abs(rates).max())


def velocity_rates(mechanics: Mechanics) -> list[Node]:
    """d/dt of the second body's twist in its own axes."""
    jacobian = mechanics.jacobian("b")
    u = mechanics.u
    twist = [sum((x * y for x, y in zip(row, u)), mechanics.graph.zero) for row in jacobian]
    clock = {**mechanics.quantities.rates(), **dict(zip(u, mechanics.udot))}
    return jvp(twist, clock)


def test_a_screw_may_turn_many_times() -> None:
    """A nut on a driven bolt: after three turns it is where the pitch says."""
    m = jd.Model("bolt", gravity=(0, 0, 0))
    nut = m.body("nut", mass=1.0, inertia=STILL)
    m.cylindrical("guide", m.ground, nut)
    m.close("thread", "screw", m.ground, nut, pitch=m.parameter("h", 0.01))
    d = jd.compile(m.system())
    angle = 6 * np.pi + 0.3
    assert np.abs(d.residual([angle, 0.01 * angle], [2.0, 0.02])["thread"]).max() < 1e-14
    assert abs(d.residual([angle, 0.01 * angle], [2.0, 0.03])["thread"][-1]) == pytest.approx(0.01, abs=1e-12)
    found = d.assemble([angle, 0.01 * angle + 0.004])
    assert found[1] == pytest.approx(0.01 * found[0], abs=1e-12)
    # M of the turn is I + m h²: a torque turns it as if the slide were not there, but for that.
    pushed = d.forward_dynamics([angle, 0.01 * angle], [0, 0], [1.0, 0.0])
    assert pushed[0] == pytest.approx(1 / (0.4 + 1e-4), rel=1e-12)


def test_wrong_loops_are_said() -> None:
    m = jd.Model("wrong")
    a, b = (m.body(name, mass=1.0, inertia=STILL) for name in "ab")
    m.free("fa", m.ground, a)
    m.free("fb", m.ground, b)
    m.close("one", "revolut", a, b)
    m.close("two", "revolute", a, a)
    m.close("three", "screw", a, b)
    m.close("four", "revolute", a, b, pitch=0.1)
    m.close("five", "screw", a, b, pitch=0.0)
    m.close("six", "joint", a, b)
    m.close("seven", "weld", a, b, H=SCREW)
    m.close("eight", "joint", a, b, H=[[1, 0], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0]])
    m.close("nine", "joint", a, b, H=np.eye(6))
    m.close("ten", "joint", a, b, H=np.zeros((6, 1)))
    m.close("eleven", "joint", a, b, H=np.eye(6)[:, :2], r=[1, 1], switchable=True)
    m.close("twelve", "joint", a, b, H=np.eye(6)[:, :2], r=[1, 2])
    with pytest.raises(jd.ModelError) as raised:
        m.system()
    assert [x.text for x in raised.value.mistakes] == [
        "loop 'one' is closed by 'revolut'; did you mean 'revolute'?",
        "loop 'two' joins 'a' to itself",
        "loop 'three' is closed by a 'screw'; give its pitch=",
        "loop 'four' is closed by a 'revolute'; only a screw has a pitch",
        "the pitch of loop 'five' is 0; that is a revolute joint",
        "loop 'six' is closed by a 'joint'; give its map, H=",
        "loop 'seven' is closed by a 'weld'; leave out H=, or write the kind 'joint'",
        "columns 1 and 2 of H of loop 'eight' are not closed under the Lie bracket: no joint with 2 coordinates has "
        "this constant map. For one motion after the other write the compound joint, with its r",
        "H of loop 'nine' allows every motion; there is nothing to close",
        "column 1 of H of loop 'ten' is zero: its speed would move nothing",
        "loop 'eleven' is closed by a compound joint, which holds always; cut it elsewhere",
        "r of joint 'twelve' is [1, 2]; it must hold positive whole numbers that sum to the 2 columns of H",
    ]
    assert all(x.where.file == __file__ for x in raised.value.mistakes)


def test_a_compound_joint_closes_a_loop() -> None:
    """Two free bodies held by a turn, a slide and a skew turn, one after the other, move as the tree so joined does."""
    H: list[list[float]] = [[0, 0, 0.6], [0, 0, 0], [1, 0, 0.8], [0, 1, 0], [0, 0.5, 0.1], [0, 0, 0]]

    def made(loop: bool) -> System:
        m = jd.Model("pair")
        a, b = (m.body(name, mass=1.0, inertia=STILL) for name in "ab")
        m.free("fa", m.ground, a)
        if loop:
            m.free("fb", m.ground, b)
            m.close("j", "joint", a, b, H=H, r=[1, 1, 1], **PLACE)
        else:
            m.joint("j", a, b, H=H, r=[1, 1, 1], **PLACE)
        m.joint_spring("j", stiffness=2.0, index=1)
        return m.system()

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tree, loop = jd.compile(made(False)), jd.compile(made(True))
    state = random_state(tree.system, np.random.default_rng(4))
    q, u = state.q, state.u
    pose, twist = tree.pose("b", q), tree.jacobian("b", q) @ u
    there, moving = np.zeros(len(loop.system.coordinates)), np.zeros(len(loop.system.speeds))
    for joint, own, rates in (
        ("fa", q[:7], u[:6]), ("fb", np.concatenate([pose[:3, 3], quaternion(pose[:3, :3])]), twist),
        ("j", q[7:], u[6:]),
    ):  # fmt: skip
        here, along = loop.system.slices(joint)
        there[here], moving[along] = own, rates
    assert np.abs(loop.residual(there, moving)["j"]).max() < 1e-13
    wanted, found = tree.forward_dynamics(q, u), loop.forward_dynamics(there, moving)
    for joint, rates in (("fa", wanted[:6]), ("j", wanted[6:])):
        assert np.abs(found[loop.system.slices(joint)[1]] - rates).max() < 1e-11 * (1.0 + np.abs(wanted).max())


def test_a_point_is_measured_in_axes_of_what_carries_both_sides() -> None:
    """A four-bar on an arm: nothing below the hand comes into the rows; on the ground they are as in a textbook."""
    m = jd.Model("gripper")
    arm, a, b, c = (m.body(name, mass=1.0, center=(0.1, 0, 0), inertia=STILL) for name in ("arm", "a", "b", "c"))
    m.revolute("shoulder", m.ground, arm, axis="y")
    m.revolute("q1", arm, a, axis="z")
    m.revolute("q2", a, b, axis="z", at=(0.2, 0, 0))
    m.revolute("q3", arm, c, axis="z", at=(0.45, 0, 0))
    m.close("pin", "revolute", b, c, axis="z", at=(0.5, 0, 0), child_at=(0.4, 0, 0))
    system = m.system()
    mechanics = Mechanics(system)
    rows = bonds(mechanics, ["pin"])
    along = [k for k, x in enumerate(rows.positions) if not x.is_constant]
    assert along == [1, 2]
    assert all(rows.matrix[k][0].is_zero for k in along)
    state = random_state(system, np.random.default_rng(3))
    q1, q2, q3 = (state.q[1], state.q[1] + state.q[2], state.q[3])
    x = 0.45 + 0.4 * np.cos(q3) - 0.2 * np.cos(q1) - 0.5 * np.cos(q2)
    y = 0.4 * np.sin(q3) - 0.2 * np.sin(q1) - 0.5 * np.sin(q2)
    found = evaluate(mechanics, [rows.positions[k] for k in along], state)
    np.testing.assert_allclose(found, [x, y], atol=1e-15)
