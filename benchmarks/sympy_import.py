"""From a model of SymPy's to its first accelerations: SymPy itself beside `jourdain.from_sympy`.

    python benchmarks/sympy_import.py [--runs 3] [--limit 120] [MODEL ...]

SymPy: form equations, lambdify, evaluate, solve; lambdify as it comes, and with common subexpressions found (cse=True),
which it has to be told. Jourdain: import, derive, evaluate, solve. Ratios are SymPy's time, first as it comes, then
with cse, to ours. Machine code is made at our second call, which is timed, too: from nothing, and with code from the
disk, as when a program is run again; SymPy's function is as ready as it gets after the first.

Seconds of processor time, the least of several runs. Every run begins with the same model, built anew and SymPy's cache
emptied before that; neither library's own imports are within the times. A run of SymPy's that takes longer than the
limit, in a process of its own, is given up. MODEL: part of a name; all if left out.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy.core.cache import clear_cache
from sympy.physics.vector import dynamicsymbols

import jourdain as jd
from jourdain.bench.sympy_models import MODELS, SympyModel, four_bar
from jourdain.driver import Compiled
from jourdain.model.system import System
from jourdain.native import Cache

Floats = NDArray[np.float64]
Timed = tuple[float, Floats]
T = TypeVar("T")


def state(count: int) -> tuple[Floats, Floats]:
    """A state in which nothing lines up."""
    return np.linspace(0.3, 0.8, count), np.linspace(-0.4, 0.5, count)


def by_sympy(given: SympyModel, cse: bool) -> Floats:
    """The speeds' rates."""
    equations = given.form()
    mass, forcing = equations.mass_matrix, equations.forcing
    q, u = list(equations.q), list(equations.u)
    symbols = sorted((mass.free_symbols | forcing.free_symbols) - {dynamicsymbols._t}, key=str)
    inputs = sorted(set(sympy.Matrix(forcing).atoms(sympy.core.function.AppliedUndef)) - {*q, *u}, key=str)
    function = sympy.lambdify([q, u, symbols, inputs], [mass, forcing], "numpy", cse=cse)
    values = [given.values[str(x)] for x in symbols]
    at_q, at_u = state(len(u))
    m, f = function(at_q[: len(q)], at_u, values, np.zeros(len(inputs)))
    answer: Floats = np.linalg.solve(np.asarray(m, float), np.asarray(f, float)[:, 0])
    return answer


def by_jourdain(given: SympyModel) -> tuple[Compiled, Floats]:
    """The same; and the functions, for another call."""
    system = jd.from_sympy(given.model, bodies=given.bodies, loads=given.loads, values=given.values)
    compiled = jd.compile(system, cache=Cache(None))
    return compiled, compiled.forward_dynamics(*state(len(system.speeds)))


def least(name: str, answer: Callable[[SympyModel], T], runs: int) -> tuple[float, T]:
    """Seconds of the fastest run, and what it answered."""
    found: list[tuple[float, T]] = []
    for _ in range(runs):
        clear_cache()
        given = MODELS[name]()
        start = time.process_time()
        answered = answer(given)
        found.append((time.process_time() - start, answered))
    return min(found, key=lambda x: x[0])


def second(system: System, cache: Cache, runs: int) -> float:
    """Seconds of the second call, by compiled code: the fastest run's."""
    best = float("inf")
    for _ in range(runs):
        compiled = jd.compile(system, cache=cache)
        compiled.forward_dynamics(*state(len(system.speeds)))
        start = time.process_time()
        compiled.forward_dynamics(*state(len(system.speeds)))
        best = min(best, time.process_time() - start)
    return best


def theirs(name: str, cse: bool, runs: int, limit: float) -> Timed | None:
    """SymPy's, in a process of its own; None if one run takes longer than the limit."""
    command = [sys.executable, __file__, name, "--sympy", "cse" if cse else "plain"]
    found: list[Timed] = []
    while len(found) < runs:
        try:
            told = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=limit).stdout
        except subprocess.TimeoutExpired:
            return None
        seconds, answer = json.loads(told)
        found.append((seconds, np.array(answer)))
    return min(found, key=lambda x: x[0])


def main() -> None:
    """One line a model."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", metavar="MODEL")
    parser.add_argument("--runs", type=int, default=3, help="of which the fastest counts")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds that one run of SymPy's may take")
    parser.add_argument("--sympy", choices=["plain", "cse"], help="one run of SymPy's for one model, as JSON")
    options = parser.parse_args()
    if options.sympy:
        (name,) = options.models
        seconds, answer = least(name, lambda given: by_sympy(given, options.sympy == "cse"), 1)
        print(json.dumps([seconds, answer.tolist()]))
        return
    chosen = [x for x in MODELS if not options.models or any(y.lower() in x.lower() for y in options.models)]
    second(by_jourdain(four_bar())[0].system, Cache(None), 1)  # what is imported where it is used is imported now
    heads = ("SymPy s", "with cse s", "ours s", "ratios", "its code s", "from disk s", "difference")
    print(f"{'':14}" + "".join(f"{x:>{width}}" for x, width in zip(heads, (12, 12, 10, 14, 12, 13, 12))))
    for name in chosen:
        pair = [theirs(name, cse, options.runs, options.limit) for cse in (False, True)]
        own, (compiled, ours) = least(name, by_jourdain, options.runs)
        made = second(compiled.system, Cache(None), options.runs)
        with tempfile.TemporaryDirectory() as folder:
            second(compiled.system, Cache(Path(folder)), 1)
            loaded = second(compiled.system, Cache(Path(folder)), options.runs)
        told = [f"over {options.limit:.0f}" if x is None else f"{x[0]:.2f}" for x in pair]
        ratios = ", ".join(f">{options.limit / own:.0f}" if x is None else f"{x[0] / own:.0f}" for x in pair)
        known = pair[1] or pair[0]
        miss = "" if known is None else f"{np.abs(ours - known[1]).max() / np.abs(known[1]).max():12.1e}"
        figures = f"{told[0]:>12}{told[1]:>12}{own:10.4f}{ratios:>14}{made:12.4f}{loaded:13.4f}"
        print(f"{name:14}{figures}{miss}", flush=True)


if __name__ == "__main__":
    main()
