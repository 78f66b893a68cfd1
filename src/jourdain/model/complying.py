"""Shapes that press into one another a little: contact as a force, smooth while they touch, none while they do not."""

from __future__ import annotations

from dataclasses import dataclass

from ..graph import Node, less, maximum, power, select, sqrt
from .arguments import Scalar, at_defaults
from .loading import Loading
from .spots import Spot
from .touching import PAIRS, Side, Touching
from .vectors import VectorExpression


@dataclass(frozen=True)
class _Law:
    """Hunt and Crossley's, with Coulomb's friction."""

    stiffness: Node
    dissipation: Node
    friction: Node
    exponent: Node
    width: Node

    def force(self, spot: Spot, velocity: VectorExpression) -> VectorExpression:
        """On the one shape at its point of contact; velocity: of its material there, as seen from the other."""
        graph = spot.gap.graph
        touching = less(spot.gap, 0.0)
        depth = select(touching, -spot.gap, 1.0)  # a power of a negative number is none
        damping = 1.0 - 1.5 * self.dissipation * (velocity @ spot.normal)
        normal = select(touching, maximum(self.stiffness * power(depth, self.exponent) * damping, 0.0), 0.0)
        total = spot.normal * normal
        if self.friction.is_zero:
            return total
        slips = [velocity @ direction for direction in spot.across]
        square = sum((x * x for x in slips), graph.zero)
        rub = self.friction * normal / sqrt(square + self.width * self.width)
        for direction, slip in zip(spot.across, slips):
            total = total - direction * (rub * slip)
        return total


class Complying(Loading, Touching):
    """Contacts that are forces."""

    def compliant_contact(
        self,
        name: str,
        one: Side,
        other: Side,
        *,
        stiffness: Scalar,
        dissipation: Scalar = 0.0,
        friction: Scalar = 0.0,
        exponent: Scalar = 1.5,
        slip_width: Scalar = 1e-3,
    ) -> None:
        """Two shapes, as for `contact`, that press on each other where they overlap: a force, and no constraint.

        At each point where they overlap by δ > 0 the normal force is N = k δⁿ (1 + 3/2 d δ̇), never below zero (Hunt and
        Crossley 1975): stiffness k [N/mⁿ], exponent n (3/2 of two balls, Hertz; 1 of a linear spring), dissipation d
        [s/m]. A drop at the speed v comes back with the restitution 1 − d v while that is near 1. friction: Coulomb's
        coefficient μ; against the slip s the force is μ N s / √(s² + w²), with slip_width w [m/s].

        All is computed without branches and stays finite: for batches and gradients. A stiff contact asks for short
        steps; `contact` needs none, and sticks where this one creeps.
        """
        what = f"compliant contact {name!r}"
        law = _Law(
            self.read.positive(stiffness, f"stiffness of {what}"),
            self._at_least(dissipation, 0.0, f"dissipation of {what}"),
            self._friction(friction, what),
            self._at_least(exponent, 1.0, f"exponent of {what}"),
            self.read.positive(slip_width, f"slip width of {what}"),
        )
        scene = self._scene(one, other, what)
        if scene is None:
            return
        if (scene.one.kind, scene.other.kind) not in PAIRS:
            self.mistakes.add(f"{what} is of two polyhedra, which touch without yielding alone; use m.contact")
            return
        push, moment = self.zero_vector(), self.zero_vector()
        for spot in PAIRS[scene.one.kind, scene.other.kind](scene):
            force = law.force(spot, self._relative(scene, spot)).express(scene.other.body)
            push = push + force
            moment = moment + spot.arm.express(scene.other.body).cross(force)
        self.force(push, at=scene.one.hub, reaction=scene.other.body, name=name)
        self.torque(moment, on=scene.one.body, reaction=scene.other.body, name=f"{name} moment")

    # -- inside -------------------------------------------------------------------------------------------------

    def _at_least(self, value: object, least: float, what: str) -> Node:
        node = self.read.static(value, what)
        if at_defaults([node], self.defaults)[0] < least:
            self.mistakes.add(f"{what} is {node!r}; it must be at least {least:g}")
            return self.graph.constant(least)
        return node
