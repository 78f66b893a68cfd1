"""Compilers, headers, and what was built with them, kept by content in the user's cache directory."""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from ..native import default_cache

NATIVE = Path(__file__).resolve().parent / "native"
CLANGS = ("clang++", *(f"clang++-{version}" for version in range(24, 13, -1)))
MINUTES = 60.0


class Missing(Exception):
    """A peer cannot run here; the message says what is missing and what to install."""


class Refused(Exception):
    """A peer cannot do this model (its size, its joints); the message says why."""


def cache_folder() -> Path:
    """Where builds are kept: beside the machine code of our own, in the user's cache directory."""
    base = default_cache().folder or Path(tempfile.gettempdir()) / f"jourdain-{os.getpid()}"
    folder = base / "peers"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def package(module: str, wheel: str) -> Path:
    """The folder of an installed package, without importing it."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise Missing(f"{module} is not installed: pip install {wheel}")
    return Path(spec.origin).parent


def version_of(wheel: str) -> str:
    """An installed distribution's version, "" where it is not installed."""
    try:
        return metadata.version(wheel)
    except metadata.PackageNotFoundError:
        return ""


def compiler(kind: str) -> str | None:
    """The command of "clang++", "g++" or "cc" here, None where there is none."""
    names = {"clang++": CLANGS, "g++": ("g++",), "cc": ("gcc", "clang", "cc")}[kind]
    return next((name for name in names if shutil.which(name)), None)


def c_compiler() -> str:
    """The C compiler, which every compiled peer needs."""
    found = compiler("cc")
    if found is None:
        raise Missing("no C compiler here: install gcc or clang")
    return found


@functools.cache
def compiler_version(command: str) -> str:
    """The first line of what the compiler says of itself."""
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=False)
    return (done.stdout.splitlines() or [""])[0]


@functools.cache
def processor() -> str:
    """Name and features of the processor: code is made for exactly these."""
    try:
        rows = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return "\n".join(row for row in dict.fromkeys(rows) if row.startswith(("model name", "flags")))


def eigen() -> list[str]:
    """The compiler's flag for the Eigen headers."""
    places = [os.environ.get("EIGEN3_INCLUDE_DIR", ""), "/usr/include/eigen3", "/usr/local/include/eigen3",
              "/opt/homebrew/include/eigen3"]  # fmt: skip
    for place in places:
        if place and (Path(place) / "Eigen" / "Core").exists():
            return [f"-I{place}"]
    raise Missing("no Eigen headers: install libeigen3-dev (apt) or eigen (brew), or set EIGEN3_INCLUDE_DIR")


@dataclass(frozen=True)
class Made:
    """A file that a compiler made, and the seconds that it took, now or when it was first made."""

    file: Path
    seconds: float


def make(
    name: str, command: Sequence[str], sources: Sequence[Path], depends: Sequence[str] = (), limit: float = 15 * MINUTES
) -> Made:
    """Run the command with `-o FILE`, once for these sources, wheels, compiler and processor.

    depends: names of wheels whose headers or libraries go into the build.
    """
    words = [*command, compiler_version(command[0]), processor(), *(f"{w} {version_of(w)}" for w in depends)]
    digest = hashlib.sha256("\0".join(words).encode())
    for source in (*sources, NATIVE / "fastest.h"):
        digest.update(source.read_bytes())
    output = cache_folder() / digest.hexdigest()[:20] / name
    took = output.with_name(f"{name}.seconds")
    if not (output.exists() and took.exists()):
        output.parent.mkdir(parents=True, exist_ok=True)
        fresh = output.with_name(f"{name}.{os.getpid()}")
        start = time.perf_counter()
        try:
            words = [*command, "-o", str(fresh)]
            done = subprocess.run(words, capture_output=True, text=True, timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            raise Refused(f"{command[0]} took more than {limit:.0f} s over {name}") from None
        if done.returncode:
            raise Missing(f"{command[0]} failed on {name}: {_first_error(done.stderr)}")
        took.write_text(f"{time.perf_counter() - start:.3f}\n")
        fresh.replace(output)  # whole or not at all, also when two runs build at once
    return Made(output, float(took.read_text()))


def build(name: str, command: Sequence[str], sources: Sequence[Path], depends: Sequence[str] = ()) -> Path:
    """The file of `make`."""
    return make(name, command, sources, depends).file


def _first_error(text: str) -> str:
    lines = [line for line in text.splitlines() if "error" in line] or text.splitlines() or ["no message"]
    return lines[0][:300]


def output_lines(program: Path, *arguments: str, limit: float = 10 * MINUTES) -> list[tuple[str, list[float]]]:
    """Run a program that prints lines of a name and numbers."""
    try:
        done = subprocess.run([str(program), *arguments], capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        raise Refused(f"{program.name} took more than {limit:.0f} s") from None
    if done.returncode:
        raise Refused(f"{program.name} ended with status {done.returncode}: {done.stderr.strip()[-300:]}")
    rows = (line.split() for line in done.stdout.splitlines())
    return [(row[0], [float(x) for x in row[1:]]) for row in rows]
