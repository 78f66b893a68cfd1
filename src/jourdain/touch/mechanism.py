"""A mechanism as stages of the loop: pushed by what hands are shown, moved on by one period, its handles looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from ..driver import Compiled
from ..driver.moving import Moving, Named
from ..native import Routine, Session
from ..program import Draft, kernel
from ..simulation.compiled_run import CompiledRun
from ..simulation.drive import Input, drives_of
from ..simulation.front import start_of
from ..simulation.method import FixedStep
from ..simulation.methods import RK4
from ..simulation.ode import Ode
from ..simulation.status import Status
from .hands import MOTION, PUSH, hands_of, motion_outputs, push_inputs
from .stage import Floats, Stage
from .ticking import MOST_INPUTS, TIMING

PERIOD = TIMING.index("period")
RUNNING, DONE = int(Status.RUNNING.value), int(Status.DONE.value)
STATUS, UPCOMING, STEP = 0, 1, 2
CELLS = ("status", "upcoming", "step")
ROUNDS = 8  # more steps than these beside the usual ones are not made in a period, whatever happens


@dataclass(frozen=True, eq=False)
class Ticked:
    """A compiled run with fixed steps that can be ticked: one that ends, with status DONE, at the time `times`[0].

    session: with the cells `CELLS` and t, and with times and inputs among what it was given. state (y,): coordinates,
    then speeds, a view. orders: what cells are set to before each tick.
    """

    session: Session
    state: Floats
    orders: Mapping[str, float]


@kernel
def set_out(
    told: Floats, memory: Floats, cells: Floats, ordered: Floats, orders: Floats, order_count: int, times: Floats,
    inputs: Floats, places: Floats, shown: Floats, done: Floats, start: float, substeps: float, hands: int,
) -> None:  # fmt: skip
    """The opposite of what hands are shown acts on the mechanism, which is to go on by a period; unless it has come to
    an end, where it stays."""
    period = told[PERIOD]
    for hand in range(hands):
        for k in range(PUSH):
            inputs[int(places[hand]) + k] = -shown[PUSH * hand + k]
    status = int(memory[int(cells[STATUS])])
    if status <= DONE:  # RUNNING, or DONE
        done[0] = done[0] + 1.0
        times[0] = start + done[0] * period
        for k in range(order_count):
            memory[int(ordered[k])] = orders[k]
        memory[int(cells[STATUS])] = RUNNING
        memory[int(cells[UPCOMING])] = times[0]
        memory[int(cells[STEP])] = period / substeps


@kernel
def arrive(memory: Floats, cells: Floats, flag: Floats) -> None:
    """Raises a flag where the mechanism could not go on."""
    flag[0] = 0.0
    if int(memory[int(cells[STATUS])]) != DONE:
        flag[0] = 1.0


class Mechanism:
    """compiled: a system with hands on it (`with_hands`), with the constraints that its mode turns on. run: of it.
    told: what the loop tells of the time. shown (6 hands,): what hands are shown. flag (1,): is raised where it cannot
    go on. substeps: of the run, in a period. drives: inputs that follow expressions. start: its time at the first tick.

    handles (hands, 18): motions of the handles. state: coordinates and speeds, a view.
    """

    def __init__(
        self, compiled: Compiled, run: Ticked, told: Floats, shown: Floats, flag: Floats, substeps: int = 1,
        drives: Named = (), start: float = 0.0,
    ) -> None:  # fmt: skip
        system, session = compiled.system, run.session
        self.hands = hands_of(system)
        if shown.size != PUSH * len(self.hands) or not self.hands:
            raise ValueError(f"forces of {shown.size} numbers for {len(self.hands)} hands; each has {PUSH}")
        if substeps < 1:
            raise ValueError(f"{substeps} steps in a period; at least one is needed")
        self.compiled, self.run, self.state = compiled, run, run.state
        self.handles = np.zeros((len(self.hands), MOTION))
        names = session.routine.procedure.cells
        cells, ordered = (np.array([float(names.index(x)) for x in named]) for named in (CELLS, run.orders))
        places = np.array([float(system.inputs.index(push_inputs(x)[0])) for x in self.hands])
        memory, inputs, t = session.memory, session.given["inputs"], names.index("t")
        setting_out = _setting_out(memory.size, len(self.hands), len(system.inputs), len(ordered), substeps, start)
        self._before = setting_out.session({
            "told": told, "memory": memory, "cells": cells, "ordered": ordered,
            "orders": np.array(list(run.orders.values())), "times": session.given["times"], "inputs": inputs,
            "places": places, "shown": shown, "done": np.zeros(1),
        })  # fmt: skip
        nq = len(system.coordinates)
        self._after = _looking(Moving(system, compiled.imposed, drives), self.hands, memory.size).session({
            "memory": memory, "cells": cells, "flag": flag, "q": self.state[:nq], "u": self.state[nq:],
            "t": memory[t : t + 1], "inputs": inputs, "handles": self.handles,
            "parameters": session.given["parameters"],
        })  # fmt: skip
        self._after.run()
        flag[0] = 0.0  # it has not been asked to go on yet

    @classmethod
    def in_one_mode(
        cls, compiled: Compiled, q0: ArrayLike, u0: ArrayLike, told: Floats, shown: Floats, flag: Floats,
        method: type[FixedStep] = RK4, substeps: int = 1, inputs: Mapping[str, Input] | None = None,
    ) -> Mechanism:  # fmt: skip
        """From a state, by a method, in the system's mode. inputs: as of `simulate`, but for functions."""
        system = compiled.system
        if system.contacts or system.switchings:
            raise ValueError(f"system {system.name!r} changes its constraints by itself; this is for one mode")
        ode = Ode(compiled, drives_of(system, compiled.inputs, inputs))
        if ode.drives.functions:
            raise ValueError(f"input {ode.drives.functions[0][1]!r} is a function, and the loop is not in Python")
        run = CompiledRun(ode, method(step=1e-3), {}, start_of(compiled, q0, u0), 0.0, np.zeros(1), np.inf)
        # `started` 0 brings the state onto the constraints, and finds its rates under the forces of now.
        orders = {
            "started": 0.0, "row": 0.0, "count": 1.0, "left": 0.0, "budget": float(substeps + ROUNDS),
        }  # fmt: skip
        ticked = Ticked(run.session, run.session.array("y")[: run.own], orders)
        return cls(compiled, ticked, told, shown, flag, substeps, ode.drives.expressions)

    @property
    def stages(self) -> list[Stage]:
        """After the guard."""
        named = (("push", self._before), ("move", self.run.session), ("look", self._after))
        return [Stage.of(name, code) for name, code in named]

    @property
    def t(self) -> float:
        """Time of the mechanism [s], which stands still while deadlines are skipped."""
        return self.run.session["t"]

    @property
    def status(self) -> Status:
        """How it stands: DONE where it has arrived at the end of a tick."""
        return Status(int(self.run.session["status"]))


@cache
def _setting_out(memory: int, hands: int, inputs: int, orders: int, substeps: int, start: float) -> Routine:
    draft = Draft("push")
    sizes = {
        "told": len(TIMING) + MOST_INPUTS, "memory": memory, "cells": len(CELLS), "ordered": orders, "orders": orders,
        "times": 1, "inputs": inputs, "places": hands, "shown": PUSH * hands, "done": 1,
    }  # fmt: skip
    at = {name: draft.array(name, size, given=True) for name, size in sizes.items()}
    draft.run(
        set_out, at["told"], at["memory"], at["cells"], at["ordered"], at["orders"], orders, at["times"], at["inputs"],
        at["places"], at["shown"], at["done"], start, float(substeps), hands,
    )  # fmt: skip
    return Routine(draft.done())


def _looking(moving: Moving, hands: Sequence[str], memory: int) -> Routine:
    system = moving.system
    draft = Draft(f"handles of {system.name}")
    sizes = {
        "memory": memory, "cells": len(CELLS), "flag": 1, "q": len(system.coordinates), "u": len(system.speeds),
        "inputs": len(system.inputs), "t": 1, "handles": MOTION * len(hands), "parameters": len(system.parameters),
    }  # fmt: skip
    at = {name: draft.array(name, size, given=True) for name, size in sizes.items()}
    draft.run(arrive, at["memory"], at["cells"], at["flag"])
    program = moving.outputs(tuple(name for hand in hands for name in motion_outputs(hand)))
    draft.call(program, [at["q"], at["u"], at["inputs"], at["t"]], [at["handles"]], at["parameters"])
    return Routine(draft.done())
