"""Kane's Y, Z, W and X: how generalized speeds, the joints' own speeds and the coordinates' rates belong together."""

from __future__ import annotations

from dataclasses import dataclass

from ..graph import Node, substitute
from .generalized import Generalized
from .mechanics import Mechanics

Rows = list[list[Node]]


@dataclass(frozen=True)
class Relations:
    """u = Y v + Z and v = W u + X, where v are the joints' own speeds or the rates of the coordinates.

    Y (speeds, ·), Z (speeds,), W (·, speeds), X (·,): expressions of coordinates, parameters and time. For speeds that
    satisfy constraints there are fewer u than v, and v = W u + X has the constraints in it.
    """

    Y: Rows
    Z: list[Node]
    W: Rows
    X: list[Node]


def relations(mechanics: Mechanics) -> Relations:
    """To the joints' own speeds p."""
    if not isinstance(mechanics, Generalized):
        graph, n = mechanics.graph, len(mechanics.u)
        unit = [[graph.one if i == k else graph.zero for k in range(n)] for i in range(n)]
        return Relations(unit, [graph.zero] * n, unit, [graph.zero] * n)
    speeds = mechanics.map
    z = substitute(speeds.definitions, dict.fromkeys(speeds.joint, 0.0))
    x = substitute(speeds.p, dict.fromkeys(speeds.u, 0.0))
    return Relations(speeds.forward(), z, speeds.back(), x)


def rate_relations(mechanics: Mechanics) -> Relations:
    """To the rates q̇ of the coordinates; of a unit quaternion, to rates that keep its length."""
    found, lowered, graph = relations(mechanics), mechanics.lowered, mechanics.graph
    y = [[graph.zero] * len(lowered.coordinates) for _ in found.Y]
    w: Rows = []
    x: list[Node] = []
    for passage in lowered.passages:
        q = lowered.coordinates[passage.coordinates]
        back, there = passage.motion.inverse_kinematic(graph, q), passage.motion.kinematic(graph, q)
        for row, line in zip(y, found.Y):
            row[passage.coordinates] = _combined(line[passage.speeds], back, graph.zero, len(q))
        for line in there:
            w.append(_combined(line, found.W[passage.speeds], graph.zero, len(found.Y)))
            x += _combined(line, [[each] for each in found.X[passage.speeds]], graph.zero, 1)
    return Relations(y, found.Z, w, x)


def _combined(factors: list[Node], rows: Rows, zero: Node, width: int) -> list[Node]:
    """Rows summed with factors."""
    total = [zero] * width
    for factor, row in zip(factors, rows):
        if not factor.is_zero:
            total = [a + factor * b for a, b in zip(total, row)]
    return total
