"""The n-link pendulum in relative angles: how long it takes to derive and to compile, beside SymPy's KanesMethod.

    python benchmarks/pendulum_growth.py [--most 30] [--sympy 6]

Point masses on massless rods, every mass and length a symbol. Milliseconds of processor time, the least of several
runs:

    model    from nothing to the frozen System
    M, F     mass matrix and forcing, as expressions; what SymPy's column gives too
    u̇       forward dynamics as expressions
    answer   from nothing to the first number of forward dynamics: model, derivation, machine code (no cache)
    SymPy    KanesMethod's mass_matrix_full and forcing_full, one run, up to --sympy links (minutes at n = 15)
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial

import numpy as np

import jourdain as jd
from jourdain.driver.counting import derivation
from jourdain.graph import Node
from jourdain.model.handles import BodyHandle
from jourdain.model.system import System
from jourdain.native import Cache

Triple = tuple[Node | float, Node | float, Node | float]
SIZES = (1, 2, 3, 6, 10, 15, 30)


def pendulum(n: int) -> System:
    """n rods, each hung on the one before; coordinates are the angles from rod to rod."""
    m = jd.Model(f"pendulum{n}")
    m.gravity = (0, -m.parameter("g", 9.81), 0)
    parent: BodyHandle = m.ground
    end: Triple = (0, 0, 0)
    for k in range(1, n + 1):
        length = m.parameter(f"l{k}", 1.0)
        bob = m.particle(f"P{k}", m.parameter(f"m{k}", 1.0), center=(0, -length, 0))
        m.revolute(f"q{k}", parent, bob, axis="z", at=end)
        parent, end = bob, (0, -length, 0)
    return m.system()


def derived(system: System, *quantities: str) -> None:
    """As expressions, in the formulation that is compiled."""
    for name in quantities:
        derivation(system, name)


def answered(n: int) -> None:
    """All the way to a number, by compiled code."""
    d = jd.compile(pendulum(n), cache=Cache(None)).ready("forward_dynamics")
    assert np.isfinite(d.forward_dynamics(np.full(n, 0.1), np.full(n, 0.2))).all()


def fastest_ms(work: Callable[[], object], runs: int) -> float:
    """Of several runs."""
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return 1e3 * best


def sympy_ms(n: int) -> float:
    """KanesMethod for the same pendulum, one run."""
    from sympy import symbols
    from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame, dynamicsymbols

    start = time.process_time()
    q, u = dynamicsymbols(f"q1:{n + 1}"), dynamicsymbols(f"u1:{n + 1}")
    masses, lengths, g = symbols(f"m1:{n + 1}"), symbols(f"l1:{n + 1}"), symbols("g")
    ground, pivot = ReferenceFrame("N"), Point("O")
    pivot.set_vel(ground, 0)
    frame, at, particles, loads = ground, pivot, [], []
    for k in range(n):
        rod = frame.orientnew(f"A{k}", "Axis", [q[k], frame.z])
        rod.set_ang_vel(frame, u[k] * frame.z)
        bob = at.locatenew(f"P{k}", -lengths[k] * rod.y)
        bob.v2pt_theory(at, ground, rod)
        particles.append(Particle(f"B{k}", bob, masses[k]))
        loads.append((bob, -masses[k] * g * ground.y))
        frame, at = rod, bob
    kane = KanesMethod(ground, q_ind=q, u_ind=u, kd_eqs=[a.diff() - b for a, b in zip(q, u)])
    kane.kanes_equations(particles, loads)
    _ = kane.mass_matrix_full, kane.forcing_full
    return 1e3 * (time.process_time() - start)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=15, help="links")
    parser.add_argument("--sympy", type=int, default=0, help="as many links by SymPy too")
    parser.add_argument("--runs", type=int, default=7, help="of which the fastest counts")
    given = parser.parse_args()
    answered(1)  # what is loaded once: LLVM, the host's description
    print(f"{'n':>3}{'model':>9}{'M, F':>9}{'u̇':>10}{'answer':>10}{'SymPy':>12}")
    for n in (x for x in SIZES if x <= given.most):
        system = pendulum(n)
        figures = [
            fastest_ms(partial(pendulum, n), given.runs),
            fastest_ms(partial(derived, system, "mass_matrix", "inverse_dynamics"), given.runs),
            fastest_ms(partial(derived, system, "forward_dynamics"), given.runs),
            fastest_ms(partial(answered, n), given.runs),
        ]
        peer = f"{sympy_ms(n):12.0f}" if n <= given.sympy else f"{'—':>12}"
        print(f"{n:3}" + "".join(f"{x:9.1f}" for x in figures) + peer, flush=True)


if __name__ == "__main__":
    main()
