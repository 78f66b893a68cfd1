"""One law over all formulations: Kane's, Poincaré's, Lagrange's, Gibbs's and Appell's equations are the recursion's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.course import Course
from jourdain.equations.generalized import mechanics_of
from jourdain.equations.gibbs_appell import GibbsAppell
from jourdain.equations.lagrange import Lagrange
from jourdain.equations.mechanics import Mechanics
from jourdain.equations.parsa import Parsa
from jourdain.equations.poincare import Poincare
from jourdain.equations.values import values
from jourdain.equations.velocities import by_speeds
from jourdain.graph import Node, symbols_of
from jourdain.model.system import System

from .systems import KINDS, Traits
from .test_systems import Case, agree

FORMULATIONS: dict[str, Callable[[Mechanics], Sequence[Node]]] = {
    "Kane": lambda m: Parsa(m, by_speeds).inverse_dynamics(),
    "Kane by Lagrange's route (Parsa)": lambda m: Parsa(m).inverse_dynamics(),
    "Poincaré, from energies (40)": lambda m: Poincare(m).inverse_dynamics_by_energy(),
    "Poincaré, by matrices (53)": lambda m: Poincare(m).inverse_dynamics(),
    "Lagrange": lambda m: Lagrange(m).inverse_dynamics(),
    "Gibbs and Appell": lambda m: GibbsAppell(m).inverse_dynamics(),
}
every = pytest.mark.parametrize("name", FORMULATIONS)


def holds(name: str, case: Case) -> None:
    agree(case.at(*FORMULATIONS[name](case.mechanics)), case.at(*case.mechanics.inverse_dynamics()), case.size)


@every
@pytest.mark.parametrize("seed", range(600, 612))
def test_random_systems(name: str, seed: int) -> None:
    """Every joint, compound ones and quaternions among them; loads, rotors, driven joints."""
    traits = Traits(symbolic=seed % 2 == 0, loads=seed % 4 < 2, driven=seed % 3 == 0, bare=0.2)
    holds(name, Case(seed, 2 + seed % 4, traits))


@every
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "weld"])
def test_each_joint_twice_in_a_row(name: str, kind: str) -> None:
    """Axes as the dice fall, most of them oblique."""
    holds(name, Case(640 + KINDS.index(kind), 2, Traits(kinds=(kind,), row=True, parallel=0.0, symbolic=True)))


@every
def test_link_frames_as_the_user_placed_them(name: str) -> None:
    case = Case(660, 4, Traits(loads=True, driven=True))
    plain = replace(case.mechanics.formulation, settled=False, grouped=False)
    holds_as_placed = Mechanics(case.system, plain)
    case.mechanics = holds_as_placed
    holds(name, case)


@every
@pytest.mark.parametrize("entry", ["stanford_arm", "kwatny_arm", "thin_disk", "double_pendulum"])
def test_gallery(name: str, entry: str) -> None:
    mechanics = Mechanics(getattr(jd.gallery, entry)())
    n = len(mechanics.u)
    q, u, udot = np.random.default_rng(661).uniform(-1.0, 1.0, (3, n))
    found = values(mechanics, FORMULATIONS[name](mechanics), q, u, udot)
    agree(found, values(mechanics, mechanics.inverse_dynamics(), q, u, udot), 100.0)


@every
def test_a_joint_that_an_input_drives(name: str) -> None:
    """Its speed and rate are the user's; no derivative by time would find them. A pitch and a factor hide the input."""
    mechanics = Mechanics(carried_by_an_input())
    nodes, state = FORMULATIONS[name](mechanics), ([0.4], [0.3], [0.2])
    drive = {"s": 0.3, "v": 0.5, "a": 0.7}
    found = values(mechanics, nodes, *state, inputs=drive)
    agree(found, values(mechanics, mechanics.inverse_dynamics(), *state, inputs=drive))
    assert abs(values(mechanics, nodes, *state, inputs={**drive, "v": 0.0}) - found).max() > 1e-2


def carried_by_an_input() -> System:
    m = jd.Model("carried")
    s, v, a = m.inputs("s", "v", "a")
    cart = m.body("cart", mass=1.0, inertia=jd.principal(1, 1, 1))
    bob = m.body("bob", mass=2.0, center=(0, 0.3, -1.0), inertia=jd.principal(0.1, 0.2, 0.25))
    m.joint("slide", m.ground, cart, H=[[0], [0], [0.3], [0.7], [0], [0]], r=[1])
    m.prescribe("slide", 2.0 * s, speeds=[2.0 * v], rates=[2.0 * a])
    m.revolute("swing", cart, bob, axis="y")
    return m.system()


@every
def test_nothing_that_stands_for_a_drive_is_left(name: str) -> None:
    mechanics = Mechanics(carried_by_an_input())
    names = {x.name for x in symbols_of(FORMULATIONS[name](mechanics))}
    assert names <= {"swing", "swingdot", "swingddot", "s", "v", "a"}
    assert {"a", "swing"} <= names


def swinging(generalized: bool) -> System:
    """A damper that acts on a user's speed, the bob's velocity along its own x, or on the same velocity written out."""
    m = jd.Model("damped")
    arm = m.body("arm", mass=1.0, center=(0, 0, -0.3), inertia=jd.principal(0.1, 0.1, 0.02))
    bob = m.body("bob", mass=2.0, center=(0, 0, -0.4), inertia=jd.principal(0.1, 0.2, 0.2))
    m.revolute("first", m.ground, arm, axis="y")
    m.revolute("second", arm, bob, axis="y", at=(0, 0, -0.6))
    speed = bob.center.velocity @ bob.x
    if generalized:
        speed = m.speeds(u1=speed, u2=arm.omega @ arm.y).u1
    m.joint_force("first", speed * -0.7)
    return m.system()


@every
def test_loads_may_depend_on_the_users_generalized_speeds(name: str) -> None:
    """The equations are in the joints' own speeds all the same."""
    state = np.random.default_rng(662).normal(size=(3, 2))
    given = Mechanics(swinging(generalized=True))
    plain = Mechanics(swinging(generalized=False))
    found = FORMULATIONS[name](given)
    assert "u1" not in {x.name for x in symbols_of(found)}
    agree(values(given, found, *state), values(plain, plain.inverse_dynamics(), *state), 10.0)


def test_equations_in_generalized_speeds_are_not_taken_for_the_joints() -> None:
    with pytest.raises(ValueError, match="equations of 'damped' are in generalized speeds; give the system itself"):
        Poincare(mechanics_of(swinging(generalized=True)))
    assert [x.name for x in Poincare(swinging(generalized=True)).f] == ["f[first]", "f[second]"]


@every
def test_without_any_freedom(name: str) -> None:
    m = jd.Model("stone")
    body = m.body("body", mass=1.0, inertia=jd.principal(1.0, 1.0, 1.0))
    m.weld("fixed", m.ground, body)
    assert list(FORMULATIONS[name](Mechanics(m.system()))) == []


def test_a_course_of_a_tree_without_drives_is_the_tree_itself() -> None:
    mechanics = Mechanics(jd.gallery.double_pendulum())
    course = Course(mechanics)
    assert course.tree is mechanics.standard
    assert not course.is_driven
