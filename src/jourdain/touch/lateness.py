"""How punctual a loop was: its ticks' lateness as counts in bins, and what was skipped."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .ticking import BINS, SUB_BITS

PROMISED = 1e-3  # of the deadlines may be missed at a rate that is promised


@dataclass(frozen=True, eq=False)
class Lateness:
    """rate [1/s]; ticks done; skipped: deadlines at which no tick began, because another was not done; worst [s], the
    longest tick [s]; counts (bins,)."""

    rate: float
    ticks: int
    skipped: int
    worst: float
    longest: float
    counts: NDArray[np.int64]

    def quantile(self, share: float) -> float:
        """Lateness [s] that this share of the ticks does not exceed, to 1.6 %, from above; NaN without ticks."""
        total = int(self.counts.sum())
        if not total:
            return float("nan")
        place = int(np.searchsorted(np.cumsum(self.counts), np.ceil(share * total)))
        return min(upper_edge(place) / 1e9, self.worst)

    @property
    def missed(self) -> float:
        """The share of deadlines that were skipped."""
        return self.skipped / max(1, self.ticks + self.skipped)

    @property
    def keeps_rate(self) -> bool:
        """Whether less than one deadline in a thousand was missed."""
        return self.ticks > 0 and self.missed < PROMISED

    def __repr__(self) -> str:
        shown = ", ".join(f"p{100 * x:g} {self.quantile(x) * 1e6:.1f}" for x in (0.5, 0.99, 0.999))
        return (
            f"<lateness at {self.rate:g} Hz: {shown}, worst {self.worst * 1e6:.1f} µs; {self.skipped} of "
            f"{self.ticks + self.skipped} deadlines skipped>"
        )


def upper_edge(place: int) -> float:
    """Of a bin [ns]; the last one has none."""
    if place >= BINS - 1:
        return float("inf")
    place += 1
    whole = 1 << (place >> SUB_BITS)
    return whole * (1.0 + (place & ((1 << SUB_BITS) - 1)) / (1 << SUB_BITS)) - 1.0
