"""A system's functions, each derived and compiled when it is first asked for, shared by all that is bound to them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from ..equations.choose import derive
from ..equations.constraints import Mode
from ..equations.generalized import mechanics_of
from ..equations.mechanics import Mechanics
from ..graph import Node, Role, symbols_of
from ..graph.pause import collector_paused
from ..model.system import TIME, System
from ..native import Cache, Function, compile_program
from ..program import Block, Program
from . import first
from .joint_readouts import JOINT_READOUTS, Hinge
from .readouts import BODY_READOUTS, MODE_READOUTS, READOUTS, Readout, Spot, argument

K = TypeVar("K")
V = TypeVar("V")
Key = tuple[str, Spot | Hinge | Mode | None]
INPUTS = "inputs"


@dataclass(frozen=True)
class Derived:
    """A read-out as a program. What it takes beyond its arguments: inputs, time, either of them, in this order."""

    program: Program
    takes_inputs: bool
    takes_time: bool

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be computed: a system without freedom has forces and matrices of no elements."""
        return not self.program.outputs


def readout(key: Key) -> Readout:
    """The row of the table."""
    name, which = key
    if which is None:
        return READOUTS[name]
    if isinstance(which, Hinge):
        return JOINT_READOUTS[name](which)
    return BODY_READOUTS[name](which) if isinstance(which, Spot) else MODE_READOUTS[name](which)


def derive_readout(system: System, key: Key) -> tuple[Derived, tuple[Block, ...]]:
    """A read-out's program, in the cheapest formulation; and its outputs as blocks, those without elements too."""
    row = readout(key)
    with collector_paused():
        mechanics = mechanics_of(system, row.start)
        blocks: tuple[Block, ...] = ()

        def read(other: Mechanics) -> list[Node]:
            nonlocal blocks
            blocks = row.read(other)
            return [x for block in blocks for x in block.nodes]

        found = derive(mechanics, read, row.changes)
        nodes = iter(found.outputs)
        outputs = tuple(Block(x.name, tuple(next(nodes) for _ in x.nodes), x.shape) for x in blocks)
        graph = mechanics.graph
        symbols = set(symbols_of(found.outputs))
        arguments = [argument(mechanics, name) for name in row.arguments]
        given = tuple(graph.symbol(name, Role.INPUT) for name in system.inputs)
        time = graph.symbol(TIME, Role.TIME)
        takes_inputs, takes_time = bool(symbols.intersection(given)), time in symbols
        if takes_inputs:
            arguments.append(Block(INPUTS, given))
        if takes_time:
            arguments.append(Block(TIME, (time,), ()))
        parameters = Block("parameters", tuple(graph.symbol(name, Role.PARAMETER) for name in system.parameters))
        full = tuple(x for x in outputs if len(x))
        program = Program(key[0], tuple(arguments), parameters, full) if full else None
    if program is None:
        program = _nothing(key[0], tuple(arguments), parameters)
    return Derived(program, takes_inputs, takes_time), outputs


class _Empty(Program):
    """A program without outputs, which is never compiled."""

    def __post_init__(self) -> None:
        """Nothing to be checked."""


def _nothing(name: str, arguments: tuple[Block, ...], parameters: Block) -> Program:
    return _Empty(name, arguments, parameters, ())


class Library:
    """Compiled functions of one system, by read-out and precision. Several threads may ask at the same time."""

    def __init__(self, system: System, cache: Cache | None) -> None:
        self.system, self.cache = system, cache
        self._derived: dict[Key, tuple[Derived, tuple[Block, ...]]] = {}
        self._functions: dict[tuple[Key, np.dtype[Any]], Function] = {}
        self._asked: dict[Key, int] = {}
        self._lock = threading.RLock()

    def is_first(self, key: Key) -> bool:
        """Whether a read-out has no code yet, and has not been asked for so often that it is to have some."""
        with self._lock:
            times = self._asked[key] = self._asked.get(key, 0) + 1
            return times <= first.PATIENCE and key not in self._derived

    def derived(self, key: Key) -> tuple[Derived, tuple[Block, ...]]:
        """The read-out's program, and its outputs."""
        return self._once(self._derived, key, lambda: derive_readout(self.system, key))

    def function(self, key: Key, dtype: np.dtype[Any]) -> Function:
        """Machine code is made when it is first called."""
        program = self.derived(key)[0].program
        return self._once(self._functions, (key, dtype), lambda: compile_program(program, dtype, cache=self.cache))

    def _once(self, known: dict[K, V], key: K, make: Callable[[], V]) -> V:
        with self._lock:
            found = known.get(key)
            if found is None:
                found = known[key] = make()
            return found
