"""What NumPy calls: void loop(char **args, intp *dims, intp *steps, void *data) over all members of a batch.

args: inputs, then outputs. dims[0]: members. steps: one outer stride an argument, then the strides of each
argument's own axes, in bytes. data: the parameters.
"""

from __future__ import annotations

from collections.abc import Callable

from ...program import Block, Program
from .asking import ASK, SLOT, Slot, write_ask
from .body import Body, Fetch, Keep, block_bytes
from .code import Code, Kind, Module
from .layout import (
    columns_in,
    columns_of,
    columns_out,
    is_dense,
    member_in,
    member_out,
    member_return,
    rows_of,
    tile_in,
    tile_out,
    transpose,
)
from .library import PREFIX

LOOP = "loop"
SETUP = "setup"
FUNCTION = "function"
REPEAT = "repeat"
BATCH = "batch"
STACK_LIMIT = 1 << 17  # more working memory than this comes from the heap: threads have short stacks
FLAGS_RAISED = 0x1D  # x86: invalid, division by zero, overflow, underflow, which NumPy looks at
FLAGS_ALL = 0x3F


def write_function(module: Module, program: Program, body: Body) -> None:
    """function(inputs…, parameters, outputs…): one member, dense; what C calls."""
    pointers = [p for p in body.pointers if p != "%scratch"]
    signature = ", ".join(f"ptr {p}" for p in pointers)
    code = Code(module)
    room, release = working_memory(code, body.scratch)
    body.call(code, {p: p for p in pointers} | {"%scratch": room})
    release()
    code.do("ret void")
    code.close(FUNCTION, signature, linkage="")
    # The same call n times, for timing: a body is not inlined, so nothing is skipped.
    code = Code(module)
    code.loop("%n", lambda i: code.do(f"call void @{FUNCTION}({signature})"))
    code.do("ret void")
    code.close(REPEAT, f"i64 %n, {signature}", linkage="")


Inline = Callable[[Code, Fetch, Keep], None]


class _Arguments:
    """Where one gufunc argument lies."""

    def __init__(self, code: Code, program: Program) -> None:
        self.blocks: tuple[Block, ...] = (*program.inputs, *program.outputs)
        self.count_in = len(program.inputs)
        self.bases = [code.let(f"load ptr, ptr {code.offset('%args', 8 * i)}") for i in range(len(self.blocks))]
        self.outer = [code.let(f"load i64, ptr {code.offset('%steps', 8 * i)}") for i in range(len(self.blocks))]
        self.strides = []
        place = len(self.blocks)
        for block in self.blocks:
            self.strides.append(code.offset("%steps", 8 * place))
            place += len(block.dimensions)

    def pointer(self, i: int) -> str:
        return f"%in{i}" if i < self.count_in else f"%out{i - self.count_in}"


def write_loop(
    module: Module, name: str, program: Program, body: Body, kind: Kind, architecture: str, waits: bool = False
) -> None:
    """The loop, member by member.

    waits: batches go to the batch code once it is in the slot. Until then they use up the slot's patience, and when
    that is at its end the loop calls whoever makes the code.
    """
    single, many = f"{name}_single", f"{name}_many"
    _write_single(module, single, program, body, kind)
    if waits:
        _write_wait(module, many, single)
    code = Code(module)
    n = code.let("load i64, ptr %dims")

    def go(function: str, count: str = n) -> None:
        code.do(f"call void @{function}(ptr %args, ptr %steps, ptr %data, i64 {count})")

    if waits:  # apart, so that a single call has no more to do than to find that it is one
        code.branch(code.let(f"icmp eq i64 {n}, 1"), lambda: go(single, "1"), lambda: go(many))
    else:
        go(single)
    _lower_flags(code, architecture)
    code.do("ret void")
    code.close(name, "ptr %args, ptr %dims, ptr %steps, ptr %data", linkage="")


def _write_wait(module: Module, name: str, single: str) -> None:
    """Batches, with the batch code as soon as it is there."""
    write_ask(module)
    code = Code(module)

    def go(function: str) -> None:
        code.do(f"call void {function}(ptr %args, ptr %steps, ptr %data, i64 %n)")

    def batch() -> str:
        return code.let(f"load atomic ptr, ptr {code.offset(f'@{SLOT}', Slot.BATCH)} acquire, align 8")

    def ask() -> None:
        code.do(f"call void @{ASK}()")

    def wait() -> None:
        left = code.let(f"atomicrmw sub ptr {code.offset(f'@{SLOT}', Slot.PATIENCE)}, i64 %n monotonic, align 8")
        code.branch(code.let(f"icmp sle i64 {left}, %n"), ask)
        made = batch()
        code.branch(code.let(f"icmp eq ptr {made}, null"), lambda: go(f"@{single}"), lambda: go(made))

    found = batch()
    code.branch(code.let(f"icmp eq ptr {found}, null"), wait, lambda: go(found))
    code.do("ret void")
    code.close(name, "ptr %args, ptr %steps, ptr %data, i64 %n")


def _write_single(module: Module, name: str, program: Program, body: Body, kind: Kind) -> None:
    """Member by member."""
    code = Code(module)
    at = _Arguments(code, program)
    sizes = [block_bytes(block, kind) for block in at.blocks]
    room, release = working_memory(code, body.scratch + sum(sizes) + 64)
    rooms, place = [], -(-body.scratch // 64) * 64
    for size in sizes:
        rooms.append(code.offset(room, place))
        place += size

    def member(i: str) -> None:
        pointers = {"%parameters": "%data", "%scratch": room}
        bases = [code.index(base, outer, i) for base, outer in zip(at.bases, at.outer)]
        for k, block in enumerate(at.blocks):
            place = f"ptr {bases[k]}, ptr {at.strides[k]}, ptr {rooms[k]}"
            if k >= at.count_in:
                helper = member_out(module, kind, block.dimensions)
                pointers[at.pointer(k)] = code.let(f"call ptr @{helper}({place}, i1 {shared(bases, k)})")
            elif len(block):
                helper = member_in(module, kind, block.dimensions)
                pointers[at.pointer(k)] = code.let(f"call ptr @{helper}({place})")
            else:
                pointers[at.pointer(k)] = bases[k]
        body.call(code, pointers)
        for k, block in enumerate(at.blocks):
            if k >= at.count_in:
                helper = member_return(module, kind, block.dimensions)
                code.do(f"call void @{helper}(ptr {bases[k]}, ptr {at.strides[k]}, ptr {pointers[at.pointer(k)]})")

    def shared(bases: list[str], k: int) -> str:
        """Whether a result is to replace an input; NumPy hands the same array in and out without a copy."""
        result = "false"
        for input_ in bases[: at.count_in]:
            same = code.let(f"icmp eq ptr {input_}, {bases[k]}")
            result = same if result == "false" else code.let(f"or i1 {result}, {same}")
        return result

    code.loop("%n", member)
    release()
    code.do("ret void")
    code.close(name, "ptr %args, ptr %steps, ptr %data, i64 %n")


def write_many(module: Module, name: str, program: Program, body: Body, kind: Kind, inline: Inline | None) -> None:
    """`lanes` members at a time; the last, incomplete group goes through the same code.

    Whether all blocks lie densely is asked once. Then a group is few enough instructions that the processor works on
    the end of one and the beginning of the next together.
    """
    code = Code(module)
    at = _Arguments(code, program)
    sizes = [block_bytes(block, kind) for block in at.blocks]
    scratch = -(-body.scratch // 64) * 64
    room, release = working_memory(code, scratch + sum(sizes))
    tiles = [code.offset(room, scratch + sum(sizes[:k])) for k in range(len(sizes))]
    inputs = [k for k in range(at.count_in) if len(at.blocks[k])]
    outputs = range(at.count_in, len(at.blocks))
    dense = "true"
    for k in (*inputs, *outputs):
        dense = code.let(f"and i1 {dense}, {is_dense(code, kind, at.blocks[k].dimensions, at.strides[k])}")
    whole = code.let(f"select i1 {dense}, i64 {code.let(f'and i64 %n, {-kind.lanes}')}, i64 0")

    def compute() -> None:
        pointers = {at.pointer(k): tile for k, tile in enumerate(tiles)}
        body.call(code, pointers | {"%parameters": "%data", "%scratch": room})

    def first(k: int, i: str) -> str:
        """Where member i of an argument lies."""
        return code.index(at.bases[k], at.outer[k], i)

    def fused_group(i: str) -> None:
        """Inputs and outputs never leave the registers; a block of outputs goes out as soon as it is complete."""
        assert inline is not None
        rows = {k: rows_of(code, kind, first(k, i), at.outer[k]) for k in (*inputs, *outputs)}

        def places(k: int, columns: range) -> list[str]:
            return [code.offset(row, columns.start * kind.size) for row in rows[k]]

        block_of = {
            (at.pointer(k), element): (k, columns)
            for k in (*inputs, *outputs)
            for columns in columns_of(kind, len(at.blocks[k]))
            for element in columns
        }
        given: dict[tuple[str, int], str] = {}
        made: dict[tuple[str, int], str] = {}

        def fetch(pointer: str, element: int) -> str:
            """An element of an input; its whole block comes in with it, where it is first needed."""
            if (pointer, element) not in given:
                k, columns = block_of[pointer, element]
                values = columns_in(code, kind, places(k, columns), len(columns))
                given.update({(pointer, e): value for e, value in zip(columns, values)})
            return given[pointer, element]

        def keep(pointer: str, element: int, value: str) -> None:
            """An element of an output; its block goes out when it is complete, and no input is read after that."""
            if not made:
                for k in inputs:
                    for e in range(len(at.blocks[k])):
                        fetch(at.pointer(k), e)
            made[pointer, element] = value
            k, columns = block_of[pointer, element]
            if all((pointer, e) in made for e in columns):
                columns_out(code, kind, places(k, columns), [made[pointer, e] for e in columns])

        inline(code, fetch, keep)

    def dense_group(i: str) -> None:
        for k in (*inputs, *outputs):
            if k == at.count_in:
                compute()
            transpose(code, kind, len(at.blocks[k]), first(k, i), at.outer[k], tiles[k], k < at.count_in)

    def any_group(i: str) -> None:
        rest = code.let(f"sub i64 %n, {i}")
        count = code.let(f"select i1 {code.let(f'icmp slt i64 {rest}, {kind.lanes}')}, i64 {rest}, i64 {kind.lanes}")
        for k in (*inputs, *outputs):
            if k == at.count_in:
                compute()
            helper = (tile_in if k < at.count_in else tile_out)(module, kind, at.blocks[k].dimensions)
            lies = f"ptr {first(k, i)}, i64 {at.outer[k]}, ptr {at.strides[k]}"
            code.do(f"call void @{helper}({lies}, ptr {tiles[k]}, i64 {count})")

    code.loop(whole, dense_group if inline is None else fused_group, step=str(kind.lanes))
    code.loop("%n", any_group, start=whole, step=str(kind.lanes))
    release()
    code.do("ret void")
    code.close(name, "ptr %args, ptr %steps, ptr %data, i64 %n", linkage="")


def working_memory(code: Code, size: int, limit: int = STACK_LIMIT) -> tuple[str, Callable[[], None]]:
    """Working memory, aligned to 64, and how to give it back. limit: up to which it comes from the stack."""
    if size == 0:
        return "null", lambda: None
    if size <= limit:
        return code.reserve(size), lambda: None
    module = code.module
    module.declare(f"ptr @{PREFIX}malloc(i64)")
    module.declare(f"void @{PREFIX}free(ptr)")
    raw = code.let(f"call ptr @{PREFIX}malloc(i64 {size + 64})")
    address = code.let(f"ptrtoint ptr {raw} to i64")
    aligned = code.let(f"and i64 {code.let(f'add i64 {address}, 63')}, -64")
    return code.let(f"inttoptr i64 {aligned} to ptr"), lambda: code.do(f"call void @{PREFIX}free(ptr {raw})")


def _lower_flags(code: Code, architecture: str) -> None:
    """Clears the processor's floating-point flags, so that NumPy does not warn of branches that were not chosen."""
    if architecture == "x86_64":
        code.module.declare("void @llvm.x86.sse.stmxcsr(ptr)")
        code.module.declare("void @llvm.x86.sse.ldmxcsr(ptr)")
        place = code.reserve(4, 4)
        code.do(f"call void @llvm.x86.sse.stmxcsr(ptr {place})")
        state = code.let(f"load i32, ptr {place}")
        raised = code.let(f"icmp ne i32 {code.let(f'and i32 {state}, {FLAGS_RAISED}')}, 0")

        def lower() -> None:  # writing the register costs much more than reading it
            cleared = code.let(f"and i32 {state}, {~FLAGS_ALL}")
            code.do(f"store i32 {cleared}, ptr {place}")
            code.do(f"call void @llvm.x86.sse.ldmxcsr(ptr {place})")

        code.branch(raised, lower)
    elif architecture == "aarch64":
        code.do('call void asm sideeffect "msr fpsr, $0", "r"(i64 0)')
