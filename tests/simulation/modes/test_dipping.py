"""Gaps that close and open again within one long step are found: nothing flies through anything."""

from typing import Any

import numpy as np
import pytest

import jourdain as jd

S = jd.shapes


def towards_a_peg(aside: float) -> Any:
    """A ball that nothing turns aside but a peg 50 m away."""
    m = jd.Model("peg", gravity=(0, 0, 0))
    ball, rail = m.particle("ball", 1.0), m.link("rail")
    m.prismatic("x", m.ground, rail, axis="x")
    m.prismatic("y", rail, ball, axis="y")
    m.contact("peg", (ball, S.Sphere(0.1)), S.Sphere(0.1, center=(50.0, aside, 0.0)), restitution=1.0)
    return m.system()


@pytest.mark.parametrize("method", [jd.DormandPrince853(), jd.DormandPrince54()], ids=lambda x: x.name)
@pytest.mark.parametrize("aside", [0.0, 0.05, 0.199])
def test_a_ball_does_not_fly_through_a_peg(method: Any, aside: float) -> None:
    run = jd.simulate(towards_a_peg(aside), [0.0, 0.0], [1.0, 0.0], 1000.0, method=method)
    assert [x.t for x in run.changes] == pytest.approx([50.0 - np.sqrt(0.04 - aside**2)], abs=1e-10)
    normal = np.array([-np.sqrt(0.04 - aside**2), -aside]) / 0.2
    assert run.u[-1] == pytest.approx(np.array([1.0, 0.0]) - 2.0 * normal[0] * normal, abs=1e-10)


def test_a_ball_that_passes_the_peg_is_let_pass() -> None:
    run = jd.simulate(towards_a_peg(0.201), [0.0, 0.0], [1.0, 0.0], 1000.0)
    assert not run.changes and run.q[-1] == pytest.approx([1000.0, 0.0])


def test_a_heavy_ball_stays_above_a_light_one() -> None:
    m = jd.Model("stack", gravity=(0, 0, -9.81))
    light, heavy = m.particle("light", 1.0), m.particle("heavy", 1e4)
    m.prismatic("a", m.ground, light, axis="z")
    m.prismatic("b", m.ground, heavy, axis="z")
    m.contact("floor", (light, S.Sphere(0.1)), S.Plane(), restitution=0.3)
    m.contact("between", (heavy, S.Sphere(0.1)), (light, S.Sphere(0.1)), restitution=0.3)
    run = jd.simulate(m.system(), [0.3, 0.8], [0.0, 0.0], 3.0)
    assert run.q[-1] == pytest.approx([0.1, 0.3], abs=1e-9)
    assert run.forces["floor"][-1, 0] == pytest.approx(1.0001e4 * 9.81)
