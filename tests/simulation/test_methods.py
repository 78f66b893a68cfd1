"""Laws over all methods: their order, agreement with SciPy, what the symplectic one keeps, the same bits twice."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import jourdain as jd
from jourdain.simulation.method import FixedStep, Stepped
from jourdain.simulation.methods import METHODS
from jourdain.simulation.methods.dormand_prince853 import DormandPrince853

from .mechanisms import oscillator, stone

Floats = NDArray[np.float64]
FIXED: list[Any] = [x for x in METHODS if issubclass(x, FixedStep)]
ADAPTIVE: list[Any] = [x for x in METHODS if not issubclass(x, FixedStep)]
START = (np.array([1.0, 0.5]), np.array([0.2, -0.1]))
END = 2.0
TIMES = np.linspace(0.0, END, 9)


@lru_cache(maxsize=1)
def double_pendulum() -> Any:
    return jd.compile(jd.gallery.double_pendulum())


@pytest.mark.parametrize("kind", [x for x in ADAPTIVE if issubclass(x, Stepped)])
def test_a_step_to_where_the_forces_are_not_defined_is_made_anew(kind: Any) -> None:
    """A wall of log q: the first step goes far through it, the motion never."""
    m = jd.Model("wall")
    body = m.body("mass", mass=1.0, inertia=jd.point_mass)
    q = m.prismatic("q", m.ground, body, axis="x").coordinate
    m.joint_force("q", -100.0 * jd.log(q))
    run = jd.simulate(m.system(), [1.0], [-10.0], 0.5, method=kind(1e-9, 1e-9, first_step=0.4))
    assert run.status.name == "DONE"
    energy = 0.5 * run.u[:, 0] ** 2 + 100.0 * (run.q[:, 0] * np.log(run.q[:, 0]) - run.q[:, 0])
    assert np.abs(energy - energy[0]).max() < 1e-5


@lru_cache(maxsize=1)
def reference() -> Floats:
    """(times, q and u) by SciPy, at the tightest tolerance."""
    f = jd.ode(double_pendulum())
    found = solve_ivp(f, (0.0, END), f.state(*START), method="DOP853", rtol=1e-13, atol=1e-14, t_eval=TIMES)
    return np.asarray(found.y.T)


def off(run: jd.Run) -> float:
    return float(np.abs(np.concatenate([run.q, run.u], axis=-1) - reference()).max())


def test_every_method_is_tried() -> None:
    assert len(FIXED) + len(ADAPTIVE) == len(METHODS) == 8


@pytest.mark.parametrize("method", FIXED, ids=lambda x: x.__name__)
def test_fixed_steps_have_their_order(method: type[FixedStep]) -> None:
    errors = [off(jd.simulate(double_pendulum(), *START, TIMES, method=method(h))) for h in (0.01, 0.005, 0.0025)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders == pytest.approx([method.order] * 2, abs=0.15)


@pytest.mark.parametrize("method", ADAPTIVE, ids=lambda x: x.__name__)
def test_adaptive_steps_keep_to_their_tolerance(method: type[Any]) -> None:
    errors = []
    for rtol in (1e-6, 1e-9):
        run = jd.simulate(double_pendulum(), *START, TIMES, method=method(rtol=rtol, atol=rtol))
        assert run.t == pytest.approx(TIMES, abs=0.0)
        errors.append(off(run))
    assert errors[0] < 3e-4 and errors[1] < 3e-7
    assert errors[1] < errors[0] / 30.0


def test_the_tightest_is_scipys_tightest() -> None:
    """Both at the limit of double precision."""
    run = jd.simulate(double_pendulum(), *START, TIMES, method=DormandPrince853(rtol=1e-13, atol=1e-14))
    assert off(run) < 2e-12


def test_steps_are_scipys_where_no_step_is_refused() -> None:
    """One step of both from the same state, of the same length: the new state and the estimate are the same."""
    from scipy.integrate import DOP853, RK45

    f = jd.ode(double_pendulum())
    y = f.state(*START)
    for kind, theirs in ((jd.DormandPrince853, DOP853), (jd.DormandPrince54, RK45)):
        h = 0.05
        solver = theirs(f, 0.0, y, h, first_step=h, rtol=1e-2, atol=1e-2)
        assert solver.step() is None and solver.t == h
        run = jd.simulate(double_pendulum(), *START, np.linspace(0, h, 6), method=kind(1e-2, 1e-2, first_step=h))
        assert run.counts["steps"] == 1 and run.counts["rejected"] == 0
        ours = np.concatenate([run.q, run.u], axis=-1)
        assert ours[-1] == pytest.approx(solver.y, abs=1e-14)
        polynomial = solver.dense_output()
        if kind is jd.DormandPrince853:
            assert np.abs(ours - polynomial(run.t).T).max() < 1e-13
        else:  # another interpolant of the same order
            assert np.abs(ours - polynomial(run.t).T).max() < 1e-6


@pytest.mark.parametrize("method", METHODS, ids=lambda x: x.__name__)
def test_the_same_run_gives_the_same_bits(method: Any) -> None:
    runs = [jd.simulate(double_pendulum(), *START, TIMES, method=method()) for _ in range(2)]
    assert runs[0].q.tobytes() == runs[1].q.tobytes() and runs[0].u.tobytes() == runs[1].u.tobytes()


# -- long times -------------------------------------------------------------------------------------------------------


def swings(method: Stepped, seconds: float) -> Floats:
    """Energy errors over a long swing of the pendulum, at whole seconds."""
    d = jd.compile(jd.gallery.pendulum())
    run = jd.simulate(d, [2.0], [0.0], np.arange(0.0, seconds + 1.0), method=method)
    total = d.energy(run.q, run.u).total
    return np.asarray(total - total[0])


def test_the_symplectic_method_keeps_energy_for_ever() -> None:
    """RK4 loses it in proportion to the time; the symplectic rule's error stays where it is."""
    h = 0.05
    kept, lost = (swings(kind(h), 4000.0) for kind in (jd.SymplecticMidpoint, jd.RK4))
    early, late = (np.abs(kept[k]).max() for k in (slice(0, 500), slice(3500, None)))
    assert late < 1.2 * early
    assert np.abs(lost[3500:]).max() > 6.0 * np.abs(lost[:500]).max()


def test_the_symplectic_step_preserves_areas() -> None:
    """The step's derivative in coordinates and momenta leaves the symplectic form alone; RK4's does not."""
    d = double_pendulum()

    def step(z: Floats, method: Stepped) -> Floats:
        u = np.linalg.solve(d.mass_matrix(z[:2]), z[2:])
        run = jd.simulate(d, z[:2], u, [0.0, 0.2], method=method)
        return np.concatenate([run.q[-1], d.mass_matrix(run.q[-1]) @ run.u[-1]])

    form = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.eye(2), np.zeros((2, 2))]])
    z = np.array([0.7, -0.4, 1.1, 0.8])
    misses = []
    for method in (jd.SymplecticMidpoint(0.2), jd.RK4(0.2)):
        e = 1e-5
        slope = np.array([(step(z + e * x, method) - step(z - e * x, method)) / (2 * e) for x in np.eye(4)]).T
        misses.append(float(np.abs(slope.T @ form @ slope - form).max()))
    assert misses[0] < 1e-9
    assert misses[1] > 1e-5


def test_the_implicit_midpoint_is_stable_where_explicit_steps_are_not() -> None:
    stiff = jd.compile(oscillator()).with_parameters({"k": 1e8, "c": 1e4})
    run = jd.simulate(stiff, [0.01], [0.0], 0.5, method=jd.ImplicitMidpoint(1e-2))
    assert run.is_complete and np.abs(run.q).max() <= 0.0101
    blown = jd.simulate(stiff, [0.01], [0.0], 10.0, method=jd.RK4(1e-2))
    assert blown.status is jd.Status.NOT_FINITE and "not finite" in blown.status.sentence
    assert np.isfinite(blown.q).all() and np.isfinite(blown.u).all()


# -- quaternions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [x for x in METHODS if x is not jd.SymplecticMidpoint], ids=lambda x: x.__name__)
def test_quaternions_stay_unit(method: Any) -> None:
    run = jd.simulate(stone(), [0, 0, 0, 0, 0, 0, 1.0], [0.1, 2.0, 0.2, 0.3, 0.0, 0.0], np.linspace(0, 4, 41), None,
                      method())  # fmt: skip
    assert np.abs(np.linalg.norm(run.q[:, 3:], axis=1) - 1.0).max() < 4e-16
    assert run.checks.quaternions < 4e-16


def test_a_spinning_stone_keeps_its_momentum_in_space() -> None:
    run = jd.simulate(stone(), [0, 0, 0, 0, 0, 0, 1.0], [0.1, 2.0, 0.2, 0.3, 0.0, 0.0], np.linspace(0, 20, 41),
                      method=jd.DormandPrince853(1e-13, 1e-13))  # fmt: skip
    momentum = run.compiled.momentum(run.q, run.u)
    assert np.abs(momentum - momentum[0]).max() < 1e-11
    assert run.checks.energy is not None and run.checks.energy < 1e-11
    assert len(run.checks.momenta) == 6


def test_angles_are_not_wrapped() -> None:
    run = jd.simulate(jd.gallery.pendulum(), [0.0], [20.0], 10.0)
    assert run.q[-1, 0] > 100.0
    assert np.abs(np.diff(run.q[:, 0])).max() < 6.0
