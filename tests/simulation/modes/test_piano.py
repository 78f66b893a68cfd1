"""A key of a piano is pressed: the hammer is thrown and let off, strikes, is checked, and everything comes back."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.change import Change
from jourdain.simulation.modes.modal_run import ModalRun

PIANO = jd.gallery.piano_key()
P = PIANO.parameters
PRESSED, RELEASED, FINAL = 0.02, 0.4, 0.8
HEAD = P["l_h"]


def played(force: float) -> ModalRun:
    """From rest; a finger presses with a force [N] until it is lifted."""
    table = ([0.0, PRESSED, PRESSED + 1e-3, RELEASED, RELEASED + 1e-3, 1.0], [0.0, 0.0, force, force, 0.0, 0.0])
    law = jd.DormandPrince853(rtol=1e-9, atol=1e-11, longest_step=2e-3)
    run = jd.simulate(PIANO, np.zeros(4), np.zeros(4), FINAL, {"F": table}, law)
    assert isinstance(run, ModalRun) and run.is_complete
    return run


def strikes(run: ModalRun) -> list[Change]:
    return [x for x in run.changes if "string" in x.impulses]


@pytest.mark.parametrize("force", [1.0, 2.0, 5.0, 15.0])
def test_a_stroke(force: float) -> None:
    """Pressed, let off near the string, one strike, checked while the key is held, at rest after it is released."""
    run = played(force)
    (strike,) = strikes(run)
    let_off = next(x for x in run.changes if "knuckle" in x.deleted)
    assert PRESSED < let_off.t < strike.t < 0.2
    assert 0.0 < HEAD * (P["blow"] - let_off.q[3]) < 0.007  # [m] from the string the hammer flies freely
    assert strike.q[3] == pytest.approx(P["blow"], abs=1e-12)
    assert strike.u[3] == pytest.approx(-P["e_string"] * strike.u_before[3], rel=1e-12)
    flight = [x.mode for x in run.modes if x.start < strike.t <= x.end][-1]
    assert not {"knuckle", "hammer lower"} & set(flight)
    key, _, jack, hammer = run.q[int(np.searchsorted(run.t, RELEASED - 0.01))]
    assert key == pytest.approx(P["dip"], abs=1e-9)
    assert jack > 0.1 and 0.1 < hammer < 0.22  # turned out, and held by the check
    assert np.abs(run.q[-1]).max() < 1e-9 and np.abs(run.u[-1]).max() < 1e-9
    assert {"key lower", "jack lower", "hammer lower", "capstan"} <= set(run.modes[-1].mode)
    assert run.checks.energy is not None and run.checks.energy < 1e-8
    assert run.checks.returned is not None and run.checks.returned < 1e-11
    assert max(run.checks.drift.values()) < 1e-9


def test_a_harder_stroke_throws_the_hammer_faster() -> None:
    """And too soft a one does not throw it at all: the key's weight and the hammer's are in the way."""
    speeds = [HEAD * strikes(played(force))[0].u_before[3] for force in (1.0, 2.0, 5.0, 15.0)]
    assert speeds == sorted(speeds)
    assert speeds[0] > 0.3 and speeds[-1] < 6.0  # [m/s], soft and loud
    assert not strikes(played(0.5))


def test_what_the_finger_feels_at_rest() -> None:
    """The force at which the key begins to move: weights through the levers."""
    g = P["g"]
    wippen = P["m_W"] * g * -P["c_W"] + P["m_J"] * g * P["l_j"]
    expected = (wippen / (P["x_w"] - P["l_c"]) * P["l_c"] + P["m_K"] * g * P["c_K"]) / P["l_f"]
    d = jd.compile(PIANO)
    just, more = 0.99 * expected, 1.01 * expected
    still, moved = (jd.simulate(d, np.zeros(4), np.zeros(4), 0.2, {"F": x}) for x in (just, more))
    assert isinstance(still, ModalRun) and "key lower" in still.modes[-1].mode
    assert np.abs(still.q).max() < 1e-12
    assert moved.q[-1, 0] > 1e-4
