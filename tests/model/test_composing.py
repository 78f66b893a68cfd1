"""Models made of others: what is placed, replaced or removed gives the equations of what is written directly."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.system import System

from .looking import Seen, close
from .mechanisms import cart, everything

STILL = jd.principal(0.2, 0.3, 0.4)


def finger() -> jd.Model:
    """Two links on a ground of their own, with everything that speaks of that ground."""
    m = jd.Model("finger")
    length = m.parameter("length", 0.3)
    pull = m.input("pull", 0.7)
    add_finger(m, m.ground, length, pull, "", (0, 0, 0), None)
    return m


def add_finger(
    m: jd.Model, base: object, length: object, pull: object, prefix: str, at: object, rotation: object
) -> None:
    """The same finger written into a model directly, its ground being a frame of a body there."""
    stand = base.frame(f"{prefix}stand", at, rotation)  # type: ignore[attr-defined]
    near = m.body(f"{prefix}near", mass=1.0, center=(0, 0, length * 0.5), inertia=STILL)  # type: ignore[operator]
    far = m.body(f"{prefix}far", mass=0.5, center=(0, 0, length * 0.5), inertia=STILL)  # type: ignore[operator]
    m.revolute(f"{prefix}knuckle", base, near, axis="x", at=at, rotation=rotation)  # type: ignore[arg-type]
    m.universal(f"{prefix}joint", near, far, at=(0, 0, length))  # type: ignore[arg-type]
    tip = far.point(f"{prefix}tip", (0, 0, length))  # type: ignore[arg-type]
    hook = stand.origin
    offset = tip.position - hook.position
    m.force(-3.0 * offset, at=tip, name=f"{prefix}leash")
    m.force((pull, 0, 1), at=tip, axes=stand, reaction=near, name=f"{prefix}pull")  # type: ignore[arg-type]
    m.torque(tip.velocity.cross(far.z), on=far, reaction=near, name=f"{prefix}drag")
    m.spring(tip, hook, stiffness=20, rest=0.1, name=f"{prefix}spring")
    m.strut(tip, near.origin, tension=lambda length, rate: 2 * rate + length**2, name=f"{prefix}strut")
    m.joint_damper(f"{prefix}joint", damping=0.3, name=f"{prefix}damper")
    m.rotor(f"{prefix}knuckle", inertia=0.01, ratio=5, name=f"{prefix}rotor")
    m.output(f"{prefix}height", offset @ stand.z)
    m.output(f"{prefix}speed", tip.velocity @ near.y + near.omega @ far.x)
    m.output(f"{prefix}felt", tip.acceleration @ stand.x + far.alpha @ near.y)
    m.output(f"{prefix}lean", far.z @ stand.z)


TURN = [("z", 0.4), ("x", -0.7)]


def hand() -> jd.Model:
    m = jd.Model("hand", gravity=(0, 0, -9.81))
    palm = m.body("palm", mass=2.0, center=(0.1, 0, 0), inertia=STILL)
    m.free("wrist", m.ground, palm)
    return m


def test_a_placed_model_is_the_same_as_one_written_directly() -> None:
    placed, direct = hand(), hand()
    part = placed.place(finger(), "left", on="palm", at=(0.1, 0.2, 0.3), rotation=TURN)
    add_finger(direct, direct["palm"], direct.parameter("left.length", 0.3), direct.input("left.pull", 0.7), "left.",
               (0.1, 0.2, 0.3), TURN)  # fmt: skip
    assert part["knuckle"].name == "left.knuckle"
    a, b = placed.system(), direct.system()
    assert (a.coordinates, a.speeds, a.outputs) == (b.coordinates, b.speeds, b.outputs)
    assert (dict(a.parameters), a.inputs) == (dict(b.parameters), b.inputs)
    agree(a, b)


def agree(a: System, b: System) -> None:
    for seed in range(3):
        seen = Seen.at_random(a, seed)
        other = seen.at(b)
        assert close(seen.forces, other.forces)
        assert close(seen.energy, other.energy)
        assert close(seen.mass_matrix, other.mass_matrix)
        assert seen.outputs.keys() == other.outputs.keys()
        assert close(list(seen.outputs.values()), list(other.outputs.values()), 100.0)


def test_on_the_ground_a_place_is_a_place() -> None:
    placed, direct = jd.Model("whole"), jd.Model("whole")
    placed.place(finger().system(), "left", at=(0.1, 0.2, 0.3), rotation=TURN)
    length, pull = direct.parameter("left.length", 0.3), direct.input("left.pull", 0.7)
    add_finger(direct, direct.ground, length, pull, "left.", (0.1, 0.2, 0.3), TURN)
    agree(placed.system(), direct.system())


def test_without_a_prefix_names_stay() -> None:
    m = jd.Model("finger")
    part = m.place(finger())
    assert part["knuckle"].name == "knuckle"
    assert m.system().coordinates == finger().system().coordinates
    agree(m.system(), finger().system())


def test_two_fingers_share_what_is_given() -> None:
    m = hand()
    length = m.parameter("length", 0.4)
    for side, x in (("left", 0.1), ("right", -0.1)):
        m.place(finger(), side, on="palm", at=(x, 0, 0), given={"length": length * 0.5, "pull": m.time})
    system = m.system()
    assert (tuple(system.parameters), system.inputs) == (("length",), ())
    direct = hand()
    length = direct.parameter("length", 0.4)
    for side, x in (("left.", 0.1), ("right.", -0.1)):
        add_finger(direct, direct["palm"], length * 0.5, direct.time, side, (x, 0, 0), None)
    agree(system, direct.system())


@pytest.mark.parametrize("make", [cart, everything, finger])
def test_a_model_of_a_system_is_the_system(make: object) -> None:
    system = make().system()  # type: ignore[operator]
    again = jd.Model.of(system).system()
    assert (again.name, again.coordinates, again.speeds) == (system.name, system.coordinates, system.speeds)
    assert (dict(again.parameters), again.inputs) == (dict(system.parameters), system.inputs)
    assert repr(again) == repr(system)
    agree(system, again)


def test_a_placed_joint_that_is_driven_stays_driven() -> None:
    part = finger()
    part.prescribe("knuckle", jd.sin(part.time) * part["length"])
    m = hand()
    m.place(part, "f", on="palm")
    direct = hand()
    length = direct.parameter("f.length", 0.3)
    add_finger(direct, direct["palm"], length, direct.input("f.pull", 0.7), "f.", (0, 0, 0), None)
    direct.prescribe("f.knuckle", jd.sin(direct.time) * length)
    agree(m.system(), direct.system())


def test_a_replaced_part_stands_where_the_old_one_stood() -> None:
    m = hand()
    m.place(finger(), "old", on="palm", at=(0.1, 0.2, 0.3), rotation=TURN)
    m.output("turn", m["old.knuckle"].coordinate)
    m.joint_force("old.joint", 1.0, name="push")
    m.replace("old.near", finger(), "new", given={"length": 0.3})
    system = m.system()
    assert [x.name for x in system.joints] == ["wrist", "new.knuckle", "new.joint"]
    assert system.loads[0].name == "new.leash"
    assert "turn" not in system.outputs
    direct = hand()
    add_finger(direct, direct["palm"], 0.3, direct.input("old.pull", 0.7), "new.", (0.1, 0.2, 0.3), TURN)
    seen = Seen.at_random(system)
    other = Seen(direct.system(), seen.state.q, seen.state.u, seen.state.udot, {"old.pull": 0.7})
    assert close(Seen(system, seen.state.q, seen.state.u, seen.state.udot, {"new.pull": 0.7}).forces, other.forces)


def test_removing_takes_away_all_that_speaks_of_it() -> None:
    m = everything()
    m.remove("c")
    system = m.system()
    assert [x.name for x in system.bodies] == ["base", "a", "b", "f", "g", "h", "i"]
    assert set(system.points) == {"hook"}
    assert set(system.frames) == {"hand"}
    assert [x.name for x in system.rotors] == ["rotor 1"]
    assert [x.name for x in system.loads] == [
        "torque 1", "joint spring 1", "joint spring 2", "joint spring 2 part 2", "joint damper 1",
        "joint damper 1 part 2", "joint damper 1 part 3", "joint friction 1",
    ]  # fmt: skip
    assert system.outputs == ("spin", "work", "half")
    again = m.body("c", mass=1, inertia=STILL)  # the names are free again
    m.revolute("screw", "b", again)
    again.point("tip", (0, 0, 1))
    m.output("lean", again.z @ m.ground.z)
    assert m.system().coordinates[-1] == "screw"
    m.remove("h")
    assert not m.system().frames
    m["g"].frame("hand")
    assert m.system().frames["hand"].body == "g"


def test_a_symbol_of_another_kind_in_the_place_of_a_removed_one() -> None:
    m = hand()
    m.revolute("f", "palm", m.body("x", mass=1, inertia=STILL))
    m.remove("x")
    m.input("f")
    with pytest.raises(jd.ModelError, match="'f': a part that was removed had this name for another kind of symbol"):
        m.system()


def test_a_mistake_in_a_part_is_the_parts() -> None:
    part = finger()
    part.body("lost")
    with pytest.raises(jd.ModelError, match="model 'finger' has a mistake"):
        hand().place(part, "f")


def test_only_models_are_placed_and_only_systems_edited() -> None:
    with pytest.raises(TypeError, match="a model or a System is placed in a model, not None"):
        jd.Model("arm").place(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"a System is edited by a model, not a Model; call its \.system\(\) first"):
        jd.Model.of(jd.Model("arm"))  # type: ignore[arg-type]


def test_changing_a_body_keeps_what_is_fixed_in_it() -> None:
    m = finger()
    m.change("far", mass=2.0, center=(0, 0.1, 0), inertia=STILL)
    system = m.system()
    assert system.body("far").mass.value == 2.0
    assert [x.value for x in system.body("far").center] == [0, 0.1, 0]
    assert len(system.loads) == len(finger().system().loads)


def test_forces_at_a_mass_centre_follow_it() -> None:
    m = hand()
    center = m["palm"].center
    m.force((1, 2, 3), at=center)
    m.output("where", center.position)
    m.change("palm", mass=1.0, center=(0.5, 0.6, 0.7), inertia=STILL)
    seen = Seen(m.system())
    assert close([seen.outputs[f"where.{x}"] for x in "xyz"], [0.5, 0.6, 0.7])
    # The moment of the weight and of the force about the origin, at rest.
    assert close(seen.forces[:3], -np.cross([0.5, 0.6, 0.7], [1, 2, 3 - 9.81]))
