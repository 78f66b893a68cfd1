"""What changes, and how fast, as seen from any body: against derivatives of components along the motion."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.generalized import mechanics_of
from jourdain.equations.mechanics import Mechanics
from jourdain.equations.quantities import Quantities
from jourdain.graph import Node, sin
from jourdain.model.files import from_text, to_text
from jourdain.model.guide import Guide
from jourdain.model.handles import BodyHandle, FrameHandle, PointHandle
from jourdain.model.pose import Pose
from jourdain.model.vectors import VectorExpression
from jourdain.spatial import Rotation, Vector

from ..equations.systems import State, Traits, along_motion, evaluate, random_state, random_system
from .looking import Array

Frame = BodyHandle | FrameHandle
CASES = {
    **{f"tree-{seed}": (seed, 4, Traits(driven=True)) for seed in range(4)},
    **{f"floating-{seed}": (seed, 3, Traits(floating=True, driven=True)) for seed in (11, 12)},
    **{f"symbols-{seed}": (seed, 3, Traits(symbolic=True)) for seed in (21, 22)},
}


class Moving:
    """A random system's model, with points and frames, in a random state; what is asked is read in one derivation."""

    def __init__(self, seed: int, size: int, traits: Traits) -> None:
        plain = random_system(seed, size, traits)
        rng = np.random.default_rng(seed)
        self.m = m = jd.Model.of(plain)
        self.push = m.input("wind", 0.7)
        self.bodies: list[BodyHandle] = [m[x.name] for x in plain.bodies]
        self.inner, self.outer = self.bodies[0], self.bodies[-1]
        self.P = self.outer.point("P", rng.normal(size=3))
        self.Q = self.inner.point("Q", rng.normal(size=3))
        self.hand = self.outer.frame("hand", (0.1, 0.2, 0.3), [("x", 0.4), ("z", -0.7)])
        self.frames: list[Frame] = [m.ground, self.inner, self.outer, self.hand]
        self.asked: dict[str, Node] = {}

    def ask(self, name: str, value: Node) -> None:
        self.asked[name] = value

    def ask_vector(self, name: str, value: VectorExpression, axes: Frame) -> None:
        for letter, x in zip("xyz", value.in_frame(axes)):
            self.ask(f"{name} {letter}", x)

    def answer(self) -> None:
        """All that was asked, as expressions of one derivation."""
        for name, value in self.asked.items():
            self.m.output(name, value)
        system = self.m.system()
        self.mechanics = mechanics = Mechanics(from_text(to_text(system), "again"))
        self.state: State = random_state(system, np.random.default_rng(5))
        resolved = Quantities(mechanics.lowered, mechanics.udot).resolved(
            [mechanics.system.expressions[x] for x in self.asked]
        )
        self.found = dict(zip(self.asked, resolved))

    def nodes(self, name: str) -> list[Node]:
        return [self.found[x] for x in self.found if x == name or x[:-2] == name]

    def value(self, name: str) -> Array:
        return evaluate(self.mechanics, self.nodes(name), self.state)

    def rate(self, name: str) -> Array:
        """The components' derivatives along the motion."""
        return along_motion(self.mechanics, self.nodes(name), self.state)


@pytest.fixture(params=list(CASES.values()), ids=list(CASES))
def scene(request: pytest.FixtureRequest) -> Moving:
    return Moving(*request.param)


def near(found: Array, wanted: Array) -> bool:
    assert found.shape == wanted.shape
    return bool(np.abs(found - wanted).max() <= 1e-11 * (1.0 + np.abs(wanted).max()))


VECTORS: dict[str, Callable[[Moving], VectorExpression]] = {
    "fixed": lambda s: s.inner.x * 2.0 - s.outer.vector((0.1, 0.2, 0.3)),
    "position": lambda s: s.P.position,
    "between": lambda s: s.P.pos_from(s.Q),
    "velocity": lambda s: s.P.velocity + s.outer.omega * 0.3,
    "relative": lambda s: s.P.vel(s.inner),
    "weighted": lambda s: (
        s.outer.x * sin(s.m.time) * (s.P.position @ s.inner.y)
        + s.Q.position * (s.inner.x @ s.outer.z) * s.push
        + s.P.velocity * (s.outer.omega @ s.hand.y)
    ),
    "product": lambda s: s.P.position.cross(s.outer.omega),
    "joints": lambda s: s.inner.z * sum(joint_sum(s)),
    "direction": lambda s: (s.P.position + s.m.ground.z * 9.0).normalize(),
}  # fmt: skip


def joint_sum(s: Moving) -> list[Node]:
    """Coordinates and speeds of all joints, driven ones among them."""
    return [x for joint in s.m.joints.values() for x in (*joint.coordinates, *joint.speeds)]


def test_rates_seen_from_any_frame_are_those_of_the_components_along_its_axes(scene: Moving) -> None:
    """The definition of a derivative in a frame, for every kind of vector and frame."""
    for name, make in VECTORS.items():
        v = make(scene)
        for k, frame in enumerate(scene.frames):
            scene.ask_vector(f"{name} in {k}", v, frame)
            scene.ask_vector(f"{name} changing in {k}", v.dt(frame), frame)
    scene.answer()
    for name in VECTORS:
        for k in range(len(scene.frames)):
            assert near(scene.value(f"{name} changing in {k}"), scene.rate(f"{name} in {k}")), (name, k)


def test_relative_motion(scene: Moving) -> None:
    """Velocities and accelerations relative to a body are derivatives, as it sees them, of where the point is."""
    s, pairs = scene, []

    def same(name: str, one: VectorExpression, other: VectorExpression) -> None:
        s.ask_vector(f"{name}, one", one, s.inner)
        s.ask_vector(f"{name}, other", other, s.inner)
        pairs.append(name)

    for k, frame in enumerate(s.frames):
        base = s.m.ground.origin if k == 0 else s.inner.origin if k == 1 else s.hand.origin
        same(f"vel {k}", s.P.vel(frame), s.P.pos_from(base).dt(frame))
        same(f"acc {k}", s.P.acc(frame), s.P.vel(frame).dt(frame))
        same(f"ang_acc {k}", s.inner.ang_acc_in(frame), s.inner.ang_vel_in(frame).dt(frame))
    same("there and back", s.inner.ang_vel_in(s.outer), -s.hand.ang_vel_in(s.inner))
    same("by name", s.P.vel(s.inner.name), s.P.vel(s.inner))
    # two points of one body (Kane's v2pt and a2pt), and the way over a third frame
    arm = s.P.pos_from(s.outer.origin)
    w, base = s.outer.omega, s.outer.origin
    same("two points, v", s.P.velocity, base.velocity + w.cross(arm))
    same("two points, a", s.P.acceleration, base.acceleration + s.outer.alpha.cross(arm) + w.cross(w.cross(arm)))
    same("chain", s.outer.ang_vel_in(None), s.outer.ang_vel_in(s.inner) + s.inner.omega)
    # d/dt of a product of vectors, with each factor seen from another frame than the product
    v, u = s.P.velocity, s.Q.position
    mixed = v.dt(s.outer).cross(u) + v.cross(u.dt(s.outer))
    same("transport", v.cross(u).dt(s.outer), mixed)
    same("between frames", v.dt(s.inner), v.dt(s.outer) + s.outer.ang_vel_in(s.inner).cross(v))
    s.ask("dot", v @ u)
    s.ask("dot changing", s.m.rate(v @ u))
    s.ask("dot, by parts", v.dt(s.outer) @ u + v @ u.dt(s.inner) + s.inner.ang_vel_in(s.outer).cross(u) @ v)
    s.ask("rate of a constant", s.m.rate(s.push * 2.0 + 1.0))
    for name, x in {"speeds": sum(joint_sum(s), s.m.graph.zero), "frame": s.hand.x @ s.inner.y + sin(s.m.time)}.items():
        s.ask(name, x)
        s.ask(f"{name} changing", s.m.rate(x))
    s.answer()
    for name in pairs:
        assert near(s.value(f"{name}, one"), s.value(f"{name}, other")), name
    assert near(s.value("dot changing"), s.rate("dot"))
    assert near(s.value("dot changing"), s.value("dot, by parts"))
    assert near(s.value("speeds changing"), s.rate("speeds"))
    assert near(s.value("frame changing"), s.rate("frame"))
    assert s.value("rate of a constant") == 0.0


def test_components_and_cosines(scene: Moving) -> None:
    """express, to_matrix, dcm, and a frame's own vectors."""
    s = scene
    v = s.P.velocity + s.inner.x * 2.0
    s.ask_vector("v", v, s.hand)
    s.ask_vector("expressed", v.express(s.hand), s.hand)
    for i, row in enumerate(s.hand.dcm(s.inner)):
        for k, x in enumerate(row):
            s.ask(f"cosine {i}{k}", x)
    s.ask_vector("v in inner", v, s.inner)
    s.ask_vector("own", s.hand.vector((0.3, -0.1, 0.7)), s.hand)
    s.ask_vector("sum", 0 + v + s.hand.omega + s.hand.alpha, s.inner)
    s.ask_vector("one by one", v + s.outer.omega + s.outer.alpha, s.inner)
    s.answer()
    assert near(s.value("v"), s.value("expressed"))
    turn = np.array([[s.value(f"cosine {i}{k}")[0] for k in range(3)] for i in range(3)])
    assert near(turn @ turn.T, np.eye(3))
    assert near(turn @ s.value("v in inner"), s.value("v"))
    assert near(s.value("own"), np.array([0.3, -0.1, 0.7]))
    assert near(s.value("sum"), s.value("one by one"))
    assert v.to_matrix(s.hand) == v.in_frame(s.hand)


def pendulum() -> tuple[jd.Model, BodyHandle, PointHandle]:
    m = jd.Model("swing")
    bob = m.body("bob", mass=1.0, inertia=jd.principal(0.1, 0.2, 0.3))
    m.revolute("hinge", m.ground, bob, axis="x")
    return m, bob, bob.point("tip", (0, 0, -1))


def test_joints_rates_are_outputs() -> None:
    m, bob, tip = pendulum()
    hinge = m["hinge"]
    assert hinge.accelerations == (hinge.acceleration,)
    m.output("qdd", hinge.acceleration)
    m.output("along", tip.acceleration @ bob.y)
    m.output("speed", m.rate(hinge.coordinate))
    m.spherical("ball", bob, m.body("other", mass=1.0, inertia=jd.principal(0.1, 0.1, 0.1)))
    d = jd.compile(m.system())
    q, u = np.array([0.4, 0, 0, 0, 1.0]), np.array([0.7, 0, 0, 0])
    out = d.outputs(q, u)
    assert out["qdd"] == d.forward_dynamics(q, u)[0]
    assert out["along"] == pytest.approx(out["qdd"], abs=1e-14)
    assert out["speed"] == 0.7
    with pytest.raises(jd.ModelError, match=r"joint 'ball' has 3 speeds \(wx, wy, wz\)"):
        _ = m["ball"].acceleration


def test_rates_of_generalized_speeds_are_those_of_what_they_stand_for() -> None:
    m, bob, tip = pendulum()
    u = m.speeds(v=tip.velocity @ bob.y * 2.0).v
    m.output("vdot", m.rate(u))
    d = jd.compile(m.system())
    assert d.outputs([0.4], [0.7])["vdot"] == pytest.approx(d.forward_dynamics([0.4], [0.7])[0], abs=1e-14)


def test_a_differentiated_position_is_a_velocity_constraint() -> None:
    """The rows are those that the position itself is given for."""
    m = jd.Model("link")
    a, b = (m.body(x, mass=1.0, inertia=jd.principal(0.1, 0.2, 0.3)) for x in "ab")
    m.free("fa", m.ground, a)
    m.free("fb", m.ground, b)
    rod = a.point("A", (0.1, 0.2, 0.3)).pos_from(b.point("B", (0.3, 0, -0.2)))
    m.keep("rod", rod @ rod - jd.sin(m.time))
    m.keep("rod moves", m.rate(rod @ rod - jd.sin(m.time)))
    system = m.system()
    q = np.array([0.1, 0.2, 0.3, 0.5, -0.5, 0.5, 0.5, 0.7, -0.3, 0.4, 0.1, 0.7, 0.1, 0.7])
    found = jd.compile(system).residual(q, np.linspace(-1, 1, 12), t=0.3)
    assert found["rod"][1] == pytest.approx(found["rod moves"][0], abs=1e-14)


def test_what_cannot_be_differentiated_is_refused() -> None:
    m, bob, tip = pendulum()
    with pytest.raises(jd.ModelError, match=r"the acceleration of 'tip' cannot be differentiated: nothing beyond"):
        tip.acceleration.dt()
    with pytest.raises(jd.ModelError, match=r"speed 1.* cannot be differentiated: nothing beyond"):
        m.rate(m["hinge"].acceleration)
    with pytest.raises(TypeError, match=r"a vector changes differently for each frame .*: v.dt\(body\)"):
        m.rate(bob.x)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a vector of no length has no direction"):
        (bob.x - bob.x).normalize()
    seen: list[Node] = []
    m.strut(tip, m.ground.point("nail", (1, 0, 0)), tension=lambda length, rate: seen.append(length) or length)  # type: ignore[func-returns-value]
    with pytest.raises(jd.ModelError, match=r"length\]' cannot be differentiated with respect to time here"):
        m.rate(seen[0])
    m.joint_force("hinge", m["hinge"].acceleration)
    with pytest.raises(jd.ModelError, match="accelerations"):
        m.system()


def test_frames_of_other_models_are_refused() -> None:
    (m, bob, tip), (_, other, stranger) = pendulum(), pendulum()
    with pytest.raises(ValueError, match="<body 'bob' of model 'swing'> belongs to another model than the vector"):
        bob.x.in_frame(other)
    tip.vel(other)
    tip.pos_from(stranger)
    bob.ang_vel_in("bop")
    with pytest.raises(jd.ModelError) as raised:
        m.system()
    said = [x.text for x in raised.value.mistakes]
    assert said == [
        "what 'tip' is seen from is the body 'bob' of another model",
        "what 'tip' is measured from is the point 'tip' of another model",
        "what an angular velocity is relative to is 'bop', but there is no such body; did you mean 'bob'?",
    ]
    assert all(x.where.file == __file__ for x in raised.value.mistakes)


def test_joints_rates_go_with_a_part_that_is_placed_or_removed() -> None:
    m, _, _ = pendulum()
    m.output("qdd", m["hinge"].acceleration * 2.0)
    whole = jd.Model("two")
    whole.place(m, "left")
    whole.place(m, "right", at=(1, 0, 0))
    d = jd.compile(whole.system())
    q, u = [0.4, 0.7], [0.1, -0.2]
    out, udot = d.outputs(q, u), d.forward_dynamics(q, u)
    assert [out["left.qdd"], out["right.qdd"]] == pytest.approx(2.0 * udot, abs=1e-14)
    whole.remove("left.bob")
    assert whole.system().outputs == ("right.qdd",)


def test_a_driven_and_a_locked_joints_rates() -> None:
    m, bob, _ = pendulum()
    m.revolute("drive", bob, m.body("wheel", mass=1.0, inertia=jd.principal(0.1, 0.1, 0.1)), axis="z")
    m.revolute("held", bob, m.body("brake", mass=1.0, inertia=jd.principal(0.1, 0.1, 0.1)), axis="z")
    m.prescribe("drive", m.time**3)
    m.lock("held", 0.3)
    m.output("driven", m["drive"].acceleration)
    m.output("speed", m.rate(m["drive"].coordinate))
    m.output("locked", m["held"].acceleration)
    out = jd.compile(m.system()).outputs([0.1], [0.2], t=2.0)
    assert [float(out[x]) for x in ("driven", "speed", "locked")] == [12.0, 12.0, 0.0]


def test_an_input_that_is_the_derivative_of_another() -> None:
    m, bob, tip = pendulum()
    wind, gust = m.inputs("wind", "gust")
    m.input_rates["wind"] = "gust"
    assert m.rate(wind) is gust
    assert m.rate(gust).is_zero
    m.output("felt", (bob.y * wind).dt() @ tip.body.y)
    assert jd.compile(m.system()).outputs([0.3], [0.5], inputs={"wind": 2.0, "gust": 0.25})["felt"] == 0.25


def test_axes_that_do_not_spin_with_their_body() -> None:
    """A guided disk that spins about its y, told in axes that only follow its heading."""
    m, _, _ = pendulum()
    disk = m.body("disk", mass=1.0, inertia=jd.principal(0.1, 0.2, 0.1))
    m.weld("carried", m.ground, disk)
    graph, hinge = m.graph, m["hinge"]
    zero, q, p = Vector.zero(graph), hinge.coordinate, hinge.speed
    place = Pose(Rotation.turn(graph, 2, q), zero)
    spin = Vector(graph.zero, p * 5.0, p)
    m.joints["carried"].guide = Guide(place, spin, zero, Vector(graph.zero, graph.zero, p))
    m.output("ahead", disk.x)
    m.output("turning", disk.x.dt())
    m.output("spinning", disk.omega, axes=disk)
    m.output("changing", disk.omega.dt(disk), axes=disk)
    mechanics = mechanics_of(m.system())
    state = State(np.array([0.4]), np.array([0.7]), np.array([-0.3]), np.zeros(1))
    outputs = mechanics.system.expressions
    found = dict(zip(outputs, mechanics.quantities_at(mechanics.udot).resolved(list(outputs.values()))))

    def vector(name: str) -> list[Node]:
        return [found[f"{name}.{x}"] for x in "xyz"]

    assert near(evaluate(mechanics, vector("turning"), state), along_motion(mechanics, vector("ahead"), state))
    assert near(evaluate(mechanics, vector("spinning"), state), np.array([0, 3.5, 0.7]))
    assert near(evaluate(mechanics, vector("changing"), state), along_motion(mechanics, vector("spinning"), state))


def test_a_vector_where_a_scalar_is_needed() -> None:
    m, bob, tip = pendulum()
    m.keep("still", tip.velocity)  # type: ignore[arg-type]
    m.speeds(u=bob.omega)  # type: ignore[arg-type]
    with pytest.raises(jd.ModelError) as raised:
        m.system()
    said = [x.text for x in raised.value.mistakes if "is the vector" in x.text]
    hint = "a scalar is needed: a component, v @ body.x, or the length, v.norm()"
    assert said == [
        f"constraint 'still', row 1 is the vector tip.velocity; {hint}",
        f"generalized speed 'u' is the vector bob.omega; {hint}",
    ]
    with pytest.raises(TypeError):
        jd.sin(bob.x)  # type: ignore[arg-type]


def test_a_magnitude_is_a_length() -> None:
    _, _, tip = pendulum()
    assert tip.velocity.magnitude() is tip.velocity.norm()
