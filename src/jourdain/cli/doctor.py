"""What this machine can do: Python and packages, the processor, the cache, optional libraries, compilers, a browser.

Status 1 if something that Jourdain needs does not work here; what is optional and missing is only said. Instead, with
--realtime: how late the real-time loop of `jourdain.touch` is at several rates while a Python thread is busy, without
and with real-time priority, and which rate may be promised.
"""

from __future__ import annotations

import math
import os
import platform
import shutil
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..console import Console, duration
from .bench import positive
from .command import UserMistake

NAME = "doctor"
HELP = "what this machine can do"
NEEDED = ("numpy", "scipy", "llvmlite", "sympy", "matplotlib")
OPTIONAL = {
    "pin": "Pinocchio, for `jourdain bench`",
    "casadi": "CasADi, for `jourdain bench`",
    "mujoco": "MuJoCo, for `jourdain bench`",
    "example-robot-data": "UR5, Panda, Solo, Talos as URDF",
}


@dataclass(frozen=True)
class Finding:
    """One line: what was looked at and what was found; good: None where it is optional and missing."""

    what: str
    found: str
    good: bool | None = True


def configure(parser: ArgumentParser) -> None:
    """--realtime, --seconds."""
    parser.add_argument("--realtime", action="store_true", help="how late a real-time loop is here, at several rates")
    parser.add_argument("--seconds", type=positive, default=3.0, help="spent on each rate, twice (default 3)")


def run(options: Namespace, console: Console) -> int:
    """Prints the findings."""
    return _realtime(options.seconds, console) if options.realtime else _all(console)


def _realtime(seconds: float, console: Console) -> int:
    """A table of lateness, and a promise."""
    from ..touch.clock import NoClock
    from ..touch.punctuality import HEADER, RATES, measure, promised

    found = []
    try:
        for x in measure(seconds):
            found.append(x)
            console.progress(f"measured {len(found)} of {2 * len(RATES)}: {x.lateness}")
    except NoClock as reason:
        raise UserMistake(str(reason)) from None
    console.table(HEADER, [x.cells() for x in found])
    console.print()
    for line in found[-1].granted.lines():
        console.print(line)
    best = promised(found)
    how = "Without real-time priority" if found[-1].granted.priority else "With real-time priority"
    console.print(
        f"{how} this machine kept rates up to {best:g} Hz: less than one deadline in a thousand missed."
        if best else f"{how} this machine did not keep even {RATES[0]:g} Hz: one deadline in a thousand was missed."
    )  # fmt: skip
    console.print("Soft real time: what was kept here, beside what else ran, is no guarantee for the next minute.")
    return 0


def _all(console: Console) -> int:
    findings: list[Finding] = []
    for section, look in SECTIONS.items():
        console.progress(f"looking at: {section}")
        found = list(look())
        findings += found
        console.print(f"{section}")
        width = max(len(finding.what) for finding in found)
        for finding in found:
            mark = {True: "✓", False: "✗", None: "–"}[finding.good]
            console.print(f"  {mark} {finding.what.ljust(width)}  {finding.found}")
    bad = [finding.what for finding in findings if finding.good is False]
    console.print()
    console.print(f"Not well: {', '.join(bad)}" if bad else "Everything that Jourdain needs is here.")
    return 1 if bad else 0


# -- what is looked at ----------------------------------------------------------------------------------------------


def software() -> Iterator[Finding]:
    """Python and the packages that are needed."""
    version = platform.python_version()
    yield Finding("Python", f"{version}, {sys.executable}", sys.version_info >= (3, 11))
    for name in NEEDED:
        yield _package(name, "needed: pip install " + name, missing=False)


def processor() -> Iterator[Finding]:
    """The processor, its vectors, and whether code made for it runs."""
    from ..bench.machine import processor_name
    from ..targets.llvm import host

    found = host()
    yield Finding("name", f"{processor_name()} ({found.cpu}), {os.cpu_count()} cores")
    lanes = found.vector_bytes // 8
    fused = "fused multiply-add" if found.has_fma else "no fused multiply-add"
    width = f"{8 * found.vector_bytes} bits: {lanes} lanes of float64, {2 * lanes} of float32"
    yield Finding("vectors", f"{width}; {fused}")
    yield _compiling()


def _compiling() -> Finding:
    """A function is compiled, called, and its result looked at."""
    from ..graph import Graph, Role, sin
    from ..native import Cache, compile_program
    from ..program import Block, Program

    graph = Graph()
    x = graph.symbol("x", Role.COORDINATE)
    program = Program("doctor", (Block("x", (x,)),), Block("parameters", ()), (Block("y", (sin(x) * x + 1.0,)),))
    start = time.perf_counter()
    try:
        y = float(compile_program(program, cache=Cache(None)).bind()([2.0])[0])
    except Exception as error:  # whatever LLVM says is what the user must know
        return Finding("machine code", f"{type(error).__name__}: {error}", False)
    took = duration(time.perf_counter() - start)
    good = abs(y - (2.0 * math.sin(2.0) + 1.0)) < 1e-14
    return Finding("machine code", f"compiled and right, in {took}" if good else f"wrong: {y}", good)


def cache() -> Iterator[Finding]:
    """The folder of machine code, its size, and whether it can be written to."""
    from ..native import default_cache
    from ..native.cache import VARIABLE

    folder = default_cache().folder
    if folder is None:
        yield Finding("folder", f"none ({VARIABLE} is empty, or there is no home): every start compiles anew", None)
        return
    yield Finding("folder", f"{folder} (set {VARIABLE} for another)")
    kinds = {"machine code": "*.o", "peers' programs": "peers/**/*"}
    for what, pattern in kinds.items():
        files = [path for path in folder.glob(pattern) if path.is_file()]
        size = sum(path.stat().st_size for path in files)
        yield Finding(what, f"{len(files)} file{'' if len(files) == 1 else 's'}, {size / 1e6:.1f} MB")
    yield _writable(folder)


def _writable(folder: Path) -> Finding:
    import tempfile

    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile(dir=folder, suffix=".part"):
            pass
    except OSError as error:
        return Finding("writable", f"no: {error.strerror}; every start compiles anew", None)
    return Finding("writable", "yes")


def optional() -> Iterator[Finding]:
    """Libraries to compare with, compilers, a browser."""
    from ..bench.toolchain import Missing, compiler, compiler_version, eigen

    for name, what in OPTIONAL.items():
        yield _package(name, f"{what}: pip install {name}")
    hints = {
        "clang++": "install clang, to compile Pinocchio for this processor",
        "g++": "install g++, for the same, though its code is slower",
        "cc": "install gcc, to compile what CasADi generates",
    }
    for kind, hint in hints.items():
        command = compiler(kind)
        yield Finding(kind, compiler_version(command) if command else hint, True if command else None)
    try:
        yield Finding("Eigen", eigen()[0].removeprefix("-I"))
    except Missing as reason:
        yield Finding("Eigen", str(reason), None)
    browser = _browser()
    yield Finding("browser", browser or "none found; pages can be opened elsewhere", True if browser else None)


def _package(name: str, hint: str, missing: bool | None = None) -> Finding:
    from importlib import metadata

    try:
        return Finding(name, metadata.version(name))
    except metadata.PackageNotFoundError:
        return Finding(name, hint, missing)


def _browser() -> str | None:
    import webbrowser

    for name in ("chromium", "chromium-browser", "google-chrome", "firefox", "safari"):
        if path := shutil.which(name):
            return path
    try:
        return str(getattr(webbrowser.get(), "name", "the system's own"))
    except webbrowser.Error:
        return None


SECTIONS: dict[str, Callable[[], Iterator[Finding]]] = {
    "Software": software, "Processor": processor, "Cache": cache, "Optional": optional,
}  # fmt: skip
