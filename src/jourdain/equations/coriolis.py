"""Parsa's Coriolis matrix (his eq 40): C u is the vector of velocity terms and Ṁ − 2C is skew-symmetric.

Summed over composite bodies instead of body by body. With inertial derivatives, a column ψ = (ω_j, v_j) of the
Jacobian adds to a body about its mass centre the moment I ω̇_j + ω × I ω_j and the force m v̇_j + ω_j × m ċ; so every
body carries, beside its inertia, a map of ω_j alone: ω_j ↦ (N ω_j, −p × ω_j), p its momentum. Inertias and these maps
add up from the leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..graph import Node
from ..spatial import Matrix, Rotation, Vector, cross_matrix
from .inverse import Load
from .kinematics import Twist, twists
from .mass import composite, momentum
from .tree import Column, Tree


@dataclass(frozen=True, slots=True)
class _Gyration:
    """The map of a unit of angular speed to moment (n) and force (−p ×), about a link's origin."""

    n: Matrix
    p: Vector

    def __add__(self, other: _Gyration) -> _Gyration:
        return _Gyration(self.n + other.n, self.p + other.p)

    def times(self, w: Vector) -> Load:
        return Load(w.cross(self.p), self.n @ w)

    def transposed_times(self, column: Column) -> Vector:
        """The covector that acts on ω_j: Nᵀ w + p × v, for w·(N ω_j) + v·(ω_j × p)."""
        return self.n.transposed() @ column.angular + self.p.cross(column.linear)

    def in_parent(self, rotation: Rotation, r: Vector) -> _Gyration:
        n = Matrix(*(rotation.inward(row) for row in self.n)).transposed()
        n = Matrix(*(rotation.inward(row) for row in n)).transposed()
        p = rotation.inward(self.p)
        return _Gyration(n - cross_matrix(r).times(cross_matrix(p)), p)


def coriolis_matrix(tree: Tree, u: Sequence[Node]) -> list[list[Node]]:
    """Rows of C (freedom, freedom) at the free speeds u; driven speeds take part in the velocities."""
    graph, n = tree.graph, tree.freedom
    motion = twists(tree, u)
    bodies = composite(tree)
    zero = Vector.zero(graph)
    gyrations = [_Gyration(Matrix.zero(graph), zero) for _ in tree.links]
    for solid in tree.solids:
        if solid.link >= 0:
            w, v = motion[solid.link]
            p = (v + w.cross(solid.center)) * solid.mass
            own = cross_matrix(w).times(solid.central) - cross_matrix(solid.center).times(cross_matrix(p))
            gyrations[solid.link] = gyrations[solid.link] + _Gyration(own, p)
    matrix = [[graph.zero] * n for _ in range(n)]
    for index, link in tree.inward():
        body, gyration = bodies[index], gyrations[index]
        if link.parent >= 0:
            gyrations[link.parent] = gyrations[link.parent] + gyration.in_parent(link.rotation, link.origin)
        columns = [(k, column) for k, column in zip(link.speeds, link.columns) if k < n]
        # As a row: what multiplies the derivative of another column, and what multiplies its angular part.
        rows = [(k, momentum(body, c), gyration.transposed_times(c)) for k, c in columns]
        # As a column: the load of its derivative and of itself.
        loads = []
        for k, c in columns:
            rate = _derivative(motion[index], c)
            loads.append((k, momentum(body, rate) + gyration.times(c.angular)))
        at = index
        while columns:
            here = tree.links[at]
            for column, j in zip(here.columns, here.speeds):
                if j >= n:
                    continue
                rate = _derivative(motion[at], column)
                for k, load, turned in rows:
                    matrix[k][j] = (
                        rate.angular.dot(load.moment) + rate.linear.dot(load.force) + column.angular.dot(turned)
                    )
                if at != index:
                    for k, load in loads:
                        matrix[j][k] = column.angular.dot(load.moment) + column.linear.dot(load.force)
            if here.parent < 0:
                break
            rows = [(k, load.carried(here.rotation, here.origin), here.rotation.inward(t)) for k, load, t in rows]
            loads = [(k, load.carried(here.rotation, here.origin)) for k, load in loads]
            at = here.parent
    return matrix


def _derivative(motion: Twist, column: Column) -> Column:
    """The inertial derivative of a column that is constant in a frame moving with twist (w, v): V × ψ."""
    return Column(motion.w.cross(column.angular), motion.v.cross(column.angular) + motion.w.cross(column.linear))
