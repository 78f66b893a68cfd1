"""Machine code on disk, found by content: a second start of the same model compiles nothing.

A file that is damaged counts as absent, a folder that cannot be written to as empty: a cache is never an error.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import struct
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "JOURDAIN_CACHE"
LIMIT = 256 << 20  # bytes in all; the files not used for longest go first
MAGIC = b"jourdain machine code 1\n"


@dataclass(frozen=True)
class Cache:
    """Lists of object files by key; folder None keeps nothing."""

    folder: Path | None
    limit: int = LIMIT

    def load(self, key: str) -> list[bytes] | None:
        """What was stored under this key, if it is there and whole."""
        if self.folder is None:
            return None
        path = self._path(key)
        try:
            objects = _unpack(path.read_bytes())
        except OSError:
            return None
        if objects is not None:
            with contextlib.suppress(OSError):
                os.utime(path)  # used now
        return objects

    def store(self, key: str, objects: Sequence[bytes]) -> None:
        """Puts a file in place at once or not at all, so that other processes never see half of it."""
        if self.folder is None:
            return
        data = _pack(objects)
        if len(data) > self.limit:
            return
        with contextlib.suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.folder, suffix=".part")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                Path(name).replace(self._path(key))
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
            self._shrink()

    def _path(self, key: str) -> Path:
        assert self.folder is not None
        return self.folder / f"{key}.o"

    def _shrink(self) -> None:
        """Removes the oldest files until the rest is below the limit."""
        assert self.folder is not None
        files = []
        for path in sorted(self.folder.iterdir()):
            if path.suffix in (".o", ".part"):
                with contextlib.suppress(OSError):  # another process may be shrinking too
                    status = path.stat()
                    files.append((status.st_mtime, status.st_size, path))
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= self.limit:
                break
            path.unlink(missing_ok=True)
            total -= size


def default_cache() -> Cache:
    """The folder named by JOURDAIN_CACHE (empty: none at all), else `jourdain` where the platform keeps caches."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return Cache(Path(named) if named else None)
    try:
        home = Path.home()
    except RuntimeError:  # no home to be found
        return Cache(None)
    if sys.platform == "darwin":
        return Cache(home / "Library" / "Caches" / "jourdain")
    if sys.platform == "win32":
        return Cache(Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "jourdain" / "cache")
    return Cache(Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "jourdain")


def _pack(objects: Sequence[bytes]) -> bytes:
    body = b"".join([struct.pack("<Q", len(objects)), *(struct.pack("<Q", len(x)) + x for x in objects)])
    return MAGIC + hashlib.sha256(body).digest() + body


def _unpack(data: bytes) -> list[bytes] | None:
    """The objects; None where anything is not as it was written."""
    start = len(MAGIC)
    body = data[start + 32 :]
    if data[:start] != MAGIC or hashlib.sha256(body).digest() != data[start : start + 32]:
        return None
    (count,) = struct.unpack_from("<Q", body)
    objects, place = [], 8
    for _ in range(count):
        (length,) = struct.unpack_from("<Q", body, place)
        objects.append(body[place + 8 : place + 8 + length])
        place += 8 + length
    return objects
