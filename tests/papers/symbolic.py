"""Graph expressions as SymPy ones, and the papers' definitions written down in SymPy alone, to compare them with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import sympy as sp

from jourdain.graph import Graph, Node, Role, reachable
from jourdain.model import joints
from jourdain.model.motion import Column, Motion

MEANING: dict[str, Any] = {
    "neg": lambda a: -a,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "sin": sp.sin,
    "cos": sp.cos,
    "sqrt": sp.sqrt,
}


def to_sympy(nodes: Iterable[Node]) -> list[sp.Expr]:
    """Each expression, symbols by their names."""
    wanted = list(nodes)
    known: dict[Node, sp.Expr] = {}
    for node in reachable(wanted):
        if node.is_constant:
            known[node] = sp.nsimplify(node.value, rational=True)
        elif node.is_symbol:
            known[node] = sp.Symbol(node.name)
        else:
            known[node] = MEANING[node.op.name](*(known[x] for x in node.args))
    return [known[node] for node in wanted]


def to_matrix(rows: Sequence[Sequence[Node]]) -> sp.Matrix:
    """Rows of nodes as a SymPy matrix."""
    flat = to_sympy(x for row in rows for x in row)
    return sp.Matrix(len(rows), len(rows[0]), flat)


def hat(v: Sequence[Any]) -> sp.Matrix:
    """[v×]."""
    x, y, z = v
    return sp.Matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def vee(twist: sp.Matrix) -> sp.Matrix:
    """The six numbers, angular then linear, of X⁻¹Ẋ."""
    return sp.Matrix([twist[2, 1], twist[0, 2], twist[1, 0], twist[0, 3], twist[1, 3], twist[2, 3]])


def unvee(column: Sequence[Any]) -> sp.Matrix:
    """The 4×4 matrix of a twist."""
    top = hat(column[:3]).row_join(sp.Matrix(column[3:]))
    return top.col_join(sp.zeros(1, 4))


def map_matrix(configuration: sp.Matrix, symbols: Sequence[sp.Symbol]) -> sp.Matrix:
    """B(ε) of X⁻¹ Ẋ = hat(B ε̇), by differentiating X: what every joint map and kinematic matrix must satisfy."""
    inverse = rigid_inverse(configuration)
    return sp.Matrix.hstack(*(vee(inverse * configuration.diff(e)) for e in symbols))


def rigid_inverse(configuration: sp.Matrix) -> sp.Matrix:
    """[[Rᵀ, −Rᵀ t], [0, 1]] (the paper's 2b, where −R stands in place of −L R)."""
    turned = configuration[:3, :3].T
    return turned.row_join(-turned * configuration[:3, 3]).col_join(sp.Matrix([[0, 0, 0, 1]]))


class Joint:
    """A joint made by the library from a 6×r matrix and r = {r₁ … r_p}, read out as SymPy matrices."""

    def __init__(self, matrix: Sequence[Sequence[float | str]], groups: Sequence[int], names: Sequence[str]) -> None:
        graph = Graph()

        def entry(x: float | str) -> Node:
            return graph.symbol(x, Role.PARAMETER) if isinstance(x, str) else graph.constant(x)

        columns: list[Column] = []
        for column in np.array(matrix, dtype=object).reshape(6, -1).T:
            a, b, c, d, e, f = (entry(x) for x in column)
            columns.append((a, b, c, d, e, f))
        self.motion: Motion = joints.given(columns, groups)
        q = [graph.symbol(name, Role.COORDINATE) for name in names]
        self.symbols = [sp.Symbol(name) for name in names]
        self.columns = [to_sympy(column) for column in columns]
        pose = self.motion.configuration(graph, q)
        rows = [[*row, t] for row, t in zip(pose.rotation.matrix(), pose.translation)]
        self.configuration = to_matrix([*rows, [graph.zero, graph.zero, graph.zero, graph.one]])
        self.joint_map = to_matrix(self.motion.joint_map(graph, q)).T
        self.kinematic = to_matrix(self.motion.kinematic(graph, q))


def zero(matrix: sp.Matrix) -> bool:
    """Whether every entry vanishes identically.

    With tan(x / 2) in place of each angle an entry is a rational function, which vanishes if its numerator does.
    """
    replacements: dict[sp.Expr, sp.Expr] = {}
    for turn in sorted(matrix.atoms(sp.sin, sp.cos, sp.tan), key=str):
        (x,) = turn.args
        h = sp.Symbol(f"h_{x}")
        sine, cosine = 2 * h / (1 + h**2), (1 - h**2) / (1 + h**2)
        replacements[turn] = {sp.sin: sine, sp.cos: cosine, sp.tan: sine / cosine}[type(turn)]
    return all(sp.together(x.xreplace(replacements)).as_numer_denom()[0].expand() == 0 for x in matrix)
