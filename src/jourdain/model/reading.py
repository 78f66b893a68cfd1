"""A System from the data of a file that nobody has vouched for: every field checked, all mistakes noted together.

Expressions are read in the order in which `record` writes them, and all symbols and numbers are there beforehand: the
nodes of the new graph are born in the same order each time, so that equations come out the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..graph import Graph, Node, Role
from ..spatial import Vector
from .arguments import is_name
from .changing import Contact, Switching
from .encounter import Encounter
from .entries import Entry
from .expressions import ACTING, ANYTHING, CONTACTING, LONGEST_OWN_NAME, MOST, NAMELESS, STATIC, Expressions
from .guide import RATE
from .linear import why_not_linear
from .mistakes import did_you_mean
from .reading_contacts import read_contact, read_encounter, read_multiplier, read_switching
from .reading_joints import read_joint
from .record import FORMAT, VERSION
from .system import (
    GROUND,
    Body,
    Constraint,
    Force,
    Frame,
    Friction,
    Handle,
    Joint,
    JointForce,
    Level,
    Load,
    Point,
    Quantity,
    Rotor,
    Speed,
    Strut,
    System,
    Torque,
)

_TOP = (
    "format", "version", "name", "gravity_m_s2", "parameters", "inputs", "steps", "bodies", "joints", "points",
    "frames", "loads", "rotors", "quantities", "outputs",
)  # fmt: skip
_MAY = (
    "speeds", "constraints", "handles", "input_rates", "frictions", "contacts", "switchings", "multipliers",
    "encounters",
)  # fmt: skip
_QUANTITIES = {
    "position": Role.COORDINATE,
    "axis": Role.COORDINATE,
    "velocity": Role.SPEED,
    "omega": Role.SPEED,
    "acceleration": Role.ACCELERATION,
    "alpha": Role.ACCELERATION,
    "rate": Role.ACCELERATION,
}
_OF_POINTS = ("position", "velocity", "acceleration")
_LETTERS = {"x": 0, "y": 1, "z": 2}
_LOADS = {
    "force": ("body", "offset_m", "components_N", "axes", "reaction"),
    "torque": ("body", "components_N_m", "axes", "reaction"),
    "joint force": ("joint", "index", "value"),
    "strut": ("body_a", "offset_a_m", "body_b", "offset_b_m", "length", "rate", "tension_N"),
}


def system_of(data: object, source: str) -> System:
    """The System of a file's data; ModelError with all mistakes. source: the file's name, for messages."""
    scratch = Graph()
    _Reading(data, source, scratch).system()
    return rebuilt(data, source, scratch)


def rebuilt(data: object, source: str, numbers: Graph) -> System:
    """The System of data that are known to be good and whose numbers all stand in the graph `numbers`."""
    return _Reading(data, source, Graph()).system([x.value for x in numbers.nodes if x.is_constant])


class _Reading:
    """One walk through the data."""

    def __init__(self, data: object, source: str, graph: Graph) -> None:
        self.read = Expressions(source, graph)
        self.log = self.read.log
        self.top = Entry(data, "", self.log)
        self.bodies: list[str] = []
        self.joints: dict[str, Joint] = {}
        self.unread: set[str] = set()  # joints whose motion is not known
        self.acting: set[str] = set()  # names of loads and rotors

    def system(self, numbers: Iterable[float] | None = None) -> System:
        """numbers: None for data that are still to be checked, else the values that come before all expressions."""
        read, fields = self.read, self._opened()
        name = fields["name"].name()
        self._symbols(fields)
        read.give_birth(numbers or ())
        read.steps(fields["steps"])
        gravity = read.vector(fields["gravity_m_s2"], STATIC)
        bodies = self._bodies(fields["bodies"])
        self._joints(fields["joints"])
        points = {name: self._point(name, entry) for name, entry in self._named(fields["points"])}
        frames = {name: self._frame(name, entry) for name, entry in self._named(fields["frames"])}
        loads = [load for entry in fields["loads"].items(MOST) for load in self._load(entry)]
        rotors = [self._rotor(entry) for entry in fields["rotors"].items(MOST)]
        quantities = [self._quantity(entry) for _, entry in fields["quantities"].named()]
        outputs = {name: read.scalar(entry, ANYTHING) for name, entry in self._named(fields["outputs"])}
        definitions = [self._speed(name, entry) for name, entry in self._optional(fields, "speeds")]
        conditions = [self._constraint(name, entry) for name, entry in self._optional(fields, "constraints")]
        handles = [Handle(name, *self._held(entry)) for name, entry in self._optional(fields, "handles")]
        held = {x.name: x for x in conditions}
        frictions = [self._friction(name, entry, held) for name, entry in self._optional(fields, "frictions")]
        contacts = self._contacts(fields, held)
        encounters = self._encounters(fields, contacts)
        switchings = self._switchings(fields, held, contacts)
        meanings = [read_multiplier(entry, held) for _, entry in self._entries(fields, "multipliers")]
        input_rates = self._input_rates(fields)
        if numbers is None and not self.log.mistakes.found:
            read.sound.check(self.defaults)
        self.log.mistakes.raise_for(name or self.log.source)
        return System(
            name,
            read.graph,
            tuple(bodies),
            tuple(self.joints.values()),
            gravity,
            points,
            frames,
            tuple(loads),
            tuple(rotors),
            self.defaults,
            dict(zip(self.placeholders, quantities)),
            outputs,
            self.inputs,
            tuple(definitions),
            tuple(conditions),
            tuple(handles),
            input_rates,
            tuple(frictions),
            contacts,
            switchings,
            dict(zip(self.multipliers, meanings)),
            encounters,
        )

    def _input_rates(self, fields: dict[str, Entry]) -> dict[str, str]:
        """Inputs that are the derivatives of others."""
        found = {}
        for name, entry in self._optional(fields, "input_rates"):
            rate = entry.text()
            for each in (name, rate):
                if each and each not in self.inputs:
                    entry.fail(f"speaks of {each!r}, but there is no such input; {did_you_mean(each, self.inputs)}")
            found[name] = rate
        return found

    def _opened(self) -> dict[str, Entry]:
        """The top level's fields, once it is known that this is a file that we can read."""
        found = dict(self.top.named())
        for field, ours in (("format", FORMAT), ("version", VERSION)):
            given = found[field].value if field in found else None
            if type(given) is not type(ours) or given != ours:
                said = f"is {given!r:.60}" if field in found else "is missing"
                self.log.add(field, f"{said}; this jourdain reads files with the {field} {ours!r}")
                self.log.mistakes.raise_for(self.log.source)
        return self.top.fields(_TOP, _MAY)

    def _symbols(self, fields: dict[str, Entry]) -> None:
        """All symbols, before any expression is read."""
        symbol = self.read.symbol
        self.defaults = {name: entry.number() for name, entry in self._named(fields["parameters"])}
        self.inputs = {name: entry.number() for name, entry in self._named(fields["inputs"])}
        for name in self.defaults:
            symbol(name, Role.PARAMETER, f"parameters.{name}")
        for name in self.inputs:
            symbol(name, Role.INPUT, f"inputs.{name}")
        self.read.time()
        joints = [dict(entry.named()) for entry in fields["joints"].items(MOST)]
        for driven in (False, True):
            for field, role in (("coordinates", Role.COORDINATE), ("speeds", Role.SPEED)):
                for joint in joints:
                    if ("prescribed" in joint) is driven and field in joint:
                        for entry in joint[field].items(MOST):
                            symbol(entry.name(), role, entry.place, visible=not driven)
        self._accelerations(joints)
        self.own_speeds: dict[str, Node] = {}
        for name, entry in self._optional(fields, "speeds"):
            parts = dict(entry.named())
            if "symbol" in parts:
                self.own_speeds[name] = symbol(parts["symbol"].name(), Role.SPEED, parts["symbol"].place)
        for load in fields["loads"].items(MOST):
            parts = dict(load.named())
            for field, role in (("length", Role.COORDINATE), ("rate", Role.SPEED)):
                if field in parts:
                    self.read.strut_symbol(parts[field], role, load.place)
        self.placeholders: list[Node] = []
        for name, entry in fields["quantities"].named():
            kind = dict(entry.named()).get("kind")
            role = _QUANTITIES.get(str(kind.value) if kind else "", Role.COORDINATE)
            if not name:
                entry.fail(f"is a quantity whose name {NAMELESS}")
            self.placeholders.append(symbol(name, role, entry.place))
        self.features: dict[str, tuple[Node, ...]] = {}
        self.multipliers: list[Node] = []
        for name, entry in self._entries(fields, "multipliers"):
            if not name:
                entry.fail(f"is a multiplier whose name {NAMELESS}")
            self.multipliers.append(symbol(name, Role.MULTIPLIER, entry.place))

        for name, entry in self._optional(fields, "encounters"):
            parts = dict(entry.named())
            if "features" in parts:
                self.features[name] = tuple(
                    symbol(x.text(LONGEST_OWN_NAME), Role.FEATURE, x.place) for x in parts["features"].items(MOST)
                )

    def _accelerations(self, joints: list[dict[str, Entry]]) -> None:
        """The rates of joints' speeds, which accelerations that are given may hold."""
        guides = [dict(joint["guide"].named()) for joint in joints if "guide" in joint]
        if not any("acceleration" in field for x in guides for field in x):
            return
        for joint in joints:
            for entry in joint["speeds"].items(MOST) if "speeds" in joint else ():
                if entry.name():
                    self.read.symbol(RATE.format(entry.name()), Role.ACCELERATION, entry.place)

    # -- the tree -----------------------------------------------------------------------------------------------

    def _bodies(self, entry: Entry) -> list[Body]:
        read, found = self.read, []
        taken = {GROUND}
        for body in entry.items(MOST):
            fields = body.fields(["name", "mass_kg", "center_m", "inertia_kg_m2"])
            name = _unique(fields["name"], taken, "body")
            mass, center = read.scalar(fields["mass_kg"], STATIC), read.vector(fields["center_m"], STATIC)
            inertia = read.matrix(fields["inertia_kg_m2"])
            read.sound.inertia(fields["inertia_kg_m2"].place, inertia)
            self.bodies.append(name)
            found.append(Body(name, mass, center, inertia))
        return found

    def _joints(self, entry: Entry) -> None:
        entries = entry.items(MOST)
        if len(entries) != len(self.bodies):
            entry.fail(f"has {len(entries)} entries for {len(self.bodies)} bodies; each body is carried by one joint")
            return
        taken: set[str] = set()
        earlier: set[str] = set()
        everyone = set(self.bodies)
        for child, joint in zip(self.bodies, entries):
            found, known = read_joint(joint, self.read, child, earlier, everyone)
            earlier.add(child)
            name = _unique(Entry(found.name, f"{joint.place}.name", self.log), taken, "joint") if found.name else ""
            self.joints[name or f"\0{len(self.joints)}"] = found
            if not known:
                self.unread.add(name)

    def _body(self, entry: Entry) -> str:
        """The name of a body that there is, or of the ground."""
        name = entry.text()
        if name and name != GROUND and name not in self.bodies:
            entry.fail(f"is {name!r}, but there is no such body; {did_you_mean(name, [*self.bodies, GROUND])}")
        return name

    def _joint(self, entry: Entry, index: Entry) -> tuple[str, int]:
        """The name of a joint that there is, and the number of one of its speeds."""
        joint = entry.choice(self.joints, "joint")
        k = index.whole()
        if joint is None:
            return "", 0
        if k >= joint.motion.np and joint.name not in self.unread:
            index.fail(f"is {k}, but joint {joint.name!r} has {joint.motion.np} speeds")
        return joint.name, k

    # -- what is fixed in bodies ----------------------------------------------------------------------------------

    def _point(self, name: str, entry: Entry) -> Point:
        fields = entry.fields(["body", "offset_m"])
        return Point(name, self._body(fields["body"]), self.read.vector(fields["offset_m"], STATIC))

    def _frame(self, name: str, entry: Entry) -> Frame:
        fields = entry.fields(["body", "rotation", "translation_m"])
        return Frame(name, self._body(fields["body"]), self.read.pose(fields))

    # -- what acts ------------------------------------------------------------------------------------------------

    def _load(self, entry: Entry) -> list[Load]:
        kind = dict(entry.named()).get("type")
        shape = None if kind is None else kind.choice(_LOADS, "type of load")
        if shape is None:
            if kind is None:
                entry.fail(f"is no load: its type is missing, one of {', '.join(map(repr, _LOADS))}")
            return []
        fields = entry.fields(["name", "type", *shape], ["energy_J"] if "joint" in shape or "rate" in shape else [])
        name = _unique(fields["name"], self.acting, "load or rotor")
        read = self.read
        if "components_N" in shape:
            body, offset = self._body(fields["body"]), read.vector(fields["offset_m"], STATIC)
            return [Force(name, body, offset, read.vector(fields["components_N"], ACTING), *self._sides(fields))]
        if "components_N_m" in shape:
            body = self._body(fields["body"])
            return [Torque(name, body, read.vector(fields["components_N_m"], ACTING), *self._sides(fields))]
        if "joint" in shape:
            joint, index = self._joint(fields["joint"], fields["index"])
            return [JointForce(name, joint, index, read.scalar(fields["value"], ACTING), self._energy(fields))]
        ends = (
            self._body(fields["body_a"]), read.vector(fields["offset_a_m"], STATIC),
            self._body(fields["body_b"]), read.vector(fields["offset_b_m"], STATIC),
        )  # fmt: skip
        length, rate = (read.strut_symbol_of(fields[which], entry.place) for which in ("length", "rate"))
        return [Strut(name, *ends, length, rate, read.scalar(fields["tension_N"], ACTING), self._energy(fields))]

    def _sides(self, fields: dict[str, Entry]) -> tuple[str, str]:
        return self._body(fields["axes"]), self._body(fields["reaction"])

    def _energy(self, fields: dict[str, Entry]) -> Node | None:
        return self.read.scalar(fields["energy_J"], ACTING) if "energy_J" in fields else None

    def _rotor(self, entry: Entry) -> Rotor:
        fields = entry.fields(["name", "joint", "index", "inertia_kg_m2", "ratio"])
        name = _unique(fields["name"], self.acting, "load or rotor")
        joint, index = self._joint(fields["joint"], fields["index"])
        inertia = self.read.scalar(fields["inertia_kg_m2"], STATIC)
        return Rotor(name, joint, index, inertia, self.read.scalar(fields["ratio"], STATIC))

    # -- how it moves ---------------------------------------------------------------------------------------------

    def _speed(self, name: str, entry: Entry) -> Speed:
        fields = entry.fields(["symbol", "value"])
        symbol = self.own_speeds.get(name, self.read.graph.one)
        return Speed(name, symbol, self._linear(fields["value"]))

    def _constraint(self, name: str, entry: Entry) -> Constraint:
        fields = entry.fields(["level", "switchable", "satisfied", "rows"])
        chosen = fields["level"].choice({x.value: x for x in Level}, "level")
        rows = tuple(self.read.scalar(x, CONTACTING) for x in fields["rows"].items(MOST))
        if not rows:
            fields["rows"].fail("is empty; a constraint has one row or more")
        level = chosen or Level.POSITION
        for k, row in enumerate(rows if chosen else ()):
            why = why_not_linear(row, still=True) if level is Level.VELOCITY else ""
            if level is Level.POSITION and row.roles & Role.SPEED.bit:
                why = "holds velocities, which a constraint of positions cannot"
            if why:
                entry.fail(f"is of the level {level.value!r}, but row {k + 1} {why}")
        return Constraint(name, rows, level, fields["switchable"].truth(), fields["satisfied"].truth())

    def _friction(self, name: str, entry: Entry, held: Mapping[str, Constraint]) -> Friction:
        common = ("slips", "coefficient", "width", "both_sides")
        of_joint = "joint" in dict(entry.named())
        fields = entry.fields([*common, *(("joint", "axes") if of_joint else ("constraint", "rows"))])
        if name in self.acting:
            entry.fail(f"is called {name!r}, as a load or rotor is")
        constraint = None if of_joint else fields["constraint"].choice(held, "constraint")
        rows = () if of_joint else tuple(x.whole() for x in fields["rows"].items(MOST))
        if constraint is not None and (not rows or len(set(rows)) < len(rows) or max(rows) >= len(constraint.rows)):
            shown = ", ".join(map(str, rows)) or "empty"
            fields["rows"].fail(f"is {shown}, but constraint {constraint.name!r} has {len(constraint.rows)} rows")
        slips = tuple(self._linear(x, still=True) for x in fields["slips"].items(MOST))
        if not slips:
            fields["slips"].fail("is empty; friction acts along one velocity or more")
        coefficient = self.read.scalar(fields["coefficient"], ACTING)
        width = self.read.scalar(fields["width"], STATIC)
        owner = "" if constraint is None else constraint.name
        made = Friction(name, owner, rows, slips, coefficient, width, fields["both_sides"].truth())
        if not of_joint:
            return made
        joint = fields["joint"].choice(self.joints, "joint")
        axes = [x.choice(_LETTERS, "axis") for x in fields["axes"].items(3)]
        found = tuple(k for k in axes if k is not None)
        if len(found) == len(axes) and (not found or len(set(found)) < len(found)):
            fields["axes"].fail("names no axis, or one twice; the normal force is along one axis or more")
        return replace(made, joint="" if joint is None else joint.name, axes=found)

    def _contacts(self, fields: dict[str, Entry], held: Mapping[str, Constraint]) -> tuple[Contact, ...]:
        taken: set[str] = set()
        return tuple(read_contact(name, x, self.read, held, taken) for name, x in self._optional(fields, "contacts"))

    def _encounters(self, fields: dict[str, Entry], contacts: Iterable[Contact]) -> tuple[Encounter, ...]:
        held: dict[str, str] = {}
        known = {x.name: x for x in contacts}
        return tuple(
            read_encounter(name, entry, self.read, self.features.get(name, ()), known, held)
            for name, entry in self._optional(fields, "encounters")
        )

    def _switchings(
        self, fields: dict[str, Entry], held: Mapping[str, Constraint], contacts: Iterable[Contact]
    ) -> tuple[Switching, ...]:
        """A contact's constraints are switched by the contact alone."""
        own = {x for contact in contacts for x in (contact.normal, contact.slip)}
        found = self._optional(fields, "switchings")
        return tuple(read_switching(name, entry, self.read, held, own) for name, entry in found)

    def _entries(self, fields: dict[str, Entry], name: str) -> list[tuple[str, Entry]]:
        """The fields of an object whose keys are symbols that the model made up."""
        return fields[name].named() if name in fields else []

    def _linear(self, entry: Entry, still: bool = False) -> Node:
        """still: whether nothing need move it, for the joints that did may be driven."""
        node = self.read.scalar(entry, ACTING)
        why = why_not_linear(node, still)
        if why and not self.log.mistakes.found:
            entry.fail(why)
        return node

    def _held(self, entry: Entry) -> tuple[str, Vector]:
        fields = entry.fields(["body", "offset_m"])
        return self._body(fields["body"]), self.read.vector(fields["offset_m"], STATIC)

    def _optional(self, fields: dict[str, Entry], name: str) -> list[tuple[str, Entry]]:
        return self._named(fields[name]) if name in fields else []

    # -- what is read off -----------------------------------------------------------------------------------------

    def _quantity(self, entry: Entry) -> Quantity:
        kind = dict(entry.named()).get("kind", entry)
        if kind.value == "rate":
            return self._rate(entry)
        needed = {**dict.fromkeys(_OF_POINTS, ("offset_m",)), "axis": ("axis",)}.get(str(kind.value), ())
        fields = entry.fields(["kind", "of", *needed, "axes", "component"])
        fields["kind"].choice(_QUANTITIES, "kind of quantity")
        of = self._body(fields["of"])
        offset = self.read.vector(fields["offset_m"], STATIC) if "offset_m" in needed else None
        axis = fields["axis"].choice(_LETTERS, "axis") or 0 if "axis" in needed else 0
        axes = self._body(fields["axes"])
        component = fields["component"].choice(_LETTERS, "component") or 0
        return Quantity(str(kind.value), of, None if offset is None else (*offset,), axes, component, axis)

    def _rate(self, entry: Entry) -> Quantity:
        """Of a speed of the joint that carries a body."""
        fields = entry.fields(["kind", "of", "index"])
        of, k = fields["of"].text(), fields["index"].whole()
        carriers = {joint.child: joint for joint in self.joints.values()}
        joint = fields["of"].choice(carriers, "body")
        if joint is not None and k >= joint.motion.np and joint.name not in self.unread:
            fields["index"].fail(f"is {k}, but joint {joint.name!r} has {joint.motion.np} speeds")
        return Quantity("rate", of, None, of, k)

    def _named(self, entry: Entry) -> list[tuple[str, Entry]]:
        """The fields of an object whose keys are names."""
        found = entry.named()
        if len(found) > MOST:
            entry.fail(f"has {len(found)} entries; at most {MOST} are read")
            return []
        for name, each in found:
            if not is_name(name):
                each.fail(f"is called {name[:60]!r}, which is no name (begin with a letter, no quotes)")
        return found


def _unique(entry: Entry, taken: set[str], what: str) -> str:
    """A name that no other such thing has."""
    name = entry.name()
    if name in taken:
        entry.fail(f"is {name!r}, the name of another {what}" if name != GROUND else "is 'ground', which is no body")
    elif name:
        taken.add(name)
    return name
