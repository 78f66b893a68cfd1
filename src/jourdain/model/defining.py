"""A model's bodies, symbols and outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from ..graph import Node, Role
from ..spatial import Matrix, Vector
from .arguments import Scalar, Triple
from .drafts import BodyDraft
from .handles import BodyHandle, FrameHandle, PointHandle
from .inertias import InertiaOf, tensor
from .mistakes import users_line
from .symbols import Symbols
from .system import GROUND, TIME
from .tables import Curve, interpolated
from .vectors import VectorExpression
from .workshop import Workshop

InertiaLike = InertiaOf | Sequence[Scalar] | Sequence[Sequence[Scalar]] | NDArray[Any]


class Defining(Workshop):
    """Bodies, parameters, inputs, outputs."""

    # -- symbols ------------------------------------------------------------------------------------------------

    def parameter(self, name: str, value: float) -> Node:
        """A symbol that keeps its value while the mechanism moves; value: where none is given at run time."""
        number = self.read.number(value, f"the value of parameter {name!r}")
        symbol = self.symbol(name, Role.PARAMETER, "parameter")
        self.defaults[symbol.name] = number
        return symbol

    def parameters(self, **values: float) -> Symbols:
        """Several parameters, by name."""
        return Symbols({name: self.parameter(name, value) for name, value in values.items()})

    def input(self, name: str, value: float = 0.0) -> Node:
        """A symbol whose value comes from outside at every instant; value: where none is given."""
        number = self.read.number(value, f"the value of input {name!r}")
        symbol = self.symbol(name, Role.INPUT, "input")
        self.input_values[symbol.name] = number
        return symbol

    def inputs(self, *names: str, **values: float) -> tuple[Node, ...]:
        """Several inputs, in the order given: `F, tau = m.inputs("F", "tau")`."""
        return tuple(self.input(name, value) for name, value in [*((name, 0.0) for name in names), *values.items()])

    @property
    def time(self) -> Node:
        """The time [s]."""
        return self.graph.symbol(TIME, Role.TIME)

    def table(
        self,
        at: Scalar,
        points: Sequence[float] | NDArray[Any],
        values: Sequence[float] | NDArray[Any],
        curve: Curve = Curve.LINEAR,
    ) -> Node:
        """A value read from a table: `values` at increasing `points`, by straight lines or a cubic spline between.

        at: where it is read, any expression. Beyond the ends the value stays what it is there.
        """
        return interpolated(self.read, at, points, values, curve)

    # -- bodies -------------------------------------------------------------------------------------------------

    @property
    def ground(self) -> BodyHandle:
        """What the tree stands on, at rest."""
        return BodyHandle(self, GROUND)

    def body(
        self,
        name: str,
        mass: Scalar | None = None,
        center: Triple = (0, 0, 0),
        inertia: InertiaLike | None = None,
    ) -> BodyHandle:
        """A rigid body.

        mass [kg]; center: the mass centre in the body frame [m]; inertia: `jourdain.principal`, `tensor`,
        `solid_box` and their like, or a 3×3 matrix about the mass centre in body axes [kg m²]. About another point or
        in a frame's axes: `m.change(body, ..., inertia=principal(...).about(point).in_axes(frame))` once the body has
        them. A body that never moves may go without.
        """
        good = self.claim("body", name, "body")
        self.bodies[good] = self._massive(good, mass, center, inertia)
        return BodyHandle(self, good)

    def particle(self, name: str, mass: Scalar, center: Triple = (0, 0, 0)) -> BodyHandle:
        """A body whose mass is all at one point of its frame."""
        good = self.claim("body", name, "particle")
        place = self.read.triple(center, f"the place of particle {name!r}")
        weight = self.read.static(mass, f"the mass of particle {name!r}")
        self.bodies[good] = BodyDraft(good, users_line(), weight, place, Matrix.zero(self.graph))
        return BodyHandle(self, good)

    def link(self, name: str) -> BodyHandle:
        """A body without mass."""
        good = self.claim("body", name, "link")
        zero = self.graph.zero
        self.bodies[good] = BodyDraft(good, users_line(), zero, Vector.zero(self.graph), Matrix.zero(self.graph))
        return BodyHandle(self, good)

    def change(
        self,
        body: BodyHandle | str,
        mass: Scalar | None = None,
        center: Triple = (0, 0, 0),
        inertia: InertiaLike | None = None,
    ) -> None:
        """Another mass, mass centre and inertia for a body that there is; joints, points and loads stay."""
        said = self.mistakes.said
        name = self.body_name(body, "the body to change")
        if self.mistakes.said != said:
            return
        if name == GROUND:
            self.mistakes.add("the ground has no mass to change")
        else:
            self.bodies[name] = self._massive(name, mass, center, inertia)

    def _massive(self, name: str, mass: Scalar | None, center: Triple, inertia: InertiaLike | None) -> BodyDraft:
        place = self.read.triple(center, f"the mass centre of body {name!r}")
        weight = self.graph.zero if mass is None else self.read.static(mass, f"the mass of body {name!r}")
        missing, planar, meant = ("mass" if mass is None else "inertia" if inertia is None else ""), False, False
        matrix = Matrix.zero(self.graph)
        if inertia is not None:
            spread = self._placed(inertia if isinstance(inertia, InertiaOf) else tensor(inertia), name)
            matrix, planar, meant = spread.central(self.read, weight, place), spread.planar, spread.meant
        return BodyDraft(name, users_line(), weight, place, matrix, missing, planar, meant)

    def _placed(self, spread: InertiaOf, body: str) -> InertiaOf:
        """An inertia about a point of the body, or in a frame of it, as one about coordinates, in turned axes."""
        if isinstance(spread.point, PointHandle):
            draft = self.point_of(spread.point, f"the point that the inertia of body {body!r} is about")
            if draft.body != body:
                self.mistakes.add(f"the inertia of body {body!r} is about {draft.name!r}, a point of {draft.body!r}")
            spread = replace(spread, point=draft.offset)
        if isinstance(spread.axes, FrameHandle):
            on, _ = self.axes_of(spread.axes, Vector.zero(self.graph), f"the axes of the inertia of body {body!r}")
            if on != body:
                self.mistakes.add(
                    f"the inertia of body {body!r} is in the axes of {spread.axes.name!r}, a frame of {on!r}"
                )
            spread = replace(spread, axes=spread.axes.turned if on == body else None)
        return spread

    # -- outputs ------------------------------------------------------------------------------------------------

    def output(
        self, name: str, value: Scalar | VectorExpression, axes: BodyHandle | FrameHandle | None = None
    ) -> None:
        """A quantity to be read off at any instant.

        A vector gives three, `name.x`, `name.y`, `name.z`: its components along `axes` (the ground's if left out).
        """
        if isinstance(value, VectorExpression):
            if value.places is not self.placeholders:
                self.mistakes.add(f"output {name!r} is a vector of another model")
                return
            for letter, component in zip("xyz", value.in_frame(axes or self.ground)):
                self.outputs[self.claim("output", f"{name}.{letter}", "output")] = component
            return
        if axes is not None:
            self.mistakes.add(f"output {name!r} is a scalar, which has no axes; leave out axes=")
        self.outputs[self.claim("output", name, "output")] = self.read.scalar(value, f"output {name!r}")
