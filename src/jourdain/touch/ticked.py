"""Compiled runs with fixed steps that can be ticked by the loop: in one mode, or through all of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..driver import Compiled
from ..driver.changing import Changing
from ..driver.moving import Named
from ..native import Session
from ..simulation.compiled_run import CompiledRun
from ..simulation.drive import Input, drives_of
from ..simulation.front import is_changing, start_of
from ..simulation.method import FixedStep
from ..simulation.ode import Ode
from .stage import Floats

SPARE = 8  # steps more than usual that a period may take
CHANGES = 256  # and more than that where constraints change in it
ANY = 1e-3  # s: a step until the first tick says which


@dataclass(frozen=True, eq=False)
class Ticked:
    """A run that ends, with status DONE, at the first of its `times`; then it can be sent on.

    compiled: what moves. session: with the cells status, upcoming, step and t, and with times, inputs and parameters
    among what it was given. state (y,): coordinates, then speeds, a view. drives: inputs that follow expressions.
    orders: what cells are set to before each tick. budget: steps that may be made in a tick beside the usual ones.
    switches: names, in the order of the array `switched`; mode: names of the switchable constraints that hold.
    """

    compiled: Compiled
    session: Session
    state: Floats
    drives: Named
    orders: Mapping[str, float]
    budget: int
    switches: tuple[str, ...]
    mode: Callable[[], tuple[str, ...]]


def ticked(
    compiled: Compiled, q0: ArrayLike, u0: ArrayLike, method: type[FixedStep],
    inputs: Mapping[str, Input] | None = None, modes: Collection[Collection[str]] = (),
) -> Ticked:  # fmt: skip
    """A run from a state. inputs: as of `simulate`, but for functions. modes: those that get code of their own; if they
    are given, switches can be turned on the way. Without them constraints stay as they are, unless they change by
    themselves."""
    system = compiled.system
    ode = Ode(compiled, drives_of(system, compiled.inputs, inputs))
    if ode.drives.functions:
        raise ValueError(f"input {ode.drives.functions[0][1]!r} is a function, and the loop is not in Python")
    y, drives = start_of(compiled, q0, u0), ode.drives.expressions
    orders = {"row": 0.0, "count": 1.0, "left": 0.0}
    if modes and not any(x.switchable for x in system.conditions):
        raise ValueError(f"modes are given, but system {system.name!r} has no constraint that can be switched")
    if modes or is_changing(system):
        return _through_modes(ode, method, y, modes, orders)
    run = CompiledRun(ode, method(step=ANY), {}, y, 0.0, np.zeros(1), np.inf)
    state = run.session.array("y")[: run.own]
    # `started` 0 brings the state onto the constraints, and finds its rates under the forces of now.
    return Ticked(
        compiled, run.session, state, drives, {**orders, "started": 0.0}, SPARE, (), lambda: compiled.mode
    )


def _through_modes(
    ode: Ode, method: type[FixedStep], y: Floats, modes: Collection[Collection[str]], orders: Mapping[str, float]
) -> Ticked:
    from ..model.changing import Call, guards
    from ..simulation.modes.enumerating import checked_modes
    from ..simulation.modes.ticking import TickingRun

    system, expressions = ode.compiled.system, ode.drives.expressions
    for guard in guards(system.switchings):
        if isinstance(guard, Call):
            raise ValueError(
                f"switches of system {system.name!r} ask the function {guard.name!r}, and the loop is not in Python"
            )
    run = TickingRun(ode, method(step=ANY), y, 0.0, checked_modes(Changing.of(system, expressions), modes))
    run.refuse_start(y)
    session = run.session
    return Ticked(
        ode.compiled, session, session.array("y")[: run.own], expressions,
        {**orders, "inputs set": 1.0, "change rows": 0.0}, SPARE + CHANGES, run.layout.switches,
        lambda: run.layout.mode(np.concatenate([np.empty(0), *run.marks()])),
    )  # fmt: skip
