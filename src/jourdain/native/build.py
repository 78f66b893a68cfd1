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
from ..program import Procedure, Split, digest
from ..targets.llvm import PROCEDURE, Form, Library, assemble, effort, host, symbols, write, write_procedure
from .cache import Cache

log = logging.getLogger("jourdain")
LONG = 1.0  # seconds of compiling between two messages


@dataclass(frozen=True)
class Built:
    """Loaded code; seconds spent on it; whether it came from the cache."""

    library: Library
    seconds: float
    cached: bool


def build(split: Split, form: Form, cache: Cache) -> Built:
    """The code of a program. Ctrl-C is answered between modules, and leaves nothing half done."""
    return _build(split.main.name, cache_key(split, form), lambda: write(split, form, host()), symbols(split), cache)


def build_procedure(procedure: Procedure, cache: Cache) -> Built:
    """The code of a procedure."""
    parts = [procedure.fingerprint, host().fingerprint, _generator()]
    key = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    return _build(procedure.name, key, lambda: write_procedure(procedure, host()), (PROCEDURE,), cache)


def _build(
    name: str, key: str, modules: Callable[[], Iterator[str]], exported: tuple[str, ...], cache: Cache
) -> Built:
    start = time.perf_counter()
    objects = cache.load(key)
    cached = objects is not None
    if objects is None:
        objects, told = [], start
        with collector_paused():
            for k, text in enumerate(modules()):
                objects.append(assemble(text, effort(k)))
                if time.perf_counter() - told > LONG:
                    told = time.perf_counter()
                    log.info("compiling %s: %d pieces in %.1f s", name, len(objects), told - start)
        cache.store(key, objects)
    library = Library(objects, exported)
    return Built(library, time.perf_counter() - start, cached)


def cache_key(split: Split, form: Form) -> str:
    """A name for exactly this code on exactly this machine from exactly this generator."""
    setup = digest(split.setup) if split.setup else ""
    parts = [digest(split.main), setup, repr(form), host().fingerprint, _generator()]
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
