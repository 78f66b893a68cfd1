"""A System in a file of ours: JSON that can be read, compared and edited, and that nobody has to trust.

`record` says what stands in it, `reading` makes a System of it again. The file is written in place at once or not at
all. `settled` brings a System into the order in which its file would be read, so that a saved system and the one that
is loaded give the same equations to the last bit.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
from pathlib import Path
from typing import Any, NoReturn

from .mistakes import Mistake, ModelError, Where
from .reading import rebuilt, system_of
from .record import record
from .system import System

MAX_BYTES = 64_000_000
ROUNDS = 8  # one or two are enough for every system that is known
WIDTH = 110  # what is shorter stands on one line


def save(system: System, path: str | Path) -> None:
    """Write a system to a file, in the place of one that is there."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "a folder; name a file in it", str(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "its folder is not there", str(path))
    # What json leaves alone and UTF-8 cannot say comes out as JSON's own escape.
    written = to_text(system).encode("utf-8", "backslashreplace")
    part = target.with_name(f".{target.name[:100]}.{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            file.write(written)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def to_text(system: System) -> str:
    """What stands in a system's file."""
    _, data = _settled(system)
    system_of(data, system.name)  # so that nothing is written that could not be loaded
    return _laid_out(data, "") + "\n"


def from_text(text: str, source: str) -> System:
    """The system of a file's text; source: where it comes from, for messages."""
    return system_of(_parsed(text.encode("utf-8", "backslashreplace"), source), source)


def load(path: str | Path) -> System:
    """The system of a file that `System.save` wrote, or that was written by hand in the same way.

    The file need not be trusted: nothing in it is executed, and all that is wrong with it is raised together, as a
    ModelError, with the places (`bodies[3].mass_kg`).
    """
    source = str(path)
    with Path(path).open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        _refuse(source, 0, f"the file has more than {MAX_BYTES // 1_000_000} MB; this is no system")
    return system_of(_parsed(data, source), source)


def settled(system: System) -> System:
    """The same system, its graph in the order in which its file would be read."""
    return _settled(system)[0]


def _settled(system: System) -> tuple[System, Any]:
    """With the data of its file: read again, they give the very same graph."""
    data = record(system)
    found = rebuilt(data, system.name, system.graph)
    for _ in range(ROUNDS):
        again = record(found)
        if again == data:
            break
        # A difference whose terms came the other way round is now written with a minus before it.
        data, found = again, rebuilt(again, system.name, found.graph)
    return found, data


# -- JSON ---------------------------------------------------------------------------------------------------------


def _parsed(data: bytes, source: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                _refuse(source, 0, f"the field {name[:60]!r} stands twice in one object")
            found[name] = value
        return found

    def constant(name: str) -> NoReturn:
        _refuse(source, 0, f"the file holds {name}, which is no number of JSON; values must be finite")

    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=once, parse_constant=constant)
    except UnicodeDecodeError as error:
        _refuse(source, data.count(b"\n", 0, error.start) + 1, "this is no text in UTF-8")
    except json.JSONDecodeError as error:
        hint = "; jourdain.load_urdf reads URDF files" if data.lstrip()[:1] == b"<" else ""
        _refuse(source, error.lineno, f"this is no JSON: {error.msg}, column {error.colno}{hint}")
    except RecursionError:
        _refuse(source, 0, "objects and lists are nested too deeply; this is no system")
    except ModelError:
        raise
    except ValueError:  # a whole number of more digits than Python reads
        _refuse(source, 0, "the file holds a number with too many digits")


def _refuse(source: str, line: int, text: str) -> NoReturn:
    raise ModelError(source, [Mistake(text, Where(source, line))])


def _laid_out(value: Any, indent: str) -> str:
    """JSON with short things on one line."""
    line = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if not indent or len(indent) + len(line) > WIDTH:
        inner = indent + "  "
        if isinstance(value, dict) and value:
            parts = [
                f"{inner}{json.dumps(name, ensure_ascii=False)}: {_laid_out(x, inner)}" for name, x in value.items()
            ]
            return "{\n" + ",\n".join(parts) + f"\n{indent}}}"
        if isinstance(value, list) and value:
            return "[\n" + ",\n".join(inner + _laid_out(x, inner) for x in value) + f"\n{indent}]"
    return line
