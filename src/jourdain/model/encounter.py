"""Two convex polyhedra that may touch, and the slots in which the features that face each other stand as numbers.

Which vertices, edges and faces these are changes while the bodies move: the rows of a contact are those of its slot,
whatever stands there (Gillespie 2003, section 5: constraint equations composed by what the collision detector tells).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..graph import Node
from ..spatial import Matrix, Vector

SLOTS = 8  # two rectangles overlap in a polygon of at most eight corners
WIDTH = 13  # numbers in a slot: whether it is of two edges; points of the one and the other; their two directions
FAR = 1e6  # [m]: the gap of a slot in which nothing stands


@dataclass(frozen=True)
class Encounter:
    """Of two bodies.

    slots: names of the contacts. features: symbols, WIDTH for each slot: 1 if two edges face each other, else 0; a
    point of the one from its center, in its body's axes; a point of the other, likewise; the direction of the one's
    edge, or the normal of its face; the same of the other; zero where a vertex is. turn: from the one body's axes to
    the other's; place: from the other's center to the one's, in the other body's axes. one, other: vertices from the
    center, in the body's axes, expressions of parameters.
    """

    name: str
    slots: tuple[str, ...]
    features: tuple[Node, ...]
    turn: Matrix
    place: Vector
    one: tuple[Vector, ...]
    other: tuple[Vector, ...]

    @property
    def moving(self) -> tuple[Node, ...]:
        """Where the one is, as seen from the other: turn, row by row, and place."""
        return tuple(x for v in (*self.turn, self.place) for x in v)

    def carried(self, carry: Callable[[Sequence[Node]], Sequence[Node]]) -> Encounter:
        """With its nodes in another graph."""
        features, turn, place, one, other = (
            tuple(carry(x)) for x in (self.features, self.moving[:9], self.place, _flat(self.one), _flat(self.other))
        )
        return replace(
            self, features=features, turn=Matrix(*_vectors(turn)), place=Vector(*place), one=_vectors(one),
            other=_vectors(other),
        )  # fmt: skip


def _flat(vectors: Sequence[Vector]) -> list[Node]:
    return [x for v in vectors for x in v]


def _vectors(nodes: Sequence[Node]) -> tuple[Vector, ...]:
    return tuple(Vector(*nodes[k : k + 3]) for k in range(0, len(nodes), 3))
