"""Balls and blocks on floors, against what is known exactly."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import jourdain as jd

Floats = NDArray[np.float64]

G, E = 9.81, 0.9


@pytest.fixture(scope="module")
def ball() -> jd.System:
    m = jd.Model("ball", gravity=(0, 0, -G))
    body = m.body("ball", mass=2.0, inertia=jd.point_mass)
    z = m.prismatic("z", m.ground, body, axis="z")
    m.stop("floor", z.coordinate, restitution=E)
    return m.system()


def exact_impacts(count: int) -> Floats:
    """Of a ball dropped from 1 m."""
    shares: Floats = np.concatenate([[1.0], 1.0 + 2.0 * np.cumsum(E ** np.arange(1, count))])
    return float(np.sqrt(2.0 / G)) * shares


def test_a_hundred_impacts_are_on_time_and_the_ball_comes_to_rest(ball: jd.System) -> None:
    end = np.sqrt(2.0 / G) * (1.0 + 2.0 * E / (1.0 - E))
    run = jd.simulate(ball, [1.0], [0.0], end + 1.0)
    assert run.status is jd.Status.DONE
    assert isinstance(run, jd.ModalRun)
    times = np.array([x.t for x in run.changes])
    assert times[:100] == pytest.approx(exact_impacts(100), abs=1e-11)
    assert run.changes[-1].imposed == ("floor",)
    assert end - 1e-5 < run.changes[-1].t < end  # what would rise by less than 1e-13 m is at rest
    assert run.modes[-1].mode == ("floor",)
    assert run.forces["floor"][-1] == pytest.approx(2.0 * G, rel=1e-12)
    assert run.q[-1] == pytest.approx(0.0, abs=1e-15) and run.u[-1] == pytest.approx(0.0, abs=1e-15)


def test_the_energy_lost_is_that_of_the_impacts(ball: jd.System) -> None:
    run = jd.simulate(ball, [1.0], [0.0], 4.0)
    assert isinstance(run, jd.ModalRun)
    lost = np.array([-x.work for x in run.changes])
    assert lost == pytest.approx(2.0 * G * (1.0 - E * E) * E ** (2.0 * np.arange(len(lost))), rel=1e-10)
    assert run.checks.energy == pytest.approx(0.0, abs=1e-11)


def test_fixed_steps_find_the_impacts_too(ball: jd.System) -> None:
    run = jd.simulate(ball, [1.0], [0.0], np.linspace(0.0, 4.0, 41), method=jd.RK4(step=1e-2))
    assert isinstance(run, jd.ModalRun)
    times = np.array([x.t for x in run.changes])
    assert times == pytest.approx(exact_impacts(len(times)), abs=1e-11)


def block(friction: float, restitution: float) -> jd.System:
    m = jd.Model("block", gravity=(0, 0, -G))
    body = m.body("block", mass=1.0, inertia=jd.principal(0.01, 0.008, 0.012))
    m.free("free", m.ground, body)
    box = jd.shapes.Box((0.2, 0.3, 0.1))
    m.contact("block", (body, box), jd.shapes.Plane(), friction=friction, restitution=restitution)
    return m.system()


def test_a_block_that_falls_flat_stays_flat() -> None:
    run = jd.simulate(block(0.5, 0.4), [0, 0, 0.5, 0, 0, 0, 1], np.zeros(6), 3.0)
    assert run.status is jd.Status.DONE
    assert run.q[-1] == pytest.approx([0, 0, 0.05, 0, 0, 0, 1], abs=1e-12)
    assert isinstance(run, jd.ModalRun)
    carried = [x[-1, 0] for name, x in run.forces.items() if "sticks" not in name]
    assert sorted(carried)[4:] == pytest.approx([G / 4.0] * 4, rel=1e-9)
    assert sorted(carried)[:4] == pytest.approx([0.0] * 4, abs=1e-12)
    # Four corners share each impact; all give e² of their energy back.
    assert run.changes[0].work == pytest.approx(-G * 0.45 * (1.0 - 0.16), rel=1e-4)


def test_a_block_slides_to_a_stop() -> None:
    mu, v = 0.3, 1.5
    run = jd.simulate(block(mu, 0.0), [0, 0, 0.05, 0, 0, 0, 1], [0, 0, 0, v, 0, 0], 1.0)
    assert run.status is jd.Status.DONE
    assert run.q[-1][0] == pytest.approx(v * v / (2.0 * mu * G), abs=1e-6)
    assert isinstance(run, jd.ModalRun)
    stopped = [x.t for x in run.changes if any("sticks" in name for name in x.imposed)]
    assert stopped == pytest.approx([v / (mu * G)], abs=1e-6)
    assert run.u[-1] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("rate", [10.0, 20.0])
def test_a_pushed_block_slips_where_its_friction_is_exhausted(rate: float) -> None:
    """Its corners share the load, which motion does not tell; one alone would reach its cone earlier."""
    m = jd.Model("pushed block", gravity=(0, -G, 0))
    push = m.input("F")
    body = m.body("block", mass=1.0, inertia=jd.about_z(0.01))
    m.planar("plane", m.ground, body)
    m.contact("floor", (body, jd.shapes.Box((0.1, 0.05, 0.1))), jd.shapes.Plane(normal="y"), friction=0.5)
    m.force(push * m.ground.x, at=body.origin)
    run = jd.simulate(m.system(), [0, 0.025, 0], [0, 0, 0], 1.0, {"F": f"{rate}*t"})
    assert run.status is jd.Status.DONE
    assert isinstance(run, jd.ModalRun)
    slipped = [x.t for x in run.changes if x.deleted]
    assert slipped == pytest.approx([0.5 * G / rate], abs=1e-7)
    after = 1.0 - slipped[0]
    assert run.u[-1] @ [1, 1, 1] == pytest.approx(rate * after * after / 2.0, abs=1e-5)
