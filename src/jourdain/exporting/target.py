"""What a target of `export` is, and which there are. A new one is a file here, and a row."""

from __future__ import annotations

from importlib import import_module
from typing import Protocol

from .plan import Plan

TARGETS = ("wasm",)


class Target(Protocol):
    """A module of this package."""

    NAME: str

    def files(self, plan: Plan) -> dict[str, bytes]:
        """All files by their names; an error says what the target cannot do. Nothing is written yet."""
        ...


def target_of(name: str) -> Target:
    """ValueError where there is none."""
    if name not in TARGETS:
        raise ValueError(f"there is no target {name!r}; there are {', '.join(TARGETS)}")
    found: Target = import_module(f".{name}", __package__)
    return found
