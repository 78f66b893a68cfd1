"""Checks find what is wrong: each, given a run that has been falsified, says so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.driver import Compiled
from jourdain.simulation.checks import checks

from .mechanisms import bob, four_bar, oscillator, stone


def four_bar_run() -> jd.Run:
    d = jd.compile(four_bar())
    q = d.assemble([1.0, -0.6, 1.7])
    return jd.simulate(d, q, d.complete(q, [3.0], ["a"]), np.linspace(0, 1, 21))


def test_a_lost_joule_is_missed() -> None:
    run = jd.simulate(oscillator(), [1.0], [0.0], np.linspace(0, 5, 51), {"push": "x*x"})
    assert run.work is not None
    assert run.checks.energy is not None and run.checks.energy < 1e-9
    other = replace(run, work=run.work * 1.001).checks.energy
    assert other is not None and other > 1e-4


def test_a_constraint_that_is_left_is_named() -> None:
    run = four_bar_run()
    assert run.checks.drift["pin"] < 1e-12
    assert replace(run, q=run.q + 1e-6).checks.drift["pin"] > 1e-7


def test_a_quaternion_that_has_grown_is_seen() -> None:
    run = jd.simulate(stone(), [0, 0, 0, 0, 0, 0, 1.0], [0.1, 2.0, 0.2, 0.3, 0, 0], 1.0)
    assert replace(run, q=run.q * 1.001).checks.quaternions == pytest.approx(1e-3, rel=1e-6)


def test_a_push_from_nowhere_changes_momentum() -> None:
    run = jd.simulate(stone(), [0, 0, 0, 0, 0, 0, 1.0], [0.1, 2.0, 0.2, 0.3, 0, 0], np.linspace(0, 1, 11))
    pushed = run.u.copy()
    pushed[5:, 3] += 1e-3
    assert max(run.checks.momenta.values()) < 1e-9 < 1e-4 < max(replace(run, u=pushed).checks.momenta.values())


@pytest.mark.parametrize("constrained", [True, False])
def test_wrong_accelerations_are_not_given_back(constrained: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    run = four_bar_run() if constrained else jd.simulate(jd.gallery.double_pendulum(), [1.0, 0.5], [0, 0], 1.0)
    right = Compiled.forward_dynamics

    def wrong(self: Compiled, *arguments: Any, **options: Any) -> Any:
        return right(self, *arguments, **options) * 1.001

    found = run.checks.returned
    monkeypatch.setattr(Compiled, "forward_dynamics", wrong)
    falsified = checks(run.ode, run.t, run.q, run.u, run.work, run.inputs).returned
    assert found is not None and found < 1e-13
    assert falsified is not None and falsified > 1e-5


def test_momenta_are_found_without_being_told() -> None:
    """Of a bob on a rod only that about the vertical axis, in a plane none; with weight, what falls keeps the rest."""
    assert jd.simulate(bob(), [1.3, 0.0], [0.0, 0.0], 0.1).checks.momenta.keys() == set()
    m = jd.Model("falling")
    m.free("f", m.ground, m.body("b", mass=1.0, inertia=jd.principal(0.1, 0.2, 0.25)))
    found = jd.simulate(m.system(), [0, 0, 0, 0, 0, 0, 1.0], [1, 2, 3, 0.1, 0.2, 0.3], 0.5).checks.momenta
    assert {name.split(" along ")[0] for name in found} == {"linear momentum", "angular momentum about the mass centre"}
    assert len(found) == 5 and "linear momentum along z" not in found
