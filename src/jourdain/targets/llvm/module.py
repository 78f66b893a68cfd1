"""A program as LLVM modules: the function, the loop over members, the setup; long bodies a module a piece."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...program import PIECE, Split
from .body import Fetch, Keep, Plan
from .code import Code, Kind, Module
from .loop import FUNCTION, LOOP, REPEAT, SETUP, write_function, write_loop
from .machine import Host
from .spelling import Writer

# Bytes of the vectors that plain angles are packed into. Wider ones would pay for themselves no longer: while 512-bit
# operations are under way, x86 processors close one of the ports that plain numbers go through (measured: UR5 88 ns
# with 64 bytes, 34 ns with 32).
PACKING = 32

# LLVM's effort for the first module, which short programs fill, and for the pieces of long ones: straight lines, whose
# code is as quick after less effort, in four fifths of the time (measured on chains of 300 links).
FIRST_EFFORT, PIECE_EFFORT = 2, 1

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


def write(split: Split, form: Form, host: Host) -> Iterator[str]:
    """The texts of the modules, to be linked together; the first one holds `symbols(split)`.

    The setup always computes in 64 bits: it runs once, and what it takes differences of should not be rounded twice.
    """
    number, vector = Kind(form.bits), Kind(form.bits, form.lanes)
    packing = min(host.vector_bytes, PACKING) // number.size
    plan = Plan(split.main, form.piece)
    kinds = {"scalar": number} | ({"vector": vector} if form.lanes > 1 else {})
    bodies = {stem: plan.body(stem, kind) for stem, kind in kinds.items()}

    first = Module(host.attributes)
    apart = len(plan.pieces) > 1
    if not apart:
        for stem, kind in kinds.items():
            plan.write(first, bodies[stem], 0, kind, packing, host.has_fma)
    write_function(first, split.main, bodies["scalar"])

    numbers = sum(len(block) for block in (*split.main.inputs, *split.main.outputs))

    def inline(code: Code, fetch: Fetch, keep: Keep) -> None:
        plan.write_inline(Writer(code, vector, packing, host.has_fma), fetch, keep)

    write_loop(
        first, LOOP, split.main, bodies["scalar"], bodies.get("vector"), number, vector, host.architecture,
        None if apart or numbers > FEW else inline,
    )
    if split.setup is not None:
        plain = Kind(64)
        setup = Plan(split.setup, form.piece)
        body = setup.body("setup_body", plain)
        for i in range(len(setup.pieces)):
            setup.write(first, body, i, plain, host.vector_bytes // plain.size, host.has_fma, once=True)
        write_loop(first, SETUP, split.setup, body, None, plain, plain, host.architecture)
    yield first.text()
    if apart:
        for i in range(len(plan.pieces)):
            module = Module(host.attributes)
            for stem, kind in kinds.items():
                plan.write(module, bodies[stem], i, kind, packing, host.has_fma)
            yield module.text()


def effort(module: int) -> int:
    """LLVM's level of optimization for each of the modules that `write` gives, by place."""
    return PIECE_EFFORT if module else FIRST_EFFORT


def symbols(split: Split) -> tuple[str, ...]:
    """What the modules export."""
    return (FUNCTION, LOOP, REPEAT) if split.setup is None else (FUNCTION, LOOP, REPEAT, SETUP)
