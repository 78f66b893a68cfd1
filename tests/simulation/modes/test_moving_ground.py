"""Contacts on ground that moves as it is told: a shaking table, a belt that goes to and fro."""

from typing import Any

import numpy as np
from scipy.optimize import brentq

import jourdain as jd

G, A, W, R, E = 9.81, 0.02, 40.0, 0.05, 0.6


def ball_on_a_shaking_table() -> Any:
    m = jd.Model("shaken", gravity=(0, 0, -G))
    table, ball = m.particle("table", 5.0), m.particle("ball", 0.3)
    m.prismatic("drive", m.ground, table, axis="z")
    m.prescribe("drive", A * jd.sin(W * m.time))
    m.prismatic("z", m.ground, ball, axis="z")
    m.contact("hits", (ball, jd.shapes.Sphere(R)), (table, jd.shapes.Plane()), restitution=E)
    return m.system()


def impacts(z: float, v: float, count: int) -> list[float]:
    """Their times: parabolas between them, roots of the gap found on a fine grid."""
    t, found = 0.0, list[float]()
    while len(found) < count:

        def gap(s: Any, t: float = t, z: float = z, v: float = v) -> Any:
            return z + v * (s - t) - 0.5 * G * (s - t) ** 2 - R - A * np.sin(W * s)

        grid = t + np.arange(1e-5, 1.5, 1e-5)
        k = int(np.argmax(gap(grid) < 0.0))
        hit = brentq(gap, grid[k - 1], grid[k], xtol=1e-15)
        table = A * W * np.cos(W * hit)
        z, v, t = R + A * np.sin(W * hit), table - E * (v - G * (hit - t) - table), hit
        found.append(hit)
    return found


def test_no_impact_on_a_shaking_table_is_missed_though_the_ball_flies_along_parabolas() -> None:
    run = jd.simulate(ball_on_a_shaking_table(), [0.07], [0.8], 1.6)
    expected = impacts(0.07, 0.8, len(run.changes))
    assert len(expected) > 6
    assert np.abs(np.array([x.t for x in run.changes]) - expected).max() < 1e-11


def test_work_of_what_shakes_the_table_is_balanced() -> None:
    checks = jd.simulate(ball_on_a_shaking_table(), [0.07], [0.8], 1.6).checks
    assert checks.energy is not None and checks.energy < 1e-9


def test_work_of_a_heavy_body_that_is_driven_beside_one_that_falls_is_balanced() -> None:
    """Nothing but the power tells how quickly the driven one moves."""
    m = jd.Model("beside", gravity=(0, 0, -G))
    driven, falls = m.particle("driven", 5.0), m.particle("falls", 1.0)
    m.prismatic("drive", m.ground, driven, axis="x")
    m.prescribe("drive", A * jd.sin(W * m.time))
    m.prismatic("z", m.ground, falls, axis="z")
    run = jd.simulate(m.system(), [0.0], [0.0], 3.0)
    assert run.checks.energy is not None and run.checks.energy < 1e-9
    assert abs(run.q[-1, 0] + 0.5 * G * 9.0) < 1e-12 * 45.0
