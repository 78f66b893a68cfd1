"""Every mistake that a model can hold: what is said, and that it points at the user's own line; all raised together."""

from __future__ import annotations

import inspect
import math
import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.equations.generalized import mechanics_of
from jourdain.graph import Node
from jourdain.model.mistakes import ModelError, Where, did_you_mean

Write = Callable[[Any], object]  # of a model; what it is given is often of the wrong type
STILL = jd.principal(1, 1, 1)
UP_AND_ASIDE: Any = (1, 1, 0)


def model() -> jd.Model:
    """A model without mistakes."""
    m = jd.Model("rig")
    arm = m.body("arm", mass=1.0, inertia=STILL)
    m.revolute("swing", m.ground, arm)
    ball = m.body("ball", mass=1.0, inertia=STILL)
    m.spherical("socket", arm, ball)
    m.parameter("L", 0.5)
    m.parameter("none", 0.0)
    m.input("F")
    arm.point("tip", (0, 0, 1))
    arm.frame("hand", (0, 0, 1))
    return m


def other() -> jd.Model:
    """Another one."""
    m = jd.Model("other")
    m.revolute("hinge", m.ground, m.body("leaf", mass=1.0, inertia=STILL))
    m.body("door", mass=1.0).frame("knob").body.point("edge", (1, 0, 0))
    m.parameter("width", 1.0)
    return m


# What a user writes on one line, and all that is said of it.
ROWS: list[tuple[Write, Sequence[str]]] = [
    # names
    (lambda m: m.body("7up", mass=1, inertia=STILL), ["'7up' is no name for a body", "'unnamed body' moves|no joint"]),
    (lambda m: m.parameter("a" * 201, 1), ["is no name for a parameter"]),
    (lambda m: m.parameter("two\nlines", 1), ["is no name for a parameter"]),
    (lambda m: m.parameter(" blank ", 1), ["is no name for a parameter"]),
    (lambda m: m.parameter("L", 1), [r"parameter 'L': the name is taken by a parameter \(.*test_mistakes.py:\d+\)"]),
    (lambda m: m.parameter("t", 1), ["parameter 't': the name is taken by the time"]),
    (lambda m: m.input("swing"), ["input 'swing': the name is taken by a coordinate"]),
    (lambda m: m.body("ground"), ["body 'ground': the name is taken by the ground", "no joint that carries it"]),
    (lambda m: m.body("arm"), ["body 'arm': the name is taken by a body", r"body 'arm \(2\)' has no joint"]),
    (lambda m: m.output("x", 1) or m.output("x", 2), ["output 'x': the name is taken by an output"]),
    # numbers, triples, axes
    (lambda m: m.parameter("p", "1"), ["the value of parameter 'p' is '1'; a number or an expression"]),
    (lambda m: m.parameter("p", True), ["the value of parameter 'p' is True; a number or an expression"]),
    (lambda m: m.parameter("p", math.nan), ["the value of parameter 'p' is nan; it must be finite"]),
    (lambda m: m.parameter("p", m["L"] * 2), ["is the expression L\\*2|2\\*L; a plain number is needed"]),
    (lambda m: m.input("i", np.inf), ["the value of input 'i' is inf; it must be finite"]),
    (lambda m: m.joint_force("swing", m["L"] / m.graph.zero), ["a part of load 'joint force 1' is inf at the par"]),
    (lambda m: m.joint_force("swing", m.graph.constant(1) / 0), ["'joint force 1' is inf; a finite number or an exp"]),
    (lambda m: m.joint_force("swing", other().time), ["is an expression of another model; build it"]),
    (lambda m: m.change("arm", mass=m["F"], inertia=STILL), ["the mass of body 'arm' depends on F; only numbers"]),
    (lambda m: m["arm"].point("p", (0, 1)), [r"at of point 'p' is \(0, 1\); three numbers or expressions"]),
    (lambda m: m["arm"].point("p", "xyz"), ["at of point 'p' is 'xyz'; three numbers"]),
    (lambda m: m["arm"].point("p", 3), ["at of point 'p' is 3; three numbers"]),
    (lambda m: m["arm"].point("p", np.array(3.0)), ["at of point 'p' is array.3.*three numbers"]),
    (lambda m: m["arm"].point("p", [[9] * 40] * 3), [r"at\[0\] of point 'p' is", r"at\[1\]", r"at\[2\]"]),
    (lambda m: m["arm"].point("p", "long" * 30), [r"at of point 'p' is '(long){19}\.\.\.; three"]),
    (lambda m: m.revolute("j", "ball", m.link("l"), axis="q"), ["""the axis of joint 'j' is 'q'; write "x", "y","""]),
    (lambda m: m.revolute("j", "ball", m.link("l"), axis=(0, 0, 0)), ["the axis of joint 'j' has no length"]),
    # rotations and inertias
    (lambda m: m["arm"].frame("f", rotation=5), ["rotation of frame 'f' is 5; a 3x3 matrix, a SciPy Rotation or"]),
    (lambda m: m["arm"].frame("f", rotation=[[1, 0]]), ["rotation of frame 'f' is .*; a 3x3 matrix"]),
    (lambda m: m["arm"].frame("f", rotation=2 * np.eye(3)), ["is not a rotation: it misses RᵀR = 1 by 3;"]),
    (lambda m: m["arm"].frame("f", rotation=-np.eye(3)), ["is not a rotation: it is a reflection"]),
    (lambda m: m["arm"].frame("f", rotation=other().read.rotation(None, "")), ["is a rotation of another model"]),
    (lambda m: m["arm"].frame("f", rotation=[("z", m["F"])]), ["the angle about z depends on F"]),
    (lambda m: m["arm"].frame("f", rotation=np.diag([m["L"] * 2, 1, m["L"]])), ["its rotation is not a rotation"]),
    (lambda m: m.change("arm", 1, inertia=[1, 2]), ["the inertia is .1, 2.; a symmetric 3x3 matrix is needed"]),
    (lambda m: m.change("arm", 1, inertia=3), ["the inertia is 3; a symmetric 3x3 matrix is needed"]),
    (lambda m: m.change("arm", 1, inertia=[[1, 0, 2], [0, 1, 0], [0, 0, 1]]), [r"is not symmetric: \[0\]\[2\] is 2"]),
    (lambda m: m.change("arm", 1, inertia=STILL.about("end")), ["""about 'end'; write "origin" or a point"""]),
    (lambda m: m.change("arm", 1, inertia=STILL.about(m["ball"].origin)), ["about 'ball.origin', a point of 'ball'"]),
    (lambda m: m.change("ball", 1, inertia=STILL.in_axes(m["hand"])), ["axes of 'hand', a frame of 'arm'"]),
    (lambda m: m.change("ground", 1), ["the ground has no mass to change"]),
    (lambda m: m.change("arm", 1), ["body 'arm' moves and has no inertia; give inertia=, or write m.particle"]),
    (lambda m: m.change("arm"), ["body 'arm' moves and has no mass; give mass= and inertia="]),
    (lambda m: m.change("arm", mass=1 / m["none"], inertia=STILL), ["the mass of body 'arm' is inf at the param"]),
    (lambda m: m.change("arm", 1, (0, 1 / m["none"], 0), STILL), ["the mass centre of body 'arm' is inf at"]),
    (lambda m: m.change("arm", 1, inertia=jd.principal(1, 1, 1 / m["none"])), ["inertia of body 'arm' is inf at"]),
    (lambda m: m.change("arm", 1, inertia=jd.thin_disk(1, axis=UP_AND_ASIDE)), ["axis is .1, 1, 0., along none of"]),
    (lambda m: m.wheel("arm", radius=-1), ["the radius of a wheel that touches is -1; a positive number is needed"]),
    (lambda m: m.ball("arm", radius=0.0), ["the radius of a ball that touches is 0; a positive number is needed"]),
    # what is kept: nothing more is said of what could not be read
    (lambda m: m.keep("c", m.ball("arm", radius=1)), ["row 1 is a Touch, which has a gap, slip, …; a number or"]),
    (lambda m: m.keep("c", m["arm"].omega), ["constraint 'c', row 1 is the vector arm.omega; a scalar is needed"]),
    (lambda m: m.keep("c", m["swing"].coordinate, m["swing"].speed), ["'c' mixes rows of coordinates with rows of"]),
    # bodies, joints, points of the model
    (lambda m: m.remove(3), ["the body to remove is 3; a body or its name is needed"]),
    (lambda m: m.remove("ar"), ["the body to remove is 'ar', .* did you mean 'arm'"]),
    (lambda m: m.remove(other().ground), ["is the body 'ground' of another model"]),
    (lambda m: m.remove("ground"), ["the ground cannot be removed"]),
    (lambda m: m.change("ar", 1), ["the body to change is 'ar', .* did you mean 'arm'"]),
    (lambda m: m.replace("ar", other_part()), ["the body to replace is 'ar', .* did you mean 'arm'"]),
    (lambda m: m.joint_force("swng", 1), ["the joint of a force is 'swng', .* did you mean 'swing'"]),
    (lambda m: m.joint_force(7, 1), ["the joint of a force is 7; a joint or its name is needed"]),
    (lambda m: m.joint_force(other()["hinge"], 1), ["the joint of a force is the joint 'hinge' of another model"]),
    (lambda m: m.force((1, 0, 0), at="tap"), ["at is 'tap', .* did you mean 'tip'"]),
    (lambda m: m.force((1, 0, 0), at=7), ["acts at is 7; a point or its name is needed"]),
    (lambda m: m.force((1, 0, 0), at=m["arm"]), ["is the body 'arm'; say which point: .origin"]),
    (lambda m: m.force((1, 0, 0), at=other()["edge"]), ["the point 'edge' of another model"]),
    (lambda m: m.torque((1, 0, 0), on="ar"), ["torque acts on is 'ar', .* did you mean 'arm'"]),
    (lambda m: m.spring("tip", "tap", stiffness=1), ["an end of 'spring 1' is 'tap', .* did you mean 'tip'"]),
    # the tree
    (lambda m: m.weld("w", "arm", "bal"), ["the child of joint 'w' is 'bal', but there is no such body; did you"]),
    (lambda m: m.weld("w", "rm", m.link("l")), ["the parent of joint 'w' is 'rm', but there is no such body"]),
    (lambda m: m.weld("w", "arm", "ground"), ["the child of joint 'w' is the ground, which nothing carries"]),
    (lambda m: m.weld("w", m.link("l"), "l"), ["joint 'w' joins 'l' to itself"]),
    (lambda m: m.weld("w", "ground", "ball"), [r"'ball' is carried by joint 'w' and by joint 'socket' \(.*:\d+\)"]),
    (lambda m: m.link("alone"), ["body 'alone' has no joint that carries it; m.free"]),
    (lambda m: (m.weld("v", m.link("a"), m.link("b")), m.weld("w", "b", "a")), ["'v', 'w' carry bodies in a circle"]),
    (lambda m: m.weld("w", 4, m.link("l")), ["the parent of joint 'w' is 4; a body or its name is needed"]),
    # joints
    (lambda m: m.universal("u", "arm", m.link("l"), axes="xy"), ["the axes of joint 'u' are 'xy'; two are needed"]),
    (lambda m: m.universal("u", "arm", m.link("l"), axes="x"), ["the axes of joint 'u' are 'x'; two are needed"]),
    (lambda m: m.universal("u", "arm", m.link("l"), axes=("x", "-x")), ["the axes of joint 'u' are parallel"]),
    (lambda m: m.free("f", "arm", m.link("l"), orientation="angles"), ["orientation of joint 'f' is 'angles'; write"]),
    (lambda m: m.weld("w", "arm", m.link("l"), at=m["ball"].origin), ["point 'ball.origin', .* 'ball', not on 'arm'"]),
    (lambda m: m.weld("w", "arm", m.link("l"), at=m["arm"].center), ["'arm.center', which is a mass centre, which"]),
    (lambda m: m.weld("w", "arm", m.link("l"), at=(0, 1 / m["none"], 0)), ["a place or rotation of joint 'w' is inf"]),
    (lambda m: m.screw("s", "arm", m.link("l"), pitch=1 / m["none"]), ["an axis or a pitch of joint 's' is inf at"]),
    (lambda m: m.screw("s", "arm", m.link("l"), pitch=m["F"]), ["the pitch of joint 's' depends on F"]),
    (lambda m: m.joint("h", "arm", m.link("l"), H=4), ["H of joint 'h' is 0×0; it must be 6×n, a column for"]),
    (lambda m: m.joint("h", "arm", m.link("l"), H=np.eye(6)[:2]), ["H of joint 'h' is 2×6; .*; transpose it"]),
    (lambda m: m.joint("h", "arm", m.link("l"), H=[[1]] * 5 + [[1, 2]]), ["H of joint 'h' is 6×1; it must be 6×n"]),
    (lambda m: m.joint("h", "arm", m.link("l"), H=np.eye(6), r=[1, 2]), [r"r of joint 'h' is \[1, 2\]; it must hold"]),
    (lambda m: m.joint("h", "arm", m.link("l"), H=np.eye(6), r=[6.0]), [r"r of joint 'h' is \[6.0\]; it must hold"]),
    (lambda m: m.joint("h", "arm", m.link("l"), H=[[0]] * 6), ["column 1 of H of joint 'h' is zero: its speed"]),
    (lambda m: m.joint("h", "arm", m.link("l"), H=[[1, 2]] * 6), ["columns 1 to 2 of H .* are not independent"]),
    (lambda m: m.joint("h", "arm", m.link("l"), H=np.eye(6)[:, :2]), ["not closed under the Lie bracket"]),
    (lambda m: m.joint("h", "arm", m.link("l"), H=np.eye(6)[:, [0, 1, 3, 4]]), [r"bracket \(\d more such pairs\)"]),
    # prescribed joints
    (lambda m: m.prescribe("swng", 0), ["the joint to prescribe is 'swng'"]),
    (lambda m: m.lock("swng"), ["the joint to lock is 'swng'"]),
    (lambda m: m.prescribe("socket", 0, 0), ["joint 'socket' has 4 coordinates .qx, qy, qz, qw.; 2 given"]),
    (lambda m: m.prescribe("swing", [0, 1]), ["joint 'swing' has 1 coordinate .swing.; 2 given"]),
    (lambda m: m.prescribe("swing", 0, speeds=[0, 1]), ["joint 'swing' has 1 speeds; 2 speeds are given"]),
    (lambda m: m.prescribe("swing", 0, speeds=[0], rates=[0, 1]), ["'swing' has 1 speeds; 2 rates are given"]),
    (lambda m: m.prescribe("swing", 0, rates=[0]), ["joint 'swing': rates are given without speeds; give both"]),
    (lambda m: m.prescribe("swing", m["socket"].coordinates[0]), ["coordinates.0. of joint 'swing' is .*, which dep"]),
    (lambda m: m.prescribe("swing", 1 / m["none"]), ["what drives joint 'swing' is inf at the parameters' default"]),
    (lambda m: m.lock("swing", m["F"]), ["a coordinate of the locked joint 'swing' depends on F"]),
    # loads
    (lambda m: m.force((1, 0, 0), at=m.ground.origin), ["force 'force 1' acts on the ground, which does not feel it"]),
    (lambda m: m.torque((1, 0, 0), on="ground"), ["torque 'torque 1' acts on the ground, which does not feel it"]),
    (lambda m: m.torque((1 / m["none"], 0, 0), on="arm"), ["a part of load 'torque 1' is inf at the parameters'"]),
    (lambda m: m.joint_force("swing", 1, index=1), ["joint 'swing' has one speed; there is no index 1"]),
    (lambda m: m.joint_force("socket", 1, index=True), ["joint 'socket' has 3 speeds; there is no index True"]),
    (lambda m: m.joint_force("swing", 1 / m["none"]), ["a part of load 'joint force 1' is inf at the parameters'"]),
    (lambda m: m.joint_force("swing", m["tip"].acceleration @ m.ground.x), ["joint force 1' depends on accelera"]),
    (lambda m: m.force(m["tip"].acceleration, at="tip"), ["a force depends on accelerations, which only follow"]),
    (lambda m: m.force(m["arm"].x, at="tip", axes="arm"), ["a force is a vector, which has its own axes; leave"]),
    (lambda m: m.force(other()["leaf"].x, at="tip"), ["a force is a vector of another model"]),
    (lambda m: m.force((1, 0, 0), at="tip", axes=other()["knob"]), ["axes of a force is the frame 'knob' of another"]),
    (lambda m: m.force((1, 0, 0), at="tip", axes="leg"), ["the axes of a force is 'leg', but there is no such body"]),
    (lambda m: m.spring("tip", m["arm"].origin, stiffness=1), ["both ends of 'spring 1' are on 'arm', so it moves"]),
    (lambda m: m.joint_spring("swng", stiffness=1), ["the joint of a spring is 'swng'"]),
    (lambda m: m.joint_spring("socket", stiffness=1), ["acts on 'qx', a quaternion's component; give the joint"]),
    (lambda m: m.joint_damper("swng", damping=1), ["the joint of 'joint damper 1' is 'swng'"]),
    (lambda m: m.joint_damper(m.weld("w", "arm", m.link("l")), damping=1), ["'w', which has no freedom"]),
    (lambda m: m.joint_friction("swing", moment=1, width=0), ["width of 'joint friction 1' is 0.0; a positive speed"]),
    (lambda m: m.rotor("swng", inertia=1), ["the joint of a rotor is 'swng'"]),
    (lambda m: m.rotor("swing", inertia=-1), ["inertia of 'rotor 1' is -1.0; it cannot be negative"]),
    (lambda m: m.rotor("swing", inertia=1 / m["none"]), ["the inertia or the ratio of rotor 'rotor 1' is inf at"]),
    # tables and outputs
    (lambda m: m.table(m.time, [0, 1], [0, 1], curve="linear"), ["the curve of the table is 'linear'; write jourdain"]),
    (lambda m: m.table(m.time, 3, [0, 1]), ["the points of the table are 3; a sequence of numbers is needed"]),
    (lambda m: m.table(m.time, [0, 1], [0, 1, 2]), ["the table has 2 points and 3 values; give as many of each"]),
    (lambda m: m.table(m.time, [0], [0]), ["the table has 1 points and 1 values; give as many of each, two or more"]),
    (lambda m: m.table(m.time, [0, 2, 2], [0, 1, 2]), [r"the points of the table must increase, but points.2. = 2"]),
    (lambda m: m.table(m.time, [0, math.nan], [0, 1]), [r"points\[1\] of the table is nan; it must be finite"]),
    (lambda m: m.output("o", other()["leaf"].x), ["output 'o' is a vector of another model"]),
    (lambda m: m.output("o", m.time, axes=m["arm"]), ["output 'o' is a scalar, which has no axes; leave out axes="]),
    (lambda m: m.output("o", 1 / m["none"]), ["output 'o' is inf at the parameters' default values; it must be"]),
    (lambda m: setattr(m, "gravity", (0, 0)), [r"gravity is \(0, 0\); three numbers"]),
    # composing
    (lambda m: m.place(other_part(), "7"), ["'7' is no name for a prefix"]),
    (lambda m: m.place(other_part(), "p", given={"w": 1}), ["system 'part' has no parameter or input 'w' to be given"]),
    (lambda m: m.place(other_part(), "p", given={"width": m["F"]}), ["'width' of system 'part' is given as F, which"]),
    (lambda m: m.place(other_part(), "p", on="nobody"), ["the body on which 'p' is placed is 'nobody'"]),
    (lambda m: m.place(other_part(), "arm", at=3), ["at of 'arm' is 3; three numbers"]),
    (lambda m: m.replace("ground", other_part()), ["'ground' cannot be replaced, for no joint carries it"]),
    (lambda m: m.joint_force("swing", gone(m)), ["'joint force 1' depends on joint 'socket', which was removed"]),
    (lambda m: m.output("o", removed_axis(m)), ["output 'o' depends on body 'ball', which was removed"]),
]


def other_part() -> jd.System:
    m = jd.Model("part")
    width = m.parameter("width", 1.0)
    m.revolute("hinge", m.ground, m.body("leaf", mass=1.0, center=(width, 0, 0), inertia=STILL))
    return m.system()


def gone(m: jd.Model) -> Node:
    """A coordinate of what is no longer there."""
    found = m["socket"].coordinates[0]
    m.remove("ball")
    return found  # type: ignore[no-any-return]


def removed_axis(m: jd.Model) -> Node:
    """A direction of what is no longer there."""
    found = m["ball"].x @ m.ground.y
    m.remove("ball")
    return found  # type: ignore[no-any-return]


@pytest.mark.parametrize("row", range(len(ROWS)))
def test_every_mistake_says_what_and_where(row: int) -> None:
    write, expected = ROWS[row]
    m = model()
    write(m)
    with pytest.raises(ModelError) as raised:
        m.system()
    mistakes = raised.value.mistakes
    assert len(mistakes) == len(expected), [str(x) for x in mistakes]
    for mistake, pattern in zip(mistakes, expected):
        assert re.search(pattern, mistake.text), mistake.text
    assert mistakes[0].where == Where(__file__, write.__code__.co_firstlineno)


def test_all_mistakes_are_reported_together() -> None:
    m = model()
    here = inspect.currentframe()
    assert here is not None
    first = here.f_lineno + 1
    m.parameter("L", 2.0)
    m.revolute("knee", "arm", "leg")
    m.joint_force(
        "ankle",
        1.0,
    )
    m.body("foot", mass=1.0, inertia=STILL)
    with pytest.raises(ModelError) as raised:
        m.system()
    lines = [(x.where.file, x.where.line - first) for x in raised.value.mistakes]
    assert lines == [(__file__, 0), (__file__, 2), (__file__, 1), (__file__, 6)]
    text = str(raised.value)
    assert text.startswith("model 'rig' has 4 mistakes:\n  ")
    assert f"{__file__}:{first}: parameter 'L': the name is taken" in text
    assert isinstance(raised.value, ValueError)


def test_names_that_are_taken_several_times() -> None:
    m = model()
    m.weld("v", "ball", m.link("arm"))
    m.weld("w", "ball", m.link("arm"))
    with pytest.raises(ModelError) as raised:
        m.system()
    assert [x.text.split(" (")[0] for x in raised.value.mistakes] == ["link 'arm': the name is taken by a body"] * 2
    assert list(m.bodies) == ["arm", "ball", "arm (2)", "arm (3)"]


def test_one_mistake_is_told_once() -> None:
    m = model()
    for _ in range(3):
        m.joint_force("ankle", 1.0)
    with pytest.raises(ModelError, match=r"^model 'rig' has a mistake:\n") as raised:
        m.system()
    assert len(raised.value.mistakes) == 1


def test_an_unfinished_tree_may_be_finished_but_what_was_said_wrongly_stays() -> None:
    m = model()
    m.revolute("knee", "arm", "leg")
    with pytest.raises(ModelError, match="there is no such body"):
        m.system()
    m.body("leg", mass=1.0, inertia=STILL)
    assert m.system().coordinates[-1] == "knee"
    m.joint_force("ankle", 1.0)
    for _ in range(2):
        with pytest.raises(ModelError, match="the joint of a force is 'ankle'"):
            m.system()


def test_many_unknown_names_and_one_long_ring() -> None:
    m = jd.Model("ring")
    for k in range(5):
        m.body(f"b{k}", mass=1.0, inertia=STILL)
    for k in range(5):
        m.weld(f"j{k}", f"b{k}", f"b{(k + 1) % 5}")
    with pytest.raises(ModelError) as raised:
        m.system()
    (mistake,) = raised.value.mistakes
    assert "'j" in mistake.text
    assert "b1 → b2 → b3 → b4 → b0 → b1" in mistake.text


def test_what_hangs_on_a_lost_body_is_not_blamed() -> None:
    m = model()
    m.weld("w", "nowhere", m.link("a"))
    m.weld("v", "a", m.link("b"))
    with pytest.raises(ModelError) as raised:
        m.system()
    assert [x.text.split(";")[0] for x in raised.value.mistakes] == [
        "the parent of joint 'w' is 'nowhere', but there is no such body"
    ]


def test_a_strange_child_is_one_mistake() -> None:
    m = model()
    m.weld("w", "arm", other().link("a"))
    m.weld("v", "arm", m.ground)
    with pytest.raises(ModelError) as raised:
        m.system()
    assert [x.text.split(";")[0] for x in raised.value.mistakes] == [
        "the child of joint 'w' is the body 'a' of another model",
        "the child of joint 'v' is the ground, which nothing carries",
    ]


# -- questions that have no answer are refused at once ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda m: m["elbow"], "there is no 'elbow' in this model; there is 'swing', 'socket', 'arm'"),
        (lambda m: m.body("swing") and m["swing"], "the name 'swing' is that of a joint and body; keep what"),
        (lambda m: m.ground.center, "the ground has no mass centre; use .origin"),
        (lambda m: m["socket"].coordinate, "'socket' has 4 coordinates (qx, qy, qz, qw); choose one of its .coordin"),
        (lambda m: m["socket"].speed, "joint 'socket' has 3 speeds (wx, wy, wz); choose one of its .speeds"),
        (lambda m: m.weld("w", "arm", m.link("l")).speed, "joint 'w' has 0 speeds; choose one of its .speeds"),
    ],
)
def test_a_question_without_an_answer_is_refused_at_once(ask: Write, said: str) -> None:
    m = model()
    m.joint_force("ankle", 1.0)
    with pytest.raises(ModelError) as raised:
        ask(m)
    assert said in raised.value.mistakes[-1].text
    assert raised.value.mistakes[-1].where.file == __file__
    assert "'ankle'" in raised.value.mistakes[0].text  # what was wrong before is told too


def test_python_mistakes_are_python_errors() -> None:
    m = model()
    with pytest.raises(TypeError, match="takes no argument 'att'; it takes at, rotation, child_at, child_rotation"):
        m.weld("w", "arm", m.link("l"), att=(0, 0, 1))  # type: ignore[call-arg]
    values = m.parameters(a=1.0)
    with pytest.raises(AttributeError, match="no 'b' here; there is 'a'"):
        _ = values.b
    with pytest.raises(KeyError, match="no 'b' here; there is 'a'"):
        values["b"]


def test_a_loop_takes_a_joints_places_only() -> None:
    m = model()
    close: Any = m.close
    with pytest.raises(TypeError, match="a loop takes no argument 'radius'; it takes at, rotation, child_at"):
        close("loop", "revolute", "arm", "ball", radius=2.0)


def test_what_stands_for_a_system_is_told() -> None:
    d: Any = jd.compile(jd.gallery.pendulum())
    with pytest.raises(TypeError, match=r"a System is counted, not a Compiled; give its \.system$"):
        jd.count(d)
    with pytest.raises(TypeError, match=r"a System is put into equations, not a Model; call its \.system\(\) first$"):
        mechanics_of(model())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"a System is compiled, not an int$"):
        jd.compile(3)  # type: ignore[arg-type]


def test_symbols_are_not_given_values() -> None:
    p = jd.Model("m").parameters(a=1.0, b=2.0)
    assert repr(p) == "<symbols a, b>"
    with pytest.raises(AttributeError, match=r"'a' is a symbol or none, and stays so; .* with_parameters"):
        p.a = 3.0


def test_a_choice_of_speeds_is_a_function() -> None:
    choose: Any = {"u1": 3}
    with pytest.raises(TypeError, match=r"the choice of speeds is \{'u1': 3\}; a function is needed"):
        jd.with_speeds(jd.gallery.pendulum(), choose)


def test_rotations_of_scipy_are_read() -> None:
    m = model()
    m["arm"].frame("f", rotation=Rotation.from_euler("z", 90, degrees=True))
    rows = [[x.value for x in row] for row in m.system().frames["f"].pose.rotation.matrix()]
    assert rows == [[0, -1, 0], [1, 0, 0], [0, 0, 1]]


def test_what_to_offer_for_a_name() -> None:
    assert did_you_mean("elbo", ["elbow", "knee"]) == "did you mean 'elbow'?"
    assert did_you_mean("x", []) == "there is none yet"
    assert did_you_mean("zz", [f"a{k}" for k in range(20)]).endswith("'a11', …")


def test_warnings_point_at_the_users_line() -> None:
    m = model()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        line = here() + 1
        m.change("arm", mass=1.0, inertia=jd.principal(1, 1, 5))
        m.system()
    (warning,) = caught
    assert (warning.filename, warning.lineno) == (__file__, line)
    assert warning.category is jd.ModelWarning


def here() -> int:
    """The caller's line."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno
