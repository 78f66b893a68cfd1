"""Silver's numbered identities, on random chains of turning and sliding joints, to rounding.

Derivatives are complex steps, so that left and right sides have nothing in common but the chain.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from jourdain.history import rotation as silver_2
from jourdain.history.authors import silver
from jourdain.history.chain import Chain, at, random_chain
from jourdain.history.numbers import FLOATS

from .geometry import Array, by_each, derivative, geometry

TIGHT = 1e-13
P = np.array([[[silver_2.permutation(i, j, k) for k in range(3)] for j in range(3)] for i in range(3)])
INDICES = range(3)


class State:
    """A weightless chain somewhere, moving."""

    def __init__(self, seed: int, n: int = 5, turning: bool = False) -> None:
        random = np.random.default_rng([1981, seed])
        slides = [bool(x) and not turning for x in random.integers(0, 2, n)]
        self.chain = Chain(random_chain(n, seed, slides).links, (0.0, 0.0, 0.0))
        self.q, self.rates, self.accelerations = random.uniform(-1.0, 1.0, (3, n))
        self.n = n
        self.now = geometry(self.chain, self.q)
        linear, angular = self.now.partial_velocities()
        self.linear, self.angular = linear.real, angular.real
        self.omega = self.now.velocities(self.rates)[1].real
        self.inertia = self.now.inertias.real
        self.w = self.now.rotations.real

    def rate(self, of: str) -> Array:
        """The time derivative of a field of the geometry."""
        return derivative(lambda q: getattr(geometry(self.chain, q), of), self.q, self.rates)

    def second_moments(self) -> Array:
        """J' of every link about its mass centre, moved axes."""
        rows = [silver_2.second_moments_of_inertia(link.inertia, 0.5) for link in self.chain.links]
        return np.array(rows)

    def angular_acceleration(self) -> Array:
        """ω̇ of every link: (3.14) differentiated along the motion."""
        return self._along(1)

    def linear_acceleration(self) -> Array:
        """v̇ of every mass centre."""
        return self._along(0)

    def _along(self, part: int) -> Array:
        n = self.n

        def velocities(x: Array) -> Array:
            return geometry(self.chain, x[:n]).velocities(x[n:])[part]

        x, dx = np.concatenate([self.q, self.rates]), np.concatenate([self.rates, self.accelerations])
        return derivative(velocities, x, dx)


@pytest.fixture(params=range(4), ids=lambda seed: f"chain {seed}")
def state(request: pytest.FixtureRequest) -> State:
    return State(request.param)


def close(one: Array, other: Array) -> None:
    """Equal to rounding, relative to the largest."""
    assert np.abs(one - other).max() <= TIGHT * max(1.0, float(np.abs(other).max()))


# -- section 2 --------------------------------------------------------------------------------------------------------


def test_permutation_symbol() -> None:
    """P is totally anti-symmetric, and makes the cross product."""
    a, b = np.random.default_rng(0).uniform(-1, 1, (2, 3))
    assert {int(x) for x in P.ravel()} == {-1, 0, 1}
    assert np.array_equal(P, -P.transpose(1, 0, 2))
    assert np.array_equal(P, P.transpose(1, 2, 0))
    close(np.einsum("ijk,j,k", P, a, b), np.cross(a, b))


def test_2_3_and_2_4() -> None:
    """P_ijk P_ijl = 2 δ_kl and P_ijk P_ilm = δ_jl δ_km − δ_jm δ_kl, in whole numbers."""
    d = np.eye(3, dtype=int)
    assert np.array_equal(np.einsum("ijk,ijl->kl", P, P), 2 * d)
    found = np.einsum("ijk,ilm->jklm", P, P)
    for j, k, m, n in product(INDICES, repeat=4):
        assert found[j, k, m, n] == d[j, m] * d[k, n] - d[j, n] * d[k, m]


def test_2_5_and_2_6(state: State) -> None:
    """Ẇ = ω × W on every link of a moving chain, and ω back from it."""
    rates = state.rate("rotations")
    for w, rate, omega in zip(state.w, rates, state.omega):
        close(np.array(silver_2.rotation_rate(omega.tolist(), w.tolist())), rate)
        close(np.einsum("ikl,k,lj->ij", P, omega, w), rate)
        close(np.array(silver_2.angular_velocity(w.tolist(), rate.tolist(), 0.5)), omega)
        close(np.einsum("ijk,jl,kl->i", P, w, rate) / 2, omega)


def test_velocities_before_2_5(state: State) -> None:
    """v̇_i = Ẇ_ij v'_j for a vector fixed in the body; with v'_i, as it is printed, it would be another vector."""
    fixed = np.array([0.3, -0.8, 0.5])
    for w, rate, omega in zip(state.w, state.rate("rotations"), state.omega):
        expected = np.cross(omega, w @ fixed)
        close(rate @ fixed, expected)
        if np.abs(omega).max() > 0:
            assert np.abs(rate.sum(axis=1) * fixed - expected).max() > 1e-3


def test_second_derivative_of_a_rotation(state: State) -> None:
    """Ẅ from ω and ω̇ is what Hollerbach's recursion carries outward."""
    n, omega = state.n, state.omega
    alpha = state.angular_acceleration()

    def rates(x: Array) -> Array:
        now = geometry(state.chain, x[:n])
        columns = np.cross(now.velocities(x[n:])[1][:, None, :], now.rotations.transpose(0, 2, 1))
        rows: Array = np.swapaxes(columns, 1, 2)
        return rows

    x, dx = np.concatenate([state.q, state.rates]), np.concatenate([state.rates, state.accelerations])
    expected = derivative(rates, x, dx)
    for i, w in enumerate(state.w):
        found = silver_2.rotation_acceleration(omega[i].tolist(), alpha[i].tolist(), w.tolist())
        close(np.array(found), expected[i])


def test_2_7_and_2_9_from_points() -> None:
    """J and I of a cloud of particles, by their definitions, and each from the other (2.11)."""
    random = np.random.default_rng(8)
    places, masses = random.uniform(-1, 1, (20, 3)), random.uniform(0.1, 1.0, 20)
    j = np.einsum("p,pi,pk->ik", masses, places, places)
    i = np.einsum("p,pk,pk->", masses, places, places) * np.eye(3) - j
    close(np.array(silver_2.inertia_of_second_moments(j.tolist())), i)
    close(np.array(silver_2.second_moments_of_inertia(i.tolist(), 0.5)), j)


def test_2_11_on_a_chain(state: State) -> None:
    """Back and forth, in moved and in fixed axes."""
    for link, w, j in zip(state.chain.links, state.w, state.second_moments()):
        close(np.array(silver_2.inertia_of_second_moments(j.tolist())), np.array(link.inertia))
        turned = np.array(silver_2.in_fixed_axes(w.tolist(), j.tolist()))
        close(np.trace(turned) * np.eye(3) - turned, w @ np.array(link.inertia) @ w.T)


def test_kinetic_energy_in_both(state: State) -> None:
    """(2.8) = (2.10)."""
    for omega, inertia, rate, j in zip(state.omega, state.inertia, state.rate("rotations"), state.second_moments()):
        with_omega = silver_2.energy_with_omega(omega.tolist(), inertia.tolist(), 0.5)
        with_rate = silver_2.energy_with_rate(rate.tolist(), j.tolist(), 0.5)
        assert abs(with_omega - with_rate) <= TIGHT * max(1.0, with_omega)


def test_generalized_force_in_both(state: State) -> None:
    """The last row of the table that ends section 2, link by link and joint by joint."""
    alpha = state.angular_acceleration()
    partials = by_each(lambda q: geometry(state.chain, q).rotations, state.q)  # ∂W_i/∂q_j as (j, i, 3, 3)
    for i, j in product(range(state.n), repeat=2):
        w, omega = state.w[i].tolist(), state.omega[i].tolist()
        acceleration = silver_2.rotation_acceleration(omega, alpha[i].tolist(), w)
        with_rate = silver_2.force_with_rate(
            partials[j, i].tolist(), state.second_moments()[i].tolist(), acceleration
        )
        with_omega = silver_2.force_with_omega(
            omega, alpha[i].tolist(), state.inertia[i].tolist(), state.angular[i, j].tolist()
        )
        assert abs(with_rate - with_omega) < TIGHT


# -- section 1.3 ------------------------------------------------------------------------------------------------------


def test_1_3(state: State) -> None:
    """N = dL/dt with L = I · ω: I · ω̇ + ω × (I · ω)."""
    alpha = state.angular_acceleration()
    n = state.n

    def momenta(x: Array) -> Array:
        now = geometry(state.chain, x[:n])
        found: Array = np.einsum("ijk,ik->ij", now.inertias, now.velocities(x[n:])[1])
        return found

    x, dx = np.concatenate([state.q, state.rates]), np.concatenate([state.rates, state.accelerations])
    spun = np.einsum("ijk,ik->ij", state.inertia, state.omega)
    expected = np.einsum("ijk,ik->ij", state.inertia, alpha) + np.cross(state.omega, spun)
    close(derivative(momenta, x, dx), expected)


# -- section 3 and the appendix ---------------------------------------------------------------------------------------


def test_3_13(state: State) -> None:
    """v_i is the rate of the mass centre's place."""
    close(state.now.velocities(state.rates)[0].real, state.rate("centers"))


def test_a_1(state: State) -> None:
    """∂v_i/∂q̇_j = ∂r_i/∂q_j."""
    close(state.linear, by_each(lambda q: geometry(state.chain, q).centers, state.q).transpose(1, 0, 2))


def test_3_4(state: State) -> None:
    """d/dt ∂v_i/∂q̇_j = ∂v_i/∂q_j."""
    moved = derivative(lambda q: geometry(state.chain, q).partial_velocities()[0], state.q, state.rates)
    by_q = by_each(lambda q: geometry(state.chain, q).velocities(state.rates)[0], state.q)
    close(moved, by_q.transpose(1, 0, 2))


def test_3_5_and_3_7(state: State) -> None:
    """ω · İ · x = ω × (I · ω) · x, and ω · I · (ω × x) is minus that, for x = ∂ω_i/∂q̇_j."""
    for omega, inertia, rate, partials in zip(state.omega, state.inertia, state.rate("inertias"), state.angular):
        expected = partials @ np.cross(omega, inertia @ omega)
        close(partials @ (rate.T @ omega), expected)
        close(np.cross(omega, partials) @ (inertia @ omega), -expected)


def test_3_6(state: State) -> None:
    """d/dt ∂ω_i/∂q̇_j = ∂ω_i/∂q_j + ω_i × ∂ω_i/∂q̇_j."""
    moved = derivative(lambda q: geometry(state.chain, q).partial_velocities()[1], state.q, state.rates)
    by_q = by_each(lambda q: geometry(state.chain, q).velocities(state.rates)[1], state.q).transpose(1, 0, 2)
    close(moved, by_q + np.cross(state.omega[:, None, :], state.angular))


def test_before_3_10(state: State) -> None:
    """∂I_i/∂q_j = ∂İ_i/∂q̇_j = x × I − I × x with x = ∂ω_i/∂q̇_j."""
    by_q = by_each(lambda q: geometry(state.chain, q).inertias, state.q)
    for i, j in product(range(state.n), repeat=2):
        cross = np.cross(np.eye(3), state.angular[i, j])  # [x×]
        close(by_q[j, i], cross @ state.inertia[i] - state.inertia[i] @ cross)


def test_3_10(state: State) -> None:
    """½ ω_i · ∂I_i/∂q_j · ω_i = −ω_i × (I_i · ω_i) · ∂ω_i/∂q̇_j."""
    left, right = _3_10(state)
    close(left, right)


def test_3_10_as_printed() -> None:
    """With ∂I_i/∂q_i, as it is printed, (3.10) fails."""
    left, right = _3_10(State(1, turning=True))
    printed = np.broadcast_to(np.diagonal(left)[:, None], left.shape)
    assert np.abs(printed - right).max() > 1e-3


def _3_10(state: State) -> tuple[Array, Array]:
    """Left and right sides (i, j)."""
    by_q = by_each(lambda q: geometry(state.chain, q).inertias, state.q)
    left = np.einsum("ia,jiab,ib->ij", state.omega, by_q, state.omega) / 2
    right = -np.einsum("ia,ija->ij", np.cross(state.omega, np.einsum("iab,ib->ia", state.inertia, state.omega)),
                       state.angular)  # fmt: skip
    return left, right


def test_a_2(state: State) -> None:
    """d/dt ∂ω_i/∂q̇_j = ω_j × z_j for j ≤ i, z_j taken as 0 where joint j slides."""
    moved = derivative(lambda q: geometry(state.chain, q).partial_velocities()[1], state.q, state.rates)
    z = state.now.turning_axes().real
    for i in range(state.n):
        for j in range(i + 1):
            close(moved[i, j], np.cross(state.omega[j], z[j]))


def test_a_3(state: State) -> None:
    """∂z_k/∂q_j = z_j × z_k for j ≤ k; for j > k it is 0, which the appendix uses when it lets a sum begin at k = 1."""
    by_q = by_each(lambda q: geometry(state.chain, q).turning_axes(), state.q)
    z = state.now.turning_axes().real
    for j, k in product(range(state.n), repeat=2):
        close(by_q[j, k], np.cross(z[j], z[k]) if j <= k else np.zeros(3))


def test_lagranges_equation_gives_3_11(state: State) -> None:
    """d/dt ∂K/∂q̇_j − ∂K/∂q_j, with (3.1) and (3.2) alone, is Silver's recursion."""
    n, chain = state.n, state.chain

    def momenta(x: Array) -> Array:
        now = geometry(chain, x[:n])
        linear, angular = now.partial_velocities()
        v, omega = now.velocities(x[n:])
        turned: Array = np.einsum("ia,iab,ijb->j", omega, now.inertias, angular)
        moved: Array = np.einsum("i,ik,ijk->j", now.masses, v, linear)
        return np.add(moved, turned)

    def energy(q: Array) -> Array:
        now = geometry(chain, q)
        v, omega = now.velocities(state.rates)
        found: Array = (np.einsum("i,ik,ik", now.masses, v, v) + np.einsum("ia,iab,ib", omega, now.inertias, omega)) / 2
        return found

    x, dx = np.concatenate([state.q, state.rates]), np.concatenate([state.rates, state.accelerations])
    expected = derivative(momenta, x, dx) - by_each(energy, state.q)
    found = silver.inverse_dynamics(at(chain, FLOATS, state.q, state.rates, state.accelerations))
    close(np.array(found), expected)


def test_3_12(state: State) -> None:
    """The sum over all links, with the partial velocities (3.15) and (3.16), is the recursion's."""
    force = state.now.masses.real[:, None] * state.linear_acceleration()
    spun = np.einsum("iab,ib->ia", state.inertia, state.omega)
    torque = np.einsum("iab,ib->ia", state.inertia, state.angular_acceleration()) + np.cross(state.omega, spun)
    expected: NDArray[np.float64] = np.einsum("ia,ija->j", force, state.linear)
    expected = expected + np.einsum("ia,ija->j", torque, state.angular)
    found = silver.inverse_dynamics(at(state.chain, FLOATS, state.q, state.rates, state.accelerations))
    close(np.array(found), expected)
