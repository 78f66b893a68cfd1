"""Gillespie 2003, example 1: the disk on a ramp (6, 7, 36–42, 47), sliding and rolling; and (2, 4, 18, 20, 22–27).

| where | as printed | as it must be | how we know |
|---|---|---|---|
| 2.1, example 1 | x cos φ − y sin φ = r | y cos φ − x sin φ = r | p·a2 of the centre's place |
| (4), (5) | D = A⁻¹B of the partition of A_B | D = −A⁻¹B, E = −A⁻¹C | of u1 + u2 = 0 it gives (7), D = [−1] |
| (18) | F^c_i · v_r = 0 for each particle | summed over the particles | the rods of a double pendulum |
| (33) | F* = Σ L̇·τ + Ḣ·ω | the same with a minus | (14), and (34) |
| (37) | the acceleration ᴮα^B | ᴺα^B | in B it is zero |
| (39) | F2 = F_f | F2 = −F_f | T^B = −r F_f a3; the disk that friction spins up; (40), (41) have it so |
| (45) | the sum from s = n + 1 | from s = p + 1 | it would be empty |
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

import jourdain as jd
from jourdain import gallery
from jourdain.driver import Compiled
from jourdain.equations.gibbs_appell import GibbsAppell
from jourdain.equations.mechanics import Mechanics, Rows
from jourdain.graph.differentiate import jacobian
from jourdain.model.system import System
from jourdain.native import Cache
from jourdain.spatial import Vector

from .evaluated import Evaluated

Array = NDArray[np.float64]
TIGHT = 1e-13
DATA = {"m": 1.3, "J": 0.05, "r": 0.25, "phi": 0.4, "g": 9.7}
FRICTION = 0.83


@pytest.fixture(scope="module")
def disk() -> Compiled:
    return jd.compile(gallery.rolling_disk_on_ramp(), cache=Cache(None)).with_parameters(DATA)


@pytest.fixture(scope="module")
def rolling() -> Compiled:
    """The constraint embedded by substitution: one speed, u2 = −u1 wherever it appears."""
    return jd.compile(embedded(), cache=Cache(None)).with_parameters(DATA)


def embedded() -> System:
    """The disk that always rolls, in the reduced set {u1}."""
    m = jd.Model("rolling disk")
    p = m.parameters(**DATA)
    m.gravity = (-p.g * jd.sin(p.phi), -p.g * jd.cos(p.phi), 0)
    friction = m.input("F_f")
    carriage, wheel = m.link("carriage"), m.body("B", mass=p.m, inertia=jd.about_z(p.J))
    m.prismatic("q1", m.ground, carriage, axis="x", at=(0, p.r, 0))
    m.revolute("q2", carriage, wheel, axis="z")
    m.keep("rolls", wheel.center.velocity @ m.ground.x + p.r * m["q2"].speed)
    m.speeds(u1=m["q1"].speed)
    m.force(-friction * m.ground.x, at=wheel.center)
    m.torque(-friction * p.r * m.ground.z, on=wheel)
    return m.system()


def state() -> tuple[Array, Array, Array]:
    q, u, udot = np.random.default_rng(2003).uniform(-1.0, 1.0, (3, 2))
    return q, u, udot


def both(d: Compiled, q: Array, u: Array, udot: Array, friction: float = FRICTION) -> tuple[Array, Array]:
    """F and F*: no generalized force of this disk depends on its speeds."""
    still = np.zeros_like(u)
    inputs = {"F_f": friction}
    active = -d.inverse_dynamics(q, still, still, inputs=inputs)
    return active, -d.inverse_dynamics(q, u, udot, inputs=inputs) - active


def near(found: Array, expected: object) -> bool:
    return bool(np.abs(found - np.asarray(expected)).max() < TIGHT)


# -- speeds -----------------------------------------------------------------------------------------------------------


def test_w_and_x_of_6(disk: Compiled) -> None:
    """q̇ = W u + X with W = diag(1, 1/r), X = 0."""
    q = state()[0]
    assert near(disk.rates(q, np.eye(2)).T, np.diag([1.0, 1.0 / DATA["r"]]))
    assert near(disk.rates(q, np.zeros(2)), 0.0)


def test_d_and_e_of_7(disk: Compiled) -> None:
    """u2 = D u1 + E; and not by the partition of A_B = [1 1] as (4) and (5) stand."""
    rolls = disk.in_mode({"rolls"})
    q = state()[0]
    assert near(rolls.complete(q, [1.0], ["u1"]), [1.0, -1.0])
    assert near(rolls.complete(q, [0.0], ["u1"]), [0.0, 0.0])
    row = np.array([rolls.residual(q, u)["rolls"][0] for u in np.eye(2)])
    assert near(row, [1.0, 1.0])
    assert near(-row[0] / row[1], -1.0)
    assert abs(row[0] / row[1] + 1.0) > 1.0


def test_configuration_constraint(disk: Compiled) -> None:
    """The centre's coordinates along the horizontal X and the vertical Y, for any q1."""
    q1 = 2.0
    along, normal = disk.pose("B", [q1, 0.0])[:2, 3]
    c, s = np.cos(DATA["phi"]), np.sin(DATA["phi"])
    x, y = c * along - s * normal, s * along + c * normal
    assert abs(y * c - x * s - DATA["r"]) < TIGHT
    assert abs(x * c - y * s - DATA["r"]) > 0.1  # as printed


# -- the unconstrained equations --------------------------------------------------------------------------------------


def test_partial_velocities_of_36(disk: Compiled) -> None:
    """v_1 = a1, ω_1 = 0; v_2 = 0, ω_2 = a3 / r."""
    found = disk.jacobian("B", state()[0], axes="ground")
    expected = np.zeros((6, 2))
    expected[3, 0], expected[2, 1] = 1.0, 1.0 / DATA["r"]
    assert near(found, expected)


def test_accelerations_of_37() -> None:
    """a = u̇1 a1, α = u̇2/r a3; α in B itself, as printed, is no acceleration at all."""
    q, u, udot = state()
    m = jd.Model.of(gallery.rolling_disk_on_ramp())
    for name, value in (("a", m["B"].center.acceleration), ("alpha", m["B"].alpha)):
        m.output(name, value, axes=m.ground)
    d = jd.compile(m.system(), cache=Cache(None)).with_parameters(DATA)
    f = d.inverse_dynamics(q, u, udot)
    found = d.outputs(q, u, f)
    assert near(np.array([found[f"a.{x}"] for x in "xyz"]), [udot[0], 0.0, 0.0])
    assert near(np.array([found[f"alpha.{x}"] for x in "xyz"]), [0.0, 0.0, udot[1] / DATA["r"]])


def test_generalized_forces_of_38_and_39(disk: Compiled) -> None:
    """F2 = −F_f, against the printed sign; F1, F1* and F2* as printed."""
    q, u, udot = state()
    m, inertia, r, phi, g = DATA.values()
    active, inertial = both(disk, q, u, udot)
    assert near(active, [-m * g * np.sin(phi) - FRICTION, -FRICTION])
    assert near(inertial, [-m * udot[0], -inertia / r**2 * udot[1]])


def test_f2_from_the_papers_own_force_and_torque() -> None:
    """ω_2 · T^B with T^B = −r F_f a3: the moment about the centre of −F_f a1 at −r a2."""
    r = DATA["r"]
    torque = np.cross([0.0, -r, 0.0], [-FRICTION, 0.0, 0.0])
    assert near(torque, [0.0, 0.0, -r * FRICTION])
    assert near(np.dot([0.0, 0.0, 1.0 / r], torque), -FRICTION)


def test_unconstrained_equations_40(disk: Compiled) -> None:
    q, u, _ = state()
    m, inertia, r, phi, g = DATA.values()
    found = disk.forward_dynamics(q, u, inputs={"F_f": FRICTION})
    assert near(-m * g * np.sin(phi) - FRICTION - m * found[0], 0.0)
    assert near(-FRICTION - inertia / r**2 * found[1], 0.0)


def test_mass_matrix_is_diagonal(disk: Compiled) -> None:
    assert near(disk.mass_matrix(state()[0]), np.diag([DATA["m"], DATA["J"] / DATA["r"] ** 2]))


# -- the constrained equations ----------------------------------------------------------------------------------------


def test_constrained_by_substitution_41(rolling: Compiled) -> None:
    """The new table, and F̃ and F̃* of it; friction has dropped out."""
    q, _, udot = state()
    m, inertia, r, phi, g = DATA.values()
    table = rolling.jacobian("B", q, axes="ground")
    assert near(table[:, 0], [0.0, 0.0, -1.0 / r, 1.0, 0.0, 0.0])
    active, inertial = both(rolling, q, np.array([0.4]), udot[:1])
    assert near(active, [-m * g * np.sin(phi)])
    assert near(inertial, [-(m + inertia / r**2) * udot[0]])


def test_constrained_by_recombination_47(disk: Compiled, rolling: Compiled) -> None:
    """F̃1 = F1 − F2 and F̃1* = F1* − F2* (44, 45, 47): the same. With (39)'s sign friction would not drop out."""
    q, _, udot = state()
    u, rates = np.array([0.4, -0.4]), np.array([udot[0], -udot[0]])
    for separate, substituted in zip(both(disk, q, u, rates), both(rolling, q, u[:1], rates[:1])):
        assert near(separate[0] - separate[1], substituted[0])
    active, _ = both(disk, q, u, rates)
    assert abs(active[0] + active[1] - both(rolling, q, u[:1], rates[:1])[0][0]) > FRICTION


def test_rolling_equation_42(disk: Compiled, rolling: Compiled) -> None:
    """As a mode, and embedded; the multiplier is the friction that rolling needs."""
    q, _, _ = state()
    m, inertia, r, phi, g = DATA.values()
    expected = -m * g * np.sin(phi) / (m + inertia / r**2)
    rolls = disk.in_mode({"rolls"})
    u = np.array([0.4, -0.4])
    assert near(rolls.forward_dynamics(q, u), [expected, -expected])
    assert near(rolling.forward_dynamics(q, u[:1]), [expected])
    needed = rolls.constraint_forces(q, u)["rolls"][0]
    assert near(disk.forward_dynamics(q, u, inputs={"F_f": -needed}), [expected, -expected])


# -- frames that move with time ---------------------------------------------------------------------------------------


def test_velocity_remainders() -> None:
    """A disk on a belt that runs at w(t) inside a carriage prescribed at s(t): ṽ_t = v_t + v_2 E (26), E = w."""
    m = jd.Model("disk on a belt")
    r = 0.25
    carrier, carriage = m.link("carrier"), m.link("carriage")
    wheel = m.body("B", mass=1.0, inertia=jd.about_z(0.05))
    m.prismatic("s", m.ground, carrier, axis="x")
    m.prismatic("q1", carrier, carriage, axis="x", at=(0, r, 0))
    m.revolute("q2", carriage, wheel, axis="z")
    m.prescribe("s", jd.sin(3.0 * m.time))
    w = 0.5 * jd.cos(2.0 * m.time)
    u = m.speeds(u1=wheel.center.velocity @ m.ground.x, u2=r * m["q2"].speed)  # u = Y q̇ + Z, Z = (ṡ, 0)
    m.switch("rolls", u.u1 + u.u2 - w)
    for name, value in (("v", wheel.center.velocity), ("omega", wheel.omega)):
        m.output(name, value, axes=m.ground)
    d = jd.compile(m.system(), cache=Cache(None))
    t, q, none = 0.3, np.array([0.2, 0.1]), np.zeros(2)
    s_rate, belt = 3.0 * np.cos(3.0 * t), 0.5 * np.cos(2.0 * t)
    assert near(d.rates(q, none, t=t), [-s_rate, 0.0])  # X (2)
    assert near(d.rates(q, np.eye(2), t=t) - d.rates(q, none, t=t), np.diag([1.0, 1.0 / r]))  # W
    fixed = np.array([d.outputs(q, none, t=t)[x] for x in ("v.x", "omega.z")])
    assert near(fixed, 0.0)  # v_t and ω_t (23, 35): these speeds are inertial
    rolls = d.in_mode({"rolls"})
    start = rolls.complete(q, [0.0], ["u1"], t=t)
    assert near(start, [0.0, belt])  # E (5)
    remainder = np.array([rolls.outputs(q, start, t=t)[x] for x in ("v.x", "omega.z")])
    assert near(remainder, fixed + np.array([0.0, 1.0 / r]) * belt)  # (26)


def test_remainders_of_relative_speeds() -> None:
    """Told relative to what is prescribed, the same point has v_t = ∂p/∂t (22, 23)."""
    m = jd.Model("carried")
    carrier, bob = m.link("carrier"), m.particle("P", 1.0, center=(0.4, 0, 0))
    m.prismatic("s", m.ground, carrier, axis="x")
    m.revolute("q", carrier, bob, axis="z")
    m.prescribe("s", jd.sin(3.0 * m.time))
    m.output("v", bob.center.velocity, axes=m.ground)
    d = jd.compile(m.system(), cache=Cache(None))
    t, q = 0.3, np.array([0.6])

    def velocity(u: float) -> Array:
        found = d.outputs(q, [u], t=t)
        return np.array([found[f"v.{x}"] for x in "xyz"])

    assert near(velocity(0.0), [3.0 * np.cos(3.0 * t), 0.0, 0.0])
    partial = d.jacobian("P", q, at=[0.4, 0.0, 0.0], axes="ground", t=t)[3:, 0]
    assert near(partial, 0.4 * np.array([-np.sin(0.6), np.cos(0.6), 0.0]))
    assert near(velocity(2.0), velocity(0.0) + 2.0 * partial)


# -- identities -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", [gallery.spherical_wrist(rates=True), gallery.stanford_arm()], ids=lambda x: x.name)
def test_three_partial_derivatives_20(system: System) -> None:
    """∂p/∂q = ∂v/∂q̇ = ∂a/∂q̈, of every moving body's mass centre, along the ground's axes."""
    q, u, udot = np.random.default_rng(20).uniform(0.2, 1.0, (3, len(system.speeds)))
    at = Evaluated(system, q, u, udot).at
    for body in system.bodies:
        velocity = at(partial(_by_speeds, body.name))
        assert near(at(partial(_by_coordinates, body.name)), velocity)
        own = at(partial(_partial_velocities, body.name))
        assert near(at(partial(_partial_accelerations, body.name)), own)
        assert near(np.linalg.norm(own[3:], axis=0), np.linalg.norm(velocity, axis=0))


def test_constraint_forces_18() -> None:
    """What the rods do to the masses vanishes in the sum over both, and not on the upper mass alone."""
    system = gallery.double_pendulum()
    m = jd.Model.of(system)
    for body in ("upper", "lower"):
        m.output(body, m[body].center.acceleration, axes=m.ground)
    d = jd.compile(m.system(), cache=Cache(None))
    q, u = np.array([0.5, 0.9]), np.array([0.7, -1.1])
    outputs, p = d.outputs(q, u), system.parameters
    shares = []
    for body, mass, length in (("upper", p["m1"], p["l1"]), ("lower", p["m2"], p["l2"])):
        acceleration = np.array([outputs[f"{body}.{x}"] for x in "xyz"])
        force = mass * (acceleration + np.array([0.0, 0.0, p["g"]]))
        partial_velocities = d.jacobian(body, q, at=[0.0, 0.0, -length], axes="ground")[3:]
        shares.append(force @ partial_velocities)
    assert near(np.array(shares[0] + shares[1]), 0.0)
    assert abs(shares[0][0]) > 1.0


def _center(body: str, m: Mechanics) -> Vector:
    return m.lowered.vector(m.system.body(body).center)


def _by_speeds(body: str, m: Mechanics) -> Rows:
    return m.jacobian(body, _center(body, m), ground_axes=True)[3:]


def _by_coordinates(body: str, m: Mechanics) -> Rows:
    c = _center(body, m)
    return jacobian([row[0] * c.x + row[1] * c.y + row[2] * c.z + row[3] for row in m.pose(body)[:3]], m.q)


def _partial_velocities(body: str, m: Mechanics) -> Rows:
    return GibbsAppell(m).partial_velocities(body)


def _partial_accelerations(body: str, m: Mechanics) -> Rows:
    return GibbsAppell(m).partial_accelerations(body)
