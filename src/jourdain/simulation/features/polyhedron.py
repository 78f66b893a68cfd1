"""A convex polyhedron by numbers: its vertices, faces and edges, and the table in which compiled code finds them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Whole = NDArray[np.intp]
FLAT = 1e-9  # of the size: triangles of the hull that miss one another's planes by less are one face


@dataclass(frozen=True, eq=False)
class Polyhedron:
    """vertices (V, 3) [m]; normals (F, 3), outward; offsets (F,) of the faces' planes along these; loops: of each face
    its vertices in order, counterclockwise as seen from outside."""

    vertices: Floats
    normals: Floats
    offsets: Floats
    loops: tuple[Whole, ...]

    @classmethod
    def of(cls, points: Floats, what: str) -> Polyhedron:
        """The convex hull. what: for the message where it has no volume."""
        from scipy.spatial import ConvexHull, QhullError

        try:
            hull = ConvexHull(points)
        except (QhullError, ValueError):
            raise ValueError(f"{what} has no volume: its vertices lie in a plane, or nearly so") from None
        size = float(np.ptp(points, axis=0).max())
        normals: list[Floats] = []
        members: list[set[int]] = []
        for plane, triangle in zip(hull.equations, hull.simplices):
            corners = points[triangle]
            for normal, known in zip(normals, members):
                away = (points[sorted(known)] @ plane[:3] + plane[3], corners @ normal - points[min(known)] @ normal)
                if normal @ plane[:3] > 0.5 and max(np.abs(x).max() for x in away) < FLAT * size:
                    known |= set(map(int, triangle))
                    break
            else:
                normals.append(plane[:3])
                members.append(set(map(int, triangle)))
        kept = sorted(set[int]().union(*members))
        place = {k: i for i, k in enumerate(kept)}
        vertices = np.ascontiguousarray(points[kept])
        loops = [_around(vertices, np.array(sorted(place[k] for k in x)), n) for n, x in zip(normals, members)]
        exact = np.array([_normal(vertices[loop], n) for n, loop in zip(normals, loops)])
        offsets = np.array([float((vertices[loop] @ n).mean()) for n, loop in zip(exact, loops)])
        return cls(vertices, exact, offsets, tuple(loops))

    @cached_property
    def size(self) -> float:
        """The longest of its extents [m]."""
        return float(np.ptp(self.vertices, axis=0).max())

    @cached_property
    def sides(self) -> tuple[Floats, ...]:
        """Of each face rows (sides, 4): unit vectors in the face, from a side inwards, and the side's offset."""
        found = []
        for normal, loop in zip(self.normals, self.loops):
            at = self.vertices[loop]
            inward = np.cross(normal, np.roll(at, -1, axis=0) - at)
            inward /= np.linalg.norm(inward, axis=1)[:, None]
            found.append(np.column_stack([inward, (inward * at).sum(axis=1)]))
        return tuple(found)

    @cached_property
    def edges(self) -> Whole:
        """Vertices (E, 2) of each edge."""
        pairs = {tuple(sorted((int(a), int(b)))) for loop in self.loops for a, b in zip(loop, np.roll(loop, -1))}
        return np.array(sorted(pairs))

    @cached_property
    def face_edges(self) -> tuple[Whole, ...]:
        """Edges of each face."""
        known = {(int(a), int(b)): k for k, (a, b) in enumerate(self.edges)}
        return tuple(
            np.array([known[min(int(a), int(b)), max(int(a), int(b))] for a, b in zip(loop, np.roll(loop, -1))])
            for loop in self.loops
        )

    @cached_property
    def lengths(self) -> Floats:
        """Of the edges (E,) [m]."""
        return np.asarray(np.linalg.norm(self.vertices[self.edges[:, 1]] - self.vertices[self.edges[:, 0]], axis=1))

    @cached_property
    def directions(self) -> Floats:
        """Of the edges (E, 3), unit vectors from the first vertex."""
        ends = self.vertices[self.edges]
        return np.asarray((ends[:, 1] - ends[:, 0]) / self.lengths[:, None])

    @cached_property
    def triangles(self) -> list[tuple[int, int, int]]:
        """The surface in triangles."""
        return [(int(x[0]), int(x[k]), int(x[k + 1])) for x in self.loops for k in range(1, len(x) - 1)]

    def table(self, start: int) -> tuple[Floats, tuple[int, int, int, int]]:
        """All that compiled code asks for, in one row of numbers that begins at `start`, and where its parts begin:
        vertices (3 each), faces (normal, a point, first side, sides: 8), sides (4), edges (start, direction, length:
        7)."""
        sides = np.concatenate(self.sides)
        counts = np.array([len(x) for x in self.sides])
        vertices = start
        faces = vertices + self.vertices.size
        at_sides = faces + 8 * len(self.loops)
        at_edges = at_sides + sides.size
        first = at_sides + 4 * (np.cumsum(counts) - counts)
        corner = self.vertices[[int(x[0]) for x in self.loops]]
        rows = np.column_stack([self.normals, corner, first, counts])
        edges = np.column_stack([self.vertices[self.edges[:, 0]], self.directions, self.lengths])
        parts = [x.ravel() for x in (self.vertices, rows, sides, edges)]
        return np.concatenate(parts), (vertices, faces, at_sides, at_edges)


def _around(vertices: Floats, members: Whole, normal: Floats) -> Whole:
    """Corners of a face, counterclockwise."""
    from_middle = vertices[members] - vertices[members].mean(axis=0)
    first = from_middle[0] / np.linalg.norm(from_middle[0])
    angles = np.arctan2(from_middle @ np.cross(normal, first), from_middle @ first)
    order: Whole = members[np.argsort(angles)]
    return order


def _normal(corners: Floats, near: Floats) -> Floats:
    """Of a polygon, to the last bits: zeros are zeros where it lies along the axes."""
    found = np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)
    found = found / np.linalg.norm(found)
    found[np.abs(found) < 1e-15] = 0.0
    return np.asarray(found / np.linalg.norm(found) * np.sign(found @ near))
