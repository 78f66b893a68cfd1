"""Between rows a motion is where the integrator would have put it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.simulation.between import between

from ..simulation.mechanisms import belt, crane, four_bar, oscillator, stone


def closed(system: Any, **speeds: float) -> tuple[Any, Any, Any]:
    d = jd.compile(system)
    q = d.assemble([1.0, -0.6, 1.7])
    return d, q, d.complete(q, list(speeds.values()), list(speeds))


STARTS: dict[str, tuple[Any, Any, Any]] = {
    "oscillator": (oscillator(), [1.0], [0.3]),
    "stone": (stone(), [0, 0, 0, 0, 0, 0, 1.0], [0.1, 2.0, 0.2, 0.3, 0, 0]),
    "crane": (crane(), [0, 0, 0, 0, 0, 0, 1.0, 0.1, 0.2], np.zeros(8)),
    "four-bar": closed(four_bar(), a=3.0),
    "belt": (belt(), [1.0, 0.0], [0.5, 0.3]),
}


@pytest.mark.parametrize("name", STARTS)
def test_it_is_where_the_integrator_puts_it_to_the_fourth_order(name: str) -> None:
    """Half the distance between rows, a sixteenth of the error."""
    fine = np.linspace(0.0, 1.0, 1281)
    exact = jd.simulate(*STARTS[name], fine)
    errors = []
    for rows in (41, 81, 161):
        run = jd.simulate(*STARTS[name], np.linspace(0.0, 1.0, rows))
        q, _ = between(run, fine)
        errors.append(float(np.abs(q - exact.q).max()))
    assert errors[1] < 3e-6
    assert 12.0 < errors[1] / errors[2] < 17.0


def test_constraints_hold_between_rows() -> None:
    run = jd.simulate(*STARTS["four-bar"], np.linspace(0.0, 1.0, 11))
    q, _ = between(run, np.linspace(0.0, 1.0, 400))
    residual = run.compiled.residual(q, np.zeros((400, 3)))["pin"]
    assert np.abs(residual[:, : residual.shape[1] // 2]).max() < 1e-12


def test_quaternions_are_of_length_one() -> None:
    run = jd.simulate(*STARTS["stone"], np.linspace(0.0, 1.0, 11))
    q, _ = between(run, np.linspace(0.0, 1.0, 400))
    assert np.abs(np.linalg.norm(q[:, 3:], axis=1) - 1.0).max() < 1e-14


def test_rows_are_met_and_ends_stay() -> None:
    run = jd.simulate(*STARTS["crane"], np.linspace(0.0, 1.0, 11), {"push": "t"})
    q, inputs = between(run, run.t)
    assert np.abs(q - run.q).max() < 1e-14
    assert inputs["push"] == pytest.approx(run.t, abs=1e-15)
    outside, _ = between(run, np.array([-1.0, 2.0]))
    assert np.abs(outside - run.q[[0, -1]]).max() < 1e-14
