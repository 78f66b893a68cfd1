"""A run made to its end, told of and kept on the way."""

from __future__ import annotations

from .checkpoint import Keeper
from .compiled_run import CompiledRun, Progress
from .method import Method
from .ode import Ode
from .progress import Told
from .run import Run
from .scipy_run import ScipyRun


def carried_out(
    kind: type[Run], ode: Ode, run: CompiledRun | ScipyRun, method: Method, told: Progress | None, kept: Keeper | None
) -> Run:
    """kind: of run that is answered. kept: what writes its checkpoints, if there are to be any."""
    try:
        done = kind.of(ode, run, method, kept or told)
    finally:
        if isinstance(told, Told):
            told.close()
    if kept is not None:
        kept.close(done.status)
    return done
