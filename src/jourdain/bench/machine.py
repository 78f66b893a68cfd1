"""The machine and the software that figures belong to."""

from __future__ import annotations

import os
import platform
from typing import Any

from .toolchain import compiler, compiler_version, version_of

WHEELS = ("numpy", "llvmlite", "pin", "casadi", "mujoco", "sympy", "example-robot-data")


def machine() -> dict[str, Any]:
    """Processor, cores, SIMD lanes, system, compilers and versions."""
    from .. import __version__
    from ..targets.llvm import host

    found = host()
    kinds = ("clang++", "g++", "cc")
    return {
        "processor": processor_name(),
        "cpu": found.cpu,
        "cores": os.cpu_count(),
        "lanes_float64": found.vector_bytes // 8,
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": {"jourdain": __version__, **{w: version_of(w) for w in WHEELS if version_of(w)}},
        "compilers": {kind: compiler_version(name) for kind in kinds if (name := compiler(kind))},
    }


def processor_name() -> str:
    """The processor's own name, where the system tells it."""
    from .toolchain import processor

    for row in processor().splitlines():
        if row.startswith("model name"):
            return row.split(":", 1)[-1].strip()
    return platform.processor() or platform.machine()
