"""Reactions of compiled systems: balances of bodies from poses and Jacobians, in every mode; contact normals."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.typing import NDArray

import jourdain as jd
from jourdain.driver import Compiled
from jourdain.driver.joint_readouts import Hinge
from jourdain.driver.library import derive_readout
from jourdain.graph import Role, count, interpret
from jourdain.model.system import System
from jourdain.native import Cache

Array = NDArray[np.float64]
G = 9.81


def compiled(system: System) -> Compiled:
    return jd.compile(system, cache=Cache(None))


def rolling_disk() -> System:
    """A thin disk that stands on the ground's plane and rolls on it."""
    m = jd.Model("disk", gravity=(0, 0, -G))
    disk = m.body("disk", mass=2.0, inertia=jd.principal(0.04, 0.08, 0.04))
    m.free("free", m.ground, disk)
    touch = m.wheel(disk, radius=0.3)
    m.keep("touches", touch.gap)
    m.switch("rolls", *touch.slip)
    return m.system()


def inertia_wrench(d: Compiled, body: str, q: Array, u: Array, udot: Array) -> Array:
    """Rate of momentum less gravity, moment about the ground's origin and force, ground axes; by Jacobians alone."""
    system = d.system
    found = system.body(body)
    values = {system.graph.symbol(name, Role.PARAMETER): x for name, x in system.parameters.items()}
    flat = [found.mass, *found.center, *(x for row in found.inertia for x in row)]
    mass, *rest = (float(x) for x in interpret(flat, values))
    center, inertia = np.array(rest[:3]), np.array(rest[3:]).reshape(3, 3)
    pose = d.pose(body, q)
    jacobian, rate = d.jacobian(body, q, center, "ground"), d.jacobian_rate(body, q, u, center, "ground")
    w, alpha = (jacobian @ u)[:3], (jacobian @ udot + rate @ u)[:3]
    force = mass * ((jacobian @ udot + rate @ u)[3:] - np.array([float(x.value) for x in system.gravity]))
    turned = pose[:3, :3] @ inertia @ pose[:3, :3].T
    at = pose[:3, 3] + pose[:3, :3] @ center
    return np.concatenate([turned @ alpha + np.cross(w, turned @ w) + np.cross(at, force), force])


@pytest.mark.parametrize("mode", [(), ("caster sticks",)])
def test_the_carts_wheels_carry_what_its_bodies_need(mode: tuple[str, ...]) -> None:
    """Side forces of the wheels, hidden by the speeds or imposed, and the swivel's wrench make up both balances."""
    system = jd.gallery.shopping_cart()
    d = compiled(system).in_mode(mode)
    rng = np.random.default_rng(3)
    q = rng.normal(size=4)
    u = d.complete(q, rng.normal(size=len(d.independent(q))))
    f, inputs = rng.normal(size=3), {"F": 3.0, "tau": -1.0}
    udot = d.forward_dynamics(q, u, f, inputs=inputs)
    rear = d.embedded_forces(q, u, f, inputs=inputs)["rear wheels roll"][0]
    front = d.constraint_forces(q, u, f, inputs=inputs)["front wheel rolls"][0]
    swivel = d.reactions("swivel", q, u, f, axes="ground", inputs=inputs)
    basket, caster = d.pose("B", q), d.pose("C", q)
    at = caster[:2, 3]

    def moved(wrench: Array, place: Array) -> Array:
        """About the ground's origin; in the plane: force and moment."""
        force = wrench[3:5]
        return np.array([*force, wrench[2] + place[0] * force[1] - place[1] * force[0]])

    def side(pose: Array, place: Array, size: float) -> Array:
        force = pose[:2, 1] * size
        return np.array([*force, place[0] * force[1] - place[1] * force[0]])

    def plane(wrench: Array) -> Array:
        return np.array([*wrench[3:5], wrench[2]])

    center = caster[:2, 3] - system.parameters["L3"] * caster[:2, 0]
    # On the caster: the swivel, and the front wheel at its mass centre.
    found = plane(inertia_wrench(d, "C", q, u, udot))
    assert np.abs(moved(swivel, at) + side(caster, center, front) - found).max() < 1e-11
    # On the basket: the push and the torque, the added forces on its speeds, the rear wheels, the swivel's opposite.
    push = basket[:2, 0] * 3.0
    place = basket[:2, 3]
    applied = np.array([*push, place[0] * push[1] - place[1] * push[0] - 1.0])
    root = d.reactions("cart", q, u, f, axes="ground", inputs=inputs)
    found = plane(inertia_wrench(d, "B", q, u, udot))
    total = moved(root, place) - moved(swivel, at) + applied + side(basket, place, rear)
    assert np.abs(total - found).max() < 1e-11


@pytest.mark.parametrize("mode", [(), ("rolls",)])
def test_a_rolling_disks_contact_carries_it(mode: tuple[str, ...]) -> None:
    """The gap's multiplier is the normal force, the slips' are friction; they are all that acts beside gravity."""
    system = rolling_disk()
    d = compiled(system).in_mode(mode)
    lean = 0.4
    q = d.assemble([0.3, -0.2, 0.3, np.sin(lean / 2), 0.0, 0.0, np.cos(lean / 2)])
    u = d.complete(q, np.linspace(-1.0, 2.0, len(d.independent(q))))
    udot = d.forward_dynamics(q, u)
    found = d.constraint_forces(q, u)
    pose = d.pose("disk", q)
    spindle, normal = pose[:3, 1], np.array([0.0, 0.0, 1.0])
    down = -(normal - spindle * (spindle @ normal))
    contact = pose[:3, 3] + 0.3 * down / np.linalg.norm(down)
    assert abs(contact[2]) < 1e-12
    force = np.array([*found.get("rolls", (0.0, 0.0)), found["touches"][0]])
    wanted = inertia_wrench(d, "disk", q, u, udot)
    assert np.abs(np.concatenate([np.cross(contact, force), force]) - wanted).max() < 1e-11
    assert np.abs(d.reactions("free", q, u)).max() < 1e-11  # a free joint transmits nothing


def test_a_disk_at_rest_presses_with_its_weight() -> None:
    d = compiled(rolling_disk())
    q = d.assemble([0, 0, 0.3, 0, 0, 0, 1.0])
    assert abs(d.constraint_forces(q, np.zeros(6))["touches"][0] - 2.0 * G) < 1e-12


def hanging() -> System:
    """Two rods, one under the other, the lower welded on; a base that is welded to the ground."""
    m = jd.Model("hanging", gravity=(0, 0, -G))
    base = m.body("base", mass=3.0, center=(0.1, 0, 0), inertia=jd.point_mass)
    upper = m.body("upper", mass=1.0, center=(0, 0, -0.5), inertia=jd.point_mass)
    lower = m.body("lower", mass=2.0, center=(0, 0, -0.5), inertia=jd.point_mass)
    m.weld("foot", m.ground, base)
    m.revolute("swing", base, upper, axis="y", at=(0, 0, 1.0))
    m.weld("sleeve", upper, lower, at=(0, 0, -1.0))
    upper.point("middle", (0, 0, -0.5))
    m.force((5.0, 0, 0), at=base.origin)
    m.joint_spring("swing", stiffness=4.0)
    return m.system()


def test_welds_and_the_ground() -> None:
    """Bodies that share a link, or have none, are told apart; at rest each joint carries the weight below it."""
    d = compiled(hanging())
    q, u = [0.0], [0.0]
    assert np.allclose(d.reactions("sleeve", q, u), [0, 0, 0, 0, 0, 2 * G], atol=1e-12)
    assert np.allclose(d.reactions("swing", q, u), [0, 0, 0, 0, 0, 3 * G], atol=1e-12)
    # The base stands on the ground under all of it, its own weight 0.1 m off, and a push of 5 N.
    assert np.allclose(d.reactions("foot", q, u), [0, -0.1 * 3 * G, 0, -5.0, 0, 6 * G], atol=1e-12)


def test_places_and_axes() -> None:
    d = compiled(hanging())
    q, u, f = np.array([0.7]), np.array([1.3]), np.array([2.0])
    about = d.reactions("swing", q, u, f)
    assert abs(about[1] - (2.0 - 4.0 * 0.7)) < 1e-12  # the force along the joint's freedom: added, and the spring's
    turn = d.pose("upper", q)[:3, :3]
    ground = d.reactions("swing", q, u, f, axes="ground")
    assert np.allclose(ground, [*(turn @ about[:3]), *(turn @ about[3:])], atol=1e-12)
    assert np.allclose(d.reactions("swing", q, u, f, axes="body"), about, atol=1e-12)
    middle = d.reactions("swing", q, u, f, "middle")
    arm = np.array([0, 0, -0.5])
    assert np.allclose(middle, [*(about[:3] - np.cross(arm, about[3:])), *about[3:]], atol=1e-12)
    assert np.allclose(d.reactions("swing", q, u, f, arm), middle, atol=1e-12)


def test_batches_precision_and_copies() -> None:
    d = compiled(hanging())
    q = np.linspace(-1, 1, 7)[:, None]
    found = d.reactions("swing", q, np.zeros(1))
    assert found.shape == (7, 6)
    assert np.array_equal(found[3], d.reactions("swing", q[3], [0.0]))
    single = d.reactions("swing", q, np.zeros(1), dtype=np.float32)
    assert single.dtype == np.float32
    assert np.abs(single - found).max() < 1e-4
    assert np.array_equal(pickle.loads(pickle.dumps(d)).reactions("swing", q[0], [0.0]), found[0])


def test_mistakes() -> None:
    d = compiled(hanging())
    with pytest.raises(KeyError, match="no joint 'swinger'"):
        d.reactions("swinger", [0.0], [0.0])
    with pytest.raises(ValueError, match='axes is \'world\'; write "joint", "body" or "ground"'):
        d.reactions("swing", [0.0], [0.0], axes="world")
    with pytest.raises(KeyError, match="body 'lower', carried by joint 'sleeve', has no point 'middle'"):
        d.reactions("sleeve", [0.0], [0.0], at="middle")
    assert d.embedded_forces([0.0], [0.0]) == {}


def test_operations() -> None:
    """Of the wrench in the Stanford arm's shoulder, with its accelerations; the last joint's takes little less."""
    for joint, wanted in (("q1", (376, 281, 5)), ("q5", (292, 208, 5))):
        program = derive_readout(jd.gallery.stanford_arm(), ("reactions", Hinge(joint)))[0].program
        found = count([x for block in program.outputs for x in block.nodes])
        assert (found.mul, found.add, found.div) == wanted
