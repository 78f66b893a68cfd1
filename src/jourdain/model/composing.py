"""Models made of others: a system placed under a prefix, parts taken away, parts replaced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from ..graph import Node, reachable, symbols_of
from .arguments import Scalar, Triple
from .changing import Crossing, Guard
from .finding import Finding
from .handles import BodyHandle
from .placing import Home, Placing
from .pose import Pose
from .system import GROUND, Force, JointForce, Load, Strut, System, Torque


class Freezable(Protocol):
    """A model."""

    def system(self) -> System:
        """What it describes, frozen."""
        ...


@dataclass(frozen=True)
class Part:
    """A system that was placed: `part["elbow"]` is the model's `m["left.elbow"]`."""

    model: Finding
    prefix: str

    def __getitem__(self, name: str) -> Any:
        return self.model[f"{self.prefix}.{name}" if self.prefix else name]


class Composing(Finding):
    """Putting together and taking apart."""

    def place(
        self,
        other: System | Freezable,
        prefix: str = "",
        *,
        on: BodyHandle | str = GROUND,
        at: Triple = (0, 0, 0),
        rotation: object = None,
        given: Mapping[str, Scalar] | None = None,
    ) -> Part:
        """Everything of another model or system, as a part of this one.

        prefix: every name of the part begins with it and a dot (`left.elbow`). on, at, rotation: where the part's
        ground is fixed; what it did to its ground is then felt by that body. given: what stands in the place of the
        part's parameters and inputs; those not named become parameters and inputs of this model.

        Gravity is this model's. Where the part's forces and outputs speak of positions, these are measured from its
        own ground; velocities and accelerations are those in this model's ground.
        """
        good = self.read.name(prefix, "prefix") if prefix else ""
        body = self.body_name(on, f"the body on which {good!r} is placed")
        pose = Pose(self.read.rotation(rotation, f"rotation of {good!r}"), self.read.triple(at, f"at of {good!r}"))
        return self._place(other, good, Home(body, pose), given)

    def remove(self, body: BodyHandle | str) -> None:
        """Take a body away, with its joint, all that it carries, and and what speaks of it: loads, rotors,
        constraints, handles and outputs."""
        said = self.mistakes.said
        name = self.body_name(body, "the body to remove")
        if self.mistakes.said != said:
            return
        if name == GROUND:
            self.mistakes.add("the ground cannot be removed")
            return
        gone = self._carried(name)
        joints = {joint.name for joint in self.joints.values() if joint.child in gone}
        for draft in [draft for draft in self.loads.values() if _touches(draft.load, gone, joints)]:
            self.forget("load", draft.load.name)
            del self.loads[draft.load.name]
        for rotor in [x for x in self.rotors if x.rotor.joint in joints]:
            self.forget("load", rotor.rotor.name)
            self.rotors.remove(rotor)
        symbols = {x for joint in joints for x in (*self.joints[joint].coordinates, *self.joints[joint].speeds)}
        symbols |= {x for x, meaning in self.placeholders.meanings.items() if {meaning.atom.of, meaning.axes} & gone}
        lost = {x.name for x in self.constraints.values() if not symbols.isdisjoint(reachable(x.rows))}
        for contact in [x.contact for x in self.contacts.values()]:
            if contact.normal in lost or not symbols.isdisjoint(symbols_of([contact.friction, contact.restitution])):
                lost |= {contact.normal, contact.slip} - {""}
                del self.contacts[contact.name]
        for met in [x.encounter for x in self.encounters.values()]:
            if not self.contacts.keys() >= set(met.slots):
                self.forget("encounter", met.name)
                del self.encounters[met.name]
        for constraint in sorted(lost):
            self.forget("constraint", constraint)
            del self.constraints[constraint]
        symbols |= {x.symbol for meaning, x in self.multipliers.items() if meaning.constraint in lost}
        for name in lost & self.switchings.keys():
            del self.switchings[name]
        for switched in self.switchings.values():
            on, off = (_left(x, symbols) for x in (switched.switching.on, switched.switching.off))
            switched.switching = replace(switched.switching, on=on, off=off)
        for friction in [x.friction for x in self.frictions.values()]:
            holds = friction.constraint in self.constraints or (friction.joint and friction.joint not in joints)
            if not holds or not symbols.isdisjoint(reachable([*friction.slips, friction.coefficient])):
                self.forget("load", friction.name)
                del self.frictions[friction.name]
        for handle in [x for x in self.handles.values() if x.point.body in gone]:
            self.forget("handle", handle.name)
            del self.handles[handle.name]
        for output in [x for x, value in self.outputs.items() if not symbols.isdisjoint(reachable([value]))]:
            self.forget("output", output)
            del self.outputs[output]
        for point in [x.name for x in self.points.values() if x.body in gone]:
            self.forget("point", point)
            del self.points[point]
        for frame in [x.name for x in self.frames.values() if x.body in gone]:
            self.forget("frame", frame)
            del self.frames[frame]
        for joint in joints:
            for symbol in (*self.joints[joint].coordinates, *self.joints[joint].speeds):
                self.forget("symbol", symbol.name)
                self.removed[symbol] = joint
            self.forget("joint", joint)
            del self.joints[joint]
        for each in gone:
            self.forget("body", each)
            del self.bodies[each]

    def replace(
        self,
        body: BodyHandle | str,
        other: System | Freezable,
        prefix: str = "",
        *,
        given: Mapping[str, Scalar] | None = None,
    ) -> Part:
        """Another system in the place of a body and all that it carries.

        The other's ground is fixed where the body's joint stood on its parent, so the other brings the joint with it.
        Arguments as for `place`. For another mass and inertia alone, `change` is enough.
        """
        said = self.mistakes.said
        name = self.body_name(body, "the body to replace")
        good = self.read.name(prefix, "prefix") if prefix else ""
        if self.mistakes.said != said:
            return Part(self, good)
        carrier = next((joint for joint in self.joints.values() if joint.child == name), None)
        if carrier is None:
            self.mistakes.add(f"{name!r} cannot be replaced, for no joint carries it")
            return Part(self, good)
        home = Home(carrier.parent, carrier.in_parent)
        self.remove(name)
        return self._place(other, good, home, given)

    # -- inside -------------------------------------------------------------------------------------------------

    def _place(
        self, other: System | Freezable, prefix: str, home: Home, given: Mapping[str, Scalar] | None
    ) -> Part:
        if not isinstance(other, System) and not hasattr(other, "system"):
            raise TypeError(f"a model or a System is placed in a model, not {other!r}")
        system = other if isinstance(other, System) else other.system()
        values: dict[str, Node] = {
            name: self.read.scalar(value, f"what is given for {name!r} of system {system.name!r}")
            for name, value in (given or {}).items()
        }
        Placing(self, system, prefix, home, values).run()
        return Part(self, prefix)

    def _carried(self, body: str) -> set[str]:
        """The body and all that stands on it."""
        gone, open_ = {body}, [body]
        while open_:
            parent = open_.pop()
            for joint in self.joints.values():
                if joint.parent == parent and joint.child in self.bodies and joint.child not in gone:
                    gone.add(joint.child)
                    open_.append(joint.child)
        return gone


def _left(guard: Guard | None, gone: set[Node]) -> Guard | None:
    """A guard that does not speak of what is taken away."""
    speaks = isinstance(guard, Crossing) and not gone.isdisjoint(symbols_of([guard.expression]))
    return None if speaks else guard


def _touches(load: Load, bodies: set[str], joints: set[str]) -> bool:
    """Whether a load acts on what is taken away."""
    if isinstance(load, Force | Torque):
        return bool({load.body, load.reaction, load.axes} & bodies)
    if isinstance(load, JointForce):
        return load.joint in joints
    assert isinstance(load, Strut)
    return bool({load.body_a, load.body_b} & bodies)
