"""A procedure under construction: cells that are nodes, so that formulas read as formulas, and blocks that are `with`.

    draft = Draft("sum")
    total, k = draft.cell("total"), draft.cell("k")
    draft.set({total: 0.0, k: 0.0})
    with draft.loop(less(k, 10.0)):
        draft.set({total: total + k, k: k + 1.0})
    draft.done()
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ..graph import Graph, Node, Role, symbols_of, transfer
from .hoist import hoist
from .imperative import Type
from .kernel import Kernel
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
    Store,
    While,
)
from .program import Block, Program

Place = Array | Part | Node
MOST_CELLS = 4096


class Draft:
    """Arrays, cells and statements, in the order in which they are added."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.graph = Graph()
        self._cells: dict[Node, int] = {}
        self._memory = Array("cells", MOST_CELLS)
        self._arrays: dict[str, Array] = {}
        self._open: list[list[Statement]] = [[]]
        self._first: list[Statement] = []
        self._sizes: dict[Part, tuple[int, int]] = {}
        self._routines: dict[str, tuple[Statement, ...]] = {}
        self._split: dict[Program, tuple[Program, Part | None]] = {}

    # -- memory ---------------------------------------------------------------------------------------------------

    def cell(self, name: str) -> Node:
        """A single number that is kept; as a node it stands for its value."""
        node = self.graph.symbol(name, Role.INPUT)
        self._cells.setdefault(node, len(self._cells))
        return node

    def array(self, name: str, length: int, given: bool = False) -> Array:
        """Numbers in the working memory, or given by the caller. A name that is there already is the same array."""
        found = self._arrays.get(name)
        if found is None:
            found = self._arrays[name] = Array(name, length, given)
        if (found.length, found.given) != (length, given):
            raise ValueError(f"{name!r} is there already, with {found.length} numbers")
        return found

    # -- statements -----------------------------------------------------------------------------------------------

    def set(self, values: Mapping[Node, Node | float]) -> None:
        """Cells get values, all at once."""
        nodes = [self.graph.node(x) for x in values.values()]
        self._add(Let(self._scalars(nodes), tuple(self._cells[x] for x in values)))

    def call(
        self,
        program: Program,
        inputs: Sequence[Place],
        outputs: Sequence[Place],
        parameters: Array | None = None,
    ) -> None:
        """A program once. What depends on its parameters alone is computed when the procedure begins."""
        main, own = self._hoisted(program, parameters)
        self._add(Call(main, tuple(map(self._part, inputs)), own, tuple(map(self._part, outputs))))

    def each(
        self,
        outputs: Sequence[Array],
        formula: Callable[..., Node | Sequence[Node]],
        inputs: Sequence[Array],
        shared: Sequence[Node] = (),
    ) -> None:
        """outputs = formula(*inputs, *shared) for every element; shared: cells."""
        graph = Graph()
        given = [graph.symbol(f"x{k}", Role.INPUT) for k in range(len(inputs))]
        common = tuple(graph.symbol(f"s{k}", Role.PARAMETER) for k in range(len(shared)))
        made = formula(*given, *common)
        nodes = [graph.node(x) for x in ([made] if isinstance(made, Node) else made)]
        # What is read is not written at the same time: in place means by way of another array.
        length = outputs[0].length
        homes = [self.array(f"spare{k} of {length}", length) if x in inputs else x for k, x in enumerate(outputs)]
        program = Program(
            "each", tuple(Block(f"x{k}", (x,), ()) for k, x in enumerate(given)), Block("shared", common),
            tuple(Block(f"y{k}", (x,), ()) for k, x in enumerate(nodes)),
        )  # fmt: skip
        self._add(Each(program, tuple(inputs), tuple(self._cells[x] for x in shared), tuple(homes)))
        for home, output in zip(homes, outputs):
            if home is not output:
                self.copy(home, output)

    def copy(self, source: Place, target: Place) -> None:
        """target = source"""
        self._add(Copy(self._part(source), self._part(target)))

    def fetch(self, table: Array, width: int, column: int, row: Node, target: Place) -> None:
        """target = what stands in a row (a cell) of a table, from a column on."""
        self._add(Fetch(table, width, column, self._cells[row], self._part(target)))

    def store(self, source: Place, table: Array, width: int, column: int, row: Node) -> None:
        """The other way."""
        self._add(Store(self._part(source), table, width, column, self._cells[row]))

    def solve(self, matrix: Array, right: Array) -> None:
        """right = matrix⁻¹ right; the matrix is used up."""
        self._add(Solve(matrix.whole, right.whole))

    def run(self, kernel: Kernel[..., Any], *arguments: Place | float, to: Node | None = None) -> None:
        """A kernel, with arrays, parts and cells for its arrays, and formulas of cells and numbers for its numbers, of
        which whole ones are truncated. to: a cell for its result."""
        parameters = kernel.code.parameters
        if len(arguments) != len(parameters):
            names = ", ".join(x.name for x in parameters)
            raise ValueError(f"kernel {kernel.name!r} takes ({names}), not {len(arguments)} arguments")
        if to is not None and kernel.code.result is None:
            raise ValueError(f"kernel {kernel.name!r} has no result to be kept in {to.name!r}")
        arrays, numbers = list[Part](), list[Node]()
        for x, argument in zip(parameters, arguments):
            if x.type is Type.FLOATS:
                if isinstance(argument, int | float) or (isinstance(argument, Node) and argument not in self._cells):
                    raise ValueError(f"kernel {kernel.name!r}: {x.name!r} is an array, not the number {argument}")
                arrays.append(self._part(argument))
            elif isinstance(argument, Array | Part):
                raise ValueError(f"kernel {kernel.name!r}: {x.name!r} is a number, not the array {_name(argument)!r}")
            else:
                numbers.append(self.graph.node(argument))
        scalars = self._scalars(numbers) if numbers else None
        self._add(Run(kernel, tuple(arrays), scalars, None if to is None else self._cells[to]))

    def foreign(self, slot: Place, source: Place, target: Place, found: Node | None = None) -> None:
        """target = f(source), where f is a function of elsewhere whose address is in the slot, if there is one.

        slot: a number of a given array. found: a cell that says whether there was one.
        """
        parts = self._part(slot), self._part(source), self._part(target)
        sizes = parts[1].length, parts[2].length
        known = self._sizes.setdefault(parts[0], sizes)
        if known != sizes:
            raise ValueError(
                f"the function of slot {parts[0].start} of {parts[0].array.name!r} makes {known[1]} numbers of "
                f"{known[0]} elsewhere, not {sizes[1]} of {sizes[0]}"
            )
        self._add(Foreign(*parts, None if found is None else self._cells[found]))

    # -- blocks ---------------------------------------------------------------------------------------------------

    @contextmanager
    def routine(self, name: str) -> Iterator[None]:
        """Statements that are kept under a name and done where they are performed."""
        if name in self._routines:
            raise ValueError(f"there is a routine {name!r} already")
        with self._block() as body:
            yield
        self._routines[name] = tuple(body)

    def perform(self, name: str) -> None:
        """A routine that is complete, here."""
        if name not in self._routines:
            known = ", ".join(map(repr, self._routines)) or "none"
            raise ValueError(f"there is no routine {name!r} yet; there are {known}")
        self._add(Perform(name))

    @contextmanager
    def loop(self, condition: Node) -> Iterator[None]:
        """While the condition holds."""
        scalars = self._scalars([condition])
        with self._block() as body:
            yield
        self._add(While(scalars, tuple(body)))

    @contextmanager
    def when(self, condition: Node) -> Iterator[None]:
        """If the condition holds."""
        scalars = self._scalars([condition])
        with self._block() as body:
            yield
        self._add(If(scalars, tuple(body)))

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """If the condition of the `when` just before did not hold."""
        last = self._open[-1].pop()
        assert isinstance(last, If)
        with self._block() as body:
            yield
        self._add(If(last.condition, last.then, tuple(body)))

    def done(self) -> Procedure:
        """The procedure."""
        arrays = self._arrays.values()
        return Procedure(
            self.name, tuple(x.name for x in self._cells), self._memory, tuple(x for x in arrays if not x.given),
            tuple(x for x in arrays if x.given), (*self._first, *self._open[0]), self._routines,
        )  # fmt: skip

    # -- inside ---------------------------------------------------------------------------------------------------

    @contextmanager
    def _block(self) -> Iterator[list[Statement]]:
        self._open.append([])
        yield self._open[-1]
        self._open.pop()

    def _add(self, statement: Statement) -> None:
        self._open[-1].append(statement)

    def _part(self, place: Place) -> Part:
        if isinstance(place, Node):
            return Part(self._memory, self._cells[place], 1)
        return place.whole if isinstance(place, Array) else place

    def _scalars(self, nodes: Sequence[Node]) -> Scalars:
        graph = Graph()
        used = symbols_of(nodes)
        own = [graph.symbol(x.name, x.role) for x in used]
        values = Block("values", tuple(transfer(nodes, graph)))
        program = Program("scalars", (Block("cells", tuple(own)),), Block("none", ()), (values,))
        return Scalars(program, tuple(self._cells[x] for x in used))

    def _hoisted(self, program: Program, parameters: Array | None) -> tuple[Program, Part | None]:
        found = self._split.get(program)
        if found is None:
            split = hoist(program)
            home = None
            if split.setup is not None:
                assert parameters is not None
                home = self.array(f"hoisted{len(self._split)}", len(split.hoisted)).whole
                self._first.append(Call(split.setup, (parameters.whole,), None, (home,), once=True))
            found = self._split[program] = split.main, home
        return found


def _name(place: Array | Part) -> str:
    return place.name if isinstance(place, Array) else place.array.name
