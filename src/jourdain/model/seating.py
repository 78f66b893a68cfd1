"""Shapes as a user gives them, read: on which body, where in it, how large."""

from __future__ import annotations

from dataclasses import dataclass

from ..graph import Node
from ..spatial import Rotation, Vector
from .arguments import Reader
from .drafts import PointDraft
from .handles import BodyHandle, FrameHandle, PointHandle
from .mistakes import did_you_mean
from .shapes import MOST_VERTICES, Box, Capsule, Cylinder, Ellipsoid, Mesh, Plane, Shape, Sphere, Wheel
from .shapes import Point as PointShape
from .system import GROUND
from .workshop import Workshop

KINDS = (PointShape, Sphere, Plane, Box, Capsule, Cylinder, Wheel, Mesh, Ellipsoid)


@dataclass(frozen=True)
class Seat:
    """A shape on a body, all in the body's axes.

    hub: its center. axis: the direction of a plane's normal, of a capsule, cylinder or wheel; otherwise the first of
    its axes. corners: a box's three half edges, an ellipsoid's semi-axes, a
    mesh's vertices, from the center. radius, half: of the round ones,
    and half the length along the axis; of a wheel half the width of its rim. height: a plane's.
    """

    kind: type[Shape]
    body: BodyHandle
    hub: PointHandle
    axis: Vector
    corners: tuple[Vector, ...]
    radius: Node
    half: Node
    height: Node


def seat(model: Workshop, given: object, what: str) -> Seat | None:
    """(body, shape), or a shape of the ground; None where a mistake was noted."""
    said = model.mistakes.said
    if isinstance(given, KINDS):
        found = _read(model, GROUND, given, what)
    elif isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], KINDS):
        name = model.body_name(given[0], f"the body of {what}")
        found = _read(model, name, given[1], what)
    else:
        shapes = ", ".join(x.__name__ for x in KINDS)
        model.mistakes.add(
            f"{what} is {given!r:.60}; a pair (body, shape) is needed, or a shape of the ground; shapes are those of "
            f"jourdain.shapes: {shapes}"
        )
        return None
    return found if model.mistakes.said == said else None


def _read(model: Workshop, body: str, shape: Shape, what: str) -> Seat:
    read, graph = model.read, model.graph
    kind, zero = type(shape), graph.zero
    kind_name = kind.__name__.lower()
    of = f"the {kind_name} of {what}"
    handle = BodyHandle(model, body)
    axis, corners = Vector.unit(graph, 0), tuple[Vector, ...]()
    radius = half = height = zero
    if isinstance(shape, Plane):
        axis = read.axis(shape.normal, f"the normal of {of}")
        height = read.static(shape.height, f"the height of {of}")
        return Seat(kind, handle, handle.origin, axis, corners, radius, half, height)
    hub = _center(model, body, shape.center, of)
    if isinstance(shape, Sphere | Capsule | Cylinder | Wheel):
        radius = read.positive(shape.radius, f"the radius of {of}")
    if isinstance(shape, PointShape | Sphere):
        return Seat(kind, handle, hub, axis, corners, radius, half, height)
    turned = _axes(model, body, shape.axes, of)
    if isinstance(shape, Capsule | Cylinder):
        half = read.positive(shape.length, f"the length of {of}") * 0.5
    elif isinstance(shape, Wheel):
        half = _rim(read, shape, radius, of)
    elif isinstance(shape, Box):
        corners = _edges(read, shape.sizes, 0.5, turned, f"sizes of {of}")
    elif isinstance(shape, Ellipsoid):
        corners = _edges(read, shape.semi_axes, 1.0, turned, f"semi-axes of {of}")
    else:
        corners = _vertices(read, shape, turned, of)
    if isinstance(shape, Capsule | Cylinder | Wheel):
        axis = turned.inward(read.axis(shape.axis, f"the axis of {of}"))
    return Seat(kind, handle, hub, axis, corners, radius, half, height)


def _center(model: Workshop, body: str, given: object, of: str) -> PointHandle:
    """A point of the body, or one at coordinates in its frame."""
    if not isinstance(given, PointHandle | str):
        place = model.read.triple(given, f"the center of {of}")
        zero = Vector.zero(model.graph)
        draft = model.origin_of(body) if place == zero else PointDraft(f"the center of {of}", body, place)
        return PointHandle(model, draft)
    said = model.mistakes.said
    draft = model.point_of(given, f"the center of {of}")
    if draft.body != body and model.mistakes.said == said:
        model.mistakes.add(f"the center of {of} is {draft.name!r}, a point of {draft.body!r}, not of {body!r}")
    return PointHandle(model, draft)


def _axes(model: Workshop, body: str, given: object, of: str) -> Rotation:
    """From the shape's axes to the body's."""
    if isinstance(given, str):
        if given not in model.frames:
            known = did_you_mean(given, model.frames)
            model.mistakes.add(f"the axes of {of} are {given!r}, but there is no such frame; {known}")
            return Rotation(model.graph)
        given = FrameHandle(model, given)
    if not isinstance(given, FrameHandle):
        return model.read.rotation(given, f"the axes of {of}")
    if given.model is not model or given.body_name != body:
        model.mistakes.add(f"the axes of {of} are those of {given!r}; give a frame of its own body")
        return Rotation(model.graph)
    return given.turned


def _rim(read: Reader, wheel: Wheel, radius: Node, of: str) -> Node:
    """Half the width of a wheel's rim."""
    width = read.static(wheel.width, f"the width of {of}")
    if width.is_constant and (width.value < 0.0 or (radius.is_constant and width.value > 2.0 * radius.value)):
        read.mistakes.add(f"the width of {of} is {width.value:g}; it lies between 0 and twice the radius")
    return width * 0.5


def _edges(read: Reader, given: object, share: float, turned: Rotation, what: str) -> tuple[Vector, ...]:
    """Three lengths, of which a share counts, as vectors along the shape's axes."""
    entries = read.sequence(given)
    if entries is None or len(entries) != 3:
        read.mistakes.add(f"the {what} are {given!r}; three lengths are needed")
        return ()
    sizes = [read.positive(x, f"number {k} of the {what}") for k, x in enumerate(entries, 1)]
    return tuple(turned.inward(Vector.unit(read.graph, k) * (size * share)) for k, size in enumerate(sizes))


def _vertices(read: Reader, mesh: Mesh, turned: Rotation, of: str) -> tuple[Vector, ...]:
    """A mesh's corners; of numbers only those of the hull, for no other ever is the nearest."""
    entries = read.sequence(mesh.vertices)
    if not entries:
        read.mistakes.add(f"{of} has no vertices; give points like [(0, 0, 0), (0.1, 0, 0), …]")
        return ()
    said = read.mistakes.said
    points = [read.triple(x, f"vertex {k} of {of}") for k, x in enumerate(entries, 1)]
    if read.mistakes.said > said:
        return ()
    if all(x.is_constant for point in points for x in point):
        points = [points[k] for k in _outermost([[x.value for x in point] for point in points])]
    if len(points) > MOST_VERTICES:
        read.mistakes.add(
            f"{of} has {len(points)} corners; at most {MOST_VERTICES} are taken: simplify it, or take a simpler shape"
        )
        return ()
    return tuple(turned.inward(point) for point in points)


def _outermost(points: list[list[float]]) -> list[int]:
    """Places of the points that are corners of the convex hull; of flat or slender sets all, each once."""
    from scipy.spatial import ConvexHull, QhullError

    first = {tuple(x): k for k, x in reversed(list(enumerate(points)))}
    try:
        return sorted({first[tuple(points[k])] for k in ConvexHull(points).vertices})
    except (QhullError, ValueError):
        return sorted(first.values())
