"""Whatever is dropped comes to rest or goes on as it may: nothing hangs, gains energy, or goes through the floor."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.bench.random_scenes import scene

METHOD = jd.DormandPrince54(rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("seed", range(24))
def test_a_random_scene_runs_to_its_end(seed: int) -> None:
    system, q, u = scene(seed)
    run = jd.simulate(system, q, u, 3.0, method=METHOD)
    assert run.status is jd.Status.DONE
    assert np.isfinite(run.q).all() and np.isfinite(run.u).all()
    checks = run.checks
    assert checks.energy is not None and checks.energy < 1e-5 * max(1.0, checks.energy_size)
    assert max(checks.drift.values()) < 1e-9
    assert checks.returned is not None and checks.returned < 1e-9
    assert isinstance(run, jd.ModalRun)
    assert all(x.work <= 1e-12 * max(1.0, checks.energy_size) for x in run.changes)


def test_a_run_is_the_same_to_the_bit() -> None:
    system, q, u = scene(3)
    one, other = (jd.simulate(system, q, u, 2.0, method=METHOD) for _ in range(2))
    assert np.array_equal(one.t, other.t) and np.array_equal(one.q, other.q) and np.array_equal(one.u, other.u)
