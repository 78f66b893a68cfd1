"""Velocities and accelerations of points and bodies in a model's outputs are the derivatives of places."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.mechanics import Mechanics
from jourdain.equations.quantities import Quantities
from jourdain.model.system import System

from .systems import along_motion, evaluate, random_state


def arm() -> System:
    """Two hinges, and what is asked of the outer link, in axes of the ground and of the inner link."""
    m = jd.Model("arm")
    inner = m.body("inner", mass=1.0, center=(0.1, 0, 0.3), inertia=jd.principal(0.1, 0.2, 0.3))
    outer = m.body("outer", mass=0.7, center=(0, 0.2, 0.1), inertia=jd.principal(0.2, 0.1, 0.2))
    m.revolute("a", m.ground, inner, axis="z")
    m.revolute("b", inner, outer, axis="x", at=(0.5, 0, 0.2))
    for k, axis in enumerate((m.ground.x, m.ground.y, m.ground.z)):
        m.output(f"place {k}", outer.center.position @ axis)
        m.output(f"velocity {k}", outer.center.velocity @ axis)
        m.output(f"acceleration {k}", outer.center.acceleration @ axis)
        m.output(f"omega {k}", outer.omega @ axis)
        m.output(f"alpha {k}", outer.alpha @ axis)
    m.output("seen from within", outer.center.velocity @ inner.x)
    return m.system()


def test_outputs_are_derivatives_of_one_another() -> None:
    system = arm()
    mechanics = Mechanics(system)
    state = random_state(system, np.random.default_rng(1))
    found = mechanics.outputs()
    # Along the motion that the forces make.
    udot = evaluate(mechanics, mechanics.forward_dynamics(), state)
    moving = type(state)(state.q, state.u, udot, state.f)

    def of(kind: str) -> list[str]:
        return [f"{kind} {k}" for k in range(3)]

    for place, rate in (("place", "velocity"), ("velocity", "acceleration"), ("omega", "alpha")):
        wanted = along_motion(mechanics, [found[x] for x in of(place)], moving)
        assert np.abs(evaluate(mechanics, [found[x] for x in of(rate)], moving) - wanted).max() < 1e-12
    velocity = evaluate(mechanics, [found[x] for x in of("velocity")], moving)
    inner = np.array([np.cos(state.q[0]), np.sin(state.q[0]), 0.0])
    assert abs(evaluate(mechanics, [found["seen from within"]], moving)[0] - velocity @ inner) < 1e-14


def test_an_acceleration_needs_the_rates_of_speeds() -> None:
    system = arm()
    mechanics = Mechanics(system)
    wanted = [system.expressions["acceleration 0"]]
    assert Quantities(mechanics.lowered).needs_accelerations(wanted)
    with pytest.raises(ValueError, match="a load cannot depend on an acceleration"):
        Quantities(mechanics.lowered).resolved(wanted)


def test_rates_of_places_are_velocities() -> None:
    """By the sweep over the tree, as by differentiating; a velocity is no place."""
    system = arm()
    mechanics = Mechanics(system)
    state = random_state(system, np.random.default_rng(2))
    names = [f"place {k}" for k in range(3)]
    places = [system.expressions[x] for x in names]
    wanted = along_motion(mechanics, [mechanics.outputs()[x] for x in names], state)
    assert np.abs(evaluate(mechanics, mechanics.quantities.rates_of(places), state) - wanted).max() < 1e-13
    with pytest.raises(ValueError, match="the velocity of 'outer' is no place; its rate is an acceleration"):
        mechanics.quantities.rates_of([system.expressions["velocity 0"]])
