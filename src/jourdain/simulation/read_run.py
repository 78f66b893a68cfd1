"""Runs out of files that need not be trusted: sizes are looked at before anything is read, nothing is executed, and
names, shapes and numbers must fit together."""

from __future__ import annotations

import json
import math
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from .change import Change
from .checks import Checks
from .event import Occurrence
from .motion import ModeSpan
from .run_file import FORMAT, INSTALL, KEY, SUFFIXES
from .status import Status

Floats = NDArray[np.float64]
MOST_BYTES = 1 << 34  # of all arrays of a file together, unpacked
MOST_COLUMNS = 100_000


class RunFileError(ValueError):
    """A file that is no run, or not a whole one: which, and what is wrong with it."""


@dataclass(frozen=True)
class Contents:
    """What stands in a run's file, looked through."""

    facts: Facts
    t: Floats
    q: Floats
    u: Floats
    work: Floats | None
    inputs: dict[str, Floats]
    outputs: dict[str, Floats]
    forces: dict[str, Floats]


class Reader:
    """One file: its arrays, and complaints that name it."""

    def __init__(self, path: str | Path) -> None:
        self.path = path

    def refuse(self, what: str) -> NoReturn:
        raise RunFileError(f"{self.path}: {what}")

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Of an NPZ file: numbers and texts, by name."""
        try:
            with zipfile.ZipFile(self.path) as archive:
                entries = archive.infolist()
                if len(entries) > MOST_COLUMNS or sum(x.file_size for x in entries) > MOST_BYTES:
                    self.refuse(f"its arrays would take more than {MOST_BYTES >> 30} GiB of memory")
                return {x.filename.removesuffix(".npy"): self._array(archive, x) for x in entries}
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            self.refuse(f"this is no NPZ file, or not a whole one ({error})")

    def _array(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> NDArray[Any]:
        """One that is as long as it says."""
        name = entry.filename.removesuffix(".npy")
        try:
            with archive.open(entry) as file:
                version = np.lib.format.read_magic(file)
                read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
                shape, _, dtype = read[version](file)
                if dtype.kind not in "fU" or dtype.itemsize * math.prod(shape) > entry.file_size:
                    self.refuse(f"the array {name!r} is not one of numbers or text, or is cut short")
            with archive.open(entry) as file:
                return np.lib.format.read_array(file, allow_pickle=False)
        except (ValueError, KeyError) as error:
            if isinstance(error, RunFileError):
                raise
            self.refuse(f"the array {name!r} cannot be read ({error})")

    def columns(self) -> tuple[dict[str, Floats], str]:
        """Of a Parquet file, and its facts."""
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError as error:
            raise ImportError(INSTALL) from error
        try:
            file = parquet.ParquetFile(self.path, page_checksum_verification=True)
            schema, rows = file.schema_arrow, file.metadata.num_rows
            if len(schema) > MOST_COLUMNS or rows * len(schema) * 8 > MOST_BYTES:
                self.refuse(f"its columns would take more than {MOST_BYTES >> 30} GiB of memory")
            if any(x.type != pyarrow.float64() for x in schema) or len(set(schema.names)) != len(schema):
                self.refuse("its columns are not of numbers in float64, each with a name of its own")
            text = (schema.metadata or {}).get(KEY)
            if text is None:
                self.refuse("it does not say that it is a run of Jourdain's: its metadata has no 'jourdain'")
            table = file.read()
            if any(x.null_count for x in table.columns):
                self.refuse("a number is missing in its columns")
            found = {name: np.asarray(x.to_numpy(), dtype=np.float64) for name, x in zip(schema.names, table.columns)}
        except (pyarrow.ArrowException, OSError, OverflowError) as error:
            if isinstance(error, OSError) and error.errno:
                raise
            self.refuse(f"this is no Parquet file, or not a whole one ({error})")
        return found, text.decode("utf-8", "replace")

    def facts(self, text: str) -> Facts:
        """From their JSON, looked through."""
        return Facts(self, self.json(text, FORMAT))

    def json(self, text: str, wanted: str) -> dict[str, Any]:
        """An object that says of which format it is."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict) or data.get("format") != wanted:
            self.refuse(f"it does not say that it is a {wanted!r}")
        return data

    def numbers(self, name: str, array: Any, *shape: int) -> Floats:
        """Finite ones of this shape."""
        found = np.asarray(array)
        if found.dtype != np.float64 or found.shape != shape:
            self.refuse(f"{name} has the shape {found.shape} and the type {found.dtype}; {shape} in float64 is needed")
        if not np.isfinite(found).all():
            self.refuse(f"{name} has a number that is not finite")
        return np.ascontiguousarray(found)


class Facts:
    """What a file says beside its columns, looked through."""

    def __init__(self, reader: Reader, data: Mapping[str, Any]) -> None:
        self._reader, self._data = reader, data
        self.system, self.method = self._text("system"), self._text("method")
        self.coordinates, self.speeds = self._names("coordinates"), self._names("speeds")
        self.inputs, self.outputs = self._names("inputs"), self._names("outputs")
        self.parameters = self._values("parameters")
        self.forces = {name: int(x) for name, x in self._values("forces").items()}
        self.counts = {name: int(x) for name, x in self._values("counts").items()}
        self.seconds = self._number("seconds", data.get("seconds"))
        status = self._text("status")
        if status not in Status.__members__:
            reader.refuse(f"its status is {status[:60]!r}; one of {', '.join(Status.__members__)} is known")
        self.status = Status[status]
        self.events = tuple(self._event(k, x) for k, x in enumerate(self._list("events")))
        if any(a.t > b.t for a, b in zip(self.events, self.events[1:])):
            reader.refuse("its events are not in the order of time")
        self.modes = tuple(self._span(k, x) for k, x in enumerate(self._list("modes")))
        self.changes = tuple(self._change(k, x) for k, x in enumerate(self._list("changes")))
        if not self.modes:
            reader.refuse("it has no mode")
        self.checks = self._checks(data.get("checks"))

    def _text(self, name: str) -> str:
        found = self._data.get(name)
        if not isinstance(found, str):
            self._reader.refuse(f"its {name!r} is no text")
        return found

    def _list(self, name: str) -> list[Any]:
        found = self._data.get(name)
        if not isinstance(found, list):
            self._reader.refuse(f"its {name!r} is no list")
        return found

    def _names(self, name: str) -> tuple[str, ...]:
        found = self._list(name)
        if not all(isinstance(x, str) for x in found) or len(set(found)) != len(found):
            self._reader.refuse(f"its {name!r} are not names, each once")
        return tuple(found)

    def _number(self, name: str, found: Any) -> float:
        if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
            self._reader.refuse(f"its {name!r} is no finite number")
        return float(found)

    def _values(self, name: str) -> dict[str, float]:
        found = self._data.get(name)
        if not isinstance(found, dict):
            self._reader.refuse(f"its {name!r} are not values by name")
        return {key: self._number(f"{name} {key}", x) for key, x in found.items()}

    def _span(self, k: int, found: Any) -> ModeSpan:
        names = found.get("mode") if isinstance(found, dict) else None
        if not isinstance(names, list) or not all(isinstance(x, str) for x in names):
            self._reader.refuse(f"its mode {k} is no list of names")
        start, end = (self._number(f"mode {k}, {x}", found.get(x)) for x in ("start", "end"))
        return ModeSpan(start, end, tuple(names))

    def _change(self, k: int, found: Any) -> Change:
        what = f"change {k}"
        if not isinstance(found, dict) or not isinstance(found.get("impulses"), dict):
            self._reader.refuse(f"its {what} has no impulses by name")
        words: list[tuple[str, ...]] = []
        for name in ("causes", "imposed", "deleted", "mode"):
            listed = found.get(name)
            if not isinstance(listed, list) or not all(isinstance(x, str) for x in listed):
                self._reader.refuse(f"the {name!r} of its {what} are no list of names")
            words.append(tuple(listed))
        impulses = {name: self._state(f"{what}, impulses", x, None) for name, x in found["impulses"].items()}
        q, u_before, u = (
            self._state(f"{what}, {name}", found.get(name), len(names))
            for name, names in (("q", self.coordinates), ("u_before", self.speeds), ("u", self.speeds))
        )
        t, work, gain = (self._number(f"{what}, {name}", found.get(name)) for name in ("t", "work", "gain"))
        causes, imposed, deleted, mode = words
        return Change(t, causes, imposed, deleted, mode, impulses, work, q, u_before, u, gain)

    def _state(self, what: str, values: Any, count: int | None) -> Floats:
        """Numbers, so many of them."""
        if not isinstance(values, list):
            self._reader.refuse(f"its {what} is no list of numbers")
        listed = [self._number(what, x) for x in values]
        return self._reader.numbers(what, np.array(listed, dtype=float), len(listed) if count is None else count)

    def _event(self, k: int, found: Any) -> Occurrence:
        if not isinstance(found, dict) or not isinstance(found.get("name"), str):
            self._reader.refuse(f"its event {k} has no name")
        direction = found.get("direction")
        if direction not in (-1, 0, 1):
            self._reader.refuse(f"its event {k} has the direction {direction!r}; 1, -1 or 0 is needed")
        states = []
        for what, names in (("q", self.coordinates), ("u", self.speeds)):
            values = found.get(what)
            if not isinstance(values, list):
                self._reader.refuse(f"its event {k} has no {what}")
            listed = [self._number(f"event {k}, {what}", x) for x in values]
            states.append(self._reader.numbers(f"event {k}, {what}", np.array(listed, dtype=float), len(names)))
        return Occurrence(found["name"], self._number(f"event {k}, t", found.get("t")), direction, *states)

    def _checks(self, found: Any) -> Checks:
        """They may be infinite: a run that went wrong is a run, too."""
        names = ("energy", "energy_size", "momenta", "drift", "quaternions", "returned")
        if not isinstance(found, dict) or set(found) != set(names):
            self._reader.refuse(f"its 'checks' are not {', '.join(names)}")
        for name in ("momenta", "drift"):
            values = found[name]
            if not isinstance(values, dict) or not all(isinstance(x, float) for x in values.values()):
                self._reader.refuse(f"its checks of {name} are not numbers by name")
        for name in ("energy", "energy_size", "quaternions", "returned"):
            if not isinstance(found[name], float) and not (found[name] is None and name in ("energy", "returned")):
                self._reader.refuse(f"its check {name!r} is no number")
        return Checks(**found)


def read_run(path: str | Path) -> Contents:
    """Everything in a run's file; RunFileError says what does not fit together."""
    suffix = Path(path).suffix
    if suffix not in SUFFIXES:
        raise ValueError(f"{path}: a run's file ends with .npz or .parquet")
    if not Path(path).is_file():
        raise FileNotFoundError(2, "there is no such file", str(path))
    reader = Reader(path)
    return (_from_npz if suffix == ".npz" else _from_parquet)(reader)


def _from_npz(reader: Reader) -> Contents:
    found = reader.arrays()
    text = found.get("facts")
    if text is None or text.dtype.kind != "U" or text.ndim:
        reader.refuse("it does not say that it is a run of Jourdain's: it has no 'facts'")
    facts = reader.facts(str(text))
    wanted = ["t", "q", "u", *(f"input {x}" for x in facts.inputs), *(f"output {x}" for x in facts.outputs)]
    for name in (*wanted, *(f"force {x}" for x in facts.forces)):
        if name not in found:
            reader.refuse(f"it has no array {name!r}")
    rows = found["t"].size
    q, u = (reader.numbers(*x) for x in (("q", found["q"], rows, len(facts.coordinates)),
                                         ("u", found["u"], rows, len(facts.speeds))))  # fmt: skip
    forces = {
        name: reader.numbers(f"force {name}", found[f"force {name}"], rows, k) for name, k in facts.forces.items()
    }
    return _whole(reader, facts, found, (q, u), forces, " ")


def _from_parquet(reader: Reader) -> Contents:
    found, text = reader.columns()
    facts = reader.facts(text)
    wanted = ["t", *(f"q.{x}" for x in facts.coordinates), *(f"u.{x}" for x in facts.speeds)]
    wanted += [*(f"input.{x}" for x in facts.inputs), *(f"output.{x}" for x in facts.outputs)]
    pressed = {name: [f"force.{name}.{j}" for j in range(k)] for name, k in facts.forces.items()}
    for name in (*wanted, *(x for names in pressed.values() for x in names)):
        if name not in found:
            reader.refuse(f"it has no column {name!r}")
    rows = len(found["t"])
    forces = {
        name: np.array([reader.numbers(x, found[x], rows) for x in names]).reshape(-1, rows).T
        for name, names in pressed.items()
    }
    q, u = (
        np.array([reader.numbers(f"{letter}.{x}", found[f"{letter}.{x}"], rows) for x in names]).reshape(-1, rows).T
        for letter, names in (("q", facts.coordinates), ("u", facts.speeds))
    )
    return _whole(reader, facts, found, (np.ascontiguousarray(q), np.ascontiguousarray(u)), forces, ".")


def _whole(
    reader: Reader, facts: Facts, found: Mapping[str, Any], states: tuple[Floats, Floats], forces: dict[str, Floats],
    mark: str,
) -> Contents:  # fmt: skip
    rows = len(states[0])
    if not rows:
        reader.refuse("it has no rows")
    t = reader.numbers("t", found["t"], rows)
    if not (np.diff(t) >= 0.0).all():
        reader.refuse("its times do not increase")
    work = reader.numbers("work", found["work"], rows) if "work" in found else None
    inputs, outputs = (
        {name: reader.numbers(f"{what}{mark}{name}", found[f"{what}{mark}{name}"], rows) for name in names}
        for what, names in (("input", facts.inputs), ("output", facts.outputs))
    )
    return Contents(facts, t, *states, work, inputs, outputs, forces)
