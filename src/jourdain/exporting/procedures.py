"""A system's functions and its motion as procedures, with what their memory holds at the start."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..driver.call import packed
from ..model.system import System
from ..program import Draft, Procedure, Program
from ..program.procedure import Store
from ..simulation.compiled_run import CompiledRun
from ..simulation.drive import drives_of
from ..simulation.modes.ticking import TickingRun
from ..simulation.ode import Ode
from ..simulation.start import must_be_near
from .plan import Plan

Floats = NDArray[np.float64]
MOTION = "motion"


@dataclass(frozen=True)
class Motion:
    """A steppable run. memory: before the start; given: the arrays it works on, as they are then.

    own: numbers of (q, u) at the beginning of the state `y`. The caller says the next time in `times`, infinity after
    it, sets `count` to 1 and `row`, `status`, `left` and the tables' counts to zero, and runs it: it goes on to that
    time. switches: in the order of the array `switched`, which are turned between two runs; the cells `switches turned`
    and `inputs set` say that they were, where constraints change.
    """

    procedure: Procedure
    memory: Floats
    given: dict[str, Floats]
    own: int
    switches: tuple[str, ...]


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
    """The loop that `simulate` runs, from the plan's start; where constraints change, that of `Machine`."""
    compiled, system = plan.compiled, plan.compiled.system
    parameters_of(plan)
    _refuse(plan)
    ode = Ode(compiled, drives_of(system, compiled.inputs, None))
    y = ode.state(plan.q, plan.u)
    run: CompiledRun
    if changes(system):
        run = ticking = TickingRun(ode, plan.method, y, 0.0, ())
        ticking.refuse_start(y)
        switches = ticking.layout.switches
    else:
        run, switches = CompiledRun(ode, plan.method, {}, y, 0.0, np.array([np.inf]), np.inf), ()
        must_be_near(ode, compiled, y, run.settled, run.is_lost, 0.0)
    procedure = run.routine.procedure
    tables = {x.table.name for x in procedure.statements if isinstance(x, Store)}  # what is in them now is nothing
    given = {name: np.zeros_like(x) if name in tables else x.copy() for name, x in run.session.given.items()}
    return Motion(procedure, run.fresh, given, run.own, switches)


def changes(system: System) -> bool:
    """Whether constraints come and go, by themselves or by hand."""
    return bool(system.contacts or system.switchings or "switchable" in system.constraints.values())


def _refuse(plan: Plan) -> None:
    compiled, system = plan.compiled, plan.compiled.system
    if any(np.ndim(x) for x in compiled.inputs.values()):
        raise ValueError("inputs have batch axes; one system is exported at a time")
    if system.calls:
        names = ", ".join(map(repr, system.calls))
        raise ValueError(
            f"switches of system {system.name!r} ask functions in Python ({names}), which cannot be exported; leave "
            "their conditions out, and turn them by hand"
        )
    if system.encounters:
        names = ", ".join(repr(x.name) for x in system.encounters)
        raise ValueError(
            f"contacts of system {system.name!r} ({names}) are of two polyhedra, whose features are sought in Python, "
            "which cannot be exported; take shapes with gaps in closed form"
        )
    if system.frictions and changes(system):
        names = ", ".join(repr(x.name) for x in system.frictions)
        raise ValueError(
            f"the constraints of system {system.name!r} change, which friction that depends on forces of constraints "
            f"({names}) cannot follow yet"
        )
