"""Ten seconds to 1e-9: rigid bodies in closed form, by Jacobi's functions; a double pendulum in long double."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import ellipj, ellipk

import jourdain as jd
from jourdain.simulation.methods.dormand_prince853 import TABLEAU

from .mechanisms import stone

Floats = NDArray[np.float64]
TIMES = np.linspace(0.0, 10.0, 101)
EXACT = 1e-9
METHOD = jd.DormandPrince853(1e-13, 1e-13)


def test_a_body_that_no_torque_turns() -> None:
    """Euler's equations: ω = (α₁ cn, α₂ sn, α₃ dn) of λ t, for three different moments."""
    A, B, C = 0.5, 0.9, 1.2
    a1, a3 = 0.6, 1.1
    rate = np.sqrt((C - A) * (C - B) / (A * B)) * a3
    a2 = (C - A) * a3 * a1 / (B * rate)
    m = (B - A) * a1 * a2 / (C * a3 * rate)
    assert 0.0 < m < 1.0
    sn, cn, dn, _ = ellipj(rate * TIMES, m)
    run = jd.simulate(stone(), [0, 0, 0, 0, 0, 0, 1.0], [a1, 0.0, a3, 0.1, -0.2, 0.3], TIMES, method=METHOD)
    assert np.abs(run.u[:, :3] - np.stack([a1 * cn, a2 * sn, a3 * dn], axis=-1)).max() < EXACT


def test_a_heavy_top() -> None:
    """Lagrange's: cos θ = u₁ + (u₂ − u₁) sn², between the roots of u̇² = (1 − u²)(α − β u) − (b − a u)²."""
    mass, reach, A, C, g = 0.7, 0.3, 0.02, 0.011, 9.81
    m = jd.Model("top", gravity=(0, 0, -g))
    body = m.body("top", mass=mass, center=(0, 0, reach), inertia=jd.principal(A, A, C))
    m.spherical("tip", m.ground, body)
    tilt, spin, precession = 0.6, 60.0, 1.0
    q = [0.0, np.sin(tilt / 2), 0.0, np.cos(tilt / 2)]
    u = [-precession * np.sin(tilt), 0.0, spin]  # about the body's axes: ẑ is (−sin θ, 0, cos θ) there
    run = jd.simulate(m.system(), q, u, TIMES, method=METHOD)
    x, y, *_ = run.q.T
    found = 1.0 - 2.0 * (x * x + y * y)
    whole = A + mass * reach**2
    a, b = C * spin / whole, (whole * precession * np.sin(tilt) ** 2 + C * spin * np.cos(tilt)) / whole
    beta = 2.0 * mass * g * reach / whole
    alpha = precession**2 * np.sin(tilt) ** 2 + beta * np.cos(tilt)
    u1, u2, u3 = np.sort(np.roots([beta, -(alpha + a * a), 2 * a * b - beta, alpha - b * b]).real)
    modulus = (u2 - u1) / (u3 - u1)
    start = 0.0 if abs(u1 - np.cos(tilt)) < abs(u2 - np.cos(tilt)) else ellipk(modulus)
    sn, *_ = ellipj(np.sqrt(beta * (u3 - u1)) / 2.0 * TIMES + start, modulus)
    assert np.ptp(found) > 1e-3
    assert np.abs(found - (u1 + (u2 - u1) * sn**2)).max() < EXACT


def rates(y: Any) -> Any:
    """A double pendulum of point masses, by hand: relative angles, m = l = 1."""
    g = np.longdouble("9.81")
    a, b, da, db = y
    s, c = np.sin(b), np.cos(b)
    m11, m12, m22 = 3 + 2 * c, 1 + c, np.longdouble(1)
    f1 = s * db * (2 * da + db) - g * (2 * np.sin(a) + np.sin(a + b))
    f2 = -s * da * da - g * np.sin(a + b)
    det = m11 * m22 - m12 * m12
    return np.array([da, db, (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det])


def test_a_double_pendulum_that_swings_regularly() -> None:
    y = np.array([0.4, 0.2, 0.0, 0.0], dtype=np.longdouble)
    ones = dict.fromkeys(("m1", "m2", "l1", "l2"), 1.0)
    d = jd.compile(jd.gallery.double_pendulum()).with_parameters({**ones, "g": 9.81})
    start = np.array([0.4, 0.2, 0.7, -0.3])
    assert d.forward_dynamics(start[:2], start[2:]) == pytest.approx(rates(start)[2:].astype(float), rel=1e-14)
    h = np.longdouble(1) / 100
    for _ in range(1000):
        k = [rates(y)]
        for row in TABLEAU.a:
            k.append(rates(y + h * sum(np.longdouble(w) * x for w, x in zip(row, k) if w)))
        y = y + h * sum(np.longdouble(w) * x for w, x in zip(TABLEAU.b, k) if w)
    run = jd.simulate(d, [0.4, 0.2], [0.0, 0.0], [0.0, 10.0], method=METHOD)
    assert np.abs(np.concatenate([run.q[-1], run.u[-1]]) - y.astype(float)).max() < EXACT
