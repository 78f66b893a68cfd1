"""The equations handed to SciPy: equal results, exact Jacobians, states put back on their constraints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import jourdain as jd
from jourdain.driver import Compiled

from .mechanisms import LENGTH, belt, bob, crane, oscillator, stone

MOVED = {"push": "-3*slide + sin(t)*slidedot"}


def systems() -> dict[str, tuple[Compiled, Any]]:
    return {
        "stanford arm": (jd.compile(jd.gallery.stanford_arm()), None),
        "kane's speeds": (jd.compile(jd.gallery.stanford_arm_kane()), None),
        "cart": (jd.compile(jd.gallery.shopping_cart()), {"F": "2*sin(t) - u1"}),
        "cart, caster sticking": (jd.compile(jd.gallery.shopping_cart()).in_mode("caster sticks"), None),
        "crane": (jd.compile(crane()), MOVED),
        "bob": (jd.compile(bob()), None),
        "belt": (jd.compile(belt()), None),
        "stone": (jd.compile(stone()), None),
    }


@pytest.mark.parametrize("name", systems())
def test_slopes_are_difference_quotients(name: str) -> None:
    """Also of coordinates that constraints and quaternions bind: the numbers are differentiated as they stand."""
    d, inputs = systems()[name]
    f = jd.ode(d, inputs)
    rng = np.random.default_rng(3)
    y = rng.uniform(0.3, 1.0, size=len(d.system.coordinates) + len(d.system.speeds))
    names = d.system.coordinates
    for k, x in enumerate(names):
        if x.endswith(".qx"):
            y[k : k + 4] /= np.linalg.norm(y[k : k + 4])
    slopes = f.jacobian(0.3, y)
    step = 1e-5
    quotients = np.array([
        (8 * (f(0.3, y + step * e) - f(0.3, y - step * e)) - (f(0.3, y + 2 * step * e) - f(0.3, y - 2 * step * e)))
        / (12 * step) for e in np.eye(y.size)
    ]).T  # fmt: skip
    assert slopes.shape == quotients.shape
    assert np.abs(slopes - quotients).max() < 1e-8 * max(1.0, float(np.abs(slopes).max()))


@pytest.mark.parametrize("name", systems())
def test_rates_are_the_compiled_functions(name: str) -> None:
    d, inputs = systems()[name]
    f = jd.ode(d, inputs)
    rng = np.random.default_rng(4)
    q = rng.uniform(0.3, 1.0, size=(5, len(d.system.coordinates)))
    u = rng.uniform(0.3, 1.0, size=(5, len(d.system.speeds)))
    values = f.inputs(0.3, q, u)
    given = {x: values[..., k] for k, x in enumerate(d.system.inputs)}
    wanted = np.concatenate([d.rates(q, u, t=0.3), d.forward_dynamics(q, u, inputs=given, t=0.3)], axis=-1)
    found = f(0.3, f.state(q, u))
    assert np.abs(found - wanted).max() < 1e-12 * max(1.0, float(np.abs(wanted).max()))
    again = f.split(f.state(q, u))
    assert np.array_equal(again[0], q) and np.array_equal(again[1], u)


@pytest.mark.parametrize("method", ["DOP853", "RK45", "Radau"])
def test_scipy_takes_the_compiled_equations_with_equal_results(method: str) -> None:
    """The Stanford arm for a second, each against `simulate` at a tolerance of its own."""
    d = jd.compile(jd.gallery.stanford_arm())
    f = jd.ode(d)
    q, u = [0.1, np.pi / 2, 0.05, 0.2, 0.3, 0.4], [0.1, 0.2, 0.1, 0.3, 0.2, 0.1]
    times = np.linspace(0.0, 1.0, 11)
    options: dict[str, Any] = {"method": method, "rtol": 1e-9, "atol": 1e-10, "t_eval": times}
    if method == "Radau":
        options["jac"] = f.jacobian
    theirs = solve_ivp(f, (0, 1), f.state(q, u), **options)
    ours = jd.simulate(d, q, u, times, method=jd.DormandPrince853(1e-12, 1e-12))
    assert np.abs(np.concatenate([ours.q, ours.u], axis=-1) - theirs.y.T).max() < 3e-7


@pytest.mark.parametrize("kind", [jd.Radau, jd.Cvode])
def test_stiff_methods_are_quick_with_exact_slopes(kind: Any) -> None:
    """van der Pol's oscillator, stiff: push = 1000 (1 − x²) ẋ + 3 x."""
    d = jd.compile(oscillator())
    run = jd.simulate(d, [2.0], [0.0], [0.0, 500.0, 1000.0], {"push": "1000*(1 - x*x)*xdot + 3*x"},
                      kind(1e-8, 1e-10))  # fmt: skip
    f = jd.ode(d, {"push": "1000*(1 - x*x)*xdot + 3*x"})
    found = solve_ivp(f, (0, 1000), [2.0, 0.0], method="BDF", rtol=1e-9, atol=1e-11, jac=f.jacobian, t_eval=run.t)
    assert run.counts["steps"] < 2000
    assert run.q[:, 0] == pytest.approx(found.y[0], abs=1e-5)


def test_states_are_put_back() -> None:
    f = jd.ode(jd.compile(bob()))
    y = f.settled(0.0, np.array([LENGTH + 0.01, 0.02, 0.3, 0.4]))
    assert abs(np.hypot(y[0], y[1]) - LENGTH) < 1e-14 and abs(y[:2] @ y[2:]) < 1e-14
    assert np.array_equal(jd.ode(jd.compile(oscillator())).settled(0.0, np.array([1.0, 2.0])), [1.0, 2.0])
