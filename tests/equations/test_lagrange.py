"""Lagrange's equations: with coordinates that are independent, with quaternions, and what they say of momenta."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.lagrange import Lagrange
from jourdain.equations.values import values
from jourdain.model.motion import Orientation

from .systems import Traits, along_motion
from .test_systems import Case, agree

some = pytest.mark.parametrize("seed", range(660, 668))
INDEPENDENT = ("revolute", "prismatic", "universal", "cylindrical", "planar", "spherical-angles", "compound")


@some
def test_where_coordinates_are_independent_each_equation_holds(seed: int) -> None:
    """Not only projected: forces on the coordinates are Γ⁻ᵀ times forces on the speeds, all of them."""
    case = Case(seed, 2 + seed % 3, Traits(kinds=INDEPENDENT, loads=seed % 2 == 0, driven=seed % 3 == 0))
    lagrange = Lagrange(case.mechanics)
    assert lagrange.dependent == []
    found = case.at(*lagrange.velocities.at_speeds(lagrange.equations()))
    inverse = case.rows(lagrange.course.inverse_kinematic_matrix)
    size = case.size * (1.0 + np.abs(inverse).max(initial=0.0))
    agree(found, inverse.T @ case.at(*case.mechanics.inverse_dynamics()), size)


def test_joints_that_keep_a_quaternion_are_named() -> None:
    m = jd.Model("ball on a stick")
    stick = m.body("stick", mass=1.0, inertia=jd.principal(1, 1, 1))
    ball = m.body("ball", mass=1.0, inertia=jd.principal(1, 2, 2))
    m.revolute("swing", m.ground, stick, axis="y")
    m.spherical("socket", stick, ball, orientation=Orientation.QUATERNION)
    assert Lagrange(m.system()).dependent == ["socket"]


@some
def test_the_continuation_of_the_energy_off_unit_quaternions_does_not_matter(seed: int) -> None:
    """The equations of the four components hold up to a constraint force along η, which no speed feels."""
    case = Case(seed, 2, Traits(kinds=("spherical",)))
    lagrange = Lagrange(case.mechanics)
    unprojected = case.at(*lagrange.velocities.at_speeds(lagrange.equations()))
    pulled = np.concatenate([x * k for x, k in zip(np.split(case.state.q, 2), (3.0, -2.0))])  # along each η
    v = case.rows(lagrange.course.kinematic_matrix)
    agree(v.T @ (unprojected + pulled), case.at(*case.mechanics.inverse_dynamics()), case.size)


@some
def test_energies_and_momenta(seed: int) -> None:
    """T and 𝒱 are those of the energy read-out; q̇ · ∂T/∂q̇ = 2 T where nothing is driven."""
    case = Case(seed, 3, Traits(kinds=INDEPENDENT))
    lagrange = Lagrange(case.mechanics)
    at = lagrange.velocities.at_speeds
    energy = case.mechanics.energy()
    agree(case.at(*at([lagrange.kinetic_energy(), lagrange.potential_energy()])), case.at(*energy), 10.0)
    rates = case.at(*case.mechanics.rates())
    kinetic = case.at(energy.kinetic)
    agree([rates @ case.at(*at(lagrange.momenta()))], 2.0 * kinetic, float(kinetic[0]))


def test_accelerations_of_coordinates_are_rates_of_rates() -> None:
    """What `at_speeds` puts in for q̈ is d/dt (Γ u)."""
    case = Case(664, 3, Traits(kinds=("spherical-angles", "free")))
    lagrange = Lagrange(case.mechanics)
    found = case.at(*lagrange.velocities.at_speeds(lagrange.qddot))
    agree(found, along_motion(case.mechanics, case.mechanics.rates(), case.state))


def test_a_cyclic_coordinate_keeps_its_momentum() -> None:
    """The first angle of a double pendulum without gravity: its equation says d/dt ∂T/∂q̇ = 0."""
    lagrange = Lagrange(jd.gallery.double_pendulum())
    mechanics = lagrange.mechanics
    first = lagrange.equations()[0]
    state = dict(zip((*lagrange.qdot, *lagrange.qddot), (0.3, -0.4, 0.5, 0.6)))
    rate = lagrange.velocities.rate(lagrange.momenta()[:1])[0]
    weightless = {"g": 0.0}
    one = values(mechanics, first, [0.2, 0.7], others=state, parameters=weightless)
    other = values(mechanics, rate, [0.2, 0.7], others=state, parameters=weightless)
    agree(one, other)
