"""The main job, start to finish, on the Stanford arm: derive, count, compile, simulate, check, draw."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ..console import Console

NAME = "demo"
HELP = "the main job, start to finish, on the Stanford arm"


def configure(parser: ArgumentParser) -> None:
    """No arguments."""


def run(options: Namespace, console: Console) -> int:
    """Runs it."""
    from .. import demo

    demo.run(console)
    return 0
