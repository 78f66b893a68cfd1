"""What the user's kinematic quantities (a point's velocity, a body's angular velocity) are in a derivation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ..graph import Node, Role, substitute, symbols_of
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
        link = home.link
        vector = self._vector(quantity, home)
        target = self.lowered.homes[quantity.axes]
        seen = across(self.tree, vector, link if quantity.kind != "position" else -1, target.link)
        return target.pose.rotation.outward(seen)[quantity.component]

    def _vector(self, quantity: Quantity, home: Home) -> Vector:
        """In the axes of the body's link; a position in the ground's."""
        graph = self.tree.graph
        offset = Vector.zero(graph) if quantity.offset is None else self.lowered.vector(Vector(*quantity.offset))
        at = home.pose.translation + home.pose.rotation.inward(offset)
        kind = quantity.kind
        if kind == "axis":
            return home.pose.rotation.inward(Vector.unit(graph, quantity.axis))
        if kind == "position":
            if home.link < 0:
                return at
            place = self._places[home.link]
            return place.origin + place.rotation @ at
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
