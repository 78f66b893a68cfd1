"""The Whipple bicycle: its published linear equations, an independent model of it, its energy, and what it costs."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.driver import Compiled
from jourdain.model.system import System
from jourdain.native import Cache

Array = NDArray[np.float64]

# Meijaard, Papadopoulos, Ruina and Schwab (2007), their benchmark: M q̈ + v C₁ q̇ + (g K₀ + v² K₂) q = f, q = (φ, δ).
PUBLISHED = {
    "M": [[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]],
    "K0": [[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]],
    "K2": [[0.0, 76.59734589573222], [0.0, 2.65431523794604]],
    "C1": [[0.0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]],
}
AT_FIVE = [-0.32286642900409, -0.77534188219585 + 4.46486771378823j, -0.77534188219585 - 4.46486771378823j,
           -14.07838969279822]  # fmt: skip
OWN = ("lean", "steer", "lean_rate", "steer_rate")


@lru_cache(maxsize=1)
def bicycle() -> Compiled:
    return jd.compile(jd.gallery.whipple_bicycle(), cache=Cache(None))


def coefficients(p: dict[str, Array]) -> dict[str, Array]:
    """The matrices from the bodies' data, as the paper's appendix A has them; any leading axes."""
    w, c, rR, rF = p["w"], p["c"], p["r_R"], p["r_F"]
    s, k = np.sin(p["lam"]), np.cos(p["lam"])
    m_T = p["m_R"] + p["m_B"] + p["m_H"] + p["m_F"]
    x_T = (p["x_B"] * p["m_B"] + p["x_H"] * p["m_H"] + w * p["m_F"]) / m_T
    z_T = (-rR * p["m_R"] + p["z_B"] * p["m_B"] + p["z_H"] * p["m_H"] - rF * p["m_F"]) / m_T
    T_xx = p["IR_xx"] + p["IB_xx"] + p["IH_xx"] + p["IF_xx"]
    T_xx = T_xx + p["m_R"] * rR**2 + p["m_B"] * p["z_B"] ** 2 + p["m_H"] * p["z_H"] ** 2 + p["m_F"] * rF**2
    T_xz = p["IB_xz"] + p["IH_xz"] - p["m_B"] * p["x_B"] * p["z_B"] - p["m_H"] * p["x_H"] * p["z_H"]
    T_xz = T_xz + p["m_F"] * w * rF
    T_zz = p["IR_xx"] + p["IB_zz"] + p["IH_zz"] + p["IF_xx"]
    T_zz = T_zz + p["m_B"] * p["x_B"] ** 2 + p["m_H"] * p["x_H"] ** 2 + p["m_F"] * w**2
    m_A = p["m_H"] + p["m_F"]
    x_A, z_A = (p["x_H"] * p["m_H"] + w * p["m_F"]) / m_A, (p["z_H"] * p["m_H"] - rF * p["m_F"]) / m_A
    dx_H, dz_H, dx_F, dz_F = p["x_H"] - x_A, p["z_H"] - z_A, w - x_A, -rF - z_A
    A_xx = p["IH_xx"] + p["IF_xx"] + p["m_H"] * dz_H**2 + p["m_F"] * dz_F**2
    A_xz = p["IH_xz"] - p["m_H"] * dx_H * dz_H - p["m_F"] * dx_F * dz_F
    A_zz = p["IH_zz"] + p["IF_xx"] + p["m_H"] * dx_H**2 + p["m_F"] * dx_F**2
    u_A = (x_A - w - c) * k - z_A * s
    A_ll = m_A * u_A**2 + A_xx * s**2 + 2.0 * A_xz * s * k + A_zz * k**2
    A_lx = -m_A * u_A * z_A + A_xx * s + A_xz * k
    A_lz = m_A * u_A * x_A + A_xz * s + A_zz * k
    mu = c / w * k
    S_R, S_F = p["IR_yy"] / rR, p["IF_yy"] / rF
    S_T, S_A = S_R + S_F, m_A * u_A + mu * m_T * x_T
    cross = A_lx + mu * T_xz
    zero = np.zeros_like(mu)
    return {
        "M": _square(T_xx, cross, cross, A_ll + 2.0 * mu * A_lz + mu**2 * T_zz),
        "K0": _square(m_T * z_T, -S_A, -S_A, -S_A * s),
        "K2": _square(zero, (S_T - m_T * z_T) / w * k, zero, (S_A + S_F * s) / w * k),
        "C1": _square(
            zero, mu * S_T + S_F * k + T_xz / w * k - mu * m_T * z_T, -(mu * S_T + S_F * k),
            A_lz / w * k + mu * (S_A + T_zz / w * k),
        ),
    }  # fmt: skip


def _square(a: ArrayLike, b: ArrayLike, c: ArrayLike, d: ArrayLike) -> Array:
    return np.stack([np.stack([a, b], -1), np.stack([c, d], -1)], -2)


def matrices(d: Compiled, v: float) -> tuple[Array, Array, Array]:
    """M, damping and stiffness of lean and steer, riding straight at v."""
    r = np.asarray(d.parameters["r_R"])
    u = np.stack([np.zeros_like(r), np.zeros_like(r), -v / r], axis=-1)
    linear = jd.linearize(d, np.zeros(8), u).part(*OWN)
    assert linear.inputs == ("lean_torque", "steer_torque", "drive_torque")
    assert float(np.abs(linear.rate).max()) < 1e-12
    assert float(np.abs(linear.B[..., :2, :]).max()) == 0.0
    assert np.array_equal(linear.A[..., :2, :], np.broadcast_to(np.eye(2, 4, 2), linear.A[..., :2, :].shape))
    mass = np.linalg.inv(linear.B[..., 2:, :2])
    return mass, -mass @ linear.A[..., 2:, 2:], -mass @ linear.A[..., 2:, :2]


def test_the_published_linear_equations() -> None:
    """M, C₁, K₀ and K₂, to all digits that are printed."""
    mass, no_damping, stiffness = matrices(bicycle(), 0.0)
    assert np.abs(mass - PUBLISHED["M"]).max() < 1e-10
    assert np.abs(stiffness / 9.81 - PUBLISHED["K0"]).max() < 1e-10
    assert np.abs(no_damping).max() < 1e-10
    for v in (1.0, 5.0):
        mass, damping, moving = matrices(bicycle(), v)
        assert np.abs(mass - PUBLISHED["M"]).max() < 1e-10
        assert np.abs(damping / v - PUBLISHED["C1"]).max() < 1e-10
        assert np.abs((moving - stiffness) / v**2 - PUBLISHED["K2"]).max() < 1e-10


def test_the_published_eigenvalues() -> None:
    linear = jd.linearize(bicycle(), np.zeros(8), [0.0, 0.0, -5.0 / 0.3])
    assert np.abs(linear.part(*OWN).eigenvalues - AT_FIVE).max() < 1e-10
    # Capsizing and weaving alone can grow or fade; place, heading and the wheels' angles stay as they are.
    whole = linear.eigenvalues
    assert sum(np.abs(whole) < 1e-6) == len(linear.states) - 4


def test_the_linear_equations_for_any_bicycle() -> None:
    """The paper's coefficients, from the data of bodies drawn at random; the published ones from the benchmark's."""
    defaults = {name: np.asarray(x) for name, x in bicycle().parameters.items()}
    for name, found in coefficients(defaults).items():
        assert np.abs(found - PUBLISHED[name]).max() < 1e-12
    rng = np.random.default_rng(2007)
    drawn = {name: x * rng.uniform(0.7, 1.4, 20) for name, x in defaults.items()}
    wanted, d, v = coefficients(drawn), bicycle().with_parameters(drawn), 3.0
    mass, damping, moving = matrices(d, v)
    stiffness = drawn["g"][:, None, None] * wanted["K0"] + v**2 * wanted["K2"]
    for one, other in ((mass, wanted["M"]), (damping, v * wanted["C1"]), (moving, stiffness)):
        assert np.abs(one - other).max() < 1e-11 * np.abs(other).max()


# -- the nonlinear equations ------------------------------------------------------------------------------------------


def free_bicycle() -> System:
    """The same bicycle told otherwise: a frame that can fly, and both wheels held on the ground and to its slip by
    multipliers; nothing is embedded and no contact is where a coordinate is."""
    p = jd.gallery.whipple_bicycle().parameters
    m = jd.Model("free bicycle", gravity=(0, 0, p["g"]))
    B = m.body(
        "B", mass=p["m_B"], center=(p["x_B"], 0, p["z_B"] + p["r_R"]),
        inertia=[[p["IB_xx"], 0, p["IB_xz"]], [0, p["IB_yy"], 0], [p["IB_xz"], 0, p["IB_zz"]]],
    )  # fmt: skip
    H = m.body(
        "H", mass=p["m_H"], center=(p["x_H"] - p["w"] - p["c"], 0, p["z_H"]),
        inertia=[[p["IH_xx"], 0, p["IH_xz"]], [0, p["IH_yy"], 0], [p["IH_xz"], 0, p["IH_zz"]]],
    )  # fmt: skip
    R = m.body("R", mass=p["m_R"], inertia=jd.principal(p["IR_xx"], p["IR_yy"], p["IR_xx"]))
    F = m.body("F", mass=p["m_F"], inertia=jd.principal(p["IF_xx"], p["IF_yy"], p["IF_xx"]))
    m.free("frame", m.ground, B)
    axis = (np.sin(p["lam"]), 0.0, np.cos(p["lam"]))
    m.revolute("steer", B, H, axis=axis, at=(p["w"] + p["c"], 0, p["r_R"]))
    m.revolute("rear_wheel", B, R, axis="y")
    m.revolute("front_wheel", H, F, axis="y", at=(-p["c"], 0, -p["r_F"]))
    for name, wheel, radius in (("rear", R, p["r_R"]), ("front", F, p["r_F"])):
        touch = m.wheel(wheel, radius=radius, axis="y", normal="-z")
        m.keep(f"{name} touches", touch.gap)
        m.keep(f"{name} rolls", *touch.slip)
    return m.system()


def states(count: int, seed: int = 0) -> tuple[Array, Array]:
    """Bicycles that lean, steer and turn any way, the front wheel on the ground."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(-1.0, 1.0, (count, 8)) * [3.0, 3.0, 3.0, 0.8, 0.0, 3.0, 0.9, 3.0]
    return bicycle().assemble(q), rng.uniform(-1.0, 1.0, (count, 3)) * [1.0, 2.0, 20.0]


def test_an_independent_model_of_the_same_bicycle() -> None:
    """The frame's and the joints' accelerations, under torques, when it leans and steers."""
    d, free = bicycle(), jd.compile(free_bicycle(), cache=Cache(None))
    q, u = states(12)
    inputs = {"lean_torque": 3.0, "steer_torque": -1.0, "drive_torque": -7.0}
    rates = d.forward_dynamics(q, u, inputs=inputs)
    index = {name: k for k, name in enumerate(d.system.coordinates)}
    for i in range(len(q)):
        pose = d.pose("B", q[i])
        jacobian, moving = d.jacobian("B", q[i]), d.jacobian_rate("B", q[i], u[i])
        outer = ("steer", "rear_wheel", "front_wheel")
        angles = [q[i, index[x]] for x in outer]
        turning = [d.rates(q[i], u[i])[index[x]] for x in outer]
        there = np.concatenate([pose[:3, 3], Rotation.from_matrix(pose[:3, :3]).as_quat(), angles])
        speeds = np.concatenate([jacobian @ u[i], turning])
        assert max(float(np.abs(x).max()) for x in free.residual(there, speeds).values()) < 1e-10
        forces = _forces(d, free, q[i], inputs)
        found = free.forward_dynamics(there, speeds, forces)
        wanted = jacobian @ rates[i] + moving @ u[i]
        assert np.abs(found[:6] - wanted).max() < 1e-9 * np.abs(found).max()
        assert abs(found[6] - rates[i, 1]) < 1e-9 * np.abs(found).max()


def _forces(d: Compiled, free: Compiled, q: Array, inputs: dict[str, float]) -> Array:
    """The three torques as generalized forces on the free bicycle's speeds."""
    names = {name: k for k, name in enumerate(free.system.speeds)}
    f = np.zeros(len(names))
    heading = d.pose("heading frame", q)[:3, 0]
    f[:3] = d.pose("B", q)[:3, :3].T @ heading * inputs["lean_torque"]
    f[names["steer"]], f[names["rear_wheel"]] = inputs["steer_torque"], inputs["drive_torque"]
    return f


def test_nothing_is_zero_over_zero() -> None:
    """Upright and straight, leaning without steering, steering without leaning, at rest and riding."""
    d = bicycle()
    for lean, steer, rate in ((0, 0, 0), (0, 0, -20.0), (0.4, 0, -20.0), (0, 0.7, -20.0), (0, 0, 1e-300)):
        q = d.assemble([0.0, 0.0, 0.0, lean, 0.0, 0.0, steer, 0.0])
        u = np.array([0.0, 0.0, rate])
        assert np.isfinite(d.forward_dynamics(q, u)).all()
        near = d.assemble(q + 1e-7)
        assert np.abs(d.mass_matrix(q) - d.mass_matrix(near)).max() < 1e-3
        assert all(np.isfinite(x).all() for x in d.forward_dynamics_derivatives(q, u).values())


def test_energy_and_contact_are_kept() -> None:
    """A second of falling and turning, without a torque: to the integrator's accuracy."""
    d = bicycle()
    q = d.assemble([0.0, 0.0, 0.3, 0.15, 0.0, 0.0, 0.1, 0.0])
    u = np.array([0.2, -0.1, -15.0])

    def rate(_: float, x: Array) -> Array:
        return np.concatenate([d.rates(x[:8], x[8:]), d.forward_dynamics(x[:8], x[8:])])

    run = solve_ivp(rate, (0.0, 1.0), np.concatenate([q, u]), method="DOP853", rtol=1e-12, atol=1e-12)
    path = run.y.T
    energy = d.energy(path[:, :8], path[:, 8:]).total
    assert np.abs(path[-1, 3] - path[0, 3]) > 0.05  # it moves
    assert np.ptp(energy) < 1e-9 * d.energy(q, u).kinetic
    for found in d.residual(path[:, :8], path[:, 8:]).values():
        assert np.abs(found).max() < 1e-9


def test_a_state_off_the_ground_is_refused() -> None:
    with pytest.raises(ValueError, match="'front wheel touches' by"):
        jd.linearize(bicycle(), [0.0, 0, 0, 0, 0.1, 0, 0, 0], [0.0, 0.0, 0.0])


# -- counts -----------------------------------------------------------------------------------------------------------


def test_counts() -> None:
    """Mass matrix and forcing together, all 29 data symbols: about 2400 operations as others derive them."""
    found = jd.count(jd.gallery.whipple_bicycle(), ["mass_and_bias", "forward_dynamics"])
    row = found["mass_and_bias"]
    assert (row["mul"], row["add"], row["div"], row["sqrt"], row["trig"], row["other"]) == (547, 374, 2, 1, 3, 0)
    assert row["total"] == 927 <= 1200
    row = found["forward_dynamics"]
    assert (row["mul"], row["add"], row["div"], row["sqrt"], row["trig"], row["other"]) == (563, 387, 5, 1, 3, 0)


def test_mass_and_bias_together() -> None:
    q, u = states(5, 1)
    both = bicycle().mass_and_bias(q, u)
    assert np.allclose(both.mass_matrix, bicycle().mass_matrix(q), rtol=1e-12, atol=1e-12)
    assert np.allclose(both.bias_forces, bicycle().bias_forces(q, u), rtol=1e-11, atol=1e-9)
    assert (np.linalg.eigvalsh(both.mass_matrix) > 0.0).all()


def test_derivatives_of_inverse_dynamics() -> None:
    """By the joints' steps, u, u̇, inputs and parameters; "q" has the columns of the motions that are left."""
    d, (q, u) = bicycle(), states(1, 4)
    q, u = q[0], u[0]
    udot = np.array([0.7, -1.1, 2.0])
    found = d.inverse_dynamics_derivatives(q, u, udot)
    step, weights = 1e-3, ((1, 8 / 12), (-1, -8 / 12), (2, -1 / 12), (-2, 1 / 12))
    ways = np.stack([d.tangent(q, row)["rates"] for row in np.eye(3)], axis=-1)
    assert np.abs(found["q"] - found["joints"] @ ways).max() < 1e-9 * np.abs(found["q"]).max()

    def slope(function: Callable[..., Array], *more: Any) -> Array:
        total: Array = np.asarray(sum(w * function(k * step, *more) for k, w in weights)) / step
        return total

    for k in range(3):
        unit = np.eye(3)[k]
        for name, wanted in (
            ("q", slope(lambda h, x: d.inverse_dynamics(d.integrate(q, h * x), u, udot), unit)),
            ("u", slope(lambda h, x: d.inverse_dynamics(q, u + h * x, udot), unit)),
            ("udot", slope(lambda h, x: d.inverse_dynamics(q, u, udot + h * x), unit)),
        ):
            assert np.abs(found[name][:, k] - wanted).max() < 1e-7 * np.abs(found[name]).max()
        name = d.system.inputs[k]
        wanted = slope(lambda h, x: d.inverse_dynamics(q, u, udot, inputs={x: h}), name)
        assert np.abs(found["inputs"][:, k] - wanted).max() < 1e-9
    for k, (name, value) in enumerate(d.parameters.items()):
        moved = [d.with_parameters({name: value + j * step}).inverse_dynamics(q, u, udot) for j, _ in weights]
        wanted = np.asarray(sum(w * x for (_, w), x in zip(weights, moved))) / step
        assert np.abs(found["parameters"][:, k] - wanted).max() < 1e-7 * max(1.0, float(np.abs(wanted).max()))
