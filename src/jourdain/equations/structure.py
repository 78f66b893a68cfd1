"""The commutators of a joint's motions: how much two of its speeds, taken in turn, do what a third one does.

With V = Γ, the columns v_k of q̇ = Γ p are vector fields, and [v_j, v_k] = (∂v_k/∂q) v_j − (∂v_j/∂q) v_k = Σ c^i_jk v_i
(Kwatny & Blankenship 1995, eq 38). A simple joint's fields are invariant under its own motions, because X⁻¹Ẋ = H p with
a constant H: the c are those of the brackets of H's columns and do not depend on the configuration. So they are found
at q = 0; and for a quaternion, whose Γ has no inverse, on the group. Fields of different simple joints commute.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..graph import Graph, Node, Role, substitute, transfer
from ..graph.differentiate import jacobian
from ..model.motion import Motion
from .rows import AnyRows, Rows, dot, on_vector, zeros

NEGLIGIBLE = 1e-14  # what rounding leaves of a zero


def commutator(graph: Graph, fields: AnyRows, q: Sequence[Node], j: int, k: int) -> list[Node]:
    """[v_j, v_k] (coordinates,) of two columns of a matrix of fields."""
    v, w = [row[j] for row in fields], [row[k] for row in fields]
    by_v, by_w = jacobian(v, q), jacobian(w, q)
    return [dot(graph, a, v) - dot(graph, b, w) for a, b in zip(by_w, by_v)]


def structure_functions(motion: Motion, graph: Graph, q: Sequence[Node]) -> list[Rows]:
    """c[j][i][k] of [v_j, v_k] = Σ c^i_jk v_i, by differentiating Γ at the coordinates q (symbols)."""
    n = motion.np
    gamma, inverse = motion.kinematic(graph, q), motion.inverse_kinematic(graph, q)
    found = [zeros(graph, n, n) for _ in range(n)]
    for j in range(n):
        for k in range(j + 1, n):
            for i, x in enumerate(on_vector(graph, inverse, commutator(graph, gamma, q, j, k))):
                found[j][i][k], found[k][i][j] = x, -x
    return found


def structure_constants(motion: Motion, graph: Graph) -> list[Rows]:
    """The same (n, n, n), without coordinates, for any joint: c[j][i][k] multiplies v_i in [v_j, v_k]."""
    found = [zeros(graph, motion.np, motion.np) for _ in range(motion.np)]
    for part in motion.simple_parts():
        if part.motion.np == 1:
            continue
        own = Graph()
        inner = part.motion.moved_to(own)
        q = [own.symbol(f"q{k}", Role.COORDINATE) for k in range(inner.nq)]
        at_home = dict(zip(q, inner.neutral()))
        for j, rows in zip(part.speeds, structure_functions(inner, own, q)):
            for i, row in zip(part.speeds, rows):
                for k, x in zip(part.speeds, transfer(substitute(row, at_home), graph)):
                    found[j][i][k] = graph.zero if x.is_constant and abs(x.value) < NEGLIGIBLE else x
    return found
