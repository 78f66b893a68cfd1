"""`speed_relations`: what generalized speeds stand for, and the rates that follow from them, to be read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..equations.generalized import mechanics_of
from ..equations.mechanics import Mechanics
from ..equations.relations import Relations, rate_relations, relations
from ..graph import Graph, Node
from ..graph.names import latex_name
from ..graph.write import latex, text
from ..model.system import System, must_be_system
from .shortened import shortened


@dataclass(frozen=True, eq=False, repr=False)
class SpeedRelations:
    """Kane's u = Y p + Z and p = W u + X, p the joints' own speeds; `in_rates` has the same with q̇ for p.

    Y, Z, W, X: rows of expressions; numbers come from `Compiled.speed_relations`.
    """

    mechanics: Mechanics

    @cached_property
    def to_joints(self) -> Relations:
        """Y, Z, W, X to the joints' own speeds."""
        return relations(self.mechanics)

    @cached_property
    def in_rates(self) -> Relations:
        """Y, Z, W, X to the rates of the coordinates; of a unit quaternion, to rates that keep its length."""
        return rate_relations(self.mechanics)

    @property
    def Y(self) -> list[list[Node]]:
        """(speeds, joint speeds)"""
        return self.to_joints.Y

    @property
    def Z(self) -> list[Node]:
        """(speeds,)"""
        return self.to_joints.Z

    @property
    def W(self) -> list[list[Node]]:
        """(joint speeds, speeds)"""
        return self.to_joints.W

    @property
    def X(self) -> list[Node]:
        """(joint speeds,)"""
        return self.to_joints.X

    def text(self) -> str:
        """A line for each speed, then one for each rate of a coordinate."""
        return "\n".join(f"{name} = {text(x)}" for name, x in self._lines())

    def latex(self) -> str:
        """As LaTeX mathematics, without dollar signs."""
        rows = [rf"{latex_name(name)} &= {latex(x)}" for name, x in self._lines()]
        return r"\begin{aligned} " + r" \\ ".join(rows) + r" \end{aligned}"

    def _lines(self) -> list[tuple[str, Node]]:
        mechanics, system = self.mechanics, self.mechanics.system
        there = self.to_joints
        own = [mechanics.graph.symbol(x.name, x.role) for x in system.joint_speed_symbols]
        values = [_sum(row, own, z) for row, z in zip(there.Y, there.Z)]
        pairs = list(zip((x.name for x in mechanics.u), values)) if system.definitions else []
        pairs += [(f"{x.name}dot", rate) for x, rate in zip(mechanics.q, mechanics.rates())]
        graph = Graph()
        for symbol in mechanics.graph.symbols:
            graph.symbol(symbol.name, symbol.role)
        return [(name, (shortened([x], graph) or [x])[0]) for name, x in pairs]

    def __repr__(self) -> str:
        return self.text()

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"


def _sum(row: list[Node], factors: list[Node], more: Node) -> Node:
    total = more
    for x, y in zip(row, factors):
        total = total + x * y
    return total


def speed_relations(system: System) -> SpeedRelations:
    """How a system's generalized speeds and the rates of its coordinates belong together, as expressions.

    Raises ModelError where the speeds' definitions do not tell the joints' speeds.
    """
    must_be_system(system, "looked at")
    return SpeedRelations(mechanics_of(system))
