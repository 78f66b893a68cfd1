"""What acts on a model's bodies: forces, torques, springs, dampers, friction, rotors."""

from __future__ import annotations

from collections.abc import Callable

from ..graph import Node, Role, sqrt
from ..spatial import Vector
from .arguments import Scalar, Triple
from .drafts import JointDraft, LoadDraft, PointDraft, RotorDraft
from .handles import BodyHandle, FrameHandle, JointHandle, PointHandle
from .mistakes import users_line
from .motion import Orientation
from .system import GROUND, Force, JointForce, Load, Rotor, Strut, Torque
from .vectors import VectorExpression
from .workshop import Workshop

Axes = BodyHandle | FrameHandle | str | None


class Loading(Workshop):
    """Loads. Each may be named; without a name it is numbered."""

    def force(
        self,
        force: VectorExpression | Triple,
        *,
        at: PointHandle | str,
        axes: Axes = None,
        reaction: BodyHandle | str | None = None,
        name: str | None = None,
    ) -> None:
        """A force [N] on the body of the point `at`.

        force: a vector, or three components along the axes of the body or frame `axes` (the ground's if left out).
        reaction: a body that feels the opposite force, at the same place.
        """
        said = self.mistakes.said
        point = self.point_of(at, "the point that the force acts at")
        against = GROUND if reaction is None else self.body_name(reaction, "the reaction of a force")
        label = self.fresh("load", "force", name)
        if point.body == GROUND and against == GROUND and self.mistakes.said == said:
            self.mistakes.add(f"force {label!r} acts on the ground, which does not feel it")
        for i, (frame, components) in enumerate(self._components(force, axes, "a force")):
            offset = point.offset or Vector.zero(self.graph)
            self._load(Force(self._part(label, i), point.body, offset, components, frame, against), point)

    def torque(
        self,
        torque: VectorExpression | Triple,
        *,
        on: BodyHandle | str,
        axes: Axes = None,
        reaction: BodyHandle | str | None = None,
        name: str | None = None,
    ) -> None:
        """A torque [N m] on a body; the other arguments are those of `force`."""
        said = self.mistakes.said
        body = self.body_name(on, "the body that the torque acts on")
        against = GROUND if reaction is None else self.body_name(reaction, "the reaction of a torque")
        label = self.fresh("load", "torque", name)
        if body == GROUND and against == GROUND and self.mistakes.said == said:
            self.mistakes.add(f"torque {label!r} acts on the ground, which does not feel it")
        for i, (frame, components) in enumerate(self._components(torque, axes, "a torque")):
            self._load(Torque(self._part(label, i), body, components, frame, against))

    def joint_force(
        self, joint: JointHandle | str, value: Scalar, index: int = 0, *, name: str | None = None
    ) -> None:
        """A generalized force on a joint's speed `index`: [N m] where the speed is [rad/s], [N] where it is [m/s]."""
        draft = self._freedom(joint, index, "the joint of a force")
        if draft is not None:
            label = self.fresh("load", "joint force", name)
            self._load(JointForce(label, draft.name, index, self.acting(value, f"joint force {label!r}")))

    def spring(
        self,
        a: PointHandle | str,
        b: PointHandle | str,
        *,
        stiffness: Scalar,
        rest: Scalar = 0.0,
        name: str | None = None,
    ) -> None:
        """A spring between two points: stiffness [N/m], length without force [m].

        The points must never meet, for then the force has no direction, and the result is NaN; with the rest length 0
        they may.
        """
        label = self.fresh("load", "spring", name)
        k = self.acting(stiffness, f"stiffness of {label!r}")
        stretch_from = self.acting(rest, f"rest length of {label!r}")
        self._strut(
            label,
            a,
            b,
            lambda length, rate: k * (length - stretch_from),
            lambda length: k * (length - stretch_from) ** 2 * 0.5,
        )

    def damper(
        self, a: PointHandle | str, b: PointHandle | str, *, damping: Scalar, name: str | None = None
    ) -> None:
        """A damper between two points: damping [N s/m]. The points must never meet: NaN is what comes out then."""
        label = self.fresh("load", "damper", name)
        c = self.acting(damping, f"damping of {label!r}")
        self._strut(label, a, b, lambda length, rate: c * rate)

    def strut(
        self,
        a: PointHandle | str,
        b: PointHandle | str,
        *,
        tension: Callable[[Node, Node], Scalar],
        name: str | None = None,
    ) -> None:
        """A force along the line between two points, which must never meet.

        tension: from the distance [m] and its rate [m/s] to the force that pulls the points together [N].
        """
        label = self.fresh("load", "strut", name)
        self._strut(label, a, b, tension)

    def joint_spring(
        self,
        joint: JointHandle | str,
        *,
        stiffness: Scalar,
        rest: Scalar = 0.0,
        index: int = 0,
        name: str | None = None,
    ) -> None:
        """A spring on a joint's coordinate `index`: stiffness [N m/rad or N/m], coordinate without force."""
        draft = self._freedom(joint, index, "the joint of a spring")
        if draft is None:
            return
        label = self.fresh("load", "joint spring", name)
        if draft.motion.orientation is Orientation.QUATERNION and "q" in draft.motion.coordinate_names[index]:
            self.mistakes.add(
                f"joint spring {label!r} acts on {draft.motion.coordinate_names[index]!r}, a quaternion's component; "
                "give the joint orientation=jourdain.ANGLES, or use joint_force"
            )
            return
        k = self.acting(stiffness, f"stiffness of {label!r}")
        stretch = draft.coordinates[index] - self.acting(rest, f"rest of {label!r}")
        moment = -(k * stretch)
        # The power of the spring is moment · q̇ = moment · Γ p, so each speed feels its column of Γ.
        row = draft.motion.kinematic(self.graph, draft.coordinates)[index]
        felt = [(i, factor) for i, factor in enumerate(row) if not factor.is_zero]
        for part, (i, factor) in enumerate(felt):
            energy = k * stretch * stretch * 0.5 if part == 0 else None
            self._load(JointForce(self._part(label, part), draft.name, i, moment * factor, energy))

    def joint_damper(
        self, joint: JointHandle | str, *, damping: Scalar, index: int | None = None, name: str | None = None
    ) -> None:
        """Viscous friction on a joint's speed `index`, or on all its speeds: damping [N m s/rad or N s/m]."""
        label = self.fresh("load", "joint damper", name)
        c = self.acting(damping, f"damping of {label!r}")
        self._on_speeds(joint, index, label, lambda speed: -(c * speed))

    def joint_friction(
        self,
        joint: JointHandle | str,
        *,
        moment: Scalar,
        width: Scalar = 0.01,
        index: int | None = None,
        name: str | None = None,
    ) -> None:
        """Coulomb friction on a joint's speed `index`, or on all its speeds, smoothed: −moment · v / √(v² + width²).

        moment: the friction of a joint that turns quickly [N m or N]; it may depend on coordinates and inputs. width:
        the speed at which 1/√2 of it is reached [rad/s or m/s]. At rest this friction is a damper of moment / width,
        so a joint under load creeps and does not stick.
        """
        label = self.fresh("load", "joint friction", name)
        size = self.acting(moment, f"moment of {label!r}")
        narrow = self.read.static(width, f"width of {label!r}")
        if narrow.is_constant and narrow.value <= 0.0:
            self.mistakes.add(f"width of {label!r} is {narrow.value}; a positive speed is needed")
        self._on_speeds(joint, index, label, lambda v: -(size * (v / sqrt(v * v + narrow * narrow))))

    def rotor(
        self,
        joint: JointHandle | str,
        *,
        inertia: Scalar,
        ratio: Scalar = 1.0,
        index: int = 0,
        name: str | None = None,
    ) -> None:
        """A rotor that a gear turns `ratio` times as fast as the joint: adds inertia · ratio² [kg m²] to its speed.

        The rotor's own gyroscopic moments are left out, as is usual.
        """
        draft = self._freedom(joint, index, "the joint of a rotor")
        if draft is None:
            return
        label = self.fresh("load", "rotor", name)
        i = self.read.static(inertia, f"inertia of {label!r}")
        n = self.read.static(ratio, f"ratio of {label!r}")
        if i.is_constant and i.value < 0.0:
            self.mistakes.add(f"inertia of {label!r} is {i.value}; it cannot be negative")
        self.rotors.append(RotorDraft(Rotor(label, draft.name, index, i, n), users_line()))

    # -- inside -------------------------------------------------------------------------------------------------

    def acting(self, value: object, what: str) -> Node:
        """An expression that a force may depend on: anything but accelerations, which the forces produce."""
        node = self.read.scalar(value, what)
        if node.roles & Role.ACCELERATION.bit:
            self.mistakes.add(f"{what} depends on accelerations, which only follow from the forces")
            return self.graph.zero
        return node

    def _components(
        self, value: VectorExpression | Triple, axes: Axes, what: str
    ) -> list[tuple[str, Vector]]:
        """A vector as components in the axes of one body or several."""
        if not isinstance(value, VectorExpression):
            parts = [self.axes_of(axes, self.read.triple(value, what, static=False), f"the axes of {what}")]
        else:
            if value.places is not self.placeholders:
                self.mistakes.add(f"{what} is a vector of another model")
                return []
            if axes is not None:
                self.mistakes.add(
                    f"{what} is a vector, which has its own axes; leave out axes=, or give three components"
                )
            parts = list(value.by_axes().items())
        for _, components in parts:
            for x in components:
                self.acting(x, what)
        return parts

    def _part(self, label: str, i: int) -> str:
        """Loads that need several parts: the first has the name itself."""
        return label if i == 0 else self.claim("load", f"{label} part {i + 1}", "load")

    def _load(self, load: Load, *points: PointDraft) -> None:
        self.loads[load.name] = LoadDraft(load, users_line(), points)

    def _strut(
        self,
        label: str,
        a: PointHandle | str,
        b: PointHandle | str,
        tension: Callable[[Node, Node], Scalar],
        energy: Callable[[Node], Node] | None = None,
    ) -> None:
        said = self.mistakes.said
        p, q = self.point_of(a, f"an end of {label!r}"), self.point_of(b, f"an end of {label!r}")
        if p.body == q.body and self.mistakes.said == said:
            self.mistakes.add(f"both ends of {label!r} are on {p.body!r}, so it moves nothing")
        length = self.placeholders.own(f"{label}: length", Role.COORDINATE)
        rate = self.placeholders.own(f"{label}: rate", Role.SPEED)
        pull = self.acting(tension(length, rate), f"the tension of {label!r}")
        zero = Vector.zero(self.graph)
        stored = energy(length) if energy else None
        strut = Strut(label, p.body, p.offset or zero, q.body, q.offset or zero, length, rate, pull, stored)
        self._load(strut, p, q)

    def _freedom(self, joint: JointHandle | str, index: int, what: str) -> JointDraft | None:
        """A joint with a speed of this index."""
        draft = self.joint_of(joint, what)
        if draft is None:
            return None
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < draft.motion.np:
            has = f"{draft.motion.np} speeds" if draft.motion.np != 1 else "one speed"
            self.mistakes.add(f"joint {draft.name!r} has {has}; there is no index {index!r}")
            return None
        return draft

    def _on_speeds(
        self, joint: JointHandle | str, index: int | None, label: str, law: Callable[[Node], Node]
    ) -> None:
        """A force on one of a joint's speeds, or on each, that depends on that speed."""
        if index is not None:
            draft = self._freedom(joint, index, f"the joint of {label!r}")
        else:
            draft = self.joint_of(joint, f"the joint of {label!r}")
            if draft is not None and draft.motion.np == 0:
                self.mistakes.add(f"{label!r} acts on joint {draft.name!r}, which has no freedom")
        if draft is None:
            return
        chosen = range(draft.motion.np) if index is None else (index,)
        for part, i in enumerate(chosen):
            self._load(JointForce(self._part(label, part), draft.name, i, law(draft.speeds[i])))
