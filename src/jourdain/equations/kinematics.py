"""Positions, velocities and Jacobians of links, points and bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..graph import Node
from ..spatial import Matrix, Rotation, Vector
from .known import Known, of_link, replaced
from .tree import Column, Tree, relative_speed


class Twist(NamedTuple):
    """Angular velocity and velocity of the origin of a frame, in that frame's axes."""

    w: Vector
    v: Vector


class Place(NamedTuple):
    """A frame in the ground: rotation matrix (its axes as columns) and origin."""

    rotation: Matrix
    origin: Vector


def places(tree: Tree) -> list[Place]:
    """Each link's frame in the ground frame."""
    found: list[Place] = []
    for _, link in tree.outward():
        if link.parent < 0:
            found.append(Place(link.rotation.matrix(), link.origin))
            continue
        outer = found[link.parent]
        found.append(Place(turned(outer.rotation, link.rotation), outer.origin + outer.rotation @ link.origin))
    return found


def turned(outer: Matrix, inner: Rotation) -> Matrix:
    """The product of a rotation matrix and a rotation kept as factors: each row is taken inward."""
    return Matrix(*(inner.outward(row) for row in outer))


def twists(tree: Tree, u: Sequence[Node], known: Sequence[Known] = ()) -> list[Twist]:
    """Each link's twist at the free speeds u, driven speeds included; known components are put in."""
    speeds = tree.all_speeds(u)
    found: list[Twist] = []
    for index, link in tree.outward():
        w, v = relative_speed(tree, link, speeds)
        if link.parent >= 0:
            outer = found[link.parent]
            w = link.rotation.outward(outer.w) + w
            v = link.rotation.outward(outer.v + outer.w.cross(link.origin)) + v
        if known:
            w, v = _put_in(w, v, *of_link(known, index))
        found.append(Twist(w, v))
    return found


def _put_in(w: Vector, v: Vector, angular: Sequence[Known], linear: Sequence[Known]) -> tuple[Vector, Vector]:
    for x in angular:
        w = replaced(w, x.axis, x.value)
    for x in linear:
        assert x.offset is not None
        v = replaced(v, x.axis, x.value - w.cross(x.offset)[x.axis])
    return w, v


def columns_at(tree: Tree, link: int) -> dict[int, Column]:
    """The Jacobian of a link's frame, about its origin, in its axes: speed -> column, driven speeds among them."""
    found: dict[int, Column] = {}
    for index in tree.path(link):
        here = tree.links[index]
        for k, column in found.items():
            w = here.rotation.outward(column.angular)
            found[k] = Column(w, here.rotation.outward(column.linear + column.angular.cross(here.origin)))
        found.update(zip(here.speeds, here.columns))
    return found


def shifted(column: Column, offset: Vector) -> Column:
    """The same column about another point of the same frame."""
    return Column(column.angular, column.linear + column.angular.cross(offset))


def across(tree: Tree, vector: Vector, source: int, target: int) -> Vector:
    """A vector's components in another link's axes (−1: the ground's), by the shortest way through the tree."""
    inward, outward = tree.path(source), tree.path(target)
    common = 0
    while common < min(len(inward), len(outward)) and inward[common] == outward[common]:
        common += 1
    for index in reversed(inward[common:]):
        vector = tree.links[index].rotation.inward(vector)
    for index in outward[common:]:
        vector = tree.links[index].rotation.outward(vector)
    return vector
