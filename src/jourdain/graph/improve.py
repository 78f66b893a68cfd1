"""Fewer operations from the same expressions: common factors taken out, common parts of sums and products shared.

Sums and products that only one operation uses are opened into lists of terms and factors, where association and
order are free. Then, largest saving first:
  * a factor that several terms of a sum have in common is taken out, x a + x b = x (a + b);
  * a pair of terms (or factors) that several sums (or products) have in common is computed once.
Values change by rounding only. The work is linear in the size of the graph but for a logarithm, and the order
deterministic. What nothing was gained in stays the node that it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from .common_factors import take_out
from .common_pairs import share
from .node import Node
from .opened import Opened
from .pause import collector_paused


def improve(outputs: Sequence[Node]) -> list[Node]:
    """The outputs, rebuilt in the same graph with fewer run-time operations."""
    if not outputs:
        return []
    with collector_paused():
        opened = Opened(outputs)
        take_out(opened)
        share(opened, opened.sums)
        share(opened, opened.products)
        return opened.rebuild()
