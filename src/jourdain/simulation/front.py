"""`simulate`: from a system and a state to a run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..console import Console
from ..driver import Compiled, compile
from ..driver.expressions import Expression
from ..model.system import System
from .called import Function, conditions_of
from .carried_out import carried_out
from .checkpoint import keeper
from .compiled_run import CompiledRun, Progress
from .drive import Input, drives_of
from .event import Event, events_of
from .method import FixedStep, Method, Stepped
from .methods.dormand_prince853 import DormandPrince853
from .methods.radau import Radau
from .ode import Ode
from .pick import is_stiff
from .plant import INSTEAD
from .progress import progress_of
from .run import Run
from .scipy_run import ScipyRun
from .start import must_be_near

Floats = NDArray[np.float64]
MOST_ROWS = 20_000_000


def simulate(
    system: System | Compiled,
    q0: ArrayLike,
    u0: ArrayLike,
    t: ArrayLike,
    inputs: Mapping[str, Input] | None = None,
    method: Method | None = None,
    *,
    events: Mapping[str, Event | Expression] | None = None,
    calls: Mapping[str, Function] | None = None,
    progress: Progress | Console | bool | None = None,
    checkpoint: str | Path | None = None,
    checkpoint_every: float = 10.0,
    modes: Collection[Collection[str]] | None = None,
) -> Run:
    """The motion from a state, with the permanent constraints, or those of a compiled system's mode.

    q0 (coordinates,), u0 (speeds,): the start; one that nearly satisfies the constraints is put on them. t: the end
    [s], from 0, or increasing times, the first of which is the start. inputs: by name a value, an expression (text or a
    node of the model's), a table (times, values), or a function of (t, q, u). method: one of `jourdain`'s methods; a
    sensible one if left out, named in the run. events: by name an `Event`, or its guard alone. calls: the functions of
    (t, q, u) that switch constraints (`Model.call`), by name. progress: called now and then with the share that is
    done; True: told on standard error. checkpoint: an NPZ file that is written every so many seconds
    (checkpoint_every), and at Ctrl-C, from which `resume` goes on in another process to the same bits.

    modes: of a system whose constraints change, those that are compiled beforehand, with equations of their own, each
    the names of the switchable constraints that hold in it; the others go by the equations that serve all modes, to the
    same motion, if more slowly. `enumerate_modes` lists them; left out, all of a system with few switches are, for
    many equal steps. `Run.counts` says how many evaluations were in modes compiled beforehand.

    Steps are compiled with the equations and never return to Python, except to ask functions, and for `Radau` and
    `Cvode`, which SciPy and SUNDIALS step. What was computed is kept when the run fails or is interrupted;
    `Run.status` and `Run.reason` say so. Where a function raises an exception, `FunctionError` has what was computed.

    Where contacts, stops or switches come and go by themselves, `Run.changes` and `Run.modes` say when and why. A
    compiled system's mode is then what is switched on at the start; contacts find by themselves whether they touch.
    """
    compiled = system if isinstance(system, Compiled) else compiled_of(system)
    if not compiled.system.speeds:
        raise ValueError(f"system {compiled.system.name!r} has no freedom: nothing moves")
    if method is not None and not isinstance(method, Method):
        raise TypeError(f"method is {method!r}; one of jourdain's is needed, like jourdain.RK4(step=1e-3)")
    if modes is not None and not is_changing(compiled.system):
        raise ValueError(
            f"system {compiled.system.name!r} has the same constraints throughout, and its code is that of its one "
            "mode; leave `modes` out"
        )
    ode = Ode(compiled, drives_of(compiled.system, compiled.inputs, inputs))
    y = start_of(compiled, q0, u0)
    start, times, final = _times(t)
    watched = events_of(events)
    chosen = method if method is not None else DormandPrince853()
    if times is None and isinstance(chosen, FixedStep):
        times = _steps(start, final, chosen.step)
    conditions = conditions_of(compiled.system, calls)
    run: CompiledRun | ScipyRun
    kind = Run
    if is_changing(compiled.system):
        from .modes.changing_run import ChangingRun

        enumerated = _modes(ode, chosen, final - start, modes)
        kind, _ = kinds(compiled.system)
        run = ChangingRun(
            ode, _through_modes(compiled.system, chosen), watched, y, start, times, final, enumerated, conditions
        )
        run.refuse_start(y)
    elif isinstance(chosen, Stepped):
        run = CompiledRun(ode, chosen, watched, y, start, times, final)
        if method is None and is_stiff(run.rates, run.settled, final - start):
            chosen = Radau()
            run = ScipyRun(ode, chosen, watched, y, start, times, final)
    else:
        run = ScipyRun(ode, chosen, watched, y, start, times, final)
    if kind is Run:
        must_be_near(ode, compiled, y, run.settled, run.is_lost, start)
    told = progress_of(progress, compiled.system.name, start, final)
    kept = None if checkpoint is None else keeper(run, chosen, checkpoint, checkpoint_every, told)
    return carried_out(kind, ode, run, chosen, told, kept)


def is_changing(system: System) -> bool:
    """Whether constraints come and go by themselves."""
    return bool(system.contacts or system.switchings)


def _through_modes(system: System, method: Method) -> Stepped:
    """A method that can go through changing constraints; and what a system must not have for that."""
    if system.frictions:
        names = ", ".join(repr(x.name) for x in system.frictions)
        raise ValueError(
            f"the constraints of system {system.name!r} change while it moves, which friction that depends on forces "
            f"of constraints ({names}) cannot follow yet; write contacts with friction, or friction of a given force"
        )
    if not isinstance(method, Stepped):
        raise ValueError(
            f"{method.name} cannot integrate system {system.name!r}: it is stepped elsewhere, and "
            f"constraints come and go; {INSTEAD}"
        )
    return method


def kinds(
    system: System, modes: tuple[tuple[str, ...], ...] = ()
) -> tuple[type[Run], Callable[..., CompiledRun]]:
    """Of a run, and of what makes it in compiled steps: through modes where constraints come and go, some of which may
    be compiled beforehand."""
    if not is_changing(system):
        return Run, CompiledRun
    from .modes.changing_run import ChangingRun
    from .modes.modal_run import ModalRun

    return ModalRun, partial(ChangingRun, enumerated=modes)


def _modes(ode: Ode, method: Method, duration: float, given: object) -> tuple[tuple[str, ...], ...]:
    """Those that are compiled beforehand."""
    if not is_changing(ode.compiled.system):
        return ()
    from .modes.enumerating import chosen_modes

    return chosen_modes(ode, method, duration, given)


@lru_cache(maxsize=16)
def compiled_of(system: System) -> Compiled:
    """A system's functions, once for all its runs."""
    return compile(system)


def start_of(compiled: Compiled, q0: ArrayLike, u0: ArrayLike) -> Floats:
    """y (coordinates + speeds,) as it was given."""
    system, parts = compiled.system, []
    for what, given, names in (("q0", q0, system.coordinates), ("u0", u0, system.speeds)):
        try:
            array = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            raise TypeError(f"{what} is {given!r}; an array of numbers is needed") from None
        if array.shape != (len(names),):
            raise ValueError(
                f"{what} has the shape {array.shape}; system {system.name!r} needs ({len(names)},): {', '.join(names)}"
            )
        if not np.isfinite(array).all():
            bad = ", ".join(name for name, x in zip(names, array) if not np.isfinite(x))
            raise ValueError(f"{what} is not finite: {bad}")
        parts.append(array)
    return np.concatenate(parts)


def _times(t: ArrayLike) -> tuple[float, Floats | None, float]:
    """The start, the times asked for after it (None for an end alone), and the end."""
    given = np.asarray(t, dtype=np.float64)
    if given.ndim > 1 or (given.ndim == 1 and given.size < 2):
        raise ValueError(f"t has the shape {given.shape}; an end time, or two or more increasing times, are needed")
    if not np.isfinite(given).all():
        raise ValueError("t has a time that is not finite")
    if given.ndim == 0:
        if not given > 0.0:
            raise ValueError(f"t is {float(given):g} s; the end of a motion that starts at 0 must be later")
        return 0.0, None, float(given)
    if not (np.diff(given) > 0.0).all():
        k = int(np.argmin(np.diff(given) > 0.0))
        raise ValueError(f"times must increase, but t[{k + 1}] = {given[k + 1]:g} follows {given[k]:g}")
    return float(given[0]), np.ascontiguousarray(given[1:]), float(given[-1])


def _steps(start: float, final: float, step: float) -> Floats:
    """The ends of equal steps, none longer than that."""
    count = max(1, int(np.ceil((final - start) / step - 1e-6)))
    if count > MOST_ROWS:
        raise ValueError(f"{count} steps would be a row each; give the times that you want rows at, t=[0, …]")
    moments = start + (final - start) * np.arange(1, count + 1) / count
    moments[-1] = final
    return moments
