"""Every line of Kane and Levinson's appendices beside what it means, and how far apart the two are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...graph import Node, Role, interpret
from ...graph.parse import ExpressionError
from .efforts import SPEEDS
from .lines import DATA, ERRATA, MISNAMED
from .meanings import meanings
from .reading import Meaning, reading
from .written import evaluate

Array = NDArray[np.float64]
# Appendix 3's data with no two alike: where D2 = D3, as there, Z161 is zero whatever else it says.
GENERAL = {name: value * (1.0 + 0.013 * k) for k, (name, value) in enumerate(DATA.items())}


@dataclass(frozen=True)
class Row:
    """One line of the appendices.

    error: the largest difference from its meaning over some states, relative to the quantity's largest value. printed:
    the line as it is printed, if it is an erratum; printed_error: of that (infinite where it cannot be evaluated).
    """

    name: str
    meaning: str
    error: float
    printed: str = ""
    printed_error: float = 0.0


def states(number: int = 8) -> tuple[dict[int, Any], dict[int, Any]]:
    """q and u by the paper's index, arrays (number,); q2 between 0.5 and 2.6, where its sine is not small."""
    q, u = np.random.default_rng(1983).uniform(-1.5, 1.5, (2, 6, number))
    q[1] = 1.55 + 0.7 * q[1]
    return dict(zip(SPEEDS, q)), dict(zip(SPEEDS, u))


def table(number: int = 8) -> list[Row]:
    """Every line of appendices 1, 2 and 4, and of (37) to (39), beside its meaning."""
    q, u = states(number)
    found = meanings()
    ours = _numbers(found, q, u)
    theirs = evaluate(q, u, data=GENERAL)
    rows = []
    for name, meaning in found.items():
        error = _difference(theirs[name], ours[name])
        rows.append(Row(name, meaning.said, error, *_as_printed(name, q, u, ours[name])))
    return sorted(rows, key=_place)


def _as_printed(name: str, q: Mapping[int, Any], u: Mapping[int, Any], ours: Array) -> tuple[str, float]:
    if name in MISNAMED:
        return f"stands under the name of {MISNAMED[name]}", np.inf
    if name not in ERRATA:
        return "", 0.0
    try:
        return ERRATA[name], _difference(evaluate(q, u, name, GENERAL)[name], ours)
    except ExpressionError:  # it uses what is defined nowhere
        return ERRATA[name], np.inf


def _numbers(found: Mapping[str, Meaning], q: Mapping[int, Any], u: Mapping[int, Any]) -> dict[str, Array]:
    mechanics = reading().mechanics
    values: dict[Node, Any] = {mechanics.graph.symbol(x, Role.PARAMETER): v for x, v in GENERAL.items()}
    values |= {x: q[int(x.name[1:])] for x in mechanics.q}
    values |= {x: u[k] for k, x in zip(SPEEDS, mechanics.u)}
    return dict(zip(found, interpret([x.node for x in found.values()], values)))


def _difference(one: Any, other: Array) -> float:
    size = float(np.abs(other).max())
    return float(np.abs(one - other).max()) / (size or 1.0)


def _place(row: Row) -> tuple[int, int]:
    return "CZXW".index(row.name[0]), int(row.name[1:])
