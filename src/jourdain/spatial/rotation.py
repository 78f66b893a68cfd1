"""Rotations kept as a product of elementary turns, which cost four products a vector, and fixed matrices.

A rotation here takes components in the inner (child) frame to components in the outer (parent) frame:
v_parent = R v_child, R = F1 F2 ... Fk, the first factor nearest the parent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..graph import Graph, Node, cos, sin
from .matrix import Matrix
from .vector import Vector


@dataclass(frozen=True, slots=True)
class Turn:
    """A right-handed turn about coordinate axis 0, 1 or 2 by an angle of cosine c and sine s."""

    axis: int
    c: Node
    s: Node

    def outward(self, v: Vector) -> Vector:
        """Parent components to child components: Rᵀ v."""
        return self._apply(v, -self.s)

    def inward(self, v: Vector) -> Vector:
        """Child components to parent components: R v."""
        return self._apply(v, self.s)

    def _apply(self, v: Vector, s: Node) -> Vector:
        c = self.c
        x, y, z = v
        if self.axis == 0:
            return Vector(x, c * y - s * z, s * y + c * z)
        if self.axis == 1:
            return Vector(c * x + s * z, y, c * z - s * x)
        return Vector(c * x - s * y, s * x + c * y, z)

    def matrix(self) -> Matrix:
        return _columns(self, self.c.graph)

    def inverse(self) -> Turn:
        return Turn(self.axis, self.c, -self.s)


@dataclass(frozen=True, slots=True)
class Given:
    """A rotation by its matrix."""

    rows: Matrix

    def outward(self, v: Vector) -> Vector:
        return self.rows.transposed() @ v

    def inward(self, v: Vector) -> Vector:
        return self.rows @ v

    def matrix(self) -> Matrix:
        return self.rows

    def inverse(self) -> Given:
        return Given(self.rows.transposed())


Factor = Turn | Given


def _columns(factor: Turn, graph: Graph) -> Matrix:
    return Matrix(*(factor.inward(Vector.unit(graph, k)) for k in range(3))).transposed()


@dataclass(frozen=True, slots=True)
class Rotation:
    """A product of factors, the one nearest the parent first; empty for the identity."""

    graph: Graph
    factors: tuple[Factor, ...] = ()

    def outward(self, v: Vector) -> Vector:
        """Parent components to child components: Rᵀ v."""
        for factor in self.factors:
            v = factor.outward(v)
        return v

    def inward(self, v: Vector) -> Vector:
        """Child components to parent components: R v."""
        for factor in reversed(self.factors):
            v = factor.inward(v)
        return v

    def matrix(self) -> Matrix:
        """R itself."""
        result = Matrix.identity(self.graph)
        for factor in reversed(self.factors):
            result = Matrix(*(factor.inward(column) for column in result.transposed())).transposed()
        return result

    def then(self, inner: Rotation) -> Rotation:
        """This rotation with another one inside it: R R_inner."""
        return Rotation(self.graph, self.factors + inner.factors)

    def inverse(self) -> Rotation:
        return Rotation(self.graph, tuple(factor.inverse() for factor in reversed(self.factors)))

    def conjugate(self, tensor: Matrix) -> Matrix:
        """A symmetric tensor's components in the parent frame: R T Rᵀ."""
        for factor in reversed(self.factors):
            tensor = _turned(factor, tensor) if isinstance(factor, Turn) else _conjugated(factor.rows, tensor)
        return tensor

    @staticmethod
    def turn(graph: Graph, axis: int, angle: Node | float) -> Rotation:
        """A turn about a coordinate axis; nothing for an angle of zero."""
        node = graph.node(angle)
        if node.is_zero:
            return Rotation(graph)
        return Rotation(graph, (Turn(axis, cos(node), sin(node)),))

    @staticmethod
    def given(graph: Graph, rows: Matrix) -> Rotation:
        return Rotation(graph, (Given(rows),))

    @staticmethod
    def product(graph: Graph, rotations: Iterable[Rotation]) -> Rotation:
        return Rotation(graph, tuple(factor for rotation in rotations for factor in rotation.factors))


def _turned(turn: Turn, t: Matrix) -> Matrix:
    """R T Rᵀ of a symmetric T about a coordinate axis, in ten products by way of half the work.

    About z: with p = c s, d = Txx − Tyy: Txx' = Txx − s² d − 2 p Txy, Tyy' = Tyy + s² d + 2 p Txy,
    Txy' = (c² − s²) Txy + p d, and (Txz, Tyz) turn as a vector.
    """
    i, j = {0: (1, 2), 1: (2, 0), 2: (0, 1)}[turn.axis]
    k = turn.axis
    c, s = turn.c, turn.s
    tii, tjj, tij = t[i][i], t[j][j], t[i][j]
    d = tii - tjj
    # s (s d + 2 c Tij) is the amount that moves from one diagonal to the other.
    moved = s * (s * d + c * (tij + tij))
    out: list[list[Node]] = [list(row) for row in t]
    out[i][i] = tii - moved
    out[j][j] = tjj + moved
    # Tij' = (c² − s²) Tij + c s d = c (s d + 2 c Tij) − Tij, and s d + 2 c Tij is shared with `moved`.
    out[i][j] = out[j][i] = c * (s * d + c * (tij + tij)) - tij
    out[i][k] = out[k][i] = c * t[i][k] - s * t[j][k]
    out[j][k] = out[k][j] = s * t[i][k] + c * t[j][k]
    return Matrix(*(Vector(*row) for row in out))


def _conjugated(r: Matrix, t: Matrix) -> Matrix:
    half = Matrix(*(t @ row for row in r))  # rows: T r_i, for T is symmetric
    out = [[r[i].dot(half[j]) if j >= i else None for j in range(3)] for i in range(3)]
    full = [[out[i][j] if j >= i else out[j][i] for j in range(3)] for i in range(3)]
    return Matrix(*(Vector(*row) for row in full))  # type: ignore[arg-type]
