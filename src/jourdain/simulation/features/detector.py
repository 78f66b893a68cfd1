"""What the compiled loop asks between its steps: which features face each other now, and in which slots they stand.

A feature that is closed keeps its slot as long as it is where the bodies touch; the others are given to the slots that
are free, those that may touch first before those that merely keep the bodies apart.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...model.encounter import SLOTS
from .codes import PARKED, code, decoded, inside
from .manifold import Feature, Manifold
from .polyhedra import Polyhedra

Floats = NDArray[np.float64]
AHEAD, BETWEEN, EVENT = 0.0, 1.0, 2.0  # a step that is to be watched; a step that stands; something has happened
SAME = 1e-6  # of the size: points nearer to each other are one
TOUCHES = 1e-8  # of the size: a gap below this is none, where something has happened
EMPTY = code(PARKED, 0, 0)
OPEN = 0.0


class Detector:
    """For all pairs of polyhedra of a system, at the parameters of a run."""

    def __init__(self, polyhedra: Polyhedra) -> None:
        self.pairs = [Manifold(*x) for x in polyhedra.pairs]
        self.tables, self.places, self.margins = polyhedra.tables, polyhedra.places, polyhedra.margins

    def __call__(self, source: Floats, target: Floats) -> None:
        """source: what is asked; poses (pairs, 12), codes (pairs, SLOTS), touch and fired alike. target: codes, touch,
        fired as they are from now on, whether a code is new, and whether a contact was missed."""
        n = len(self.pairs)
        asked = float(source[0])
        poses, rest = source[1 : 1 + 12 * n].reshape(n, 12), source[1 + 12 * n :].reshape(3, n, SLOTS)
        now = target[: 3 * n * SLOTS].reshape(3, n, SLOTS)
        now[:] = rest
        missed = False
        for k, pair in enumerate(self.pairs):
            found = pair.ask(poses[k, :9].reshape(3, 3), poses[k, 9:])
            codes, touch, fired = now[:, k]
            if asked == EVENT:
                self._retire(k, poses[k], codes, touch, fired)
            closed = {codes[i] for i in range(SLOTS) if touch[i] != OPEN}
            kept = [self._point(k, x, poses[k]) for x in closed]
            wanted = _apart(found, closed, kept, SAME * pair.size, TOUCHES * pair.size)
            if asked == AHEAD:
                wanted = [x for x in wanted if x.faces and x.gap < -TOUCHES * pair.size and x.code not in codes]
                _add(wanted, codes, touch)
                continue
            _assign(wanted, codes, touch)
            touching = {x.code for x in wanted if x.faces and x.gap <= TOUCHES * pair.size}
            deep = {x.code for x in wanted if x.faces and x.gap < -TOUCHES * pair.size}
            for i in range(SLOTS):
                if touch[i] == OPEN:
                    fired[i] = float(codes[i] in (touching if asked == EVENT else deep))
                    missed |= asked == BETWEEN and fired[i] != 0.0
        target[-2] = float((now[0] != rest[0]).any())
        target[-1] = float(missed)

    # -- inside -------------------------------------------------------------------------------------------------

    def _retire(self, k: int, pose: Floats, codes: Floats, touch: Floats, fired: Floats) -> None:
        """Contacts that have come to the end of their features are open, and their slots are free."""
        for i in range(SLOTS):
            if touch[i] != OPEN:
                far = inside.function(*decoded(codes[i]), self.places[8 * k :], self.tables, pose)
                if far < -0.5 * self.margins[k]:
                    codes[i], touch[i], fired[i] = EMPTY, OPEN, 0.0

    def _point(self, k: int, given: float, pose: Floats) -> Floats:
        """Where a closed contact is, in the other's axes."""
        return self.pairs[k].point(*decoded(given), pose[:9].reshape(3, 3), pose[9:])


def _apart(
    found: Sequence[Feature], closed: set[float], points: Sequence[Floats], near: float, touches: float
) -> list[Feature]:
    """Without what is closed, and without what is where something else is already; of guards only those that are still
    away from their planes."""
    taken, wanted = list(points), list[Feature]()
    for x in found:
        if x.code in closed or any(x.code == y.code for y in wanted):
            continue
        if x.faces and any(np.linalg.norm(x.point - y) < near for y in taken):
            continue
        if not x.faces and x.gap <= touches:
            continue
        wanted.append(x)
        if x.faces:
            taken.append(x.point)
    return wanted


def _assign(wanted: Sequence[Feature], codes: Floats, touch: Floats) -> None:
    """What stands in an open slot and is wanted stays there; the rest of what is wanted goes to the others."""
    room = SLOTS - int((touch != OPEN).sum())
    codes_wanted = [x.code for x in _spread_out(wanted, room)]
    for i in range(SLOTS):
        if touch[i] == OPEN and codes[i] not in codes_wanted:
            codes[i] = EMPTY
    held = set(codes)
    for new in codes_wanted:
        if new not in held:
            codes[next(i for i in range(SLOTS) if touch[i] == OPEN and codes[i] == EMPTY)] = new


def _spread_out(wanted: Sequence[Feature], room: int) -> list[Feature]:
    """So many: the first, and where more than there is room for face each other those that lie farthest apart."""
    facing = [x for x in wanted if x.faces]
    if len(facing) <= room:
        return list(wanted[:room])
    chosen = facing[:1] if room else []
    while len(chosen) < room:
        away = [min(float(np.linalg.norm(x.point - y.point)) for y in chosen) for x in facing]
        chosen.append(facing[int(np.argmax(away))])
    return chosen


def _add(wanted: Sequence[Feature], codes: Floats, touch: Floats) -> None:
    """Into slots in which nothing stands, the deepest first."""
    free = [i for i in range(SLOTS) if touch[i] == OPEN and codes[i] == EMPTY]
    for i, x in zip(free, wanted):
        codes[i] = x.code

