"""Forces, springs, dampers, friction and rotors by their formulas; vectors by their numbers in every frame."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.graph import Node

from ..equations.systems import State, evaluate
from .looking import Array, Seen, close
from .mechanisms import cart

STILL = jd.principal(0.2, 0.3, 0.4)


def slider() -> jd.Model:
    """A particle on a line, and another across it."""
    m = jd.Model("slider", gravity=(0, 0, 0))
    m.prismatic("x", m.ground, m.particle("bead", 2.0), axis="x")
    m.prismatic("y", m.ground, m.particle("other", 3.0), axis="y")
    return m


def forces(m: jd.Model, q: object, u: object = (0, 0), **inputs: float) -> Array:
    """What acts on the two speeds, at rest."""
    return -Seen(m.system(), q, u, [0, 0], inputs).forces  # type: ignore[arg-type]


def test_the_shopping_cart_of_the_design() -> None:
    """F along the basket's x at its origin, τ about its z: generalized forces are F and τ."""
    seen = Seen(cart().system(), [1, 2, 0.3, 0.4], [0, 0, 0, 0], inputs={"F": 5.0, "tau": -2.0})
    assert close(seen.forces, [-5.0, 0, 2.0, 0])
    moving = Seen(cart().system(), [1, 2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8])
    outputs = moving.outputs
    assert outputs["rear wheels slip"] == 0.6
    assert outputs["caster turns"] == 0.8
    # v of P3 along the caster's y: (u₁ + …) worked out by hand, angles q₃ and q₄
    expected = -np.sin(0.4) * 0.5 + np.cos(0.4) * (0.6 + 0.9 * 0.7) - 0.1 * (0.7 + 0.8)
    assert close(outputs["front wheel slips"], expected)
    x = 1 + 0.9 * np.cos(0.3) - 0.1 * np.cos(0.7)
    assert close([outputs["P3.x"], outputs["P3.z"]], [x, 0])


def test_springs_and_dampers_pull_along_their_line() -> None:
    m = slider()
    m.spring(m["bead"].origin, m["other"].origin, stiffness=10.0, rest=0.5)
    m.damper(m["bead"].origin, m["other"].origin, damping=3.0)
    q, u = np.array([0.3, 0.4]), np.array([0.7, -0.2])
    line = np.array([0.3, 0.4]) / 0.5  # both pulled inwards by what tightens the line
    rate = line @ u
    assert close(forces(m, q, u), -(10 * (0.5 - 0.5) + 3 * rate) * line)
    assert close(Seen(m.system(), [0.6, 0.8]).energy, (0, 0.5 * 10 * 0.5**2))


def test_the_ends_of_a_spring_without_rest_length_may_meet() -> None:
    """Its force is k times the line, so nothing is divided by a length, and there is no square root."""
    m = slider()
    m.spring(m["bead"].origin, m["other"].origin, stiffness=m.parameter("k", 10.0))
    for q in ([0.0, 0.0], [0.3, 0.4]):
        assert close(forces(m, q), -10 * np.array(q))
        assert close(Seen(m.system(), q).energy, (0, 0.5 * 10 * (q[0] ** 2 + q[1] ** 2)))
    counts = jd.count(m.system(), ["inverse_dynamics", "energy"])
    assert all(row["sqrt"] == row["div"] == 0 for row in counts.values())


def test_a_strut_is_any_law_of_length_and_rate() -> None:
    m = slider()
    k = m.input("k", 4.0)
    m.strut(m["bead"].origin, m["other"].origin, tension=lambda length, rate: k * length**2 - rate)
    assert close(forces(m, [0.3, 0.4], [1, 1]), -(4 * 0.25 - 1.4) * np.array([0.6, 0.8]))
    assert close(forces(m, [0.3, 0.4], [1, 1], k=0.0), 1.4 * np.array([0.6, 0.8]))


def test_joint_springs_dampers_and_friction() -> None:
    m = slider()
    m.joint_spring("x", stiffness=5.0, rest=0.1)
    m.joint_damper(m["x"], damping=2.0)
    m.joint_friction("y", moment=3.0, width=0.05, index=0)
    found = forces(m, [0.4, 0], [0.7, 0.2])
    assert close(found, [-5 * 0.3 - 2 * 0.7, -3 * 0.2 / np.hypot(0.2, 0.05)])
    assert close(Seen(m.system(), [0.4, 0]).energy[1], 0.5 * 5 * 0.3**2)


def test_friction_is_odd_and_ends_at_its_moment() -> None:
    m = slider()
    m.joint_friction("x", moment=3.0)
    assert close(forces(m, [0, 0], [1e6, 0]), [-3, 0])
    assert close(forces(m, [0, 0], [-0.01, 0]), [3 / np.sqrt(2), 0])


def test_a_spring_on_one_coordinate_of_many_has_its_power() -> None:
    """Of y of a planar joint: moment · ẏ = f · u for every u."""
    m = jd.Model("plate", gravity=(0, 0, 0))
    m.planar("p", m.ground, m.body("b", mass=1.0, inertia=STILL))
    m.joint_spring("p", stiffness=7.0, index=1, rest=0.2)
    m.free("f", m.ground, m.body("c", mass=1.0, inertia=STILL), orientation=jd.ANGLES)
    m.joint_spring("f", stiffness=2.0, index=3)
    system = m.system()
    q = np.array([0.1, 0.5, 0.7, *np.linspace(0.1, 0.6, 6)])
    found = -Seen(system, q).forces
    assert close(found[:3], -7 * 0.3 * np.array([np.sin(0.7), np.cos(0.7), 0]))
    u = np.arange(1.0, 7.0)
    mechanics = Seen(system, q, [0, 0, 0, *u]).mechanics
    state = State(q, np.array([0, 0, 0, *u]), np.zeros(9), np.zeros(9))
    roll_rate = evaluate(mechanics, mechanics.rates(), state)[6]
    assert close(found[3:] @ u, -2 * q[6] * roll_rate)
    assert close(Seen(system, q).energy[1], 0.5 * 7 * 0.3**2 + q[6] ** 2)


def test_a_damper_on_all_speeds() -> None:
    m = jd.Model("ball", gravity=(0, 0, 0))
    m.spherical("s", m.ground, m.body("b", mass=1.0, inertia=jd.principal(1, 1, 1)))
    m.joint_damper("s", damping=2.0, name="oil")
    m.joint_friction("s", moment=1.0, width=1.0, index=2, name="cap")
    assert [x.name for x in m.system().loads] == ["oil", "oil part 2", "oil part 3", "cap"]
    u = np.array([0.1, 0.2, 0.3])
    assert close(-Seen(m.system(), u=u).forces, -2 * u - [0, 0, 0.3 / np.hypot(0.3, 1)])


def test_rotors_add_to_the_diagonal() -> None:
    m = slider()
    ratio = m.parameter("n", 50.0)
    m.rotor("x", inertia=0.01, ratio=ratio)
    m.rotor("x", inertia=0.5, name="second")
    assert close(Seen(m.system()).mass_matrix, np.diag([2 + 0.01 * 2500 + 0.5, 3]))
    assert [x.name for x in m.system().rotors] == ["rotor 1", "second"]


def test_forces_at_points_in_any_axes_with_a_reaction() -> None:
    m = jd.Model("pair", gravity=(0, 0, 0))
    a, b = (m.body(name, mass=1.0, inertia=STILL) for name in ("a", "b"))
    m.free("ja", m.ground, a)
    m.free("jb", m.ground, b)
    tip = a.point("tip", (0, 0, 1))
    hand = b.frame("hand", (1, 0, 0), [("z", np.pi / 2)])
    m.force((1, 0, 0), at=tip, axes=hand, reaction=b)
    m.torque((0, 0, 5), on=a, axes="hand", reaction=b)
    q = m.system().neutral
    q[7:10] = (0.2, 0.3, 0.4)
    found = -Seen(m.system(), q).forces
    force = np.array([0, 1, 0])  # the hand's x is b's y, and all axes are parallel here
    place = np.array([0, 0, 1])
    assert close(found[:3], np.cross(place, force) + np.array([0, 0, 5]))
    assert close(found[3:6], force)
    assert close(found[6:9], -np.cross(place - [0.2, 0.3, 0.4], force) - [0, 0, 5])
    assert close(found[9:], -force)


def test_parts_of_a_load_have_names_of_their_own() -> None:
    m = jd.Model("one")
    a = m.body("a", mass=1.0, inertia=STILL)
    m.free("j", m.ground, a)
    m.force(a.x + m.ground.y, at=a.origin, name="push")
    assert [x.name for x in m.system().loads] == ["push", "push part 2"]
    m.torque((0, 0, 1), on=a, name="push part 2")
    with pytest.raises(jd.ModelError, match="'push part 2': the name is taken by a load"):
        m.system()


# -- vectors -------------------------------------------------------------------------------------------------


class Scene:
    """Two bodies somewhere, and everything about them in ground axes from poses and twists alone."""

    def __init__(self) -> None:
        m = self.m = jd.Model("scene", gravity=(0.3, -0.2, -9))
        self.s, self.f = m.parameter("s", 1.7), m.input("f", -0.6)
        self.a, self.b = (m.body(name, mass=1.0, inertia=STILL) for name in ("a", "b"))
        m.free("ja", m.ground, self.a)
        m.universal("jb", self.a, self.b, at=(0.1, 0.2, 0.3))
        self.p = self.a.point("p", (0.3, -0.2, 0.5))
        self.r = self.b.point("r", (-0.4, 0.6, self.s))
        self.hand = self.b.frame("hand", (0.1, 0, 0.2), [("x", 0.3), ("y", -0.4)])
        self.nail = m.ground.point("nail", (1, 2, 3))

    def read(self, **values: object) -> dict[str, Array]:
        """Outputs as numbers; a vector's three components together."""
        for name, value in values.items():
            self.m.output(name, value)  # type: ignore[arg-type]
        self.seen = Seen.at_random(self.m.system())
        found: dict[str, Array] = {}
        for name in values:
            single = self.seen.outputs.get(name)
            parts = [single] if single is not None else [self.seen.outputs[f"{name}.{x}"] for x in "xyz"]
            found[name] = np.array(parts)
        return found


def test_vectors_add_scale_and_multiply_as_vectors_do() -> None:
    scene = Scene()
    a, b, g = scene.a, scene.b, scene.m.ground
    v = 2 * a.x - b.y / scene.s + g.vector((0, scene.f, 1)) * 3.0 + +a.z
    w = -(scene.hand.z - scene.p.velocity * np.float64(0.5)) + b.omega
    read = scene.read(
        v=v, w=w, sum=v + w, difference=v - w, dot=v @ w, same=v.dot(w), cross=v.cross(w), norm=w.norm(),
        first=a.x @ b.y, twice=(scene.p.velocity + a.omega) @ (b.omega - scene.r.velocity), square=a.x @ a.x,
        zero=a.x.cross(a.x), still=g.omega, nothing=v - v,
    )  # fmt: skip
    rotation = {name: scene.seen.pose(name)[:3, :3] for name in "ab"}
    expected = 2 * rotation["a"][:, 0] - rotation["b"][:, 1] / 1.7 + rotation["a"][:, 2]
    assert close(read["v"], expected + 3 * np.array([0, scene.seen.state.inputs["f"], 1]))
    assert close(read["sum"], read["v"] + read["w"])
    assert close(read["difference"], read["v"] - read["w"])
    assert close(read["dot"], read["v"] @ read["w"], 10)
    assert close(read["same"], read["dot"])
    assert close(read["cross"], np.cross(read["v"], read["w"]), 10)
    assert close(read["norm"], np.linalg.norm(read["w"]))
    assert close(read["first"], rotation["a"][:, 0] @ rotation["b"][:, 1])
    assert read["square"] == 1.0
    for name in ("zero", "still", "nothing"):
        assert not read[name].any()


def test_components_in_every_frame() -> None:
    scene = Scene()
    a, b, hand, g = scene.a, scene.b, scene.hand, scene.m.ground
    for k, vector in enumerate((scene.r.velocity, scene.p.position, a.omega + b.x, scene.r.acceleration, b.alpha)):
        for name, axes in (("a", a), ("b", b), ("hand", hand), ("g", g)):
            scene.m.output(f"o{k} {name}", vector, axes=axes)
    outputs = Seen.at_random(scene.m.system()).outputs
    seen = Seen.at_random(scene.m.system())
    turned = {"a": seen.pose("a")[:3, :3], "b": seen.pose("b")[:3, :3]}
    own = np.array([[x.value for x in row] for row in hand.turned.matrix()])
    turned["hand"] = turned["b"] @ own
    for k in range(5):
        ground = np.array([outputs[f"o{k} g.{x}"] for x in "xyz"])
        for name, rotation in turned.items():
            assert close(rotation @ [outputs[f"o{k} {name}.{x}"] for x in "xyz"], ground, 100)


def test_positions_velocities_and_accelerations_are_each_others_rates() -> None:
    """Along the motion, by differences of the poses at two moments of free fall."""
    m = jd.Model("falling", gravity=(0, 0, -9.81))
    body = m.body("b", mass=1.0, inertia=STILL)
    m.free("j", m.ground, body)
    tip = body.point("tip", (0.3, -0.2, 0.5))
    for name in ("position", "velocity", "acceleration"):
        m.output(name, getattr(tip, name))
    m.output("omega", body.omega)
    m.output("alpha", body.alpha)
    m.output("weightless", tip.acceleration @ m.ground.z)
    seen = Seen.at_random(m.system())
    out = {name: np.array([seen.outputs[f"{name}.{x}"] for x in "xyz"]) for name in
           ("position", "velocity", "acceleration", "omega", "alpha")}  # fmt: skip
    pose, u = seen.pose("b"), seen.state.u
    arm = pose[:3, :3] @ [0.3, -0.2, 0.5]
    assert close(out["position"], pose[:3, 3] + arm)
    assert close(out["omega"], pose[:3, :3] @ u[:3])
    assert close(out["velocity"], pose[:3, :3] @ u[3:] + np.cross(out["omega"], arm))
    # Free: the mass centre, the origin, falls; Euler's equations turn the body.
    turning = -np.linalg.solve(np.diag([0.2, 0.3, 0.4]), np.cross(u[:3], np.diag([0.2, 0.3, 0.4]) @ u[:3]))
    assert close(out["alpha"], pose[:3, :3] @ turning)
    inwards = np.cross(out["omega"], np.cross(out["omega"], arm))
    expected = np.array([0, 0, -9.81]) + np.cross(out["alpha"], arm) + inwards
    assert close(out["acceleration"], expected, 10)
    assert close(seen.outputs["weightless"], expected[2], 10)


def test_points_of_the_ground_rest() -> None:
    scene = Scene()
    nail = scene.nail
    read = scene.read(place=nail.position, still=nail.velocity, apart=scene.p.position - nail.position)
    assert np.array_equal(read["place"], [1, 2, 3])
    assert not read["still"].any()
    pose = scene.seen.pose("a")
    assert close(read["apart"], pose[:3, :3] @ [0.3, -0.2, 0.5] + pose[:3, 3] - [1, 2, 3])


def test_what_vectors_are_not() -> None:
    scene, other = Scene(), Scene()
    v: Any = scene.a.x
    with pytest.raises(TypeError, match="vectors are not compared; their dot products are scalars"):
        _ = v == scene.a.x
    with pytest.raises(TypeError, match=r"a product of vectors is v @ w \(dot\) or v.cross\(w\)"):
        v * v
    for join in (operator.add, operator.sub, operator.matmul, type(v).cross):
        with pytest.raises(ValueError, match="these vectors belong to different models, 'scene' and 'scene'"):
            join(v, other.a.x)
    for operation, verb in (
        (operator.add, "is added to"), (operator.sub, "is subtracted from"), (operator.matmul, "is multiplied with"),
        (type(v).cross, "is multiplied with"),
    ):
        with pytest.raises(TypeError, match=f"a vector {verb} 1, which is no vector; a scalar stands before an axis"):
            operation(v, 1)
    for operation, x, verb in (
        (operator.add, 1, "is added to"), (operator.sub, scene.f, "has subtracted from it"),
        (operator.matmul, [1, 2, 3], "is multiplied with"), (operator.add, "y" * 99, "is added to"),
    ):
        with pytest.raises(TypeError, match=f"a vector {verb} .*, which is no vector"):
            operation(x, v)
    for operation, x, said in (
        (operator.truediv, v, r"nothing is divided by a vector; divide by v.norm\(\)"),
        (operator.pow, 2, "a vector has no powers; its square is v @ v"),
        (operator.and_, v, "the dot product is v @ w"),
        (operator.xor, v, r"the vector product is v.cross\(w\)"),
        (operator.lt, v, "vectors are not compared; their lengths"),
        (operator.ge, v, "vectors are not compared; their lengths"),
        (operator.getitem, 0, r"a vector has components only along axes: v @ body.x, or v.in_frame\(body\)"),
    ):
        with pytest.raises(TypeError, match=said):
            operation(v, x)
    with pytest.raises(TypeError, match="nothing is divided by a vector"):
        scene.f / v
    with pytest.raises(TypeError, match="a vector is neither true nor false"):
        bool(v)
    v * "three"
    np.ones(3) * v
    with pytest.raises(jd.ModelError, match="a vector's factor is 'three'; a number or an expression") as raised:
        scene.m.system()
    assert "a vector's factor is array([1., 1., 1.])" in raised.value.mistakes[1].text


def test_handles_know_their_home_and_show_it() -> None:
    scene = Scene()
    a, m = scene.a, scene.m
    assert repr(a) == "<body 'a' of model 'scene'>"
    assert repr(scene.p) == "<point 'p' of model 'scene'>"
    assert repr(scene.hand) == "<frame 'hand' of model 'scene'>"
    assert repr(m["jb"]) == "<joint 'jb' of model 'scene'>"
    assert repr(m) == "<model 'scene': 2 bodies, 2 joints>"
    assert (scene.p.body.name, scene.hand.body.name, scene.hand.origin.name) == ("a", "b", "b.hand.origin")
    assert repr(a.x * 2.0 - scene.b.z + scene.p.velocity * m.time + a.omega) == (
        "(2) a.x + (-1) b.z + (t) p.velocity + a.omega"
    )
    assert repr(a.x - a.x) == "0"
    assert isinstance(m["s"], Node)
    assert m["ground"].name == "ground"
    assert m["p"].name == "p"
    assert m["hand"].name == "hand"
    values = m.parameters(one=1.0, two=2.0)
    first, second = values
    assert (first, second) == (values.one, values["two"])
    assert (len(values), dir(values)) == (2, ["one", "two"])
