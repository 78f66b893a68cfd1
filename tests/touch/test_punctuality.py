"""What is measured of the machine's punctuality, and what may be promised after it. No time is asserted."""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.touch.granting import NOT_ASKED
from jourdain.touch.lateness import Lateness
from jourdain.touch.punctuality import HEADER, Measured, measure, promised
from jourdain.touch.ticking import BINS


def measured(rate: float, skipped: int, asked: bool = True) -> Measured:
    counts = np.zeros(BINS, dtype=np.int64)
    counts[600] = 10_000
    return Measured(asked, NOT_ASKED, Lateness(rate, 10_000, skipped, 1e-3, 1e-6, counts))


def test_a_rate_is_promised_if_it_and_all_below_were_kept() -> None:
    assert promised([]) == 0.0
    assert promised([measured(1000.0, 9), measured(100.0, 0), measured(4000.0, 11)]) == 1000.0
    assert promised([measured(1000.0, 11), measured(100.0, 0), measured(4000.0, 0)]) == 100.0
    assert promised([measured(100.0, 50)]) == 0.0
    assert promised([measured(100.0, 0, asked=False)]) == 0.0


def test_quantiles_are_of_the_counts() -> None:
    counts = np.zeros(BINS, dtype=np.int64)
    counts[[0, 64, 128, 192]] = 900, 90, 9, 1  # up to 0, 1, 3, 7 ns
    x = Lateness(1000.0, 1000, 0, 7e-9, 0.0, counts)
    found = [x.quantile(share) * 1e9 for share in (0.5, 0.9, 0.99, 0.999, 1.0)]
    assert found == pytest.approx([1 / 64, 1 / 64, 1 + 2 / 64, 3 + 4 / 64, 7.0], abs=1e-9)
    assert np.isnan(Lateness(1000.0, 0, 0, 0.0, 0.0, counts * 0).quantile(0.5))


def test_measuring() -> None:
    found = list(measure(0.02, (500.0, 1000.0)))
    assert [(x.asked, x.lateness.rate) for x in found] == [
        (False, 500.0), (False, 1000.0), (True, 500.0), (True, 1000.0)
    ]  # fmt: skip
    for x in found:
        assert x.lateness.ticks == round(0.02 * x.lateness.rate)
        assert x.lateness.counts.sum() == x.lateness.ticks
        assert len(x.cells()) == len(HEADER)
    assert found[0].granted is NOT_ASKED
    assert found[2].granted is not NOT_ASKED
    with pytest.raises(ValueError, match="100 to 10000 Hz"):
        next(measure(0.02, (1e6,)))
