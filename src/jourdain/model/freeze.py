"""From the model that is edited to the System that is not: mistakes raised, symbols in order, drives put in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..graph import Graph, Node, Role, reachable, symbols_of
from ..graph.differentiate import jvp
from ..spatial import Vector
from .carrier import Carrier
from .changing import Call, Contact, Crossing, Guard, Multiplier, Switching, crossings
from .drafts import JointDraft, LoadDraft, Placeholder, PointDraft, expressions
from .files import settled
from .freedoms import check_freedoms
from .mistakes import Where, counted, did_you_mean
from .physical import check_bodies
from .system import (
    GROUND,
    TIME,
    Body,
    Constraint,
    Force,
    Frame,
    Friction,
    Handle,
    Joint,
    JointForce,
    Load,
    Point,
    Quantity,
    Rotor,
    Speed,
    Strut,
    System,
    Torque,
)
from .tree import Pair, moving, ordered
from .workshop import Workshop


def freeze(workshop: Workshop, gravity: Vector) -> System:
    """The System; ModelError with all of the model's mistakes."""
    said = len(workshop.mistakes.found)
    try:
        order = ordered(workshop)
        check_bodies(workshop, order, moving(order), gravity)
        _check_expressions(workshop)
        _check_multipliers(workshop)
        _check_speeds(workshop, order)
        workshop.mistakes.raise_for(workshop.name)
    finally:
        del workshop.mistakes.found[said:]  # a tree that is not complete yet may be completed
    check_freedoms(workshop, order)
    found = settled(_Freezing(workshop, order).system(gravity))
    lines = {x.name: x.where for x in workshop.definitions.values()}
    return replace(found, definitions=tuple(replace(x, where=lines[x.name]) for x in found.definitions))


def _check_expressions(workshop: Workshop) -> None:
    """Loads and outputs must not speak of what has been taken away."""
    there = {x for joint in workshop.joints.values() for x in (*joint.coordinates, *joint.speeds)}
    gone = {x: f"joint {joint!r}" for x, joint in workshop.removed.items() if x not in there}
    for symbol, meaning in workshop.placeholders.meanings.items():
        for body in (meaning.atom.of, meaning.axes):
            if body not in workshop.bodies and body != GROUND:
                gone[symbol] = f"body {body!r}"
    said: list[tuple[str, list[Node], Where | None]] = [
        (f"load {name!r}", expressions((draft.load,)), draft.where) for name, draft in workshop.loads.items()
    ]
    said += [(f"output {name!r}", [x], workshop.where("output", name)) for name, x in workshop.outputs.items()]
    said += [(f"generalized speed {x.name!r}", [x.value], x.where) for x in workshop.definitions.values()]
    said += [(f"constraint {x.name!r}", list(x.rows), x.where) for x in workshop.constraints.values()]
    said += [
        (f"friction {name!r}", [*x.friction.slips, x.friction.coefficient], x.where)
        for name, x in workshop.frictions.items()
    ]
    said += [
        (f"contact {name!r}", [x.contact.friction, x.contact.restitution], x.where)
        for name, x in workshop.contacts.items()
    ]
    said += [
        (f"what switches {name!r}", crossings((x.switching,)), x.where) for name, x in workshop.switchings.items()
    ]
    if gone:
        for what, nodes, where in said:
            for symbol in symbols_of(nodes):
                if symbol in gone:
                    workshop.mistakes.add(f"{what} depends on {gone[symbol]}, which was removed", where)


def _check_multipliers(workshop: Workshop) -> None:
    """Multipliers in guards must be those of rows that there are."""
    used = set(symbols_of(crossings(tuple(x.switching for x in workshop.switchings.values()))))
    for meaning, draft in workshop.multipliers.items():
        if draft.symbol not in used:
            continue
        constraint = workshop.constraints.get(meaning.constraint)
        if constraint is None:
            known = did_you_mean(meaning.constraint, workshop.constraints)
            workshop.mistakes.add(
                f"a multiplier is of {meaning.constraint!r}, but there is no such constraint; {known}", draft.where
            )
        elif meaning.row >= len(constraint.rows):
            workshop.mistakes.add(
                f"a multiplier is of row {meaning.row} of constraint {meaning.constraint!r}, which has "
                f"{counted(len(constraint.rows), 'row')}; the first is row 0",
                draft.where,
            )


def _check_speeds(workshop: Workshop, order: list[Pair]) -> None:
    """As many generalized speeds, and rows that they satisfy, as the joints have speeds."""
    if not workshop.definitions:
        return
    wanted = sum(joint.motion.np for _, joint in order if joint.drive is None)
    driven = {speed: joint.name for _, joint in order if joint.drive is not None for speed in joint.speeds}
    for draft in workshop.definitions.values():
        moving = [x for x in symbols_of([draft.value]) if x.role is Role.SPEED]
        if moving and driven.keys() >= set(moving):
            workshop.mistakes.add(
                f"generalized speed {draft.name!r} speaks of joint {driven[moving[0]]!r} alone, which is driven; "
                "define speeds of what is free",
                draft.where,
            )
    given = len(workshop.definitions)
    rows = {x.name: len(x.rows) for x in workshop.constraints.values() if x.satisfied}
    where = next(iter(workshop.definitions.values())).where
    if given == wanted:
        for constraint in workshop.constraints.values():
            constraint.satisfied = False  # a full set leaves them to be imposed
        return
    if given > wanted or given + sum(rows.values()) < wanted:  # rows may repeat each other: the derivation decides
        before = ", ".join(f"{name!r} ({n})" for name, n in rows.items()) or "none"
        workshop.mistakes.add(
            f"the joints have {counted(wanted, 'speed')} and {counted(given, 'generalized speed')} "
            f"{'is' if given == 1 else 'are'} defined, with {counted(sum(rows.values()), 'row')} kept at zero before "
            f"that: {before}; define as many as the joints have, or as many less as there are rows that they satisfy",
            where,
        )
    words = {x for draft in workshop.definitions.values() for x in symbols_of([draft.value])}
    for draft in workshop.definitions.values():
        if draft.symbol in words:
            workshop.mistakes.add(f"generalized speed {draft.name!r} is defined by generalized speeds", draft.where)


class _Freezing:
    def __init__(self, workshop: Workshop, order: list[Pair]) -> None:
        self.workshop = workshop
        self.order = order
        self.target = Graph()
        self.carry = Carrier(self.target)

    def system(self, gravity: Vector) -> System:
        workshop, carry = self.workshop, self.carry
        self._symbols()
        joints = tuple(self._joint(draft) for _, draft in self.order)
        bodies = tuple(
            Body(x.name, carry.node(x.mass), carry.vector(x.center), carry.matrix(x.inertia)) for x, _ in self.order
        )
        loads = tuple(self._load(draft) for draft in workshop.loads.values())
        outputs = {name: carry.node(x) for name, x in workshop.outputs.items()}
        definitions = tuple(
            Speed(x.name, carry.node(x.symbol), carry.node(x.value)) for x in workshop.definitions.values()
        )
        conditions = tuple(
            Constraint(x.name, carry.nodes(x.rows), x.level, x.switchable, x.satisfied)
            for x in workshop.constraints.values()
        )
        frictions = tuple(self._friction(x.friction) for x in workshop.frictions.values())
        moved = [*(x.value for x in definitions), *(row for x in conditions for row in x.rows)]
        moved += [x for friction in frictions for x in (*friction.slips, friction.coefficient)]
        contacts = tuple(self._contact(x.contact) for x in workshop.contacts.values())
        switchings = tuple(self._switching(x.switching) for x in workshop.switchings.values())
        moved += [x for contact in contacts for x in (contact.friction, contact.restitution)] + crossings(switchings)
        encounters = tuple(x.encounter.carried(carry.nodes) for x in workshop.encounters.values())
        moved += [x for met in encounters for x in met.moving]
        return System(
            workshop.name,
            self.target,
            bodies,
            joints,
            carry.vector(gravity),
            {x.name: Point(x.name, x.body, self._offset(x)) for x in workshop.points.values()},
            {x.name: Frame(x.name, x.body, carry.pose(x.pose)) for x in workshop.frames.values()},
            loads,
            tuple(self._rotor(x.rotor) for x in workshop.rotors),
            dict(workshop.defaults),
            self._quantities([*expressions(loads), *outputs.values(), *moved]),
            outputs,
            dict(workshop.input_values),
            definitions,
            conditions,
            tuple(Handle(x.name, x.point.body, self._offset(x.point)) for x in workshop.handles.values()),
            dict(workshop.input_rates),
            frictions,
            contacts,
            switchings,
            self._multipliers(),
            encounters,
        )

    def _symbols(self) -> None:
        """Parameters, inputs, time, coordinates, speeds: born in this order, so that code reads in it too."""
        for name in self.workshop.defaults:
            self.target.symbol(name, Role.PARAMETER)
        for name in self.workshop.input_values:
            self.target.symbol(name, Role.INPUT)
        time = self.target.symbol(TIME, Role.TIME)
        free = [joint for _, joint in self.order if joint.drive is None]
        for joint in free:
            self.carry.nodes(joint.coordinates)
        for joint in free:
            self.carry.nodes(joint.speeds)
        self.carry.nodes([x.symbol for x in self.workshop.definitions.values()])
        self.drives: dict[str, tuple[tuple[Node, ...], tuple[Node, ...], tuple[Node, ...]]] = {}
        for _, joint in self.order:
            if joint.drive is not None:
                self._drive(joint, time)

    def _drive(self, joint: JointDraft, time: Node) -> None:
        """A driven joint's coordinates, speeds and rates; they stand for its symbols from here on."""
        assert joint.drive is not None
        carry, target, clock = self.carry, self.target, {time: 1.0}
        q = carry.nodes(joint.drive.coordinates)
        p = carry.nodes(joint.drive.speeds)
        if not p and joint.motion.np:
            p = tuple(carry.motion(joint.motion).speeds(target, q, jvp(q, clock)))
        rates = carry.nodes(joint.drive.rates) or tuple(jvp(p, clock))
        self.drives[joint.name] = q, p, rates
        carry.built.update(zip(joint.coordinates, q))
        carry.built.update(zip(joint.speeds, p))

    def _joint(self, draft: JointDraft) -> Joint:
        carry, symbol = self.carry, self.target.symbol
        driven = self.drives.get(draft.name, ((), (), ()))
        return Joint(
            draft.name,
            draft.parent,
            draft.child,
            carry.motion(draft.motion),
            carry.pose(draft.in_parent),
            carry.pose(draft.in_child),
            tuple(symbol(x.name, x.role) for x in draft.coordinates),
            tuple(symbol(x.name, x.role) for x in draft.speeds),
            *driven,
            guide=None if draft.guide is None else draft.guide.carried(carry.pose, carry.vector),
        )

    def _offset(self, point: PointDraft) -> Vector:
        """In the body frame; of a mass centre, where it is now."""
        offset = self.workshop.bodies[point.body].center if point.offset is None else point.offset
        return self.carry.vector(offset)

    def _load(self, draft: LoadDraft) -> Load:
        load, carry = draft.load, self.carry
        if isinstance(load, Force):
            offset = self._offset(draft.points[0])
            return Force(load.name, load.body, offset, carry.vector(load.components), load.axes, load.reaction)
        if isinstance(load, Torque):
            return Torque(load.name, load.body, carry.vector(load.components), load.axes, load.reaction)
        if isinstance(load, JointForce):
            energy = None if load.energy is None else carry.node(load.energy)
            return JointForce(load.name, load.joint, load.index, carry.node(load.value), energy)
        a, b = (self._offset(x) for x in draft.points)
        length, rate, tension = carry.nodes((load.length, load.rate, load.tension))
        energy = None if load.energy is None else carry.node(load.energy)
        return Strut(load.name, load.body_a, a, load.body_b, b, length, rate, tension, energy)

    def _friction(self, friction: Friction) -> Friction:
        coefficient, width = self.carry.nodes((friction.coefficient, friction.width))
        return replace(friction, slips=self.carry.nodes(friction.slips), coefficient=coefficient, width=width)

    def _contact(self, contact: Contact) -> Contact:
        friction, restitution = self.carry.nodes((contact.friction, contact.restitution))
        return replace(contact, friction=friction, restitution=restitution)

    def _switching(self, switching: Switching) -> Switching:
        return replace(switching, on=self._guard(switching.on), off=self._guard(switching.off))

    def _guard(self, guard: Guard | None) -> Guard | None:
        return guard if guard is None or isinstance(guard, Call) else Crossing(self.carry.node(guard.expression))

    def _multipliers(self) -> Mapping[Node, Multiplier]:
        """Of the multipliers that guards hold."""
        built = self.carry.built
        return {built[x.symbol]: y for y, x in self.workshop.multipliers.items() if x.symbol in built}

    def _rotor(self, rotor: Rotor) -> Rotor:
        inertia, ratio = self.carry.nodes((rotor.inertia, rotor.ratio))
        return Rotor(rotor.name, rotor.joint, rotor.index, inertia, ratio)

    def _quantities(self, used: list[Node]) -> Mapping[Node, Quantity]:
        """What the placeholders that are used stand for."""
        needed = {x for x in reachable(used) if x.is_symbol}
        found: dict[Node, Quantity] = {}
        for symbol, meaning in self.workshop.placeholders.meanings.items():
            here = self.carry.built.get(symbol)
            if here is not None and here in needed:
                found[here] = self._quantity(meaning)
        return found

    def _quantity(self, meaning: Placeholder) -> Quantity:
        atom = meaning.atom
        point = None if atom.point is None else self._offset(atom.point)
        offset = None if point is None else (point.x, point.y, point.z)
        return Quantity(atom.kind, atom.of, offset, meaning.axes, meaning.component, meaning.axis)
