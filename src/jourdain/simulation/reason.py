"""Why a run ended: the status in words, with the time, and what is wrong by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..model.mistakes import counted
from .status import Status

if TYPE_CHECKING:
    from .run import Run

Floats = NDArray[np.float64]
MISSED = 1e-9  # [SI]: what is worth telling


def reason(run: Run) -> str:
    """A sentence; where the run failed, what was computed until then is kept."""
    if run.is_complete or run.status in (Status.INTERRUPTED, Status.RUNNING):
        return run.status.sentence
    t, y = run.going.failed or (float(run.t[-1]), np.concatenate([run.q[-1], run.u[-1]]))
    said = "; ".join([run.status.sentence, *_wrong(run, t, y)])
    return f"at {t:.9g} s: {said}; {counted(len(run.t), 'row')} until {run.t[-1]:.9g} s"


def _wrong(run: Run, t: float, y: Floats) -> list[str]:
    q, u = run.ode.split(y)
    names = [*run.system.coordinates, *(f"the speed {x}" for x in run.system.speeds)]
    bad = [name for name, x in zip(names, y) if not np.isfinite(x)]
    if bad:
        return [f"{_listed(bad)} {'is' if len(bad) == 1 else 'are'} not finite"]
    found = []
    d, inputs = run.compiled, dict(zip(run.system.inputs, run.ode.inputs(t, q, u)))
    for name, x in d.residual(q, u, inputs=inputs, t=t).items():
        worst = float(np.abs(x).max())
        if worst > MISSED:
            found.append(f"{name!r} misses by {worst:.3g}")
    if run.status is Status.STEP_TOO_SMALL:
        fastest = int(np.argmax(np.abs(u)))
        found.append(f"the fastest speed is {run.system.speeds[fastest]} = {u[fastest]:.3g}")
    if d.imposed:
        here = d.redundancy_at(q, inputs=inputs, t=t)
        if here.rank < d.redundancy.rank or (run.status is Status.CONSTRAINTS_LOST and here.not_unique):
            found.append(f"rows of {_listed([repr(x) for x in here.not_unique])} depend on each other here")
    return found


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
