"""`kinematics`: vectors and scalars of a finished system, asked for as in a model, answered as expressions and numbers.

    k = jd.kinematics(system)
    k.of(k["caster"].center.vel(k["basket"]), axes=k["basket"])

What is asked for is written with the handles of a model of that system; the answer is what the derivation makes of it,
in coordinates, speeds and the speeds' rates.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..equations.generalized import mechanics_of
from ..equations.mechanics import Mechanics
from ..graph import Graph, Node, Role, interpret
from ..graph.write import latex, text
from ..model.arguments import Scalar
from ..model.handles import BodyHandle, FrameHandle
from ..model.mistakes import ModelWarning, did_you_mean
from ..model.model import Model
from ..model.system import GROUND, System, must_be_system
from ..model.vectors import VectorExpression
from .shortened import shortened

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Measured:
    """A scalar, or a vector's components along some axes; prints as text, shows itself as mathematics in a notebook.

    expressions: one, or three, in coordinates, speeds, rates of speeds, inputs, parameters and time. axes: the name of
    the body or frame along whose axes the three are; empty for a scalar.
    """

    mechanics: Mechanics
    expressions: tuple[Node, ...]
    axes: str = ""

    def at(
        self,
        q: ArrayLike,
        u: ArrayLike | None = None,
        udot: ArrayLike | None = None,
        *,
        t: float = 0.0,
        inputs: Mapping[str, float] | None = None,
        parameters: Mapping[str, float] | None = None,
    ) -> Floats:
        """Numbers: () for a scalar, (3,) for a vector; speeds and their rates are 0 where they are not given."""
        mechanics, system = self.mechanics, self.mechanics.system
        values: dict[Node, float] = {}
        for name, symbols, given in (("q", mechanics.q, q), ("u", mechanics.u, u), ("udot", mechanics.udot, udot)):
            array = np.zeros(len(symbols)) if given is None else np.asarray(given, dtype=float)
            if array.shape != (len(symbols),):
                raise ValueError(f"{name} has the shape {array.shape}; {(len(symbols),)} is needed")
            values.update(zip(symbols, array.tolist()))
        for what, known, more, role in (
            ("input", system.input_values, inputs or {}, Role.INPUT),
            ("parameter", system.defaults, parameters or {}, Role.PARAMETER),
        ):
            for name in more:
                if name not in known:
                    raise KeyError(f"system {system.name!r} has no {what} {name!r}; {did_you_mean(name, known)}")
            values.update((mechanics.graph.symbol(name, role), float(x)) for name, x in {**known, **more}.items())
        values.update((x, t) for x in mechanics.graph.symbols if x.role is Role.TIME)
        found = np.array([float(x) for x in interpret(self.expressions, values)])
        return found if self.axes else found.reshape(())

    def text(self) -> str:
        """As one would type it: `(x, y, z) along basket`."""
        written = [text(x) for x in self._short()]
        return f"({', '.join(written)}) along {self.axes}" if self.axes else written[0]

    def latex(self) -> str:
        """As LaTeX mathematics, without dollar signs; a vector as a column with its axes beside it."""
        written = [latex(x) for x in self._short()]
        if not self.axes:
            return written[0]
        name = "".join(rf"\{x}" if x in "_#$%&{}" else x for x in self.axes)
        rows = r" \\ ".join(written)
        return rf"\begin{{bmatrix}} {rows} \end{{bmatrix}}_{{\text{{{name}}}}}"

    def _short(self) -> list[Node]:
        """Multiplied out and collected where that is short."""
        graph = Graph()
        for symbol in self.mechanics.graph.symbols:
            graph.symbol(symbol.name, symbol.role)
        return shortened(self.expressions, graph) or list(self.expressions)

    def __repr__(self) -> str:
        return self.text()

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"


class Kinematics:
    """Vectors and scalars of a system. `k["basket"]`: a body, point, frame or joint, as in a model; `k.ground`."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.model = Model.of(system)

    def __getitem__(self, name: str) -> Any:
        return self.model[name]

    @property
    def ground(self) -> BodyHandle:
        """What everything is seen from where nothing else is said."""
        return self.model.ground

    def of(self, asked: Scalar | VectorExpression, axes: BodyHandle | FrameHandle | None = None) -> Measured:
        """What a vector (along the ground's axes if none are named) or a scalar is.

        asked: built from the handles of this object: `k["P"].velocity`, `k["B"].ang_vel_in(k["A"]) @ k["A"].x`, …
        """
        model = self.model
        frame = axes or self.ground
        if isinstance(asked, VectorExpression):
            if asked.places is not model.placeholders:
                raise ValueError(f"{asked!r} is a vector of another model; build it from what this object answers with")
            given: tuple[Node, ...] = asked.in_frame(frame)
        else:
            if axes is not None:
                raise ValueError(f"{asked!r} is a scalar, which has no axes; leave out axes=")
            given = (model.read.scalar(asked, "what is asked for"),)
        system, names = self._asking(given)
        mechanics = mechanics_of(system)
        found = tuple(mechanics.quantities_at(mechanics.udot).resolved([system.expressions[x] for x in names]))
        return Measured(mechanics, found, frame.name if isinstance(asked, VectorExpression) else "")

    def _asking(self, given: Sequence[Node]) -> tuple[System, list[str]]:
        """The same system with these as its outputs, and their names."""
        model = self.model
        before, model.outputs = model.outputs, {}
        names = [model.fresh("output", "asked", None) for _ in given]
        try:
            model.outputs = dict(zip(names, given))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ModelWarning)  # said when the system was made
                return model.system(), names
        finally:
            model.outputs = before
            for name in names:
                model.forget("output", name)
            model.mistakes.found.clear()  # a wrong question does not spoil the next one

    def __repr__(self) -> str:
        return f"<kinematics of {self.system.name}: {len(self.system.bodies)} bodies seen from {GROUND!r}>"


def kinematics(system: System) -> Kinematics:
    """Where a system's points and bodies are and how they move, in any frame, to be read or evaluated."""
    must_be_system(system, "measured")
    return Kinematics(system)
