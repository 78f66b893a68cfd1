"""Gravity of a distant sphere: forces and torques against the potential, and against the pull on each particle."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.course import Course
from jourdain.equations.mechanics import Mechanics
from jourdain.equations.values import values
from jourdain.graph.differentiate import jvp
from jourdain.model.gravitation import (
    attraction,
    gravitational_potential,
    gravity_gradient_force,
    gravity_gradient_torque,
)

from ..equations.test_systems import agree

MU = 3.7


def satellite(extended: bool) -> jd.System:
    """Two bodies on a hinge, the first one free; the attracting centre is beside the ground's origin."""
    m = jd.Model("satellite", gravity=(0, 0, 0))
    p = m.parameters(mu=MU)
    bus = m.body("bus", mass=3.0, center=(0.1, -0.2, 0.05), inertia=jd.principal(0.2, 0.3, 0.4))
    skew = jd.tensor([[0.3, 0.05, 0.02], [0.05, 0.25, 0.01], [0.02, 0.01, 0.35]])
    boom = m.body("boom", mass=1.5, center=(0.4, 0.1, 0), inertia=skew)
    m.free("flight", m.ground, bus)
    m.revolute("hinge", bus, boom, axis="y", at=(0.5, 0, 0))
    earth = m.ground.point("earth", (0.3, -0.2, 0.1))
    for body in (bus, boom):
        m.force(attraction(body, earth, p.mu), at=body.center)
        if extended:
            m.force(gravity_gradient_force(body, earth, p.mu), at=body.center)
            m.torque(gravity_gradient_torque(body, earth, p.mu), on=body)
        m.output(f"V {body.name}", gravitational_potential(body, earth, p.mu, extended))
    return m.system()


@pytest.mark.parametrize("extended", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_what_acts_is_the_slope_of_the_potential(seed: int, extended: bool) -> None:
    """Along each speed's motion, −v_k(V), with V from the model's own outputs."""
    mechanics = Mechanics(satellite(extended))
    course = Course(mechanics)
    rng = np.random.default_rng([42, seed])
    q = rng.normal(size=8)
    q[:3] += 2.5, 1.0, -1.5
    q[3:7] /= np.linalg.norm(q[3:7])
    total = list(mechanics.outputs().values())
    slope = course.along_fields([jvp([total[0] + total[1]], {x: x.graph.one})[0] for x in course.q])
    agree(values(mechanics, course.applied_forces, q), -values(mechanics, slope, q))


def test_far_away_it_is_what_all_particles_feel_together() -> None:
    """A rigid set of particles, each pulled by itself: both formulas, to the next order of size over distance."""
    rng = np.random.default_rng(1)
    places, masses = rng.normal(size=(12, 3)), rng.uniform(0.5, 1.0, 12)
    places -= masses @ places / masses.sum()
    inertia = sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, places))
    errors = []
    for distance in (200.0, 400.0):
        at = distance * np.array([0.48, 0.6, 0.64])
        each = [-MU * m * (at + x) / np.linalg.norm(at + x) ** 3 for m, x in zip(masses, places)]
        force, torque = np.sum(each, axis=0), np.sum(np.cross(places, each), axis=0)
        m = jd.Model("cluster", gravity=(0, 0, 0))
        body = m.body("cluster", mass=float(masses.sum()), inertia=jd.tensor(inertia.tolist()))
        m.free("flight", m.ground, body)
        origin = m.ground.origin
        m.output("force", attraction(body, origin, MU) + gravity_gradient_force(body, origin, MU))
        m.output("particle", attraction(body, origin, MU))
        m.output("torque", gravity_gradient_torque(body, origin, MU), axes=body)
        mechanics = Mechanics(m.system())
        found = mechanics.outputs()
        q = [*at, 0.0, 0.0, 0.0, 1.0]
        ours = {n: values(mechanics, [found[f"{n}.{k}"] for k in "xyz"], q) for n in ("force", "particle", "torque")}
        errors.append([np.linalg.norm(ours["force"] - force), np.linalg.norm(ours["torque"] - torque)])
        assert errors[-1][0] < 0.1 * np.linalg.norm(ours["particle"] - force)
        assert errors[-1][1] < 0.1 * np.linalg.norm(torque)
    # The next terms: the force's falls with r⁻⁵, the torque's with r⁻⁴.
    force_order, torque_order = np.log2(np.array(errors[0]) / np.array(errors[1]))
    assert abs(force_order - 5.0) < 0.2
    assert abs(torque_order - 4.0) < 0.2


def test_a_symmetric_body_is_not_turned() -> None:
    m = jd.Model("ball", gravity=(0, 0, 0))
    ball = m.body("ball", mass=2.0, inertia=jd.principal(0.3, 0.3, 0.3))
    m.free("flight", m.ground, ball)
    m.output("torque", gravity_gradient_torque(ball, m.ground.origin, MU))
    m.output("force", gravity_gradient_force(ball, m.ground.origin, MU))
    mechanics = Mechanics(m.system())
    found = values(mechanics, list(mechanics.outputs().values()), [1.0, 2.0, -1.5, 0.0, 0.6, 0.0, 0.8])
    agree(found, np.zeros(6))


def test_near_the_ground_it_is_uniform() -> None:
    """At the Earth's surface, μ/R² = 9.82 m/s²."""
    m = jd.Model("stone", gravity=(0, 0, 0))
    stone = m.particle("stone", 2.0)
    m.prismatic("fall", m.ground, stone, axis="z")
    center = m.ground.point("centre of the Earth", (0, 0, -6.371e6))
    m.force(attraction(stone, center, 3.986004418e14), at=stone.center)
    mechanics = Mechanics(m.system())
    assert abs(values(mechanics, mechanics.inverse_dynamics(), [0.0], [0.0], [0.0])[0] / 2.0 - 9.82) < 1e-3


def test_bodies_that_gravity_cannot_pull_at() -> None:
    m = jd.Model("nothing")
    origin = m.ground.point("p", (1, 0, 0))
    with pytest.raises(ValueError, match="the ground has no mass"):
        attraction(m.ground, origin, MU)
    with pytest.raises(ValueError, match="body 'rod' has no mass yet; give it"):
        attraction(m.body("rod"), origin, MU)
