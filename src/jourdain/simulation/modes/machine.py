"""Machines: a mechanism that is simulated tick by tick, for as long as somebody touches it.

Code of a mode is made when the mode is first met or foreseen, beside the ticks, which the general equations make in the
meantime ("a hybrid dynamical finite state machine", Gillespie 2003, section 4).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Collection, Mapping
from math import ceil, inf, isfinite
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...driver import Compiled
from ...driver.changing import Changing
from ...driver.enumerated import Enumerated
from ...model.changing import Call, guards
from ...model.mistakes import did_you_mean
from ...model.system import System
from ...native import Session
from ..drive import Input, drives_of
from ..front import compiled_of, start_of
from ..method import FixedStep
from ..methods import RK4
from ..ode import Ode
from ..status import Status
from .changing_run import CHANGES
from .enumerating import checked_modes
from .layout import Layout
from .prediction import Passage, Prediction, Swap
from .preparing import Carrying, Mode, Prepared, Preparing
from .ticking import BLOCK, Bearing, Ticker, TickingRun, beside

Floats = NDArray[np.float64]
MOST_MODES = 16  # that have code of their own: all of it is made anew for each
ROOM = CHANGES - 32  # of the table of changes: when it is full so far, its rows are taken
NOTHING = np.empty(0)
KEPT = 4096  # changes, swaps and predictions that are remembered


class MachineError(RuntimeError):
    """A machine that cannot go on; its state is the last one that stands."""


class Machine:
    """A mechanism in motion.

        with jourdain.Machine(system, q0, u0, jourdain.RK4(1e-3)) as machine:
            machine.advance(steps=1, inputs={"F": 2.0})
            machine.q, machine.u, machine.mode, machine.forces

    system: with the constraints that a compiled system's mode turns on. q0 (coordinates,), u0 (speeds,): the state at
    the time `start` [s]. method: of fixed steps; one step is a tick. inputs: as of `simulate`, but for functions;
    those that are values can be set between ticks. modes: those whose code is made before the first tick. prepares:
    whether code of other modes is made beside the ticks when they are met or foreseen; without, a machine gives the
    same bits as `simulate`, always. With, the moment at which new code is adopted is not determined, and rounding is
    another after it.

    One thread at a time may use a machine. changes, swaps, predictions: what happened, what code was adopted, and what
    came of what `look_ahead` foresaw, the latest last.
    """

    def __init__(
        self,
        system: System | Compiled,
        q0: ArrayLike,
        u0: ArrayLike,
        method: FixedStep | None = None,
        inputs: Mapping[str, Input] | None = None,
        *,
        start: float = 0.0,
        modes: Collection[Collection[str]] = (),
        prepares: bool = True,
    ) -> None:
        compiled = system if isinstance(system, Compiled) else compiled_of(system)
        method = RK4() if method is None else method
        if not isinstance(method, FixedStep):
            raise TypeError(f"method is {method!r}; a machine makes equal steps, like those of jourdain.RK4(1e-3)")
        self.compiled, self.step, self.start = compiled, method.step, float(start)
        own = compiled.system
        _check(own)
        if not isfinite(start):
            raise ValueError(f"start is {start!r} s; a finite time is needed")
        ode = Ode(compiled, drives_of(own, compiled.inputs, inputs))
        if ode.drives.functions:
            raise ValueError(f"input {ode.drives.functions[0][1]!r} is a function; set its value between ticks instead")
        if ode.compiled.system.encounters:
            raise ValueError(
                f"contact {ode.compiled.system.encounters[0].name!r} is of two polyhedra, whose features are sought "
                "in Python; a machine cannot wait for that, so take simulate, or shapes with gaps in closed form"
            )
        y = start_of(compiled, q0, u0)
        self._changing = Changing.of(own, ode.drives.expressions)
        enumerated = checked_modes(self._changing, modes)
        going = self._going = TickingRun(ode, method, y, self.start, enumerated)
        going.refuse_start(y)
        self.ticks = 0
        self.changes: deque[Passage] = deque(maxlen=KEPT)
        self.swaps: deque[Swap] = deque(maxlen=KEPT)
        self.predictions: deque[Prediction] = deque(maxlen=KEPT)
        self._expected: tuple[int, Passage] | None = None
        self._settable = {name: own.inputs.index(name) for name in ode.drives.constant}
        self._turned: dict[int, float] = {}  # switches that are turned at the beginning of the next tick
        self._preparing = Preparing(self._make) if prepares else None
        self._asked = set(enumerated)
        self._bearing = Bearing(self._changing, ode)
        self._use(going.session, beside(going.session), enumerated)
        self._last, self._touched = self.mode, self._session.array("touch").copy()
        self._want(self._last)

    # -- ticks ----------------------------------------------------------------------------------------------------

    def advance(
        self, duration: float | None = None, *, steps: int | None = None, inputs: Mapping[str, float] | None = None
    ) -> None:
        """Makes ticks: for a duration [s], a whole number of steps, or so many steps; one if neither is given. inputs:
        values that are set before the first."""
        left = self._steps(duration, steps)
        if inputs is not None:
            self.set_inputs(inputs)
        prepared = self._preparing.take() if self._preparing else None
        if prepared is not None:
            self._swap(prepared)
        self._turn(self._session)
        self._turned.clear()
        while left:
            made, rows = self._ticker.run(self.ticks, min(left, BLOCK), ROOM)
            self.ticks += made
            left -= made
            if len(rows):
                self._note(rows)
            status = Status(int(self._session["status"]))
            if status not in (Status.DONE, Status.RUNNING):
                raise MachineError(f"the machine stands at {self.t:g} s: {status.sentence}")

    def set_inputs(self, values: Mapping[str, float]) -> None:
        """Values of inputs from now on."""
        for name, value in values.items():
            if name not in self._settable:
                raise KeyError(
                    f"system {self._system.name!r} has no input {name!r} that can be set; "
                    f"{did_you_mean(name, self._settable)}"
                )
            if not isfinite(value):
                raise ValueError(f"input {name!r} is {value!r}; a finite number is needed")
        for name, value in values.items():
            place = self._settable[name]
            if self._inputs[place] != value:
                self._inputs[place] = value
                self._session["inputs set"] = 1.0

    def switch(self, name: str, on: bool) -> None:
        """Turns a switch by hand, at the beginning of the next tick; a contact decides for itself."""
        names = self._layout.switches
        if name not in names:
            raise KeyError(f"system {self._system.name!r} has no switch {name!r}; {did_you_mean(name, names)}")
        self._turned[names.index(name)] = float(on)

    # -- how it stands --------------------------------------------------------------------------------------------

    @property
    def t(self) -> float:
        """Time [s]."""
        return self._session["t"]

    @property
    def q(self) -> Floats:
        """Coordinates (coordinates,)."""
        return self._state[: len(self._system.coordinates)].copy()

    @property
    def u(self) -> Floats:
        """Speeds (speeds,)."""
        return self._state[len(self._system.coordinates) : self._going.own].copy()

    @property
    def work(self) -> float:
        """Done since the start by what energies do not account for [J]."""
        return float(self._state[self._going.own])

    @property
    def inputs(self) -> dict[str, float]:
        """The inputs that can be set, as they are."""
        return {name: float(self._inputs[place]) for name, place in self._settable.items()}

    @property
    def mode(self) -> Mode:
        """Names of the switchable constraints that hold."""
        return self._layout.mode(np.concatenate([NOTHING, *self._marks]))

    @property
    def forces(self) -> dict[str, Floats]:
        """What constraints carry (rows,), by constraint, friction among it; 0 where one does not act."""
        carried = self._bearing.carried(self._session, self._marks)
        return {name: carried[rows.start : rows.stop] for name, rows in self._changing.places.items()}

    @property
    def counts(self) -> dict[str, int]:
        """Steps, those that ended at changes among them; evaluations, and how many were in modes with code of their
        own."""
        names = {"steps": "steps", "evaluations": "evaluations", "evaluations beforehand": "in modes compiled"}
        return {said: int(self._session[cell]) for cell, said in names.items()}

    @property
    def modes(self) -> tuple[Mode, ...]:
        """Those that have code of their own now."""
        return self._layout.enumerated

    # -- what is to come ------------------------------------------------------------------------------------------

    def look_ahead(self, horizon: float) -> Passage | None:
        """The next change within the horizon [s], should the inputs stay as they are, and the state and mode after it;
        None where there is none.

        It is computed on a copy of the machine, which stays as it is. Code of the mode after it is made in the
        background. When the change comes, whatever the inputs were, it is resolved from the state that there is then,
        and `predictions` tells how far off this was.
        """
        if not 0.0 < horizon < inf:
            raise ValueError(f"a horizon of {horizon!r} s; a positive time is needed")
        left = ceil(horizon / self.step - 1e-6)
        ahead, tick = self._ahead, self.ticks
        ahead.session.memory[:] = self._session.memory
        ahead.session.given["inputs"][:] = self._inputs
        self._turn(ahead.session)
        self._expected = None
        while left > 0:
            made, rows = ahead.run(tick, min(left, BLOCK), 1)
            tick += made
            left -= made
            found = self._passages(rows, self._last)
            if found and found[0].t <= self.t + horizon:
                self._expected = self.ticks, found[0]
                self._want(found[0].mode)
                return found[0]
            if found or ahead.session["status"] not in (Status.DONE.value, Status.RUNNING.value):
                return None
        return None

    # -- code -----------------------------------------------------------------------------------------------------

    def wait(self, timeout: float | None = None) -> bool:
        """Until the code that is being made is ready, to be adopted before the next tick; False where the time [s] was
        too short."""
        return self._preparing is None or self._preparing.wait(timeout)

    def close(self) -> None:
        """No more code is made; waits for what is being made."""
        if self._preparing:
            self._preparing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<machine {self._system.name!r} at {self.t:g} s, {len(self.modes)} modes with code of their own>"

    # -- inside ---------------------------------------------------------------------------------------------------

    @property
    def _system(self) -> System:
        return self.compiled.system

    def _steps(self, duration: float | None, steps: int | None) -> int:
        if steps is not None:
            if duration is not None:
                raise ValueError("a duration and a number of steps are given; one of them says all")
            if isinstance(steps, bool) or not isinstance(steps, int) or steps < 1:
                raise ValueError(f"steps is {steps!r}; a whole number, 1 or more, is needed")
            return steps
        if duration is None:
            return 1
        count = duration / self.step
        if not 0.5 < count < inf or abs(count - round(count)) > 1e-6 * count:
            raise ValueError(f"{duration!r} s are no whole number of steps of {self.step:g} s")
        return round(count)

    def _use(self, session: Session, ahead: Session, modes: tuple[Mode, ...]) -> None:
        """From now on."""
        going = self._going
        going.session, going.routine, going.enumerated = session, session.routine, modes
        self._session, self._layout = session, going.layout
        self._inputs, self._state, self._marks = session.given["inputs"], session.array("y"), going.marks()
        self._ticker, self._ahead = (Ticker(x, self.start, self.step) for x in (session, ahead))

    def _turn(self, session: Session) -> None:
        for place, on in self._turned.items():
            session.array("switched")[place] = on
            session["switches turned"] = 1.0

    def _swap(self, prepared: Prepared) -> None:
        began = time.perf_counter()
        prepared.carrying.carry(self._session, prepared.session)
        self._use(prepared.session, prepared.ahead, prepared.modes)
        self.swaps.append(Swap(self.ticks, prepared.news, prepared.seconds, time.perf_counter() - began))
        assert self._preparing is not None
        self._preparing.adopted()

    def _want(self, mode: Mode) -> None:
        if mode not in self._asked and self._preparing:
            self._asked.add(mode)
            self._preparing.want(mode)

    def _make(self, modes: tuple[Mode, ...], since: float) -> Prepared | None:
        """In the background: code with these modes too, as far as they have equations of their own."""
        there = self._layout.enumerated
        news = tuple(x for x in modes if not Enumerated.of(self._changing, x).refusal)[: MOST_MODES - len(there)]
        if not news:
            return None
        layout = Layout(self._changing, there + news)
        going, old = self._going, self._session
        routine = going.routine_of(layout)
        session = routine.session({**old.given, **layout.given})
        ahead = beside(session)
        return Prepared(
            layout.enumerated, session, ahead, Carrying(old, session), news, time.perf_counter() - since
        )  # fmt: skip

    def _note(self, rows: Floats) -> None:
        """What has happened, beside what was expected."""
        for passage in self._passages(rows, self._last):
            self.changes.append(passage)
            self._last = passage.mode
            if self._expected is not None:
                made, expected = self._expected
                self.predictions.append(Prediction(made, expected, passage))
                self._expected = None
            self._want(passage.mode)
        self._touched = self._session.array("touch").copy()

    def _passages(self, rows: Floats, before: Mode) -> list[Passage]:
        """Rows of changes, those at one time together; without those that changed nothing. before: the mode."""
        layout, size, nq, own = self._layout, self._going.size, len(self._system.coordinates), self._going.own
        parts = np.cumsum([2, size, size, layout.contacts, len(layout.switches), layout.rows])
        normals = [self._changing.places[x.normal].start for x in self._system.contacts]
        found: list[Passage] = []
        touched = self._touched
        for row in rows:
            (t, _), _, y, touch, switched, impulses, fired = np.split(row[:-1], parts)
            mode = layout.mode(np.concatenate([touch, np.zeros(2 * layout.contacts), switched]))
            tick = ceil((t - self.start) / self.step - 1e-6)
            causes = layout.causes(fired, touched, touch, impulses[normals] != 0.0)
            together = bool(found) and found[-1].t == t
            if together:
                causes = (*found.pop().causes, *causes)
            if together or mode != before or impulses.any() or fired[: len(layout.conditions)].any():
                found.append(Passage(tick, float(t), causes, mode, y[:nq].copy(), y[nq:own].copy()))
            before, touched = mode, touch
        return found


def _check(system: System) -> None:
    if not system.speeds:
        raise ValueError(f"system {system.name!r} has no freedom: nothing moves")
    for guard in guards(system.switchings):
        if isinstance(guard, Call):
            raise ValueError(
                f"switches of system {system.name!r} ask the function {guard.name!r}, and a machine's ticks never "
                "return to Python; turn them between ticks by Machine.switch"
            )
