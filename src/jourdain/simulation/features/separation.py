"""How far two convex polyhedra are apart, or how deep in one another: the collision library coal asked, and the face or
the two edges that part them found (Gottschalk, Lin, Manocha 1996: one of these always does)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .polyhedron import Polyhedron

Floats = NDArray[np.float64]
Whole = NDArray[np.intp]
PARALLEL = 1e-8  # the sine, squared, of an angle between edges
NEAR = 1e-3  # of the size: so near to a witness point an edge is looked at
CLOSE = 1e-6  # of the size: what overlaps by more is searched all over
FAINT = 1e-9  # of the size: rounding; by so little two edges are not preferred to a face


def library() -> Any:
    """coal"""
    try:
        import coal
    except ImportError:
        raise ImportError(
            "contact between boxes and meshes needs the collision library coal, which is not installed: "
            "pip install 'jourdain[collisions]'"
        ) from None
    return coal


@dataclass(frozen=True)
class Parted:
    """distance: the largest by which a plane along a face or two edges parts the two [m], below zero where none does.
    normal: of that plane, towards the one, in the other's axes. face: the one's or the other's, whose plane it is;
    edge: one of each; -1 where there is none."""

    distance: float
    normal: Floats
    face: tuple[int, int]
    edge: tuple[int, int]


class Separation:
    """Of two polyhedra."""

    def __init__(self, one: Polyhedron, other: Polyhedron) -> None:
        self.one, self.other = one, other
        self.coal = library()
        self._shapes = tuple(map(self._shape, (one, other)))
        self._distance = self.coal.ComputeDistance(*self._shapes)
        self._request, self._result = self.coal.DistanceRequest(), self.coal.DistanceResult()
        self._request.enable_signed_distance = True
        self._still = self.coal.Transform3s(np.eye(3), np.zeros(3))
        self.size = max(one.size, other.size)

    def ask(self, turn: Floats, place: Floats) -> Parted:
        """turn (3, 3), place (3,): of the one as seen from the other."""
        ones, normals = self.one.vertices @ turn.T + place, self.one.normals @ turn.T
        others = self.other.vertices
        over = (ones @ self.other.normals.T).min(axis=0) - self.other.offsets
        under = ((others - place) @ normals.T).min(axis=0) - self.one.offsets
        f, g = int(over.argmax()), int(under.argmax())
        if over[f] >= under[g]:
            best = Parted(float(over[f]), self.other.normals[f], (-1, f), (-1, -1))
        else:
            best = Parted(float(under[g]), -normals[g], (g, -1), (-1, -1))
        mine, theirs = self._near(turn, place)
        found = self._better(best, mine, theirs, turn, ones)
        if found.distance < -CLOSE * self.size:  # never in a simulation, or the witnesses were elsewhere
            every = np.arange(len(self.one.edges)), np.arange(len(self.other.edges))
            found = self._better(best, *every, turn, ones)
        return found

    def distance(self, turn: Floats, place: Floats) -> float:
        """The library's own answer [m]."""
        self._result.clear()
        return float(self._distance(self.coal.Transform3s(turn, place), self._still, self._request, self._result))

    # -- inside -------------------------------------------------------------------------------------------------

    def _shape(self, of: Polyhedron) -> Any:
        points, triangles = self.coal.StdVec_Vec3s(), self.coal.StdVec_Triangle()
        for x in of.vertices:
            points.append(x)
        for x in of.triangles:
            triangles.append(self.coal.Triangle(*x))
        return self.coal.Convex(points, triangles)

    def _near(self, turn: Floats, place: Floats) -> tuple[Whole, Whole]:
        """Edges that pass near to the library's two nearest points."""
        self.distance(turn, place)
        first, second = np.array(self._result.getNearestPoint1()), np.array(self._result.getNearestPoint2())
        reach = NEAR * self.size
        return _passing(self.one, (first - place) @ turn, reach), _passing(self.other, second, reach)

    def _better(self, best: Parted, mine: Whole, theirs: Whole, turn: Floats, ones: Floats) -> Parted:
        """The best plane along two of these edges, where it parts more than the best along a face does."""
        if not len(mine) or not len(theirs):
            return best
        a, b = self.one.directions[mine] @ turn.T, self.other.directions[theirs]
        normals = np.cross(a[:, None], b[None]).reshape(-1, 3)
        squares = (normals * normals).sum(axis=1)
        crossing = squares > PARALLEL
        i, j = (x.ravel()[crossing] for x in np.meshgrid(mine, theirs, indexing="ij"))
        normals = normals[crossing] / np.sqrt(squares[crossing])[:, None]
        i, j, normals = np.tile(i, 2), np.tile(j, 2), np.concatenate([normals, -normals])
        apart = ones[self.one.edges[i, 0]] - self.other.vertices[self.other.edges[j, 0]]
        distances = (normals * apart).sum(axis=1)
        better = distances > best.distance + FAINT * self.size
        if not better.any():
            return best
        i, j, normals, distances = i[better], j[better], normals[better], distances[better]
        low = (ones @ normals.T).min(axis=0)
        high = (self.other.vertices @ normals.T).max(axis=0)
        parts = np.where(low - high > distances - FAINT * self.size, distances, -np.inf)
        k = int(parts.argmax())
        if not np.isfinite(parts[k]):
            return best
        return Parted(float(parts[k]), normals[k], (-1, -1), (int(i[k]), int(j[k])))


def _passing(of: Polyhedron, point: Floats, reach: float) -> Whole:
    """Edges within reach of a point."""
    off = point - of.vertices[of.edges[:, 0]]
    along = np.clip((off * of.directions).sum(axis=1), 0.0, of.lengths)
    away = np.linalg.norm(off - of.directions * along[:, None], axis=1)
    return np.flatnonzero(away < reach)
