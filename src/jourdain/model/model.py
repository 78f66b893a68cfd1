"""The model that a user edits; `system()` freezes it."""

from __future__ import annotations

from typing import Self

from ..graph import Node
from .arguments import Triple
from .closing import Closing
from .complying import Complying
from .composing import Composing
from .defining import Defining
from .freeze import freeze
from .mistakes import counted
from .placing import Home, Placing
from .pose import Pose
from .system import GROUND, System, must_be_system

STANDARD_GRAVITY = (0.0, 0.0, -9.81)


class Model(Defining, Closing, Complying, Composing):
    """A mechanism while it is described: bodies, joints, loads, inputs, outputs.

    gravity: in ground axes [m/s²], numbers or expressions of parameters.

    What is wrong is noted with the line that said it, and `system` raises it all together.
    """

    def __init__(self, name: str, gravity: Triple = STANDARD_GRAVITY) -> None:
        super().__init__(name)
        self.gravity = gravity

    @property
    def gravity(self) -> tuple[Node, Node, Node]:
        """In ground axes [m/s²]; may be set, for instance to expressions of parameters."""
        x, y, z = self._gravity
        return x, y, z

    @gravity.setter
    def gravity(self, value: Triple) -> None:
        self._gravity = self.read.triple(value, "gravity")

    def system(self) -> System:
        """The finished mechanism, which cannot be edited; ModelError with every mistake in it.

        The model can be edited further and frozen again.
        """
        return freeze(self, self._gravity)

    @classmethod
    def of(cls, system: System) -> Self:
        """A model of everything in a system, to be edited further: joints locked, parts replaced, loads added."""
        return cls._of(system, whole=True)

    @classmethod
    def without_speeds(cls, system: System) -> Self:
        """As `of`, but in the joints' own speeds; constraints that the system's speeds satisfied are then imposed."""
        return cls._of(system, whole=False)

    @classmethod
    def _of(cls, system: System, whole: bool) -> Self:
        must_be_system(system, "edited by a model")
        model = cls(system.name)
        placing = Placing(model, system, "", Home(GROUND, Pose.identity(model.graph)), {}, whole=whole)
        placing.run()
        model._gravity = placing.carry.vector(system.gravity)
        return model

    def __repr__(self) -> str:
        bodies = counted(len(self.bodies), "body", "bodies")
        return f"<model {self.name!r}: {bodies}, {counted(len(self.joints), 'joint')}>"
