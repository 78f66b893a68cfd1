"""The expressions of a file: its symbols, the steps that several expressions share, and what fields hold."""

from __future__ import annotations

from collections.abc import Iterable

from ..graph import Graph, Node, Role, symbols_of
from ..graph.parse import LONGEST, ExpressionError, parse
from ..spatial import Given, Matrix, Rotation, Turn, Vector
from .arguments import is_name
from .entries import Entry, Log
from .mistakes import Mistakes
from .pose import Pose
from .sound import Sound
from .system import TIME

MOST = 20_000  # bodies, loads, points, parameters, … of one file
MOST_STEPS = 1_000_000
MOST_TURNS = 1000  # of one rotation
NAMELESS = "is empty; the name of a symbol is needed"
LONGEST_OWN_NAME = 1000  # of a symbol that stands for a quantity: its name is made of others
STATIC = Role.PARAMETER.bit
DRIVING = STATIC | Role.INPUT.bit | Role.TIME.bit
MOVING = DRIVING | Role.COORDINATE.bit
ACTING = DRIVING | Role.COORDINATE.bit | Role.SPEED.bit
ANYTHING = ACTING | Role.ACCELERATION.bit
GUARDING = ACTING | Role.MULTIPLIER.bit
CONTACTING = ACTING | Role.FEATURE.bit
_AXES = {"x": 0, "y": 1, "z": 2}
_WORDS = {
    STATIC: "only numbers and parameters can stand here",
    DRIVING: "only numbers, parameters, inputs and the time can stand here",
    MOVING: "a place depends on no velocities",
    ACTING: "accelerations, which only follow from the forces, cannot stand here, nor can multipliers",
    ANYTHING: "multipliers stand in guards alone",
    CONTACTING: "accelerations, which only follow from the forces, cannot stand here, nor can multipliers",
    GUARDING: "accelerations, which only follow from the forces, cannot stand here",
}


class Expressions:
    """Reads a file's expressions into a graph: symbols first, then steps, then fields."""

    def __init__(self, source: str, graph: Graph) -> None:
        self.log = Log(source, Mistakes())
        self.graph = graph
        self.sound = Sound(self.log)
        self.made: dict[str, Node] = {}  # every symbol by its name
        self.known: dict[str, Node] = {}  # what expressions can hold: symbols and steps
        self.own: dict[Node, str] = {}  # the symbol of a strut's length or rate -> the place of the strut
        self._taken: dict[str, str] = {TIME: "the time"}

    # -- symbols and steps ----------------------------------------------------------------------------------------

    def symbol(self, name: str, role: Role, place: str, visible: bool = True) -> Node:
        """A new symbol; what is visible can stand in expressions."""
        if name in self._taken:
            self.log.add(place, f"is called {name!r}, but so is {self._taken[name]}")
        elif is_name(name) or _is_own(name):
            self._taken[name] = place
            found = self.made[name] = self.graph.symbol(name, role)
            if visible:
                self.known[name] = found
            return found
        elif name:  # a name that could not be read has been noted
            self.log.add(place, f"is called {name[:60]!r}, which is no name (begin with a letter, no quotes)")
        return self.graph.symbol(f"\0{len(self.graph.symbols)}", role)

    def time(self) -> None:
        """The symbol of the time."""
        self.known[TIME] = self.graph.symbol(TIME, Role.TIME)

    def strut_symbol(self, entry: Entry, role: Role, strut: str) -> None:
        """What stands for a strut's length or its rate."""
        if entry.value == "":
            entry.fail(NAMELESS)
        self.own[self.symbol(entry.text(LONGEST_OWN_NAME), role, entry.place)] = strut

    def strut_symbol_of(self, entry: Entry, strut: str) -> Node:
        """The symbol that was made so."""
        found = self.made.get(entry.value if isinstance(entry.value, str) else "")
        return found if found is not None and self.own.get(found) == strut else self.graph.zero

    def give_birth(self, numbers: Iterable[float]) -> None:
        """Numbers and their negatives, by size."""
        for value in sorted({x for number in numbers if number == number for x in (number, -number)}):
            self.graph.constant(value)

    def steps(self, entry: Entry) -> None:
        """What several expressions share, each in terms of what stands before it."""
        found = entry.named()
        if len(found) > MOST_STEPS:
            entry.fail(f"has {len(found)} entries; at most {MOST_STEPS} are read")
            return
        for name, text in found:
            if name in self._taken:
                text.fail(f"is called {name[:60]!r}, but so is {self._taken[name]}")
                continue
            node = self._parsed(text)
            if node is not None:
                self._taken[name] = text.place
                self.known[name] = node

    # -- what fields hold -----------------------------------------------------------------------------------------

    def scalar(self, entry: Entry, allowed: int) -> Node:
        """A number, or the text of an expression of symbols whose roles are allowed."""
        if not isinstance(entry.value, str):
            return self.graph.constant(entry.number())
        node = self._parsed(entry)
        if node is None:
            return self.graph.one
        if node.roles & ~allowed:
            entry.fail(f"depends on {', '.join(self._beyond(node, allowed))}; {_WORDS[allowed]}")
            return self.graph.one
        for symbol in symbols_of([node]) if self.own and not node.is_static else ():
            strut = self.own.get(symbol, "")
            if not entry.place.startswith(strut):
                entry.fail(f"depends on {symbol.name!r}, which only {strut} can speak of")
        if node.is_static:
            self.sound.finite(entry.place, [node])
        return node

    def vector(self, entry: Entry, allowed: int) -> Vector:
        """Three scalars."""
        return Vector(*(self._list(entry, 3, allowed) or Vector.zero(self.graph)))

    def matrix(self, entry: Entry, allowed: int = STATIC) -> Matrix:
        """Three rows of numbers and parameters."""
        rows = [self.vector(row, allowed) for row in entry.items(3, exactly=3)]
        return Matrix(*rows) if rows else Matrix.identity(self.graph)

    def scalars(self, entry: Entry, count: int, allowed: int) -> tuple[Node, ...]:
        """So many scalars; none and a mistake where there are more or fewer."""
        return tuple(self._list(entry, count, allowed))

    def pose(self, fields: dict[str, Entry], allowed: int = STATIC) -> Pose:
        """From the fields `rotation` and `translation_m`."""
        factors = [self._factor(entry, allowed) for entry in fields["rotation"].items(MOST_TURNS)]
        return Pose(Rotation(self.graph, tuple(factors)), self.vector(fields["translation_m"], allowed))

    def _factor(self, entry: Entry, allowed: int) -> Turn | Given:
        if isinstance(entry.value, dict) and "matrix" in entry.value:
            rows = self.matrix(entry.fields(["matrix"])["matrix"], allowed)
            self._sound_rotation(entry, rows)
            return Given(rows)
        fields = entry.fields(["about", "cos", "sin"])
        axis = fields["about"].choice(_AXES, "axis") or 0
        c, s = self.scalar(fields["cos"], allowed), self.scalar(fields["sin"], allowed)
        turn = Turn(axis, c, s)
        self._sound_rotation(entry, turn.matrix())
        return turn

    def _sound_rotation(self, entry: Entry, rows: Matrix) -> None:
        """What moves has no default values to be looked at."""
        if all(x.is_static for row in rows for x in row):
            self.sound.rotation(entry.place, rows)

    def _list(self, entry: Entry, count: int, allowed: int) -> list[Node]:
        return [self.scalar(x, allowed) for x in entry.items(count, exactly=count)]

    def _parsed(self, entry: Entry) -> Node | None:
        text = entry.text(LONGEST)
        if not text:
            if entry.value == "":
                entry.fail("is empty; a number or the text of an expression is needed")
            return None
        try:
            return parse(text, self.known, self.graph)
        except ExpressionError as error:
            entry.fail(f"is no expression: {error}")
            return None

    def _beyond(self, node: Node, allowed: int) -> list[str]:
        names = [x.name for x in symbols_of([node]) if x.roles & ~allowed]
        return [*names[:6], *(["…"] if len(names) > 6 else [])]


def _is_own(name: str) -> bool:
    """The names that a model makes up itself stand in brackets."""
    return name[:1] == "[" and name[-1:] == "]" and len(name) <= LONGEST_OWN_NAME and "`" not in name
