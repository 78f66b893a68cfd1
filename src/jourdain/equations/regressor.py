"""The regressor of the standard inertial parameters: inverse dynamics is linear in ten numbers a body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..graph import Node
from ..spatial import Rotation, Vector
from .inverse import Load, accelerate, inertia_load, spin
from .regroup import inertia_of
from .tree import Tree


@dataclass(frozen=True, slots=True)
class Seat:
    """A frame fixed in a link (−1: the ground), about whose origin ten parameters are meant, in its axes."""

    link: int
    rotation: Rotation
    offset: Vector


def regressor(
    tree: Tree, u: Sequence[Node], udot: Sequence[Node], seats: Sequence[Seat] | None = None
) -> list[list[Node]]:
    """(freedom, 10 · seats) rows Y with tau = Y π, π in the order of `NAMES`, seat by seat; the links' own frames are
    the seats if none are given. Loads and rotors have no part in it."""
    graph, n = tree.graph, tree.freedom
    if seats is None:
        seats = [Seat(index, Rotation(graph), Vector.zero(graph)) for index, _ in tree.outward()]
    motion = accelerate(tree, u, udot)
    rows = [[graph.zero] * (10 * len(seats)) for _ in range(n)]
    for place, seat in enumerate(seats):
        if seat.link < 0:
            continue
        there = motion.spins[seat.link]
        turned = seat.rotation.outward
        own = spin(turned(there.w), turned(there.rate)) if seat.rotation.factors else there
        origin = turned(motion.origins[seat.link] + there.u @ seat.offset)
        for parameter in range(10):
            unit = inertia_of([graph.one if k == parameter else graph.zero for k in range(10)])
            load = inertia_load(unit, own, origin).carried(seat.rotation, seat.offset)
            for k, felt in _felt(tree, seat.link, load):
                rows[k][10 * place + parameter] = felt
    return rows


def _felt(tree: Tree, link: int, load: Load) -> list[tuple[int, Node]]:
    """What a load on a link asks of each free speed between it and the ground."""
    found: list[tuple[int, Node]] = []
    while link >= 0:
        here = tree.links[link]
        for column, k in zip(here.columns, here.speeds):
            if k < tree.freedom:
                found.append((k, column.angular.dot(load.moment) + column.linear.dot(load.force)))
        load = load.carried(here.rotation, here.origin)
        link = here.parent
    return found
