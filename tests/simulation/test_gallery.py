"""Every mechanism of the gallery, thrown from a general state: what must stay stays, what must come back comes back."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.cli.names import gallery_entries

NUMBERED = {"chain": 4}
# Thrown at random the bicycle lies on the ground at once; of arms with six turning joints two are enough. Mechanisms
# that touch start where nothing overlaps, in tests of their own in the folder `modes`.
LEFT_OUT = ("whipple-bicycle", "puma560", "rx90", "bouncing-block", "latch", "woodpecker", "piano-key")


def entries() -> list[str]:
    return [name for name in gallery_entries() if name not in LEFT_OUT]


@pytest.mark.parametrize("name", entries())
def test_a_second_of_every_mechanism(name: str) -> None:
    make = gallery_entries()[name]
    system = make(NUMBERED[name]) if name in NUMBERED else make()
    d = jd.compile(system)
    rng = np.random.default_rng(1)
    q = d.assemble(system.neutral + 0.2 * rng.normal(size=len(system.coordinates)))
    u = 0.3 * rng.normal(size=len(system.speeds))
    if d.imposed:
        free = d.independent(q)
        u = d.complete(q, [u[system.speeds.index(x)] for x in free], free)
    run = jd.simulate(d, q, u, 1.0)
    checks = run.checks
    assert run.is_complete
    assert checks.energy is not None and checks.energy < 1e-8 * max(1.0, checks.energy_size)
    assert max(checks.drift.values(), default=0.0) < 1e-12
    assert max(checks.momenta.values(), default=0.0) < 1e-8
    assert checks.quaternions < 1e-15
    assert checks.returned is not None and checks.returned < 1e-11


def test_the_stanford_arm_keeps_its_momentum_for_ten_seconds() -> None:
    """Kane and Levinson's (138) without a torque about the vertical: W₃₁ stays zero."""
    d = jd.compile(jd.gallery.stanford_arm())
    law = {"rtol": 1e-12, "atol": 1e-13}
    run = jd.simulate(d, [0, np.pi / 2, 0, 0, 0, 0], np.zeros(6), 10.0, method=jd.DormandPrince853(**law))
    momentum = np.einsum("ni,ni->n", d.mass_matrix(run.q)[:, 0, :], run.u)
    assert np.abs(momentum).max() < 1e-11
    assert "momentum of q1" in run.checks.momenta
