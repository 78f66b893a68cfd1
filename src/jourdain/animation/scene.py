"""What is to be seen of a motion, as numbers: what bodies carry and where they are in every frame, from where they are
looked at, what happens when.

Body 0 is the ground. A place is a body and a point in its frame [m].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model.mistakes import did_you_mean
from ..model.system import GROUND, System
from ..reader.picture import LABELLED, is_bulky, kind_of
from ..reader.posture import PlacedJoint, Posture, posture
from ..reader.view import view as best_view
from .symbols import Symbol, along, symbol, wheel

Floats = NDArray[np.float64]
Place = tuple[int, Floats]
View = str | tuple[float, float] | None
PARTS = 4
PLANES = {
    "xy": ((1, 0, 0), (0, 1, 0)), "xz": ((1, 0, 0), (0, 0, 1)), "yz": ((0, 1, 0), (0, 0, 1)),
    "yx": ((0, 1, 0), (1, 0, 0)), "zx": ((0, 0, 1), (1, 0, 0)), "zy": ((0, 0, 1), (0, 1, 0)),
}  # fmt: skip
"""Views along an axis: right and up."""


@dataclass(frozen=True)
class Tick:
    """Something that happened [s]."""

    t: float
    name: str


@dataclass(frozen=True)
class Span:
    """A time [s] in which a mode held."""

    start: float
    end: float
    name: str


@dataclass(frozen=True)
class Line:
    """Between two places; kind: "link", "arm" or "free"."""

    a: Place
    b: Place
    kind: str


@dataclass(frozen=True)
class Oval:
    """An ellipsoid about a place: its semi-axes are the columns of a matrix (3, 3) [m] in the body's axes."""

    at: Place
    axes: Floats


@dataclass(frozen=True)
class Mark:
    """A symbol between two places, nearer to b as share goes to 1, its axes those of a body; kind: "joint" or a
    wheel's."""

    a: Place
    b: Place
    share: float
    body: int
    turn: Floats
    symbol: Symbol
    kind: str = "joint"
    axis: bool = False


@dataclass(frozen=True)
class Label:
    """A word beside a place; kind: "body" or "joint"."""

    a: Place
    b: Place
    text: str
    kind: str


@dataclass(frozen=True)
class Scene:
    """times (frames,) [s] of the motion; poses (frames, bodies + 1, 4, 4); rows (3, 3): right, up, toward the eye.

    trail ((frames − 1) PARTS + 1, 3): the path of a point in the ground, from frame to frame in PARTS.
    """

    name: str
    times: Floats
    poses: Floats
    rows: Floats
    planar: bool
    up: Floats
    lines: tuple[Line, ...]
    ovals: tuple[Oval, ...]
    marks: tuple[Mark, ...]
    centers: tuple[Place, ...]
    pins: tuple[Place, ...]
    grounds: tuple[Floats, ...]
    labels: tuple[Label, ...]
    trail: Floats
    trail_name: str
    ticks: tuple[Tick, ...]
    spans: tuple[Span, ...]

    def at(self, place: Place, frame: int | slice = slice(None)) -> Floats:
        """Of a place in the ground: (3,), or (frames, 3)."""
        body, point = place
        found: Floats = self.poses[frame, body, :3, :3] @ point + self.poses[frame, body, :3, 3]
        return found

    def floor(self) -> Floats:
        """Lines (n, 2, 3) of the level of the ground's origin: one across a flat picture, a grid in space; none where
        that level is far from what moves."""
        low, high = self.bounds()
        reach = float(max(high - low)) or 1.0
        up = self.rows @ self.up
        level = up @ (0.5 * (low + high))  # of the middle above the origin
        if abs(level) > reach:
            return np.empty((0, 2, 3))
        middle = self.rows.T @ (0.5 * (low + high))
        middle = middle - (self.up @ middle) * self.up
        if self.planar:
            across = np.cross(self.up, self.rows[2])
            size = float(np.linalg.norm(across))
            if size < 0.5:  # seen from above
                return np.empty((0, 2, 3))
            return np.array([[middle - 2.0 * reach * across / size, middle + 2.0 * reach * across / size]])
        step = nice(reach / 5.0)
        axes = along(self.up)
        count = int(np.ceil(0.75 * reach / step))
        center = np.round((axes[:, :2].T @ middle) / step) * step
        lines = []
        for k in range(-count, count + 1):
            for this, other in ((0, 1), (1, 0)):
                at = axes[:, this] * (center[this] + k * step) + axes[:, other] * center[other]
                far = axes[:, other] * count * step
                lines.append([at - far, at + far])
        return np.array(lines)

    def bounds(self) -> tuple[Floats, Floats]:
        """The corner (3,) that is least, and the largest, of all that is seen in any frame, along `rows` [m]."""
        seen = [self.trail @ self.rows.T]
        places = [x for line in self.lines for x in (line.a, line.b)]
        places += [*self.centers, *(x.a for x in self.marks), *(x.b for x in self.marks)]
        seen += [self.at(x) @ self.rows.T for x in places]
        for oval in self.ovals:
            axes = self.rows @ self.poses[:, oval.at[0], :3, :3] @ oval.axes
            reach = np.linalg.norm(axes, axis=-1)
            middle = self.at(oval.at) @ self.rows.T
            seen += [middle - reach, middle + reach]
        every = np.concatenate(seen)
        return every.min(axis=0), every.max(axis=0)


def nice(length: float) -> float:
    """1, 2 or 5 times a power of ten, not above this."""
    power = 10.0 ** np.floor(np.log10(length))
    return float(power * max(x for x in (1.0, 2.0, 5.0) if x * power <= length * (1.0 + 1e-9)))


def scene(
    system: System,
    parameters: Mapping[str, float],
    times: Floats,
    poses: Floats,
    *,
    ticks: Sequence[Tick] = (),
    spans: Sequence[Span] = (),
    view: View = None,
    trail: str | None = None,
) -> Scene:
    """times, poses: of the frames, with PARTS − 1 more between each two, (n,) [s] and (n, bodies, 4, 4) in the system's
    order. view: "xz" and the like, or azimuth and elevation [degrees] above the horizon; chosen, if left out, to see
    most. trail: a point or body whose path is drawn."""
    names = [body.name for body in system.bodies]
    found = posture(system, parameters, dict(zip(names, poses[0])))
    ground = np.broadcast_to(np.eye(4), (len(poses), 1, 4, 4))
    return _Staging(system, found).scene(times, np.concatenate([ground, poses], axis=1), ticks, spans, view, trail)


class _Staging:
    def __init__(self, system: System, found: Posture) -> None:
        self.system, self.found = system, found
        self.index = {GROUND: 0, **{body.name: k for k, body in enumerate(system.bodies, 1)}}

    def scene(
        self, times: Floats, poses: Floats, ticks: Sequence[Tick], spans: Sequence[Span], view: View, trail: str | None
    ) -> Scene:
        found = self.found
        rows, planar, up = self._rows(view)
        (body, point), name = self._trail(trail)
        path = poses[:, body, :3, :3] @ point + poses[:, body, :3, 3]
        return Scene(
            self.system.name, times[::PARTS], poses[::PARTS], rows, planar, up, tuple(self._lines()),
            tuple(self._ovals()), tuple(self._marks()),
            tuple(self._place(x.name, x.center) for x in found.bodies),
            tuple(self._place(x.body, x.at) for x in found.pins), tuple(self._grounds()), tuple(self._labels()),
            path, name, tuple(ticks), tuple(spans),
        )  # fmt: skip

    def _place(self, body: str, point: Floats) -> Place:
        """A point of the ground frame, in the body that carries it."""
        pose = self.found.poses[body]
        return self.index[body], pose[:3, :3].T @ (point - pose[:3, 3])

    def _direction(self, body: str, axis: Floats) -> Floats:
        return np.asarray(self.found.poses[body][:3, :3].T @ axis)

    def _lines(self) -> list[Line]:
        lines = []
        for joint in self.found.joints:
            kind = "free" if len(joint.slides) > 1 else "link"
            lines.append(Line(*self._ends(joint), kind))
        for body in self.found.bodies:
            origin = self._place(body.name, body.origin)
            lines += [Line(origin, self._place(body.name, x), "link") for x in body.ends]
            lines.append(Line(origin, self._place(body.name, body.center), "arm" if body.ends else "link"))
        return lines

    def _ends(self, joint: PlacedJoint) -> tuple[Place, Place]:
        return self._place(joint.joint.parent, joint.start), self._place(joint.joint.child, joint.end)

    def _ovals(self) -> list[Oval]:
        ovals = []
        for body in self.found.bodies:
            if is_bulky(body, self.found):
                sizes, axes = np.linalg.eigh(body.spread)
                turned = self._direction(body.name, axes * np.sqrt(np.maximum(sizes, 0.0)))
                ovals.append(Oval(self._place(body.name, body.center), turned))
        return ovals

    def _marks(self) -> list[Mark]:
        marks = []
        for joint in self.found.joints:
            kind, ends, child = kind_of(joint), self._ends(joint), joint.joint.child
            drawn = symbol(kind)
            axes = (*joint.turns, *joint.slides)
            if not axes and not drawn.discs:
                continue
            turn = along(self._direction(child, axes[0])) if axes else np.eye(3)
            share = 0.5 if kind == "prismatic" else 0.0  # a slider's box stands between where it comes from and is
            has_axis = kind in ("revolute", "screw", "cylindrical")
            marks.append(Mark(*ends, share, self.index[child], turn, drawn, "joint", has_axis))
        for x in self.found.wheels:
            at = self._place(x.body, x.at)
            turn = along(self._direction(x.axes, x.axis))
            kind = "wheel off" if x.switchable else "wheel"
            marks.append(Mark(at, at, 0.0, self.index[x.axes], turn, wheel(), kind))
        return marks

    def _grounds(self) -> list[Floats]:
        return [x.start for x in self.found.joints if x.joint.parent == GROUND and len(x.slides) < 2]

    def _labels(self) -> list[Label]:
        if len(self.found.bodies) > LABELLED:
            return []
        labels = []
        for body in self.found.bodies:
            far = max([body.center, *body.ends], key=lambda x: float(np.linalg.norm(x - body.origin)))
            origin, end = (self._place(body.name, x) for x in (body.origin, far))
            labels.append(Label(origin, end, body.name, "body"))
        for joint in self.found.joints:
            ends = self._ends(joint)
            labels.append(Label(ends[0], ends[0], joint.joint.name, "joint"))
        return labels

    def _trail(self, asked: str | None) -> tuple[Place, str]:
        """The point that is named, a body's mass centre, or the last body's."""
        system = self.system
        if asked in system.points:
            point = system.points[str(asked)]
            return self._place(point.body, self.found.points[point.name]), point.name
        names = [body.name for body in self.found.bodies]
        if asked is not None and asked not in names:
            known = [*names, *system.points]
            raise ValueError(
                f"system {system.name!r} has no point or body {asked!r} to leave a trail; {did_you_mean(asked, known)}"
            )
        body = self.found.bodies[-1 if asked is None else names.index(asked)]
        return self._place(body.name, body.center), body.name

    def _rows(self, asked: View) -> tuple[Floats, bool, Floats]:
        """Right, up and toward the eye; whether it is flat; what is up."""
        gravity = self.found.gravity
        size = float(np.linalg.norm(gravity))
        up = -gravity / size if size else np.array([0.0, 0.0, 1.0])
        if asked is None:
            best = best_view(self.found)
            return np.vstack([best.rows, np.cross(*best.rows)]), best.planar, up
        if isinstance(asked, str):
            if asked not in PLANES:
                raise ValueError(f"view is {asked!r}; one of {', '.join(PLANES)}, or (azimuth, elevation), is needed")
            right, upward = np.array(PLANES[asked], dtype=float)
            return np.vstack([right, upward, np.cross(right, upward)]), best_view(self.found).planar, up
        try:
            azimuth, elevation = (float(np.radians(x)) for x in asked)
        except (TypeError, ValueError):
            raise ValueError(f"view is {asked!r}; a plane like 'xz', or (azimuth, elevation) in degrees") from None
        if not np.isfinite([azimuth, elevation]).all():
            raise ValueError(f"view is {asked!r}; finite angles are needed")
        least = np.eye(3)[int(np.argmin(np.round(np.abs(up), 9)))]
        first = least - (least @ up) * up
        first /= np.linalg.norm(first)
        second = np.cross(up, first)
        aside = np.cos(azimuth) * first + np.sin(azimuth) * second
        toward = np.cos(elevation) * aside + np.sin(elevation) * up
        right = np.cross(up, aside)
        return np.vstack([right, np.cross(toward, right), toward]), False, up
