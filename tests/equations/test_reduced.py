"""Constraints embedded in forward dynamics: the rates are those with multipliers; only where no divisor can vanish."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import jourdain as jd
from jourdain.driver.library import readout
from jourdain.equations.choose import Derivation, derive
from jourdain.equations.constraints import bonds, constrained_forward_dynamics
from jourdain.equations.generalized import mechanics_of
from jourdain.equations.mechanics import Mechanics
from jourdain.equations.reduced import Embedding, embed, reduced_forward_dynamics
from jourdain.graph import Node, count
from jourdain.model.system import System

from .systems import Traits, evaluate, evaluate_rows, random_state, random_system


def geared(seed: int) -> System:
    """A random tree whose joints are geared, some with a term that time moves, and user's speeds on every other."""
    kinds = ("revolute", "prismatic", "universal", "spherical")
    plain = random_system(seed, 5, Traits(kinds, symbolic=seed % 2 == 0, loads=True))
    m = jd.Model.of(plain)
    speeds = [x for joint in plain.joints for x in m.joints[joint.name].speeds]
    m.keep("gear", speeds[0] - 2.5 * speeds[1])
    m.keep("cam", speeds[2] + speeds[3] - jd.sin(m.time) * (1.0 + speeds[1]))
    if seed % 3 == 0:
        ratio = m.parameter("ratio", 0.7)
        m.keep("other gear", ratio * speeds[-1] + jd.cos(m.time) * speeds[0])
    if seed % 2:
        m.speeds({f"u{k}": x * (1.5 if k else 1.0) for k, x in enumerate(speeds)})
    return m.system()


@pytest.mark.parametrize("seed", range(8))
def test_embedding_agrees_with_multipliers(seed: int) -> None:
    system = geared(seed)
    mechanics = mechanics_of(system)
    rows = bonds(mechanics, tuple(system.constraints))
    embedding = embed(mechanics, rows)
    assert embedding is not None
    assert len(embedding.independent) == len(mechanics.u) - len(rows.owners)
    state = random_state(system, np.random.default_rng(seed))
    if system.definitions:
        state = replace(state, u=np.random.default_rng(seed).normal(size=len(mechanics.u)))
    found = evaluate(mechanics, reduced_forward_dynamics(mechanics, embedding), state)
    wanted = evaluate(mechanics, constrained_forward_dynamics(mechanics, rows).rates, state)
    mass = evaluate_rows(mechanics, mechanics.mass_matrix(), state)
    scale = float(np.linalg.cond(mass)) * float(np.abs(wanted).max())
    assert np.abs(found - wanted).max() < 1e-13 * scale
    # A u̇ + b = 0
    left = evaluate_rows(mechanics, rows.matrix, state) @ found + evaluate(mechanics, list(rows.rest), state)
    assert np.abs(left).max() < 1e-12 * max(1.0, float(np.abs(found).max()))


def test_what_could_vanish_is_not_divided_by() -> None:
    """A loop's rows offer nothing but sines and cosines; a parameter that is zero is no divisor either."""
    m = jd.Model("loop")
    p = m.parameters(offset=0.0)
    a, b = (m.body(x, mass=1.0, inertia=jd.principal(0.1, 0.1, 0.1)) for x in "ab")
    m.revolute("first", m.ground, a, axis="z")
    m.revolute("second", a, b, axis="z", at=(1, 0, 0))
    m.keep("slot", b.point("pin", (1, 0, 0)).position @ m.ground.y)
    mechanics = mechanics_of(m.system())
    assert embed(mechanics, bonds(mechanics, ("slot",))) is None
    m.keep("nothing yet", p.offset * m["first"].speed + jd.sin(m["first"].coordinate) * m["second"].speed)
    mechanics = mechanics_of(m.system())
    assert embed(mechanics, bonds(mechanics, ("nothing yet",))) is None


def compiled(system: System, *mode: str) -> Derivation:
    row = readout(("forward_dynamics", mode))

    def read(mechanics: Mechanics) -> list[Node]:
        return [x for block in row.read(mechanics) for x in block.nodes]

    return derive(mechanics_of(system, row.start), read, row.changes)


def test_counts() -> None:
    """Of what is compiled: a rolling disk and a rolling cart are cheap, a sticking caster keeps its multipliers."""
    disk = compiled(jd.gallery.rolling_disk_on_ramp(), "rolls")
    assert disk.formulation.embedded
    assert str(count(disk.outputs)) == "2 mul, 4 add"
    cart = compiled(jd.gallery.shopping_cart(), "front wheel rolls")
    assert cart.formulation.embedded
    assert str(count(cart.outputs)) == "39 mul, 27 add, 2 div, 1 trig"
    stuck = compiled(jd.gallery.shopping_cart(), "front wheel rolls", "caster sticks")
    assert not stuck.formulation.embedded
    # What a user counts is what is compiled, the permanent constraint among it.
    assert jd.count(jd.gallery.shopping_cart())["forward_dynamics"]["mul"] == 39


def test_an_embedding_says_what_follows() -> None:
    """The disk's two speeds, u1 + u2 = 0."""
    mechanics = mechanics_of(jd.gallery.rolling_disk_on_ramp())
    found = embed(mechanics, bonds(mechanics, ("rolls",)))
    assert isinstance(found, Embedding)
    (kept,) = found.independent
    values = [[x.value for x in row] for row in found.matrix]
    assert values[kept] == [1.0]
    assert values[1 - kept] == [-1.0]
    assert all(x.is_zero for x in found.drift)
