"""Numbers for a derivation's symbols: general positions in which nothing lines up by chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..graph import Node, Role, interpret, symbols_of
from ..model.motion import Orientation
from .lower import Lowered

Floats = NDArray[np.float64]
GOLDEN = 0.6180339887498949


def general_state(lowered: Lowered, which: int = 0) -> dict[Node, float]:
    """Values of coordinates, parameters (their defaults), inputs (theirs) and time; `which` counts the positions."""
    system, graph = lowered.system, lowered.graph
    values: dict[Node, float] = {graph.symbol(name, Role.PARAMETER): x for name, x in system.parameters.items()}
    values |= {graph.symbol(name, Role.INPUT): x for name, x in system.input_values.items()}
    for k, symbol in enumerate(lowered.coordinates):
        values[symbol] = 0.2 + 0.7 * ((GOLDEN * (k + 1) + 0.377 * which) % 1.0)
    for four in quaternions(lowered):
        size = float(np.sqrt(sum(values[x] ** 2 for x in four)))
        values |= {x: values[x] / size for x in four}
    values |= {x: 0.37 + 0.1 * which for x in graph.symbols if x.role is Role.TIME}
    return values


def quaternions(lowered: Lowered) -> list[list[Node]]:
    """The coordinates that are unit quaternions, four by four."""
    found = []
    for passage in lowered.passages:
        if passage.motion.orientation is Orientation.QUATERNION:
            own = lowered.coordinates[passage.coordinates]
            found.append([x for x, k in zip(own, passage.motion.coordinate_order) if k < 4])
    return found


def general_values(lowered: Lowered, nodes: Sequence[Node]) -> Callable[[Node], float]:
    """A function that gives an expression's value in a general position; of those named, all are found at once."""
    state = general_state(lowered)
    known: dict[Node, float] = {}

    def learn(some: Sequence[Node]) -> None:
        known.update(zip(some, map(float, interpret(some, _complete(some, state)))))

    def value(node: Node) -> float:
        if node not in known:
            learn([node])
        return known[node]

    learn(list(nodes))
    return value


def _complete(nodes: Sequence[Node], state: Mapping[Node, float]) -> dict[Node, float]:
    """Also for symbols that are no part of a state, such as what an expression still holds of speeds."""
    return {x: state.get(x, 0.5 + GOLDEN * (k + 1) % 1.0) for k, x in enumerate(symbols_of(nodes))}
