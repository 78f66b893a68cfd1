"""What a method is: how a step is made of evaluations, and the polynomial through it. One file each in `methods`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..graph import Node
from ..program import Array
from .plant import Plant


@dataclass(frozen=True)
class Slots:
    """Where a step lies: from (t, y) with rates f over h to (end, new); `rates` are those at the end of it.

    error: a cell, at most 1 for a step that is accurate enough; trouble: a cell, 1 where no step could be made.
    """

    t: Node
    h: Node
    end: Node
    y: Array
    f: Array
    new: Array
    rates: Array
    error: Node
    trouble: Node


class Method:
    """A way to integrate, with its tolerances or steps."""

    order: ClassVar[int]
    is_adaptive: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """Of the class."""
        return type(self).__name__


class Stepped(Method):
    """A method whose steps are compiled with the equations."""

    def refusal(self, plant: Plant) -> str:
        """Why this method cannot integrate this plant; "" if it can."""
        return ""

    @abstractmethod
    def emit(self, plant: Plant, at: Slots) -> None:
        """Emits code that makes a step; it must leave y and f as they are, to be repeated with another h."""

    def further(self, plant: Plant, at: Slots) -> Sequence[Array]:
        """Emits code for terms of the step's polynomial beyond Hermite's cubic; the arrays in which they are."""
        return ()


@dataclass(frozen=True)
class FixedStep(Stepped):
    """step: the longest step [s]; steps are shortened a little so that they end at the times that are asked for."""

    step: float = 1e-3

    def __post_init__(self) -> None:
        if not 0.0 < self.step < float("inf"):
            raise ValueError(f"a step of {self.step!r} s; a positive number is needed")
