"""The pendulums beside the textbook's equations, at any mass, length and gravity."""

from __future__ import annotations

import numpy as np
import pytest
from numpy import cos, sin
from numpy.typing import NDArray

import jourdain as jd
from jourdain import gallery
from jourdain.native import Cache

Array = NDArray[np.float64]
N = 50
RNG = np.random.default_rng(1687)


def compiled(system: jd.System) -> tuple[dict[str, Array], jd.Compiled]:
    """Random positive parameters (N,), and the functions at them."""
    values = {name: RNG.uniform(0.3, 3.0, N) for name in system.parameters}
    return values, jd.compile(system, cache=Cache(None)).with_parameters(values)


def close(found: Array, expected: Array) -> None:
    assert np.abs(found - expected).max() <= 1e-13 * np.abs(expected).max()


def test_pendulum() -> None:
    """m l² θ̈ + m g l sin θ = τ."""
    p, d = compiled(gallery.pendulum())
    theta, rate, second = RNG.uniform(-3.0, 3.0, (3, N, 1))
    m, length, g = (p[name][:, None] for name in "mlg")
    torque = m * length**2 * second + m * g * length * sin(theta)
    close(d.inverse_dynamics(theta, rate, second), torque)
    close(d.forward_dynamics(theta, rate, torque), second)
    close(d.mass_matrix(theta)[..., 0], m * length**2)
    energy = d.energy(theta, rate)
    close(energy.kinetic, (m * length**2 * rate**2 / 2)[:, 0])
    close(energy.potential, (-m * g * length * cos(theta))[:, 0])


def test_double_pendulum() -> None:
    """Lagrange's equations in the angle a of the upper rod and the lower rod's angle b from it."""
    p, d = compiled(gallery.double_pendulum())
    (a, b), (va, vb), (aa, ab) = RNG.uniform(-3.0, 3.0, (3, 2, N))
    m1, m2, l1, l2, g = (p[name] for name in ("m1", "m2", "l1", "l2", "g"))
    across = m2 * l1 * l2 * cos(b)
    swing = m2 * l1 * l2 * sin(b)
    lower = m2 * l2**2
    upper = (m1 + m2) * l1**2 + lower + 2 * across
    hang = m2 * g * l2 * sin(a + b)
    first = upper * aa + (lower + across) * ab - swing * vb * (2 * va + vb) + (m1 + m2) * g * l1 * sin(a) + hang
    second = (lower + across) * aa + lower * ab + swing * va**2 + hang
    q, u, udot = (np.stack(x, axis=-1) for x in ((a, b), (va, vb), (aa, ab)))
    forces = np.stack([first, second], axis=-1)
    close(d.inverse_dynamics(q, u, udot), forces)
    mass = np.stack([upper, lower + across, lower + across, lower], axis=-1).reshape(N, 2, 2)
    close(d.mass_matrix(q), mass)
    found = d.forward_dynamics(q, u, forces)
    left = np.einsum("nij,nj->ni", mass, found - udot)
    assert np.abs(left).max() <= 1e-12 * np.abs(forces).max()


@pytest.mark.parametrize("name", ["pendulum", "double_pendulum"])
def test_hanging_at_rest(name: str) -> None:
    """It stays where all angles are 0, and falls back from nearby."""
    d = jd.compile(getattr(gallery, name)(), cache=Cache(None))
    n = len(d.system.speeds)
    assert not d.forward_dynamics(np.zeros(n), np.zeros(n)).any()
    assert d.forward_dynamics([0.1, *[0.0] * (n - 1)], np.zeros(n))[0] < 0.0
