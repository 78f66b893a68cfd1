"""Random scenes: linked bodies dropped on a floor, each with any friction and restitution. How do all of them end?

    python benchmarks/scenes.py [COUNT [FIRST]]

What is told: ends by their names, the greatest energy that any change of a mode added, the greatest error of energy
between changes, how far anything went through the floor.
"""

from __future__ import annotations

import collections
import sys
import time

import numpy as np

import jourdain as jd
from jourdain.bench.random_scenes import scene

METHOD = jd.DormandPrince54(rtol=1e-8, atol=1e-9)
END = 3.0  # [s]


def main(count: int, first: int) -> None:
    """Runs them one after the other; those that do not end as they should have a line each."""
    ends: collections.Counter[str] = collections.Counter()
    gained, off, through, changes, seconds, slowest = 0.0, 0.0, 0.0, 0, 0.0, 0.0
    began = time.perf_counter()
    for seed in range(first, first + count):
        system, q, u = scene(seed)
        run = jd.simulate(system, q, u, END, method=METHOD)
        assert isinstance(run, jd.ModalRun)
        checks = run.checks
        ends[run.status.name] += 1
        gained = max(gained, *(x.work for x in run.changes), 0.0)
        off = max(off, checks.energy or 0.0)
        through = max(through, *checks.drift.values())
        changes += len(run.changes)
        seconds, slowest = seconds + run.seconds, max(slowest, run.seconds)
        if not (run.is_complete and np.isfinite(run.q).all() and np.isfinite(run.u).all()):
            print(f"scene {seed}: {run.status.sentence} ({run.t[-1]:.6g} s)", flush=True)
        if seed % 100 == 99:
            print(f"{seed + 1 - first} scenes, {time.perf_counter() - began:.0f} s", flush=True)
    said = ", ".join(f"{name} {x}" for name, x in ends.most_common())
    print(
        f"{count} scenes of {END:g} s: {said}; {changes} changes of modes\n"
        f"energy that a change added: at most {gained:.1e} J; error of the energy balance: at most {off:.1e} J; "
        f"constraints and floor hold within {through:.1e}\n"
        f"{seconds / count * 1e3:.1f} ms a run on average, {slowest * 1e3:.0f} ms at most, without compiling"
    )


if __name__ == "__main__":
    asked = [int(x) for x in sys.argv[1:]]
    main(asked[0] if asked else 1000, asked[1] if len(asked) > 1 else 0)
