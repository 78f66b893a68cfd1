"""Partial velocities as tables, as Kane's method is worked by hand: a row for each speed, a vector in each cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..equations.kane import Kane
from ..graph import Node
from ..graph.improve import improve
from ..graph.listing import listing
from ..graph.operations import ADD, NEG, SUB
from ..model.system import Force, Torque
from ..spatial import Vector
from .document import Block, Cell, Formula, Formulas, Name, Names, Row, Table, paragraph
from .material import Material, step_name
from .shortened import length, shortened

LONGEST = 40
"""Symbols, numbers and signs of a component that is written out; longer ones share intermediate quantities."""
TOGETHER = 4
"""Columns of one table."""


@dataclass(frozen=True)
class Column:
    """A title, the body in whose axes the vectors are, and a vector for each speed and for none of them.

    written: whether the measure numbers are written out in full.
    """

    title: str
    body: str
    axes: str
    vectors: tuple[Vector, ...]
    written: bool


def partial_velocities(material: Material) -> Iterator[Block]:
    """ω_r of the bodies that have inertia or are turned, v_r of mass centres and of points that are pushed."""
    if not material.freedom or material.is_large:
        return
    found = list(columns(material))
    if not found:
        return
    yield paragraph(
        "What a unit of each speed gives to the angular velocities ω of bodies and to the velocities v of points, in "
        "unit vectors fixed in the bodies."
    )
    names: Names = {}
    flat = [x for column in found if not column.written for vector in column.vectors for x in vector]
    if flat:
        better = improve(flat)
        made = listing(better)
        names = {line.node: step_name(line.name) for line in (*made.once, *made.steps)}
        yield paragraph("With the intermediate quantities")
        yield Formulas(tuple(Formula(step_name(x.name), x.node) for x in (*made.once, *made.steps)), names)
        rest = iter(better)
        found = [x if x.written else replace(x, vectors=tuple(_next(rest) for _ in x.vectors)) for x in found]
    yield from _tables(material, found, names)


def _next(components: Iterator[Node]) -> Vector:
    return Vector(next(components), next(components), next(components))


def _tables(material: Material, columns: Sequence[Column], names: Names) -> Iterator[Block]:
    groups = [columns] if len(columns) <= TOGETHER else _by_body(columns)
    for group in groups:
        cells = [[_written(vector, column.axes, names) for vector in column.vectors] for column in group]
        labels: list[Cell] = [*material.system.speed_symbols, "no speed"]
        rows = [(label, *(column[k] for column in cells)) for k, label in enumerate(labels)]
        if all(column.vectors[-1].is_zero for column in group):
            rows.pop()
        yield Table(("speed", *(column.title for column in group)), tuple(rows), names=names)


def _by_body(columns: Sequence[Column]) -> list[Sequence[Column]]:
    bodies = dict.fromkeys(column.body for column in columns)
    return [[column for column in columns if column.body == body] for body in bodies]


# -- columns ---------------------------------------------------------------------------------------------------------

Read = Callable[[str], list[Vector]]


def columns(material: Material) -> Iterator[Column]:
    """All that the tables hold, each in the axes in which it is shortest."""
    kane, system = material.kane, material.system
    frames = _Frames(material)
    for body in system.bodies:
        if body.name not in kane.bodies:
            continue
        name = body.name
        heavy = any(not x.is_zero for row in body.inertia for x in row)
        turned = any(isinstance(x, Torque) and x.body == name for x in system.loads)
        if heavy or turned:
            yield frames.column(f"ω of {name}", name, _angular(kane, name))
        places: dict[tuple[Node, ...], str] = {}
        if not body.mass.is_zero:
            places[tuple(body.center)] = f"{name}’s mass centre"
        for load in system.loads:
            if isinstance(load, Force) and load.body == name:
                places.setdefault(tuple(load.offset), _called(material, load))
        for offset, title in places.items():
            at = material.mechanics.lowered.vector(Vector(*offset))
            yield frames.column(f"v of {title}", name, _linear(kane, name, at))


def _angular(kane: Kane, body: str) -> Read:
    return lambda axes: [*kane.partial_angular_velocities(body, axes), kane.angular_velocity_remainder(body, axes)]


def _linear(kane: Kane, body: str, at: Vector) -> Read:
    return lambda axes: [*kane.partial_velocities(body, at, axes), kane.velocity_remainder(body, at, axes)]


class _Frames:
    """The axes in which vectors are written: those in which they are shortest, of a body or of one that carries it.

    What is too long for one body is not tried for those that it carries.
    """

    def __init__(self, material: Material) -> None:
        self.material = material
        self.parents = {joint.child: joint.parent for joint in material.system.joints}
        self.chosen: dict[tuple[str, str], str] = {}  # of ω's and v's, by body
        self.long: set[tuple[str, str]] = set()

    def column(self, title: str, body: str, read: Read) -> Column:
        """The vectors, written out where they are short."""
        kind = title[0]
        best: tuple[int, str, list[Node]] | None = None
        for axes in self._candidates(kind, body):
            flat = shortened([x for vector in read(axes) for x in vector], self.material.paper, LONGEST)
            if flat is not None and (best is None or sum(map(length, flat)) < best[0]):
                best = sum(map(length, flat)), axes, flat
        if best is None:
            self.long.add((kind, body))
            return Column(title, body, body, tuple(read(body)), False)
        self.chosen[kind, body] = best[1]
        components = iter(best[2])
        return Column(title, body, best[1], tuple(_next(components) for _ in range(self.material.freedom + 1)), True)

    def _candidates(self, kind: str, body: str) -> list[str]:
        parent = self.parents[body]
        if (kind, parent) in self.long:
            return []
        return list(dict.fromkeys([body, parent, self.chosen.get((kind, parent), parent)]))


def _called(material: Material, load: Force) -> str:
    """A point that is pushed, in words."""
    for point in material.system.points.values():
        if point.body == load.body and tuple(point.offset) == tuple(load.offset):
            return point.name
    return f"{load.body}’s origin" if load.offset.is_zero else f"the point of {load.name}"


# -- vectors ---------------------------------------------------------------------------------------------------------


def _all_negative(x: Node) -> bool:
    """Whether it is a sum that begins with a minus, which is how one of minuses alone is written."""
    while x.op in (ADD, SUB):
        x = x.args[0]
    return x.op is NEG


def _opposite(x: Node) -> Node:
    """The sum with its signs changed, as it is to be written."""
    if x.op is NEG:
        return x.args[0]
    first, last = x.args
    return Node(x.graph, SUB if x.op is ADD else ADD, (_opposite(first), last), x.roles, None)


def _written(vector: Vector, body: str, names: Names) -> Row | Name:
    """Measure numbers beside the unit vectors of a body."""
    parts: list[Node | Name | str] = []
    for letter, x in zip("xyz", vector):
        if x.is_zero:
            continue
        negative = (x.op is NEG and x not in names) or (x.is_constant and x.value < 0.0)
        size = (x.args[0] if x.op is NEG else -x) if negative else x
        if x not in names and _all_negative(x):
            negative, size = True, _opposite(x)
        if parts or negative:
            parts.append((" - " if negative else " + ") if parts else "-")
        if size not in names and size.op in (ADD, SUB):
            parts += ["(", size, ") "]
        elif not (size.is_constant and size.value == 1.0):
            parts += [names.get(size, size), " "]
        parts.append(Name(letter, of=body, bold=True))
    return Row(tuple(parts) or ("0",))
