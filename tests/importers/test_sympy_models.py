"""Models of `sympy.physics.mechanics`, SymPy's own tests' and tutorials' among them, answer as SymPy's equations do."""

from __future__ import annotations

import copy
import json
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sympy import cos, gamma, sin, symbols
from sympy.physics.mechanics import (
    DuffingSpring,
    ForceActuator,
    KanesMethod,
    LagrangesMethod,
    LinearDamper,
    LinearPathway,
    LinearSpring,
    ObstacleSetPathway,
    Particle,
    PinJoint,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    System,
    TorqueActuator,
    WrappingCylinder,
    WrappingPathway,
    WrappingSphere,
    dynamicsymbols,
    inertia,
)

import jourdain as jd
from jourdain.bench.sympy_models import MODELS, SympyModel, asked, bicycle, four_bar, stanford_arm
from jourdain.model.reading import system_of
from jourdain.model.record import record

from .sympy_answers import Equations, agree

SYMPYS_OWN = [
    ("test_kane", name)
    for name in (
        "test_one_dof", "test_two_dof", "test_pend", "test_rolling_disc", "test_aux", "test_parallel_axis",
        "test_implicit_kinematics",
    )
] + [
    ("test_kane2", "test_aux_dep"), ("test_kane2", "test_non_central_inertia"), ("test_kane2", "test_sub_qdot"),
    ("test_kane4", "test_replace_qdots_in_force"), ("test_kane5", "test_kane_rolling_disc_lu"),
    ("test_jointsmethod", "test_jointsmethod"), ("test_jointsmethod", "test_rigid_body_particle_compatibility"),
    ("test_jointsmethod", "test_complete_simple_double_pendulum"), ("test_jointsmethod", "test_two_dof_joints"),
    ("test_jointsmethod", "test_chaos_pendulum"),
    ("test_jointsmethod", "test_four_bar_linkage_with_manual_constraints"),
]  # fmt: skip


@pytest.mark.parametrize(("module", "test"), SYMPYS_OWN, ids=lambda x: x.removeprefix("test_"))
def test_models_of_sympys_own_tests(module: str, test: str) -> None:
    agree(asked(module, test)[0])


@pytest.mark.parametrize("test", ["test_cart_pendulum_kanes", "test_box_on_ground"])
def test_models_of_sympys_own_system_class(test: str) -> None:
    agree(asked("test_system_class", test, "TestSystemExamples")[0])


def test_every_choice_of_speeds_and_forces_in_one_test() -> None:
    found = asked("test_kane4", "test_replace_qdots_in_force", all_of_them=True)
    assert len(found) == 6
    for given in found[1:]:
        agree(given)


@pytest.mark.parametrize("name", MODELS)
def test_benchmark_models(name: str) -> None:
    agree(MODELS[name]())


def test_auxiliary_speeds_are_zero() -> None:
    found = asked("test_kane", "test_aux", all_of_them=True)
    assert len(found) == 2 and found[1].model._uaux.shape == (2, 1)
    agree(found[1])


def test_a_singular_model_has_sympys_matrices() -> None:
    """A particle on an arm about whose own axis nothing has inertia."""
    given = asked("test_kane", "test_issue_24887")[0]
    system = jd.from_sympy(given.model, bodies=given.bodies, loads=given.loads)
    equations = Equations.of(given)
    state = equations.state(0)
    mass, forcing = equations.matrices(state, system.parameters)
    compiled = jd.compile(system)
    np.testing.assert_allclose(compiled.mass_matrix(state.q), mass, atol=1e-13)
    np.testing.assert_allclose(-compiled.bias_forces(state.q, state.u), forcing, atol=1e-12)


# -- actuators and pathways ------------------------------------------------------------------------------------------


def two_links() -> tuple[System, RigidBody, RigidBody, RigidBody]:
    """On a table: a pin about z, and a second one across it."""
    wall, a, b = RigidBody("wall"), RigidBody("a"), RigidBody("b")
    q1, q2, u1, u2 = dynamicsymbols("q1 q2 u1 u2")
    length = symbols("l")
    system = System.from_newtonian(wall)
    first = PinJoint("J1", wall, a, q1, u1, joint_axis=wall.z, child_point=-length * a.x)
    second = PinJoint(
        "J2", a, b, q2, u2, joint_axis=a.x, parent_point=length * a.x, child_point=-length * b.y
    )
    system.add_joints(first, second)
    system.apply_uniform_gravity(-symbols("g") * wall.y)
    return system, wall, a, b


def anchor(wall: RigidBody) -> Point:
    length = symbols("l")
    point = wall.masscenter.locatenew("anchor", 3 * length * wall.x + length * wall.y + length * wall.z)
    point.set_vel(wall.frame, 0)
    return point


def test_springs_dampers_and_motors() -> None:
    system, wall, a, b = two_links()
    k, c, length = symbols("k c l")
    pathway = LinearPathway(anchor(wall), b.masscenter)
    torque = k * dynamicsymbols("q1") ** 3 + dynamicsymbols("tau")
    system.add_actuators(
        LinearSpring(k, pathway, length), LinearDamper(c, pathway), DuffingSpring(k, c, pathway, length / 2),
        TorqueActuator(torque, a.z, a, wall),
    )  # fmt: skip
    agree(SympyModel(system))


def test_a_pathway_around_obstacles() -> None:
    system, wall, a, b = two_links()
    k, length = symbols("k l")
    around = a.masscenter.locatenew("around", length * a.y / 3)
    around.v2pt_theory(a.masscenter, wall.frame, a.frame)
    system.add_actuators(LinearSpring(k, ObstacleSetPathway(anchor(wall), around, b.masscenter), length))
    agree(SympyModel(system))


@pytest.mark.parametrize("kind", [WrappingCylinder, WrappingSphere])
def test_a_pathway_that_wraps(kind: Any) -> None:
    q, u = dynamicsymbols("q u")
    r, k, rest, mass, moment = symbols("r k rest m I", positive=True)
    ground = ReferenceFrame("N")
    drum = ground.orientnew("A", "Axis", (q, ground.z))
    drum.set_ang_vel(ground, u * ground.z)
    center, fixed, moved = Point("O"), Point("fixed"), Point("moved")
    center.set_vel(ground, 0)
    fixed.set_pos(center, r * ground.x)
    fixed.set_vel(ground, 0)
    if kind is WrappingCylinder:
        geometry = WrappingCylinder(r, center, ground.z)
        moved.set_pos(center, r * cos(q) * ground.x + r * sin(q) * ground.y)
    else:
        geometry = WrappingSphere(r, center)
        moved.set_pos(center, r * drum.x)
    pathway = WrappingPathway(fixed, moved, geometry)
    system = System(ground, center)
    system.add_bodies(RigidBody("drum", center, drum, mass, (inertia(drum, moment, 2 * moment, 3 * moment), center)))
    system.q_ind, system.u_ind, system.kdes = [q], [u], [u - q.diff()]
    system.add_actuators(ForceActuator(-k * (pathway.length - rest), pathway))
    agree(SympyModel(system))


# -- other ways to say a model ---------------------------------------------------------------------------------------


def cart_and_pendulum() -> System:
    """For Lagrange's equations: weights as potential energy, speeds that are the coordinates' derivatives."""
    g, length, mass, bob_mass, k = symbols("g l m_c m_p k")
    qp, qc = dynamicsymbols("qp qc")
    rail, cart, bob = RigidBody("rail"), RigidBody("cart", mass=mass), Particle("bob", mass=bob_mass)
    swing = ReferenceFrame("swing")
    system = System.from_newtonian(rail)
    system.add_joints(
        PrismaticJoint("slider", rail, cart, qc, qc.diff(), joint_axis=rail.x),
        PinJoint(
            "pin", cart, bob, qp, qp.diff(), joint_axis=cart.z, child_interframe=swing, child_point=length * swing.y
        ),
    )
    for body in system.bodies:
        body.potential_energy = body.mass * g * body.masscenter.pos_from(system.fixed_point).dot(system.y)
    system.add_actuators(TorqueActuator(k * qp, cart.z, swing, cart))
    return system


@pytest.mark.parametrize("held", [False, True])
def test_lagranges_method(held: bool) -> None:
    model = cart_and_pendulum()
    if held:
        bob = model.get_body("bob")
        model.add_holonomic_constraints(bob.masscenter.pos_from(model.fixed_point).dot(model.x))
    model.form_eoms(LagrangesMethod)
    system = jd.from_sympy(model.eom_method)
    assert system.speeds == system.coordinates == tuple(x.name for x in model.q)
    values = {**{symbols(k): v for k, v in system.parameters.items()}}
    q, u = np.array([0.4, 0.7]), np.array([-0.3, 0.5])
    at = dict(zip(model.q.diff(dynamicsymbols._t), u))
    full = model.eom_method.mass_matrix_full.subs(values).subs(at).subs(dict(zip(model.q, q)))
    right = model.eom_method.forcing_full.subs(values).subs(at).subs(dict(zip(model.q, q)))
    answer = np.linalg.solve(np.array(full, float), np.array(right, float))[:, 0]
    found = jd.compile(system).forward_dynamics(q, u)
    np.testing.assert_allclose(found, answer[2:4], rtol=1e-11)


def test_joints_method() -> None:
    from sympy.physics.mechanics import JointsMethod
    from sympy.testing.pytest import warns_deprecated_sympy

    wall, bar = RigidBody("wall"), RigidBody("bar")
    pin = PinJoint("pin", wall, bar, child_point=-symbols("l") * bar.x, joint_axis=wall.z)
    with warns_deprecated_sympy():
        method = JointsMethod(wall, pin)
    method.loads.append((bar.masscenter, -bar.mass * symbols("g") * wall.y))
    system = jd.from_sympy(method)
    method.form_eoms()
    agree(SympyModel(method.method, method.bodies, method.loads), system)


def test_motion_that_is_given_as_a_function_of_time() -> None:
    """A pendulum whose pivot moves as z(t) does: SymPy's equations hold z″, and so do ours."""
    q, u, z = dynamicsymbols("q u z")
    m, length, g = symbols("m l g")
    t = dynamicsymbols._t
    ground = ReferenceFrame("N")
    arm = ground.orientnew("A", "Axis", (q + sin(t), ground.z))
    origin = Point("O")
    origin.set_vel(ground, 0)
    pivot = origin.locatenew("pivot", z * ground.x + cos(2 * t) * ground.y)
    bob = Particle("bob", pivot.locatenew("P", length * arm.x), m)
    model = KanesMethod(
        ground, [q], [u], [q.diff() - u], bodies=[bob], forcelist=[(bob.point, -m * g * ground.y)]
    )
    system = jd.from_sympy(model)
    assert system.inputs == ("z", "zdot", "zdotdot")
    assert dict(system.input_rates) == {"z": "zdot", "zdot": "zdotdot"}
    agree(SympyModel(model, model.bodies, model.loads), system)


def test_accelerations_that_are_set_are_kept() -> None:
    """SymPy takes an acceleration that it is given, be it another one than the velocity's derivative."""
    q, u = dynamicsymbols("q u")
    m = symbols("m")
    ground = ReferenceFrame("N")
    point = Point("P")
    point.set_vel(ground, u * ground.x)
    point.set_acc(ground, (u.diff() + q.diff() * u + q * q.diff(dynamicsymbols._t, 2)) * ground.x)
    body = Particle("p", point, m)
    model = KanesMethod(ground, [q], [u], [2 * q.diff() - u], bodies=[body])
    system = jd.from_sympy(model)
    agree(SympyModel(model, [body]), system)
    again = jd.Model.of(system).system()
    np.testing.assert_array_equal(
        jd.compile(again).forward_dynamics([0.3], [0.7]), jd.compile(system).forward_dynamics([0.3], [0.7])
    )


def test_inertia_whose_axes_turn_in_the_body() -> None:
    """SymPy adds the inertia's own change; for a body of revolution that is nothing, for another it is not."""
    q1, q2, u1, u2 = dynamicsymbols("q1 q2 u1 u2")
    ground = ReferenceFrame("N")
    lean = ground.orientnew("L", "Axis", (q1, ground.x))
    disk = lean.orientnew("D", "Axis", (q2, lean.y))
    center = Point("C")
    center.set_vel(ground, 0)
    kinematical = [q1.diff() - u1, q2.diff() - u2]
    for moments, changes in (((2, 3, 2), False), ((2, 3, 4), True)):
        body = RigidBody("disk", center, disk, symbols("m"), (inertia(lean, *moments), center))
        model = KanesMethod(ground, [q1, q2], [u1, u2], kinematical, bodies=[body])
        system = jd.from_sympy(model)
        assert bool(system.loads) is changes
        agree(SympyModel(model, [body]), system)


# -- names, values, places -------------------------------------------------------------------------------------------


def test_names_order_and_values() -> None:
    given = bicycle()
    system = jd.from_sympy(given.model, bodies=given.bodies, loads=given.loads, values=given.values, name="bicycle")
    assert system.name == "bicycle"
    assert system.coordinates == ("q1", "q2", "q5", "q4", "u3.integral", "u6.integral")
    assert system.speeds == ("u2", "u3", "u5", "u1", "u4", "u6")
    assert dict(system.parameters) == dict(given.values)
    assert list(system.constraints) == [
        "configuration constraint 1", "velocity constraint 1", "velocity constraint 2"
    ]  # fmt: skip
    assert [x.name for x in system.bodies][-4:] == ["BodyFrame", "BodyFork", "BodyWR", "BodyWF"]


def test_symbols_without_values_have_different_ones() -> None:
    system = jd.from_sympy(four_bar().model)
    values = list(system.parameters.values())
    assert len(set(values)) == len(values) == 6 and all(1.0 < x < 2.0 for x in values)


def test_names_that_clash_or_are_no_names() -> None:
    q, u = dynamicsymbols("q u")
    ground = ReferenceFrame("N")
    point = Point("P'")
    point.set_vel(ground, u * ground.x)
    positive, plain = symbols("m", positive=True), symbols("m")
    first, second = Particle("q", point, positive), Particle("", point, plain)
    load = (point, symbols("u'") * ground.x)
    model = KanesMethod(ground, [q], [u], [q.diff() - u], bodies=[first, second], forcelist=[load])
    system = jd.from_sympy(model)
    assert set(system.parameters) == {"m", "m_", "u_"}
    assert len({x.name for x in system.bodies}) == 3
    values = system.parameters
    expected = values["u_"] / (values["m"] + values["m_"])
    np.testing.assert_allclose(jd.compile(system).forward_dynamics([0.0], [0.0]), [expected], rtol=1e-14)


def test_places_are_measured_from_a_point_at_rest() -> None:
    given = stanford_arm()
    compiled = jd.compile(jd.from_sympy(given.model, values=given.values))
    arm = jd.compile(jd.gallery.stanford_arm())
    q = {"q1": 0.3, "q2": 0.5, "q3": -0.4, "q4": 0.9, "q5": 0.2, "q6": 0.6}
    own = [q[name] for name in arm.system.coordinates]
    for body in "ABCDEF":
        theirs, there = arm.pose(body, own), compiled.pose(body, [q[f"q{k}"] for k in range(1, 7)])
        np.testing.assert_allclose(there[:3, :3], theirs[:3, :3], atol=1e-15)
        center = theirs[:3, :3] @ [x.value if x.is_constant else 0.0 for x in arm.system.body(body).center]
        if body in "ABC":
            np.testing.assert_allclose(there[:3, 3], theirs[:3, 3] + center, atol=1e-15)


# -- what else a System can do ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def system() -> jd.System:
    given = bicycle()
    return jd.from_sympy(given.model, bodies=given.bodies, loads=given.loads, values=given.values)


def test_saved_pickled_and_edited_it_is_the_same(system: jd.System, tmp_path: Path) -> None:
    path = tmp_path / "bicycle.json"
    system.save(path)
    q, u = np.linspace(0.2, 0.7, 6), np.linspace(-0.4, 0.5, 6)
    answer = jd.compile(system).forward_dynamics(q, u)
    for other in (jd.load(path), pickle.loads(pickle.dumps(system)), jd.Model.of(system).system()):
        assert other.coordinates == system.coordinates and other.speeds == system.speeds
        np.testing.assert_allclose(jd.compile(other).forward_dynamics(q, u), answer, rtol=1e-11)


def test_its_readouts_agree_with_one_another(system: jd.System) -> None:
    d = jd.compile(system)
    q, u, udot = np.linspace(0.2, 0.7, 6), np.linspace(-0.4, 0.5, 6), np.linspace(1.0, -2.0, 6)
    mass, bias = d.mass_matrix(q), d.bias_forces(q, u)
    np.testing.assert_allclose(d.inverse_dynamics(q, u, udot), mass @ udot + bias, rtol=1e-11)
    np.testing.assert_allclose(d.energy(q, u).kinetic, 0.5 * u @ mass @ u, rtol=1e-12)
    weights = d.bias_forces(q, 0.0 * u)
    np.testing.assert_allclose(d.coriolis_matrix(q, u) @ u, bias - weights, atol=1e-10)
    np.testing.assert_allclose(d.momentum(q, u), d.momentum_matrix(q) @ u, atol=1e-12)
    np.testing.assert_allclose(d.gravity_forces(q), 0.0)  # weights are among the loads
    np.testing.assert_allclose(
        d.mass_center_jacobian(q) @ u * sum(system.parameters[x] for x in ("mframe", "mfork", "mwr", "mwf")),
        d.momentum(q, u)[3:], atol=1e-12,
    )  # fmt: skip
    step = 1e-6
    jacobian = d.jacobian("BodyFork", q, axes="ground")
    rates = d.rates(q, u)
    ahead, behind = d.pose("BodyFork", q + step * rates), d.pose("BodyFork", q - step * rates)
    turned = (ahead[:3, :3] - behind[:3, :3]) @ d.pose("BodyFork", q)[:3, :3].T / (2 * step)
    np.testing.assert_allclose([turned[2, 1], turned[0, 2], turned[1, 0]], jacobian[:3] @ u, atol=1e-8)
    along = np.zeros((6, 6))
    along[3, 3] = 1.0  # a coordinate's own link slides along x, and q1's rate is the fourth speed
    np.testing.assert_allclose(d.jacobian("coordinate q1", q), along)


def test_inverse_dynamics_is_linear_in_the_inertial_parameters(system: jd.System) -> None:
    d = jd.compile(system)
    q, u, udot = np.linspace(0.2, 0.7, 6), np.linspace(-0.4, 0.5, 6), np.linspace(1.0, -2.0, 6)
    values = system.parameters
    wheel = np.zeros(10)
    wheel[[0, 4, 5, 6]] = values["mwr"], values["Iwr11"], values["Iwr22"], values["Iwr11"]
    place = 10 * [x.name for x in system.bodies].index("BodyWR")
    none = d.with_parameters({"mwr": 0.0, "Iwr11": 0.0, "Iwr22": 0.0})
    share = d.inverse_dynamics(q, u, udot) - none.inverse_dynamics(q, u, udot)
    weight = none.bias_forces(q, 0 * u) - d.bias_forces(q, 0 * u)
    np.testing.assert_allclose(d.regressor(q, u, udot)[:, place : place + 10] @ wheel, share + weight, atol=1e-11)


def spoilt(system: jd.System, joint: str, **changes: Any) -> str:
    """What is said of the system's file when these fields of a joint's guide are others."""
    data = copy.deepcopy(record(system))
    text = json.loads(json.dumps(data))
    where = next(x for x in text["joints"] if x["name"] == joint)
    where["guide"].update(changes)
    with pytest.raises(jd.ModelError) as caught:
        system_of(text, "a file")
    return str(caught.value)


def test_a_spoilt_file_is_told(system: jd.System) -> None:
    said = spoilt(system, "BodyWR", velocity_m_s=[0, 0], rotation=[{"about": "x", "cos": "u1", "sin": 0}], colour=1)
    assert re.search(r"joints\[8\]\.guide\.velocity_m_s is a list of 2; a list of 3 is needed", said)
    assert re.search(r"joints\[8\]\.guide\.rotation\[0\]\.cos depends on u1; a place depends on no velocities", said)
    assert re.search(r"joints\[8\]\.guide\.colour has no meaning here", said)
    data = json.loads(json.dumps(record(system)))
    data["joints"][0]["guide"] = data["joints"][-1]["guide"]
    data["input_rates"] = {"F": "G"}
    with pytest.raises(jd.ModelError) as caught:
        system_of(data, "a file")
    assert "joints[0].guide stands at a joint that has freedoms of its own or is not on the ground" in str(caught.value)
    assert "input_rates.F speaks of 'F', but there is no such input" in str(caught.value)
    assert "input_rates.F speaks of 'G', but there is no such input" in str(caught.value)


def test_on_the_ground_it_is_part_of_a_larger_model() -> None:
    """Beside another particle its speeds are the coordinates' own rates, and its inputs keep their derivatives."""
    q, u, z = dynamicsymbols("q u z")
    ground = ReferenceFrame("N")
    origin = Point("O")
    origin.set_vel(ground, 0)
    bob = Particle("bob", origin.locatenew("P", (q + z) * ground.x), symbols("m"))
    model = KanesMethod(ground, [q], [u], [q.diff() - 2 * u], bodies=[bob])
    own = jd.from_sympy(model)
    whole = jd.Model("both", gravity=(0, 0, 0))
    whole.place(own, "left")
    whole.prismatic("x", whole.ground, whole.particle("p", 1.0))
    both = whole.system()
    assert both.coordinates == ("left.q", "x") and dict(both.input_rates)["left.z"] == "left.zdot"
    found = jd.compile(both).forward_dynamics([0.3, 0.4], [0.5, 0.6], inputs={"left.zdotdot": 2.0})
    np.testing.assert_allclose(found, [-2.0, 0.0], atol=1e-15)
    alone = jd.compile(own).forward_dynamics([0.3], [0.25], inputs={"zdotdot": 2.0})
    np.testing.assert_allclose(alone, [-1.0], atol=1e-15)


def test_kanes_quantities_know_it(system: jd.System) -> None:
    """The accelerations of guided bodies, and F_r + F_r* = 0 where their speeds change as they must."""
    from jourdain.equations.kane import Kane
    from jourdain.equations.values import values

    kane = Kane(system)
    q, u, udot = np.linspace(0.2, 0.7, 6), np.linspace(-0.4, 0.5, 6), np.linspace(1.0, -2.0, 6)
    total = [a + b for a, b in zip(kane.active_forces(), kane.inertia_forces())]
    found = values(kane.mechanics, total, q, u, udot)
    np.testing.assert_allclose(found, -jd.compile(system).inverse_dynamics(q, u, udot), rtol=1e-11)


def test_the_reader_says_how_guided_bodies_move() -> None:
    model = two_links()[0]
    text = str(jd.derive(jd.from_sympy(model, name="two links")))
    assert "Motion of guided bodies, each along its own axes" in text
    assert re.search(r"a +guided +a +ground", text) and re.search(r"q1 +coordinate +coordinate q1 +ground", text)
    assert "coordinate" in repr(jd.from_sympy(model)) and "guided" in repr(jd.from_sympy(model))


def test_it_cannot_be_carried_about(system: jd.System) -> None:
    model = jd.Model("carrier")
    cart = model.particle("cart", mass=1.0)
    model.prismatic("x", model.ground, cart)
    model.place(system, "rider", on=cart)
    with pytest.raises(jd.ModelError, match="guided bodies, whose motion is given relative to the ground"):
        model.system()


def test_what_knows_joints_alone_says_so() -> None:
    from jourdain.equations.course import Course
    from jourdain.equations.generalized import mechanics_of
    from jourdain.equations.mechanics import Mechanics

    q = dynamicsymbols("q")
    ground = ReferenceFrame("N")
    point = Point("P")
    point.set_vel(ground, q.diff() * ground.x)
    model = LagrangesMethod(symbols("m") * q.diff() ** 2 / 2, [q], bodies=[Particle("p", point, symbols("m"))],
                            frame=ground)  # fmt: skip
    system = jd.from_sympy(model)
    for ask in (lambda: Course(mechanics_of(system)), lambda: Mechanics(system), lambda: jd.base_parameters(system)):
        with pytest.raises(ValueError, match="move as expressions say, which equations of joints alone do not know"):
            ask()


def test_other_speeds() -> None:
    """The model's own speeds are put in terms of the new ones."""
    given = four_bar()
    system = jd.from_sympy(given.model, values=given.values)

    def chosen(m: jd.Model) -> dict[str, Any]:
        q1, q2, q3 = (m[name].speed for name in ("q1", "q2", "q3"))
        return {"a": q1, "b": q1 + q2, "c": q1 + q2 + q3}

    other = jd.compile(jd.with_speeds(system, chosen))
    q, u = np.array([0.3, 0.5, 0.8]), np.array([-0.4, 0.1, 0.5])
    sums = np.tril(np.ones((3, 3)))
    own = jd.compile(system).forward_dynamics(q, u)
    np.testing.assert_allclose(other.forward_dynamics(q, sums @ u), sums @ own, rtol=1e-10)


# -- mistakes ----------------------------------------------------------------------------------------------------------


def test_what_is_no_model() -> None:
    with pytest.raises(TypeError, match=r"a System, KanesMethod, .* is imported, not a Particle"):
        jd.from_sympy(Particle("p"))


def test_a_model_without_bodies() -> None:
    q, u = dynamicsymbols("q u")
    model = KanesMethod(ReferenceFrame("N"), [q], [u], [q.diff() - u])
    with pytest.raises(jd.ModelError, match="this KanesMethod has no bodies; give them here"):
        jd.from_sympy(model)


def test_all_mistakes_of_a_model_at_once() -> None:
    """Everything that cannot be imported is said together, by name."""
    q1, q2, u1, u2 = dynamicsymbols("q1 q2 u1 u2")
    system = System()
    frame, point = system.frame, system.fixed_point
    lost, adrift = ReferenceFrame("lost"), Point("adrift")
    side = frame.orientnew("side", "Axis", (q1, frame.x))
    a, b, c, d, e = (Point(name) for name in "abcde")
    for x in (a, b, c, d, e):
        x.set_vel(frame, u1 * frame.x)
    spread = inertia(frame, 1, 2, 3) + inertia(side, 1, 2, 3)
    apart = inertia(side, 1, 2, 3) + inertia(ReferenceFrame("other"), 1, 2, 3)
    system.add_bodies(
        Particle("burning", a, symbols("m") * q1),
        Particle("nowhere", adrift, symbols("m")),
        RigidBody("bent", b, side, symbols("m"), (spread, b)),
        RigidBody("torn", c, lost, symbols("m"), (apart, c)),
        RigidBody("spun", d, lost, symbols("m"), (inertia(side, 1, 1, 1), d)),
    )
    far = Point("far")
    far.set_vel(frame, u1 * lost.x)
    system.add_loads((far, symbols("F") * frame.x), (e, gamma(q1) * frame.x))
    system.q_ind, system.u_ind = [q1, q2], [u1, u2]
    system.kdes = [q1.diff() ** 2 - u1, u2 - q1]
    system.add_nonholonomic_constraints(gamma(q2) * u1)
    with pytest.raises(jd.ModelError) as caught:
        jd.from_sympy(system, values={"mm": 1.0})
    text = str(caught.value)
    for part in (
        "the speeds: kinematical equation 1 is not linear in the speeds and the coordinates' rates",
        "body 'burning': its mass is m*q1(t), which changes with time",
        "body 'nowhere': the velocity of point 'adrift' in 'inertial_frame' is not stated",
        "body 'bent': its inertia changes along its axes; give it in one frame",
        "body 'torn': its inertia is given in several frames, and 'lost' itself is not oriented",
        "body 'spun': the angular velocity of 'lost' relative to 'inertial_frame' is not stated",
        "the load on 'far': frame 'lost' is not oriented relative to 'inertial_frame'",
        "the load on 'e': gamma of SymPy has no counterpart here",
        "velocity constraint 1: gamma of SymPy has no counterpart here",
        "a value is given for 'mm', which the model does not have; did you mean 'm'?",
    ):
        assert part in text
    assert point.name == "inertial_point"


def test_a_kinematical_equation_that_holds_no_rate() -> None:
    q, u = dynamicsymbols("q u")
    system = System()
    center = Point("P")
    center.set_vel(system.frame, u * system.x)
    system.add_bodies(Particle("p", center))
    system.q_ind, system.u_ind, system.kdes = [q], [u], [u - q]
    with pytest.raises(jd.ModelError, match="the speeds: kinematical equation 1 holds no coordinate's rate"):
        jd.from_sympy(system)


def test_what_is_no_body_and_no_place_of_a_load() -> None:
    q, u = dynamicsymbols("q u")
    ground, point = ReferenceFrame("N"), Point("P")
    point.set_vel(ground, u * ground.x)
    model = KanesMethod(ground, [q], [u], [q.diff() - u])
    with pytest.raises(jd.ModelError) as caught:
        jd.from_sympy(model, bodies=[Particle("p", point), point], loads=[("P", ground.x)])
    assert "body 'P': it is a Point; a RigidBody or a Particle is needed" in str(caught.value)
    assert "the load on 'P': it acts on a str; a Point or a ReferenceFrame is needed" in str(caught.value)


def test_a_configuration_constraint_that_nothing_maintains() -> None:
    q, u, v = dynamicsymbols("q u v")
    ground, point = ReferenceFrame("N"), Point("P")
    point.set_vel(ground, u * ground.x + v * ground.y)
    body = Particle("p", point, symbols("m"))
    x = dynamicsymbols("x")
    model = KanesMethod(
        ground, [x], [u], [x.diff() - u, q.diff() - v], q_dependent=[q], configuration_constraints=[q**2 - 1],
        u_dependent=[v], velocity_constraints=[u + v], bodies=[body],
    )  # fmt: skip
    with pytest.warns(jd.ModelWarning, match="configuration constraint 1 is left out, as in SymPy's equations"):
        system = jd.from_sympy(model)
    assert list(system.constraints) == ["velocity constraint 1"]
    agree(SympyModel(model, [body]), system)
