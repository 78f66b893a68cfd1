"""A procedure as LLVM modules: one function that calls the bodies of programs, void procedure(double *, double **).

Cells and arrays stay in memory, which is in the nearest cache; what is worth registers is inside the bodies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...program import PIECE, Program, digest
from ...program.imperative import Code as Kernel
from ...program.imperative import Type
from ...program.procedure import (
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
from .body import Body, Plan
from .code import Code, Kind, Module
from .kernel import kernel_name, signature, truncated, write_kernels
from .loop import working_memory
from .machine import WHOLE, Host
from .module import FIRST_EFFORT, PACKING, PIECE_EFFORT, Source
from .solve import solver
from .spelling import Writer

PROCEDURE = "procedure"
ROUTINE = "ptr %memory, ptr %given, ptr %scratch"
NUMBER = Kind(64)


def write_procedure(procedure: Procedure, host: Host) -> Iterator[Source]:
    """The modules, to be linked together, and with those of `write_kernels_of`; the first one holds `PROCEDURE`."""
    writer = _Procedure(procedure, host)
    first = Module(host.attributes)
    writer.write(first)
    for plan, body, kind, once in writer.short:
        plan.write(first, body, 0, kind, writer.packing, host.has_fma, once)
    yield first.text(), FIRST_EFFORT
    for plan, body, kind, once in writer.long:
        for i in range(len(plan.pieces)):
            module = Module(host.attributes)
            plan.write(module, body, i, kind, writer.packing, host.has_fma, once)
            yield module.text(), PIECE_EFFORT


def kernels_of(procedure: Procedure) -> list[Kernel]:
    """The kernels that it runs, each once."""
    found = [x.kernel.code for x in procedure.statements if isinstance(x, Run)]
    return list({kernel_name(x): x for x in found}.values())


def write_kernels_of(procedure: Procedure, host: Host) -> Source:
    """The module of its kernels."""
    module = Module(host.attributes)
    write_kernels(module, kernels_of(procedure))
    return module.text(), WHOLE


class _Procedure:
    """The function under construction, and the bodies that it calls."""

    def __init__(self, procedure: Procedure, host: Host) -> None:
        self.procedure, self.host = procedure, host
        self.packing = min(host.vector_bytes, PACKING) // NUMBER.size
        self.vector = Kind(64, host.vector_bytes // NUMBER.size)
        self.short: list[tuple[Plan, Body, Kind, bool]] = []
        self.long: list[tuple[Plan, Body, Kind, bool]] = []
        self._bodies: dict[tuple[str, Kind, bool], Body] = {}
        for statement in procedure.statements:
            if isinstance(statement, Call):
                self._body(statement.program, NUMBER, statement.once)
            elif isinstance(statement, Each):
                self._body(statement.program, self.vector)

    def write(self, module: Module) -> None:
        for name, body in self.procedure.routines.items():
            self._begin(module, "%scratch")
            self._block(body)
            self.code.do("ret void")
            self.code.close(self._routine(name), ROUTINE)
        size = max((body.scratch for body in self._bodies.values()), default=0)
        room, release = working_memory(self._begin(module), size, self.host.stack_bytes)
        self.scratch = room
        self._block(self.procedure.body)
        release()
        self.code.do("ret void")
        self.code.close(PROCEDURE, "ptr %memory, ptr %given", linkage="")

    def _begin(self, module: Module, scratch: str = "") -> Code:
        """A function, with the pointers that all its statements use."""
        code = self.code = Code(module)
        self.scratch, count = scratch, len(self.procedure.given)
        self.given = [code.let(f"load ptr, ptr {code.offset('%given', 8 * i)}") for i in range(count)]
        return code

    def _routine(self, name: str) -> str:
        return f"routine{list(self.procedure.routines).index(name)}"

    def _block(self, statements: Sequence[Statement]) -> None:
        for statement in statements:
            self._one(statement)

    def _one(self, x: Statement) -> None:
        code = self.code
        if isinstance(x, Let):
            for cell, value in zip(x.writes, self._values(x.values)):
                code.do(f"store double {value}, ptr {self._cell(cell)}, align 8")
        elif isinstance(x, If):
            code.branch(self._holds(x.condition), lambda: self._block(x.then), lambda: self._block(x.otherwise))
        elif isinstance(x, While):
            code.repeat(lambda: self._holds(x.condition), lambda: self._block(x.body))
        elif isinstance(x, Call):
            self._call(x)
        elif isinstance(x, Each):
            self._each(x)
        elif isinstance(x, Copy):
            self._move(self._at(x.source), self._at(x.target), x.target.length)
        elif isinstance(x, Solve):
            helper = code.module.require(
                f"solve_{x.right.length}", lambda m, name: solver(m, name, x.right.length, self.host.has_fma)
            )
            code.do(f"call void @{helper}(ptr {self._at(x.matrix)}, ptr {self._at(x.right)})")
        elif isinstance(x, Run):
            self._run(x)
        elif isinstance(x, Foreign):
            self._foreign(x)
        elif isinstance(x, Perform):
            code.do(f"call void @{self._routine(x.routine)}(ptr %memory, ptr %given, ptr {self.scratch})")
        else:
            row = code.let(f"fptosi double {self._load(x.row)} to i64")
            there = code.index(code.offset(self._base(x.table), 8 * x.column), str(8 * x.width), row)
            if isinstance(x, Fetch):
                self._move(there, self._at(x.target), x.target.length)
            else:
                self._move(self._at(x.source), there, x.source.length)

    # -- programs -------------------------------------------------------------------------------------------------

    def _body(self, program: Program, kind: Kind, once: bool = False) -> Body:
        """The body of a program, written once however many statements call it."""
        key = (digest(program), kind, once)
        found = self._bodies.get(key)
        if found is None:
            plan = Plan(program, PIECE)
            found = self._bodies[key] = plan.body(f"program{len(self._bodies)}", kind)
            (self.short if len(plan.pieces) == 1 else self.long).append((plan, found, kind, once))
        return found

    def _call(self, x: Call) -> None:
        body = self._body(x.program, NUMBER, x.once)
        pointers = {f"%in{i}": self._at(part) for i, part in enumerate(x.inputs)}
        pointers |= {f"%out{i}": self._at(part) for i, part in enumerate(x.outputs)}
        own = "null" if x.parameters is None else self._at(x.parameters)
        body.call(self.code, pointers | {"%parameters": own, "%scratch": self.scratch})

    def _each(self, x: Each) -> None:
        code, body = self.code, self._body(x.program, self.vector)
        common = code.reserve(8 * len(x.shared), 8) if x.shared else "null"
        for k, cell in enumerate(x.shared):
            code.do(f"store double {self._load(cell)}, ptr {code.offset(common, 8 * k)}, align 8")
        bases = [self._base(array) for array in (*x.inputs, *x.outputs)]
        names = [*(f"%in{i}" for i in range(len(x.inputs))), *(f"%out{i}" for i in range(len(x.outputs)))]

        def group(i: str) -> None:
            pointers = {name: code.index(base, "8", i) for name, base in zip(names, bases)}
            body.call(code, pointers | {"%parameters": common, "%scratch": self.scratch})

        code.loop(str(x.outputs[0].length), group, step=str(self.vector.lanes))

    def _run(self, x: Run) -> None:
        code, kernel = self.code, x.kernel.code
        code.module.declare(signature(kernel))
        arrays = iter([self._at(part) for part in x.arrays])
        numbers = iter([] if x.numbers is None else self._values(x.numbers))
        arguments = []
        for parameter in kernel.parameters:
            if parameter.type is Type.FLOATS:
                arguments.append(f"ptr {next(arrays)}")
            elif parameter.type is Type.FLOAT:
                arguments.append(f"double {next(numbers)}")
            else:
                arguments.append(f"i64 {truncated(code, next(numbers))}")
        call = f"call {signature(kernel).split('(')[0]}({', '.join(arguments)})"
        if kernel.result is None:
            code.do(call)
            return
        result = code.let(call)
        if kernel.result is Type.INT:
            result = code.let(f"sitofp i64 {result} to double")
        if x.result is not None:
            code.do(f"store double {result}, ptr {self._cell(x.result)}, align 8")

    def _foreign(self, x: Foreign) -> None:
        code = self.code
        # The address may be put there by another thread, after what it leads to.
        address = code.let(f"load atomic i64, ptr {self._at(x.slot)} acquire, align 8")
        there = code.let(f"icmp ne i64 {address}, 0")

        def call() -> None:
            function = code.let(f"inttoptr i64 {address} to ptr")
            code.do(f"call void {function}(ptr {self._at(x.source)}, ptr {self._at(x.target)})")

        code.branch(there, call)
        if x.found is not None:
            code.do(f"store double {code.let(f'uitofp i1 {there} to double')}, ptr {self._cell(x.found)}, align 8")

    def _values(self, scalars: Scalars) -> list[str]:
        """Written between the caller's own instructions."""
        code, made = self.code, dict[int, str]()
        plan = Plan(scalars.program, 1 << 30)
        plan.write_inline(
            Writer(code, NUMBER, self.packing, self.host.has_fma),
            lambda _, element: self._load(scalars.reads[element]),
            lambda _, element, value: made.update({element: value}),
        )
        return [made[k] for k in range(len(scalars.program.results))]

    def _holds(self, condition: Scalars) -> str:
        (value,) = self._values(condition)
        return self.code.let(f"fcmp une double {value}, {NUMBER.literal(0.0)}")

    # -- memory ---------------------------------------------------------------------------------------------------

    def _base(self, array: Array) -> str:
        if array.given:
            return self.given[self.procedure.given.index(array)]
        return self.code.offset("%memory", 8 * self.procedure.offsets[array])

    def _at(self, part: Part) -> str:
        return self.code.offset(self._base(part.array), 8 * part.start)

    def _cell(self, place: int) -> str:
        return self.code.offset("%memory", 8 * place)

    def _load(self, cell: int) -> str:
        return self.code.let(f"load double, ptr {self._cell(cell)}, align 8")

    def _move(self, source: str, target: str, length: int) -> None:
        move = "void @llvm.memmove.p0.p0.i64"
        self.code.module.declare(f"{move}(ptr, ptr, i64, i1)")
        self.code.do(f"call {move}(ptr {target}, ptr {source}, i64 {8 * length}, i1 false)")
