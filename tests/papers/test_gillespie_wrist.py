"""Gillespie 2003, example 2: the spherical wrist in both choices of speeds; (48) to (50) hold as printed."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import jourdain as jd
from jourdain import gallery
from jourdain.driver import Compiled
from jourdain.equations.gibbs_appell import GibbsAppell
from jourdain.equations.values import values
from jourdain.native import Cache

Array = NDArray[np.float64]
TIGHT = 1e-12
DATA = {"M": 2.1, "I1": 0.02, "I2": 0.035, "I3": 0.012, "L": 0.17, "g": 9.7}
INPUTS = ("T1", "T2", "T3", "F1", "F2", "F3")


@pytest.fixture(scope="module")
def carefully() -> Compiled:
    """u = ω·c."""
    return jd.compile(gallery.spherical_wrist(), cache=Cache(None)).with_parameters(DATA)


@pytest.fixture(scope="module")
def customarily() -> Compiled:
    """u = q̇ (48)."""
    return jd.compile(gallery.spherical_wrist(rates=True), cache=Cache(None)).with_parameters(DATA)


def states() -> list[tuple[Array, Array, dict[str, float]]]:
    """q, u, inputs; q2 where its sine is not small."""
    found = []
    for k in range(5):
        q, u = np.random.default_rng([2003, k]).uniform(-1.5, 1.5, (2, 3))
        q[1] = 0.4 + abs(q[1])
        inputs = dict(zip(INPUTS, np.random.default_rng([49, k]).uniform(-1.0, 1.0, 6).tolist()))
        found.append((q, u, inputs))
    return found


every = pytest.mark.parametrize(("q", "u", "inputs"), states())


def kinematical_50(q: Array, u: Array) -> Array:
    _, s2, s3 = np.sin(q)
    _, c2, c3 = np.cos(q)
    first = (s3 * u[1] - c3 * u[0]) / s2
    return np.array([first, s3 * u[0] + c3 * u[1], u[2] - c2 * first])


def dynamical_49(q: Array, u: Array, inputs: dict[str, float]) -> Array:
    s1, _, s3 = np.sin(q)
    c1, c2, c3 = np.cos(q)
    m, i1, i2, i3, length, g = DATA.values()
    t1, t2, t3, f1, f2, _ = inputs.values()
    own = m * length**2
    return np.array(
        [
            (t1 - length * (f2 + g * m * (s1 * c3 + s3 * c1 * c2)) - (i3 - i2 - own) * u[1] * u[2]) / (i1 + own),
            (t2 + length * (f1 + g * m * (s1 * s3 - c1 * c2 * c3)) + (i3 - i1 - own) * u[0] * u[2]) / (i2 + own),
            (t3 + (i1 - i2) * u[0] * u[1]) / i3,
        ]
    )


def near(found: Array, expected: Array) -> bool:
    return bool(np.abs(found - expected).max() < TIGHT * max(1.0, float(np.abs(expected).max())))


@every
def test_rates_48(customarily: Compiled, q: Array, u: Array, inputs: dict[str, float]) -> None:
    assert np.array_equal(customarily.rates(q, u, inputs=inputs), u)


@every
def test_rates_50(carefully: Compiled, q: Array, u: Array, inputs: dict[str, float]) -> None:
    assert near(carefully.rates(q, u, inputs=inputs), kinematical_50(q, u))


@every
def test_accelerations_49(carefully: Compiled, q: Array, u: Array, inputs: dict[str, float]) -> None:
    assert near(carefully.forward_dynamics(q, u, inputs=inputs), dynamical_49(q, u, inputs))


@every
def test_the_equations_not_shown(
    carefully: Compiled, customarily: Compiled, q: Array, u: Array, inputs: dict[str, float]
) -> None:
    """In u = q̇ the same motion: u̇ of (49) is what (50)'s inverse, differentiated along q̈, gives."""
    rates = kinematical_50(q, u)
    second = customarily.forward_dynamics(q, rates, inputs=inputs)
    step = 1e-40
    moved = _omega(q + 1j * step * rates, rates + 1j * step * second)
    assert near(moved.real, u)
    assert near(moved.imag / step, dynamical_49(q, u, inputs))


def _omega(q: NDArray[np.complex128], rates: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """ω·c of the angles' rates: q̇1 n3 + q̇2 a2 + q̇3 b3."""
    s2, c2, s3, c3 = np.sin(q[1]), np.cos(q[1]), np.sin(q[2]), np.cos(q[2])
    turn = rates[0]
    return np.array([-s2 * c3 * turn + s3 * rates[1], s2 * s3 * turn + c3 * rates[1], c2 * turn + rates[2]])


def test_these_speeds_make_the_mass_matrix_diagonal(carefully: Compiled, customarily: Compiled) -> None:
    """Exactly, and the same wherever the hand points; that of (48) is neither."""
    m, i1, i2, i3, length, _ = DATA.values()
    q = np.array([state[0] for state in states()])
    found = carefully.mass_matrix(q)
    assert not found[:, ~np.eye(3, dtype=bool)].any()
    assert near(found[0], np.diag([i1 + m * length**2, i2 + m * length**2, i3]))
    assert np.array_equal(found, np.broadcast_to(found[0], found.shape))
    other = customarily.mass_matrix(q)
    assert np.abs(other[:, 0, 1:]).min(axis=1).max() > 1e-3
    assert np.ptp(other[:, 0, 0]) > 1e-3


def test_partial_velocities(carefully: Compiled) -> None:
    """ω_r = c_r, and v_1 = −L c2, v_2 = L c1, v_3 = 0 of the mass centre, along C's own axes."""
    found = carefully.jacobian("C", states()[0][0], at=[0.0, 0.0, DATA["L"]])
    expected = np.zeros((6, 3))
    expected[:3] = np.eye(3)
    expected[4, 0], expected[3, 1] = -DATA["L"], DATA["L"]
    assert near(found, expected)


@every
def test_gibbs_and_appell(q: Array, u: Array, inputs: dict[str, float]) -> None:
    """∂S/∂u̇ = Q gives Kane's equations (20)."""
    system = gallery.spherical_wrist(rates=True)
    udot = np.random.default_rng(6).uniform(-1.0, 1.0, 3)
    gibbs = GibbsAppell(system)
    found = values(gibbs.mechanics, gibbs.inverse_dynamics(), q, u, udot, inputs=inputs)
    d = jd.compile(system, cache=Cache(None))
    assert near(found, d.inverse_dynamics(q, u, udot, inputs=inputs))


def test_singular_where_the_axes_are_one_line(carefully: Compiled, customarily: Compiled) -> None:
    """At q2 = 0 the speeds ω·c do not tell the angles' rates; u = q̇ does, but no u̇ answers a torque across both."""
    q, u = np.array([0.3, 0.0, 0.5]), np.array([0.1, 0.2, 0.3])
    with np.errstate(all="ignore"):
        assert not np.isfinite(carefully.rates(q, u)).all()
    assert np.isfinite(carefully.forward_dynamics(q, u)).all()
    assert np.isfinite(customarily.rates(q, u)).all()
    assert abs(np.linalg.det(customarily.mass_matrix(q))) < 1e-15
