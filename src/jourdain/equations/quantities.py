"""What the user's kinematic quantities (a point's velocity, a body's angular velocity) are in a derivation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from ..graph import Node, Role, substitute, symbols_of
from ..graph.differentiate import jvp
from ..model.system import TIME, Quantity
from ..spatial import Vector
from .inverse import Accelerations, accelerate
from .kinematics import Place, Twist, across, places, twists
from .lower import Home, Lowered

ACCELERATIONS = ("acceleration", "alpha", "rate")


class Quantities:
    """Resolves the placeholders of a system's expressions, building only what is asked for.

    accelerations: the free speeds' rates; without them an acceleration cannot be resolved.
    """

    def __init__(self, lowered: Lowered, accelerations: Sequence[Node] | None = None) -> None:
        self.lowered, self.tree = lowered, lowered.tree
        self.accelerations = accelerations
        system = lowered.system
        self._meaning = dict(zip(lowered.carry(list(system.quantities)), system.quantities.values()))
        self._known: dict[Node, Node] = {}

    def resolved(self, nodes: Sequence[Node]) -> list[Node]:
        """Expressions of the system, in the derivation's coordinates, speeds, inputs, parameters and time."""
        return self.resolved_here(self.lowered.carry(nodes))

    def resolved_here(self, carried: Sequence[Node]) -> list[Node]:
        """The same for expressions that are in the derivation's graph already."""
        wanted = [x for x in symbols_of(carried) if x in self._meaning]
        if not wanted:
            return list(carried)
        for symbol in wanted:
            if symbol not in self._known:
                self._known[symbol] = self._component(self._meaning[symbol])
        return substitute(carried, {symbol: self._known[symbol] for symbol in wanted})

    def rates_of(self, nodes: Sequence[Node]) -> list[Node]:
        """Derivatives with respect to time of a system's expressions of coordinates and time (nodes,).

        Positions and directions change by velocities, which the sweep over the tree has, and not by derivatives of what
        they are made of: that takes a fraction of the work.
        """
        carried = self.lowered.carry(nodes)
        moving: dict[Node, Node] = dict(self._rates)
        for symbol in symbols_of(carried):
            if symbol in self._meaning:
                moving[symbol] = self._changing(self._meaning[symbol])
        return self.resolved_here(jvp(carried, moving))

    def needs_accelerations(self, nodes: Sequence[Node]) -> bool:
        """Whether an expression of the system holds an acceleration."""
        quantities = self.lowered.system.quantities
        return any(x in quantities and quantities[x].kind in ACCELERATIONS for x in symbols_of(nodes))

    def rates(self) -> dict[Node, Node]:
        """What a derivative with respect to time needs: each coordinate's rate, and one for time itself."""
        return self._rates

    # -- one component ------------------------------------------------------------------------------------------

    def _component(self, quantity: Quantity) -> Node:
        if quantity.kind == "rate":
            return self._rate(quantity)
        home = self.lowered.homes[quantity.of]
        target = self.lowered.homes[quantity.axes]
        if quantity.kind == "position" and target.link < 0:
            seen = self._in_ground(quantity, home)
        else:
            seen = across(self.tree, self._vector(quantity, home), home.link, target.link)
        return target.pose.rotation.outward(seen)[quantity.component]

    def _changing(self, quantity: Quantity) -> Node:
        """The rate of a component of a position or of a direction, in axes that move: v − ω × r, (ω' − ω) × e."""
        if quantity.kind not in ("position", "axis"):
            raise ValueError(f"the {quantity.kind} of {quantity.of!r} is no place; its rate is an acceleration")
        turning = self._along_axes(replace(quantity, kind="omega", of=quantity.axes, offset=None))
        here = self._along_axes(quantity)
        if quantity.kind == "position":
            moved = self._along_axes(replace(quantity, kind="velocity")) - turning.cross(here)
        else:
            own = self._along_axes(replace(quantity, kind="omega", offset=None))
            moved = (own - turning).cross(here)
        return moved[quantity.component]

    def _along_axes(self, quantity: Quantity) -> Vector:
        """All three components."""
        return Vector(*(self._component(replace(quantity, component=k)) for k in range(3)))

    def _in_ground(self, quantity: Quantity, home: Home) -> Vector:
        """A position along the ground's axes."""
        at = self._place(quantity, home)
        if home.link < 0:
            return at
        place = self._places[home.link]
        return place.origin + place.rotation @ at

    def _place(self, quantity: Quantity, home: Home) -> Vector:
        """A point in its body's link."""
        graph = self.tree.graph
        offset = Vector.zero(graph) if quantity.offset is None else self.lowered.vector(Vector(*quantity.offset))
        return home.pose.translation + home.pose.rotation.inward(offset)

    def _vector(self, quantity: Quantity, home: Home) -> Vector:
        """In the axes of the body's link."""
        graph = self.tree.graph
        at = self._place(quantity, home)
        kind = quantity.kind
        if kind == "axis":
            return home.pose.rotation.inward(Vector.unit(graph, quantity.axis))
        if kind == "position":
            return at if home.link < 0 else self._origins[home.link] + at
        if home.link < 0:
            return Vector.zero(graph)
        if kind == "omega":
            return self._twists[home.link].w
        if kind == "velocity":
            twist = self._twists[home.link]
            return twist.v + twist.w.cross(at)
        spin, origin = self._motion.spins[home.link], self._motion.origins[home.link]
        return spin.rate if kind == "alpha" else origin + spin.u @ at

    def _rate(self, quantity: Quantity) -> Node:
        """The rate of a speed of the joint that carries a body; of a locked joint there is none."""
        system = self.lowered.system
        joint = next(x for x in system.joints if x.child == quantity.of)
        at = self.lowered.places.get(joint.name, ())
        if not at:
            return self.tree.graph.zero
        return self.tree.all_rates(self._given)[at[quantity.component]]

    @property
    def _given(self) -> Sequence[Node]:
        if self.accelerations is None:
            raise ValueError("a load cannot depend on an acceleration; the equations would have to be solved for it")
        return self.accelerations

    @cached_property
    def _places(self) -> list[Place]:
        return places(self.tree)

    @cached_property
    def _origins(self) -> list[Vector]:
        """Of each link, from the ground's origin, in the link's own axes."""
        found: list[Vector] = []
        for _, link in self.tree.outward():
            outer = link.origin if link.parent < 0 else found[link.parent] + link.origin
            found.append(link.rotation.outward(outer))
        return found

    @cached_property
    def _twists(self) -> list[Twist]:
        return twists(self.tree, self.lowered.speeds, self.lowered.known)

    @cached_property
    def _motion(self) -> Accelerations:
        given, tree, lowered = self._given, self.tree.without_gravity(), self.lowered
        return accelerate(tree, lowered.speeds, given, known=lowered.known)

    @cached_property
    def _rates(self) -> dict[Node, Node]:
        lowered = self.lowered
        rates: dict[Node, Node] = dict(zip(lowered.coordinates, lowered.rates()))
        # Time's symbol, whether or not anything holds it yet: expressions that are carried over later may.
        rates[lowered.graph.symbol(TIME, Role.TIME)] = lowered.graph.one
        for name, rate in lowered.system.input_rates.items():
            rates[lowered.graph.symbol(name, Role.INPUT)] = lowered.graph.symbol(rate, Role.INPUT)
        return rates
