"""The same mechanism with other speeds: simple joints of three columns beside sequences of single turns."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain import gallery
from jourdain.model.system import System
from jourdain.native import Cache

PAIRS = {
    "thin_disk": (gallery.thin_disk(), gallery.thin_disk((1, 1, 1))),
    "kwatny_arm": (gallery.kwatny_arm((3,)), gallery.kwatny_arm()),
}


@pytest.mark.parametrize(("simple", "compound"), PAIRS.values(), ids=PAIRS)
def test_both_representations_move_alike(simple: System, compound: System) -> None:
    """With q̇ = V p: T and U are the same, M_p = Vᵀ M V, and forces that do the same work give q̈ = V ṗ + V̇ p."""
    assert simple.coordinates == compound.coordinates
    one, other = (jd.compile(system, cache=Cache(None)) for system in (simple, compound))
    rng = np.random.default_rng(2)
    n = len(simple.speeds)
    for q, p, f in rng.uniform(-1.0, 1.0, (5, 3, n)):
        v = np.stack([one.rates(q, unit) for unit in np.eye(n)], axis=-1)
        rates = v @ p
        energies = one.energy(q, p), other.energy(q, rates)
        assert np.allclose(energies[0], energies[1], rtol=1e-13, atol=1e-13)
        assert np.allclose(one.mass_matrix(q), v.T @ other.mass_matrix(q) @ v, rtol=1e-12, atol=1e-12)
        # q̈ by a fourth-order difference along the motion, V̇ p being what a step in q does to V p
        pdot = one.forward_dynamics(q, p, v.T @ f)
        h = 1e-3
        turned = sum(c * one.rates(q + k * h * rates, p) for k, c in ((2, -1), (1, 8), (-1, -8), (-2, 1))) / (12 * h)
        assert np.abs(other.forward_dynamics(q, rates, f) - (v @ pdot + turned)).max() < 1e-8
