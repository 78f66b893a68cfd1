"""The entry point: reads the command line, runs one command, and turns mistakes into a line and a status.

Exit status: 0 success, 2 a mistake of the user's, 1 a mistake of ours (please report it), 130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from typing import TextIO, cast

from .. import __version__
from ..console import Console
from . import bench, count, demo, derive, doctor, export, list_gallery, simulate
from .command import Command, UserMistake

COMMANDS = tuple(
    cast(Command, module) for module in (demo, list_gallery, derive, count, simulate, export, bench, doctor)
)
TRACEBACK = "JOURDAIN_TRACEBACK"


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as every other mistake is said."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise UserMistake(f"{message} (see `{self.prog} --help`)")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = _Parser(
        prog="jourdain",
        description="Equations of motion of multibody systems: derived, counted, compiled, compared.",
        epilog=f"Set {TRACEBACK}=1 to see where an error came from.",
    )
    top.add_argument("--version", action="version", version=f"jourdain {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        own = commands.add_parser(
            command.NAME, help=command.HELP, description=command.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        command.configure(own)
        own.set_defaults(run=command.run)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; answers the exit status. No traceback reaches a user."""
    _write_what_can_be_written()
    console = Console()
    try:
        options = parser().parse_args(arguments)
        with _warnings_as_notes(console):
            status: int = options.run(options, console)
        console.close()
    except SystemExit as stop:  # of --help and --version
        return int(stop.code or 0)
    except KeyboardInterrupt:
        console.note("jourdain: interrupted")
        return 130
    except BrokenPipeError:  # the reader has seen enough (`jourdain list | head`)
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if os.environ.get(TRACEBACK):
            traceback.print_exc()
        mistaken = is_users(error)
        console.note(f"jourdain: {one_line(error)}" if mistaken else _ours(error))
        return 2 if mistaken else 1
    return status


def _write_what_can_be_written() -> None:
    """A letter that the terminal's encoding has not becomes a question mark."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


@contextlib.contextmanager
def _warnings_as_notes(console: Console) -> Iterator[None]:
    """What a model warns of is a line too: where the user wrote it, and what."""
    from ..model.mistakes import ModelWarning

    with warnings.catch_warnings():
        warnings.simplefilter("default", ModelWarning)
        others = warnings.showwarning

        def show(
            message: Warning | str, category: type[Warning], filename: str, lineno: int,
            file: TextIO | None = None, line: str | None = None,
        ) -> None:  # fmt: skip
            if issubclass(category, ModelWarning):
                console.note(f"jourdain: warning: {filename}:{lineno}: {message}")
            else:
                others(message, category, filename, lineno, file, line)

        warnings.showwarning = show
        yield


def is_users(error: Exception) -> bool:
    """Whether the user can put it right: files, missing packages, and mistakes of a model."""
    from ..model.mistakes import ModelError

    return isinstance(error, UserMistake | ModelError | OSError | ImportError)


def one_line(error: Exception) -> str:
    """An error as a line; a model's several mistakes stay a line each, for each says where."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}"
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if len(lines) > 2:
        return "\n  ".join(lines)
    return " ".join(lines) or type(error).__name__


def _ours(error: Exception) -> str:
    return (
        f"jourdain: this should not have happened: {type(error).__name__}: {one_line(error)}"
        f" (set {TRACEBACK}=1 to see where, and please report it)"
    )
