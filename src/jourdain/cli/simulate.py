"""The motion of a mechanism: where it is at the end, how it was integrated, and the checks of the run.

It starts at rest in or near the neutral position, where the loops close, or from --q and --u, by name:
`jourdain simulate pendulum --q angle=1.2 --time 5`. Speeds that constraints bind follow from those that are given.

Ctrl-C keeps what was computed: it is printed and written as was asked, and with --checkpoint FILE.npz the run can go on
later, by --resume FILE.npz, to the same bits.
"""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..console import Console, duration
from ..model.mistakes import counted
from .command import UserMistake, add_model
from .names import resolve

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..driver import Compiled
    from ..model.system import System
    from ..simulation import Run

    Floats = NDArray[np.float64]

NAME = "simulate"
HELP = "the motion, integrated and checked; --save FILE.npz, --plot FILE.png, --animate FILE.html"
ROWS = 11  # of the table that is printed
CHANGES = 8  # of the mode that are printed
GUESSES = 20  # of a position that closes
FILES = (
    ("save", (".npz", ".parquet")), ("plot", (".png", ".svg", ".pdf")), ("animate", (".html", ".gif", ".mp4")),
    ("checkpoint", (".npz",)), ("resume", (".npz",)),
)  # fmt: skip
TIMES = 1000  # between the start and the end, in what is saved and drawn


def configure(parser: ArgumentParser) -> None:
    """NAME, --time, --q, --u, what to write, and checkpoints."""
    add_model(parser)
    parser.add_argument("--time", type=float, default=10.0, metavar="T", help="how long [s], 10 if left out")
    add_start(parser)
    parser.add_argument("--save", type=Path, metavar="FILE.npz", help="write everything here (.npz, .parquet)")
    parser.add_argument("--plot", type=Path, metavar="FILE.png", help="draw coordinates and speeds here")
    parser.add_argument("--animate", type=Path, metavar="FILE.html", help="a moving picture (.html, .gif, .mp4)")
    parser.add_argument(
        "--checkpoint", type=Path, metavar="FILE.npz", help="keep what is needed to go on here, now and at Ctrl-C"
    )
    parser.add_argument(
        "--checkpoint-every", type=float, default=10.0, metavar="S", help="seconds between two, 10 if left out"
    )
    parser.add_argument("--resume", type=Path, metavar="FILE.npz", help="go on from a checkpoint of this model")


def add_start(parser: ArgumentParser) -> None:
    """--q and --u, of which `start_of` makes a state."""
    for option, what in (("--q", "coordinates"), ("--u", "speeds")):
        parser.add_argument(
            option, nargs="+", action="extend", default=[], metavar="NAME=VALUE", help=f"{what} at the start"
        )


def run(options: Namespace, console: Console) -> int:
    """Simulates, prints, writes."""
    _files(options)
    if not 0.0 < options.time < float("inf"):
        raise UserMistake(f"--time {options.time:g}: a positive number of seconds is needed")
    if not 0.0 <= options.checkpoint_every < float("inf"):
        raise UserMistake(f"--checkpoint-every {options.checkpoint_every:g}: a number of seconds is needed")
    if options.resume is not None and (options.q or options.u or options.checkpoint):
        raise UserMistake("--resume goes on with the run's own start, times and file: leave out --q, --u, --checkpoint")
    from ..driver import compile
    from ..simulation import Status

    system = resolve(options.model)
    console.progress(f"simulating {system.name} …")
    found = _resumed(system, options, console) if options.resume else _simulated(compile(system), options, console)
    console.close()
    _print(found, console)
    for write, path in ((found.save, options.save), (found.plot, options.plot), (found.animate, options.animate)):
        if path is not None:
            write(path)
            console.note(f"wrote {path}")
    if found.status is Status.INTERRUPTED:
        kept = options.checkpoint or options.resume
        how = (
            f"go on with: jourdain simulate {shlex.quote(options.model)} --resume {shlex.quote(str(kept))}"
            if kept else "to be able to go on, name a file with --checkpoint"
        )  # fmt: skip
        console.note(f"jourdain: interrupted at {found.t[-1]:g} s; {how}")
        return 130
    return 0 if found.is_complete else 1


def _simulated(compiled: Compiled, options: Namespace, console: Console) -> Run:
    import numpy as np

    from ..simulation import simulate

    q, u = start_of(compiled, options)
    try:
        return simulate(
            compiled, q, u, np.linspace(0.0, options.time, TIMES + 1), progress=console if console.live else None,
            checkpoint=options.checkpoint, checkpoint_every=options.checkpoint_every,
        )  # fmt: skip
    except ValueError as error:
        raise UserMistake(f"{options.model}: {error}") from error


def _resumed(system: System, options: Namespace, console: Console) -> Run:
    from ..simulation import resume

    try:
        return resume(options.resume, system, progress=console if console.live else None)
    except ValueError as error:
        raise UserMistake(str(error)) from error


def _files(options: Namespace) -> None:
    for option, suffixes in FILES:
        path: Path | None = getattr(options, option)
        if path is None:
            continue
        if path.suffix not in suffixes:
            raise UserMistake(f"--{option} {path}: name a file that ends with {' or '.join(suffixes)}")
        if not path.parent.is_dir():
            raise UserMistake(f"--{option} {path}: there is no folder {str(path.parent)!r}")


def start_of(compiled: Compiled, options: Namespace) -> tuple[list[float], list[float]]:
    """The neutral position, or what is given, on the constraints, and speeds that go with it."""
    import numpy as np

    system = compiled.system
    q = _given("q", options.q, system.coordinates, system.neutral)
    u = _given("u", options.u, system.speeds, np.zeros(len(system.speeds)))
    try:
        q = _closed(compiled, q, guesses=1 if options.q else GUESSES)
        if compiled.imposed and options.u:
            free = compiled.independent(q)
            named = list(dict.fromkeys(text.partition("=")[0] for text in options.u))
            if len(named) > len(free):
                raise UserMistake(f"--u: {len(named)} speeds are given, of which {len(free)} are independent")
            names = (named + [x for x in free if x not in named])[: len(free)]
            u = [float(x) for x in compiled.complete(q, [u[system.speeds.index(x)] for x in names], names)]
    except ValueError as error:
        raise UserMistake(f"{options.model}: {error}") from error
    return q, u


def _closed(compiled: Compiled, q: list[float], guesses: int) -> list[float]:
    """A position that satisfies the constraints: near q, or else near others, ever further from it."""
    import numpy as np

    rng, error = np.random.default_rng(0), ValueError()
    for k in range(guesses):
        try:
            return [float(x) for x in compiled.assemble(q + 0.1 * k * rng.normal(size=len(q)))]
        except ValueError as problem:
            error = error if k else problem
    raise error


def _given(option: str, texts: Sequence[str], names: Sequence[str], start: Floats) -> list[float]:
    from ..model.mistakes import did_you_mean

    found = [float(x) for x in start]
    for text in texts:
        name, _, value = text.partition("=")
        if name not in names:
            what = {"q": "coordinate", "u": "speed"}[option]
            raise UserMistake(f"--{option} {text}: there is no {what} {name!r}; {did_you_mean(name, names)}")
        try:
            found[list(names).index(name)] = float(value)
        except ValueError:
            raise UserMistake(f"--{option} {text}: write {name}=NUMBER") from None
    return found


def _print(found: Run, console: Console) -> None:
    import numpy as np

    system, counts = found.system, found.counts
    console.print(
        f"{system.name}: {found.t[-1]:g} s by {found.method.name} in {duration(found.seconds)}, "
        f"{counts['steps']} steps, {counts['evaluations']} evaluations"
    )
    if not found.is_complete:
        console.print(f"The run ended early: {found.reason}.")
    console.print()
    moments = np.linspace(0.0, found.t[-1], ROWS)
    some = np.unique([int(np.abs(found.t - x).argmin()) for x in moments])
    names = [*system.coordinates, *system.outputs]
    columns = [*found.q.T, *found.outputs.values()]
    rows = [[f"{found.t[i]:.4g}", *(f"{x[i]:.6g}" for x in columns)] for i in some]
    console.table(["t [s]", *names], rows)
    console.print()
    if found.changes:
        _print_changes(found, console)
    for line in str(found.checks).splitlines():
        console.print(line)


def _print_changes(found: Run, console: Console) -> None:
    """How many, how long in which mode, what impacts took, and the first ones."""
    lasted: dict[tuple[str, ...], float] = {}
    for span in found.modes:
        lasted[span.mode] = lasted.get(span.mode, 0.0) + span.end - span.start
    lost = f"; impacts took {found.lost_energy:.4g} J" if any(x.impulses for x in found.changes) else ""
    console.print(f"{counted(len(found.changes), 'change')} of the mode{lost}")
    console.table(["for [s]", "mode"], [[f"{x:.4g}", ", ".join(mode) or "nothing"] for mode, x in lasted.items()])
    console.print()
    for change in found.changes[:CHANGES]:
        console.print(str(change))
    if len(found.changes) > CHANGES:
        console.print(f"… and {len(found.changes) - CHANGES} more")
    console.print()
