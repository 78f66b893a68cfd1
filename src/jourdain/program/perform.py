"""The oracle for procedures: every statement done by NumPy, one after the other. Slow, and plain to read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from ..graph import interpret
from .imperative import Type
from .kernel import Floats
from .procedure import (
    Array,
    Call,
    Copy,
    Each,
    Fetch,
    Foreign,
    If,
    Let,
    Part,
    Perform,
    Procedure,
    Run,
    Scalars,
    Solve,
    Statement,
    While,
)
from .program import Program

Slots = Mapping[tuple[str, int], Callable[[Floats, Floats], None]]
"""Functions of elsewhere, (source, target), by the array and place where code finds their addresses."""


def perform(
    procedure: Procedure, memory: Floats, given: Mapping[str, Floats], functions: Slots = MappingProxyType({})
) -> None:
    """Runs a procedure on its working memory (`size` numbers) and the given arrays, by name; all are changed."""
    _Performance(procedure, memory, given, functions).run(procedure.body)


class _Performance:
    def __init__(self, procedure: Procedure, memory: Floats, given: Mapping[str, Floats], functions: Slots) -> None:
        self.cells, self.routines, self.functions = memory, procedure.routines, functions
        self.arrays: dict[Array, Floats] = {
            array: memory[place : place + array.length] for array, place in procedure.offsets.items()
        }
        self.arrays.update((array, given[array.name].reshape(-1)) for array in procedure.given)

    def run(self, body: Sequence[Statement]) -> None:
        for statement in body:
            self._one(statement)

    def _one(self, x: Statement) -> None:
        if isinstance(x, Let):
            self.cells[list(x.writes)] = self._values(x.values)
        elif isinstance(x, If):
            self.run(x.then if self._values(x.condition)[0] != 0.0 else x.otherwise)
        elif isinstance(x, While):
            while self._values(x.condition)[0] != 0.0:
                self.run(x.body)
        elif isinstance(x, Call):
            parameters = np.empty(0) if x.parameters is None else self._part(x.parameters)
            results = evaluate(x.program, [self._part(part) for part in x.inputs], parameters)
            for part, values in zip(x.outputs, results):
                self._part(part)[:] = values
        elif isinstance(x, Each):
            results = evaluate(x.program, [self.arrays[a][None] for a in x.inputs], self.cells[list(x.shared)])
            for array, values in zip(x.outputs, results):
                self.arrays[array][:] = values[0]
        elif isinstance(x, Copy):
            self._part(x.target)[:] = self._part(x.source)
        elif isinstance(x, Solve):
            right = self._part(x.right)
            right[:] = np.linalg.solve(self._part(x.matrix).reshape(len(right), -1), right)
        elif isinstance(x, Run):
            self._kernel(x)
        elif isinstance(x, Foreign):
            function = self.functions.get((x.slot.array.name, x.slot.start))
            if function is not None:
                function(self._part(x.source), self._part(x.target))
            if x.found is not None:
                self.cells[x.found] = float(function is not None)
        elif isinstance(x, Perform):
            self.run(self.routines[x.routine])
        else:
            row = int(self.cells[x.row]) * x.width + x.column
            own = self._part(x.target if isinstance(x, Fetch) else x.source)
            there = self.arrays[x.table][row : row + len(own)]
            if isinstance(x, Fetch):
                own[:] = there
            else:
                there[:] = own

    def _kernel(self, x: Run) -> None:
        arrays, numbers = iter(x.arrays), iter([] if x.numbers is None else self._values(x.numbers))
        arguments: list[Any] = []
        for parameter in x.kernel.code.parameters:
            if parameter.type is Type.FLOATS:
                arguments.append(self._onward(next(arrays)))
            else:
                arguments.append(int(next(numbers)) if parameter.type is Type.INT else next(numbers))
        with np.errstate(all="ignore"):
            result = x.kernel(*arguments)
        if x.result is not None:
            self.cells[x.result] = result

    def _values(self, scalars: Scalars) -> Floats:
        return evaluate(scalars.program, [self.cells[list(scalars.reads)]], np.empty(0))[0]

    def _onward(self, part: Part) -> Floats:
        """The part; to the end of a given array, which may be longer than is said."""
        array = self.arrays[part.array]
        ends = part.array.given and part.start + part.length == part.array.length
        return array[part.start :] if ends else self._part(part)

    def _part(self, part: Part) -> Floats:
        return self.arrays[part.array][part.start : part.start + part.length]


def evaluate(program: Program, inputs: Sequence[Floats], parameters: Floats) -> list[Floats]:
    """A program's outputs by the interpreter; the inputs' first axes are the blocks' elements."""
    values: dict[Any, Any] = {}
    for block, array in zip((*program.inputs, program.parameters), (*inputs, parameters)):
        values.update(zip(block.nodes, array))
    flat = iter(interpret(program.results, values))
    return [np.array([next(flat) for _ in block.nodes]) for block in program.outputs]
