"""From a program to loaded machine code: out of the cache, or module by module through LLVM."""

from __future__ import annotations

import functools
import hashlib
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ..graph.pause import collector_paused
from ..program import Procedure, Split, digest
from ..targets.llvm import (
    BATCH,
    PROCEDURE,
    SLOT,
    Form,
    Host,
    Library,
    Source,
    assemble,
    host,
    kernel_name,
    kernels_of,
    symbols,
    write,
    write_batch,
    write_kernels_of,
    write_procedure,
)
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
    one = _part(split, form, cache, ONE, symbols(split, form))
    slot = one.library.addresses.get(SLOT)
    if slot is None:
        return one
    return replace(one, batch=Batch(slot, lambda: _part(split, form, cache, MANY, (BATCH,)), patience))


def _part(split: Split, form: Form, cache: Cache, part: str, exported: tuple[str, ...]) -> Built:
    key = cache_key(split, form, part)
    return _build(split.main.name, key, lambda: PARTS[part](split, form, host()), exported, cache)


def build_procedure(procedure: Procedure, cache: Cache, machine: Host) -> Built:
    """The code of a procedure for this processor; machine: `host()`, or that in portable arithmetic."""
    key = procedure_key(procedure, machine)
    return _build(
        procedure.name, key, lambda: write_procedure(procedure, machine), (PROCEDURE,), cache,
        lambda: _kernels(procedure, cache, machine),
    )  # fmt: skip


def _kernels(procedure: Procedure, cache: Cache, machine: Host) -> list[bytes]:
    """Kernels are the same in procedures of all systems: their machine code is kept by itself."""
    names = [kernel_name(x) for x in kernels_of(procedure)]
    if not names:
        return []
    key = hashlib.sha256("\n".join([*names, machine.fingerprint, _generator()]).encode()).hexdigest()
    found = cache.load(key)
    if found is None:
        found = [assemble(*write_kernels_of(procedure, machine))]
        cache.store(key, found)
    return found


def procedure_key(procedure: Procedure, machine: Host) -> str:
    """A name for exactly this code on exactly this processor from exactly this generator."""
    parts = [procedure.fingerprint, machine.fingerprint, _generator()]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _build(
    name: str, key: str, sources: Callable[[], Iterator[Source]], exported: tuple[str, ...], cache: Cache,
    shared: Callable[[], list[bytes]] = list,
) -> Built:  # fmt: skip
    """shared: machine code that others have, too. Ctrl-C is answered between modules, and leaves nothing half done."""
    start = time.perf_counter()
    objects = cache.load(key)
    cached = objects is not None
    if objects is None:
        told = start
        objects = shared()
        with collector_paused():
            for text, effort in sources():
                objects.append(assemble(text, effort))
                if time.perf_counter() - told > LONG:
                    told = time.perf_counter()
                    log.info("compiling %s: %d pieces in %.1f s", name, len(objects), told - start)
        cache.store(key, objects)
    library = Library(objects, exported)
    return Built(library, time.perf_counter() - start, cached)


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
