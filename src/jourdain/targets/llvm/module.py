"""A program as one LLVM module: the scalar function, the vector body, the loop over members."""

from __future__ import annotations

from ...program import Program
from .body import Plan
from .code import Kind, Module
from .loop import FUNCTION, LOOP, REPEAT, write_function, write_loop
from .machine import Host

SYMBOLS = (FUNCTION, LOOP, REPEAT)
PIECE = 1000


def write(program: Program, bits: int, lanes: int, host: Host, piece: int = PIECE) -> str:
    """The module's text; lanes of 1 leave the vector body out."""
    plan = Plan(program, piece)
    module = Module(host.attributes)
    number, vector = Kind(bits), Kind(bits, lanes)
    packing = host.vector_bytes // number.size
    scalar_body = plan.write(module, "scalar", number, packing, host.has_fma)
    vector_body = plan.write(module, "vector", vector, packing, host.has_fma) if lanes > 1 else None
    write_function(module, program, scalar_body)
    write_loop(module, program, scalar_body, vector_body, number, vector, host.architecture)
    return module.text()
