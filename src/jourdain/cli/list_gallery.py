"""The gallery: mechanisms that are ready to be derived, compiled, simulated."""

from __future__ import annotations

import inspect
from argparse import ArgumentParser, Namespace

from ..console import Console
from .names import gallery_entries

NAME = "list"
HELP = "the gallery"


def configure(parser: ArgumentParser) -> None:
    """No arguments."""


def run(options: Namespace, console: Console) -> int:
    """A line an entry: its name and the first line of its docstring."""
    entries = gallery_entries()
    width = max(map(len, entries))
    for name, entry in entries.items():
        first = (inspect.getdoc(entry) or "").split("\n\n")[0].replace("\n", " ")
        console.print(f"{name.ljust(width)}  {first}")
    return 0
