"""CasADi: the recursions over its symbols, common subexpressions merged, C code generated and compiled."""

from __future__ import annotations

import ctypes
import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from . import casadi_recursions as recursions
from .case import QUANTITIES, Case, Ready, State, check
from .mechanism import Array
from .toolchain import NATIVE, Made, Refused, build, c_compiler, cache_folder, make, package

MOST_SPEEDS = {"inverse_dynamics": 300, "forward_dynamics": 100, "mass_matrix": 40}
"""Beyond these, generating or compiling one huge block of C takes minutes to hours."""
COMPILE_LIMIT = 180.0  # seconds
Pointer = ctypes.POINTER(ctypes.c_double)


class CasadiC:
    """Functions of `casadi.CodeGenerator`, compiled at -O3 for this processor."""

    name = "casadi C"

    def prepare(self, case: Case) -> Ready:
        """Generated, compiled and checked; what is too large for it is left out."""
        package("casadi", "casadi")
        loop = _loop()
        start = time.perf_counter()
        symbols = recursions.symbols(case.mechanism)
        derive = time.perf_counter() - start
        compiled = 0.0
        libraries: dict[str, Path] = {}
        notes: list[str] = []
        for quantity in QUANTITIES:
            if case.mechanism.nv > MOST_SPEEDS[quantity]:
                notes.append(f"{quantity.replace('_', ' ')} only up to {MOST_SPEEDS[quantity]} speeds")
                continue
            start = time.perf_counter()
            source = _generate(quantity, symbols)
            derive += time.perf_counter() - start
            try:
                made = _compile(quantity, source)
            except Refused as reason:
                notes.append(str(reason))
                continue
            compiled += made.seconds
            for state in case.states:
                check(quantity, _call(loop, made.file, quantity, state, 0.0)[1], state)
            libraries[quantity] = made.file

        def clock(seconds: float) -> dict[str, float]:
            first = case.states[0]
            return {name: _call(loop, library, name, first, seconds)[0] for name, library in libraries.items()}

        return Ready(clock, derive_s=derive, compile_s=compiled, note="; ".join(notes))


def _generate(quantity: str, symbols: recursions.Symbols) -> str:
    """C code of one quantity."""
    import casadi as ca

    outputs: dict[str, Callable[[recursions.Symbols], Any]] = {
        "inverse_dynamics": recursions.inverse_dynamics,
        "forward_dynamics": recursions.forward_dynamics,
        "mass_matrix": recursions.mass_matrix,
    }
    inputs = [symbols.q] if quantity == "mass_matrix" else [symbols.q, symbols.v, symbols.x]
    function = ca.Function(quantity, inputs, [ca.cse(outputs[quantity](symbols))])
    code = ca.CodeGenerator(f"{quantity}.c", {"with_header": False})
    code.add(function)
    return str(code.dump())


def _compile(quantity: str, text: str) -> Made:
    folder = cache_folder() / "casadi"
    folder.mkdir(exist_ok=True)
    source = folder / f"{hashlib.sha256(text.encode()).hexdigest()[:20]}.c"
    if not source.exists():
        source.write_text(text)
    command = [c_compiler(), "-O3", "-march=native", "-fPIC", "-shared", str(source), "-lm"]
    return make(f"{quantity}.so", command, [source], limit=COMPILE_LIMIT)


def _loop() -> Any:
    source = NATIVE / "casadi_loop.c"
    library = build("casadi_loop.so", [c_compiler(), "-O2", "-fPIC", "-shared", str(source), "-ldl"], [source])
    function = ctypes.CDLL(str(library)).casadi_loop
    function.restype = ctypes.c_double
    return function


def _call(loop: Any, library: Path, quantity: str, state: State, seconds: float) -> tuple[float, Array]:
    """Nanoseconds (0 where seconds is 0) and the answer; a matrix comes by columns, and is symmetric."""
    last = state.a if quantity == "inverse_dynamics" else state.tau
    arguments = [state.q] if quantity == "mass_matrix" else [state.q, state.v, last]
    result = np.zeros(state.v.size ** (2 if quantity == "mass_matrix" else 1))
    pointers = (Pointer * len(arguments))(*(np.ascontiguousarray(x).ctypes.data_as(Pointer) for x in arguments))
    ns = loop(str(library).encode(), quantity.encode(), pointers, len(arguments), result.ctypes.data_as(Pointer),
              ctypes.c_double(seconds))  # fmt: skip
    if ns < 0:
        raise Refused(f"{library.name} could not be loaded")
    return float(ns), result
