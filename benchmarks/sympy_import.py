"""From a model of SymPy's to its first accelerations: SymPy itself beside `jourdain.from_sympy`.

    python benchmarks/sympy_import.py [--plain] [MODEL ...]

SymPy: form equations, lambdify with common subexpressions found, evaluate, solve; with --plain, lambdify as it comes,
which takes minutes for the bicycle. Jourdain: import, derive, compile, evaluate; from nothing, and with machine code
from the disk, as when a program is run again. Both begin with the same model, built anew; neither library's own
imports are within the times. MODEL: part of a name; all if left out.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy.physics.vector import dynamicsymbols

import jourdain as jd
from jourdain.bench.sympy_models import MODELS, SympyModel, four_bar
from jourdain.native import Cache

Floats = NDArray[np.float64]
RUNS = 3


def state(count: int) -> tuple[Floats, Floats]:
    """A state in which nothing lines up."""
    return np.linspace(0.3, 0.8, count), np.linspace(-0.4, 0.5, count)


def by_sympy(given: SympyModel, plain: bool) -> tuple[Floats, float]:
    """The speeds' rates, and the seconds they took."""
    start = time.perf_counter()
    equations = given.form()
    mass, forcing = equations.mass_matrix, equations.forcing
    q, u = list(equations.q), list(equations.u)
    symbols = sorted((mass.free_symbols | forcing.free_symbols) - {dynamicsymbols._t}, key=str)
    inputs = sorted(set(sympy.Matrix(forcing).atoms(sympy.core.function.AppliedUndef)) - {*q, *u}, key=str)
    function = sympy.lambdify([q, u, symbols, inputs], [mass, forcing], "numpy", cse=not plain)
    values = [given.values[str(x)] for x in symbols]
    at_q, at_u = state(len(u))
    m, f = function(at_q[: len(q)], at_u, values, np.zeros(len(inputs)))
    answer: Floats = np.linalg.solve(np.asarray(m, float), np.asarray(f, float)[:, 0])
    return answer, time.perf_counter() - start


def by_jourdain(given: SympyModel, cache: Cache) -> tuple[Floats, float]:
    """The same."""
    start = time.perf_counter()
    system = jd.from_sympy(given.model, bodies=given.bodies, loads=given.loads, values=given.values)
    compiled = jd.compile(system, cache=cache)
    q, u = state(len(system.speeds))
    answer: Floats = compiled.forward_dynamics(q, u)
    return answer, time.perf_counter() - start


def main() -> None:
    """One line a model."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", metavar="MODEL")
    parser.add_argument("--plain", action="store_true", help="lambdify without cse")
    options = parser.parse_args()
    chosen = [x for x in MODELS if not options.models or any(y.lower() in x.lower() for y in options.models)]
    by_jourdain(four_bar(), Cache(None))  # what is imported where it is used is imported now
    print(f"{'':14}{'SymPy s':>10}{'ours s':>10}{'ratio':>8}{'from disk s':>13}{'ratio':>8}{'difference':>12}")
    for name in chosen:
        theirs, seconds = by_sympy(MODELS[name](), options.plain)
        with tempfile.TemporaryDirectory() as folder:
            kept = Cache(Path(folder))
            fresh = min(by_jourdain(MODELS[name](), Cache(None))[1] for _ in range(RUNS))
            by_jourdain(MODELS[name](), kept)
            runs = [by_jourdain(MODELS[name](), kept) for _ in range(RUNS)]
        ours, again = runs[0][0], min(x for _, x in runs)
        miss = float(np.abs(ours - theirs).max() / np.abs(theirs).max())
        first, second = (f"{x:10.4f}{seconds / x:8.0f}" for x in (fresh, again))
        print(f"{name:14}{seconds:10.2f}{first}   {second}{miss:12.1e}")


if __name__ == "__main__":
    main()
