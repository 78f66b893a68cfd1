"""Times of inverse dynamics, forward dynamics and the mass matrix beside other libraries, in one run.

Every library gets the same bodies and answers the same states; its answers are compared with ours before anything is
timed. Then all are timed in turns, a compiled loop calling one function with everything in cache; the least mean
counts. Peers that are not installed are left out, and said so: pip install 'jourdain[peers]' brings them, clang and
libeigen3-dev (apt) let Pinocchio's C++ be compiled for this processor. The first run builds for a minute or two.
Ctrl-C stops, and shows what was measured until then.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..console import Console, duration
from .command import UserMistake
from .names import resolve

if TYPE_CHECKING:
    from ..bench.compare import Comparison, Row
    from ..model.system import System

NAME = "bench"
HELP = "times beside Pinocchio, CasADi, SymPy and MuJoCo, in one run"
MODELS = ("stanford-arm", "ur5", "panda")
SECONDS = 0.6
TITLES = {"inverse_dynamics": "inverse", "forward_dynamics": "forward", "mass_matrix": "mass matrix"}


def configure(parser: ArgumentParser) -> None:
    """--models, --seconds, --json."""
    parser.add_argument(
        "--models", nargs="+", metavar="NAME", default=list(MODELS),
        help="what is measured, blanks or commas between: NAMEs as everywhere, or ur5, panda, solo, talos "
        f"(default {' '.join(MODELS)})",
    )
    parser.add_argument("--seconds", type=positive, default=SECONDS, help=f"spent on each figure (default {SECONDS})")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures here")


def positive(text: str) -> float:
    """A number above zero."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1e6:
        raise ArgumentTypeError(f"{text!r} is not a positive number of seconds")
    return value


def run(options: Namespace, console: Console) -> int:
    """Measures model after model; status 1 if a peer's answer differs from ours."""
    from ..bench.compare import all_peers, compare
    from ..bench.machine import machine

    skipped: list[str] = []
    systems = _systems(options.models, skipped)
    here = machine()
    if options.json is not None:
        _write(options.json, here, [], skipped)  # where it cannot be written, this is said before the minutes
    console.print(_heading(here))
    peers = all_peers()
    comparisons: list[Comparison] = []
    for system in systems:
        found = compare(system, peers, options.seconds, console.progress)
        comparisons.append(found)
        _show(system, found, console)
        skipped += [text for text in found.skipped if text not in skipped]
        if options.json is not None:
            _write(options.json, here, comparisons, skipped)
        if found.interrupted:
            console.note("interrupted: the figures above are what was measured until then")
            break
    wrong = [text for found in comparisons for text in found.wrong]
    if skipped:
        console.print("\nLeft out:")
    for text in skipped:
        console.print(f"  {text}")
    for text in wrong:
        console.print(f"WRONG ANSWER {text}")
    if options.json is not None:
        console.note(f"wrote {options.json}")
    if comparisons and comparisons[-1].interrupted:
        return 130
    return 1 if wrong else 0


def _systems(names: Sequence[str], skipped: list[str]) -> list[System]:
    """The models; a robot whose wheel is missing is left out."""
    from ..bench.robots import ROBOTS, robot
    from ..bench.toolchain import Missing

    systems = []
    wanted = [x for word in names for x in word.split(",") if x]
    if not wanted:
        raise UserMistake("--models names no model")
    for name in wanted:
        if name not in ROBOTS:
            systems.append(resolve(name))
            continue
        try:
            systems.append(robot(name))
        except Missing as reason:
            skipped.append(f"{name}: {reason}")
    return systems


# -- output ---------------------------------------------------------------------------------------------------------


def _heading(machine: dict[str, Any]) -> str:
    compilers = ", ".join(machine["compilers"].values()) or "no compiler"
    lanes = f"{machine['lanes_float64']} SIMD lanes of float64"
    return (
        f"{machine['processor']}, {machine['cores']} cores, {lanes}; {compilers}\n"
        "Nanoseconds of one evaluation (how many times ours); derive and compile (of ours, what one evaluation needs) "
        "once, from nothing."
    )


def _show(system: System, found: Comparison, console: Console) -> None:
    if not found.rows:
        return
    ours = found.rows[0]
    rows = [_cells(row, ours) for row in found.rows]
    batch = ours.ready.batch
    if batch is not None and ours.batch_ns:
        cells = [_times(ours.batch_ns.get(key), None) for key in TITLES]
        rows.insert(1, [f"  of {batch.members} at once", *cells, "", "", f"{batch.lanes} lanes, one core"])
    console.print(f"\n{system.name}, {len(system.speeds)} speed{'' if len(system.speeds) == 1 else 's'}")
    console.table(["", *TITLES.values(), "derive", "compile", "note"], rows)


def _cells(row: Row, ours: Row) -> list[str]:
    times = [_times(row.ns.get(key), None if row is ours else ours.ns.get(key)) for key in TITLES]
    took = [_seconds(row.ready.derive_s), _seconds(row.ready.compile_s)]
    return [row.peer, *times, *took, row.ready.note]


def _times(ns: float | None, ours: float | None) -> str:
    if ns is None:
        return "—"
    digits = f"{ns:.1f}" if ns < 100 else f"{ns:.0f}"
    if not ours:
        return digits
    ratio = ns / ours
    return f"{digits} ({ratio:.1f})" if ratio < 100 else f"{digits} ({ratio:.0f})"


def _seconds(value: float | None) -> str:
    return "—" if value is None else duration(value)


def _write(path: Path, machine: dict[str, Any], comparisons: Sequence[Comparison], skipped: Sequence[str]) -> None:
    report = {
        "machine": machine,
        "results": [row.as_json() for found in comparisons for row in found.rows],
        "skipped": list(skipped),
        "wrong": [text for found in comparisons for text in found.wrong],
    }
    try:
        path.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise UserMistake(f"--json {path} cannot be written: {error.strerror}") from error
