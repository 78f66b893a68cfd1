"""Procedures as one WebAssembly module: each a function of (memory, given), as on the host, and where everything lies.

The module brings no memory: whoever instantiates it says where the working memory of each procedure is, and where its
given arrays are. Digits are those of native code in portable arithmetic, but where functions of JavaScript's `Math` are
asked, which the layout names: exp, log, pow, asin, acos, atan2 always, sin, cos, tan for angles beyond 2^19 rad. Each
browser has its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...graph.pause import collector_paused
from ...program import Procedure
from ...program.procedure import Foreign
from ..llvm import PROCEDURE, write_kernels_of, write_procedure
from ..llvm.library import MATHEMATICS, PREFIX
from .link import PAGE, link
from .machine import MACHINE, SPARE, assemble

FORMAT = "jourdain wasm 1"
MATH = "math"  # the module that functions of JavaScript's are imported from
IMPORTS = {PREFIX + name: (MATH, name) for name in MATHEMATICS}


@dataclass(frozen=True)
class Wasm:
    """A module's bytes, and its layout, which is JSON: what `runtime.js` must know to run it.

    layout: "free": the first byte of memory after the module's own; "pages": of memory that it asks for at least;
    "math": functions that it imports from JavaScript's.
    "procedures": by name "size" of the working memory [numbers]; places [numbers] of "cells" in it; "arrays": place and
    length; "given": name and least length in order; "calls": slots of functions, each an array of those given, a place,
    and how many numbers a function reads and fills.
    """

    code: bytes
    layout: dict[str, Any]


def write_wasm(procedures: Mapping[str, Procedure]) -> Wasm:
    """One module that exports every procedure by its name here."""
    groups: dict[str, list[bytes]] = {}
    stack = SPARE
    with collector_paused():
        for name, procedure in procedures.items():
            sources = [*write_procedure(procedure, MACHINE), write_kernels_of(procedure, MACHINE)]
            made = [assemble(text) for text, _ in sources]
            groups[name] = [x.code for x in made]
            stack = max(stack, SPARE + sum(x.stack for x in made))
    linked = link(groups, PROCEDURE, stack, IMPORTS)
    layout = {
        "format": FORMAT, "free": linked.free, "pages": -(-linked.free // PAGE), "math": list(linked.imported),
        "procedures": {name: layout_of(x) for name, x in procedures.items()},
    }  # fmt: skip
    return Wasm(linked.code, layout)


def layout_of(procedure: Procedure) -> dict[str, Any]:
    """Where things lie, in numbers of eight bytes."""
    calls = {
        (x.slot.array.name, x.slot.start): (x.source.length, x.target.length)
        for x in procedure.statements
        if isinstance(x, Foreign)
    }
    return {
        "size": procedure.size,
        "cells": {name: k for k, name in enumerate(procedure.cells)},
        "arrays": {x.name: [k, x.length] for x, k in procedure.offsets.items() if x is not procedure.memory},
        "given": [[x.name, x.length] for x in procedure.given],
        "calls": [[*slot, *sizes] for slot, sizes in calls.items()],
    }
