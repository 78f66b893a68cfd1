"""What has axes: a body, or a frame fixed in one; how it turns relative to others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Union

from ..graph import Node
from ..spatial import Rotation, Vector
from .arguments import Triple
from .drafts import Atom
from .system import GROUND
from .vectors import VectorExpression

if TYPE_CHECKING:
    from .workshop import Workshop

Seen = Union["Oriented", str, None]
"""What motion is seen from: a body, a frame, the name of either; None stands for the ground."""


class Oriented(ABC):
    """`x`, `y`, `z`: unit vectors. `omega`, `alpha`: angular velocity and acceleration, seen from the ground."""

    model: Workshop

    @property
    @abstractmethod
    def body_name(self) -> str:
        """The name of the body that the axes turn with."""

    @property
    @abstractmethod
    def turned(self) -> Rotation:
        """From these axes to the body's."""

    # -- vectors along the axes ---------------------------------------------------------------------------------

    @property
    def x(self) -> VectorExpression:
        """Unit vector."""
        return self._axis(0)

    @property
    def y(self) -> VectorExpression:
        """Unit vector."""
        return self._axis(1)

    @property
    def z(self) -> VectorExpression:
        """Unit vector."""
        return self._axis(2)

    def vector(self, components: Triple) -> VectorExpression:
        """A vector with these components along the axes."""
        given = self.model.read.triple(components, "a vector", static=False)
        return self.model.vector(self.body_name, self.turned.inward(given))

    # -- turning ------------------------------------------------------------------------------------------------

    @property
    def omega(self) -> VectorExpression:
        """Angular velocity [rad/s] in the ground."""
        return self._moving("omega")

    @property
    def alpha(self) -> VectorExpression:
        """Angular acceleration [rad/s²] in the ground."""
        return self._moving("alpha")

    def ang_vel_in(self, frame: Seen = None) -> VectorExpression:
        """Angular velocity [rad/s] relative to a body or frame."""
        base = self.model.seen_from(frame, "what an angular velocity is relative to")
        return self._turning("omega", self.body_name) - self._turning("omega", base)

    def ang_acc_in(self, frame: Seen = None) -> VectorExpression:
        """Angular acceleration [rad/s²] relative to a body or frame, and seen from it."""
        base = self.model.seen_from(frame, "what an angular acceleration is relative to")
        if base == self.body_name:
            return self.model.zero_vector()
        # d/dt of ω − ω_base as the base sees it: the ground's view less ω_base × (ω − ω_base)
        relative = self._turning("alpha", self.body_name) - self._turning("alpha", base)
        return relative - self._turning("omega", base).cross(self._turning("omega", self.body_name))

    def dcm(self, frame: Oriented) -> tuple[tuple[Node, ...], ...]:
        """Direction cosines: row i has the components of this i-th axis along the axes of the other."""
        return tuple(axis.in_frame(frame) for axis in (self.x, self.y, self.z))

    # -- inside -------------------------------------------------------------------------------------------------

    def _axis(self, k: int) -> VectorExpression:
        return self.model.vector(self.body_name, self.turned.inward(Vector.unit(self.model.graph, k)))

    def _moving(self, kind: str) -> VectorExpression:
        return self._turning(kind, self.body_name)

    def _turning(self, kind: str, body: str) -> VectorExpression:
        return self.model.zero_vector() if body == GROUND else self.model.kinematic(Atom(kind, body))
