"""Inputs of a run, each a value, an expression, a table, or a function of (t, q, u)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..driver.call import by_name, check_names
from ..driver.expressions import Expression
from ..driver.moving import Named
from ..graph import Node
from ..model.system import System
from .called import Function, number
from .table import Table

Floats = NDArray[np.float64]
Input = float | Expression | Table | Function | tuple[Any, ...]


@dataclass(frozen=True)
class Drives:
    """What was given, sorted by kind. values: of all inputs (names), in the system's order; 0 for those that move."""

    names: tuple[str, ...]
    values: Floats
    expressions: Named
    tables: tuple[tuple[int, str, Table], ...]  # place, name, what is read
    functions: tuple[tuple[int, str, Function], ...]  # place, name, what is called

    @property
    def constant(self) -> dict[str, float]:
        """The inputs that keep a value."""
        moving = {name for name, _ in self.expressions} | {name for _, name, _ in (*self.tables, *self.functions)}
        return {name: float(x) for name, x in zip(self.names, self.values) if name not in moving}

    @property
    def table_places(self) -> tuple[int, ...]:
        """Of the inputs that are read from tables."""
        return tuple(place for place, _, _ in self.tables)

    @property
    def function_places(self) -> tuple[int, ...]:
        """Of the inputs that functions answer."""
        return tuple(place for place, _, _ in self.functions)

    @property
    def moves(self) -> bool:
        """Whether values change that expressions do not."""
        return bool(self.tables or self.functions)

    def at(self, t: float, q: Floats, u: Floats) -> Floats:
        """Values (inputs,) with those of tables and functions in their places."""
        found = self.values.copy()
        for place, _, table in self.tables:
            found[place] = table.at(t)
        for place, name, function in self.functions:
            found[place] = number(f"input {name!r}", function(t, q, u), t)
        return found


def drives_of(system: System, standing: Mapping[str, Any], given: Mapping[str, Any] | None) -> Drives:
    """standing: values where none is given, by name."""
    inputs = {} if given is None else given
    by_name(inputs, "inputs")
    check_names(system, inputs)
    values = np.zeros(len(system.inputs))
    expressions: list[tuple[str, Expression]] = []
    tables: list[tuple[int, str, Table]] = []
    functions: list[tuple[int, str, Function]] = []
    for place, name in enumerate(system.inputs):
        value = inputs.get(name, standing[name])
        if isinstance(value, str | Node):
            expressions.append((name, value))
        elif isinstance(value, Table | tuple):
            tables.append((place, name, value if isinstance(value, Table) else _table(name, value)))
        elif callable(value):
            functions.append((place, name, value))
        else:
            values[place] = _number(name, value)
    return Drives(system.inputs, values, tuple(expressions), tuple(tables), tuple(functions))


def _table(name: str, value: tuple[Any, ...]) -> Table:
    try:
        times, numbers, *curve = value
        return Table(tuple(map(float, times)), tuple(map(float, numbers)), *curve)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"input {name!r}: {error}; a table is (times, values) or (times, values, jourdain.CUBIC)"
        ) from None


def _number(name: str, value: object) -> float:
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.ndim or not np.isfinite(found):
        raise ValueError(
            f"input {name!r} is {value!r}; a finite number, an expression, a table (times, values) or a function of "
            "(t, q, u) is needed"
        )
    return float(found)
