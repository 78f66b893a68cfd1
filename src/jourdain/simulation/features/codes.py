"""What stands in a slot, as one number: a vertex of the one and a face of the other, a face and a vertex, two edges.

Compiled code makes of it what the equations ask for (`spread`), and watches whether it still is where they touch
(`inside`).
"""

from __future__ import annotations

from ...model.encounter import FAR, SLOTS, WIDTH
from ...program import Floats, kernel

PARKED, VERTEX_FACE, FACE_VERTEX, EDGES, EDGES_TURNED = 0, 1, 2, 3, 4  # turned: the one's edge counts backwards
BASE = 4096  # features of one polyhedron are fewer
PLACES = 8  # where the parts of the two tables begin: vertices, faces, sides, edges of the one, then of the other


def code(kind: int, i: int, j: int) -> float:
    """i: of the one; j: of the other."""
    return float((kind * BASE + i) * BASE + j)


def decoded(given: float) -> tuple[int, int, int]:
    """kind, i, j"""
    whole = int(given)
    return whole // (BASE * BASE), whole // BASE % BASE, whole % BASE


@kernel
def spread(encounters: int, codes: Floats, places: Floats, tables: Floats, features: Floats) -> None:
    """features (encounters, SLOTS, WIDTH): the numbers for what stands in the slots, codes (encounters, SLOTS)."""
    for e in range(encounters):
        for s in range(SLOTS):
            to = (e * SLOTS + s) * WIDTH
            whole = int(codes[e * SLOTS + s])
            kind = whole // (BASE * BASE)
            i = whole // BASE % BASE
            j = whole % BASE
            for k in range(WIDTH):
                features[to + k] = 0.0
            if kind == PARKED:
                features[to + 6] = -FAR
                features[to + 12] = 1.0
            if kind == VERTEX_FACE:
                vertex = int(places[e * PLACES]) + 3 * i
                face = int(places[e * PLACES + 5]) + 8 * j
                for k in range(3):
                    features[to + 1 + k] = tables[vertex + k]
                    features[to + 4 + k] = tables[face + 3 + k]
                    features[to + 10 + k] = tables[face + k]
            if kind == FACE_VERTEX:
                face = int(places[e * PLACES + 1]) + 8 * i
                vertex = int(places[e * PLACES + 4]) + 3 * j
                for k in range(3):
                    features[to + 1 + k] = tables[face + 3 + k]
                    features[to + 4 + k] = tables[vertex + k]
                    features[to + 7 + k] = tables[face + k]
            if kind >= EDGES:
                one = int(places[e * PLACES + 3]) + 7 * i
                other = int(places[e * PLACES + 7]) + 7 * j
                sign = -1.0 if kind == EDGES_TURNED else 1.0
                features[to] = 1.0
                for k in range(3):
                    features[to + 1 + k] = tables[one + k]
                    features[to + 4 + k] = tables[other + k]
                    features[to + 7 + k] = sign * tables[one + 3 + k]
                    features[to + 10 + k] = tables[other + 3 + k]


@kernel
def inside(kind: int, i: int, j: int, places: Floats, tables: Floats, pose: Floats) -> float:
    """How far the point of contact is from where its features end [m], below zero beyond it.

    places (PLACES,), pose (12,): turn row by row, and place, of the one as seen from the other.
    """
    found = 1e300
    if kind == VERTEX_FACE:
        vertex = int(places[0]) + 3 * i
        face = int(places[5]) + 8 * j
        side = int(tables[face + 6])
        for n in range(int(tables[face + 7])):
            total = -tables[side + 4 * n + 3]
            for r in range(3):
                x = pose[9 + r]
                for k in range(3):
                    x += pose[3 * r + k] * tables[vertex + k]
                total += tables[side + 4 * n + r] * x
            found = min(found, total)
    if kind == FACE_VERTEX:
        vertex = int(places[4]) + 3 * j
        face = int(places[1]) + 8 * i
        side = int(tables[face + 6])
        for n in range(int(tables[face + 7])):
            total = -tables[side + 4 * n + 3]
            for k in range(3):
                x = 0.0
                for r in range(3):
                    x += pose[3 * r + k] * (tables[vertex + r] - pose[9 + r])
                total += tables[side + 4 * n + k] * x
            found = min(found, total)
    if kind >= EDGES:
        one = int(places[3]) + 7 * i
        other = int(places[7]) + 7 * j
        cosine = 0.0
        along_one = 0.0
        along_other = 0.0
        for r in range(3):
            direction = 0.0
            apart = pose[9 + r] - tables[other + r]
            for k in range(3):
                direction += pose[3 * r + k] * tables[one + 3 + k]
                apart += pose[3 * r + k] * tables[one + k]
            cosine += direction * tables[other + 3 + r]
            along_one += direction * apart
            along_other += tables[other + 3 + r] * apart
        a = (cosine * along_other - along_one) / max(1.0 - cosine * cosine, 1e-12)
        b = along_other + cosine * a
        found = min(min(a, tables[one + 6] - a), min(b, tables[other + 6] - b))
    return found


@kernel
def staying(
    encounters: int, codes: Floats, contacts: Floats, touch: Floats, places: Floats, tables: Floats, poses: Floats,
    margins: Floats, values: Floats,
) -> None:
    """values (encounters, SLOTS): of slots that are closed how far they are from their features' end, else 1."""
    for e in range(encounters):
        for s in range(SLOTS):
            k = e * SLOTS + s
            values[k] = 1.0
            if touch[int(contacts[k])] != 0.0:
                whole = int(codes[k])
                found = inside(
                    whole // (BASE * BASE), whole // BASE % BASE, whole % BASE, places[e * PLACES :], tables,
                    poses[12 * e :],
                )  # fmt: skip
                values[k] = found + margins[e]


@kernel
def renew(
    encounters: int, before: Floats, codes: Floats, contacts: Floats, normals: Floats, positions: Floats, least: float,
    values: Floats,
) -> None:
    """values (contacts,) of slots in which something else stood before are their gaps now, or at least the least."""
    for k in range(encounters * SLOTS):
        if codes[k] != before[k]:
            contact = int(contacts[k])
            values[contact] = max(positions[int(normals[contact])], least)
