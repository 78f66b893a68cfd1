"""A program as functions from pointers to pointers: one member at a time, or `lanes` members side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...graph import Node
from ...graph.operations import CONSTANT
from ...program import Block, Compute, Piece, Program, Trig, cut, schedule
from .code import PLAIN, UNOPTIMIZED, Code, Kind, Module
from .spelling import SPELLING, Writer
from .trig import sincos

Fetch = Callable[[str, int], str]
"""(pointer, index) -> the value of an input's element."""
Keep = Callable[[str, int, str], None]
"""(pointer, index, value): takes an output's element as it is made."""


@dataclass(frozen=True)
class Body:
    """Functions to be called one after the other, each with (inputs…, parameters, outputs…, scratch).

    Inputs and outputs are dense: `kind.lanes` numbers an element. Parameters are plain numbers in either case.
    scratch: bytes of memory, aligned to the kind's width, that the functions need.
    """

    functions: tuple[str, ...]
    pointers: tuple[str, ...]
    extents: tuple[int, ...]
    scratch: int

    @property
    def signature(self) -> str:
        def pointer(name: str, extent: int) -> str:
            return f"ptr noalias {f'dereferenceable({extent}) ' if extent else ''}{name}"

        return ", ".join(pointer(p, n) for p, n in zip(self.pointers, self.extents))

    def call(self, code: Code, arguments: dict[str, str]) -> None:
        """Calls all functions with these pointers."""
        given = ", ".join(f"ptr {arguments[p]}" for p in self.pointers)
        types = ", ".join(["ptr"] * len(self.pointers))
        for function in self.functions:
            code.module.declare(f"void @{function}({types})", function)
            code.do(f"call void @{function}({given})")


class Plan:
    """What all bodies of one program share: its schedule, cut to pieces."""

    def __init__(self, program: Program, piece: int) -> None:
        self.program = program
        self.pieces, self.slots = cut(schedule(program), piece)
        self.pointers = (
            *(f"%in{i}" for i in range(len(program.inputs))), "%parameters",
            *(f"%out{i}" for i in range(len(program.outputs))), *(("%scratch",) if self.slots else ()),
        )
        self.places: dict[Node, tuple[str, int]] = {}
        for pointer, block in zip(self.pointers, (*program.inputs, program.parameters)):
            self.places.update((node, (pointer, i)) for i, node in enumerate(block.nodes))
        self.stores: dict[Node, list[tuple[str, int]]] = {}
        for i, block in enumerate(program.outputs):
            for j, node in enumerate(block.nodes):
                self.stores.setdefault(node, []).append((f"%out{i}", j))

    def body(self, stem: str, kind: Kind) -> Body:
        """The functions for one kind of value, by name; `write` writes them."""
        names = [stem if len(self.pieces) == 1 else f"{stem}_{i}" for i in range(len(self.pieces))]
        program, scratch = self.program, self.slots * kind.width
        extents = [
            *(len(block) * kind.width for block in program.inputs), len(program.parameters) * kind.size,
            *(len(block) * kind.width for block in program.outputs), scratch,
        ]
        return Body(tuple(names), self.pointers, tuple(extents[: len(self.pointers)]), scratch)

    def write(
        self, module: Module, body: Body, index: int, kind: Kind, host_lanes: int, has_fma: bool, once: bool = False
    ) -> None:
        """Writes one of a body's functions; what runs `once` is not worth the compiler's time."""
        writer = Writer(Code(module), kind, host_lanes, has_fma)
        function = _Function(self, writer, self.pieces[index], index == 0)
        function.write(body.functions[index], body.signature, UNOPTIMIZED if once else PLAIN)

    def write_inline(self, writer: Writer, fetch: Fetch, keep: Keep) -> None:
        """Writes a body of one piece into the caller's code, between values of the caller's."""
        _Inlined(self, writer, self.pieces[0], fetch, keep).steps()


class _Function:
    """One piece under construction."""

    def __init__(self, plan: Plan, writer: Writer, piece: Piece, first: bool) -> None:
        self.plan, self.writer, self.piece, self.first = plan, writer, piece, first
        self.code, self.kind = writer.code, writer.kind
        self.names: dict[Node, str] = {}

    def write(self, name: str, signature: str, group: int) -> None:
        self.steps()
        self.code.do("ret void")
        self.code.close(name, signature, linkage="hidden ", group=group)

    def steps(self) -> None:
        for step in self.piece.steps:
            if isinstance(step, Trig):
                self._trig(step)
            else:
                self._compute(step)
            for node in step.results:
                self._finished(node)
        if self.first:  # outputs that need no operation
            for node, places in self.plan.stores.items():
                if node in self.plan.places or node.op is CONSTANT:
                    self._store(node, places)

    def _compute(self, step: Compute) -> None:
        operands = [self._value(x) for x in step.operands]
        if step.fused is not None:
            f = step.fused
            a, b, c = operands
            self.names[step.node] = self.writer.fused(a, b, c, f.negate_product, f.negate_addend)
        else:
            self.names[step.node] = SPELLING[step.node.op](self.writer, *operands)

    def _trig(self, step: Trig) -> None:
        angles = [self._value(x) for x in step.angles]
        need = [(s is not None, c is not None) for s, c in zip(step.sines, step.cosines)]
        pairs = sincos(self.code, self.kind, angles, self.writer.host_lanes, need, self.writer.has_fma)
        for (sine, cosine), s, c in zip(pairs, step.sines, step.cosines):
            if s is not None:
                self.names[s] = sine
            if c is not None:
                self.names[c] = cosine

    def _value(self, node: Node) -> str:
        """The name of a value; what comes from memory is loaded where it is first needed."""
        name = self.names.get(node)
        if name is None:
            if node.op is CONSTANT and node not in self.plan.places:
                return self.kind.literal(node.value)
            place = self.plan.places.get(node)
            if place is None:
                name = self._load("%scratch", self.piece.fetch[node])
            elif place[0] == "%parameters":
                name = self._load_number(*place)
            else:
                name = self._load(*place)
            self.names[node] = name
        return name

    def _load(self, pointer: str, index: int) -> str:
        place = self.code.offset(pointer, index * self.kind.width)
        return self.code.let(f"load {self.kind.type}, ptr {place}, align {self.kind.width}, !invariant.load !1")

    def _load_number(self, pointer: str, index: int) -> str:
        place = self.code.offset(pointer, index * self.kind.size)
        number = self.code.let(f"load {self.kind.number}, ptr {place}, align {self.kind.size}, !invariant.load !1")
        return splat(self.code, self.kind, number)

    def _finished(self, node: Node) -> None:
        slot = self.piece.keep.get(node)
        if slot is not None:
            self._store(node, [("%scratch", slot)])
        self._store(node, self.plan.stores.get(node, ()))

    def _store(self, node: Node, places: list[tuple[str, int]] | tuple[()]) -> None:
        for pointer, index in places:
            value = self._value(node)
            place = self.code.offset(pointer, index * self.kind.width)
            self.code.do(f"store {self.kind.type} {value}, ptr {place}, align {self.kind.width}")


class _Inlined(_Function):
    """A whole body whose inputs and outputs need no memory."""

    def __init__(self, plan: Plan, writer: Writer, piece: Piece, fetch: Fetch, keep: Keep) -> None:
        super().__init__(plan, writer, piece, True)
        self.fetch, self.keep = fetch, keep

    def _load(self, pointer: str, index: int) -> str:
        return self.fetch(pointer, index)

    def _load_number(self, pointer: str, index: int) -> str:
        return super()._load_number("%data", index)

    def _store(self, node: Node, places: list[tuple[str, int]] | tuple[()]) -> None:
        for pointer, index in places:
            self.keep(pointer, index, self._value(node))


def splat(code: Code, kind: Kind, number: str) -> str:
    """One number in every lane."""
    if kind.lanes == 1:
        return number
    single = code.let(f"insertelement {kind.type} poison, {kind.number} {number}, i32 0")
    zeros = f"<{kind.lanes} x i32> zeroinitializer"
    return code.let(f"shufflevector {kind.type} {single}, {kind.type} poison, {zeros}")


def block_bytes(block: Block, kind: Kind) -> int:
    """Memory of a dense block, rounded up so that the next one is aligned."""
    return -(-len(block) * kind.width // 64) * 64
