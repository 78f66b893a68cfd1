"""Times of simulation: the Stanford arm and the shopping cart, compiled whole, beside SciPy on the same equations; and
the cart while a guard makes its caster stick and lets it go, by the equations of each mode and by those of all modes.

    python benchmarks/simulation.py

Each adaptive run is at a relative tolerance of 1e-9 over 10 s; errors are against a run at 1e-13. Times are the least
of several, without compiling.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import jourdain as jd
from jourdain.console import duration, table
from jourdain.driver import Compiled

Floats = NDArray[np.float64]
END, RTOL, ATOL = 10.0, 1e-9, 1e-10
ARM = ([0.0, np.pi / 2, 0.0, 0.0, 0.0, 0.0], [0.1, 0.2, 0.1, 0.1, 0.2, 0.3])


def timed(function: Callable[[float, Floats], Floats], y: Floats, options: dict[str, Any]) -> float:
    """Seconds that SciPy takes."""
    start = time.perf_counter()
    solve_ivp(function, (0.0, END), y, **options)
    return time.perf_counter() - start


def adaptive() -> None:
    """Dormand and Prince's methods, ours and SciPy's, on the same compiled equations."""
    d = jd.compile(jd.gallery.stanford_arm())
    f = jd.ode(d)
    y = f.state(*ARM)
    exact = jd.simulate(d, *ARM, [0.0, END], method=jd.DormandPrince853(1e-13, 1e-13))
    final = f.state(exact.q[-1], exact.u[-1])

    def by_hand(_: float, y: Floats) -> Floats:
        return np.concatenate([y[6:], d.forward_dynamics(y[:6], y[6:])])

    rows = []
    kinds: tuple[tuple[str, type[Any], str], ...] = (
        ("5(4)", jd.DormandPrince54, "RK45"), ("8(5,3)", jd.DormandPrince853, "DOP853"),
    )  # fmt: skip
    for name, kind, theirs in kinds:
        run = jd.simulate(d, *ARM, [0.0, END], method=kind(RTOL, ATOL))
        seconds = min(jd.simulate(d, *ARM, [0.0, END], method=kind(RTOL, ATOL)).seconds for _ in range(7))
        off = float(np.abs(f.state(run.q[-1], run.u[-1]) - final).max())
        rows.append([f"{name} jourdain", duration(seconds), "1", run.counts["steps"], run.counts["evaluations"], off])
        for what, function in (("solve_ivp, jourdain.ode", f), ("solve_ivp, by hand", by_hand)):
            options: dict[str, Any] = {"method": theirs, "rtol": RTOL, "atol": ATOL}
            found = solve_ivp(function, (0.0, END), y, **options)
            spent = min(timed(function, y, options) for _ in range(3))
            error = float(np.abs(found.y[:, -1] - final).max())
            more = f"{spent / seconds:.0f}"
            rows.append([f"{name} {what}", duration(spent), more, len(found.t) - 1, found.nfev, error])
    header = ["Stanford arm, 10 s", "time", "times ours", "steps", "evaluations", "error"]
    print(table(header, [[*map(str, row[:-1]), f"{row[-1]:.0e}"] for row in rows]))


def fixed() -> None:
    """Steps a second of fixed steps."""
    arm, cart = jd.compile(jd.gallery.stanford_arm()), jd.compile(jd.gallery.shopping_cart())
    q = np.array([0.1, -0.2, 0.3, 0.4])
    u = cart.complete(q, [1.0, 0.3], ["u1", "u2"])
    methods: tuple[type[Any], ...] = (jd.SemiImplicitEuler, jd.RK4, jd.ImplicitMidpoint, jd.SymplecticMidpoint)
    cases: tuple[tuple[str, Compiled, Any, Any], ...] = (
        ("Stanford arm", arm, *ARM), ("shopping cart", cart, q, u),
        ("caster sticking", cart.in_mode("caster sticks"), q, np.zeros(3)),
    )  # fmt: skip
    rows = []
    for name, d, q0, u0 in cases:
        for kind in methods:
            try:
                runs = [jd.simulate(d, q0, u0, [0.0, END], method=kind(1e-3)) for _ in range(5)]
            except ValueError:  # constraints and momenta do not go together
                continue
            seconds = min(run.seconds for run in runs) / runs[0].counts["steps"]
            rows.append([name, kind.__name__, f"{seconds * 1e9:.0f} ns", f"{1.0 / seconds / 1e6:.2f} million/s"])
    print(table(["fixed steps", "method", "a step", "steps"], rows))


def switching() -> None:
    """Steps a second where constraints change: the cart's caster sticks while sin(500 t) is positive."""
    m = jd.Model.of(jd.gallery.shopping_cart())
    m.switch("by the clock", m["swivel"].speed, on=jd.sin(500.0 * m.time), off=-jd.sin(500.0 * m.time))
    cart = jd.compile(m.system())
    q = np.array([0.1, -0.2, 0.3, 0.4])
    u = cart.complete(q, [1.0, 0.3], ["u1", "u2"])
    rows = []
    methods: tuple[type[Any], ...] = (jd.RK4, jd.SemiImplicitEuler)
    for kind in methods:
        for what, modes in (("each mode's own", [(), ("by the clock",)]), ("those of all modes", ())):
            runs = [
                jd.simulate(cart, q, u, [0.0, 20.0], {"F": 2.0, "tau": "sin(3*t)"}, kind(2e-5), modes=modes)
                for _ in range(5)
            ]
            seconds = min(run.seconds for run in runs) / runs[0].counts["steps"]
            changes = getattr(runs[0], "changes", ())
            times = f"{seconds * 1e9:.0f} ns", f"{1e-6 / seconds:.2f} million/s"
            rows.append([kind.__name__, what, str(len(changes)), *times])
    print(table(["shopping cart, switching", "equations", "changes", "a step", "steps"], rows))


if __name__ == "__main__":
    adaptive()
    print()
    fixed()
    print()
    switching()
