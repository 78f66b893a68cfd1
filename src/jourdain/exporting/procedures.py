"""A system's functions and its motion as procedures, with what their memory holds at the start."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..driver.call import packed
from ..program import Draft, Procedure, Program
from ..program.procedure import Store
from ..simulation.compiled_run import CompiledRun
from ..simulation.drive import drives_of
from ..simulation.front import kinds
from ..simulation.ode import Ode
from .plan import Plan

Floats = NDArray[np.float64]
MOTION = "motion"
NEVER = np.inf


@dataclass(frozen=True)
class Motion:
    """A steppable run. memory: before the start; given: the arrays it works on, as they are then.

    own: numbers of (q, u) at the beginning of the state `y`. The caller says the next time in `times`, sets `row`,
    `status`, `left` and the tables' counts to zero, and runs it: it goes on to that time.
    """

    procedure: Procedure
    memory: Floats
    given: dict[str, Floats]
    own: int


@dataclass(frozen=True)
class Function:
    """A function as a procedure: which arrays it reads, and which it makes."""

    name: str
    procedure: Procedure
    reads: list[str]
    makes: list[str]


def functions_of(plan: Plan) -> Iterator[Function]:
    """Those without results are left out."""
    for name in plan.functions:
        derived = plan.compiled.derived(name)
        if not derived.is_empty:
            yield _function(name, derived.program)


def _function(name: str, program: Program) -> Function:
    draft = Draft(name)
    parameters = draft.array("parameters", len(program.parameters), given=True)
    inputs = [draft.array(block.name, len(block)) for block in program.inputs]
    outputs = [draft.array(block.name, len(block)) for block in program.outputs]
    draft.call(program, inputs, outputs, parameters)
    return Function(name, draft.done(), [x.name for x in inputs], [x.name for x in outputs])


def parameters_of(plan: Plan) -> Floats:
    """Values (parameters,)."""
    found = packed(plan.compiled.system.parameters, plan.compiled.parameters, "parameter")
    if found.ndim > 1:
        raise ValueError("parameters have batch axes; one system is exported at a time")
    return found


def motion_of(plan: Plan) -> Motion:
    """The loop that `simulate` runs, from the plan's start."""
    compiled = plan.compiled
    parameters_of(plan)
    ode = Ode(compiled, drives_of(compiled.system, compiled.inputs, None))
    if ode.drives.values.ndim > 1:
        raise ValueError("inputs have batch axes; one system is exported at a time")
    loop: type[CompiledRun] = kinds(compiled.system)[1]
    run = loop(ode, plan.method, {}, ode.state(plan.q, plan.u), 0.0, np.array([NEVER]), NEVER)
    if run.is_lost:
        raise ValueError(f"system {compiled.system.name!r} cannot be put on its constraints at q0, u0")
    procedure = run.routine.procedure
    tables = {x.table.name for x in procedure.statements if isinstance(x, Store)}  # what is in them now is nothing
    given = {name: np.zeros_like(x) if name in tables else x.copy() for name, x in run.session.given.items()}
    return Motion(procedure, run.fresh, given, run.own)
