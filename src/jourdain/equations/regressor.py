"""The regressor of the standard inertial parameters: inverse dynamics is linear in ten numbers a body."""

from __future__ import annotations

from collections.abc import Sequence

from ..graph import Node
from .inverse import accelerate, inertia_load
from .regroup import inertia_of
from .tree import Tree


def regressor(tree: Tree, u: Sequence[Node], udot: Sequence[Node]) -> list[list[Node]]:
    """(freedom, 10 · links) rows Y with tau = Y π, π in the order of `NAMES`, link by link."""
    graph, n = tree.graph, tree.freedom
    motion = accelerate(tree, u, udot)
    rows = [[graph.zero] * (10 * len(tree.links)) for _ in range(n)]
    for index, _ in tree.outward():
        for parameter in range(10):
            unit = inertia_of([graph.one if k == parameter else graph.zero for k in range(10)])
            load = inertia_load(unit, motion.spins[index], motion.origins[index])
            at = index
            while at >= 0:
                here = tree.links[at]
                for column, k in zip(here.columns, here.speeds):
                    if k < n:
                        felt = column.angular.dot(load.moment) + column.linear.dot(load.force)
                        rows[k][10 * index + parameter] = felt
                load = load.carried(here.rotation, here.origin)
                at = here.parent
    return rows
