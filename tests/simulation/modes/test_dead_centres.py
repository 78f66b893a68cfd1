"""Linkages through the places where their loops are nearly singular, rows put in by numbers in every step."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.system import System
from jourdain.simulation.method import Stepped
from jourdain.simulation.modes.modal_run import ModalRun


def through_modes(system: System) -> System:
    """The same, with a switch that is never thrown: it is what makes a run go through the general way."""
    m = jd.Model.of(system)
    m.switch("brake", m["q1"].speed, on=m.time - 1e6)
    return m.system()


PRECISE = jd.DormandPrince853(rtol=1e-12, atol=1e-13)


def both(
    system: System, q: list[float], speed: float, final: float, data: Mapping[str, float] | None = None,
    law: Stepped = PRECISE,
) -> tuple[ModalRun, jd.Run]:  # fmt: skip
    """A run through modes, and one of a single mode."""
    times = np.linspace(0.0, final, 101)
    found = []
    for each in (through_modes(system), system):
        d = jd.compile(each).with_parameters(data or {})
        start = d.assemble(q, hold=["q1"])
        found.append(jd.simulate(d, start, d.complete(start, [speed], ["q1"]), times, method=law))
    first, second = found
    assert isinstance(first, ModalRun) and not isinstance(second, ModalRun)
    assert first.is_complete and second.is_complete
    return first, second


def test_a_slider_crank_turns_through_its_dead_centres() -> None:
    """Driven by its own momentum: the piston stands still where crank and rod are in line, and comes back."""
    run, other = both(jd.gallery.slider_crank(), [1.0, -1.2, 0.17], 20.0, 3.0)
    p = run.parameters
    turned = run.q[-1, 0] - run.q[0, 0]
    assert turned > 8 * 2 * np.pi
    place = p["l1"] * np.cos(run.q[:, 0]) + np.sqrt(p["l2"] ** 2 - (p["l1"] * np.sin(run.q[:, 0])) ** 2)
    assert np.abs(run.q[:, 2] - place).max() < 1e-11  # the branch that it began on
    assert np.abs(run.q - other.q).max() < 1e-7
    assert run.checks.energy is not None and run.checks.energy < 1e-8
    assert max(run.checks.drift.values()) < 1e-12


def test_the_piston_drives_the_crank_over_its_dead_centre() -> None:
    """With the piston's own place as the coordinate that moves it over, nothing is special there."""
    d = jd.compile(through_modes(jd.gallery.slider_crank()))
    start = d.assemble([0.4, -0.5, 0.19], hold=["q1"])
    run = jd.simulate(d, start, d.complete(start, [12.0], ["q1"]), 2.0, {"F": "-200*sin(q1)"})
    assert isinstance(run, ModalRun) and run.is_complete
    assert run.checks.energy is not None and run.checks.energy < 1e-9 * run.checks.energy_size
    assert max(run.checks.drift.values()) < 1e-12
    assert np.ptp(run.q[:, 0]) > 2 * np.pi or (run.u[:, 0].min() < 0.0 < run.u[:, 0].max())


@pytest.mark.parametrize("excess", [1e-2, 1e-4])
def test_a_drag_link_passes_near_its_change_points(excess: float) -> None:
    """A parallelogram but for a little: bars nearly in line twice a turn, where the coupler swings quickly through and
    other speeds are chosen; the branch that it began on stays."""
    data = {"l1": 0.45, "l2": 0.2 + excess, "l3": 0.45, "l4": 0.2, "g": 0.0}
    run, other = both(jd.gallery.four_bar(), [1.0, -1.0, 1.0], 6.0, 6.0, data)
    assert np.ptp(run.q[:, 0]) > 4 * np.pi
    across = np.sin(run.q[:, 1] + run.q[:, 0] - run.q[:, 2])  # of the angle between coupler and rocker
    assert np.all(across * across[0] > 0.0)
    assert np.abs(run.q - other.q).max() < 1e-6
    assert run.checks.energy is not None and run.checks.energy < 1e-8
    assert max(run.checks.drift.values()) < 1e-10


def test_a_parallelogram_turns_through_its_change_points() -> None:
    """All bars in line twice a turn: there the loop loses a row and could go on as another mechanism. It stays one of
    equal cranks, which turn evenly. In steps of one length, none of which looks at the place itself."""
    data = {"l1": 0.45, "l2": 0.2, "l3": 0.45, "l4": 0.2, "g": 0.0}
    run, _ = both(jd.gallery.four_bar(), [1.0, -1.0, 1.0], 6.0, 6.0, data, jd.RK4(step=1e-3))
    angle = 1.0 + 6.0 * run.t
    assert angle[-1] > 5 * 2 * np.pi
    assert np.abs(run.q[:, 0] - angle).max() < 1e-8
    assert np.abs(run.q[:, 1] + angle).max() < 1e-8
    assert np.abs(run.q[:, 2] - angle).max() < 1e-8
