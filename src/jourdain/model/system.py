"""The frozen description of a mechanism: what is compiled, derived, saved; nothing here can be edited.

All numbers are nodes of the system's own graph: constants, parameters (with default values), inputs, coordinates,
speeds and time. Derivations copy what they need into graphs of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..graph import Graph, Node
from ..spatial import Matrix, Vector
from .motion import Motion
from .pose import Pose

GROUND = "ground"


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
    A prescribed joint has no coordinates and speeds of its own in the System.
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

    axes: the body or frame in whose axes the components are given, "ground" for the ground's.
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
    """A generalized force on one of a joint's speeds (joint springs, dampers, friction, motors): any expression."""

    name: str
    joint: str
    index: int
    value: Node


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
    body's frame). of: the body; offset: of the point in the body frame; axes: the body or "ground" in whose axes the
    component is meant; component: 0, 1 or 2; axis: which unit vector, for "axis".
    """

    kind: str
    of: str
    offset: tuple[Node, Node, Node] | None
    axes: str
    component: int
    axis: int = 0


@dataclass(frozen=True, eq=False)
class System:
    """A mechanism, frozen. Build one with `Model`, a gallery function or an importer."""

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
