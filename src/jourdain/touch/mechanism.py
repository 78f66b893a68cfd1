"""A mechanism as stages of the loop: pushed by what hands are shown, moved on by one period, its handles looked at."""

from __future__ import annotations

from functools import cache

import numpy as np

from ..driver.moving import Moving
from ..native import Routine
from ..program import Draft, Floats, kernel
from ..simulation.status import Status
from .channel import Channel
from .hands import MOTION, PUSH, hands_of, motion_outputs, push_inputs
from .stage import Stage
from .ticked import Ticked
from .ticking import MOST_INPUTS, TIMING

PERIOD = TIMING.index("period")
DONE = int(Status.DONE.value)
STATUS, UPCOMING, STEP, TURNED = 0, 1, 2, 3
CELLS = ("status", "upcoming", "step", "switches turned")
LEAVE, OFF, ON = -1.0, 0.0, 1.0  # what is said to a switch


@kernel
def set_out(
    told: Floats, memory: Floats, cells: Floats, ordered: Floats, orders: Floats, order_count: int, times: Floats,
    inputs: Floats, places: Floats, shown: Floats, done: Floats, substeps: float, hands: int,
) -> None:  # fmt: skip
    """The opposite of what hands are shown acts on the mechanism, which is to go on by a period; unless it has come to
    an end, where it stays. done (1,): periods so far."""
    period = told[PERIOD]
    for hand in range(hands):
        for k in range(PUSH):
            inputs[int(places[hand]) + k] = -shown[PUSH * hand + k]
    if int(memory[int(cells[STATUS])]) <= DONE:  # it is running, or done
        done[0] = done[0] + 1.0
        times[0] = done[0] * period
        for k in range(order_count):
            memory[int(ordered[k])] = orders[k]
        memory[int(cells[STATUS])] = 0.0
        memory[int(cells[UPCOMING])] = times[0]
        memory[int(cells[STEP])] = period / substeps


@kernel
def turn_switches(memory: Floats, cells: Floats, said: Floats, heard: Floats, switched: Floats, count: int) -> None:
    """What is newly said to a switch is done at the beginning of this period; a guard may turn it again."""
    for k in range(count):
        if said[k] != heard[k]:
            heard[k] = said[k]
            if said[k] >= OFF and switched[k] != said[k]:
                switched[k] = said[k]
                memory[int(cells[TURNED])] = 1.0


@kernel
def arrive(memory: Floats, cells: Floats, flag: Floats) -> None:
    """Raises a flag where the mechanism could not go on."""
    flag[0] = 0.0
    if int(memory[int(cells[STATUS])]) != DONE:
        flag[0] = 1.0


class Mechanism:
    """run: of a system with hands on it (`with_hands`). told: what the loop tells of the time. shown (6 hands,): what
    hands are shown. flag (1,): is raised where it cannot go on. substeps: of the run, in a period.

    handles (hands, 18): motions of the handles. state: coordinates and speeds, a view. switching is the channel of what
    is said to switches, said the array into which the loop brings it; both are None where nothing can be switched.
    """

    def __init__(self, run: Ticked, told: Floats, shown: Floats, flag: Floats, substeps: int = 1) -> None:
        system, session = run.compiled.system, run.session
        self.hands = hands_of(system)
        if shown.size != PUSH * len(self.hands) or not self.hands:
            raise ValueError(f"forces of {shown.size} numbers for {len(self.hands)} hands; each has {PUSH}")
        if substeps < 1:
            raise ValueError(f"{substeps} steps in a period; at least one is needed")
        self.run, self.state = run, run.state
        self.handles = np.zeros((len(self.hands), MOTION))
        switches = len(run.switches)
        self.switching = Channel(switches) if switches else None
        self.said = np.full(switches, LEAVE) if switches else None
        self._wanted = np.full(switches, LEAVE)
        if self.switching is not None:
            self.switching.write(self._wanted)
        names, memory, inputs = session.routine.procedure.cells, session.memory, session.given["inputs"]
        orders = {**run.orders, "budget": float(substeps + run.budget)}
        # A run in one mode has nothing to be turned; no kernel looks for it there.
        cells = np.array([float(names.index(x)) if x in names else np.nan for x in CELLS])
        ordered = np.array([float(names.index(x)) for x in orders])
        places = np.array([float(system.inputs.index(push_inputs(x)[0])) for x in self.hands])
        setting_out = _setting_out(memory.size, len(self.hands), len(system.inputs), len(ordered), substeps, switches)
        self._before = setting_out.session({
            "told": told, "memory": memory, "cells": cells, "ordered": ordered,
            "orders": np.array(list(orders.values())), "times": session.given["times"], "inputs": inputs,
            "places": places, "shown": shown, "done": np.zeros(1), "heard": np.full(switches, LEAVE),
            "said": np.empty(0) if self.said is None else self.said,
            "switched": session.array("switched") if switches else np.empty(0),
        })  # fmt: skip
        nq, t = len(system.coordinates), names.index("t")
        self._after = _looking(Moving(system, run.compiled.imposed, run.drives), self.hands, memory.size).session({
            "memory": memory, "cells": cells, "flag": flag, "q": self.state[:nq], "u": self.state[nq:],
            "t": memory[t : t + 1], "inputs": inputs, "handles": self.handles,
            "parameters": session.given["parameters"],
        })  # fmt: skip
        self._after.run()
        flag[0] = 0.0  # it has not been asked to go on yet

    @property
    def stages(self) -> list[Stage]:
        """After the guard."""
        named = (("push", self._before), ("move", self.run.session), ("look", self._after))
        return [Stage.of(name, code) for name, code in named]

    def switch(self, name: str, on: bool) -> None:
        """Turns a switch by hand, at the beginning of the next tick."""
        if name not in self.run.switches or self.switching is None:
            known = ", ".join(map(repr, self.run.switches)) or "none"
            raise KeyError(f"system {self.run.compiled.system.name!r} has no switch {name!r}; there are {known}")
        self._wanted[self.run.switches.index(name)] = ON if on else OFF
        self.switching.write(self._wanted)

    @property
    def mode(self) -> tuple[str, ...]:
        """Names of the switchable constraints that hold."""
        return self.run.mode()

    @property
    def t(self) -> float:
        """Time of the mechanism [s], which stands still while deadlines are skipped."""
        return self.run.session["t"]

    @property
    def status(self) -> Status:
        """How it stands: DONE where it has arrived at the end of a tick."""
        return Status(int(self.run.session["status"]))


@cache
def _setting_out(memory: int, hands: int, inputs: int, orders: int, substeps: int, switches: int) -> Routine:
    draft = Draft("push")
    sizes = {
        "told": len(TIMING) + MOST_INPUTS, "memory": memory, "cells": len(CELLS), "ordered": orders, "orders": orders,
        "times": 1, "inputs": inputs, "places": hands, "shown": PUSH * hands, "done": 1, "said": switches,
        "heard": switches, "switched": switches,
    }  # fmt: skip
    at = {name: draft.array(name, size, given=True) for name, size in sizes.items()}
    draft.run(
        set_out, at["told"], at["memory"], at["cells"], at["ordered"], at["orders"], orders, at["times"], at["inputs"],
        at["places"], at["shown"], at["done"], float(substeps), hands,
    )  # fmt: skip
    if switches:
        draft.run(
            turn_switches, at["memory"], at["cells"], at["said"], at["heard"], at["switched"], switches
        )  # fmt: skip
    return Routine(draft.done())


def _looking(moving: Moving, hands: tuple[str, ...], memory: int) -> Routine:
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
