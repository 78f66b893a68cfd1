"""Procedures: programs called in loops, with memory that outlives a call. An integrator is one; it knows no mechanics.

A procedure is data, as a program is: each target writes it out in its own words, and `perform` in NumPy's. Every
array but the given ones lies in one piece of working memory that the caller owns, so that a procedure can stop after
any number of steps, and go on from there, or from a copy of that memory, to the same bits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .digest import digest
from .kernel import Kernel
from .program import Program

ALIGN = 8  # numbers: arrays begin, and end, at multiples of the widest vector


@dataclass(frozen=True, eq=False)
class Array:
    """Numbers in working memory, or the caller's: a given array may be longer than is said here."""

    name: str
    length: int
    given: bool = False

    @property
    def whole(self) -> Part:
        return Part(self, 0, self.length)

    def part(self, start: int, length: int) -> Part:
        """Some of its numbers."""
        return Part(self, start, length)


@dataclass(frozen=True)
class Part:
    """Consecutive numbers of an array."""

    array: Array
    start: int
    length: int

    def __post_init__(self) -> None:
        if self.start < 0 or self.start + self.length > self.array.length:
            raise ValueError(
                f"{self.array.name!r} has {self.array.length} numbers, not those from {self.start} to "
                f"{self.start + self.length}"
            )


@dataclass(frozen=True)
class Scalars:
    """Straight-line code from cells (single numbers, by their places among all cells) to values."""

    program: Program
    reads: tuple[int, ...]


@dataclass(frozen=True)
class Let:
    """Cells get values; all are computed before the first is stored."""

    values: Scalars
    writes: tuple[int, ...]


@dataclass(frozen=True)
class Call:
    """A program once, from parts to parts that do not overlap; once: it runs too seldom to be worth optimizing."""

    program: Program
    inputs: tuple[Part, ...]
    parameters: Part | None
    outputs: tuple[Part, ...]
    once: bool = False


@dataclass(frozen=True)
class Each:
    """A program of single numbers for every element of arrays of one length, vectors at a time.

    shared: cells that are the program's parameters, the same for all elements.
    """

    program: Program
    inputs: tuple[Array, ...]
    shared: tuple[int, ...]
    outputs: tuple[Array, ...]


@dataclass(frozen=True)
class Copy:
    """target = source"""

    source: Part
    target: Part


@dataclass(frozen=True)
class Fetch:
    """target = the numbers from `column` on in a row of a table of `width` columns; row: a cell."""

    table: Array
    width: int
    column: int
    row: int
    target: Part


@dataclass(frozen=True)
class Store:
    """The other way."""

    source: Part
    table: Array
    width: int
    column: int
    row: int


@dataclass(frozen=True)
class Solve:
    """right = matrix⁻¹ right by elimination with row pivots; the matrix (n, n) is used up."""

    matrix: Part
    right: Part


@dataclass(frozen=True)
class Run:
    """A kernel once: its arrays and its numbers, each in the order of its parameters; the result goes to a cell."""

    kernel: Kernel[..., Any]
    arrays: tuple[Part, ...]
    numbers: Scalars | None
    result: int | None


@dataclass(frozen=True)
class Foreign:
    """A function of elsewhere, void (*)(double *source, double *target), if there is one.

    slot: one number of a given array; its bits are the function's address, or 0. found: a cell that becomes 1 if it was
    called, else 0, and then the target is as before.
    """

    slot: Part
    source: Part
    target: Part
    found: int | None

    def __post_init__(self) -> None:
        if not self.slot.array.given or self.slot.length != 1:
            raise ValueError(
                f"the address of a function lies in one number of a given array, not in {self.slot.length} of "
                f"{self.slot.array.name!r}"
            )


@dataclass(frozen=True)
class Perform:
    """A routine of the procedure."""

    routine: str


@dataclass(frozen=True)
class If:
    """One way where the condition is not zero, else the other."""

    condition: Scalars
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class While:
    """Again and again while the condition is not zero."""

    condition: Scalars
    body: tuple[Statement, ...]


Statement = Let | Call | Each | Copy | Fetch | Store | Solve | Run | Foreign | Perform | If | While


@dataclass(frozen=True, eq=False)
class Procedure:
    """Statements over arrays.

    cells: names of the single numbers at the beginning of the working memory, which `memory` stands for.
    routines: statements by name, to be performed from several places; each performs earlier ones only.
    """

    name: str
    cells: tuple[str, ...]
    memory: Array
    arrays: tuple[Array, ...]
    given: tuple[Array, ...]
    body: tuple[Statement, ...]
    routines: Mapping[str, tuple[Statement, ...]] = field(default_factory=dict)

    @property
    def statements(self) -> Iterator[Statement]:
        """All of them, in routines and blocks too."""
        for body in (*self.routines.values(), self.body):
            yield from _all(body)

    @cached_property
    def offsets(self) -> dict[Array, int]:
        """Where each array of the working memory begins [numbers]."""
        found, place = {self.memory: 0}, padded(len(self.cells))
        for array in self.arrays:
            found[array] = place
            place += padded(array.length)
        return found

    @property
    def size(self) -> int:
        """Of the working memory [numbers]."""
        return padded(len(self.cells)) + sum(padded(array.length) for array in self.arrays)

    @cached_property
    def fingerprint(self) -> str:
        """The same for the same code in every process, whatever its names."""
        total = hashlib.sha256(f"{len(self.cells)} {[x.length for x in self.arrays]} {len(self.given)}\n".encode())
        for body in (*self.routines.values(), self.body):
            for line in (*self._lines(body), "end"):
                total.update(line.encode() + b"\n")
        return total.hexdigest()

    def _lines(self, body: tuple[Statement, ...]) -> Iterator[str]:
        for statement in body:
            kind = type(statement).__name__
            if isinstance(statement, If | While):
                yield f"{kind} {self._scalars(statement.condition)}"
                for block in (statement.then, statement.otherwise) if isinstance(statement, If) else (statement.body,):
                    yield "{"
                    yield from self._lines(block)
                    yield "}"
            elif isinstance(statement, Let):
                yield f"{kind} {self._scalars(statement.values)} {statement.writes}"
            elif isinstance(statement, Call):
                own = "-" if statement.parameters is None else self._place(statement.parameters)
                yield (
                    f"{kind} {digest(statement.program)} {[self._place(x) for x in statement.inputs]} {own} "
                    f"{[self._place(x) for x in statement.outputs]} {statement.once}"
                )
            elif isinstance(statement, Each):
                homes = [[self._array(x) for x in arrays] for arrays in (statement.inputs, statement.outputs)]
                yield f"{kind} {digest(statement.program)} {homes} {statement.shared}"
            elif isinstance(statement, Copy):
                yield f"{kind} {self._place(statement.source)} {self._place(statement.target)}"
            elif isinstance(statement, Solve):
                yield f"{kind} {self._place(statement.matrix)} {self._place(statement.right)}"
            elif isinstance(statement, Run):
                numbers = "-" if statement.numbers is None else self._scalars(statement.numbers)
                places = [self._place(x) for x in statement.arrays]
                yield f"{kind} {statement.kernel.code.digest} {places} {numbers} {statement.result}"
            elif isinstance(statement, Foreign):
                places = [self._place(x) for x in (statement.slot, statement.source, statement.target)]
                yield f"{kind} {places} {statement.found}"
            elif isinstance(statement, Perform):
                yield f"{kind} {list(self.routines).index(statement.routine)}"
            else:
                own = self._place(statement.target if isinstance(statement, Fetch) else statement.source)
                at = f"{statement.width} {statement.column} {statement.row}"
                yield f"{kind} {self._array(statement.table)} {at} {own}"

    def _scalars(self, scalars: Scalars) -> str:
        return f"{digest(scalars.program)} {scalars.reads}"

    def _place(self, part: Part) -> str:
        return f"{self._array(part.array)}+{part.start}:{part.length}"

    def _array(self, array: Array) -> str:
        return f"given{self.given.index(array)}" if array.given else f"{self.offsets[array]}:{array.length}"


def _all(body: Sequence[Statement]) -> Iterator[Statement]:
    for x in body:
        yield x
        if isinstance(x, If):
            yield from _all(x.then)
            yield from _all(x.otherwise)
        elif isinstance(x, While):
            yield from _all(x.body)


def padded(length: int) -> int:
    """Rounded up, so that vectors may read and write past the end."""
    return -(-length // ALIGN) * ALIGN
