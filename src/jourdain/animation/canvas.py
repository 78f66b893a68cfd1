"""One frame of a scene, painted by matplotlib."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .scene import PARTS, Mark, Place, Scene, nice

Floats = NDArray[np.float64]
DPI = 100
INK, SOFT, PAPER, LINK, JOINT, TRAIL = "#1d2530", "#8a94a3", "#fcfcfa", "#38608f", "#b4501f", "#c9a227"
FAINT = "#e4e8ed"
BANDS = ("#cfe3f7", "#f7dfcf", "#d8efd3", "#e9d9f2", "#f5efc4")
SHADES = 20
MARGIN, BELOW = 40.0, 34.0  # pixels around the mechanism; and under it, for the time
STYLES = {"link": (LINK, 4.0, "-"), "arm": (LINK, 1.6, "-"), "free": (SOFT, 1.2, (0, (4, 4)))}
AROUND = np.linspace(0.0, 2.0 * np.pi, 91)


class Canvas:
    """A figure of some pixels, and the scale that shows all frames."""

    def __init__(self, scene: Scene, size: tuple[int, int]) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.scene, (self.width, self.height) = scene, size
        self.figure = Figure(figsize=(self.width / DPI, self.height / DPI), dpi=DPI, facecolor=PAPER)
        self.agg = FigureCanvasAgg(self.figure)
        self.axes: Any = self.figure.add_axes((0.0, 0.0, 1.0, 1.0))
        low, high = scene.bounds()
        span = np.maximum(high - low, 1e-9)
        room = np.maximum(np.array([self.width - 2 * MARGIN, self.height - 2 * MARGIN - BELOW]), 20.0)
        self.scale = float(min(room / span[:2]))
        self.middle = 0.5 * (low + high)[:2]
        self.lines, self.path = scene.floor(), self._flat(scene.trail)
        self.frame = self._order = 0

    def paint(self, frame: int) -> NDArray[np.uint8]:
        """(height, width, 3)"""
        self.frame, self._order = frame, 1
        axes = self.axes
        axes.clear()
        axes.set_axis_off()
        axes.set_xlim(0.0, self.width)
        axes.set_ylim(self.height, 0.0)
        self._floor()
        self._trail()
        self._lines()
        for oval in self.scene.ovals:
            self._oval(oval.at, oval.axes)
        for mark in self.scene.marks:
            self._mark(mark)
        for pin in self.scene.pins:
            self._disc(self._at(pin), 5.0, JOINT)
        for center in self.scene.centers:
            self._center(self._at(center))
        self._beside()
        self.agg.draw()  # type: ignore[no-untyped-call]
        return np.asarray(self.agg.buffer_rgba())[:, :, :3].copy()  # type: ignore[no-untyped-call]

    # -- places -------------------------------------------------------------------------------------------------

    def _flat(self, points: Floats) -> Floats:
        """Pixels (..., 2) of points (..., 3) of the ground."""
        seen = (points @ self.scene.rows[:2].T - self.middle) * self.scale
        return np.stack([self.width / 2 + seen[..., 0], (self.height - BELOW) / 2 - seen[..., 1]], axis=-1)

    def _at(self, place: Place) -> Floats:
        return self._flat(self.scene.at(place, self.frame))

    def _plot(self, x: Any, y: Any, **style: Any) -> None:
        """A line above all that is there."""
        self._order += 1
        self.axes.plot(x, y, zorder=self._order, **style)

    def _fill(self, x: Any, y: Any, **style: Any) -> None:
        """A patch above all that is there."""
        self._order += 1
        self.axes.fill(x, y, zorder=self._order, **style)

    def _turned(self, body: int, vectors: Floats) -> Floats:
        """On the screen, the third away from it: vectors (..., 3) of a body."""
        return vectors @ (self.scene.rows @ self.scene.poses[self.frame, body, :3, :3]).T * [1.0, -1.0, 1.0]

    # -- parts --------------------------------------------------------------------------------------------------

    def _floor(self) -> None:
        from matplotlib.collections import LineCollection

        if len(self.lines):
            self.axes.add_collection(LineCollection(list(self._flat(self.lines)), colors=FAINT, linewidths=1.0))
        for ground in self.scene.grounds:
            at = self._flat(ground)
            hangs = -1.0 if at[1] < (self.height - BELOW) / 2 else 1.0
            strokes = [[(0, 0), (-9, 15), (9, 15), (0, 0)], [(-17, 15), (17, 15)]]
            strokes += [[(k, 15), (k - 4, 21)] for k in range(-13, 18, 6)]
            lines = [np.array(x) * [1.0, hangs] + at for x in strokes]
            self.axes.add_collection(LineCollection(lines, colors=SOFT, linewidths=1.2))

    def _trail(self) -> None:
        path = self.path[: PARTS * self.frame + 1]
        self._plot(path[:, 0], path[:, 1], color=TRAIL, linewidth=1.3, solid_joinstyle="round")

    def _lines(self) -> None:
        for line in self.scene.lines:
            color, width, style = STYLES[line.kind]
            (xa, ya), (xb, yb) = self._at(line.a), self._at(line.b)
            self._plot([xa, xb], [ya, yb], color=color, linewidth=width, linestyle=style, solid_capstyle="round")

    def _oval(self, at: Place, axes: Floats) -> None:
        """The outline of an ellipsoid: the image of the unit sphere under a (2, 3) matrix."""
        flat = self._turned(at[0], axes.T)[:, :2].T * self.scale
        u, sizes, _ = np.linalg.svd(flat)
        ring = u @ (np.maximum(sizes, 1.0)[:, None] * np.stack([np.cos(AROUND), np.sin(AROUND)]))
        outline = self._at(at) + ring.T
        self._fill(outline[:, 0], outline[:, 1], facecolor=(*_rgb(LINK), 0.14), edgecolor=LINK, linewidth=1.6)
        # A meridian, by which turning is seen.
        turn = self._turned(at[0], (axes[:, :1] * np.cos(AROUND) + axes[:, 2:] * np.sin(AROUND)).T)
        front = np.where(turn[:, 2:] >= 0.0, self._at(at) + self.scale * turn[:, :2], np.nan)
        self._plot(front[:, 0], front[:, 1], color=LINK, linewidth=0.9)

    def _mark(self, mark: Mark) -> None:
        at = (1.0 - mark.share) * self._at(mark.a) + mark.share * self._at(mark.b)
        turned = mark.turn.T  # the symbol's axes as rows
        wheel = mark.kind != "joint"
        color, paper = (INK, (*_rgb(INK), 0.12 if mark.kind == "wheel off" else 0.7)) if wheel else (JOINT, PAPER)
        if mark.axis:
            reach = self._turned(mark.body, 30.0 * turned[2])[:2]
            if np.linalg.norm(reach) > 9.0:
                (x0, y0), (x1, y1) = at - reach, at + reach
                self._plot([x0, x1], [y0, y1], color=JOINT, linewidth=0.8, linestyle=(0, (7, 3, 1.5, 3)))
        if len(mark.symbol.solid):
            points = at + self._turned(mark.body, mark.symbol.solid @ turned)[:, :2]
            outline = hull(points)
            self._fill(outline[:, 0], outline[:, 1], facecolor=paper, edgecolor=color, linewidth=1.5)
        toward = self._turned(mark.body, turned[2])[2]
        for sign, ring in mark.symbol.caps:
            if sign * toward > 0.0:
                cap = at + self._turned(mark.body, ring @ turned)[:, :2]
                self._fill(cap[:, 0], cap[:, 1], facecolor="none", edgecolor=color, linewidth=1.1)
        for radius in mark.symbol.discs:
            self._disc(at, radius, color)

    def _disc(self, at: Floats, radius: float, color: str) -> None:
        self._fill(
            at[0] + radius * np.cos(AROUND), at[1] + radius * np.sin(AROUND), facecolor=PAPER, edgecolor=color,
            linewidth=1.5,
        )  # fmt: skip

    def _center(self, at: Floats) -> None:
        self._disc(at, 4.0, INK)
        for start in (0.0, np.pi):
            turn = np.linspace(start, start + np.pi / 2, 9)
            x, y = 4.0 * np.cos(turn), 4.0 * np.sin(turn)
            self._fill([at[0], *(at[0] + x)], [at[1], *(at[1] + y)], color=INK, linewidth=0.0)

    # -- beside it ----------------------------------------------------------------------------------------------

    def _beside(self) -> None:
        """The time, a bar of it with modes and events, the scale."""
        scene, axes = self.scene, self.axes
        t, first, last = scene.times[self.frame], scene.times[0], scene.times[-1]
        x0, x1, y = 100.0, self.width - 120.0, self.height - 18.0

        def place(moment: float) -> float:
            return float(x0 + (x1 - x0) * (moment - first) / max(last - first, 1e-300))

        modes = list(dict.fromkeys(span.name for span in scene.spans))
        self._fill([x0, x1, x1, x0], [y - 3, y - 3, y + 3, y + 3], color=FAINT, linewidth=0)
        for span in scene.spans if len(modes) > 1 else ():
            a, b = place(span.start), place(span.end)
            color = BANDS[modes.index(span.name) % len(BANDS)]
            self._fill([a, b, b, a], [y - 3, y - 3, y + 3, y + 3], color=color, linewidth=0)
        self._fill([x0, place(t), place(t), x0], [y - 1, y - 1, y + 1, y + 1], color=LINK, linewidth=0)
        for tick in scene.ticks:
            self._plot([place(tick.t)] * 2, [y - 6, y + 6], color=JOINT, linewidth=1.2)
        self._order += 1
        axes.text(14.0, y, f"t = {t:.2f} s", color=INK, fontsize=8.5, va="center")
        length = nice(80.0 / self.scale)
        right = self.width - 16.0
        left = right - length * self.scale
        self._plot([left, left, right, right], [y + 2, y + 6, y + 6, y + 2], color=SOFT, linewidth=1.0)
        axes.text((left + right) / 2, y - 3.0, f"{length:g} m", color=INK, fontsize=7.5, ha="center", va="center")


def hull(points: Floats) -> Floats:
    """The corners of the convex hull of points (n, 2), in turn (A. M. Andrew, 1979)."""
    order = points[np.lexsort((points[:, 1], points[:, 0]))]
    halves = []
    for some in (order, order[::-1]):
        half: list[Floats] = []
        for p in some:
            while len(half) > 1 and _turns(half[-2], half[-1], p) <= 0.0:
                half.pop()
            half.append(p)
        halves += half[:-1]
    return np.array(halves) if halves else order[:1]


def _turns(a: Floats, b: Floats, c: Floats) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def palette() -> Floats:
    """(n, 3): all colours of a frame, from paper to full, as the edges of lines are blended; for pictures of few."""
    full = np.array([_rgb(x) for x in (INK, SOFT, LINK, JOINT, TRAIL, FAINT, *BANDS)]) * 255.0
    paper = np.array(_rgb(PAPER)) * 255.0
    shares = np.linspace(1.0, 0.0, SHADES, endpoint=False)
    return np.vstack([paper, *(paper + shares[:, None] * (color - paper) for color in full)])


def _rgb(color: str) -> tuple[float, float, float]:
    r, g, b = (int(color[k : k + 2], 16) / 255.0 for k in (1, 3, 5))
    return r, g, b
