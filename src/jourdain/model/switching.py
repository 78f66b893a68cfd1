"""What comes and goes: constraints that are switched on and off, stops, and what they carry as a condition."""

from __future__ import annotations

import math

from ..graph import Node, Role
from .arguments import Scalar, at_defaults
from .changing import Call, Contact, Crossing, Guard, ImpactLaw, Multiplier, Switching
from .constraining import Constraining, Rows
from .drafts import ContactDraft, SwitchingDraft
from .handles import JointHandle
from .mistakes import counted, did_you_mean, users_line
from .motion import Orientation

COMPARISONS = ("less", "less_equal", "equal", "not_equal")
STICKS = "{} sticks"


class Changing(Constraining):
    """Switches and stops."""

    def switch(
        self,
        name: str,
        *rows: Rows,
        on: Scalar | Call | None = None,
        off: Scalar | Call | None = None,
        start: bool = False,
    ) -> None:
        """A constraint that holds while it is on. Rows as for `keep`.

        on, off: what imposes it and what deletes it, an expression at the moment when it rises through zero, or
        `m.call(name)`; where both are left out, it is switched by hand. Besides coordinates, velocities, time and
        inputs they may hold what constraints carry, `m.multiplier(name)`: a latch that gives way at 50 N has
        `off=m.multiplier("latch") - 50`. start: whether it holds at the start of a simulation.
        """
        self._switched(self._constrain(name, rows, switchable=True), on, off, start)

    def when(
        self, name: str, *, on: Scalar | Call | None = None, off: Scalar | Call | None = None, start: bool = False
    ) -> None:
        """What imposes and deletes a switchable constraint that is declared already, as a loop may be:
        `m.close("gripped", "spherical", hand, ball, switchable=True)`, then `m.when("gripped", on=m.call("grip"))`.

        Arguments as for `switch`.
        """
        draft = self.constraints.get(name) if isinstance(name, str) else None
        own = {x for draft in self.contacts.values() for x in (draft.contact.normal, draft.contact.slip)}
        if draft is None:
            known = did_you_mean(str(name), self.constraints)
            self.mistakes.add(f"what is switched is {name!r}, but there is no such constraint; {known}")
        elif not draft.switchable:
            self.mistakes.add(f"constraint {name!r} always holds; declare it by switch, or with switchable=True")
        elif name in own:
            self.mistakes.add(f"constraint {name!r} is a contact's, which imposes and deletes it")
        elif name in self.switchings:
            self.mistakes.add(f"what switches {name!r} is said already, at {self.switchings[name].where}")
        else:
            self._switched(name, on, off, start)

    def call(self, name: str) -> Call:
        """A condition that a Python function of (t, q, u) answers by a number; it is given to `simulate` by name."""
        return Call(self.read.name(name, "function that switches"))

    def multiplier(self, constraint: str, row: int = 0) -> Node:
        """What a constraint carries, for `on` and `off` of switches: the multiplier λ of one of its rows, 0 the first.

        λ is a force [N] where the row is a distance or a velocity along a line, a moment [N m] where it is an angle;
        positive where it pushes the row up, as in M u̇ + h = f + Aᵀ λ; zero while the constraint is off. The constraint
        may be declared after this line.
        """
        good = self.read.name(constraint, "constraint that a multiplier is of")
        if isinstance(row, bool) or not isinstance(row, int) or row < 0:
            self.mistakes.add(f"the multiplier of {good!r} is of row {row!r}; rows are counted 0, 1, …")
            row = 0
        return self.multiplier_symbol(Multiplier(good, row))

    def stop(
        self, name: str, expression: Scalar, *, restitution: Scalar = 0.0, law: ImpactLaw = ImpactLaw.STRONGE
    ) -> None:
        """An expression of coordinates [m or rad] that never falls below zero: `m.stop("upper", 2.0 - q)`.

        restitution: 0 (it stays) to 1 (it bounces back as quickly as it came); law: what it compares.
        """
        bounce = self._restitution(restitution, f"stop {name!r}")
        if self._gap(name, expression, f"stop {name!r}"):
            self._contact(name, "", self.graph.zero, bounce, law)

    def limits(
        self,
        joint: JointHandle | str,
        *,
        lower: Scalar | None = None,
        upper: Scalar | None = None,
        index: int = 0,
        restitution: Scalar = 0.0,
        law: ImpactLaw = ImpactLaw.STRONGE,
    ) -> None:
        """Stops at the ends of a joint's coordinate `index` [rad or m]: "JOINT lower" and "JOINT upper".

        Of a joint of several coordinates they are called after the coordinate, "JOINT.x lower". lower, upper: numbers
        or expressions of parameters; for limits that move use `stop`.
        """
        draft = self.joint_of(joint, "the joint that has limits")
        if draft is None:
            return
        if lower is None and upper is None:
            self.mistakes.add(f"joint {draft.name!r} has no limits; give lower=, upper= or both")
        count = len(draft.coordinates)
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < count:
            self.mistakes.add(f"joint {draft.name!r} has {counted(count, 'coordinate')}; there is no index {index!r}")
            return
        q = draft.coordinates[index]
        if draft.motion.orientation is Orientation.QUATERNION and "q" in draft.motion.coordinate_names[index]:
            self.mistakes.add(
                f"{q.name!r} is a quaternion's component, which no stop limits; give the joint "
                "orientation=jourdain.ANGLES, or use stop"
            )
            return
        low = None if lower is None else self.read.static(lower, f"the lower limit of {q.name!r}")
        high = None if upper is None else self.read.static(upper, f"the upper limit of {q.name!r}")
        if low is not None and high is not None:
            a, b = at_defaults([low, high], self.defaults)
            if not a < b:
                self.mistakes.add(f"the limits of {q.name!r} are {a:g} and {b:g}; the lower must be below the upper")
        if low is not None:
            self.stop(f"{q.name} lower", q - low, restitution=restitution, law=law)
        if high is not None:
            self.stop(f"{q.name} upper", high - q, restitution=restitution, law=law)

    # -- inside -------------------------------------------------------------------------------------------------

    def _switched(self, name: str, on: object, off: object, start: object) -> None:
        """Keep what is said of a switchable constraint, where something is."""
        if not isinstance(start, bool):
            self.mistakes.add(f"start of switch {name!r} is {start!r}; True or False is needed")
        imposed, deleted = self._guard(on, f"on of switch {name!r}"), self._guard(off, f"off of switch {name!r}")
        if imposed is not None or deleted is not None or start is True:
            made = Switching(name, imposed, deleted, start is True)
            self.switchings[name] = SwitchingDraft(made, users_line())

    def _guard(self, value: object, what: str) -> Guard | None:
        if value is None or isinstance(value, Call):
            return value
        if callable(value) and not isinstance(value, Node):
            self.mistakes.add(f'{what} is a function; write m.call("a name") and give it to simulate by that name')
            return None
        said = self.mistakes.said
        node = self.read.guard(value, what)
        if self.mistakes.said > said:
            return None
        if node.roles & Role.ACCELERATION.bit:
            self.mistakes.add(f"{what} depends on accelerations; write it with velocities or multipliers")
        elif node.op.name in COMPARISONS:
            self.mistakes.add(f"{what} is a comparison; write the difference that rises through zero")
        elif node.is_static:
            self.mistakes.add(f"{what} is {node!r}, which never changes; write an expression that rises through zero")
        return Crossing(node)

    def _gap(self, name: str, value: object, what: str) -> bool:
        """Whether an expression is a place, which is then kept under the name as a switchable constraint."""
        said = self.mistakes.said
        node = self.read.scalar(value, what)
        if node.roles & (Role.SPEED.bit | Role.ACCELERATION.bit):
            self.mistakes.add(f"{what} depends on velocities; a gap or a stop depends on where things are")
        elif self.mistakes.said == said:
            self._constrain(name, [node], switchable=True)
        return self.mistakes.said == said

    def _contact(self, name: str, slip: str, friction: Node, restitution: Node, law: ImpactLaw) -> None:
        """A contact whose constraints are there."""
        if not isinstance(law, ImpactLaw):
            known = ", ".join(f"ImpactLaw.{x.name}" for x in ImpactLaw)
            self.mistakes.add(f"the law of impact of {name!r} is {law!r}; it is one of {known}")
            return
        self.contacts[name] = ContactDraft(Contact(name, name, slip, friction, restitution, law), users_line())

    def _restitution(self, value: object, what: str) -> Node:
        node = self._by_place(value, f"restitution of {what}")
        if node.is_static and not 0.0 <= at_defaults([node], self.defaults)[0] <= 1.0:
            self.mistakes.add(f"restitution of {what} is {node!r}; it lies between 0 and 1")
            return self.graph.zero
        return node

    def _friction(self, value: object, what: str) -> Node:
        node = self._by_place(value, f"friction of {what}")
        if node.is_static and not 0.0 <= at_defaults([node], self.defaults)[0] < math.inf:
            self.mistakes.add(f"friction of {what} is {node!r}; it is zero or a positive number")
            return self.graph.zero
        return node

    def _by_place(self, value: object, what: str) -> Node:
        """What may differ from place to place and from time to time, but not with velocity."""
        node = self.read.scalar(value, what)
        if node.roles & (Role.SPEED.bit | Role.ACCELERATION.bit):
            self.mistakes.add(f"{what} depends on velocities; coordinates, time, inputs and parameters may stand in it")
            return self.graph.zero
        return node
