"""Energies and momenta, always from the standard parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..graph import Node
from ..spatial import Vector
from .kinematics import places, twists
from .mass import composite
from .mass import momentum as column_momentum
from .tree import Tree


class Energy(NamedTuple):
    """[J]"""

    kinetic: Node
    potential: Node


def energy(tree: Tree, u: Sequence[Node]) -> Energy:
    """Kinetic energy of all bodies and rotors; potential energy of gravity, zero at the ground's origin."""
    graph = tree.graph
    motion, frames = twists(tree, u), places(tree)
    twice, potential = graph.zero, graph.zero
    for solid in tree.solids:
        if solid.link < 0:
            potential = potential - tree.gravity.dot(solid.center) * solid.mass
            continue
        w, v = motion[solid.link]
        c = v + w.cross(solid.center)
        twice = twice + c.dot(c) * solid.mass + w.dot(solid.central @ w)
        frame = frames[solid.link]
        potential = potential - tree.gravity.dot(frame.origin + frame.rotation @ solid.center) * solid.mass
    speeds = tree.all_speeds(u)
    for k, inertia in tree.rotors:
        twice = twice + inertia * (speeds[k] * speeds[k])
    return Energy(twice * 0.5, potential)


def mass_center(tree: Tree) -> Vector:
    """Of all moving bodies, in the ground frame [m]."""
    graph, frames = tree.graph, places(tree)
    total, mass = Vector.zero(graph), graph.zero
    for solid in tree.solids:
        if solid.link >= 0:
            frame = frames[solid.link]
            total = total + (frame.origin + frame.rotation @ solid.center) * solid.mass
            mass = mass + solid.mass
    return total * (graph.one / mass)


def momentum_matrix(tree: Tree, about: Vector) -> list[list[Node]]:
    """(6, freedom + driven) rows: angular momentum about a point of the ground frame, then linear momentum, ground
    axes, for a unit of each speed. About the mass centre it is the centroidal momentum matrix.

    A unit of a joint's speed moves its composite body, everything further out, as one.
    """
    graph, frames, bodies = tree.graph, places(tree), composite(tree)
    width = tree.freedom + len(tree.driven)
    angular = [Vector.zero(graph)] * width
    linear = [Vector.zero(graph)] * width
    for index, link in tree.outward():
        frame = frames[index]
        arm = frame.origin - about
        for k, column in zip(link.speeds, link.columns):
            load = column_momentum(bodies[index], column)
            linear[k] = frame.rotation @ load.force
            angular[k] = frame.rotation @ load.moment + arm.cross(linear[k])
    return [[v[i] for v in angular] for i in range(3)] + [[v[i] for v in linear] for i in range(3)]


def momentum(tree: Tree, u: Sequence[Node], about: Vector) -> tuple[Vector, Vector]:
    """Angular momentum about a point of the ground frame and linear momentum, ground axes; driven speeds included."""
    motion, frames = twists(tree, u), places(tree)
    angular = linear = Vector.zero(tree.graph)
    for solid in tree.solids:
        if solid.link < 0:
            continue
        w, v = motion[solid.link]
        frame = frames[solid.link]
        p = frame.rotation @ ((v + w.cross(solid.center)) * solid.mass)
        arm = frame.origin + frame.rotation @ solid.center - about
        angular = angular + frame.rotation @ (solid.central @ w) + arm.cross(p)
        linear = linear + p
    return angular, linear


def mass_center_jacobian(tree: Tree) -> list[list[Node]]:
    """(3, freedom) rows: velocity of the mass centre for a unit of each free speed, ground axes."""
    graph = tree.graph
    mass = graph.zero
    for solid in tree.solids:
        if solid.link >= 0:
            mass = mass + solid.mass
    reciprocal = graph.one / mass
    rows = momentum_matrix(tree, Vector.zero(graph))[3:]
    return [[x * reciprocal for x in row[: tree.freedom]] for row in rows]
