"""The energy balance: the work of everything that energies do not account for, integrated beside the motion."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.guide import Guide
from jourdain.model.pose import Pose
from jourdain.model.system import System
from jourdain.spatial import Rotation, Vector

from .mechanisms import ball, bob, crane, four_bar, oscillator, stone

TIGHT = jd.DormandPrince853(1e-12, 1e-12)


def balance(run: jd.Run) -> float:
    """The largest error of the balance beside the largest work."""
    assert run.is_complete and run.work is not None
    energy = run.compiled.energy(run.q, run.u, inputs=run.inputs, t=run.t).total
    done = np.abs(run.work).max()
    assert done > 1e-2
    return float(np.abs(energy - energy[0] - run.work).max() / done)


def block() -> System:
    """Slides on a table, rubbing it."""
    m = jd.Model("block", gravity=(0, 0, -9.81))
    base, mass = m.link("base"), m.particle("block", 2.0)
    m.prismatic("x", m.ground, base, axis="x")
    m.prismatic("z", base, mass, axis="z")
    m.switch("touches", m["z"].coordinate)
    m.friction("touches", m["x"].speed, coefficient=0.3)
    return m.system()


def slide() -> System:
    """A bead on a tilted rail that turns, rubbing with what it presses the rail with."""
    m = jd.Model("slide")
    arm = m.body("arm", mass=1.0, inertia=jd.principal(0.1, 0.1, 0.2))
    bead = m.body("bead", mass=0.5, inertia=jd.principal(0.01, 0.01, 0.01))
    m.revolute("turn", m.ground, arm, axis="z")
    rail = m.prismatic("rail", arm, bead, axis="x", at=(0.2, 0, 0))
    m.friction(rail, rail.speed, coefficient=0.2, along=("y", "z"))
    return m.system()


def driven() -> System:
    """A pendulum whose pivot is shaken, with a damper and a spring to a body beside it."""
    m = jd.Model("shaken")
    cart, bar = m.link("cart"), m.body("bar", mass=1.0, center=(0, 0, -0.5), inertia=jd.principal(0.1, 0.1, 0.01))
    m.prismatic("shake", m.ground, cart, axis="x")
    m.prescribe("shake", 0.3 * jd.sin(3.0 * m.time))
    m.revolute("swing", cart, bar, axis="y")
    m.joint_damper("swing", damping=0.1)
    m.joint_force("shake", 2.0 * jd.cos(m.time))
    return m.system()


@pytest.mark.parametrize("method", [TIGHT, jd.Radau(1e-10, 1e-12)], ids=["compiled", "scipy"])
@pytest.mark.parametrize(
    ("make", "mode", "start"),
    [
        (block, {"touches"}, ([0.0, 0.0], [2.0, 0.0])),
        (driven, (), ([0.5], [0.0])),
    ],
    ids=["friction", "driven"],
)
def test_what_the_energies_lose_was_done_by_somebody(make: Any, mode: Any, start: Any, method: Any) -> None:
    d = jd.compile(make()).in_mode(mode)
    q, u = start
    run = jd.simulate(d, q, u, np.linspace(0, 0.6, 61), method=method)
    assert balance(run) < 1e-7
    assert run.checks.energy is not None


def test_friction_of_a_joints_force() -> None:
    run = jd.simulate(slide(), [0.0, 0.0], [3.0, 0.0], np.linspace(0, 1, 11), method=TIGHT)
    assert balance(run) < 1e-8
    assert run.checks.returned is None and "inverse dynamics" not in str(run.checks)


def test_friction_does_what_coulomb_says() -> None:
    d = jd.compile(block()).in_mode({"touches"})
    run = jd.simulate(d, [0.0, 0.0], [2.0, 0.0], [0.0, 0.3])
    assert run.work is not None
    assert run.work[-1] == pytest.approx(-0.3 * 2.0 * 9.81 * run.q[-1, 0], rel=1e-4)


def test_constant_forces_do_the_work_of_their_paths() -> None:
    run = jd.simulate(oscillator(), [0.5], [1.0], np.linspace(0, 5, 51), {"push": 2.0}, TIGHT)
    assert run.work is not None
    assert np.abs(run.work - 2.0 * (run.q[:, 0] - 0.5)).max() < 1e-10


def test_work_has_no_say_in_the_steps() -> None:
    """The same steps, whether work is done or not."""
    still = jd.simulate(ball(), [1.0], [0.0], 2.0)
    assert still.work is None
    for name, system in (("four-bar", four_bar()), ("bob", bob()), ("stone", stone())):
        ode = jd.ode(jd.compile(system))
        assert "power" not in [x.name for x in ode.moving.motion_and_power.outputs], name


def test_a_crane_of_everything() -> None:
    start = ([0, 0, 0, 0, 0, 0, 1.0, 0.1, 0.2], [0.1, 0.2, -0.1, 0.3, 0, 0, 0.2, 0.5])
    inputs: dict[str, Any] = {"wind": "sin(3*t)", "push": ([0, 1, 2], [0, 3, -1])}
    run = jd.simulate(crane(), *start, np.linspace(0, 2, 21), inputs, TIGHT)
    assert balance(run) < 1e-8


def test_a_guided_body_brings_and_takes_no_energy() -> None:
    """A disk that is led around by a pendulum, spinning as the pendulum turns: its guide does no work on the whole."""
    m = jd.Model("led")
    bob = m.body("bob", mass=2.0, center=(0.3, 0, 0), inertia=jd.principal(0.2, 0.2, 0.3))
    hinge = m.revolute("hinge", m.ground, bob, axis="z", rotation=[("x", np.pi / 2)])
    disk = m.body("disk", mass=1.0, inertia=jd.principal(0.1, 0.2, 0.1))
    m.weld("carried", m.ground, disk)
    graph, q, p = m.graph, hinge.coordinate, hinge.speed
    zero, still = graph.zero, Vector.zero(graph)
    place = Pose(Rotation.turn(graph, 2, q), Vector(q * q * 0.5, zero, zero))
    along = Vector(q * p * jd.cos(q), -(q * p * jd.sin(q)), zero)
    m.joints["carried"].guide = Guide(place, Vector(zero, p * 5.0, p), along, still + Vector(zero, zero, p))
    run = jd.simulate(m.system(), [0.4], [0.7], 3.0, method=TIGHT)
    assert run.checks.energy is not None and run.checks.energy < 1e-9 < run.checks.energy_size
