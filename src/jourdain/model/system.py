"""The frozen description of a mechanism: what is compiled, derived, saved; nothing here can be edited.

All numbers are nodes of the system's own graph: constants, parameters (with default values), inputs, coordinates,
speeds and time. Derivations copy what they need into graphs of their own.

Symbols: a coordinate's symbol has the coordinate's name; a speed's symbol has the speed's name too, unless a coordinate
is called so, then with "dot" after it (joint `elbow`: coordinate `elbow`, speed `elbow`, whose symbol is `elbowdot`).
Time is `TIME`. No expression holds the symbols of a prescribed joint: what drives it stands in their place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

from ..graph import Graph, Node
from ..spatial import Matrix, Vector
from .changing import Call, Contact, Multiplier, Switching, guards
from .encounter import Encounter
from .guide import Guide
from .mistakes import Where, article, did_you_mean
from .motion import Motion
from .pose import Pose

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GROUND = "ground"
TIME = "t"


@dataclass(frozen=True)
class Body:
    """A rigid body, particle (zero inertia) or massless link.

    center: mass centre in the body frame [m]; inertia: about the mass centre, body axes [kg m²].
    """

    name: str
    mass: Node
    center: Vector
    inertia: Matrix


@dataclass(frozen=True)
class Joint:
    """What carries a body: its motion relative to the parent.

    in_parent: the joint's fixed frame in the parent's body frame; in_child: its moving frame in the child's.
    coordinates, speeds: symbols of the motion's q and p in the order in which the user sees them (`Motion`'s order).
    prescribed: for each coordinate the expression of time (and inputs) that drives it; empty for a free joint.
    prescribed_speeds, prescribed_rates: the joint's speeds and their rates that go with it, in the order of `speeds`
    (inputs taken as constant unless the user gave them).
    A prescribed joint has no coordinates and speeds of its own in the System.
    guide: of a joint without freedom whose child moves as expressions of the other joints' coordinates and speeds say;
    its parent is the ground.
    """

    name: str
    parent: str
    child: str
    motion: Motion
    in_parent: Pose
    in_child: Pose
    coordinates: tuple[Node, ...]
    speeds: tuple[Node, ...]
    prescribed: tuple[Node, ...] = ()
    prescribed_speeds: tuple[Node, ...] = ()
    prescribed_rates: tuple[Node, ...] = ()
    guide: Guide | None = None

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """As the user sees them: the joint's name for a single freedom, else `joint.x` and so on."""
        return named(self.name, self.motion.coordinate_names)

    @property
    def speed_names(self) -> tuple[str, ...]:
        """As the user sees them."""
        return named(self.name, self.motion.speed_names)


def named(joint: str, suffixes: tuple[str, ...]) -> tuple[str, ...]:
    """A joint's coordinates or speeds as the user sees them."""
    return tuple(f"{joint}.{suffix}" if suffix else joint for suffix in suffixes)


@dataclass(frozen=True)
class Point:
    """A point fixed in a body: offset in the body frame [m]."""

    name: str
    body: str
    offset: Vector


@dataclass(frozen=True)
class Frame:
    """A frame fixed in a body."""

    name: str
    body: str
    pose: Pose


@dataclass(frozen=True)
class Force:
    """A force [N] on a body at a point of it, and its opposite on `reaction` (at the same place) unless that is ground.

    axes: the body in whose axes the components are given, "ground" for the ground's.
    """

    name: str
    body: str
    offset: Vector
    components: Vector
    axes: str = GROUND
    reaction: str = GROUND


@dataclass(frozen=True)
class Torque:
    """A torque [N m] on a body, and its opposite on `reaction` unless that is ground."""

    name: str
    body: str
    components: Vector
    axes: str = GROUND
    reaction: str = GROUND


@dataclass(frozen=True)
class JointForce:
    """A generalized force on one of a joint's speeds (joint springs, dampers, friction, motors): any expression.

    energy: the potential energy [J] of a spring, an expression of coordinates; one of its loads has it.
    """

    name: str
    joint: str
    index: int
    value: Node
    energy: Node | None = None


@dataclass(frozen=True)
class Strut:
    """A force along the line between two points: tension [N], positive when it pulls the two together.

    length, rate: the symbols that stand for the distance [m] and its rate [m/s] in the expression of the tension.
    A spring is stiffness * (length − rest), a damper damping * rate.
    """

    name: str
    body_a: str
    offset_a: Vector
    body_b: str
    offset_b: Vector
    length: Node
    rate: Node
    tension: Node
    energy: Node | None = None  # of the elastic part, as an expression of `length`


@dataclass(frozen=True)
class Rotor:
    """A rotor behind a gear, reflected: inertia · ratio² [kg m²] is added to one speed's own inertia."""

    name: str
    joint: str
    index: int
    inertia: Node
    ratio: Node


Load = Force | Torque | JointForce | Strut


@dataclass(frozen=True)
class Quantity:
    """What a placeholder symbol stands for: a component of a kinematic vector that only the derivation knows.

    kind: "position", "velocity", "acceleration" of a point; "omega", "alpha" of a body; "axis" (a unit vector of a
    body's frame); "rate" of a speed of the joint that carries the body. of: the body; offset: of the point in the body
    frame; axes: the body or "ground" in whose axes the component is meant; component: 0, 1 or 2, for "rate" the speed's
    place in the joint; axis: which unit vector, for "axis".
    """

    kind: str
    of: str
    offset: tuple[Node, Node, Node] | None
    axes: str
    component: int
    axis: int = 0


@dataclass(frozen=True)
class Speed:
    """A generalized speed of the user's (Kane): its symbol, and what it stands for.

    value: an expression of the joints' own speeds and of velocities, linear in them: u = Y p + Z. where: the user's
    line, if the system does not come from a file.
    """

    name: str
    symbol: Node
    value: Node
    where: Where | None = field(default=None, compare=False)


class Level(Enum):
    """What a constraint speaks of."""

    POSITION = "position"
    """Coordinates and time: φ(q, t) = 0."""
    VELOCITY = "velocity"
    """Speeds, linearly: A u + C = 0."""


@dataclass(frozen=True)
class Constraint:
    """Rows that are kept at zero: always, or while a switchable constraint is on.

    satisfied: the user's speeds are such that it holds whatever their values.
    """

    name: str
    rows: tuple[Node, ...]
    level: Level
    switchable: bool = False
    satisfied: bool = False


@dataclass(frozen=True)
class Friction:
    """Dry friction that depends on a normal force: of a constraint, while that holds, or of a joint.

    constraint, joint: one of them, the other is empty. rows: of a constraint, places of the rows whose multipliers are
    the components of the normal force, at right angles. axes: of a joint, the axes of its moving frame, 0 to 2, along
    which it transmits them. slips: velocities [m/s or rad/s], linear, along which friction acts. coefficient: its size
    beside the normal force's. width: how quick the slip is where 1/√2 of it is reached. both_sides: of one component,
    whether a normal force of either sign makes friction, or only a positive one.
    """

    name: str
    constraint: str
    rows: tuple[int, ...]
    slips: tuple[Node, ...]
    coefficient: Node
    width: Node
    both_sides: bool = True
    joint: str = ""
    axes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Handle:
    """What a person can take hold of: a point of a body, offset in its frame [m]."""

    name: str
    body: str
    offset: Vector


@dataclass(frozen=True, eq=False, repr=False)
class System:
    """A mechanism, frozen. Build one with `Model`, a gallery function or an importer. Equal only to itself."""

    name: str
    graph: Graph
    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...]  # one for each body, in the same order: the tree's, root to leaf, as they were added
    gravity: Vector  # [m/s²], ground axes
    points: Mapping[str, Point] = field(default_factory=dict)
    frames: Mapping[str, Frame] = field(default_factory=dict)
    loads: tuple[Load, ...] = ()
    rotors: tuple[Rotor, ...] = ()
    defaults: Mapping[str, float] = field(default_factory=dict)  # parameters and their values
    quantities: Mapping[Node, Quantity] = field(default_factory=dict)  # placeholder symbol -> what it stands for
    expressions: Mapping[str, Node] = field(default_factory=dict)  # named outputs
    input_values: Mapping[str, float] = field(default_factory=dict)  # inputs and their values where none is given
    definitions: tuple[Speed, ...] = ()  # the user's generalized speeds; none: the joints' own
    conditions: tuple[Constraint, ...] = ()
    handles: tuple[Handle, ...] = ()
    input_rates: Mapping[str, str] = field(default_factory=dict)  # input -> the input that is its time derivative
    frictions: tuple[Friction, ...] = ()
    contacts: tuple[Contact, ...] = ()
    switchings: tuple[Switching, ...] = ()  # of switchable constraints about which something is said
    multipliers: Mapping[Node, Multiplier] = field(default_factory=dict)  # symbol in a guard -> what it stands for
    encounters: tuple[Encounter, ...] = ()  # pairs of polyhedra, whose contacts are of changing features

    def __post_init__(self) -> None:
        maps = ("points", "frames", "defaults", "quantities", "expressions", "input_values", "input_rates")
        for name in (*maps, "multipliers"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    # -- names --------------------------------------------------------------------------------------------------

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """Names, in the order of q."""
        return tuple(name for joint in self.joints if not joint.prescribed for name in joint.coordinate_names)

    @cached_property
    def speeds(self) -> tuple[str, ...]:
        """Names, in the order of u: the user's generalized speeds, or the joints' own."""
        return tuple(speed.name for speed in self.definitions) or self.joint_speeds

    @cached_property
    def joint_speeds(self) -> tuple[str, ...]:
        """Names of the joints' own speeds, in the tree's order."""
        return tuple(name for joint in self.joints if not joint.prescribed for name in joint.speed_names)

    @property
    def coordinate_symbols(self) -> tuple[Node, ...]:
        """In the order of q."""
        return tuple(symbol for joint in self.joints if not joint.prescribed for symbol in joint.coordinates)

    @property
    def speed_symbols(self) -> tuple[Node, ...]:
        """In the order of u."""
        return tuple(speed.symbol for speed in self.definitions) or self.joint_speed_symbols

    @property
    def joint_speed_symbols(self) -> tuple[Node, ...]:
        """Of the joints' own speeds, in the tree's order."""
        return tuple(symbol for joint in self.joints if not joint.prescribed for symbol in joint.speeds)

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names, in the order in which they were declared."""
        return tuple(self.input_values)

    @property
    def parameters(self) -> Mapping[str, float]:
        """Name -> value where none is given."""
        return self.defaults

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the model's own outputs."""
        return tuple(self.expressions)

    @cached_property
    def is_guided(self) -> bool:
        """Whether some body moves as expressions say."""
        return any(joint.guide is not None for joint in self.joints)

    @cached_property
    def constraints(self) -> Mapping[str, str]:
        """Name -> "permanent" or "switchable", in the order in which they were declared."""
        kinds = {x.name: "switchable" if x.switchable else "permanent" for x in self.conditions}
        return MappingProxyType(kinds)

    def constraint(self, name: str) -> Constraint:
        """The constraint of this name."""
        return self.conditions[_index(name, self._constraint_indices, "constraint", self.name)]

    @cached_property
    def found_while_moving(self) -> frozenset[str]:
        """Constraints of contacts between features that face each other for a time, of boxes and meshes."""
        slots = {name for met in self.encounters for name in met.slots}
        return frozenset(x for each in self.contacts if each.name in slots for x in (each.normal, each.slip) if x)

    def contact(self, name: str) -> Contact:
        """The contact point or stop of this name."""
        return self.contacts[_index(name, self._contact_indices, "contact", self.name)]

    def switching(self, constraint: str) -> Switching:
        """What imposes and deletes a constraint; nothing does where nothing is said."""
        known = {x.constraint: x for x in self.switchings}
        return known.get(constraint) or Switching(self.constraint(constraint).name)

    @property
    def calls(self) -> tuple[str, ...]:
        """Names of the Python functions that switch constraints, each once, in order."""
        return tuple(dict.fromkeys(x.name for x in guards(self.switchings) if isinstance(x, Call)))

    # -- parts --------------------------------------------------------------------------------------------------

    def body(self, name: str) -> Body:
        """The body of this name."""
        return self.bodies[_index(name, self._body_indices, "body", self.name)]

    def joint(self, name: str) -> Joint:
        """The joint of this name."""
        return self.joints[_index(name, self._joint_indices, "joint", self.name)]

    def slices(self, joint: str) -> tuple[slice, slice]:
        """Where a joint's coordinates lie in q and its own speeds in `joint_speeds`, which are u unless the user gave
        generalized speeds; empty for a prescribed joint."""
        return self._slices[_index(joint, self._joint_indices, "joint", self.name)]

    @property
    def neutral(self) -> NDArray[np.float64]:
        """q (coordinates,) at which every free joint's moved frame lies on its fixed one."""
        import numpy as np

        return np.array([x for joint in self.joints if not joint.prescribed for x in joint.motion.neutral()])

    @cached_property
    def _body_indices(self) -> dict[str, int]:
        return {body.name: i for i, body in enumerate(self.bodies)}

    @cached_property
    def _joint_indices(self) -> dict[str, int]:
        return {joint.name: i for i, joint in enumerate(self.joints)}

    @cached_property
    def _constraint_indices(self) -> dict[str, int]:
        return {constraint.name: i for i, constraint in enumerate(self.conditions)}

    @cached_property
    def _contact_indices(self) -> dict[str, int]:
        return {contact.name: i for i, contact in enumerate(self.contacts)}

    @cached_property
    def _slices(self) -> list[tuple[slice, slice]]:
        found, q, u = [], 0, 0
        for joint in self.joints:
            nq, nu = (0, 0) if joint.prescribed else (joint.motion.nq, joint.motion.np)
            found.append((slice(q, q + nq), slice(u, u + nu)))
            q, u = q + nq, u + nu
        return found

    # -- out ----------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the system to a readable file, from which `jourdain.load` makes the same system."""
        from .files import save

        save(self, path)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        from .files import from_text, to_text

        return from_text, (to_text(self), f"pickled system {self.name}")

    def __repr__(self) -> str:
        from .summary import summary

        return summary(self)

    def _repr_html_(self) -> str:
        """What a notebook shows. What writes it stands above the model, which knows it by name alone."""
        shown: str = import_module("jourdain.reader").shown(self)
        return shown


def must_be_system(value: object, done: str) -> None:
    """TypeError where something else is to be compiled, counted, derived."""
    if not isinstance(value, System):
        own = getattr(value, "system", None)
        hint = "; give its .system" if isinstance(own, System) else "; call its .system() first" if own else ""
        kind = type(value).__name__
        raise TypeError(f"a System is {done}, not {article(kind)} {kind}{hint}")


def _index(name: str, known: Mapping[str, int], what: str, system: str) -> int:
    if not isinstance(name, str):
        raise TypeError(f"the name of a {what} is needed, a text, not {name!r}")
    try:
        return known[name]
    except KeyError:
        raise KeyError(f"system {system!r} has no {what} {name!r}; {did_you_mean(name, known)}") from None
