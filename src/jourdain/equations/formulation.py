"""How a read-out is written: where frames stand, which inertias, which algebra. What it gives stays the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..graph import Node
from .inverse import MATRICES, Algebra, Turning, turn_from_parent
from .tree import Tree
from .turnings import turn_with_sums

ARTICULATED = "articulated bodies"


@dataclass(frozen=True)
class Formulation:
    """One way to write the equations.

    settled: link frames where they cost least, else at the joints as the user placed them. leaves_turned: last links
    turned so that their first moments lie in a plane. grouped: base parameters instead of the bodies' own.
    algebra: U-matrices or cross products. sums: summed angles along parallel axes. articulated: forward dynamics by
    articulated bodies instead of mass matrix and LᵀDL. still: frames of wheels do not turn with them. recombined:
    generalized speeds by recombination of the joints' own equations instead of substitution. embedded: constraints by
    dependent speeds that follow instead of multipliers.
    """

    settled: bool = True
    leaves_turned: bool = False
    grouped: bool = True
    algebra: Algebra = MATRICES
    sums: bool = False
    articulated: bool = False
    still: bool = False
    recombined: bool = False
    embedded: bool = False

    def turnings(self, tree: Tree, speeds: Sequence[Node], rates: Sequence[Node]) -> list[Turning]:
        """The angular part of the outward sweep."""
        return (turn_with_sums if self.sums else turn_from_parent)(tree, speeds, rates)

    def __str__(self) -> str:
        parts = ["settled frames" if self.settled or self.recombined else "joint frames"]
        if self.leaves_turned:
            parts.append("last links turned")
        parts.append("base parameters" if self.grouped else "standard parameters")
        parts.append(self.algebra.name)
        if self.sums:
            parts.append("summed angles")
        if self.articulated:
            parts.append(ARTICULATED)
        if self.still:
            parts.append("still wheels")
        if self.recombined:
            parts.append("recombined")
        if self.embedded:
            parts.append("constraints embedded")
        return ", ".join(parts)
