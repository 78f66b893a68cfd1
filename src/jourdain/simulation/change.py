"""What happened where a mode changed, and a table of all of it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..console import table

Floats = NDArray[np.float64]
CREATED = 1e-9  # of the work: less is rounding


class EnergyWarning(UserWarning):
    """A law of impact created energy."""


@dataclass(frozen=True)
class Change:
    """What happened at a time [s].

    causes: in words; "start" at the start. imposed, deleted: switchable constraints that began and ceased to hold.
    mode: those that hold then. impulses: by constraint [N s, N m s]. work: that these did [J]; what is negative was
    lost. q (coordinates,); u_before, u (speeds,). gain: energy that the law of impact added [J], as seen from what was
    struck: never positive by Stronge's law, but by Newton's and Poisson's with friction it can be.
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
    gain: float = 0.0

    def __str__(self) -> str:
        said = [*self.causes, *(f"+{x}" for x in self.imposed), *(f"-{x}" for x in self.deleted)]
        lost = f", {-self.work:.4g} J lost" if self.impulses else ""
        if self.gain > CREATED * abs(self.work):
            lost = f", {self.gain:.4g} J created by the law of impact"
        return f"{self.t:.9g} s: {', '.join(said)}{lost}"


def changes_table(changes: Sequence[Change]) -> str:
    """When, what, what holds from then on and no longer, and the energy that impulses took [J]."""
    rows = [
        [f"{x.t:.9g}", ", ".join(x.causes), ", ".join(x.imposed), ", ".join(x.deleted),
         f"{-x.work:.4g}" if x.impulses else ""]
        for x in changes
    ]  # fmt: skip
    return table(["t [s]", "change", "imposed", "deleted", "lost [J]"], rows) if rows else "no changes"


def warn_of_gains(changes: Sequence[Change], laws: Sequence[str]) -> None:
    """EnergyWarning where impacts created energy. laws: of the system's contacts."""
    gained = [x for x in changes if x.gain > CREATED * max(abs(x.work), 1e-300)]
    if gained:
        total, first = sum(x.gain for x in gained), gained[0]
        warnings.warn(
            f"{len(gained)} impacts created {total:.4g} J in all, the first at {first.t:.6g} s "
            f"({', '.join(first.causes)}): with friction, laws like {' and '.join(laws)} can; "
            "jourdain.ImpactLaw.STRONGE, the default, cannot",
            EnergyWarning, stacklevel=4,
        )  # fmt: skip
