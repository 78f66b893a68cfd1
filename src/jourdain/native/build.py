"""From a program to loaded machine code: out of the cache, or module by module through LLVM."""

from __future__ import annotations

import functools
import hashlib
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..graph.pause import collector_paused
from ..program import Split, digest
from ..targets.llvm import BATCH, SLOT, Form, Host, Library, Source, assemble, host, symbols, write, write_batch
from .batch import PATIENCE, Batch
from .cache import Cache

log = logging.getLogger("jourdain")
LONG = 1.0  # seconds of compiling between two messages
ONE, MANY = "members one by one", "members side by side"
PARTS: dict[str, Callable[[Split, Form, Host], Iterator[Source]]] = {ONE: write, MANY: write_batch}


@dataclass(frozen=True)
class Built:
    """Loaded code; seconds spent on it; whether it came from the cache; the code for batches, if there may be any."""

    library: Library
    seconds: float
    cached: bool
    batch: Batch[Built] | None = None


def build(split: Split, form: Form, cache: Cache, patience: int = PATIENCE) -> Built:
    """The code of a program for members one by one, ready to have the batch code made when batches are worth it."""
    start = time.perf_counter()
    objects, cached = _objects(split, form, cache, ONE)
    library = Library(objects, symbols(split, form))
    batch = None
    if SLOT in library.addresses:
        batch = Batch(library.addresses[SLOT], functools.partial(_build_batch, split, form, cache), patience)
    return Built(library, time.perf_counter() - start, cached, batch)


def _build_batch(split: Split, form: Form, cache: Cache) -> Built:
    start = time.perf_counter()
    objects, cached = _objects(split, form, cache, MANY)
    library = Library(objects, (BATCH,))
    return Built(library, time.perf_counter() - start, cached)


def _objects(split: Split, form: Form, cache: Cache, part: str) -> tuple[list[bytes], bool]:
    """Object files, and whether the cache had them. Ctrl-C is answered between them, and leaves nothing half done."""
    key = cache_key(split, form, part)
    objects = cache.load(key)
    if objects is not None:
        return objects, True
    objects, told = [], time.perf_counter()
    start = told
    with collector_paused():
        for text, effort in PARTS[part](split, form, host()):
            objects.append(assemble(text, effort))
            if time.perf_counter() - told > LONG:
                told = time.perf_counter()
                log.info("compiling %s: %d pieces in %.1f s", split.main.name, len(objects), told - start)
    cache.store(key, objects)
    return objects, False


def cache_key(split: Split, form: Form, part: str) -> str:
    """A name for exactly this code on exactly this machine from exactly this generator."""
    setup = digest(split.setup) if split.setup and part == ONE else ""
    parts = [digest(split.main), setup, repr(form), part, host().fingerprint, _generator()]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@functools.cache
def _generator() -> str:
    """A fingerprint of the code generator's own source, so that no change to it can be forgotten."""
    package = Path(__file__).parent.parent
    total = hashlib.sha256()
    for folder in ("graph", "program", "targets/llvm"):
        for path in sorted((package / folder).glob("*.py")):
            total.update(path.name.encode() + b"\0" + path.read_bytes())
    return total.hexdigest()
