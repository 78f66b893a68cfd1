"""Inputs that follow a table: data that compiled code reads, so that another table needs no other code."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..graph import Node, less, less_equal
from ..model.tables import LINEAR, Curve, pieces
from ..program import Draft

Floats = NDArray[np.float64]
DEGREE = 3
WIDTH = 2 + DEGREE + 1  # of a row: where the piece begins, its origin, coefficients from the highest power


@dataclass(frozen=True)
class Table:
    """Values at increasing times, read between them along a curve; before the first and after the last they stay."""

    times: tuple[float, ...]
    values: tuple[float, ...]
    curve: Curve = LINEAR

    def __post_init__(self) -> None:
        if len(self.times) != len(self.values) or len(self.times) < 2:
            raise ValueError(
                f"a table of {len(self.times)} times and {len(self.values)} values; give as many of each, two or more"
            )
        if not np.isfinite([*self.times, *self.values]).all():
            raise ValueError("a table with a time or a value that is not finite")
        for k, (a, b) in enumerate(zip(self.times, self.times[1:])):
            if not b > a:
                raise ValueError(f"the times of a table must increase, but times[{k + 1}] = {b:g} follows {a:g}")
        if not isinstance(self.curve, Curve):
            raise ValueError(f"the curve of a table is {self.curve!r}; jourdain.LINEAR or jourdain.CUBIC is needed")

    @cached_property
    def rows(self) -> Floats:
        """(pieces + 3, WIDTH): a constant before, the pieces, a constant after, and a last row that begins never."""
        found = pieces(self.times, self.values, self.curve)
        table = np.zeros((len(found) + 3, WIDTH))
        table[0, :2] = -np.inf, self.times[0]
        table[0, -1] = self.values[0]
        for k, coefficients in enumerate(found, 1):
            table[k, :2] = self.times[k - 1]
            table[k, WIDTH - len(coefficients) :] = coefficients
        table[-2, :2] = self.times[-1]
        table[-2, -1] = self.values[-1]
        table[-1, :2] = np.inf, self.times[-1]
        return table

    def at(self, t: ArrayLike) -> Floats:
        """The values at some times."""
        times = np.asarray(t, dtype=float)
        row = self.rows[np.searchsorted(self.rows[:-1, 0], times, side="right") - 1]
        step = times - row[..., 1]
        total = np.zeros_like(step)
        for k in range(2, WIDTH):
            total = total * step + row[..., k]
        return total


class Reading:
    """Emits the reading of a table that is given as `name`; where it was read last is where the search begins."""

    def __init__(self, draft: Draft, name: str) -> None:
        self.draft = draft
        self.table = draft.array(name, 0, given=True)
        self.place, self.start, self.after = (draft.cell(f"{name} {x}") for x in ("place", "start", "after"))
        self.next, self.row = draft.cell(f"{name} next"), draft.array(f"{name} row", WIDTH)
        self.value = draft.cell(f"{name} value")

    def emit(self, t: Node) -> None:
        """value = the table's at t"""
        draft = self.draft
        self._look()
        with draft.loop(less_equal(self.after, t)):
            draft.set({self.place: self.place + 1.0})
            self._look()
        with draft.loop(less(t, self.start)):
            draft.set({self.place: self.place - 1.0})
            self._look()
        draft.fetch(self.table, WIDTH, 0, self.place, self.row)
        origin, coefficient, total = (draft.cell(f"table {x}") for x in ("origin", "coefficient", "total"))
        draft.copy(self.row.part(1, 1), origin)
        draft.set({total: 0.0})
        for k in range(2, WIDTH):
            draft.copy(self.row.part(k, 1), coefficient)
            draft.set({total: total * (t - origin) + coefficient})
        draft.set({self.value: total})

    def _look(self) -> None:
        """Where the present piece begins, and the next."""
        draft = self.draft
        draft.set({self.next: self.place + 1.0})
        draft.fetch(self.table, WIDTH, 0, self.place, self.start)
        draft.fetch(self.table, WIDTH, 0, self.next, self.after)
