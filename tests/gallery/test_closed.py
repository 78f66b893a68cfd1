"""Closed mechanisms beside what is published of them, and beside their exact motion."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import jourdain as jd
from jourdain.driver.assembling import AssemblyError
from jourdain.native import Cache

Array = NDArray[np.float64]
NOWHERE = Cache(None)
MINUTE = np.linspace(0.0, 60.0, 601)

# F. Mazzia, C. Magherini, Test set for initial value problem solvers, release 2.4 (2008), section II.3: the start, and
# the solution at 0.03 s that PSIDE found at tolerances of 1e-14; multipliers of pairs of rows.
ANGLES = ("beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon")
START = (
    -0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885885, 0.487364979543842550,
    -0.222668390165885885, 1.23054744454982119,
)  # fmt: skip
AFTER = (
    0.1581077119629904e2, -0.1575637105984298e2, 0.4082224013073101e-1, -0.5347301163226948, 0.5244099658805304,
    0.5347301163226948, 0.1048080741042263e1,
)  # fmt: skip
RATES = (
    0.1139920302151208e4, -0.1424379294994111e4, 0.1103291221937134e2, 0.1929337464421385e2, 0.5735699284790808,
    -0.1929337464421385e2, 0.3231791658026955,
)  # fmt: skip
MULTIPLIERS = {
    "K2 and K3": (0.1991753333731910e3, -0.2975531228015052e2),
    "K2 and K4": (0.2306654119098399e2, 0.3145271365475927e2),
    "K2 and K6": (0.2264249232082739e2, 0.1161740700019673e2),
}


@pytest.fixture(scope="module")
def squeezer() -> jd.Compiled:
    return jd.compile(jd.gallery.andrews_squeezer(), cache=NOWHERE)


def ordered(d: jd.Compiled, values: tuple[float, ...]) -> Array:
    given = dict(zip(ANGLES, values))
    return np.array([given[name] for name in d.system.coordinates])


def test_andrews_squeezer_begins_as_published(squeezer: jd.Compiled) -> None:
    q, rest = ordered(squeezer, START), np.zeros(7)
    assert max(np.abs(x).max() for x in squeezer.residual(q, rest).values()) < 1e-16
    wanted = ordered(squeezer, (14222.4439199541138706, -10666.8329399655854029, 0, 0, 0, 0, 0))
    assert np.abs(squeezer.forward_dynamics(q, rest) - wanted).max() < 1e-13 * np.abs(wanted).max()
    found = squeezer.constraint_forces(q, rest)
    assert found["K2 and K3"] == pytest.approx([-98.5668703962410896, 6.12268834425566266], rel=1e-13)
    assert np.abs([*found["K2 and K4"], *found["K2 and K6"]]).max() < 1e-12


def test_andrews_squeezer_arrives_as_published(squeezer: jd.Compiled) -> None:
    run = jd.simulate(squeezer, ordered(squeezer, START), np.zeros(7), 0.03, method=jd.DormandPrince853(1e-12, 1e-13))
    q, u = run.q[-1], run.u[-1]
    assert np.abs(q / ordered(squeezer, AFTER) - 1.0).max() < 1e-9
    assert np.abs(u / ordered(squeezer, RATES) - 1.0).max() < 1e-7
    for name, found in squeezer.constraint_forces(q, u).items():
        assert -found == pytest.approx(MULTIPLIERS[name], rel=1e-5)
    checks = run.checks
    assert max(checks.drift.values()) < 1e-13
    assert checks.energy is not None and checks.energy < 1e-12 * checks.energy_size


@pytest.mark.parametrize("n", [1, 2, 4])
def test_parallel_four_bars_turn_as_one_pendulum(n: int) -> None:
    """Through a singular configuration twice a turn, some thirty turns in a minute; all rods stay parallel."""
    d = jd.compile(jd.gallery.parallel_four_bars(n), cache=NOWHERE)
    rods = np.array([name.startswith("rod") for name in d.system.coordinates])
    sign = np.where(rods, 1.0, -1.0)
    run = jd.simulate(d, np.pi / 2 * sign, -sign, MINUTE, method=jd.DormandPrince853(1e-12, 1e-13))
    assert run.is_complete
    inertia, moment = (n + 1) / 3 + n, 9.81 * ((n + 1) / 2 + n)
    exact = solve_ivp(
        lambda t, y: [y[1], -moment / inertia * np.cos(y[0])], (0, 60), [np.pi / 2, -1.0], method="DOP853",
        rtol=1e-13, atol=1e-13, t_eval=MINUTE,
    )  # fmt: skip
    assert exact.y[0, -1] < -25 * 2 * np.pi
    assert np.abs(run.q[:, rods] - exact.y[0][:, None]).max() < 1e-7
    assert np.abs(run.q[:, ~rods] + exact.y[0][:, None]).max() < 1e-7
    checks = run.checks
    assert max(checks.drift.values()) < 1e-10
    assert checks.energy is not None and checks.energy < 1e-9 * checks.energy_size


@pytest.mark.parametrize("n", [0, True, 2.0])
def test_a_row_of_no_parallelograms(n: object) -> None:
    with pytest.raises(ValueError, match="give a whole number from 1"):
        jd.gallery.parallel_four_bars(n)  # type: ignore[arg-type]


def test_bricard_moves_for_a_minute() -> None:
    """Angles from the cube, in turn, keep sin q1 + sin q2 + sin q1 sin q2 = 0: one equation tells the whole motion."""
    d = jd.compile(jd.gallery.bricard(), cache=NOWHERE)
    assert (d.redundancy.rank, len(d.redundancy.kept), d.redundancy.not_unique) == (4, 5, ("loop",))
    run = jd.simulate(d, np.zeros(5), np.zeros(5), 60.0)
    one, other = np.sin(run.q[:, 0]), np.sin(run.q[:, 1])
    assert np.abs(one + other + one * other).max() < 1e-12
    assert np.ptp(run.q[:, 0]) > 3.14
    assert np.abs(np.abs(run.q[:, [0, 2, 4]]) - np.abs(run.q[:, :1])).max() < 1e-12
    checks = run.checks
    assert checks.drift["loop"] < 1e-13
    assert checks.energy is not None and checks.energy < 1e-9 * checks.energy_size


def test_three_parallel_rods_carry_a_coupler() -> None:
    """One rod too many, yet it moves: what it adds to the rows holds where the others do."""
    m = jd.Model("three rods", gravity=(0, -9.81, 0))
    thin = jd.principal(0.0, 1 / 12, 1 / 12)
    rods = [m.body(f"rod{k}", mass=1.0, center=(0.5, 0, 0), inertia=thin) for k in range(3)]
    bar = m.body("bar", mass=2.0, center=(1, 0, 0), inertia=jd.principal(0.0, 0.7, 0.7))
    for k, rod in enumerate(rods):
        m.revolute(f"rod{k}", m.ground, rod, axis="z", at=(k, 0, 0))
    m.revolute("bar", rods[0], bar, axis="z", at=(1, 0, 0))
    for k in (1, 2):
        m.close(f"pin{k}", "revolute", bar, rods[k], axis="z", at=(k, 0, 0), child_at=(1, 0, 0))
    d = jd.compile(m.system(), cache=NOWHERE)
    assert d.redundancy.rank == 3
    assert set(d.redundancy.not_unique) == {"pin1", "pin2"}
    sign = np.where(np.array(d.system.coordinates) == "bar", -1.0, 1.0)
    # Swings that stay away from where all rods lie in a line: a pendulum about −π/2.
    run = jd.simulate(d, -0.9 * sign, 0.0 * sign, MINUTE, method=jd.DormandPrince853(1e-12, 1e-13))
    exact = solve_ivp(
        lambda t, y: [y[1], -9.81 * (1.5 + 2.0) / 3.0 * np.cos(y[0])], (0, 60), [-0.9, 0.0], method="DOP853",
        rtol=1e-13, atol=1e-13, t_eval=MINUTE,
    )  # fmt: skip
    assert np.abs(run.q - exact.y[0][:, None] * sign).max() < 1e-8
    assert max(run.checks.drift.values()) < 1e-12


ROUGH = {
    "four_bar": [1.0, -0.5, 1.5],
    "slider_crank": [1.0, -1.2, 0.17],
    "parallel_four_bars": [1.0, 1.0, 1.0, -1.0, -1.0],
    "bricard": [0.0] * 5,
    "andrews_squeezer": [START[k] for k in (0, 1, 2, 4, 3, 6, 5)],
}


@pytest.mark.parametrize("name", ROUGH)
@pytest.mark.parametrize("spread", [0.3, 1.0])
def test_rough_guesses_are_assembled(name: str, spread: float) -> None:
    d = jd.compile(getattr(jd.gallery, name)(), cache=NOWHERE)
    middle, rng = d.assemble(ROUGH[name]), np.random.default_rng(5)
    for _ in range(30):
        guess = middle + rng.uniform(-spread, spread, len(middle))
        q = d.assemble(guess)
        assert max(np.abs(x).max() for x in d.residual(q, np.zeros(len(d.system.speeds))).values()) < 1e-11


def test_lengths_that_cannot_close_are_said_with_what_is_left() -> None:
    """A rocker of 2 m, and 1.15 m between its pivot and its end at most: 0.85 m are missing."""
    d = jd.compile(jd.gallery.four_bar(), cache=NOWHERE).with_parameters({"l3": 2.0})
    with pytest.raises(AssemblyError, match=r"'four-bar' does not close .*: 'pin' misses by 0\.8") as caught:
        d.assemble([1.0, -0.5, 1.5])
    assert np.linalg.norm(caught.value.residuals["pin"][:3]) > 0.85 - 1e-9
    squeezer = jd.compile(jd.gallery.andrews_squeezer(), cache=NOWHERE).with_parameters({"e": 0.005, "zt": 0.02})
    with pytest.raises(AssemblyError, match="'K2 and K4' misses by"):
        squeezer.assemble(ROUGH["andrews_squeezer"])
