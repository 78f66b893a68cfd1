"""Gillespie's disk on a ramp (2003), example 1, with Coulomb friction: it slips until it rolls, or for ever."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.modes.modal_run import ModalRun

M, J, R, PHI, G = 1.3, 0.05, 0.25, 0.4, 9.7
DATA = {"m": M, "J": J, "r": R, "phi": PHI, "g": G}
FINAL = 3.0


@dataclass(frozen=True)
class Sliding:
    """The slip s = u1 + u2 falls at a steady rate: friction pushes the one back and turns the other."""

    mu: float
    start: tuple[float, float]

    @property
    def sense(self) -> float:
        return float(np.sign(sum(self.start)))

    @property
    def rates(self) -> tuple[float, float]:
        """u̇1, u̇2 by (40), with the friction μ m g cos φ."""
        friction = self.sense * self.mu * G * np.cos(PHI)
        return -G * np.sin(PHI) - friction, -friction * M * R * R / J

    @property
    def end(self) -> float:
        """When the slip is zero, if ever."""
        return -sum(self.start) / sum(self.rates)


def simulated(sliding: Sliding) -> ModalRun:
    d = jd.compile(jd.gallery.rolling_disk_on_ramp(rubbing=True)).with_parameters({**DATA, "mu": sliding.mu})
    run = jd.simulate(d, [0.0, 0.0, 0.0], [*sliding.start, 0.0], FINAL)
    assert isinstance(run, ModalRun) and run.is_complete
    return run


@pytest.mark.parametrize("start", [(0.0, -6.0), (0.0, 6.0), (2.0, 3.0), (-4.0, 0.5)])
def test_it_slips_and_then_rolls(start: tuple[float, float]) -> None:
    """When slip ends, how fast it is then, and how it rolls on (42)."""
    sliding = Sliding(0.4, start)
    run = simulated(sliding)
    assert [x.mode for x in run.modes] == [("ramp",), ("ramp", "ramp sticks")]
    (change,) = (x for x in run.changes if x.imposed == ("ramp sticks",))
    assert change.t == pytest.approx(sliding.end, abs=1e-12)
    speeds = [u + rate * sliding.end for u, rate in zip(start, sliding.rates)]
    assert change.u[:2] == pytest.approx(speeds, abs=1e-11)
    rolling = -M * G * np.sin(PHI) / (M + J / R**2)
    left = FINAL - sliding.end
    assert run.u[-1, 0] == pytest.approx(speeds[0] + rolling * left, abs=1e-10)
    slid = start[0] * sliding.end + sliding.rates[0] * sliding.end**2 / 2
    assert run.q[-1, 0] == pytest.approx(slid + speeds[0] * left + rolling * left**2 / 2, abs=1e-10)
    needed = M * G * np.sin(PHI) + M * rolling  # what holds it while it rolls
    assert -run.forces["ramp sticks"][-1, 0] == pytest.approx(needed, rel=1e-11)  # its row is the slip along −x
    assert run.forces["ramp"][-1, 0] == pytest.approx(M * G * np.cos(PHI), rel=1e-12)
    assert run.work is not None and run.checks.energy is not None and run.checks.energy < 1e-11


@pytest.mark.parametrize("start", [(0.0, -6.0), (0.0, 2.0), (0.0, 0.0)])
def test_on_a_ramp_too_steep_it_never_sticks(start: tuple[float, float]) -> None:
    """tan φ > μ (1 + m r²/J): rolling would need more friction than there is, even where the slip passes zero."""
    sliding = Sliding(0.1, start)
    assert np.tan(PHI) > sliding.mu * (1.0 + M * R * R / J)
    run = simulated(sliding)
    assert [x.mode for x in run.modes] == [("ramp",)]
    t, slip = run.t, run.u[:, 0] + run.u[:, 1]
    if sliding.sense > 0.0:
        assert 0.0 < sliding.end < FINAL
        later = Sliding(0.1, (-1.0, 0.0)).rates
        expected = np.where(t < sliding.end, sum(start) + sum(sliding.rates) * t, sum(later) * (t - sliding.end))
    else:
        expected = sum(start) + sum(Sliding(0.1, (-1.0, 0.0)).rates) * t
    assert np.abs(slip - expected).max() < 1e-10


def test_dropped_on_the_ramp() -> None:
    """It bounces by Stronge's law, slips while it does, and rolls in the end."""
    d = jd.compile(jd.gallery.rolling_disk_on_ramp(rubbing=True)).with_parameters({**DATA, "mu": 0.4, "e": 0.5})
    height = 0.3
    run = jd.simulate(d, [0.0, height, 0.0], [0.0, -8.0, 0.0], 4.0)
    assert isinstance(run, ModalRun)
    impacts = [x for x in run.changes if x.impulses]
    fall = np.sqrt(2 * height / (G * np.cos(PHI)))
    assert impacts[0].t == pytest.approx(fall, abs=1e-12)
    assert impacts[0].u[2] == pytest.approx(-0.5 * impacts[0].u_before[2], rel=1e-12)
    rub = 0.4 * M * (impacts[0].u[2] - impacts[0].u_before[2])  # it slips through the whole impact
    assert M * (impacts[0].u[0] - impacts[0].u_before[0]) == pytest.approx(rub, rel=1e-12)
    assert len(impacts) > 10
    assert run.modes[-1].mode == ("ramp", "ramp sticks")
    assert run.checks.energy is not None and run.checks.energy < 1e-9
