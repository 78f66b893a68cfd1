"""The equations of motion, readable: the mechanism, coordinates, kinematics, mass matrix and forces, energies, counts.

Text by default; --latex prints a fragment for a document that uses amsmath; --html writes one page with mathematics and
a picture, which needs no network.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from ..console import Console
from .command import UserMistake, add_model
from .names import resolve

NAME = "derive"
HELP = "the equations of motion, readable; --latex, --html FILE"


def configure(parser: ArgumentParser) -> None:
    """NAME, --latex, --html."""
    add_model(parser)
    parser.add_argument("--latex", action="store_true", help="as LaTeX instead of text")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write one HTML page here instead of printing")


def run(options: Namespace, console: Console) -> int:
    """Prints them, or writes the page."""
    page: Path | None = options.html
    if page is not None:
        if options.latex:
            raise UserMistake("--latex prints and --html writes a page: give one of them")
        if not page.parent.is_dir():
            raise UserMistake(f"--html {page}: there is no folder {str(page.parent)!r}")
        if page.is_dir():
            raise UserMistake(f"--html {page}: this is a folder; name a file in it")
    from ..reader import derive

    system = resolve(options.model)
    console.progress(f"deriving {system.name} …")
    found = derive(system)
    if page is not None:
        page.write_text(found.html(), encoding="utf-8")
        console.note(f"wrote {page}")
        return 0
    console.print((found.latex() if options.latex else found.text()).rstrip("\n"))
    return 0
