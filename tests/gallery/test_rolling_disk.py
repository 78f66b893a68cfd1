"""The rolling disk: its textbook equations, its steady motions, its energy, and what it costs."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import jourdain as jd
from jourdain.driver import Compiled
from jourdain.native import Cache

Array = NDArray[np.float64]


@lru_cache(maxsize=1)
def disk() -> Compiled:
    return jd.compile(jd.gallery.rolling_disk(), cache=Cache(None))


def by_hand(q: Array, u: Array) -> Array:
    """Euler's equations about the centre, the contact force put in from Newton's."""
    m, r, i, j, g = (disk().parameters[x] for x in ("m", "r", "I", "J", "g"))
    lean = q[..., 3]
    u1, u2, u3 = np.moveaxis(u, -1, 0)
    return np.stack([
        ((j + m * r * r) * u2 * u3 - i * u3 * u3 * np.tan(lean) + m * g * r * np.sin(lean)) / (i + m * r * r),
        -m * r * r * u1 * u3 / (j + m * r * r),
        u1 * u3 * np.tan(lean) - j / i * u1 * u2,
    ], axis=-1)  # fmt: skip


def test_the_textbook_equations() -> None:
    rng = np.random.default_rng(5)
    q, u = rng.uniform(-1.2, 1.2, (200, 5)), rng.uniform(-3.0, 3.0, (200, 3))
    wanted = by_hand(q, u)
    assert np.abs(disk().forward_dynamics(q, u) - wanted).max() < 1e-13 * np.abs(wanted).max()
    m, r, i, j = (disk().parameters[x] for x in ("m", "r", "I", "J"))
    moments = np.diag([i + m * r * r, j + m * r * r, i])
    assert np.abs(disk().mass_matrix(q) - moments).max() < 1e-13


@pytest.mark.parametrize("lean", [0.0, 0.2, -0.7, 1.2])
def test_steady_circles(lean: float) -> None:
    """For a lean and a rate of turning there is a rate of rolling at which the disk goes on in its circle."""
    m, r, i, j, g = (disk().parameters[x] for x in ("m", "r", "I", "J", "g"))
    u3 = 2.0
    u2 = (i * u3 * u3 * np.tan(lean) - m * g * r * np.sin(lean)) / ((j + m * r * r) * u3)
    q = np.array([0.0, 0.0, 0.4, lean, 0.0])
    assert np.abs(disk().forward_dynamics(q, [0.0, u2, u3])).max() < 1e-13
    model = jd.linearize(disk(), q, [0.0, u2, u3])
    assert np.abs(model.rate[[model.states.index(x) for x in ("lean", "u1", "u2", "u3")]]).max() < 1e-13


def test_upright_rolling_is_stable_when_fast() -> None:
    """A thin disk falls below a rate of g / (3 r), squared, and wobbles above it."""
    r, g = disk().parameters["r"], disk().parameters["g"]
    critical = np.sqrt(g / (3.0 * r))
    for factor in (0.0, 0.5, 0.9, 1.1, 2.0):
        model = jd.linearize(disk(), np.zeros(5), [0.0, factor * critical, 0.0])
        found = model.part("lean", "u1", "u2", "u3").eigenvalues
        square = 0.8 * g / r * (1.0 - factor * factor)
        wanted = np.sqrt(complex(square))
        for value in (wanted, -wanted):
            assert np.abs(found - value).min() < 1e-7  # two zeros stand beside them


def test_energy_is_kept() -> None:
    q, u = np.array([0.0, 0.0, 0.1, 0.4, 0.0]), np.array([0.1, 3.0, 1.5])

    def rate(_: float, x: Array) -> Array:
        return np.concatenate([disk().rates(x[:5], x[5:]), disk().forward_dynamics(x[:5], x[5:])])

    run = solve_ivp(rate, (0.0, 3.0), np.concatenate([q, u]), method="DOP853", rtol=1e-12, atol=1e-12)
    path = run.y.T
    energy = disk().energy(path[:, :5], path[:, 5:]).total
    assert np.ptp(path[:, 3]) > 0.1
    assert np.ptp(energy) < 1e-9 * float(energy[0])
    assert np.abs(disk().residual(path[:, :5], path[:, 5:])["rolls"]).max() < 1e-12


def test_counts() -> None:
    """Its frame does not turn with it: half of what it takes otherwise."""
    found = jd.count(jd.gallery.rolling_disk())["forward_dynamics"]
    assert (found["mul"], found["add"], found["div"], found["trig"]) == (26, 12, 2, 1)
