"""Forward dynamics by articulated bodies: cost linear in the number of joints, for long chains and broad trees.

Each link, seen from its joint, is a body of apparent inertia [J B; Bᵀ M] and a bias load. Eliminating a joint's
speeds one after the other takes the direction each column can yield to out of both (Featherstone 2008, chapter 7);
a joint of several columns is a sequence of one-column joints in one and the same frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..graph import Node
from ..spatial import Inertia, Matrix, Rotation, Vector, cross_matrix
from .inverse import Load, accelerate, inertia_load
from .tree import Column, Tree


@dataclass(frozen=True, slots=True)
class Apparent:
    """Apparent inertia about a link's origin: moment = J α + B a, force = Bᵀ α + M a; J and M symmetric."""

    j: Matrix
    b: Matrix
    m: Matrix

    def __add__(self, other: Apparent) -> Apparent:
        return Apparent(self.j + other.j, self.b + other.b, self.m + other.m)

    def times(self, column: Column) -> Load:
        w, v = column.angular, column.linear
        return Load(self.b.transposed() @ w + self.m @ v, self.j @ w + self.b @ v)

    def yielding(self, column: Column, u: Load, reciprocal: Node) -> Apparent:
        """What remains when a column h with U = I h and D = h·U is free: I − U Uᵀ / D.

        The remainder resists nothing along h; where h is a coordinate direction, that row and column are zero and
        are not computed.
        """
        turn, slide = _direction(column.angular, column.linear), _direction(column.linear, column.angular)
        n, f = _without(u.moment, turn), _without(u.force, slide)
        nd, fd = n * reciprocal, f * reciprocal
        j, b, m = _cleared(self.j, turn, turn), _cleared(self.b, turn, slide), _cleared(self.m, slide, slide)
        return Apparent(_less_symmetric(j, nd, n), _less(b, nd, f), _less_symmetric(m, fd, f))

    def resisting(self, u: Load, reciprocal: Node) -> Apparent:
        """What remains when the column also moves a rotor, so that D > h·U: the remainder resists along h too."""
        nd, fd = u.moment * reciprocal, u.force * reciprocal
        return Apparent(
            _less_symmetric(self.j, nd, u.moment), _less(self.b, nd, u.force), _less_symmetric(self.m, fd, u.force)
        )

    def in_parent(self, rotation: Rotation, r: Vector) -> Apparent:
        """About another origin, this one at r there, turned: with R× = [r×], J + R× Bᵀ − B R× − R× M R×."""
        j, b, m = rotation.conjugate(self.j), _turned(rotation, self.b), rotation.conjugate(self.m)
        if r.is_zero:
            return Apparent(j, b, m)
        rx = cross_matrix(r)
        shifted = b + rx.times(m)
        # J' = J − B' [r×] + [r×] Bᵀ, symmetric; only its upper half is built.
        left, right = shifted.times(rx), rx.times(b.transposed())
        rows: list[list[Node]] = [list(row) for row in j]
        for i in range(3):
            for k in range(i, 3):
                rows[i][k] = rows[k][i] = j[i][k] - left[i][k] + right[i][k]
        return Apparent(Matrix(*(Vector(*row) for row in rows)), shifted, m)

    @staticmethod
    def of(inertia: Inertia) -> Apparent:
        graph = inertia.mass.graph
        m = inertia.mass
        mass = Matrix(*(Vector.unit(graph, k) * m for k in range(3)))
        return Apparent(inertia.matrix, cross_matrix(inertia.moment), mass)


def _direction(part: Vector, other: Vector) -> int | None:
    """The axis of a column that lies along one coordinate direction in this part and vanishes in the other."""
    if not other.is_zero:
        return None
    along = [k for k in range(3) if not part[k].is_zero]
    return along[0] if len(along) == 1 else None


def _without(v: Vector, axis: int | None) -> Vector:
    zero = v.x.graph.zero
    return v if axis is None else Vector(*(zero if k == axis else v[k] for k in range(3)))


def _cleared(a: Matrix, row: int | None, column: int | None) -> Matrix:
    zero = a.a.x.graph.zero
    return Matrix(
        *(Vector(*(zero if i == row or k == column else a[i][k] for k in range(3))) for i in range(3))
    )


def _less(a: Matrix, x: Vector, y: Vector) -> Matrix:
    return Matrix(*(Vector(*(a[i][k] - x[i] * y[k] for k in range(3))) for i in range(3)))


def _less_symmetric(a: Matrix, x: Vector, y: Vector) -> Matrix:
    rows: list[list[Node]] = [list(row) for row in a]
    for i in range(3):
        for k in range(i, 3):
            rows[i][k] = rows[k][i] = a[i][k] - x[i] * y[k]
    return Matrix(*(Vector(*row) for row in rows))


def _turned(rotation: Rotation, a: Matrix) -> Matrix:
    """R A Rᵀ of any matrix."""
    half = Matrix(*(rotation.inward(column) for column in a.transposed()))  # rows: columns of R A
    return Matrix(*(rotation.inward(row) for row in half.transposed()))


@dataclass(frozen=True, slots=True)
class _Freed:
    """One eliminated column."""

    speed: int
    column: Column
    u: Load
    reciprocal: Node
    rest: Node  # the part of the column's force that its own acceleration must balance


def forward_dynamics(tree: Tree, u: Sequence[Node], forces: Sequence[Node], applied: Sequence[Load] = ()) -> list[Node]:
    """Rates of the free speeds (freedom,) under generalized forces (freedom,) and the applied loads, one a link."""
    graph, n = tree.graph, tree.freedom
    # All bias at once: the loads of the motion that the free speeds' rates would be zero in (driven ones keep theirs),
    # so that the sweeps below carry only the increments that the rates bring.
    still = accelerate(tree, u, [graph.zero] * n)
    biases = [inertia_load(link.inertia, s, a) for link, s, a in zip(tree.links, still.spins, still.origins)]
    if applied:
        biases = [own - load for own, load in zip(biases, applied)]
    bodies = [Apparent.of(link.inertia) for link in tree.links]
    rotors: dict[int, Node] = {}
    for k, inertia in tree.rotors:
        rotors[k] = rotors[k] + inertia if k in rotors else inertia
    freed: list[list[_Freed]] = [[] for _ in tree.links]
    for index, link in tree.inward():
        body, bias = bodies[index], biases[index]
        for column, k in reversed(list(zip(link.columns, link.speeds))):
            if k >= n:
                continue
            load = body.times(column)
            own = column.angular.dot(load.moment) + column.linear.dot(load.force)
            if k in rotors:
                own = own + rotors[k]
            reciprocal = graph.one / own
            rest = forces[k] - (column.angular.dot(bias.moment) + column.linear.dot(bias.force))
            freed[index].append(_Freed(k, column, load, reciprocal, rest))
            share = rest * reciprocal
            body = body.resisting(load, reciprocal) if k in rotors else body.yielding(column, load, reciprocal)
            bias = bias + Load(load.force * share, load.moment * share)
        if link.parent >= 0:
            bodies[link.parent] = bodies[link.parent] + body.in_parent(link.rotation, link.origin)
            biases[link.parent] = biases[link.parent] + bias.carried(link.rotation, link.origin)
    rates = [graph.zero] * n
    moved: list[tuple[Vector, Vector]] = []
    for index, link in tree.outward():
        if link.parent >= 0:
            alpha, a = moved[link.parent]
            alpha, a = link.rotation.outward(alpha), link.rotation.outward(a + alpha.cross(link.origin))
        else:
            alpha = a = Vector.zero(graph)
        for step in reversed(freed[index]):
            given = step.u.moment.dot(alpha) + step.u.force.dot(a)
            rate = (step.rest - given) * step.reciprocal
            rates[step.speed] = rate
            alpha, a = alpha + step.column.angular * rate, a + step.column.linear * rate
        moved.append((alpha, a))
    return rates
