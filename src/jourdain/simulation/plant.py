"""What is integrated, as a method sees it: a state of numbers, its rates, its return to where it belongs.

The state y is (q, u, work): coordinates, speeds, and, where anything exchanges energy with the outside, the work done
since the start [J], which is integrated beside them and asks for no accuracy of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..driver.moving import Moving
from ..graph import Graph, Node, Role, absolute, less, maximum
from ..model.system import System
from ..program import Array, Block, Draft, Part, Place, Program
from .crossing import cross
from .table import Reading

ROUNDS = 12  # of Newton's method back onto the constraints
QUADRATIC = 1e-8  # a miss below this is rounding after the step that found it
CLOSED = 1e-14
INSTEAD = "choose DormandPrince853, DormandPrince54, RK4 or SemiImplicitEuler"
"""Methods that go through changing constraints."""
LOST = 1e-8  # a miss that is left when it will not shrink
CONTRARY = 1e-5  # what is left of a velocity, beside the speeds, where rows contradict each other
DELICATE = 1e3  # beyond it rates are taken on the constraints


class Plant:
    """A system in a draft. Everything is emitted where it is called."""

    def __init__(
        self, draft: Draft, moving: Moving, tables: Sequence[int] = (), functions: Sequence[int] = ()
    ) -> None:
        """tables: places of the inputs that are read from tables, given as `table 0`, …; functions: of those that
        functions elsewhere answer, whose addresses are in `functions`."""
        self.draft, self.moving = draft, moving
        system = moving.system
        self.nq, self.nu = len(system.coordinates), len(system.speeds)
        self.own = self.nq + self.nu
        self.size = self.own + self.has_power
        self.parameters = draft.array("parameters", len(system.parameters), given=True)
        self.inputs = draft.array("inputs", len(system.inputs), given=True)
        self._read = [(place, Reading(draft, f"table {k}")) for k, place in enumerate(tables)]
        self._functions = tuple(functions)
        self.evaluations = draft.cell("evaluations")
        self.lost, self.delicacy = draft.cell("lost"), draft.cell("delicacy")
        self._has_routine = False

    @property
    def equations(self) -> Program:
        """q̇, u̇, and the power where there is any."""
        return self.moving.motion_and_power

    @property
    def has_power(self) -> bool:
        """Whether anything exchanges energy with the outside."""
        return any(block.name == "power" for block in self.equations.outputs)

    @property
    def judged(self) -> int:
        """How much of a state an adaptive step's error is of: q and u, and the work where joints move as they are told:
        what these do shows in it alone."""
        return self.size if is_driven(self.moving.system) else self.own

    # -- parts of a state -----------------------------------------------------------------------------------------

    def state(self, name: str) -> Array:
        """Room for a state, or for its rates."""
        return self.draft.array(name, self.size)

    def q(self, y: Array) -> Part:
        return y.part(0, self.nq)

    def u(self, y: Array) -> Part:
        return y.part(self.nq, self.nu)

    def work(self, y: Array) -> Part:
        return y.part(self.own, self.has_power)

    # -- equations ------------------------------------------------------------------------------------------------

    def motion(self, y: Array, t: Node, rates: Array) -> None:
        """rates = ẏ(t, y). Where little is left of the constraints' rows, as a mechanism passes through a singular
        configuration, or over-constrained always, rates are those of the state on the constraints that is next to y:
        what an inner stage misses them by would come back as accelerations without bounds."""
        self.evaluate(y, t, rates)
        if any(block.name == "delicacy" for block in self.equations.outputs):
            with self.draft.when(less(DELICATE, self.delicacy)):
                self._on_the_constraints(y, t, rates)

    def _on_the_constraints(self, y: Array, t: Node, rates: Array) -> None:
        """The rates there, as a routine that all stages share."""
        draft, near, found = self.draft, self.state("state on the constraints"), self.state("rates there")
        moment, lost = draft.cell("time there"), draft.cell("lost before")
        draft.copy(y, near)
        draft.set({moment: t, lost: self.lost})
        if not self._has_routine:
            self._has_routine = True
            with draft.routine("rates on the constraints"):
                self.settle(near, moment)
                self.evaluate(near, moment, found)
                if self.moving.can_be_singular:
                    cross(self, near, moment, found)
        draft.perform("rates on the constraints")
        draft.set({self.lost: lost})
        draft.copy(found, rates)

    def evaluate(self, y: Array, t: Node, rates: Array) -> None:
        """rates = ẏ(t, y) as the equations give it, and how delicate that is."""
        places: dict[str, Part | Array | Node] = {
            "qdot": self.q(rates), "udot": self.u(rates), "delicacy": self.delicacy, "power": self.work(rates),
        }  # fmt: skip
        self.run(self.equations, y, t, [places[block.name] for block in self.equations.outputs])
        self.draft.set({self.evaluations: self.evaluations + 1.0})

    def run(
        self, program: Program, y: Array, t: Node, outputs: list[Part | Array | Node], more: Sequence[Place] = ()
    ) -> None:
        """A program of (q, u, inputs, t), and of what there is more, at a state."""
        for place, table in self._read:
            table.emit(t)
            self.draft.copy(table.value, self.inputs.part(place, 1))
        for k, place in enumerate(self._functions):
            self.ask(self.draft.array("functions", len(self._functions), given=True).part(k, 1), y, t,
                     self.inputs.part(place, 1))  # fmt: skip
        self.draft.call(program, [self.q(y), self.u(y), self.inputs, t, *more], outputs, self.parameters)

    def ask(self, slot: Part, y: Array, t: Node, answer: Part) -> None:
        """answer = f(t, q, u), a function of elsewhere."""
        draft, asked = self.draft, self.draft.array("asked", 1 + self.own)
        draft.copy(t, asked.part(0, 1))
        draft.copy(y.part(0, self.own), asked.part(1, self.own))
        draft.foreign(slot, asked, answer)

    @property
    def changes(self) -> bool:
        """Whether constraints come and go while it moves."""
        return False

    # -- the mode -------------------------------------------------------------------------------------------------

    @property
    def marks(self) -> Sequence[Array]:
        """What a row tells of the mode, beside time and state."""
        return ()

    @property
    def row_width(self) -> int:
        """Numbers in a row: time, state, marks."""
        return 1 + self.size + sum(x.length for x in self.marks)

    def adopt(self, y: Array, t: Node) -> None:
        """Emits what follows where a step stands: nothing, of a system that does not change."""

    # -- back to where it belongs ---------------------------------------------------------------------------------

    @property
    def drifts(self) -> bool:
        """Whether a step can leave what the coordinates or speeds must satisfy."""
        return self.moving.positions is not None or self.moving.speeds is not None

    def settle(self, y: Array, t: Node) -> None:
        """y onto the constraints: positions by Newton's method, then speeds; quaternions of length one."""
        self.settle_as(self.moving, y, t)

    def settle_as(self, moving: Moving, y: Array, t: Node) -> None:
        """The same, under the constraints of a mode."""
        draft, positions, speeds = self.draft, moving.positions, moving.speeds
        if positions is not None:
            miss, last, rounds = draft.cell("miss"), draft.cell("last miss"), draft.cell("rounds")
            nearer = draft.array("nearer q", self.nq)
            draft.set({miss: 1e300, last: 1e308, rounds: 0.0})
            # While it helps: a small miss is gone after the step that found it.
            with draft.loop(less(QUADRATIC, miss) * less(miss, last * 0.5) * less(rounds, float(ROUNDS))):
                draft.set({last: miss, rounds: rounds + 1.0})
                self.run(positions, y, t, [nearer, miss])
                draft.copy(nearer, self.q(y))
            draft.set({self.lost: maximum(self.lost, less(LOST, miss) * less(QUADRATIC, miss))})
        if speeds is not None:
            nearer, miss = draft.array("nearer u", self.nu), draft.cell("miss")
            self.run(speeds, y, t, [nearer, miss])
            draft.copy(nearer, self.u(y))
            draft.set({self.lost: maximum(self.lost, less(CONTRARY, miss))})

    # -- sums -----------------------------------------------------------------------------------------------------

    def total(self, values: Array, to: Node, count: int) -> None:
        """to = the sum of the first `count` values."""
        graph = Graph()
        given = tuple(graph.symbol(f"x{k}", Role.INPUT) for k in range(count))
        result = graph.zero
        for x in given:
            result = result + x
        program = Program("total", (Block("x", given),), Block("none", ()), (Block("total", (result,)),))
        self.draft.call(program, [values.part(0, count)], [to])

    def finite(self, y: Array) -> Node:
        """A cell that is 1 where all of a state is finite, else 0."""
        sizes, found = self.state("sizes"), self.draft.cell("size of the state")
        self.draft.each([sizes], absolute, [y])
        self.total(sizes, found, self.size)
        self.draft.set({found: less(found, float("inf"))})
        return found


def is_driven(system: System) -> bool:
    """Whether a joint's motion is given and changes."""
    return any(not x.is_static for joint in system.joints for x in joint.prescribed)
