"""A block on a floor: rocking as Housner (1963) has it, and falls that end at rest."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import jourdain as jd
from jourdain.simulation.modes.modal_run import ModalRun

Array = NDArray[np.float64]
BLOCK = jd.gallery.bouncing_block()
P = BLOCK.parameters
REACH = float(np.hypot(P["width"], P["height"])) / 2  # from a corner to the middle
SLENDER = float(np.arctan2(P["width"], P["height"]))
ABOUT_CORNER = P["I"] + P["m"] * REACH**2


def on_its_left_corner(angle: float) -> list[float]:
    """The corner that is the lower left one is on the floor, and stays there."""
    return [REACH * np.sin(SLENDER - angle), REACH * np.cos(SLENDER - angle) - P["height"] / 2, angle]


def quarter(angle: float) -> float:
    """How long the block takes from rest at an angle until it stands."""

    def rates(t: float, y: Array) -> list[float]:
        return [y[1], -P["m"] * P["g"] * REACH / ABOUT_CORNER * np.sin(SLENDER - y[0])]

    def upright(t: float, y: Array) -> float:
        return float(y[0])

    upright.terminal = True  # type: ignore[attr-defined]
    found = solve_ivp(rates, (0.0, 10.0), [angle, 0.0], method="DOP853", rtol=1e-12, atol=1e-14, events=upright)
    return float(found.t[-1])


def test_it_rocks_as_housner_has_it() -> None:
    """From corner to corner without bounce or slip: times between impacts, and what each leaves of the energy."""
    d = jd.compile(BLOCK).with_parameters({"e": 0.0, "mu": 1.0})
    start = 0.25
    run = jd.simulate(d, on_its_left_corner(start), np.zeros(3), 0.9, method=jd.DormandPrince853(rtol=1e-12))
    assert isinstance(run, ModalRun)
    assert run.modes[0].mode == ("floor 1", "floor 1 sticks")
    assert run.modes[1].mode == ("floor 3", "floor 3 sticks")
    impacts = [x for x in run.changes if x.impulses]
    keeps = (P["I"] + P["m"] * REACH**2 * np.cos(2 * SLENDER)) / ABOUT_CORNER
    lifted = REACH * P["m"] * P["g"]
    time, energy = quarter(start), lifted * (np.cos(SLENDER - start) - np.cos(SLENDER))
    for impact in impacts[:4]:
        assert impact.t == pytest.approx(time, abs=1e-9)
        assert impact.u[2] == pytest.approx(keeps * impact.u_before[2], rel=1e-9)
        assert impact.work == pytest.approx(-energy * (1.0 - keeps**2), rel=1e-8)
        energy *= keeps**2
        time += 2 * quarter(SLENDER - np.arccos(np.cos(SLENDER) + energy / lifted))


@pytest.mark.parametrize("seed", range(8))
def test_thrown_it_comes_to_rest(seed: int) -> None:
    """On one of its faces, on two corners that carry its weight; all that it had is lost, and accounted for."""
    rng = np.random.default_rng(seed)
    q0 = [0.0, 0.5, float(rng.uniform(-3.0, 3.0))]
    run = jd.simulate(BLOCK, q0, rng.normal(size=3) * [0.5, 0.5, 5.0], 6.0)
    assert isinstance(run, ModalRun) and run.is_complete
    assert np.abs(run.u[-1]).max() < 1e-12
    assert abs(np.sin(2 * run.q[-1, 2])) < 1e-8
    sunk = 0.0 if abs(np.cos(run.q[-1, 2])) > 0.5 else (P["height"] - P["width"]) / 2  # on its side it lies lower
    assert run.q[-1, 1] == pytest.approx(-sunk, abs=1e-9)
    corners = [name for name in run.modes[-1].mode if not name.endswith("sticks")]
    assert len(corners) == 2
    assert sum(run.forces[x][-1, 0] for x in corners) == pytest.approx(P["m"] * P["g"], rel=1e-12)
    assert all(x.work < 1e-12 for x in run.changes)
    assert run.checks.energy is not None and run.checks.energy < 1e-9 * run.checks.energy_size
    assert max(run.checks.drift.values()) < 1e-9


def test_many_modes_are_bars_in_the_plot() -> None:
    """A line for each corner and its sticking, as long as they held."""
    run = jd.simulate(BLOCK, [0.0, 0.4, 0.4], [0.5, 0.0, -2.0], 1.2)
    _, _, bars = run.plot().axes
    names = [x.get_text() for x in bars.get_yticklabels()]
    assert set(names) == {name for span in run.modes for name in span.mode} and len(names) >= 4
    for name, drawn in zip(names, bars.collections):
        spans = [(x.start, x.end) for x in run.modes if name in x.mode]
        found = [(path.vertices[:, 0].min(), path.vertices[:, 0].max()) for path in drawn.get_paths()]
        assert np.allclose(found, spans, rtol=0.0, atol=1e-12)
