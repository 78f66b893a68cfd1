"""Polyhedra by numbers: faces and edges by Euler's formula and volumes, distances by the library coal and by hand."""

from __future__ import annotations

import re
import sys
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from jourdain.simulation.features.codes import EDGES, code, decoded
from jourdain.simulation.features.manifold import Manifold
from jourdain.simulation.features.polyhedron import Polyhedron
from jourdain.simulation.features.separation import Separation

Floats = NDArray[np.float64]
BOX = np.array(list(product((-0.1, 0.1), (-0.15, 0.15), (-0.05, 0.05))))
TETRAHEDRON = np.array([(0.0, 0.0, 0.0), (0.3, 0.0, 0.0), (0.0, 0.2, 0.0), (0.1, 0.1, 0.25)]) - (0.1, 0.075, 0.0625)
STONE = np.random.default_rng(2).normal(size=(40, 3)) * 0.15
SHAPES = {"box": BOX, "tetrahedron": TETRAHEDRON, "stone": STONE}
PAIRS = list(product(SHAPES, repeat=2))


def shape(name: str) -> Polyhedron:
    return Polyhedron.of(SHAPES[name], name)


def poses(count: int, seed: int, spread: float = 0.25) -> list[tuple[Floats, Floats]]:
    rng = np.random.default_rng(seed)
    turns = Rotation.random(count, random_state=rng).as_matrix()
    return list(zip(turns, rng.normal(size=(count, 3)) * spread))


@pytest.mark.parametrize("name", SHAPES)
def test_faces_and_edges(name: str) -> None:
    found = shape(name)
    assert len(found.vertices) - len(found.edges) + len(found.loops) == 2  # Euler
    assert (found.vertices @ found.normals.T - found.offsets).max() < 1e-15
    assert sum(map(len, found.loops)) == 2 * len(found.edges)
    volume = 0.0
    for a, b, c in found.triangles:  # outward, by the divergence theorem
        volume += float(np.dot(found.vertices[a], np.cross(found.vertices[b], found.vertices[c]))) / 6.0
    assert volume == pytest.approx(ConvexHull(SHAPES[name]).volume, rel=1e-13)
    for normal, loop, sides in zip(found.normals, found.loops, found.sides):
        middle = found.vertices[loop].mean(axis=0)
        assert np.abs(sides[:, :3] @ normal).max() < 1e-14
        assert (sides[:, :3] @ middle - sides[:, 3]).min() > 0.0
        assert np.abs((found.vertices[loop] @ sides[:, :3].T - sides[:, 3]).min(axis=1)).max() < 1e-15


def test_a_boxs_faces_are_rectangles_with_exact_normals() -> None:
    found = shape("box")
    assert sorted(map(tuple, found.normals.tolist())) == sorted(
        tuple(float(x) + 0.0 for x in row) for row in np.vstack([np.eye(3), -np.eye(3)])
    )
    assert [len(x) for x in found.loops] == [4] * 6
    assert len(found.edges) == 12


def test_what_is_flat_is_no_polyhedron() -> None:
    with pytest.raises(ValueError, match=re.escape("the plate has no volume: its vertices lie in a plane")):
        Polyhedron.of(np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)], float), "the plate")


@pytest.mark.parametrize("one, other", PAIRS)
def test_separation(one: str, other: str) -> None:
    """Where two overlap, as deep as coal says; apart, no plane parts them by more than their distance."""
    separation = Separation(shape(one), shape(other))
    deep = 0
    for turn, place in poses(150, 3):
        theirs, ours = separation.distance(turn, place), separation.ask(turn, place)
        low = (separation.one.vertices @ turn.T + place) @ ours.normal
        assert low.min() - (separation.other.vertices @ ours.normal).max() == pytest.approx(ours.distance, abs=1e-14)
        if theirs < 0.0:
            assert ours.distance == pytest.approx(theirs, abs=1e-12)
            deep += 1
        else:
            assert 0.0 < ours.distance < theirs + 1e-12
    assert deep > 10


@pytest.mark.parametrize("one, other", PAIRS)
def test_gaps(one: str, other: str) -> None:
    """Where faces face each other or edges cross, the smallest gap is coal's distance; it never is larger."""
    manifold = Manifold(shape(one), shape(other))
    equal = 0
    for turn, place in poses(150, 4):
        theirs = manifold.separation.distance(turn, place)
        if theirs <= 0.0:
            continue
        ours = manifold.ask(turn, place)
        guards = [x.gap for x in ours if not x.faces]
        assert 0.0 < min(guards) < theirs + 1e-12
        equal += abs(min(x.gap for x in ours) - theirs) < 1e-12
    assert equal > 5


def test_two_edges() -> None:
    """Two boxes, each on an edge, one across the other: of Euclid."""
    manifold = Manifold(shape("box"), shape("box"))
    a = Rotation.from_euler("y", 45, degrees=True) * Rotation.from_euler("z", 90, degrees=True)
    b = Rotation.from_euler("x", 45, degrees=True)
    reach = (0.15 + 0.05) / np.sqrt(2.0), (0.15 + 0.05) / np.sqrt(2.0)
    turn = (b.inv() * a).as_matrix()
    place = b.inv().apply((0.01, 0.02, sum(reach) + 0.03))
    found = manifold.ask(turn, place)
    kind, _, _ = decoded(found[0].code)
    assert kind >= EDGES
    assert found[0].gap == pytest.approx(0.03, abs=1e-15)
    assert manifold.separation.distance(turn, place) == pytest.approx(0.03, abs=1e-15)


def test_polygon_of_two_rectangles() -> None:
    """Corners in a plane, by clipping them with SciPy's half-spaces."""
    from scipy.spatial import HalfspaceIntersection

    manifold = Manifold(shape("box"), shape("box"))
    rng = np.random.default_rng(7)
    counts = set()
    for _ in range(40):
        angle, (x, y) = rng.uniform(0, 2 * np.pi), rng.uniform(-0.08, 0.08, 2)
        turn, place = Rotation.from_euler("z", angle).as_matrix(), np.array([x, y, 0.1])
        half = np.array([0.1, 0.15])
        rows = []
        for axes, at in ((np.eye(2), np.zeros(2)), (turn[:2, :2].T, place[:2])):
            for axis, reach in zip(axes, half):
                rows += [[*axis, -reach - axis @ at], [*-axis, -reach + axis @ at]]
        middle = place[:2] / 2
        theirs = np.unique(np.round(HalfspaceIntersection(np.array(rows), middle).intersections, 9), axis=0)
        found = [f for f in manifold.ask(turn, place) if f.faces]
        ours = np.unique(np.round([f.point[:2] for f in found], 9), axis=0)
        assert len(found) == len(ours) == len(theirs)
        assert np.abs(np.sort(ours, axis=0) - np.sort(theirs, axis=0)).max() < 1e-8
        assert max(abs(f.gap) for f in found) < 1e-15
        counts.add(len(found))
    assert counts >= {4, 6, 8}


def test_codes() -> None:
    for given in ((0, 0, 0), (1, 7, 3), (4, 185, 120)):
        assert decoded(code(*given)) == given


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "coal", None)
    with pytest.raises(ImportError, match=re.escape("pip install 'jourdain[collisions]'")):
        Separation(shape("box"), shape("box"))
