"""Vectors, matrices, rotations and inertias over the graph do what NumPy's arrays do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from jourdain.graph import Graph, Node, Role, interpret
from jourdain.spatial import Inertia, Matrix, Rotation, Vector, cross_matrix

Array = NDArray[np.float64]


class Values:
    """Symbols with random values, so that nothing is folded away, and what expressions of them come to."""

    def __init__(self, seed: int) -> None:
        self.graph = Graph()
        self.rng = np.random.default_rng(seed)
        self.values: dict[Node, float] = {}

    def scalar(self) -> Node:
        symbol = self.graph.symbol(f"x{len(self.values)}", Role.PARAMETER)
        self.values[symbol] = float(self.rng.normal())
        return symbol

    def vector(self) -> Vector:
        return Vector(self.scalar(), self.scalar(), self.scalar())

    def matrix(self) -> Matrix:
        return Matrix(self.vector(), self.vector(), self.vector())

    def symmetric(self) -> Matrix:
        a = self.matrix()
        return Matrix(a.a, Vector(a.a.y, a.b.y, a.b.z), Vector(a.a.z, a.b.z, a.c.z))

    def rotation(self, *axes: int) -> Rotation:
        """Turns about these axes, then a rotation given by its matrix."""
        turns = [Rotation.turn(self.graph, axis, self.scalar()) for axis in axes]
        q, r = np.linalg.qr(self.rng.normal(size=(3, 3)))
        q = q * np.sign(np.diag(r))
        proper = Matrix.of(self.graph, (q * np.sign(np.linalg.det(q))).tolist())
        return Rotation.product(self.graph, [*turns, Rotation.given(self.graph, proper)])

    def of(self, nodes: Sequence[Node]) -> Array:
        return np.array([float(x) for x in interpret(list(nodes), self.values)])

    def rows(self, matrix: Matrix) -> Array:
        return self.of([x for row in matrix for x in row]).reshape(3, 3)


def agree(a: Array, b: Array) -> None:
    assert np.abs(a - b).max() <= 1e-14 * max(1.0, float(np.abs(b).max()))


@pytest.mark.parametrize("seed", range(3))
def test_vectors_and_matrices(seed: int) -> None:
    v = Values(seed)
    a, b, m, n = v.vector(), v.vector(), v.matrix(), v.matrix()
    x, y, p, q = v.of(a), v.of(b), v.rows(m), v.rows(n)
    agree(v.of(a + b - a * 2.0), x + y - 2.0 * x)
    agree(v.of([a.dot(b)]), np.array([x @ y]))
    agree(v.of(a.cross(b)), np.cross(x, y))
    agree(v.of(cross_matrix(a) @ b), np.cross(x, y))
    agree(v.of(m @ a), p @ x)
    agree(v.rows(m.times(n)), p @ q)
    agree(v.rows((m + n - n.scaled(3.0)).transposed()), (p - 2.0 * q).T)
    agree(v.of([m.trace()]), np.array([np.trace(p)]))
    agree(v.of(2.0 * a), 2.0 * x)


@pytest.mark.parametrize("axes", [(), (0,), (1,), (2,), (0, 1), (2, 0, 2)])
def test_rotations(axes: tuple[int, ...]) -> None:
    v = Values(7)
    rotation, other, a, t = v.rotation(*axes), v.rotation(1), v.vector(), v.symmetric()
    r = v.rows(rotation.matrix())
    agree(r @ r.T, np.eye(3))
    assert np.linalg.det(r) > 0.0
    agree(v.of(rotation.inward(a)), r @ v.of(a))
    agree(v.of(rotation.outward(a)), r.T @ v.of(a))
    agree(v.rows(rotation.inverse().matrix()), r.T)
    agree(v.rows(rotation.then(other).matrix()), r @ v.rows(other.matrix()))
    agree(v.rows(rotation.conjugate(t)), r @ v.rows(t) @ r.T)


@pytest.mark.parametrize("axis", range(3))
def test_a_turn_is_right_handed(axis: int) -> None:
    """A quarter turn takes the next axis to the one after it."""
    graph = Graph()
    turned = Rotation.turn(graph, axis, float(np.pi / 2)).inward(Vector.unit(graph, (axis + 1) % 3))
    agree(np.array([x.value for x in turned]), np.eye(3)[(axis + 2) % 3])
    assert Rotation.turn(graph, axis, 0.0).factors == ()


@pytest.mark.parametrize("axes", [(), (0,), (2, 1)])
def test_inertias_are_integrals_over_particles(axes: tuple[int, ...]) -> None:
    """A body of particles: its ten parameters in one frame and in another."""
    v = Values(3)
    graph = v.graph
    masses, places = v.rng.uniform(0.5, 1.5, size=5), v.rng.normal(size=(5, 3))
    rotation, origin = v.rotation(*axes), v.vector()
    moved = places @ v.rows(rotation.matrix()).T + v.of(origin)
    body = Inertia.zero(graph)
    assert body.is_zero
    for mass, place in zip(masses, places):
        point = Vector.of(graph, place.tolist())
        body = body + Inertia.about_center(graph.constant(float(mass)), point, Matrix.zero(graph))
    for found, r in ((body, places), (body.in_parent(rotation, origin), moved)):
        second = np.einsum("k,ki,kj->ij", masses, r, r)
        agree(v.of([found.mass]), np.array([masses.sum()]))
        agree(v.of(found.moment), masses @ r)
        agree(v.rows(found.matrix), np.trace(second) * np.eye(3) - second)
