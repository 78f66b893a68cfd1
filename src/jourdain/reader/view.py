"""From where a mechanism is looked at: along the common axis where it is planar, else from above and aside."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .posture import Floats, Posture

AZIMUTHS = tuple(np.radians([-58.0, -32.0, 32.0, 58.0, 122.0, 148.0]))
ELEVATION = np.radians(20.0)
PARALLEL = 1e-9


@dataclass(frozen=True)
class View:
    """rows: (2, 3), the screen's right and up in the ground frame; planar: whether the mechanism moves in a plane."""

    rows: Floats
    planar: bool

    def of(self, vector: Floats) -> Floats:
        """A vector on the screen, before it is scaled."""
        return np.asarray(self.rows @ vector)


def view(posture: Posture) -> View:
    """The direction in which most is seen."""
    up = -posture.gravity
    up = up / np.linalg.norm(up) if np.linalg.norm(up) > 0.0 else np.array([0.0, 0.0, 1.0])
    normal = _normal(posture)
    if normal is not None:
        upward = up - (up @ normal) * normal
        if np.linalg.norm(upward) < 0.1:  # looked at from above: x to the right, y upward, where these are in the plane
            across = _least_along(normal, avoid=normal)
            toward = normal * np.sign(normal[np.argmax(np.abs(normal))])
            return View(np.array([across, np.cross(toward, across)]), True)
        upward = upward / np.linalg.norm(upward)
        right = np.cross(upward, normal)
        # Of the two sides the one from which the ground's own axes look as they are drawn.
        return View(np.array([right * np.sign(right[np.argmax(np.abs(right))]), upward]), True)
    first = _least_along(up, avoid=up)
    second = np.cross(up, first)
    views = [_from(up, np.cos(a) * first + np.sin(a) * second) for a in AZIMUTHS]
    return max(views, key=lambda found: round(_seen(found, posture), 6))


def _from(up: Floats, aside: Floats) -> View:
    """From a little above a horizontal direction."""
    toward = np.cos(ELEVATION) * aside + np.sin(ELEVATION) * up
    right = np.cross(up, toward)
    right = right / np.linalg.norm(right)
    return View(np.array([right, np.cross(toward, right)]), False)


def _seen(found: View, posture: Posture) -> float:
    """How long the links are on the screen, all together; breadth counts, too."""
    ends = [(body.origin, x) for body in posture.bodies for x in (body.center, *body.ends)]
    if not ends:
        return 0.0
    flat = [(found.of(a), found.of(b)) for a, b in ends]
    across = [x[0] for pair in flat for x in pair]
    return float(sum(np.linalg.norm(b - a) for a, b in flat) + max(across) - min(across))


def _least_along(direction: Floats, avoid: Floats) -> Floats:
    """The ground axis that lies least along a direction (the first of several), made perpendicular to `avoid`."""
    axis = np.eye(3)[int(np.argmin(np.round(np.abs(direction), 9)))]
    across = axis - (axis @ avoid) * avoid
    return np.asarray(across / np.linalg.norm(across))


def _normal(posture: Posture) -> Floats | None:
    """The normal of the plane in which everything moves."""
    turns = [axis for joint in posture.joints for axis in joint.turns]
    slides = [axis for joint in posture.joints for axis in joint.slides]
    if not turns:
        return None
    normal = turns[0]
    if any(np.linalg.norm(np.cross(normal, axis)) > PARALLEL for axis in turns):
        return None
    return None if any(abs(normal @ axis) > PARALLEL for axis in slides) else normal
