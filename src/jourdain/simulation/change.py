"""What happened where a mode changed, and a table of all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..console import table

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Change:
    """What happened at a time [s].

    causes: in words; "start" at the start. imposed, deleted: switchable constraints that began and ceased to hold.
    mode: those that hold then. impulses: by constraint [N s, N m s]. work: that these did [J]; what is negative was
    lost. q (coordinates,); u_before, u (speeds,).
    """

    t: float
    causes: tuple[str, ...]
    imposed: tuple[str, ...]
    deleted: tuple[str, ...]
    mode: tuple[str, ...]
    impulses: dict[str, Floats]
    work: float
    q: Floats
    u_before: Floats
    u: Floats

    def __str__(self) -> str:
        said = [*self.causes, *(f"+{x}" for x in self.imposed), *(f"-{x}" for x in self.deleted)]
        lost = f", {-self.work:.4g} J lost" if self.impulses else ""
        return f"{self.t:.9g} s: {', '.join(said)}{lost}"


def changes_table(changes: Sequence[Change]) -> str:
    """When, what, what holds from then on and no longer, and the energy that impulses took [J]."""
    rows = [
        [f"{x.t:.9g}", ", ".join(x.causes), ", ".join(x.imposed), ", ".join(x.deleted),
         f"{-x.work:.4g}" if x.impulses else ""]
        for x in changes
    ]  # fmt: skip
    return table(["t [s]", "change", "imposed", "deleted", "lost [J]"], rows) if rows else "no changes"
