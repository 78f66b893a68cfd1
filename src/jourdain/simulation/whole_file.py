"""Files that are written at once or not at all: what fails half way leaves the old file as it was."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A place beside the file, to be written to; it takes the file's name when all is on the disk."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "a folder; name a file in it", str(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "its folder is not there", str(path))
    # Programs that write pictures and films go by the suffix.
    part = target.with_name(f".{target.stem[:100]}.{secrets.token_hex(8)}.part{target.suffix}")
    try:
        yield part
        with part.open("r+b") as file:
            os.fsync(file.fileno())
        part.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise
