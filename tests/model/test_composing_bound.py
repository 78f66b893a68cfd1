"""Models with constraints, friction, tables, rotors and speeds of their own, made of others, locked, saved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import jourdain as jd
from jourdain.driver import Compiled
from jourdain.equations.constraints import active
from jourdain.equations.generalized import mechanics_of
from jourdain.equations.own_speeds import constrained_motion
from jourdain.graph import Node
from jourdain.model.handles import BodyHandle
from jourdain.model.system import System
from jourdain.native import Cache

from ..equations.systems import State, evaluate
from .looking import close

Array = NDArray[np.float64]
TURN = [("z", 0.4), ("x", -0.7)]
PLACE = (0.1, 0.2, 0.3)
VALUES = {"L": 0.5, "mu": 0.3, "k": 20.0, "c": 0.1, "J": 0.001, "N": 30.0}


def compiled(system: System) -> Compiled:
    return jd.compile(system, cache=Cache(None))


def write(
    m: jd.Model, base: BodyHandle, prefix: str, given: dict[str, Node], at: tuple[float, float, float] = (0, 0, 0),
    rotation: object = None,
) -> None:
    """An arm on a foot, bound to it: into a model of its own, or directly into another under a prefix."""

    def name(stem: str) -> str:
        return prefix + stem

    L, mu, c = given["L"], given["mu"], given["c"]
    foot = base.frame(name("foot"), at, rotation)
    upper = m.body(name("upper"), mass=1.0, center=(0, 0, L / 2), inertia=jd.principal(0.1, 0.12, 0.05))
    lower = m.body(name("lower"), mass=0.7, center=(0.1, 0, L / 2), inertia=jd.principal(0.05, 0.06, 0.02))
    end = m.body(name("end"), mass=0.5, inertia=jd.principal(0.01, 0.01, 0.02))
    m.universal(name("cross"), base, upper, at=at, rotation=rotation)
    elbow = m.revolute(name("elbow"), upper, lower, axis="y", at=(0, 0, L))
    slide = m.prismatic(name("slide"), lower, end, axis="z")
    tip = end.point(name("tip"), (0, 0, 0.2))
    reach = tip.position - foot.origin.position
    m.keep(name("in a plane"), reach @ foot.x - 0.2 * L)
    m.keep(name("geared"), tip.vel(lower) @ lower.z * 0.5 + elbow.speed * 0.3)
    m.switch(name("latch"), slide.coordinate - 0.1 * jd.cos(elbow.coordinate))
    m.friction(name("in a plane"), elbow.speed, coefficient=mu, name=name("rub"))
    m.friction(elbow, elbow.speed, coefficient=mu * 0.1, along=("x", "z"), name=name("bearing"))
    thick = m.table(slide.coordinate, [-1, 0, 1], [1, 2, 4], jd.CUBIC)
    m.joint_friction(slide, moment=c * thick, name=name("dry"))
    m.joint_damper(name("cross"), damping=c, name=name("oil"))
    m.joint_force(elbow, given["push"] * m.table(m.time, [0, 0.5, 1], [0, 2, 1]), name=name("motor"))
    m.rotor(elbow, inertia=given["J"], ratio=given["N"], name=name("rotor"))
    m.rotor(name("cross"), inertia=given["J"], ratio=given["N"], index=1, name=name("second rotor"))
    m.spring(tip, foot.origin, stiffness=given["k"], rest=0.2, name=name("spring"))
    m.handle(end, at=tip, name=name("grip"))
    m.output(name("reach"), reach, axes=foot)
    m.output(name("power"), given["push"] * elbow.speed)


def names(m: jd.Model, prefix: str, *left_out: str) -> dict[str, Node]:
    found = {name: m.parameter(prefix + name, value) for name, value in VALUES.items() if name not in left_out}
    return found if "push" in left_out else found | {"push": m.input(f"{prefix}push", 0.4)}


def arm() -> jd.Model:
    m = jd.Model("arm", gravity=(0, 0, -9.81))
    write(m, m.ground, "", names(m, ""))
    return m


def arm_with_speeds() -> jd.Model:
    m = arm()
    m.speeds(u1=m["upper"].omega @ m["upper"].x, u2=m["cross"].speeds[1] + m["slide"].speed)
    return m


def base() -> jd.Model:
    m = jd.Model("base", gravity=(0, 0, -9.81))
    m.free("float", m.ground, m.body("hull", mass=2.0, center=(0.1, 0, 0), inertia=jd.principal(0.2, 0.3, 0.4)))
    return m


def placed(part: jd.Model) -> jd.Model:
    m = base()
    m.place(part, "left", on="hull", at=PLACE, rotation=TURN)
    return m


def direct() -> jd.Model:
    m = base()
    write(m, m["hull"], "left.", names(m, "left."), PLACE, TURN)
    return m


def answers(system: System, seed: int) -> list[Array]:
    """With the switchable constraints off, and on: rates, forces of constraint, outputs; and inverse dynamics."""
    rng = np.random.default_rng(seed)
    n = len(system.speeds)
    q = system.neutral + rng.uniform(0.1, 0.4, len(system.coordinates))
    u, udot, f = rng.uniform(-1.0, 1.0, (3, n))
    at = State(q, u, udot, f, dict(system.input_values), 0.3)
    mechanics = mechanics_of(system)
    found = [evaluate(mechanics, mechanics.inverse_dynamics(), at)]
    for mode in ((), tuple(x for x, kind in system.constraints.items() if kind == "switchable")):
        mechanics = mechanics_of(system)
        motion = constrained_motion(mechanics, active(system, mode))
        outputs = mechanics.outputs(lambda motion=motion: motion.rates).values()  # type: ignore[misc]
        found += [evaluate(mechanics, list(nodes), at) for nodes in (motion.rates, motion.multipliers, outputs)]
    return found


def agree(a: System, b: System) -> None:
    assert (a.coordinates, a.speeds, a.outputs) == (b.coordinates, b.speeds, b.outputs)
    assert (dict(a.constraints), dict(a.parameters), set(a.inputs)) == (
        dict(b.constraints), dict(b.parameters), set(b.inputs),
    )  # fmt: skip
    for x, y in zip(answers(a, 1), answers(b, 1), strict=True):
        assert np.isfinite(x).all()
        assert close(x, y, 100.0)


@pytest.mark.parametrize("part", [arm, arm_with_speeds])
def test_a_bound_part_is_the_same_as_one_written_directly(part: object) -> None:
    """Speeds of a part's own become what they stand for."""
    agree(placed(part()).system(), direct().system())  # type: ignore[operator]


def test_parts_of_parts() -> None:
    def truck() -> jd.Model:
        m = jd.Model("outer", gravity=(0, -1, -9))
        m.planar("drive", m.ground, m.body("truck", mass=10.0, inertia=jd.principal(1, 1, 1)))
        return m

    inner = placed(arm())
    given = {"mu": inner.parameter("rub", 0.2) * 2, "push": inner.time}
    inner.place(arm(), "right", on="hull", at=(-0.1, 0.2, 0.3), given=given)
    nested = truck()
    nested.place(inner, "robot", on="truck", at=(0, 0, 1), rotation=[("y", 0.3)])

    flat = truck()
    hull = flat.body("robot.hull", mass=2.0, center=(0.1, 0, 0), inertia=jd.principal(0.2, 0.3, 0.4))
    flat.free("robot.float", "truck", hull, at=(0, 0, 1), rotation=[("y", 0.3)])
    write(flat, hull, "robot.left.", names(flat, "robot.left."), PLACE, TURN)
    right = names(flat, "robot.right.", "mu", "push")
    right |= {"mu": flat.parameter("robot.rub", 0.2) * 2, "push": flat.time}
    write(flat, hull, "robot.right.", right, (-0.1, 0.2, 0.3))
    agree(nested.system(), flat.system())


def test_locking_a_joint_of_a_bound_part() -> None:
    """The friction and the constraints that speak of its speed stay, of what still moves."""
    one, other = placed(arm()), direct()
    one.lock("left.elbow", 0.1)
    other.lock("left.elbow", 0.1)
    agree(one.system(), other.system())


@pytest.mark.parametrize("make", [arm, arm_with_speeds, lambda: placed(arm()), lambda: locked()])
def test_a_bound_system_is_saved_and_loaded_to_the_last_bit(make: object, tmp_path: Path) -> None:
    system = make().system()  # type: ignore[operator]
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    system.save(first)
    found = jd.load(first)
    found.save(second)
    assert first.read_bytes() == second.read_bytes()
    for kind in ("definitions", "conditions", "handles", "frictions"):
        assert [x.name for x in getattr(found, kind)] == [x.name for x in getattr(system, kind)]
    for x, y in zip(answers(system, 3), answers(found, 3), strict=True):
        np.testing.assert_array_equal(x, y)


def locked() -> jd.Model:
    m = arm()
    m.lock("elbow", 0.1)
    return m


# -- driven joints in slips, rows and speeds, by hand ----------------------------------------------------------------


def crane() -> jd.Model:
    """Three slides at right angles, 1 kg each."""
    m = jd.Model("crane", gravity=(0, 0, -9.81))
    bodies = [m.body(name, mass=1.0, inertia=jd.principal(1, 1, 1)) for name in ("a", "b", "c")]
    for axis, parent, child in zip("xyz", [m.ground, *bodies], bodies):
        m.prismatic(axis, parent, child, axis=axis)
    return m


@pytest.mark.parametrize("driven", [False, True])
def test_a_slip_of_a_driven_joint_shares_the_friction(driven: bool) -> None:
    """The normal force is 9.81 N on 3 kg; a driven slip of 1 m/s turns the friction away from the free one."""
    m = crane()
    m.keep("touches", m["z"].coordinate)
    m.friction("touches", m["y"].speed, m["x"].speed, coefficient=0.1, width=0.01)
    m.prescribe("y", m.time) if driven else m.lock("y")
    found = compiled(m.system()).forward_dynamics([0.0, 0.0], [1.0, 0.0])
    assert close(found, [-0.1 * 9.81 / 3.0 / np.sqrt((2.0 if driven else 1.0) + 1e-4), 0.0])


@pytest.mark.parametrize("driven", [False, True])
def test_friction_against_nothing_but_a_driven_joint_moves_nothing(driven: bool) -> None:
    m = crane()
    m.friction(m["y"], m["y"].speed, coefficient=0.1, along="z")
    m.prescribe("y", m.time) if driven else m.lock("y")
    assert close(compiled(m.system()).forward_dynamics([0.0, 0.0], [1.0, 0.0]), [0.0, -9.81])


def test_a_row_of_a_locked_joint_says_nothing() -> None:
    m = crane()
    m.keep("slow", m["y"].speed, m["x"].speed - 0.5 * m["z"].speed)
    m.lock("y")
    # x = z/2: (3/4 + 1) z'' = -9.81
    found = compiled(m.system()).forward_dynamics([0.0, 0.0], [0.5, 1.0])
    assert close(found, [-9.81 / 3.5, -9.81 / 1.75])


def test_a_speed_of_a_driven_joint_alone_is_a_mistake() -> None:
    m = crane()
    m.speeds(u1=m["y"].speed, u2=m["z"].speed)
    m.lock("y")
    with pytest.raises(jd.ModelError, match=r"_bound\.py:\d+: generalized speed 'u1' speaks of joint 'y' alone, which"):
        m.system()
