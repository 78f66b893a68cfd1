"""A mechanism as code for elsewhere, in a folder of files that need nothing of ours.

--to wasm: NAME.wasm, the functions and the motion as WebAssembly; NAME.js, a script that runs it; NAME.html, a page
that shows the motion, opened from the disk or from any server of files.

The motion starts at rest in or near the neutral position, where the loops close, or from --q and --u, by name.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from ..console import Console
from .command import UserMistake, add_model
from .names import resolve
from .simulate import add_start, start_of

NAME = "export"
HELP = "the mechanism as WebAssembly with a page that runs it; --to wasm -o FOLDER"


def configure(parser: ArgumentParser) -> None:
    """NAME, --to, -o, --q, --u, --step."""
    add_model(parser)
    parser.add_argument("--to", required=True, metavar="TARGET", help="wasm")
    parser.add_argument("-o", "--out", required=True, type=Path, metavar="FOLDER", help="made if need be")
    add_start(parser)
    parser.add_argument("--step", type=float, default=1e-3, metavar="H", help="of the motion [s], 0.001 if left out")


def run(options: Namespace, console: Console) -> int:
    """Writes the files, and says which."""
    from ..exporting import TARGETS, export

    if options.to not in TARGETS:
        raise UserMistake(f"--to {options.to}: there is no such target; there are {', '.join(TARGETS)}")
    if options.out.exists() and not options.out.is_dir():
        raise UserMistake(f"-o {options.out}: there is a file of this name; name a folder")
    from ..driver import compile
    from ..simulation import RK4

    compiled = compile(resolve(options.model))
    q, u = start_of(compiled, options)
    console.progress(f"exporting {compiled.system.name} …")
    try:
        files = export(compiled, options.to, options.out, q0=q, u0=u, method=RK4(options.step))
    except ValueError as error:
        raise UserMistake(f"{options.model}: {error}") from error
    console.close()
    for path in files:
        console.print(f"{path}  {path.stat().st_size} bytes")
    return 0
