"""Newton's law of impact creates energy where friction turns a blow: the run says so. Stronge's does not."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.change import EnergyWarning


def pendulum(law: jd.ImpactLaw) -> jd.System:
    """Two rods that hang on each other; the lower one's end strikes the floor (Kane and Levinson 1985)."""
    m = jd.Model("double pendulum over a floor", gravity=(0, -9.81, 0))
    last = m.ground
    for name in ("upper", "lower"):
        rod = m.body(name, mass=1.0, center=(0, -0.5, 0), inertia=jd.about_z(1.0 / 12.0))
        m.revolute(f"{name} hinge", last, rod, axis="z", at=(0, 0 if name == "upper" else -1.0, 0))
        last = rod
    height = -(np.cos(np.radians(20.0)) + np.cos(np.radians(30.0)))
    floor = jd.shapes.Plane("y", height)
    m.contact("tip", (last, jd.shapes.Point((0, -1.0, 0))), floor, friction=0.5, restitution=0.7, law=law)
    return m.system()


START = np.radians([20.0, 10.0]), np.array([-0.1, -0.2])  # the tip is on the floor, and goes down


def test_newtons_law_creates_energy_and_the_run_warns() -> None:
    with pytest.warns(EnergyWarning, match="impacts created .* at 0 s .*tip.*Newton's can; .*STRONGE"):
        run = jd.simulate(pendulum(jd.ImpactLaw.NEWTON), *START, 1e-3)
    assert isinstance(run, jd.ModalRun)
    assert run.changes[0].gain > 0.0
    assert "created by the law of impact" in str(run.changes[0])


def test_stronges_law_does_not() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = jd.simulate(pendulum(jd.ImpactLaw.STRONGE), *START, 1e-3)
    assert isinstance(run, jd.ModalRun)
    assert run.changes[0].gain < 0.0
    assert run.changes[0].gain == pytest.approx(run.changes[0].work, rel=1e-12)
