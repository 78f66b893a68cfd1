"""Round shapes against one another and against boxes: the nearest points in closed form, in pieces that fit together.

All vectors are in the other body's axes, and begin at the other shape's center where nothing else is said.
"""

from __future__ import annotations

from ..graph import Node, absolute, less, less_equal, maximum, minimum, select, sqrt
from ..spatial import Vector
from .spots import Scene, Spot, length

PARALLEL = 1e-12  # the sine, squared, of the angle between two segments below which any pair of points will do


def ball_on_ball(scene: Scene) -> list[Spot]:
    """Balls, and points on balls."""
    return _from_points(scene, scene.between, Vector.zero(scene.model.graph))


def ball_on_capsule(scene: Scene) -> list[Spot]:
    """The nearest point of a segment."""
    axis = scene.other.axis
    t = _within(scene.between.dot(axis), scene.other.half)
    return _from_points(scene, scene.between - axis * t, Vector.zero(scene.model.graph))


def capsule_on_capsule(scene: Scene) -> list[Spot]:
    """The nearest points of two segments, c + s a of the one and t b of the other."""
    a, b, c = scene.axis, scene.other.axis, scene.between
    cosine, on_a, on_b = a.dot(b), a.dot(c), b.dot(c)
    # Of lines s = (ab · bc − ac) / (1 − ab²). Cut to its segment, s tells t, and t cut to its own tells s again: that
    # is where the two segments are nearest (as Ericson 2005, 5.1.9, finds it case by case). Parallel ones have no best
    # s, and begin at the middle.
    s = _within((cosine * on_b - on_a) / maximum(1.0 - cosine * cosine, PARALLEL), scene.one.half)
    t = _within(cosine * s + on_b, scene.other.half)
    s = _within(cosine * t - on_a, scene.one.half)
    return _from_points(scene, c + a * s - b * t, a * s)


def ball_on_box(scene: Scene) -> list[Spot]:
    """Outside of two faces or three, the distance to an edge or a corner; else to the nearest face."""
    p, edges = scene.between, scene.other.corners
    halves = [sqrt(x.dot(x)) for x in edges]
    units = [x * (1.0 / h) for x, h in zip(edges, halves)]
    along = [p.dot(x) for x in units]
    signs = [select(less(x, 0.0), -1.0, 1.0) for x in along]
    q = [absolute(x) - h for x, h in zip(along, halves)]  # how far beyond each face
    top, second = _two_largest(*q)
    corner = less(0.0, second)
    beyond = [maximum(x, 0.0) for x in q]
    away = sqrt(select(corner, beyond[0] * beyond[0] + beyond[1] * beyond[1] + beyond[2] * beyond[2], 1.0))
    first = less_equal(maximum(q[1], q[2]), q[0])
    faces = [first, select(first, 0.0, less_equal(q[2], q[1])), select(first, 0.0, less(q[1], q[2]))]
    normal = Vector.zero(top.graph)
    for unit, sign, x, face in zip(units, signs, beyond, faces):
        normal = normal + unit * (sign * select(corner, x / away, face))
    return [_ball(scene, select(corner, away, top), normal)]


def ball_on_cylinder(scene: Scene) -> list[Spot]:
    """As on a box, in the plane through the ball's center and the axis."""
    axis, z = scene.other.axis, scene.between.dot(scene.other.axis)
    off = scene.between - axis * z
    wide = length(off)
    over, beyond = wide - scene.other.radius, absolute(z) - scene.other.half
    corner = less(0.0, minimum(over, beyond))
    away = sqrt(select(corner, over * over + beyond * beyond, 1.0))
    side = less_equal(beyond, over)
    outward = off * (1.0 / wide) * select(corner, over / away, side)
    upward = axis * (select(less(z, 0.0), -1.0, 1.0) * select(corner, beyond / away, 1.0 - side))
    return [_ball(scene, select(corner, away, maximum(over, beyond)), outward + upward)]


# -- parts ------------------------------------------------------------------------------------------------------------


def _from_points(scene: Scene, apart: Vector, place: Vector) -> list[Spot]:
    """Balls around two nearest points. apart: from the other's to the one's; place: of the one's, from its center."""
    distance = length(apart)
    normal = apart * (1.0 / distance)
    gap = distance - scene.one.radius - scene.other.radius
    return [scene.spot(gap, normal, place - normal * scene.one.radius)]


def _ball(scene: Scene, distance: Node, normal: Vector) -> Spot:
    """distance: of the ball's center from a surface."""
    return scene.spot(distance - scene.one.radius, normal, normal * -scene.one.radius)


def _within(x: Node, half: Node) -> Node:
    return maximum(-half, minimum(x, half))


def _two_largest(a: Node, b: Node, c: Node) -> tuple[Node, Node]:
    """The largest of three, and the one in the middle."""
    high, low = maximum(a, b), minimum(a, b)
    return maximum(high, c), maximum(low, minimum(high, c))
