"""Where two polyhedra touch, or will next: corners of the polygon in which two faces overlap, and what parts them.

The two faces are those that face each other most. Each corner of the polygon is a vertex of the one over the other's
face, the other way round, or where two edges cross; its gap is that of the slot in which it will stand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .codes import EDGES, EDGES_TURNED, FACE_VERTEX, VERTEX_FACE, code
from .polyhedron import Polyhedron
from .separation import PARALLEL, Separation

Floats = NDArray[np.float64]
WITHIN = 1e-9  # of the size: a corner may lie outside by less, and two edges cross farther than that from their ends
STEEP = 0.5  # cosine of the angle between normals, two edges' and that of all, above which these do not belong together


@dataclass(frozen=True)
class Feature:
    """What can stand in a slot. gap [m]; point: of contact, in the other's axes; faces: whether it is where they touch
    once the gap is zero, and not merely a part of what keeps them apart."""

    code: float
    gap: float
    point: Floats
    faces: bool


class Manifold:
    """Of two polyhedra."""

    def __init__(self, one: Polyhedron, other: Polyhedron) -> None:
        self.one, self.other = one, other
        self.separation = Separation(one, other)
        self.size = min(one.size, other.size)

    def ask(self, turn: Floats, place: Floats) -> list[Feature]:
        """turn (3, 3), place (3,): of the one as seen from the other. Those that may touch first, by their gaps."""
        parted = self.separation.ask(turn, place)
        n = parted.normal
        f, g = int((self.one.normals @ turn.T @ n).argmin()), int((self.other.normals @ n).argmax())
        found = self._vertices(f, g, turn, place) + self._crossings(f, g, n, turn, place)
        found.sort(key=lambda x: x.gap)
        return found + self._guards(parted.face, parted.edge, n, turn, place)

    def point(self, kind: int, i: int, j: int, turn: Floats, place: Floats) -> Floats:
        """Where two features are nearest to each other, on the one's vertex or edge or the other's vertex."""
        one, other = self.one, self.other
        if kind == VERTEX_FACE:
            return np.asarray(turn @ one.vertices[i] + place)
        if kind == FACE_VERTEX:
            return np.asarray(other.vertices[j])
        a, b = turn @ one.directions[i], other.directions[j]
        p = turn @ one.vertices[one.edges[i, 0]] + place
        w, cosine = p - other.vertices[other.edges[j, 0]], float(a @ b)
        return np.asarray(p + a * ((cosine * (b @ w) - a @ w) / (1.0 - cosine * cosine)))

    # -- inside -------------------------------------------------------------------------------------------------

    def _vertices(self, f: int, g: int, turn: Floats, place: Floats) -> list[Feature]:
        """Of the one's face f over the other's g, and the other way round."""
        one, other, found = self.one, self.other, []
        ones = one.vertices[one.loops[f]] @ turn.T + place
        others = (other.vertices[other.loops[g]] - place) @ turn
        within = -WITHIN * self.size
        for i, x in zip(one.loops[f], ones):
            if _inside(other.sides[g], x) >= within:
                found.append(self._over(VERTEX_FACE, int(i), g, x, turn, place, True))
        for j, y in zip(other.loops[g], others):
            if _inside(one.sides[f], y) >= within:
                found.append(self._over(FACE_VERTEX, f, int(j), turn @ y + place, turn, place, True))
        return found

    def _over(
        self, kind: int, i: int, j: int, x: Floats, turn: Floats, place: Floats, faces: bool
    ) -> Feature:
        """A vertex x over a face."""
        if kind == VERTEX_FACE:
            gap = self.other.normals[j] @ (x - self.other.vertices[self.other.loops[j][0]])
        else:
            gap = self.one.normals[i] @ ((x - place) @ turn - self.one.vertices[self.one.loops[i][0]])
        return Feature(code(kind, i, j), float(gap), x, faces)

    def _crossings(self, f: int, g: int, n: Floats, turn: Floats, place: Floats) -> list[Feature]:
        """Where edges of the two faces cross."""
        one, other = self.one, self.other
        mine, theirs = one.face_edges[f], other.face_edges[g]
        a, b = one.directions[mine] @ turn.T, other.directions[theirs]
        p, q = one.vertices[one.edges[mine, 0]] @ turn.T + place, other.vertices[other.edges[theirs, 0]]
        w = p[:, None] - q[None]
        cosine = a @ b.T
        along_a, along_b = (w * a[:, None]).sum(axis=2), (w * b[None]).sum(axis=2)
        with np.errstate(divide="ignore", invalid="ignore"):
            s = (cosine * along_b - along_a) / (1.0 - cosine * cosine)
        t = along_b + cosine * s
        least, crossing = WITHIN * self.size, 1.0 - cosine * cosine > PARALLEL
        crossing &= (s > least) & (t > least)
        crossing &= (s < one.lengths[mine][:, None] - least) & (t < other.lengths[theirs][None] - least)
        found = []
        for i, j in np.argwhere(crossing):
            made = self._edges(int(mine[i]), int(theirs[j]), n, turn, place, p[i] + s[i, j] * a[i])
            if made is not None:
                found.append(made)
        return found

    def _edges(
        self, i: int, j: int, n: Floats, turn: Floats, place: Floats, x: Floats
    ) -> Feature | None:
        """Two edges that cross; x: of the one's edge. None where their normal is another than the one of all."""
        one, other = self.one, self.other
        across = np.cross(turn @ one.directions[i], other.directions[j])
        across /= np.linalg.norm(across)
        kind = EDGES if across @ n > 0.0 else EDGES_TURNED
        across = across if kind == EDGES else -across
        if across @ n < STEEP:
            return None
        gap = across @ (x - other.vertices[other.edges[j, 0]])
        return Feature(code(kind, i, j), float(gap), x, True)

    def _guards(
        self, face: tuple[int, int], edge: tuple[int, int], n: Floats, turn: Floats, place: Floats
    ) -> list[Feature]:
        """What keeps the two apart: while all of these have gaps, they cannot touch. The lowest first."""
        f, g = face
        if g >= 0:
            ones = self.one.vertices @ turn.T + place
            found = [self._over(VERTEX_FACE, i, g, x, turn, place, False) for i, x in enumerate(ones)]
        elif f >= 0:
            found = [self._over(FACE_VERTEX, f, j, y, turn, place, False) for j, y in enumerate(self.other.vertices)]
        else:
            at = turn @ self.one.vertices[self.one.edges[edge[0], 0]] + place
            made = self._edges(*edge, n, turn, place, at)
            found = [] if made is None else [replace(made, faces=False)]
        return sorted(found, key=lambda x: x.gap)


def _inside(sides: Floats, x: Floats) -> float:
    return float((sides[:, :3] @ x - sides[:, 3]).min())
