"""What stands at a place of a file that nobody has vouched for: read field by field, each mistake with its place."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from .arguments import LONGEST_NAME, is_name
from .mistakes import Mistakes, Where, did_you_mean

_MISSING: Final = object()
Choice = TypeVar("Choice")


@dataclass
class Log:
    """The mistakes of one file."""

    source: str
    mistakes: Mistakes

    def add(self, place: str, text: str) -> None:
        """place: like bodies[3].mass_kg."""
        self.mistakes.add(f"{place} {text}", Where(self.source, 0))


@dataclass(frozen=True)
class Entry:
    """A value, where it stands, and where its mistakes go. What is missing has been noted, and reads as nothing."""

    value: object
    place: str
    log: Log

    def fail(self, text: str) -> None:
        """Note a mistake: the place and what follows it."""
        self.log.add(self.place, text)

    def wants(self, what: str) -> None:
        """Note that another kind of value is needed here."""
        if self.value is not _MISSING:
            self.fail(f"is {shown(self.value)}; {what} is needed")

    # -- parts --------------------------------------------------------------------------------------------------

    def fields(self, needed: Collection[str], optional: Collection[str] = ()) -> dict[str, Entry]:
        """An object with these fields and no others; every one of `needed` is in the answer."""
        found = dict(self.named())
        known = [*needed, *optional]
        for name, entry in found.items():
            if name not in known:
                entry.fail(f"has no meaning here; {did_you_mean(name, known)}")
        for name in needed:
            if name not in found:
                if isinstance(self.value, dict):
                    self.fail(f"has no field {name!r}" if self.place else f"there is no field {name!r}")
                found[name] = Entry(_MISSING, f"{self.place}.{name}", self.log)
        return found

    def named(self) -> list[tuple[str, Entry]]:
        """An object's fields, whatever they are called."""
        if not isinstance(self.value, dict):
            self.wants("an object")
            return []
        start = f"{self.place}." if self.place else ""
        return [(name, Entry(value, f"{start}{name[:LONGEST_NAME]}", self.log)) for name, value in self.value.items()]

    def items(self, most: int, exactly: int | None = None) -> list[Entry]:
        """A list's entries; none where there are more than `most` or not `exactly` so many."""
        if not isinstance(self.value, list) or (exactly is not None and len(self.value) != exactly):
            self.wants("a list" if exactly is None else f"a list of {exactly}")
            return []
        if len(self.value) > most:
            self.fail(f"has {len(self.value)} entries; at most {most} are read")
            return []
        return [Entry(value, f"{self.place}[{i}]", self.log) for i, value in enumerate(self.value)]

    # -- values -------------------------------------------------------------------------------------------------

    def text(self, longest: int = LONGEST_NAME) -> str:
        """Any text that is not too long."""
        if isinstance(self.value, str) and len(self.value) <= longest:
            return self.value
        self.wants(f"a text of at most {longest} characters")
        return ""

    def name(self) -> str:
        """A name as a model takes it."""
        if isinstance(self.value, str) and is_name(self.value):
            return self.value
        self.wants("a name (begin with a letter, no quotes, backslashes and outer blanks)")
        return ""

    def number(self) -> float:
        """A finite number."""
        if isinstance(self.value, (int, float)) and not isinstance(self.value, bool) and abs(self.value) <= _LARGEST:
            return float(self.value)
        self.wants("a finite number")
        return 0.0

    def whole(self) -> int:
        """A whole number, zero or more."""
        if isinstance(self.value, int) and not isinstance(self.value, bool) and 0 <= self.value <= _LARGEST:
            return self.value
        self.wants("a whole number")
        return 0

    def truth(self) -> bool:
        """true or false."""
        if not isinstance(self.value, bool):
            self.wants("true or false")
            return False
        return self.value

    def choice(self, known: Mapping[str, Choice], what: str) -> Choice | None:
        """One of a few things, by its name; None and a mistake for another."""
        if isinstance(self.value, str) and self.value in known:
            return known[self.value]
        if isinstance(self.value, str):
            self.fail(f"is {shown(self.value)}, but there is no such {what}; {did_you_mean(self.value[:200], known)}")
        else:
            self.wants(f"a text, the {what},")
        return None


_LARGEST = sys.float_info.max


def shown(value: object) -> str:
    """A value in a message."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, str) and len(value) > 60:
        return repr(value[:57] + "…")
    if isinstance(value, int) and not -_LARGEST <= value <= _LARGEST:
        return "a very large number"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value)
