"""Poincaré's equations: commutators, the chain's inertia, the terms of (53) and the functions that a user calls."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.chain import chain_inertia, shift, spatial_inertia
from jourdain.equations.mechanics import Mechanics
from jourdain.equations.poincare import Poincare
from jourdain.equations.rows import Rows
from jourdain.equations.structure import commutator, structure_constants, structure_functions
from jourdain.equations.values import values
from jourdain.graph import Graph, Node, Role, interpret
from jourdain.graph.differentiate import gradient, jacobian
from jourdain.model import joints
from jourdain.model.motion import Motion, Orientation
from jourdain.spatial import Matrix, Vector

from .systems import Array, Traits, along_motion, evaluate_rows, random_system
from .test_systems import Case, agree

some = pytest.mark.parametrize("seed", range(620, 630))
ANGLES, QUATERNION = Orientation.ANGLES, Orientation.QUATERNION


def motions() -> dict[str, Motion]:
    """Every joint of several freedoms."""
    graph = Graph()
    zero, x, z = (Vector.of(graph, v) for v in ((0, 0, 0), (1, 0, 0), (0, 0, 1)))
    oblique = Vector.of(graph, (0.48, 0.6, 0.64))
    pitch = graph.symbol("pitch", Role.PARAMETER)
    helical = (*z, *(z * pitch))
    return {
        "universal": joints.universal(graph, x, z),
        "cylindrical": joints.cylindrical(graph, oblique),
        "planar": joints.planar(graph),
        "spherical": joints.spherical(graph, QUATERNION),
        "spherical by angles": joints.spherical(graph, ANGLES),
        "free": joints.free(graph, QUATERNION),
        "free by angles": joints.free(graph, ANGLES),
        # Translations across a screw's axis with the screw itself: closed under the bracket.
        "plane that screws": joints.given([(*zero, *x), (*zero, *Vector.unit(graph, 1)), helical], [3]),
        "compound": joints.given([(*zero, *x), (*z, *zero), (*oblique, *x)], [1, 1, 1]),
        "plane, then turn": joints.given([(*zero, *x), (*zero, *Vector.unit(graph, 1)), (*z, *zero), (*x, *x)], [3, 1]),
    }


MOTIONS = motions()


def numbers(tables: list[Rows], at: Mapping[Node, float]) -> Array:
    n = len(tables)
    flat = [x for rows in tables for row in rows for x in row]
    return np.array([float(x) for x in interpret(flat, at)]).reshape(n, n, n)


@pytest.mark.parametrize("name", MOTIONS)
def test_commutators_are_constants(name: str) -> None:
    """(38) by differentiating Γ anywhere is what the joint's own group says at home."""
    graph = Graph()
    motion = MOTIONS[name].moved_to(graph)
    q = [graph.symbol(f"q{k}", Role.COORDINATE) for k in range(motion.nq)]
    constant = structure_constants(motion, graph)
    assert all(x.is_static for rows in constant for row in rows for x in row)
    moving = structure_functions(motion, graph, q)
    for seed in range(3):
        place = np.random.default_rng([38, seed]).uniform(-1.0, 1.0, motion.nq)
        if motion.orientation is QUATERNION:
            four = [motion.coordinate_order.index(k) for k in range(4)]
            place[four] /= np.linalg.norm(place[four])
        at = {**dict(zip(q, map(float, place))), graph.symbol("pitch", Role.PARAMETER): 0.3}
        agree(numbers(moving, at), numbers(constant, at))


@pytest.mark.parametrize("name", MOTIONS)
def test_commutators_are_the_brackets_of_the_joints_motions(name: str) -> None:
    """Of a simple joint, Σ c^i_jk h_i = [h_j, h_k], columns of its constant map, by 4×4 matrices."""
    graph = Graph()
    motion = MOTIONS[name].moved_to(graph)
    at = {graph.symbol("pitch", Role.PARAMETER): 0.3}
    c = numbers(structure_constants(motion, graph), at)
    for part in motion.simple_parts():
        q = [graph.constant(x) for x in part.motion.neutral()]
        columns = part.motion.joint_map(graph, q)
        h = np.array(interpret([x for column in columns for x in column], at), float).reshape(-1, 6).T
        speeds = list(part.speeds)
        for j, hj in zip(speeds, h.T):
            for k, hk in zip(speeds, h.T):
                a, b = hat(hj), hat(hk)
                agree(h @ c[j, speeds, k], unhat(a @ b - b @ a))


def hat(twist: Array) -> Array:
    x, y, z = twist[:3]
    return np.array([[0, -z, y, twist[3]], [z, 0, -x, twist[4]], [-y, x, 0, twist[5]], [0, 0, 0, 0]])


def unhat(m: Array) -> Array:
    return np.array([m[2, 1], m[0, 2], m[1, 0], m[0, 3], m[1, 3], m[2, 3]])


def test_fields_of_different_joints_commute() -> None:
    poincare = Poincare(random_system(621, 4, Traits(kinds=("spherical-angles", "planar", "universal"))))
    v, q, graph = poincare.kinematic_matrix(), poincare.q, poincare.graph
    speeds = {name: poincare.system.slices(name)[1] for name in (joint.name for joint in poincare.system.joints)}
    first, second = speeds["j0"].start, speeds["j1"].start
    assert all(x.is_zero for x in commutator(graph, v, q, first, second))
    table = poincare.structure_constants()
    assert all(table[first][i][second].is_zero for i in range(len(poincare.p)))


# -- the terms of (53) -------------------------------------------------------------------------------------------------


@some
def test_the_chains_inertia_is_the_mass_matrix(seed: int) -> None:
    """(52) against composite bodies: sliding joints, branches, rotors, driven joints."""
    traits = Traits(symbolic=seed % 2 == 0, loads=True, driven=seed % 3 == 0)
    case = Case(seed, 2 + seed % 4, traits)
    agree(case.rows(Poincare(case.mechanics).chain_inertia()), case.rows(case.mechanics.mass_matrix()))
    agree(case.rows(chain_inertia(case.mechanics.standard)), case.rows(case.mechanics.mass_matrix()))


@some
def test_velocity_terms_and_potential_forces(seed: int) -> None:
    """𝓒 p and 𝓕 are what the recursion has, and Q_p is what the loads do."""
    case = Case(seed, 2 + seed % 4, Traits(symbolic=seed % 2 == 0, loads=True))
    m, poincare = case.mechanics, Poincare(case.mechanics)
    gravity = case.at(*m.gravity_forces())
    agree(case.at(*poincare.potential_forces()), gravity, case.size)
    inertial = case.rows(poincare.velocity_matrix()) @ case.state.u
    agree(inertial, case.rows(m.coriolis_matrix()) @ case.state.u, case.size)
    agree(case.at(*poincare.applied_forces()) - case.state.f, inertial + gravity - case.at(*m.bias_forces()), case.size)
    assert not any(case.at(*poincare.drive_forces()))
    whole = case.rows(poincare.chain_inertia()) @ case.state.udot + case.at(*poincare.poincare_function())
    agree(whole, case.at(*m.inverse_dynamics()) - case.state.f, case.size)


def test_driven_joints_ask_for_a_part_of_their_own() -> None:
    case = Case(627, 4, Traits(driven=True, kinds=("revolute", "spherical-angles", "planar")))
    poincare = Poincare(case.mechanics)
    driven = case.at(*poincare.drive_forces())
    assert np.abs(driven).max() > 0.1
    bias = case.at(*case.mechanics.bias_forces()) - case.at(*poincare.potential_forces())
    agree(case.rows(poincare.velocity_matrix()) @ case.state.u + driven, bias, case.size)


def test_the_papers_matrix_does_no_work_but_is_not_skew() -> None:
    """pᵀ(Ṁ − 2𝓒)p = 0 as it must; Ṁ − 2𝓒 is not skew-symmetric, unlike that of Parsa's C."""
    case = Case(624, 3, Traits(kinds=("spherical-angles", "universal")))
    c = case.rows(Poincare(case.mechanics).velocity_matrix())
    rate = along_motion(case.mechanics, [x for row in case.mechanics.mass_matrix() for x in row], case.state)
    skew = rate.reshape(case.n, case.n) - 2.0 * c
    agree([case.state.u @ skew @ case.state.u], [0.0], case.size)
    assert np.abs(skew + skew.T).max() > 0.1


# -- what the print has wrong, beside what `tests/papers` has ----------------------------------------------------------


@pytest.mark.parametrize(("kind", "right"), [("spherical-angles", True), ("planar", False)])
def test_printed_order_of_the_indices(kind: str, right: bool) -> None:
    """(40) prints c^k_ij ∂T/∂p_i p_j for c^i_jk: the same for turns, where c is cyclic, and not elsewhere."""
    case = Case(641, 1, Traits(kinds=(kind,)))
    poincare = Poincare(case.mechanics)
    c = numbers(poincare.structure_constants(), {})  # c[j, i, k]
    momenta = case.at(*gradient(poincare.kinetic_energy(), poincare.p))
    p = case.state.u
    meant = np.einsum("jik,i,j->k", c, momenta, p)
    printed = np.einsum("ikj,i,j->k", c, momenta, p)
    assert bool(np.abs(meant - printed).max() < 1e-13) == right
    assert np.abs(meant).max() > 1e-2


def test_printed_force_of_41() -> None:
    """(41) prints Qᵀ V⁻¹ where (40) has Qᵀ V: 𝓕 is Vᵀ ∂𝒱/∂q, and no other product balances gravity."""
    case = Case(642, 1, Traits(kinds=("spherical-angles",)))
    poincare = Poincare(case.mechanics)
    slope = case.at(*gradient(poincare.gravity_potential(), poincare.q))
    v = case.rows(poincare.kinematic_matrix())
    gravity = case.at(*case.mechanics.gravity_forces())
    agree(v.T @ slope, gravity, 10.0)
    assert np.abs(np.linalg.inv(v).T @ slope - gravity).max() > 0.1


def test_printed_arm_between_joints() -> None:
    """(46) has the link's own length as the arm; where the joint slides the displacement belongs to it."""
    m = jd.Model("slide on an arm")
    arm = m.body("arm", mass=0.0, inertia=jd.principal(0, 0, 0))
    bead = m.body("bead", mass=2.0, inertia=jd.principal(0, 0, 0))
    m.revolute("turn", m.ground, arm, axis="z")
    m.prismatic("slide", arm, bead, axis="x", at=(0.5, 0, 0))
    mechanics = Mechanics(m.system())
    found = values(mechanics, chain_inertia(mechanics.standard), [0.3, 1.5])
    agree(found, [[2.0 * (0.5 + 1.5) ** 2, 0.0], [0.0, 2.0]])
    printed = 2.0 * 0.5**2
    assert found[0, 0] > 10 * printed


def test_printed_direction_in_the_spatial_inertia() -> None:
    """(48) says that a runs from the mass centre to O; with that direction the momentum has the wrong sign."""
    graph = Graph()
    center = Vector.of(graph, (0.1, 0.2, 0.3))
    central = Matrix.of(graph, np.diag([1.0, 2.0, 2.5]).tolist())
    nodes = spatial_inertia(graph, graph.constant(3.0), center, central)
    about = np.array([[x.value for x in row] for row in nodes])
    w, v = np.array([0.3, -0.7, 0.5]), np.array([0.2, 0.4, -0.6])
    c = np.array([0.1, 0.2, 0.3])
    momentum = 3.0 * (v + np.cross(w, c))
    spin = np.diag([1.0, 2.0, 2.5]) @ w + np.cross(c, momentum)
    agree(about @ [*w, *v], [*spin, *momentum])
    reversed_ = spatial_inertia(graph, graph.constant(3.0), -center, central)
    other = np.array([[x.value for x in row] for row in reversed_])
    assert np.abs(other @ [*w, *v] - [*spin, *momentum]).max() > 0.1
    arm = np.array([[x.value for x in row] for row in shift(graph, center)])
    agree(arm @ [*w, *v], [*w, *(v + np.cross(w, c))])  # (42)


# -- the functions that a user calls -----------------------------------------------------------------------------------


def test_functions_by_name() -> None:
    """Each of the paper's on its arm of six freedoms."""
    arm = Poincare(jd.gallery.kwatny_arm())
    m = arm.mechanics
    q = np.random.default_rng(49).uniform(-1.0, 1.0, 6)
    s1, s2 = q[:2]

    def at(found: object) -> Array:
        return values(m, found, q)  # type: ignore[arg-type]

    turned = at(arm.configuration_matrix("shoulder"))
    c, s = np.cos(s1), np.sin(s1)
    about_y = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    about_z = np.array([[np.cos(s2), -np.sin(s2), 0], [np.sin(s2), np.cos(s2), 0], [0, 0, 1]])
    agree(turned[:3, :3], about_z @ about_y)  # the first column acts innermost
    agree(turned[3], [0, 0, 0, 1])
    agree(at(arm.joint_map("shoulder"))[:3], np.column_stack([[0, 1, 0], about_y.T @ [0, 0, 1]]))
    agree(at(arm.kinematic_matrix("shoulder")), np.eye(2))
    agree(at(arm.kinematic_matrix()), np.eye(6))
    tip = at(arm.end_effector("tip"))
    gripper = at(arm.end_effector("gripper"))
    agree(tip[:3, :3], gripper[:3, :3])
    agree(tip @ [0, 0, 0, 1], gripper @ [0, 0, 0.7, 1])
    straight = values(m, arm.gravity_potential(), np.zeros(6), parameters={"g": 1.0})
    agree(straight, 9.175)


def test_a_prescribed_joint_has_its_matrices_too() -> None:
    m = jd.Model("crank")
    wheel = m.body("wheel", mass=1.0, inertia=jd.principal(1, 1, 1))
    m.revolute("turn", m.ground, wheel, axis="z")
    m.prescribe("turn", 2.0 * m.time)
    poincare = Poincare(m.system())
    found = values(poincare.mechanics, poincare.configuration_matrix("turn"), time=0.25)
    agree(found[:2, :2], [[np.cos(0.5), -np.sin(0.5)], [np.sin(0.5), np.cos(0.5)]])
    agree(values(poincare.mechanics, poincare.kinetic_energy()), 2.0)


@pytest.mark.parametrize("call", ["configuration_matrix", "joint_map", "kinematic_matrix"])
def test_a_joint_that_is_not_there(call: str) -> None:
    with pytest.raises(KeyError, match=r"no joint 'shulder'.*shoulder"):
        getattr(Poincare(jd.gallery.kwatny_arm()), call)("shulder")


def test_an_end_effector_that_is_not_there() -> None:
    with pytest.raises(KeyError, match=r"no body 'griper'.*gripper"):
        Poincare(jd.gallery.kwatny_arm()).end_effector("griper")


def test_momenta_are_the_inertia_times_speeds() -> None:
    case = Case(623, 3, Traits())
    poincare = Poincare(case.mechanics)
    momenta = gradient(poincare.kinetic_energy(), poincare.p)
    agree(case.at(*momenta), case.rows(poincare.chain_inertia()) @ case.state.u, 10.0)
    twice = evaluate_rows(case.mechanics, jacobian(momenta, poincare.p), case.state)
    agree(twice, case.rows(poincare.chain_inertia()))


def test_values_ask_for_as_many_numbers_as_there_are() -> None:
    poincare = Poincare(jd.gallery.kwatny_arm())
    with pytest.raises(ValueError, match=r"q has the shape \(2,\); 6 numbers are needed, or none"):
        values(poincare.mechanics, poincare.p, [0.0, 0.0])
