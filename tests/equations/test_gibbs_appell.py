"""Gibbs's and Appell's equations, and the identity by which they are Kane's (Gillespie 2003, eq 20)."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.gibbs_appell import GibbsAppell
from jourdain.equations.parsa import Parsa
from jourdain.equations.values import values
from jourdain.equations.velocities import by_rates
from jourdain.graph import Node
from jourdain.graph.differentiate import jacobian

from .systems import Traits, along_motion
from .test_systems import Case, agree

some = pytest.mark.parametrize("seed", range(670, 678))


@some
def test_partial_velocities_are_partial_accelerations(seed: int) -> None:
    """(20), its second equality, in any speeds: ∂v/∂u = ∂a/∂u̇, ∂ω/∂u = ∂α/∂u̇."""
    case = Case(seed, 2 + seed % 4, Traits(driven=seed % 2 == 0))
    gibbs = GibbsAppell(case.mechanics)
    for solid in case.mechanics.standard.solids:
        if solid.link >= 0:
            found = case.rows(gibbs.partial_accelerations(solid.name))
            agree(found, case.rows(gibbs.partial_velocities(solid.name)), 10.0)


@some
def test_partial_velocities_are_partial_positions(seed: int) -> None:
    """(20), its first equality, in rates of independent coordinates: ∂p/∂q = ∂v/∂q̇."""
    kinds = ("revolute", "planar", "spherical-angles", "free-angles", "screw", "compound")
    case = Case(seed, 3, Traits(kinds=kinds))
    parsa = Parsa(case.mechanics, by_rates)
    for body in parsa.bodies:
        center = position(case, body)
        linear = case.rows(parsa.jacobian(body)[3:])
        agree(case.rows(jacobian(center, case.mechanics.q)), linear, 10.0)


def position(case: Case, body: str) -> list[Node]:
    """Of the mass centre, along the ground's axes."""
    mechanics = case.mechanics
    own = [*mechanics.lowered.vector(case.system.body(body).center), mechanics.graph.one]
    found = []
    for row in mechanics.pose(body)[:3]:
        total = mechanics.graph.zero
        for x, y in zip(row, own):
            total = total + x * y
        found.append(total)
    return found


@some
def test_the_gibbs_function_grows_with_rates_as_the_energy_with_speeds(seed: int) -> None:
    """∂²S/∂u̇² is the mass matrix."""
    case = Case(seed, 3, Traits(loads=True))
    gibbs = GibbsAppell(case.mechanics)
    first = jacobian([gibbs.gibbs_function()], gibbs.udot)[0]
    agree(case.rows(jacobian(first, gibbs.udot)), case.rows(case.mechanics.mass_matrix()))


@some
def test_weight_forces_are_what_gravity_forces_balance(seed: int) -> None:
    case = Case(seed, 3, Traits(driven=seed % 2 == 0))
    agree(case.at(*GibbsAppell(case.mechanics).weight_forces()), -case.at(*case.mechanics.gravity_forces()), 100.0)


def test_a_particle() -> None:
    """S = ½ m a·a, a = r α along and −r ω² towards the centre."""
    m = jd.Model("bead on a wheel")
    bead = m.body("bead", mass=2.0, center=(0.5, 0, 0), inertia=jd.point_mass)
    m.revolute("turn", m.ground, bead, axis="z")
    gibbs = GibbsAppell(m.system())
    found = values(gibbs.mechanics, gibbs.gibbs_function(), [0.3], [0.7], [0.4])
    agree(found, 0.5 * 2.0 * 0.25 * (0.4**2 + 0.7**4))


def test_a_body_that_does_not_move_has_no_partial_velocities() -> None:
    m = jd.Model("post")
    post = m.body("post", mass=1.0, inertia=jd.principal(1, 1, 1))
    m.weld("fixed", m.ground, post)
    gibbs = GibbsAppell(m.system())
    with pytest.raises(ValueError, match="body 'post' is fixed to the ground"):
        gibbs.partial_velocities("post")
    with pytest.raises(KeyError, match=r"no body 'pots'.*post"):
        gibbs.partial_accelerations("pots")
    assert np.array(gibbs.weight_forces()).size == 0


def test_accelerations_are_rates_of_velocities() -> None:
    """What S is made of: the mass centre's acceleration along the link's axes, with the axes' turning taken off."""
    case = Case(673, 2, Traits(driven=True))
    parsa = Parsa(case.mechanics)
    for body in parsa.bodies:
        v = parsa.velocities.at_speeds(list(parsa.velocity(body).linear))
        a = parsa.velocities.at_speeds(parsa.inertia_wrench(body)[3:])
        mass = case.at(case.mechanics.lowered.carry([case.system.body(body).mass])[0])[0]
        agree(case.at(*a), mass * along_motion(case.mechanics, v, case.state), 10.0)
