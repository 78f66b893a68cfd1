"""What a command is: a module with a name, a line of help, its arguments, and what it does."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Protocol

from ..console import Console


class UserMistake(Exception):
    """Something that the user can put right: one line says what and how."""


class Command(Protocol):
    """A module in this folder; it imports what it needs when it runs, so that `jourdain --help` is quick."""

    NAME: str
    HELP: str

    def configure(self, parser: ArgumentParser) -> None:
        """Adds the command's own arguments."""

    def run(self, options: Namespace, console: Console) -> int:
        """Does it; answers the exit status."""


MODEL_HELP = (
    "a gallery name (see `jourdain list`; chain:30), file.py:name of a System, a Model, a model of "
    "sympy.physics.mechanics or a function that answers one, or a .urdf or saved .json file"
)


def add_model(parser: ArgumentParser) -> None:
    """The argument NAME that most commands take."""
    parser.add_argument("model", metavar="NAME", help=MODEL_HELP)
