"""What constraint forces are, body by body: the wrenches that the multipliers of some rows stand for.

A row is a velocity; its force has the power λ · row, whatever the motion (Jourdain). So what multiplies a body's
angular velocity in the row is, times λ, a moment on the body, and what multiplies the velocity of one of its points a
force there. A row of positions is taken by its rate: a point's position along another body's axis changes with the
point's velocity, and as the axis turns; a direction cosine with both bodies' angular velocities. What is left
multiplies joints' own speeds: those are forces within the joints, between the two bodies that a joint joins.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..graph import Node, symbols_of
from ..graph.differentiate import jacobian
from ..model.system import Level, Quantity
from ..spatial import Vector
from .inverse import Load
from .kinematics import across
from .loads import Acting, carried_across
from .mechanics import Mechanics

# What a row's rate is linear in, at each level; what else it holds are coefficients.
KINDS = {Level.VELOCITY: ("velocity", "omega"), Level.POSITION: ("position", "axis")}


class _Wrenches:
    """Collects; every wrench about its own link's origin, in that link's axes."""

    def __init__(self, mechanics: Mechanics) -> None:
        self.lowered, self.quantities = mechanics.lowered, mechanics.quantities
        quantities = self.lowered.system.quantities
        self.meaning = dict(zip(self.lowered.carry(list(quantities)), quantities.values()))
        self.found: list[Acting] = []

    def row(self, name: str, row: Node, level: Level, multiplier: Node) -> None:
        """One row's, for its multiplier."""
        carried = self.lowered.carry([row])
        kinds = KINDS[level]
        held = [x for x in symbols_of(carried) if x in self.meaning and self.meaning[x].kind in kinds]
        slopes = jacobian(carried, held)[0] if held else []
        for symbol, slope in zip(held, self.quantities.resolved_here(slopes)):
            self._quantity(name, self.meaning[symbol], slope * multiplier)

    def _quantity(self, name: str, quantity: Quantity, size: Node) -> None:
        """The wrenches whose power is size times the quantity's rate, or times the quantity where it is a velocity."""
        lowered, home = self.lowered, self.lowered.homes[quantity.of]
        target = lowered.homes[quantity.axes]
        axis = target.pose.rotation.inward(Vector.unit(lowered.graph, quantity.component))  # in its link
        own = across(lowered.tree, axis, target.link, home.link)
        nothing = Vector.zero(lowered.graph)
        if quantity.kind == "omega":
            self._add(name, quantity.of, Load(nothing, own * size))
        elif quantity.kind == "axis":  # d/dt a·c = (ω_of − ω_axes)·(a × c)
            turned = home.pose.rotation.inward(Vector.unit(lowered.graph, quantity.axis)).cross(own) * size
            self._add(name, quantity.of, Load(nothing, turned))
            self._add(name, quantity.axes, Load(nothing, -across(lowered.tree, turned, home.link, target.link)))
        else:
            offset = nothing if quantity.offset is None else lowered.vector(Vector(*quantity.offset))
            at = home.pose.translation + home.pose.rotation.inward(offset)
            force = own * size
            self._add(name, quantity.of, Load(force, at.cross(force)))
            if quantity.kind == "position":  # d/dt p·c = v·c + ω_axes·(c × p), p from the ground's origin
                pull = Load(force, at.cross(force))
                about = carried_across(lowered.tree, pull, home.link, -1).moment
                self._add(name, quantity.axes, Load(nothing, -across(lowered.tree, about, -1, target.link)))

    def _add(self, name: str, body: str, load: Load) -> None:
        if not (load.force.is_zero and load.moment.is_zero):
            self.found.append(Acting(name, body, self.lowered.homes[body].link, load))


def bond_wrenches(
    mechanics: Mechanics, rows: Sequence[tuple[str, Node, Level]], multipliers: Sequence[Node]
) -> list[Acting]:
    """The wrenches of some rows, each with a name and its level, an expression of the system, with these multipliers.

    Joints' own speeds and coordinates in the rows make none: their forces act within joints.
    """
    wrenches = _Wrenches(mechanics)
    for (name, row, level), multiplier in zip(rows, multipliers, strict=True):
        wrenches.row(name, row, level, multiplier)
    return wrenches.found


__all__ = ["bond_wrenches"]
