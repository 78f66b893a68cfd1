"""A mechanism as a stick drawing: links from joint to joint, joints by their kind, mass centres, gravity, the axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..graph.mathml import clean
from ..model.system import GROUND, System
from .document import Picture
from .labels import Wanted, place
from .posture import Floats, PlacedBody, PlacedJoint, PlacedPin, PlacedWheel, Posture, posture
from .view import View, view

WIDTH, TALLEST, LEAST, MARGIN = 640.0, 470.0, 150.0, 64.0
LABELLED = 24
"""Bodies up to which everything has its name."""
DRAWN = 400
"""Bodies up to which there is a picture."""
WHEEL = 15.0  # radius on the screen
HARDLY = 0.25  # of a body's size: a length that is no link
RING = 5.0  # radius on the screen
ALONG_VIEW = 0.3  # what is left on the screen of an axis of length 1 that is told by a point


def picture(system: System) -> Picture | None:
    """The drawing, in one general position; None for what has no bodies or too many."""
    if not 0 < len(system.bodies) <= DRAWN:
        return None
    return _Drawing(posture(system)).picture(system.name)


def is_bulky(body: PlacedBody, found: Posture) -> bool:
    """Whether a body is drawn as the ellipsoid that has its inertia: one of hardly any length of its own."""
    reach = max((float(np.linalg.norm(x - body.origin)) for x in (body.center, *body.ends)), default=0.0)
    carries = any(joint.joint.parent == body.name for joint in found.joints)
    return not carries and bool(reach < HARDLY * np.sqrt(np.trace(body.spread)))


class _Drawing:
    def __init__(self, found: Posture) -> None:
        self.posture = found
        self.view: View = view(found)
        self.bulky = {body.name for body in found.bodies if is_bulky(body, found)}
        self._fit()
        self.elements: list[str] = []
        self.marks: list[str] = []
        self.inked: list[Floats] = []
        self.wanted: list[Wanted] = []

    def picture(self, name: str) -> Picture:
        """Everything in its order, what lies above last."""
        found = self.posture
        for joint in found.joints:
            if joint.joint.parent == GROUND:
                self._ground(joint)
            self._travel(joint)
        for body in found.bodies:
            self._body(body)
        for joint in found.joints:
            self._joint(joint)
        for wheel in found.wheels:
            self._wheel(wheel)
        for pin in found.pins:
            self._pin(pin)
        for body in found.bodies:
            self._center(body)
        self._axes()
        self._gravity()
        if len(found.bodies) <= LABELLED:
            for label in place(self.wanted, self.inked, (self.width, self.height)):
                self.marks.append(
                    f'<text class="{label.kind}" x="{label.x:.1f}" y="{label.y + 4.5:.1f}" text-anchor="middle">'
                    f"{clean(label.text)}</text>"
                )
        seen = "in its plane" if self.view.planar else "seen from above and aside"
        caption = f"A general position, {seen}. Joints and axes in one colour, links in the other; ◐ mass centres"
        caption += "; small rings where loops are closed" if found.pins else ""
        caption += "; dark discs are wheels, dashed where they can be lifted." if found.wheels else "."
        elements = "\n".join(self.elements + self.marks)
        return Picture(elements, (self.width, self.height), f"{name}, a schematic", caption)

    # -- scale --------------------------------------------------------------------------------------------------

    def _fit(self) -> None:
        points = [x for joint in self.posture.joints for x in (joint.start, joint.end)]
        for body in self.posture.bodies:
            points += [body.origin, body.center, *body.ends]
            if body.name in self.bulky:
                reach = np.sqrt(np.max(np.linalg.eigvalsh(body.spread)))
                points += [body.center + reach * row * sign for row in self.view.rows for sign in (-1.0, 1.0)]
        flat = np.array([self.view.of(x) for x in points])
        low, high = flat.min(axis=0), flat.max(axis=0)
        span = np.maximum(high - low, 1e-9)
        self.scale = float(min((WIDTH - 2 * MARGIN) / span[0], (TALLEST - 2 * MARGIN) / span[1]))
        if max(span) <= 1e-6 * self.posture.size:
            self.scale = 100.0 / self.posture.size
        self.width = WIDTH
        self.height = max(LEAST, float(span[1]) * self.scale + 2 * MARGIN)
        middle = 0.5 * (low + high)
        self.shift = np.array([self.width / 2 - self.scale * middle[0], self.height / 2 + self.scale * middle[1]])

    def _at(self, point: Floats) -> Floats:
        x, y = self.view.of(point)
        return self.shift + self.scale * np.array([x, -y])

    def _direction(self, axis: Floats) -> Floats:
        x, y = self.view.of(axis)
        return np.array([x, -y])

    # -- parts --------------------------------------------------------------------------------------------------

    def _line(self, a: Floats, b: Floats, kind: str) -> None:
        if np.linalg.norm(b - a) < 0.5:
            return
        self.elements.append(f'<path class="{kind}" d="M{_xy(a)}L{_xy(b)}"/>')
        steps = max(2, int(np.linalg.norm(b - a) / 6.0))
        self.inked.append(np.linspace(a, b, steps))

    def _travel(self, joint: PlacedJoint) -> None:
        """From a joint's fixed frame to its moved one, where these are apart."""
        loose = len(joint.slides) > 1
        self._line(self._at(joint.start), self._at(joint.end), "free" if loose else "link")

    def _body(self, body: PlacedBody) -> None:
        origin, center = self._at(body.origin), self._at(body.center)
        if body.name in self.bulky:
            self._ellipse(body.center, body.spread)
        ends = [self._at(x) for x in body.ends]
        for end in ends:
            self._line(origin, end, "link")
        self._line(origin, center, "arm" if ends else "link")
        far = max([center, *ends], key=lambda x: float(np.linalg.norm(x - origin)))
        anchor = 0.5 * (origin + far) if len(ends) or np.linalg.norm(far - origin) > 60 else far
        self.wanted.append(Wanted(body.name, (float(anchor[0]), float(anchor[1])), "body-label"))

    def _wheel(self, wheel: PlacedWheel) -> None:
        """A disc across the axis along which its point does not move."""
        disc = (np.eye(3) - np.outer(wheel.axis, wheel.axis)) * (WHEEL / self.scale) ** 2
        self._ellipse(wheel.at, disc, "wheel off" if wheel.switchable else "wheel", 3.0)
        x, y = self._at(wheel.at)
        self.wanted.append(Wanted(wheel.constraint, (float(x), float(y)), "soft"))

    def _pin(self, pin: PlacedPin) -> None:
        x, y = self._at(pin.at)
        self.elements.append(f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="{RING}"/>')
        self.inked.append(_square(np.array([x, y]), RING + 1.0))
        self.wanted.append(Wanted(pin.constraint, (float(x), float(y)), "soft"))

    def _ellipse(self, at: Floats, spread: Floats, kind: str = "arm", thinnest: float = 1.0) -> None:
        """The outline of an ellipsoid of these squared semi-axes (3, 3) [m²]."""
        flat = self.view.rows @ spread @ self.view.rows.T
        sizes, axes = np.linalg.eigh(flat)
        a, b = self.scale * np.sqrt(np.maximum(sizes[::-1], 0.0))
        angle = -np.degrees(np.arctan2(axes[1, 1], axes[0, 1]))
        x, y = self._at(at)
        self.elements.append(
            f'<ellipse class="{kind}" rx="{a:.1f}" ry="{max(b, thinnest):.1f}" '
            f'transform="translate({x:.1f} {y:.1f}) rotate({angle:.1f})"/>'
        )
        turn = np.linspace(0.0, 2 * np.pi, 60)
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        ring = np.stack([a * np.cos(turn), b * np.sin(turn)], axis=1) @ np.array([[c, s], [-s, c]])
        self.inked.append(ring + np.array([x, y]))

    def _center(self, body: PlacedBody) -> None:
        x, y = self._at(body.center)
        self.elements.append(
            f'<g transform="translate({x:.1f} {y:.1f})"><circle class="center" r="5"/>'
            '<path class="filled" d="M0-5A5 5 0 0 1 5 0L0 0Z"/><path class="filled" d="M0 5A5 5 0 0 1-5 0L0 0Z"/></g>'
        )
        self.inked.append(_square(np.array([x, y]), 6.0))

    def _ground(self, joint: PlacedJoint) -> None:
        if len(joint.slides) > 1:
            return
        x, y = self._at(joint.start)
        hangs = -1 if y < self.height / 2 else 1  # what hangs is held from above
        ticks = "".join(f"M{k} 19l-5 7" for k in range(-16, 21, 6))
        self.elements.append(
            f'<g transform="translate({x:.1f} {y:.1f}) scale(1 {hangs})">'
            f'<path class="ground" d="M0 0L-11 19H11ZM-20 19H20{ticks}"/></g>'
        )
        self.inked.append(np.array([[x + k, y + h * hangs] for k in range(-20, 21, 5) for h in (12, 19, 25)]))

    def _joint(self, joint: PlacedJoint) -> None:
        kind = kind_of(joint)
        # A slider's box stands between where it comes from and where it is.
        at = self._at(0.5 * (joint.start + joint.end) if kind == "prismatic" else joint.start)
        if kind in ("revolute", "screw", "cylindrical", "prismatic"):
            along = self._direction((joint.turns or joint.slides)[0])
            size = float(np.linalg.norm(along))
            if kind != "prismatic" and size > ALONG_VIEW:
                reach = 34.0 * along
                self.elements.append(f'<path class="axis" d="M{_xy(at - reach)}L{_xy(at + reach)}"/>')
                self.inked.append(np.linspace(at - reach, at + reach, 10))
            self.elements.append(_SYMBOLS[kind](at, along, size))
        elif kind in _SYMBOLS:
            self.elements.append(_SYMBOLS[kind](at, np.zeros(2), 0.0))
        self.inked.append(_square(at, 10.0))
        self.wanted.append(Wanted(joint.joint.name, (float(at[0]), float(at[1])), "joint-label"))

    # -- beside the mechanism -----------------------------------------------------------------------------------

    def _axes(self) -> None:
        flat = np.array([self._direction(axis) for axis in np.eye(3)])
        low, high = np.minimum(flat.min(axis=0), 0.0), np.maximum(flat.max(axis=0), 0.0)
        corner = np.array([38.0 - 22.0 * low[0], self.height - 34.0 - 22.0 * high[1]])  # arrows stay in the box
        for axis, name in zip(np.eye(3), "xyz"):
            along = self._direction(axis)
            if np.linalg.norm(along) > 0.15:
                self._arrow(corner, corner + 26.0 * along, name)

    def _gravity(self) -> None:
        size = float(np.linalg.norm(self.posture.gravity))
        along = self._direction(self.posture.gravity / size) if size else np.zeros(2)
        if np.linalg.norm(along) > 0.15:
            start = np.array([self.width - 34.0, 24.0])
            self._arrow(start, start + 34.0 * along, "gravity")

    def _arrow(self, start: Floats, end: Floats, name: str) -> None:
        along = (end - start) / np.linalg.norm(end - start)
        across = np.array([-along[1], along[0]])
        foot = end - 7.0 * along
        head = "L".join(_xy(x) for x in (end, foot + 3.0 * across, foot - 3.0 * across))
        self.elements.append(f'<path class="gravity" d="M{_xy(start)}L{_xy(foot)}"/><path class="tip" d="M{head}Z"/>')
        x, y = end + (9.0 if len(name) == 1 else 12.0) * along
        self.marks.append(f'<text class="axis-label" x="{x:.1f}" y="{y + 4.5:.1f}" text-anchor="middle">{name}</text>')
        self.inked.append(np.linspace(start, end + 12.0 * along, 8))


# -- joints' symbols -------------------------------------------------------------------------------------------------


def kind_of(joint: PlacedJoint) -> str:
    """The familiar name, or for a joint given by its matrix that of the one it moves like."""
    kind = joint.joint.motion.kind
    if kind:
        return kind
    turns, slides = len(joint.turns), len(joint.slides)
    if joint.joint.motion.np == 1:
        return "screw" if turns and slides else "revolute" if turns else "prismatic"
    if not slides:
        return "universal" if turns == 2 else "spherical"
    return "free"


def _placed(at: Floats, along: Floats, body: str) -> str:
    angle = np.degrees(np.arctan2(along[1], along[0]))
    return f'<g class="mark" transform="translate({_xy(at)}) rotate({angle:.1f})">{body}</g>'


def _cylinder(half: float, ticks: bool = False) -> Callable[[Floats, Floats, float], str]:
    def draw(at: Floats, along: Floats, size: float) -> str:
        if size <= ALONG_VIEW:
            return _placed(at, along, '<circle r="8"/><circle r="1.6"/>')
        x, oval = half * size, 7.0 * float(np.sqrt(max(0.0, 1.0 - size * size)))
        body = f'<path d="M{-x:.1f}-7H{x:.1f}A{oval:.1f} 7 0 0 1 {x:.1f} 7H{-x:.1f}A{oval:.1f} 7 0 0 1 {-x:.1f}-7Z"/>'
        body += f'<ellipse cx="{x:.1f}" rx="{oval:.1f}" ry="7"/>'
        if ticks:
            body += "".join(f'<path d="M{k * x:.1f}-7l{0.3 * x:.1f} 14"/>' for k in (-0.7, -0.2, 0.3))
        return _placed(at, along, body)

    return draw


def _box(at: Floats, along: Floats, size: float) -> str:
    half = max(14.0 * size, 7.0)
    return _placed(at, along, f'<path d="M{-half:.1f}-7H{half:.1f}V7H{-half:.1f}Z"/>')


def _ring(at: Floats, along: Floats, size: float) -> str:
    return _placed(at, along, '<circle r="9.5"/><circle r="4.5"/>')


def _cross(at: Floats, along: Floats, size: float) -> str:
    return _placed(at, along, '<circle r="9"/><path d="M-9 0H9M0-9V9"/>')


def _plate(at: Floats, along: Floats, size: float) -> str:
    return _placed(at, along, '<path d="M-13 5L-5-6H13L5 5Z"/>')


def _fixed(at: Floats, along: Floats, size: float) -> str:
    return _placed(at, along, '<path d="M-4-4H4V4H-4Z"/>')


_SYMBOLS: dict[str, Callable[[Floats, Floats, float], str]] = {
    "revolute": _cylinder(12.0), "cylindrical": _cylinder(18.0), "screw": _cylinder(15.0, ticks=True),
    "prismatic": _box, "spherical": _ring, "universal": _cross, "planar": _plate, "weld": _fixed,
}  # fmt: skip


def _xy(point: Sequence[float] | Floats) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def _square(at: Floats, half: float) -> Floats:
    steps = np.linspace(-half, half, 5)
    return np.array([[at[0] + x, at[1] + y] for x in steps for y in steps])
