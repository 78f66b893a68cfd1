"""Frames that stand still beside wheels: every number as before, and fewer operations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import jourdain as jd
from jourdain.equations.generalized import mechanics_of
from jourdain.equations.wheels import has_wheels, still_wheels
from jourdain.graph import Node, count
from jourdain.model.system import System

from .systems import evaluate, random_state


def cart(*, own_speeds: bool = False, bent: bool = False) -> System:
    """A body with a wheel along each of its axes, pushed at points of the wheels and along axes that turn with them."""
    m = jd.Model("cart")
    p = m.parameters(mass=0.7, across=0.02, along=0.03, offset=0.1)
    base = m.body("base", mass=3.0, center=(0.1, 0.2, 0.1), inertia=jd.principal(0.3, 0.4, 0.5))
    m.free("float", m.ground, base)
    i, j = p.across, p.along
    moments = {"x": (j, i, i), "y": (i, j, i), "z": (i, i, j)}
    wheels = []
    for k, letter in enumerate("xyz"):
        center: list[Node | float] = [0.0, 0.0, 0.0]
        center[k] = p.offset if not bent else 0.0
        center[(k + 1) % 3] = 0.05 if bent else 0.0
        wheel = m.body(f"wheel {letter}", mass=p.mass, center=tuple(center), inertia=jd.principal(*moments[letter]))
        m.revolute(letter, base, wheel, axis=letter, at=(0.3, -0.2, 0.1 * k), rotation=[("x", 0.3), ("z", 0.2)])
        wheels.append(wheel)
    m.force(wheels[0].vector((1.0, 2.0, 3.0)), at=wheels[0].point("rim", (0.1, 0.2, 0.3)))
    m.torque(wheels[1].z * 0.7, on=wheels[1], reaction=base)
    m.output("felt", wheels[2].point("mark", (0.1, 0.2, 0.3)).acceleration, axes=wheels[2])
    if own_speeds:
        a, b, c = wheels
        m.speeds(
            u1=base.omega @ base.x, u2=base.omega @ base.y, u3=base.omega @ base.z, u4=a.omega @ a.x, u5=b.omega @ b.y,
            u6=c.omega @ c.z, u7=a.center.velocity @ a.x, u8=base.origin.velocity @ base.y,
            u9=base.origin.velocity @ base.z,
        )  # fmt: skip
    return m.system()


@pytest.mark.parametrize("own_speeds", [False, True])
def test_nothing_changes(own_speeds: bool) -> None:
    system = cart(own_speeds=own_speeds)
    mechanics = mechanics_of(system)
    assert has_wheels(mechanics.lowered)
    other = mechanics.written(replace(mechanics.formulation, still=True))
    state = random_state(system, np.random.default_rng(1))
    for name in ("inverse_dynamics", "bias_forces", "gravity_forces", "forward_dynamics", "mass_matrix", "energy"):
        found, wanted = ([*_flat(getattr(x, name)())] for x in (other, mechanics))
        one, two = evaluate(mechanics, found, state), evaluate(mechanics, wanted, state)
        assert np.abs(one - two).max() < 1e-12 * max(1.0, float(np.abs(two).max()))
    one, two = (evaluate(mechanics, list(x.outputs().values()), state) for x in (other, mechanics))
    assert np.abs(one - two).max() < 1e-12 * np.abs(two).max()
    fewer, more = (count(x.forward_dynamics()) for x in (other, mechanics))
    assert fewer.total < more.total


def test_a_wheel_that_is_not_round_turns() -> None:
    lowered = mechanics_of(cart(bent=True)).lowered
    assert not has_wheels(lowered)
    assert still_wheels(lowered) is lowered
    m = jd.Model("three")
    a, b = (m.body(x, mass=1.0, inertia=jd.principal(0.1, 0.2, 0.3)) for x in "ab")
    m.revolute("carries", m.ground, a, axis="z")
    m.revolute("three moments", a, b, axis="z")
    assert not has_wheels(mechanics_of(m.system()).lowered)


def _flat(found: object) -> list[Node]:
    if isinstance(found, Node):
        return [found]
    assert isinstance(found, (list, tuple))
    return [x for row in found for x in _flat(row)]
