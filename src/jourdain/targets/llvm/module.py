"""A program as LLVM modules: function, loop, setup; apart from them, for later, batches; long bodies by pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...program import PIECE, Program, Split
from .asking import SLOT
from .body import Body, Fetch, Keep, Plan
from .code import Code, Kind, Module
from .loop import BATCH, FUNCTION, LOOP, REPEAT, SETUP, write_function, write_loop, write_many
from .machine import Host
from .spelling import Writer

# Bytes of the vectors that plain angles are packed into. Wider ones would pay for themselves no longer: while 512-bit
# operations are under way, x86 processors close one of the ports that plain numbers go through (measured: UR5 88 ns
# with 64 bytes, 34 ns with 32).
PACKING = 32

# LLVM's effort for the first module, which short programs fill, and for the pieces of long ones: straight lines, whose
# code is as quick after less effort, in four fifths of the time (measured on chains of 300 links). What is set up once
# takes less time than any effort for it.
FIRST_EFFORT, PIECE_EFFORT, SETUP_EFFORT = 2, 1, 0

# Numbers in and out that are moved by code of their own, from registers to registers; more go through memory in loops
# (measured: Solo's mass matrix, 182 numbers, 22 ns a member in place of 28).
FEW = 192


@dataclass(frozen=True)
class Form:
    """What a program is written as.

    bits: of a number, 64 or 32. lanes: members side by side in a batch; 1 leaves the vector code out.
    piece: operations to a function, about.
    """

    bits: int
    lanes: int
    piece: int = PIECE

    @staticmethod
    def of(bits: int, host: Host, piece: int = PIECE) -> Form:
        """As many lanes as the host's widest registers have."""
        return Form(bits, host.vector_bytes * 8 // bits, piece)


Source = tuple[str, int]
"""A module's text, and LLVM's effort for it."""


def write(split: Split, form: Form, host: Host) -> Iterator[Source]:
    """The modules for members one by one, to be linked together; they export `symbols(split, form)`."""
    number = Kind(form.bits)
    plan = Plan(split.main, form.piece)
    body = plan.body("scalar", number)
    first = Module(host.attributes)
    if len(plan.pieces) == 1:
        plan.write(first, body, 0, number, _packing(form, host), host.has_fma)
    write_function(first, split.main, body)
    write_loop(first, LOOP, split.main, body, number, host.architecture, waits=form.lanes > 1)
    yield first.text(), FIRST_EFFORT
    yield from _apart(plan, body, number, form, host)
    if split.setup is not None:
        yield _setup(split.setup, form, host), SETUP_EFFORT


def _setup(program: Program, form: Form, host: Host) -> str:
    """Always computes in 64 bits: it runs once, and what it takes differences of should not be rounded twice."""
    number = Kind(64)
    plan, module = Plan(program, form.piece), Module(host.attributes)
    body = plan.body("setup_body", number)
    for i in range(len(plan.pieces)):
        plan.write(module, body, i, number, host.vector_bytes // number.size, host.has_fma, once=True)
    write_loop(module, SETUP, program, body, number, host.architecture)
    return module.text()


def write_batch(split: Split, form: Form, host: Host) -> Iterator[Source]:
    """The modules for `lanes` members side by side; they export BATCH, which fills the loop's slot."""
    vector = Kind(form.bits, form.lanes)
    plan = Plan(split.main, form.piece)
    body = plan.body("vector", vector)
    first = Module(host.attributes)
    apart = len(plan.pieces) > 1
    if not apart:
        plan.write(first, body, 0, vector, _packing(form, host), host.has_fma)
    numbers = sum(len(block) for block in (*split.main.inputs, *split.main.outputs))

    def inline(code: Code, fetch: Fetch, keep: Keep) -> None:
        plan.write_inline(Writer(code, vector, _packing(form, host), host.has_fma), fetch, keep)

    write_many(first, BATCH, split.main, body, vector, None if apart or numbers > FEW else inline)
    yield first.text(), FIRST_EFFORT
    yield from _apart(plan, body, vector, form, host)


def _packing(form: Form, host: Host) -> int:
    return min(host.vector_bytes, PACKING) // Kind(form.bits).size


def _apart(plan: Plan, body: Body, kind: Kind, form: Form, host: Host) -> Iterator[Source]:
    """The pieces of a long body, a module each."""
    if len(plan.pieces) > 1:
        for i in range(len(plan.pieces)):
            module = Module(host.attributes)
            plan.write(module, body, i, kind, _packing(form, host), host.has_fma)
            yield module.text(), PIECE_EFFORT


def symbols(split: Split, form: Form) -> tuple[str, ...]:
    """What the modules of `write` export; SLOT where there is batch code to wait for."""
    waiting = (SLOT,) if form.lanes > 1 else ()
    return (FUNCTION, LOOP, REPEAT, *waiting, *((SETUP,) if split.setup is not None else ()))
