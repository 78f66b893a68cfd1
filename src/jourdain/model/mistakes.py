"""What is wrong with a model, where the user wrote it, and what to do; collected, and raised all together."""

from __future__ import annotations

import difflib
import os
import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

_PACKAGE = str(Path(__file__).resolve().parent.parent) + os.sep


@dataclass(frozen=True, order=True)
class Where:
    """A line of the user's; line 0 where there is none (a file that was loaded)."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


def users_line() -> Where:
    """The innermost line on the stack that is not the package's own."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return Where(frame.f_code.co_filename, frame.f_lineno)


@dataclass(frozen=True)
class Mistake:
    """One thing that is wrong, in words, and the line that said it."""

    text: str
    where: Where

    def __str__(self) -> str:
        return f"{self.where}: {self.text}"


class ModelError(ValueError):
    """All the mistakes of a model, each with the user's line. `mistakes` has them one by one."""

    def __init__(self, name: str, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        count = "a mistake" if len(self.mistakes) == 1 else f"{len(self.mistakes)} mistakes"
        super().__init__("\n  ".join([f"model {name!r} has {count}:", *map(str, self.mistakes)]))


class ModelWarning(UserWarning):
    """Something that can be meant but seldom is."""


@dataclass
class Mistakes:
    """The collection of one model."""

    found: list[Mistake] = field(default_factory=list)
    said: int = 0  # how often something was wrong: where this has grown, what only follows from it is not said too

    def add(self, text: str, where: Where | None = None) -> None:
        self.said += 1
        mistake = Mistake(text, where or users_line())
        if mistake not in self.found:
            self.found.append(mistake)

    def raise_for(self, name: str) -> None:
        if self.found:
            raise ModelError(name, self.found)


def warn(text: str, where: Where) -> None:
    """A warning that points at the user's line."""
    warnings.warn_explicit(text, ModelWarning, where.file, max(where.line, 1))


def article(what: str) -> str:
    """Before a word in a message."""
    return "an" if what[0] in "aeiou" else "a"


def counted(n: int, one: str, many: str = "") -> str:
    """A number of things in a message: 1 body, 2 bodies."""
    return f"{n} {one if n == 1 else many or one + 's'}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """What to offer for a name that is not there."""
    names = list(known)
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    if close:
        return "did you mean " + " or ".join(repr(x) for x in close) + "?"
    if not names:
        return "there is none yet"
    return "there is " + ", ".join(repr(x) for x in names[:12]) + (", …" if len(names) > 12 else "")
