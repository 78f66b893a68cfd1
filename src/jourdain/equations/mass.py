"""The mass matrix from composite bodies: each link carries, frozen, everything outboard of it.

A unit acceleration of one joint moves its composite body; the force that this takes is felt by the joint itself and
by its ancestors alone, so that zeros of a branching tree are never computed.
"""

from __future__ import annotations

from ..graph import Node
from ..spatial import Inertia
from .inverse import Load
from .tree import Column, Tree


def composite(tree: Tree) -> list[Inertia]:
    """For each link, the inertia about its origin of itself and all links outboard."""
    bodies = [link.inertia for link in tree.links]
    for index, link in tree.inward():
        if link.parent >= 0:
            bodies[link.parent] = bodies[link.parent] + bodies[index].in_parent(link.rotation, link.origin)
    return bodies


def momentum(body: Inertia, column: Column) -> Load:
    """Momentum (as force) and its moment about the origin for a unit of speed along a column."""
    w, v = column.angular, column.linear
    return Load(v * body.mass + w.cross(body.moment), body.matrix @ w + body.moment.cross(v))


def mass_matrix(tree: Tree) -> list[list[Node]]:
    """Rows of the (freedom, freedom) mass matrix; driven speeds have no row."""
    graph, n = tree.graph, tree.freedom
    matrix = [[graph.zero] * n for _ in range(n)]
    bodies = composite(tree)
    for index, link in tree.inward():
        # All columns of one joint go inward together, so that they share what they can.
        moved = [(k, momentum(bodies[index], column)) for k, column in zip(link.speeds, link.columns) if k < n]
        at = index
        while moved:
            here = tree.links[at]
            for k, load in moved:
                for column, row in zip(here.columns, here.speeds):
                    if row < n and (at != index or row <= k):
                        felt = column.angular.dot(load.moment) + column.linear.dot(load.force)
                        matrix[row][k] = matrix[k][row] = felt
            if here.parent < 0:
                break
            moved = [(k, load.carried(here.rotation, here.origin)) for k, load in moved]
            at = here.parent
    for k, inertia in tree.rotors:
        if k < n:
            matrix[k][k] = matrix[k][k] + inertia
    return matrix
