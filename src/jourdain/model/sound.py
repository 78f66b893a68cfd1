"""Whether the numbers of a file are such as a system can have, at the parameters' default values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ..graph import Node, interpret, symbols_of
from ..spatial import Matrix
from .arguments import not_a_rotation
from .entries import Log

SYMMETRIC = 1e-9  # what an inertia's two halves may differ by, relative to its largest entry


class Sound:
    """Collects what is to be looked at while a file is read; `check` looks."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self._finite: list[tuple[str, Sequence[Node]]] = []
        self._rotations: list[tuple[str, Sequence[Node]]] = []
        self._inertias: list[tuple[str, Sequence[Node]]] = []
        self._bounded: list[tuple[str, Sequence[Node], float, float]] = []

    def finite(self, place: str, nodes: Sequence[Node]) -> None:
        """Expressions of parameters alone."""
        self._finite.append((place, nodes))

    def rotation(self, place: str, rows: Matrix) -> None:
        """A matrix whose columns are a right-handed set of unit vectors."""
        self._rotations.append((place, _entries(rows)))

    def inertia(self, place: str, rows: Matrix) -> None:
        """A symmetric matrix."""
        self._inertias.append((place, _entries(rows)))

    def within(self, place: str, node: Node, least: float, most: float) -> None:
        """An expression whose value, where parameters alone decide it, lies between two numbers."""
        if node.is_static:
            self._bounded.append((place, [node], least, most))

    def check(self, defaults: Mapping[str, float]) -> None:
        """Note what is wrong."""
        bounded = [(place, entries) for place, entries, _, _ in self._bounded]
        things = [*self._finite, *self._rotations, *self._inertias, *bounded]
        nodes = [x for _, entries in things for x in entries]
        values = {symbol: defaults[symbol.name] for symbol in symbols_of(nodes)}
        numbers = iter([float(x) for x in interpret(nodes, values)])
        for place, entries in self._finite:
            for wrong in [x for x in _taken(numbers, entries) if not np.isfinite(x)]:
                self.log.add(place, f"is {wrong} at the parameters' default values; it must be finite")
        for place, entries in self._rotations:
            matrix = np.array(_taken(numbers, entries)).reshape(3, 3)
            fault = not_a_rotation(matrix) if np.isfinite(matrix).all() else ""
            if fault:
                self.log.add(place, f"{fault} (at the parameters' default values)")
        for place, entries in self._inertias:
            matrix = np.array(_taken(numbers, entries)).reshape(3, 3)
            if np.isfinite(matrix).all() and np.abs(matrix - matrix.T).max() > SYMMETRIC * np.abs(matrix).max():
                self.log.add(place, "is not symmetric at the parameters' default values")
        for place, entries, least, most in self._bounded:
            (value,) = _taken(numbers, entries)
            if not least <= value <= most:
                end = f"; it lies between {least:g} and {most:g}" if np.isfinite(most) else "; it cannot be negative"
                self.log.add(place, f"is {value:g} at the parameters' default values{end}")


def _entries(rows: Matrix) -> list[Node]:
    return [x for row in rows for x in row]


def _taken(numbers: Iterator[float], entries: Sequence[Node]) -> list[float]:
    """As many numbers as there are entries."""
    return [next(numbers) for _ in entries]
