"""Kane's equations by the names of their parts: partial velocities, generalized active and inertia forces.

In a system's own generalized speeds u, the user's or the joints': F_r = Σ v_r·R + ω_r·T over all loads and
F*_r = −Σ m a·v_r + (I α + ω × I ω)·ω_r over all bodies, v_r and a those of the mass centre, ω_r the body's partial
angular velocity; F_r + F*_r = 0 (Gillespie 2003, 13–14 and 34–35; Kane & Levinson 1983). Accelerations are those of
the motion itself, so what moves as given is in them, and in the velocity remainders.

Every body has its standard inertia. Everything is an expression in the graph; `values` puts numbers in.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ..graph import Node, substitute
from ..graph.differentiate import jacobian
from ..graph.shorter import shorter
from ..model.mistakes import did_you_mean
from ..model.system import GROUND, System
from ..spatial import Vector
from .formulation import Formulation
from .generalized import mechanics_of
from .inverse import Accelerations, Load, accelerate, weights
from .kinematics import Twist, across, twists
from .known import Known
from .loads import Acting, Effort
from .lower import moved_pose
from .mechanics import Mechanics
from .partial_velocities import PartialVelocities, PartialVelocityTable
from .rows import Rows
from .tree import Solid

Place = str | Vector | Sequence[float] | None


class Kane:
    """Kane's quantities of a system, in its own speeds; constraints that the speeds do not satisfy are not in it.

    q, u, udot: coordinates, generalized speeds and their rates (symbols). f: generalized forces added to the declared
    ones (symbols, which `values` sets to zero). speeds: names of u. bodies: names of all that move.

    Points are a body and a place in it, `at`: the name of one of the model's points, or an offset in the body frame
    [m]; the frame's origin if left out. `axes`: the name of a body or of a frame, or "ground"; the body's own if left
    out.
    """

    def __init__(self, system: System | Mechanics) -> None:
        self.mechanics = system if isinstance(system, Mechanics) else mechanics_of(system, Formulation(settled=False))
        self.system, self.graph = self.mechanics.system, self.mechanics.graph
        self.q, self.u, self.udot = self.mechanics.q, self.mechanics.u, tuple(self.mechanics.udot)
        self.f = tuple(self.mechanics.f)
        self.speeds: tuple[str, ...] = self.system.speeds
        self._lowered, self._tree = self.mechanics.lowered, self.mechanics.standard
        self._solids: dict[str, Solid] = {x.name: x for x in self._tree.solids if x.link >= 0}
        self.bodies = tuple(self._solids)

    # -- velocities and accelerations ---------------------------------------------------------------------------

    def angular_velocity(self, body: str, axes: str | None = None) -> Vector:
        """ω [rad/s] of a body in the ground."""
        link, _ = self._seat(body, None)
        return self._turned(self._still if link < 0 else self._twists[link].w, link, body, axes)

    def velocity(self, body: str, at: Place = None, axes: str | None = None) -> Vector:
        """v [m/s] of a point of a body in the ground."""
        link, offset = self._seat(body, at)
        return self._turned(self._still if link < 0 else _moved(self._twists[link], offset), link, body, axes)

    def angular_acceleration(self, body: str, axes: str | None = None) -> Vector:
        """α [rad/s²] of a body in the ground."""
        link, _ = self._seat(body, None)
        return self._turned(self._still if link < 0 else self._motion.spins[link].rate, link, body, axes)

    def acceleration(self, body: str, at: Place = None, axes: str | None = None) -> Vector:
        """a [m/s²] of a point of a body in the ground."""
        link, offset = self._seat(body, at)
        felt = self._still if link < 0 else self._motion.origins[link] + self._motion.spins[link].u @ offset
        return self._turned(felt, link, body, axes)

    # -- partial velocities -------------------------------------------------------------------------------------

    def partial_angular_velocities(self, body: str, axes: str | None = None) -> list[Vector]:
        """ω_r of a body, one for each speed."""
        link, _ = self._seat(body, None)
        return [self._turned(x.w, link, body, axes) for x in self._partials(link)]

    def partial_velocities(self, body: str, at: Place = None, axes: str | None = None) -> list[Vector]:
        """v_r of a point of a body, one for each speed."""
        link, offset = self._seat(body, at)
        return [self._turned(_moved(x, offset), link, body, axes) for x in self._partials(link)]

    def angular_velocity_remainder(self, body: str, axes: str | None = None) -> Vector:
        """ω_t [rad/s]: what no speed multiplies."""
        return self._at_rest(self.angular_velocity(body, axes))

    def velocity_remainder(self, body: str, at: Place = None, axes: str | None = None) -> Vector:
        """v_t [m/s]: what no speed multiplies."""
        return self._at_rest(self.velocity(body, at, axes))

    def center(self, body: str) -> Vector:
        """The mass centre of a body as a place `at` [m]."""
        return self._lowered.vector(self.system.body(body).center)

    def table(
        self, bodies: Sequence[str] | None = None, at: Place = None, axes: str | None = None
    ) -> PartialVelocityTable:
        """Partial angular velocities of bodies, all that move if left out, and partial velocities of a point of each:
        its mass centre, or the place `at`; along the axes of `axes`, or of each body itself. Small measure numbers are
        multiplied out where that makes them shorter to read."""
        entries = []
        for body in self.bodies if bodies is None else bodies:
            place = self.center(body) if at is None else at
            entries.append(
                PartialVelocities(
                    body,
                    self._words(body, at),
                    body if axes is None else axes,
                    self.speeds,
                    tuple(map(_short, self.partial_angular_velocities(body, axes))),
                    tuple(map(_short, self.partial_velocities(body, place, axes))),
                    _short(self.angular_velocity_remainder(body, axes)),
                    _short(self.velocity_remainder(body, place, axes)),
                )
            )
        return PartialVelocityTable(tuple(entries))

    # -- generalized active forces ------------------------------------------------------------------------------

    def active_forces(self) -> list[Node]:
        """F_r (speeds,) of gravity and of all declared loads; f is not among them."""
        total = self._nothing
        for body in self.bodies:
            total = _sum(total, self.active_forces_on(body))
        for joint in self.system.joints:
            total = _sum(total, self.joint_forces(joint.name))
        return total

    def active_forces_on(self, body: str) -> list[Node]:
        """The contribution to F_r (speeds,) of gravity and of the declared forces and torques on one body."""
        total = self.weight_forces(body)
        for acting in self._acting:
            if acting.body == body:
                total = _sum(total, self._felt(acting.link, acting.wrench))
        return total

    def weight_forces(self, body: str) -> list[Node]:
        """The contribution of gravity on one body (speeds,)."""
        solid = self._solid(body)
        if solid is None:
            return self._nothing
        weight = self._weights[solid.link] * -solid.mass
        return self._felt(solid.link, Load(weight, solid.center.cross(weight)))

    def load_forces(self, load: str) -> list[Node]:
        """The contribution of one declared load (speeds,), whatever bodies or joints it acts on, both ends together."""
        names = [x.name for x in self.system.loads]
        if load not in names:
            raise KeyError(f"system {self.system.name!r} has no load {load!r}; {did_you_mean(load, names)}")
        total = self._nothing
        for acting in self._acting:
            if acting.name == load:
                total = _sum(total, self._felt(acting.link, acting.wrench))
        for effort in self._efforts:
            if effort.name == load:
                total = _sum(total, self._effort_felt(effort))
        return total

    def joint_forces(self, joint: str) -> list[Node]:
        """The contribution of the declared loads that act on a joint's own speeds (speeds,): springs, motors, friction.

        Which wrenches on the two bodies they stand for is not said, and not needed: the power is what counts.
        """
        self.system.joint(joint)  # says what there is
        total = self._nothing
        for effort in self._efforts:
            if effort.joint == joint:
                total = _sum(total, self._effort_felt(effort))
        return total

    # -- generalized inertia forces -----------------------------------------------------------------------------

    def inertia_forces(self) -> list[Node]:
        """F*_r (speeds,) of all bodies and of reflected rotors."""
        total = self.rotor_forces()
        for body in self.bodies:
            total = _sum(total, self.inertia_forces_of(body))
        return total

    def inertia_forces_of(self, body: str) -> list[Node]:
        """F*_r (speeds,) of one body: −m a·v_r − (I α + ω × I ω)·ω_r."""
        solid = self._solid(body)
        if solid is None:
            return self._nothing
        spin = self._motion.spins[solid.link]
        force = (self._motion.origins[solid.link] + spin.u @ solid.center) * -solid.mass
        torque = -(solid.central @ spin.rate + spin.w.cross(solid.central @ spin.w))
        return self._felt(solid.link, Load(force, torque + solid.center.cross(force)))

    def rotor_forces(self) -> list[Node]:
        """F*_r (speeds,) of the rotors behind gears: −J times the rate of the joint's speed that they add to."""
        total = self._nothing
        for place, inertia in self._tree.rotors:
            if place < self._tree.freedom:
                total = _sum(total, self._at_joint(place, -(inertia * self._joint_rates[place])))
        return total

    def equations(self) -> list[Node]:
        """F_r + F*_r + f_r (speeds,), which vanish on every motion: Kane's dynamical equations."""
        parts = zip(self.active_forces(), self.inertia_forces(), self.f)
        return [a + b + c for a, b, c in parts]

    # -- what the motion is written in; constrained quantities put other expressions here -----------------------

    @cached_property
    def _joint_speeds(self) -> Sequence[Node]:
        """p (joint speeds,) of q, u and t."""
        return self._lowered.speeds

    @cached_property
    def _joint_rates(self) -> Sequence[Node]:
        """ṗ (joint speeds,)"""
        return self.mechanics.joint_rates(self.udot)

    @cached_property
    def _known(self) -> Sequence[Known]:
        return self._lowered.known

    def _in_speeds(self, nodes: Sequence[Node]) -> list[Node]:
        """What a load is at these speeds."""
        return list(nodes)

    # -- inside -------------------------------------------------------------------------------------------------

    @cached_property
    def _twists(self) -> list[Twist]:
        return twists(self._tree, self._joint_speeds, self._known)

    @cached_property
    def _motion(self) -> Accelerations:
        tree = self.mechanics.moving(self._lowered, self.udot).tree.without_gravity()
        return accelerate(tree, self._joint_speeds, self._joint_rates, known=self._known)

    @cached_property
    def _weights(self) -> list[Vector]:
        """−g in each link's axes."""
        return weights(self._tree)

    @cached_property
    def _acting(self) -> list[Acting]:
        found = []
        for x in self.mechanics.loads.acting:
            six = self._in_speeds([*x.wrench.force, *x.wrench.moment])
            found.append(Acting(x.name, x.body, x.link, Load(Vector(*six[:3]), Vector(*six[3:]))))
        return found

    @cached_property
    def _efforts(self) -> list[Effort]:
        efforts = self.mechanics.loads.efforts
        return [Effort(x.name, x.joint, x.place, self._in_speeds([x.value])[0]) for x in efforts]

    @cached_property
    def _link_partials(self) -> dict[int, list[Twist]]:
        return {}

    def _partials(self, link: int) -> list[Twist]:
        """For each speed, ∂ω/∂u_r and ∂v/∂u_r of a link's origin, in its axes."""
        known = self._link_partials
        if link not in known:
            twist = self._twists[link] if link >= 0 else Twist(self._still, self._still)
            rows = jacobian([*twist.w, *twist.v], self.u)
            columns = [[row[k] for row in rows] for k in range(len(self.u))]
            known[link] = [Twist(Vector(*x[:3]), Vector(*x[3:])) for x in columns]
        return known[link]

    def _felt(self, link: int, load: Load) -> list[Node]:
        """What a wrench about a link's origin asks of each speed."""
        return [x.w.dot(load.moment) + x.v.dot(load.force) for x in self._partials(link)]

    def _effort_felt(self, effort: Effort) -> list[Node]:
        return self._at_joint(effort.place, effort.value) if effort.place < self._tree.freedom else self._nothing

    def _at_joint(self, place: int, value: Node) -> list[Node]:
        """What a generalized force on a joint's speed asks of each speed: ∂p/∂u_r times it."""
        return [x * value for x in self._joint_partials[place]]

    @cached_property
    def _joint_partials(self) -> Rows:
        return jacobian(self._joint_speeds, self.u)

    def _solid(self, body: str) -> Solid | None:
        self.system.body(body)  # says what there is
        return self._solids.get(body)

    def _seat(self, body: str, at: Place) -> tuple[int, Vector]:
        """A body's link and a place of the body in the link's frame."""
        if body != GROUND:
            self.system.body(body)  # says what there is
        home = self._lowered.homes[body]
        offset = self._offset(body, at)
        return home.link, home.pose.translation + home.pose.rotation.inward(offset)

    def _offset(self, body: str, at: Place) -> Vector:
        if at is None:
            return self._still
        if isinstance(at, str):
            point = self.system.points.get(at)
            if point is None or point.body != body:
                own = [x.name for x in self.system.points.values() if x.body == body]
                raise KeyError(f"body {body!r} has no point {at!r}; {did_you_mean(at, own)}")
            return self._lowered.vector(point.offset)
        return at if isinstance(at, Vector) else Vector.of(self.graph, at)

    def _words(self, body: str, at: Place) -> str:
        if at is None:
            return f"the mass centre of {body}"
        return at if isinstance(at, str) else f"a point of {body}"

    def _turned(self, vector: Vector, link: int, body: str, axes: str | None) -> Vector:
        """A vector in a link's axes along those that are asked for."""
        name = body if axes is None else axes
        frame = None if name in self._lowered.homes else self.system.frames.get(name)
        seat = name if frame is None else frame.body
        if seat not in self._lowered.homes:
            known = [*self._lowered.homes, *self.system.frames]  # the ground among them
            raise KeyError(f"there is no body or frame {name!r} to take axes from; {did_you_mean(name, known)}")
        home = self._lowered.homes[seat]
        seen = home.pose.rotation.outward(across(self._tree, vector, link, home.link))
        return seen if frame is None else moved_pose(frame.pose, self.graph).rotation.outward(seen)

    def _at_rest(self, vector: Vector) -> Vector:
        return Vector(*substitute(vector, dict.fromkeys(self.u, self.graph.zero)))

    @property
    def _still(self) -> Vector:
        return Vector.zero(self.graph)

    @property
    def _nothing(self) -> list[Node]:
        return [self.graph.zero] * len(self.u)


def _moved(twist: Twist, offset: Vector) -> Vector:
    """The velocity of a point of the same body."""
    return twist.v + twist.w.cross(offset)


def _short(vector: Vector) -> Vector:
    return Vector(*map(shorter, vector))


def _sum(a: Sequence[Node], b: Sequence[Node]) -> list[Node]:
    return [x + y for x, y in zip(a, b, strict=True)]


__all__ = ["Kane"]
