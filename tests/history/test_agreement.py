"""All authors give the same torques, and ours; for any number of joints, turning and sliding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from jourdain.equations.mechanics import Mechanics
from jourdain.graph import Role, interpret
from jourdain.history.authors import (
    hollerbach_3x3,
    hollerbach_4x4,
    kane,
    luh_walker_paul,
    ours,
    silver,
    uicker_kahn,
    walker_orin,
)
from jourdain.history.authors.luh_walker_paul import Motion, Wrench
from jourdain.history.chain import Chain, Moment, at, random_chain
from jourdain.history.numbers import FLOATS
from jourdain.model.system import Force, Torque
from jourdain.spatial import Vector

Array = NDArray[np.float64]
TIGHT = 1e-12
AUTHORS: dict[str, Callable[[Moment[float]], list[float]]] = {
    "Uicker and Kahn": uicker_kahn.inverse_dynamics,
    "Hollerbach 4x4": hollerbach_4x4.inverse_dynamics,
    "Hollerbach 3x3": hollerbach_3x3.inverse_dynamics,
    "Luh, Walker and Paul": luh_walker_paul.inverse_dynamics,
    "Silver": silver.inverse_dynamics,
    "Kane": kane.inverse_dynamics,
}
ENDED: dict[str, Callable[..., list[float]]] = {  # those that know of a moving base and a wrench at the tip
    "Luh, Walker and Paul": luh_walker_paul.inverse_dynamics,
    "Silver": silver.inverse_dynamics,
}


def drawn(n: int, seed: int, turning: bool = False) -> tuple[Chain, Array, Array, Array]:
    random = np.random.default_rng([n, seed])
    slides = [] if turning else [bool(x) for x in random.integers(0, 2, n)]
    q, rates, accelerations = random.uniform(-1.0, 1.0, (3, n))
    return random_chain(n, seed, slides), q, rates, accelerations


def off(one: Any, other: Any) -> float:
    """The largest difference relative to the largest force."""
    a, b = np.asarray(one, float), np.asarray(other, float)
    return float(np.abs(a - b).max() / np.abs(b).max())


@pytest.mark.parametrize("n", range(1, 13))
@pytest.mark.parametrize("turning", [True, False], ids=["turning", "mixed"])
def test_torques(n: int, turning: bool) -> None:
    chain, *state = drawn(n, 3, turning)
    expected = ours.inverse_dynamics(chain, *state)
    moment = at(chain, FLOATS, *state)
    for name, author in AUTHORS.items():
        assert off(author(moment), expected) < TIGHT, name


@given(st.integers(1, 5), st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_torques_of_any_chain(n: int, seed: int) -> None:
    chain, *state = drawn(n, seed)
    moment = at(chain, FLOATS, *state)
    expected = ours.inverse_dynamics(chain, *state)
    assert max(off(author(moment), expected) for author in AUTHORS.values()) < TIGHT


@pytest.mark.parametrize("n", range(1, 13))
def test_walker_and_orins_mass_matrix(n: int) -> None:
    """Column by column what inverse dynamics says, at rest and without gravity."""
    chain, q, _, _ = drawn(n, 5)
    still = np.zeros(n)
    weightless = replace(chain, gravity=(0.0, 0.0, 0.0))
    found: Array = np.array(walker_orin.mass_matrix(at(chain, FLOATS, q, still, still)))
    columns = [luh_walker_paul.inverse_dynamics(at(weightless, FLOATS, q, still, row)) for row in np.eye(n)]
    assert off(found, np.transpose(columns)) < TIGHT
    assert np.array_equal(found, found.T)


@pytest.mark.parametrize("n", range(1, 13))
def test_walker_and_orins_forward_dynamics(n: int) -> None:
    """The accelerations come back, to the condition of the mass matrix."""
    chain, q, rates, accelerations = drawn(n, 7)
    moment = at(chain, FLOATS, q, rates, accelerations)
    forces = silver.inverse_dynamics(moment)
    condition = np.linalg.cond(walker_orin.mass_matrix(moment))
    assert off(walker_orin.forward_dynamics(moment, forces), accelerations) < 1e-14 * condition


@pytest.mark.parametrize("author", ENDED.values(), ids=ENDED)
@pytest.mark.parametrize("n", [1, 3, 6])
def test_moving_base(author: Callable[..., list[float]], n: int) -> None:
    """The outer part of a longer chain feels the inner part as its base."""
    chain, q, rates, accelerations = drawn(n + 3, 11)
    whole = at(chain, FLOATS, q, rates, accelerations)
    carrier = luh_walker_paul.outward(whole)[2]
    outer = Chain(chain.links[3:], (0.0, 0.0, 0.0))  # gravity is in the carrier's acceleration already
    found = author(at(outer, FLOATS, q[3:], rates[3:], accelerations[3:]), base=carrier)
    assert off(found, ours.inverse_dynamics(chain, q, rates, accelerations)[3:]) < TIGHT


@pytest.mark.parametrize("author", ENDED.values(), ids=ENDED)
def test_a_bases_acceleration_stands_for_gravity(author: Callable[..., list[float]]) -> None:
    """Silver's 3.2 has the base accelerate as gravity does; it must be the other way, as Luh has it."""
    chain, *state = drawn(4, 12)
    weightless = at(replace(chain, gravity=(0.0, 0.0, 0.0)), FLOATS, *state)
    expected = ours.inverse_dynamics(chain, *state)
    up, down = (
        author(weightless, base=Motion([0.0] * 3, [0.0] * 3, [sign * x for x in chain.gravity])) for sign in (-1, 1)
    )
    assert off(up, expected) < TIGHT
    assert off(down, expected) > 0.1


@pytest.mark.parametrize("author", ENDED.values(), ids=ENDED)
@pytest.mark.parametrize("n", [1, 2, 6])
def test_wrench_at_the_tip(author: Callable[..., list[float]], n: int) -> None:
    """Against a force and a torque on the last body of our own system."""
    chain, *state = drawn(n, 13)
    force, turning = np.random.default_rng(n).uniform(-5.0, 5.0, (2, 3)).tolist()
    found = author(at(chain, FLOATS, *state), tip=Wrench(force, turning))
    system = ours.system_of(chain)
    tip, graph = f"link{n}", system.graph
    loads = (  # what the link exerts comes back to it
        Force("held", tip, Vector.zero(graph), -Vector.of(graph, force), axes=tip),
        Torque("held too", tip, -Vector.of(graph, turning), axes=tip),
    )
    mechanics = Mechanics(replace(system, loads=loads))
    values: dict[Any, Any] = {mechanics.graph.symbol(k, Role.PARAMETER): x for k, x in system.parameters.items()}
    q = [x + (link.d if link.slides else link.theta) for x, link in zip(state[0], chain.links)]
    for symbols, numbers in ((mechanics.q, q), (mechanics.u, state[1]), (mechanics.udot, state[2])):
        values |= dict(zip(symbols, numbers))
    assert off(found, interpret(mechanics.inverse_dynamics(), values)) < TIGHT


def test_silvers_additional_link() -> None:
    """The wrench at the tip as one more link (3.2): a particle fixed in the last one, as part of it and as a wrench."""
    chain, *state = drawn(3, 17)
    moment = at(chain, FLOATS, *state)
    last = luh_walker_paul.outward(moment)[-1]
    center, mass = np.array([0.4, -0.2, 0.7]), 2.5
    omega, alpha = np.array(last.omega), np.array(last.alpha)
    moved = np.array(last.acceleration) + np.cross(alpha, center) + np.cross(omega, np.cross(omega, center))
    force = mass * moved  # what makes a particle fixed in the last link move, gravity included in the acceleration
    found = silver.inverse_dynamics(moment, tip=Wrench(force.tolist(), np.cross(center, force).tolist()))
    loaded = replace(chain, links=(*chain.links[:-1], _with_particle(chain.links[-1], mass, center)))
    assert off(found, ours.inverse_dynamics(loaded, *state)) < TIGHT


def _with_particle(link: Any, mass: float, place: Array) -> Any:
    total = link.mass + mass
    center = (link.mass * np.array(link.center) + mass * place) / total
    apart = place - np.array(link.center)
    spread = (apart @ apart) * np.eye(3) - np.outer(apart, apart)
    inertia = np.array(link.inertia) + link.mass * mass / total * spread
    return replace(link, mass=total, center=tuple(center.tolist()), inertia=tuple(map(tuple, inertia.tolist())))


def test_partial_velocities_are_jacobians() -> None:
    """ω and v of every body are its partial velocities times the rates."""
    chain, *state = drawn(5, 19)
    moment = at(replace(chain, gravity=(0.0, 0.0, 0.0)), FLOATS, *state)
    for motion, partials in zip(luh_walker_paul.outward(moment), kane.partial_velocities(moment)):
        omega = sum(np.array(x.angular) * rate for x, rate in zip(partials, state[1]))
        assert np.abs(omega - motion.omega).max() < 1e-14


def test_a_state_of_another_length() -> None:
    with pytest.raises(ValueError, match="2 rates for a chain of 3 joints"):
        at(random_chain(3), FLOATS, [0.0] * 3, [0.0] * 2, [0.0] * 3)


def test_chains_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="a chain of 0 joints"):
        random_chain(0)
    with pytest.raises(ValueError, match="2 kinds of joints for a chain of 3"):
        random_chain(3, slides=[True, False])
