"""The rattleback beside Newton's and Euler's equations by hand; its reversal; ellipsoids that touch."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.driver.library import derive_readout
from jourdain.graph import count
from jourdain.native import Cache

Array = NDArray[np.float64]
SYSTEM = jd.gallery.rattleback()
D = jd.compile(SYSTEM, cache=Cache(None))
NONE = Cache(None)


def on_the_plane(turn: Rotation, place: Array) -> Array:
    """The coordinates of a celt that touches."""
    return D.assemble([*place, 0.02, *turn.as_quat()])


def by_hand(turn: Array, w: Array) -> tuple[Array, Array, Array]:
    """ω̇ along the body's axes, the mass centre's velocity along them, and the plane's force on the celt along the
    ground's: the contact rolls, so that v* = −ω × r, r from the mass centre to the contact, and I ω̇ + ω × I ω = r × R
    with R = m (a* − g)."""
    p = SYSTEM.parameters
    squares = np.array([p["a"], p["b"], p["c"]]) ** 2
    n = turn.T @ np.array([0.0, 0.0, 1.0])
    n_rate = -np.cross(w, n)
    reach = np.sqrt(squares @ n**2)
    r = -squares * n / reach + np.array([0.0, 0.0, p["h"]])
    r_rate = -squares * n_rate / reach + squares * n * (squares @ (n * n_rate)) / reach**3
    v = -np.cross(w, r)
    inertia = np.array([[p["A"], p["D"], 0], [p["D"], p["B"], 0], [0, 0, p["C"]]])
    rest = -np.cross(w, r_rate) + np.cross(w, v) + p["g"] * n  # of a* − g, beside −ω̇ × r
    across = np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
    # I ω̇ + m r × (ω̇ × r) = −ω × I ω + m r × rest, r × (ω̇ × r) = −[r×][r×] ω̇
    left = inertia - p["m"] * across @ across
    rates = np.linalg.solve(left, p["m"] * np.cross(r, rest) - np.cross(w, inertia @ w))
    force = p["m"] * (rest - np.cross(rates, r))
    return rates, v, turn @ force


@pytest.mark.parametrize("seed", range(5))
def test_it_rolls_as_newton_and_euler_say(seed: int) -> None:
    rng = np.random.default_rng(seed)
    turn = Rotation.from_rotvec(rng.normal(size=3))
    q = on_the_plane(turn, rng.normal(size=2))
    w = rng.normal(size=3) * 3.0
    u = D.complete(q, w, ["celt.wx", "celt.wy", "celt.wz"])
    matrix = Rotation.from_quat(q[3:]).as_matrix()
    rates, v, force = by_hand(matrix, w)
    center = u[3:] + np.cross(w, [0, 0, -SYSTEM.parameters["h"]])
    assert np.abs(center - v).max() < 1e-12
    size = max(1.0, float(np.abs(rates).max()))
    assert np.abs(D.forward_dynamics(q, u)[:3] - rates).max() < 1e-10 * size
    found = D.constraint_forces(q, u)
    assert np.abs(np.array([*found["rolls"], *found["touches"]]) - force).max() < 1e-10 * size
    assert np.abs(D.reactions("celt", q, u)).max() < 1e-10 * size


def test_the_contact_closes_and_has_full_rank() -> None:
    assert (D.redundancy.rank, D.redundancy.repeated) == (3, ())
    q = on_the_plane(Rotation.from_rotvec([0.3, 0.1, -0.8]), np.zeros(2))
    assert len(D.independent(q)) == 3
    p = SYSTEM.parameters
    semi = np.array([p["a"], p["b"], p["c"]])
    # The lowest of very many points of the surface lies on the plane.
    lines = np.random.default_rng(0).normal(size=(200_000, 3))
    points = semi * lines / np.linalg.norm(lines, axis=1, keepdims=True)
    heights = points @ Rotation.from_quat(q[3:]).as_matrix()[2] + q[2]
    assert -1e-15 < heights.min() < 1e-5


def spun(rate: float, seconds: float) -> tuple[Array, Array]:
    """The spin, and the energy's error, while a celt that was spun with a slight tilt is left alone."""
    q = on_the_plane(Rotation.from_rotvec([0.01, 0.0, 0.0]), np.zeros(2))
    u = D.complete(q, [0.0, 0.0, rate], ["celt.wx", "celt.wy", "celt.wz"])

    def rates(_: float, y: Array) -> Array:
        return np.concatenate([D.rates(y[:7], y[7:]), D.forward_dynamics(y[:7], y[7:])])

    times = np.linspace(0.0, seconds, 25)
    run = solve_ivp(rates, (0.0, seconds), np.concatenate([q, u]), method="DOP853", rtol=1e-8, atol=1e-10, t_eval=times)
    found = [(y[:7], y[7:]) for y in run.y.T]
    assert min(float(D.constraint_forces(*x)["touches"][0]) for x in found) > 0.0
    energies = np.array([float(D.energy(*x).total) for x in found])
    assert np.abs(D.residual(*found[-1])["rolls"]).max() < 1e-8
    return np.array([float(D.outputs(*x)["spin"]) for x in found]), energies - energies[0]


def test_the_spin_reverses_one_way_only() -> None:
    spin, error = spun(5.0, 6.0)
    assert spin[0] > 4.9
    assert spin[-1] < -2.0
    assert np.abs(error).max() < 1e-6
    spin, error = spun(-5.0, 3.0)
    assert spin.max() < -4.9
    assert np.abs(error).max() < 1e-8


def test_a_run_that_turns_back() -> None:
    """Twelve seconds of `simulate`: the spin reverses, energy stays, the plane pushes all the time, nothing slips."""
    q = on_the_plane(Rotation.from_rotvec([0.01, 0.0, 0.0]), np.zeros(2))
    u = D.complete(q, [0.0, 0.0, 5.0], ["celt.wx", "celt.wy", "celt.wz"])
    run = jd.simulate(D, q, u, np.linspace(0.0, 12.0, 121))
    spin, checks = run.outputs["spin"], run.checks
    assert run.is_complete and spin[0] > 4.9 and spin.min() < -2.0
    assert checks.energy is not None and checks.energy < 1e-9 * checks.energy_size
    assert max(checks.drift.values()) < 1e-13 and checks.quaternions < 1e-15
    assert float(D.constraint_forces(run.q, run.u)["touches"].min()) > 0.0
    # The same motion by SciPy's method on the same equations.
    f = jd.ode(D)
    found = solve_ivp(f, (0, 3.0), f.state(q, u), method="DOP853", rtol=1e-12, atol=1e-13)
    assert np.abs(f.state(run.q[30], run.u[30]) - found.y[:, -1]).max() < 1e-6


def test_operations() -> None:
    program = derive_readout(SYSTEM, ("forward_dynamics", D.imposed))[0].program
    found = count([x for block in program.outputs for x in block.nodes])
    assert (found.mul, found.add, found.div, found.sqrt) == (332, 223, 8, 1)


# -- ellipsoids on planes -------------------------------------------------------------------------------------------


def touching(semi: tuple[float, float, float], **where: object) -> jd.System:
    """A free body over a plane that turns, with the touch's quantities as outputs."""
    m = jd.Model("touching")
    table = m.body("table", mass=5.0, inertia=jd.principal(1, 1, 1))
    m.revolute("tilt", m.ground, table, axis="x")
    egg = m.body("egg", mass=1.0, inertia=jd.principal(1, 1, 1))
    m.free("free", m.ground, egg)
    middle = egg.point("middle", (0.1, -0.2, 0.3))
    egg.frame("turned", (0, 0, 0), [("z", np.pi / 2)])
    make = m.ellipsoid(egg, semi_axes=semi, center=middle, plane=table, normal=(0, 0.6, 0.8), height=0.2, **where)  # type: ignore[arg-type]
    for name, value in (
        ("gap", make.gap), ("first", make.slip[0]), ("second", make.slip[1]), ("spin", make.spin),
        ("approach", make.approach), ("rate", m.rate(make.gap)),
    ):  # fmt: skip
        m.output(name, value)
    ball = m.ball(egg, radius=0.3, center=middle, plane=table, normal=(0, 0.6, 0.8), height=0.2)
    for name, value in (("ball gap", ball.gap), ("ball first", ball.slip[0]), ("ball second", ball.slip[1])):
        m.output(name, value)
    return m.system()


def somewhere(system: jd.System, seed: int = 4) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    q, u = rng.normal(size=8), rng.normal(size=7)
    q[4:] /= np.linalg.norm(q[4:])
    assert system.coordinates[4:] == ("free.qx", "free.qy", "free.qz", "free.qw")
    return q, u


def test_a_round_ellipsoid_is_a_ball() -> None:
    system = touching((0.3, 0.3, 0.3))
    found = jd.compile(system, cache=NONE).outputs(*somewhere(system))
    for name in ("gap", "first", "second"):
        assert abs(found[name] - found[f"ball {name}"]) < 1e-13


def test_the_gaps_rate_is_the_approach() -> None:
    """The nearest point moves over the surface along it, so that only the body's motion changes the gap."""
    system = touching((0.3, 0.2, 0.5))
    found = jd.compile(system, cache=NONE).outputs(*somewhere(system))
    assert abs(found["approach"] - found["rate"]) < 1e-13
    assert abs(found["approach"]) > 0.01


def test_semi_axes_along_a_frame() -> None:
    """A quarter turn about z exchanges the first two."""
    one, other = touching((0.3, 0.2, 0.5)), touching((0.2, 0.3, 0.5), axes="turned")
    a, b = (jd.compile(x, cache=NONE).outputs(*somewhere(x)) for x in (one, other))
    for name in a:
        assert abs(a[name] - b[name]) < 1e-13


def test_mistakes_of_ellipsoids() -> None:
    m = jd.Model("egg")
    egg = m.body("egg", mass=1.0, inertia=jd.principal(1, 1, 1))
    m.free("free", m.ground, egg)
    m.ground.frame("still")
    m.ellipsoid(egg, semi_axes=(0.1, -0.2, 0.3))
    m.ellipsoid(egg, semi_axes=(0.1, 0.2, 0.3), axes="still")
    with pytest.raises(jd.ModelError) as caught:
        m.system()
    assert "a semi-axis of an ellipsoid that touches is -0.2; a positive length is needed" in str(caught.value)
    assert "are fixed in 'ground', not in 'egg'; give a frame of the body" in str(caught.value)
