"""A system's parts put into a model: renamed, its ground fixed on one of the model's bodies, its symbols joined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..graph import Node, Role
from ..spatial import Rotation, Vector
from .carrier import Carrier
from .changing import Call, Contact, Crossing, Guard, Multiplier, Switching
from .drafts import (
    Atom,
    BodyDraft,
    ConstraintDraft,
    ContactDraft,
    Drive,
    EncounterDraft,
    FrameDraft,
    FrictionDraft,
    HandleDraft,
    JointDraft,
    LoadDraft,
    PointDraft,
    RotorDraft,
    SpeedDraft,
    SwitchingDraft,
)
from .encounter import Encounter
from .guide import RATE, Guide
from .mistakes import did_you_mean, users_line
from .pose import Pose
from .system import GROUND, TIME, Force, JointForce, Load, Quantity, Rotor, Speed, Strut, System, Torque
from .vectors import VectorExpression
from .workshop import Workshop


@dataclass(frozen=True)
class Home:
    """Where the placed system's ground is: fixed in a body of the model."""

    body: str
    pose: Pose


@dataclass(frozen=True)
class _Axes:
    """Axes that turn with a body."""

    body_name: str
    turned: Rotation


class Placing:
    """One system on its way into a model. prefix: put before every name, with a dot; none if empty.

    whole: the model is to be nothing but this system, and keeps its generalized speeds.
    """

    def __init__(
        self,
        workshop: Workshop,
        system: System,
        prefix: str,
        home: Home,
        given: Mapping[str, Node],
        whole: bool = False,
    ) -> None:
        self.whole = whole
        self.workshop, self.system, self.home = workshop, system, home
        self.prefix = f"{prefix}." if prefix else ""
        self.carry = Carrier(workshop.graph)
        self.where = users_line()
        self._points: dict[tuple[str, tuple[Node, ...]], PointDraft] = {}
        self._bodies = {GROUND: home.body}
        self._joints: dict[str, str] = {}
        self._guided: list[tuple[str, Guide]] = []
        self._symbols(given)

    def run(self) -> None:
        """Everything but gravity, which is the model's own."""
        workshop, carry, system = self.workshop, self.carry, self.system
        for body in system.bodies:
            name = self._bodies[body.name] = self._claim("body", body.name, "body")
            mass, center, inertia = carry.node(body.mass), carry.vector(body.center), carry.matrix(body.inertia)
            # Whether it can exist was asked when the system was made.
            workshop.bodies[name] = BodyDraft(name, self.where, mass, center, inertia, meant=True)
        for joint in system.joints:
            name = self._joints[joint.name] = self._claim("joint", joint.name, "joint")
            motion = carry.motion(joint.motion)
            coordinates, speeds = workshop.joint_symbols(name, motion)
            carry.built.update(zip(joint.coordinates, coordinates))
            carry.built.update(zip(joint.speeds, speeds))
            for old, new in zip(joint.speeds, speeds) if system.is_guided else ():
                rate = system.graph.symbol(RATE.format(old.name), Role.ACCELERATION)
                carry.built[rate] = workshop.graph.symbol(RATE.format(new.name), Role.ACCELERATION)
            parent, in_parent = self._fixed(joint.parent, carry.pose(joint.in_parent))
            workshop.joints[name] = JointDraft(
                name, self.where, parent, self._bodies[joint.child], motion, in_parent, carry.pose(joint.in_child),
                coordinates, speeds,
            )  # fmt: skip
            if joint.guide is not None:
                self._guided.append((name, joint.guide))
            if joint.prescribed:
                drive = (joint.prescribed, joint.prescribed_speeds, joint.prescribed_rates)
                workshop.joints[name].drive = Drive(self.where, *(carry.nodes(x) for x in drive))
        self._places()
        for symbol, quantity in system.quantities.items():
            carry.built[symbol] = self._quantity(quantity)
        for speed in system.definitions:  # in another model they are what they stand for
            value = carry.node(speed.value)
            carry.built[speed.symbol] = self._own_speed(speed, value) if self.whole else value
        for name, guide in self._guided:
            workshop.joints[name].guide = self._guide(guide)
        for load in system.loads:
            self._load(load)
        for rotor in system.rotors:
            name = self._claim("load", rotor.name, "rotor")
            inertia_and_ratio = carry.nodes((rotor.inertia, rotor.ratio))
            workshop.rotors.append(
                RotorDraft(Rotor(name, self._joints[rotor.joint], rotor.index, *inertia_and_ratio), self.where)
            )
        for output, value in system.expressions.items():
            workshop.outputs[self._claim("output", output, "output")] = carry.node(value)
        for met in system.encounters:
            self._features(met)
        for condition in system.conditions:
            name = self._claim("constraint", condition.name, "constraint")
            satisfied = condition.satisfied and self.whole
            workshop.constraints[name] = ConstraintDraft(
                name, self.where, carry.nodes(condition.rows), condition.level, condition.switchable, satisfied
            )
        for friction in system.frictions:
            name = self._claim("load", friction.name, "friction")
            coefficient, width = carry.nodes((friction.coefficient, friction.width))
            made = replace(
                friction,
                name=name,
                constraint=self.prefix + friction.constraint if friction.constraint else "",
                slips=carry.nodes(friction.slips),
                coefficient=coefficient,
                width=width,
                joint=self._joints[friction.joint] if friction.joint else "",
            )
            workshop.frictions[name] = FrictionDraft(made, self.where)
        for contact in system.contacts:
            workshop.contacts[self.prefix + contact.name] = ContactDraft(self._contact(contact), self.where)
        for symbol, meaning in system.multipliers.items():
            row = Multiplier(self.prefix + meaning.constraint, meaning.row)
            carry.built[symbol] = workshop.multiplier_symbol(row)
        for switching in system.switchings:
            made_so = self._switching(switching)
            workshop.switchings[made_so.constraint] = SwitchingDraft(made_so, self.where)
        for handle in system.handles:
            name = self._claim("handle", handle.name, "handle")
            workshop.handles[name] = HandleDraft(name, self._point(handle.body, handle.offset))

    def _features(self, met: Encounter) -> None:
        """Symbols of its own, in which its constraints speak of features."""
        name = self._claim("encounter", met.name, "contact")
        for k, symbol in enumerate(met.features):
            self.carry.built[symbol] = self.workshop.placeholders.own(f"{name}: feature {k + 1}", Role.FEATURE)
        here = met.carried(self.carry.nodes)
        slots = tuple(self.prefix + x for x in met.slots)
        self.workshop.encounters[name] = EncounterDraft(replace(here, name=name, slots=slots), self.where)

    def _contact(self, contact: Contact) -> Contact:
        friction, restitution = self.carry.nodes((contact.friction, contact.restitution))
        name, normal = self.prefix + contact.name, self.prefix + contact.normal
        slip = self.prefix + contact.slip if contact.slip else ""
        return Contact(name, normal, slip, friction, restitution, contact.law)

    def _switching(self, switching: Switching) -> Switching:
        on, off = self._guard(switching.on), self._guard(switching.off)
        return Switching(self.prefix + switching.constraint, on, off, switching.start)

    def _guard(self, guard: Guard | None) -> Guard | None:
        if isinstance(guard, Call):
            return Call(self.prefix + guard.name)
        return guard if guard is None else Crossing(self.carry.node(guard.expression))

    def _own_speed(self, speed: Speed, value: Node) -> Node:
        symbol = self.workshop.symbol(speed.symbol.name, Role.SPEED, "generalized speed")
        self.workshop.definitions[speed.name] = SpeedDraft(speed.name, self.where, symbol, value)
        return symbol

    def _guide(self, guide: Guide) -> Guide:
        """Guided bodies move relative to the ground, so that is where they must stay."""
        if self.home.body != GROUND or not self.home.pose.is_identity:
            self.workshop.mistakes.add(
                f"system {self.system.name!r} has guided bodies, whose motion is given relative to the ground; place "
                "it on the ground, where it was, without a rotation or an offset"
            )
        return guide.carried(self.carry.pose, self.carry.vector)

    # -- names and symbols --------------------------------------------------------------------------------------

    def _claim(self, space: str, name: str, what: str) -> str:
        return self.workshop.claim(space, self.prefix + name, what)

    def _symbols(self, given: Mapping[str, Node]) -> None:
        """Parameters and inputs: what is given in their place, or new ones."""
        workshop, system = self.workshop, self.system
        known = [*system.defaults, *system.input_values]
        for name in given:
            if name not in known:
                workshop.mistakes.add(
                    f"system {system.name!r} has no parameter or input {name!r} to be given; "
                    f"{did_you_mean(name, known)}"
                )
        for values, own, role, what in (
            (system.defaults, workshop.defaults, Role.PARAMETER, "parameter"),
            (system.input_values, workshop.input_values, Role.INPUT, "input"),
        ):
            for name, value in values.items():
                if name in given:
                    node = given[name]
                    if role is Role.PARAMETER and not node.is_static:
                        workshop.mistakes.add(
                            f"parameter {name!r} of system {system.name!r} is given as {node!r}, which changes while "
                            "the mechanism moves; only numbers and parameters can stand for a parameter"
                        )
                        node = workshop.graph.one
                else:
                    node = workshop.symbol(self.prefix + name, role, what)
                    own[node.name] = value
                self.carry.built[system.graph.symbol(name, role)] = node
        for name, rate in system.input_rates.items():
            of, its = (self.carry.built[system.graph.symbol(x, Role.INPUT)] for x in (name, rate))
            if of.is_symbol and its.is_symbol:
                workshop.input_rates[of.name] = its.name
        time = system.graph.symbol(TIME, Role.TIME)
        self.carry.built[time] = workshop.graph.symbol(TIME, Role.TIME)

    # -- where things are ---------------------------------------------------------------------------------------

    def _fixed(self, body: str, pose: Pose) -> tuple[str, Pose]:
        """A place in a body of the system as one in a body of the model."""
        return (self._bodies[body], self.home.pose.then(pose) if body == GROUND else pose)

    def _offset(self, body: str, offset: Vector) -> Vector:
        here = self.carry.vector(offset)
        if body != GROUND:
            return here
        return self.home.pose.translation + self.home.pose.rotation.inward(here)

    def _components(self, axes: str, components: Vector) -> tuple[str, Vector]:
        here = self.carry.vector(components)
        return self._bodies[axes], self.home.pose.rotation.inward(here) if axes == GROUND else here

    def _places(self) -> None:
        workshop = self.workshop
        for point in self.system.points.values():
            name = self._claim("point", point.name, "point")
            workshop.points[name] = PointDraft(name, self._bodies[point.body], self._offset(point.body, point.offset))
        for frame in self.system.frames.values():
            name = self._claim("frame", frame.name, "frame")
            body, pose = self._fixed(frame.body, self.carry.pose(frame.pose))
            workshop.frames[name] = FrameDraft(name, body, pose)

    def _point(self, body: str, offset: Vector) -> PointDraft:
        place = self._offset(body, offset)
        key = (self._bodies[body], tuple(place))
        if key not in self._points:
            self._points[key] = PointDraft(f"point {len(self._points) + 1} of {key[0]}", key[0], place)
        return self._points[key]

    # -- kinematic quantities -----------------------------------------------------------------------------------

    def _quantity(self, quantity: Quantity) -> Node:
        if quantity.kind == "rate":
            return self.workshop.placeholders.rate(self._bodies[quantity.of], quantity.component)
        if quantity.axes == GROUND:
            axes = _Axes(self.home.body, self.home.pose.rotation)
        else:
            axes = _Axes(self._bodies[quantity.axes], Rotation(self.workshop.graph))
        return self._vector(quantity).in_frame(axes)[quantity.component]

    def _vector(self, quantity: Quantity) -> VectorExpression:
        """Positions are measured from the system's own ground, velocities and accelerations in the model's."""
        workshop, kind, body = self.workshop, quantity.kind, self._bodies[quantity.of]
        if kind == "axis":
            return workshop.vector(body, Vector.unit(workshop.graph, quantity.axis))
        if quantity.offset is None:
            return workshop.kinematic(Atom(kind, body))
        vector = workshop.kinematic(Atom(kind, body, self._point(quantity.of, Vector(*quantity.offset))))
        if kind != "position":
            return vector
        if self.home.body == GROUND:
            return vector - workshop.vector(GROUND, self.home.pose.translation)
        stand = PointDraft(f"{self.prefix}ground", self.home.body, self.home.pose.translation)
        return vector - workshop.kinematic(Atom("position", self.home.body, stand))

    # -- loads --------------------------------------------------------------------------------------------------

    def _load(self, load: Load) -> None:
        carry, name = self.carry, self._claim("load", load.name, "load")
        points: tuple[PointDraft, ...] = ()
        made: Load
        if isinstance(load, Force):
            points = (self._point(load.body, load.offset),)
            axes, components = self._components(load.axes, load.components)
            body = self._bodies[load.body]
            made = Force(name, body, self._offset(load.body, load.offset), components, axes, self._felt(load.reaction))
        elif isinstance(load, Torque):
            axes, components = self._components(load.axes, load.components)
            made = Torque(name, self._bodies[load.body], components, axes, self._felt(load.reaction))
        elif isinstance(load, JointForce):
            energy = None if load.energy is None else carry.node(load.energy)
            made = JointForce(name, self._joints[load.joint], load.index, carry.node(load.value), energy)
        else:
            points = (self._point(load.body_a, load.offset_a), self._point(load.body_b, load.offset_b))
            made = self._strut(name, load, *points)
        self.workshop.loads[name] = LoadDraft(made, self.where, points)

    def _felt(self, reaction: str) -> str:
        """A force without a reaction stays without."""
        return GROUND if reaction == GROUND else self._bodies[reaction]

    def _strut(self, name: str, strut: Strut, a: PointDraft, b: PointDraft) -> Strut:
        carry, own = self.carry, self.workshop.placeholders.own
        length, rate = own(f"{name}: length", Role.COORDINATE), own(f"{name}: rate", Role.SPEED)
        carry.built[strut.length], carry.built[strut.rate] = length, rate
        energy = None if strut.energy is None else carry.node(strut.energy)
        zero = Vector.zero(self.workshop.graph)
        tension = carry.node(strut.tension)
        return Strut(name, a.body, a.offset or zero, b.body, b.offset or zero, length, rate, tension, energy)
