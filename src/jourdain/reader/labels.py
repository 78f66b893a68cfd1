"""Labels beside what they name, where they cover as little as possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .posture import Floats

GLYPH, HEIGHT = 7.0, 15.0  # of a letter of 13 px
DISTANCES = (14.0, 22.0, 32.0, 44.0)
DIRECTIONS = tuple((float(np.cos(a)), float(np.sin(a))) for a in np.radians([-20, 20, 160, 200, -70, -110, 70, 110]))


@dataclass(frozen=True)
class Wanted:
    """A label that wants to stand near a point of the screen."""

    text: str
    at: tuple[float, float]
    kind: str


@dataclass(frozen=True)
class Placed:
    """A label's text, its class, and the middle of its box (x, y)."""

    text: str
    kind: str
    x: float
    y: float


def place(wanted: Sequence[Wanted], inked: Sequence[Floats], box: tuple[float, float]) -> list[Placed]:
    """Each label at the place where it covers least.

    inked: points of the drawing (n, 2) that should stay free; box: width and height of the screen.
    """
    points = np.concatenate(inked) if inked else np.zeros((0, 2))
    boxes: list[tuple[float, float, float, float]] = []
    found: list[Placed] = []
    for label in wanted:
        half = 0.5 * GLYPH * len(label.text) + 2.0
        best: tuple[float, float, float] | None = None
        for rank, distance in enumerate(DISTANCES):
            for dx, dy in DIRECTIONS:
                x = label.at[0] + dx * distance + (half if dx > 0.4 else -half if dx < -0.4 else 0.0)
                y = label.at[1] + dy * distance
                cost = 3.0 * rank + _covered(x, y, half, points, boxes, box)
                if best is None or cost < best[0]:
                    best = cost, x, y
        assert best is not None
        _, x, y = best
        boxes.append((x - half, y - HEIGHT / 2, x + half, y + HEIGHT / 2))
        found.append(Placed(label.text, label.kind, x, y))
    return found


def _covered(
    x: float, y: float, half: float, points: Floats, boxes: Sequence[tuple[float, float, float, float]],
    box: tuple[float, float],
) -> float:  # fmt: skip
    tall = HEIGHT / 2
    inside = (np.abs(points[:, 0] - x) < half + 2) & (np.abs(points[:, 1] - y) < tall + 2)
    cost = 2.0 * float(np.count_nonzero(inside))
    for left, top, right, bottom in boxes:
        if x - half < right and x + half > left and y - tall < bottom and y + tall > top:
            cost += 60.0
    if x - half < 0 or x + half > box[0] or y - tall < 0 or y + tall > box[1]:
        cost += 200.0
    return cost
