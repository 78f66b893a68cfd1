"""The inertia of a chain by spatial operators (Kwatny & Blankenship 1995, eqs 42–52), for chains and trees.

𝓜 = Hᵀ Φᵀ M Φ H: H holds the joints' maps, Φ carries spatial velocities outwards from link to link, M the links'
spatial inertias about their joints. One more thing than in the paper: a joint that slides moves the outer link's
origin, so its displacement is part of the arm (in their 46 only the link's own length is).
"""

from __future__ import annotations

from ..graph import Graph, Node
from ..spatial import Matrix, Vector, cross_matrix
from .rows import AnyRows, Rows, blocks, plus, times, transposed, zeros
from .tree import Link, Tree


def shift(graph: Graph, r: Vector) -> Rows:
    """φ(r) (6, 6): the spatial velocity (ω, v) at a point r further on in the same body (43)."""
    one, zero = Matrix.identity(graph), Matrix.zero(graph)
    return blocks([[one, zero], [cross_matrix(-r), one]])


def across_joint(graph: Graph, link: Link) -> Rows:
    """φ(k, k−1) (6, 6): from the parent's spatial velocity, in its axes, to what reaches the link, in the link's."""
    turned, zero = link.rotation.matrix().transposed(), Matrix.zero(graph)
    return times(graph, blocks([[turned, zero], [zero, turned]]), shift(graph, link.origin), 6)


def spatial_inertia(graph: Graph, mass: Node, center: Vector, central: Matrix) -> Rows:
    """M_O = φᵀ(c) M_cm φ(c) (6, 6) about the origin of the axes, c from there to the mass centre (48)."""
    zero = Matrix.zero(graph)
    own = blocks([[central, zero], [zero, Matrix.identity(graph).scaled(mass)]])
    arm = shift(graph, center)
    return times(graph, transposed(arm, 6), times(graph, own, arm, 6), 6)


def operators(tree: Tree) -> list[Rows]:
    """The block rows of Φ H, a link each (6, freedom): every link's spatial velocity is its block times the speeds."""
    graph, n = tree.graph, tree.freedom
    found: list[Rows] = []
    for _, link in tree.outward():
        carried = zeros(graph, 6, n)
        if link.parent >= 0:
            carried = times(graph, across_joint(graph, link), found[link.parent], n)
        for column, k in zip(link.columns, link.speeds):
            if k < n:
                for i, x in enumerate((*column.angular, *column.linear)):
                    carried[i][k] = carried[i][k] + x
        found.append(carried)
    return found


def chain_inertia(tree: Tree) -> Rows:
    """𝓜 = Hᵀ Φᵀ M Φ H (freedom, freedom), from the bodies' own inertias (52b), reflected rotors added."""
    graph, n = tree.graph, tree.freedom
    reached = operators(tree)
    total = zeros(graph, n, n)
    for solid in tree.solids:
        if solid.link >= 0:
            own = spatial_inertia(graph, solid.mass, solid.center, solid.central)
            total = plus(total, congruent(graph, own, reached[solid.link], n))
    for k, inertia in tree.rotors:
        if k < n:
            total[k][k] = total[k][k] + inertia
    return total


def congruent(graph: Graph, inner: AnyRows, outer: AnyRows, width: int) -> Rows:
    """outerᵀ inner outer (width, width)."""
    return times(graph, transposed(outer, width), times(graph, inner, outer, width), width)


__all__ = ["across_joint", "chain_inertia", "congruent", "operators", "shift", "spatial_inertia"]
