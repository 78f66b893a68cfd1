"""The parts of a model while it can still be edited: what `Model` keeps and `freeze` turns into a System."""

from __future__ import annotations

from dataclasses import dataclass

from ..graph import Node
from ..spatial import Matrix, Vector
from .changing import Contact, Switching
from .encounter import Encounter
from .guide import Guide
from .mistakes import Where
from .motion import Motion
from .pose import Pose
from .system import Force, Friction, JointForce, Level, Load, Rotor, Torque


@dataclass(eq=False)
class BodyDraft:
    """A body. inertia: about the mass centre.

    missing: "mass" or "inertia" where the user gave none, which is a mistake for a body that moves.
    planar: only the moment about z is given. meant: an inertia that no physical body has is meant.
    """

    name: str
    where: Where
    mass: Node
    center: Vector
    inertia: Matrix
    missing: str = ""
    planar: bool = False
    meant: bool = False


@dataclass
class Drive:
    """How a joint is driven: its coordinates, and its speeds and their rates where the user gave them."""

    where: Where
    coordinates: tuple[Node, ...]
    speeds: tuple[Node, ...] = ()
    rates: tuple[Node, ...] = ()


@dataclass(eq=False)
class JointDraft:
    """A joint between two bodies, which are named and may be added later."""

    name: str
    where: Where
    parent: str
    child: str
    motion: Motion
    in_parent: Pose
    in_child: Pose
    coordinates: tuple[Node, ...]
    speeds: tuple[Node, ...]
    drive: Drive | None = None
    guide: Guide | None = None


@dataclass(eq=False)
class PointDraft:
    """A point of a body; offset: in the body frame, None for the mass centre, wherever that will be."""

    name: str
    body: str
    offset: Vector | None


@dataclass(eq=False)
class FrameDraft:
    """A frame of a body."""

    name: str
    body: str
    pose: Pose


@dataclass(eq=False)
class LoadDraft:
    """A load with the points that it acts at; their offsets are put in when the model is frozen."""

    load: Load
    where: Where
    points: tuple[PointDraft, ...] = ()


@dataclass(eq=False)
class RotorDraft:
    """A rotor and the line that put it there."""

    rotor: Rotor
    where: Where


@dataclass(eq=False)
class SpeedDraft:
    """A generalized speed and the line that defines it."""

    name: str
    where: Where
    symbol: Node
    value: Node


@dataclass(eq=False)
class ConstraintDraft:
    """A constraint and the line that declares it.

    satisfied: the user's speeds, defined after it, are to satisfy it by themselves.
    """

    name: str
    where: Where
    rows: tuple[Node, ...]
    level: Level
    switchable: bool
    satisfied: bool = False


@dataclass(eq=False)
class FrictionDraft:
    """Dry friction and the line that declares it."""

    friction: Friction
    where: Where


@dataclass(eq=False)
class ContactDraft:
    """A contact point or stop and the line that declares it."""

    contact: Contact
    where: Where


@dataclass(eq=False)
class EncounterDraft:
    """Two polyhedra that may touch and the line that declares it."""

    encounter: Encounter
    where: Where


@dataclass(eq=False)
class SwitchingDraft:
    """What switches a constraint, and the line that says it."""

    switching: Switching
    where: Where


@dataclass(eq=False)
class MultiplierDraft:
    """The symbol of a row's multiplier, and the line that first spoke of it."""

    symbol: Node
    where: Where


@dataclass(eq=False)
class HandleDraft:
    """What a person takes hold of."""

    name: str
    point: PointDraft


@dataclass(frozen=True)
class Atom:
    """A kinematic vector that only the derivation knows: its kind, body and, for kinds of a point, the point."""

    kind: str
    of: str
    point: PointDraft | None = None


@dataclass(frozen=True)
class Placeholder:
    """What a placeholder symbol stands for: a component of an atom, or of a body's unit vector (kind "axis")."""

    atom: Atom
    axes: str
    component: int
    axis: int = 0


def expressions(loads: tuple[Load, ...]) -> list[Node]:
    """All expressions of loads that can depend on the motion."""
    found: list[Node] = []
    for load in loads:
        if isinstance(load, (Force, Torque)):
            found += load.components
        elif isinstance(load, JointForce):
            found += [load.value] if load.energy is None else [load.value, load.energy]
        else:
            found += [load.tension] if load.energy is None else [load.tension, load.energy]
    return found
