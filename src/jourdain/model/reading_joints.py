"""Joints from a file: their motions held against what the familiar joints are, and against the bracket."""

from __future__ import annotations

from collections.abc import Collection

from ..graph import Graph, Node
from . import joints
from .closure import independent, open_pairs
from .entries import Entry
from .expressions import ACTING, ANYTHING, DRIVING, MOVING, STATIC, Expressions
from .guide import Guide
from .mistakes import did_you_mean
from .motion import Column, Motion, Orientation
from .system import GROUND, Joint

MOST_COLUMNS = 96
_FIELDS = (
    "name", "parent", "child", "kind", "orientation", "columns", "groups", "coordinate_order", "speed_order",
    "in_parent", "in_child", "coordinates", "speeds",
)  # fmt: skip
_DRIVEN = ("prescribed", "prescribed_speeds", "prescribed_rates")
_ORIENTATIONS = {x.value: x for x in Orientation}
_POSE = ("rotation", "translation_m")
_VELOCITIES = ("angular_velocity_rad_s", "velocity_m_s", "turning_rad_s")
_ACCELERATIONS = ("angular_acceleration_rad_s2", "acceleration_m_s2")


def read_joint(
    entry: Entry, read: Expressions, child: str, earlier: Collection[str], bodies: Collection[str]
) -> tuple[Joint, bool]:
    """One joint, and whether its motion could be read: if not, nothing that depends on it is a mistake.

    child: the body that it must carry; earlier: those that stand before it.
    """
    driven = isinstance(entry.value, dict) and not entry.value.keys().isdisjoint(_DRIVEN)
    fields = entry.fields([*_FIELDS, *(_DRIVEN if driven else ())], ["guide"])
    name = fields["name"].name()
    parent = _ends(fields, child, earlier, bodies)
    known = _motion(fields, read)
    motion = known or joints.weld(read.graph)
    in_parent, in_child = (read.pose(fields[which].fields(_POSE)) for which in ("in_parent", "in_child"))
    coordinates = _symbols(fields["coordinates"], read, motion.nq) if known else ()
    speeds = _symbols(fields["speeds"], read, motion.np) if known else ()
    given: tuple[tuple[Node, ...], tuple[Node, ...], tuple[Node, ...]] = ((), (), ())
    if driven and known:
        sizes = (motion.nq, motion.np, motion.np)
        q, p, rates = (read.scalars(fields[which], size, DRIVING) for which, size in zip(_DRIVEN, sizes))
        given = (q, p, rates)
    guide = _guide(fields["guide"], read, motion, parent) if "guide" in fields else None
    joint = Joint(name, parent, child, motion, in_parent, in_child, coordinates, speeds, *given, guide)
    return joint, known is not None


def _guide(entry: Entry, read: Expressions, motion: Motion, parent: str) -> Guide:
    """A motion that is given by expressions."""
    fields = entry.fields([*_POSE, *_VELOCITIES], _ACCELERATIONS)
    if motion.np or parent != GROUND:
        entry.fail("stands at a joint that has freedoms of its own or is not on the ground")
    alpha, a = (read.vector(fields[x], ANYTHING) if x in fields else None for x in _ACCELERATIONS)
    w, v, turning = (read.vector(fields[x], ACTING) for x in _VELOCITIES)
    return Guide(read.pose(fields, MOVING), w, v, turning, alpha, a)


def _ends(fields: dict[str, Entry], child: str, earlier: Collection[str], bodies: Collection[str]) -> str:
    """The parent, a body that stands before the child."""
    carried = fields["child"].text()
    if carried and carried != child:
        fields["child"].fail(f"is {carried!r}; joints stand in the order of the bodies that they carry, here {child!r}")
    parent = fields["parent"].text()
    if not parent or parent == GROUND or parent in earlier:
        return parent or GROUND
    if parent == child:
        fields["parent"].fail(f"is {parent!r}, the body that the joint carries")
    elif parent in bodies:
        fields["parent"].fail(
            f"is {parent!r}, which stands later; bodies stand in the tree's order, parents first, and a circle has none"
        )
    else:
        fields["parent"].fail(f"is {parent!r}, but there is no such body; {did_you_mean(parent, [*bodies, GROUND])}")
    return GROUND


def _symbols(entry: Entry, read: Expressions, count: int) -> tuple[Node, ...]:
    """Symbols that have been made before; `count` of them."""
    names = [x.value for x in entry.items(MOST_COLUMNS + 1, exactly=count)]
    return tuple(x for x in (read.made.get(name) for name in names if isinstance(name, str)) if x is not None)


def _motion(fields: dict[str, Entry], read: Expressions) -> Motion | None:
    graph = read.graph
    kind = fields["kind"].choice(_KINDS, "kind of joint")
    orientation = fields["orientation"].choice(_ORIENTATIONS, "orientation") or Orientation.ANGLES
    columns = [_column(x, read) for x in fields["columns"].items(MOST_COLUMNS)]
    groups, q_order, u_order = (
        tuple(x.whole() for x in fields[which].items(MOST_COLUMNS + 1))
        for which in ("groups", "coordinate_order", "speed_order")
    )
    if kind is None:
        return None
    try:
        motion = Motion(tuple(columns), groups, q_order, u_order, orientation, kind)
    except ValueError as error:
        fields["groups"].fail(f"and the orders do not fit the {len(columns)} columns: {error}")
        return None
    if not _familiar(motion, graph):
        what = f"a {kind} joint" if kind else "a joint given by its matrix"
        fields["columns"].fail(f"with their groups, orders and orientation are not those of {what}")
        return None
    start = 0
    for size in motion.groups:
        part = motion.columns[start : start + size]
        if not independent(part) or open_pairs(part):
            fields["columns"].fail(
                f"{start + 1} to {start + size} make no simple joint: they must be independent and closed under the "
                "Lie bracket"
            )
            return None
        start += size
    return motion


def _column(entry: Entry, read: Expressions) -> Column:
    entries = read.scalars(entry, 6, STATIC) or (read.graph.zero,) * 6
    a, b, c, d, e, f = entries
    return a, b, c, d, e, f


# Familiar joints whose columns are the user's: their groups and orders. The columns of the others are fixed.
_SHAPES = {
    "weld": ((), (), ()),
    "revolute": ((1,), (0,), (0,)),
    "prismatic": ((1,), (0,), (0,)),
    "screw": ((1,), (0,), (0,)),
    joints.COORDINATE: ((1,), (0,), (0,)),
    "universal": ((1, 1), (1, 0), (1, 0)),
    "cylindrical": ((2,), (0, 1), (0, 1)),
}
_KINDS = {x: x for x in (*_SHAPES, "planar", "spherical", "free", "")}


def _familiar(motion: Motion, graph: Graph) -> bool:
    """Whether the motion is what its kind says."""
    if motion.kind == "spherical":
        return motion == joints.spherical(graph, motion.orientation)
    if motion.kind == "free":
        return motion == joints.free(graph, motion.orientation)
    if motion.orientation is not Orientation.ANGLES:
        return False
    if motion.kind == "planar":
        return motion == joints.planar(graph)
    return not motion.kind or (motion.groups, motion.coordinate_order, motion.speed_order) == _SHAPES[motion.kind]
