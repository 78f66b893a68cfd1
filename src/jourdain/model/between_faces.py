"""Two convex polyhedra: slots with gaps and slips in closed form, of whichever features are said to face each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from ..graph import Node, Role, less, maximum, select
from ..spatial import Matrix, Vector
from .encounter import WIDTH, Encounter
from .seating import Seat
from .shapes import Box
from .spots import Scene, Spot, length

FLAT = 1e-9  # of its length: what is thinner is no solid
PARALLEL = 1e-12  # the sine, squared, of the angle between two edges below which they have no common normal


def encounter(scene: Scene, name: str, slots: tuple[str, ...]) -> Encounter:
    """The record of two polyhedra."""
    own = scene.model.placeholders.own
    features = tuple(own(f"{name}: feature {k + 1}", Role.FEATURE) for k in range(WIDTH * len(slots)))
    columns = [Vector(*scene.here(Vector.unit(scene.model.graph, k)).in_frame(scene.other.body)) for k in range(3)]
    turn = Matrix(*columns).transposed()
    return Encounter(name, slots, features, turn, scene.between, _corners(scene.one), _corners(scene.other))


def spots_of(scene: Scene, met: Encounter) -> Iterator[Spot]:
    """Of each slot; all in the other body's axes.

    Of a vertex and a face the normal is the face's. Of two edges it is at right angles to both, and the point of
    contact is where the one comes nearest to the other.
    """
    for k in range(len(met.slots)):
        of_edges, *numbers = met.features[WIDTH * k : WIDTH * (k + 1)]
        p, q, a, b = (Vector(*numbers[3 * i : 3 * i + 3]) for i in range(4))
        arm, along = met.turn @ p, met.turn @ a
        apart = met.place + arm - q
        across = along.cross(b)
        normal = _chosen(of_edges, across * (1.0 / length(across)), b - along)
        cosine = along.dot(b)
        reach = (cosine * b.dot(apart) - along.dot(apart)) / maximum(1.0 - cosine * cosine, PARALLEL)
        on_the_one = less(0.5, a.dot(a))  # its face, on which the other's vertex is the point of contact
        point = _chosen(of_edges, arm + along * reach, _chosen(on_the_one, q - met.place, arm))
        yield scene.spot(normal.dot(apart), normal, point)


def is_flat(seat: Seat) -> bool:
    """Whether its vertices, where they are numbers, lie in a plane or nearly so."""
    points = _corners(seat)
    if not all(x.is_constant for point in points for x in point):
        return False
    sizes = np.linalg.svd(np.array([[x.value for x in v - points[0]] for v in points]), compute_uv=False)
    return len(points) < 4 or bool(sizes[2] <= FLAT * sizes[0])


def _corners(seat: Seat) -> tuple[Vector, ...]:
    """Vertices from the center, in the body's axes."""
    if seat.kind is not Box:
        return seat.corners
    x, y, z = seat.corners
    return tuple(x * i + y * j + z * k for i, j, k in product((-1.0, 1.0), repeat=3))


def _chosen(flag: Node, yes: Vector, no: Vector) -> Vector:
    return Vector(*(select(flag, x, y) for x, y in zip(yes, no)))
