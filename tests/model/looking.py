"""Numbers of a system, by the interpreter: what tests of the model compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jourdain.equations.mechanics import Mechanics
from jourdain.graph import Graph, Node
from jourdain.model.system import System

from ..equations.systems import State, evaluate, evaluate_rows, random_state

Array = NDArray[np.float64]


class Seen:
    """A system in one state; what is not given is zero."""

    def __init__(
        self,
        system: System,
        q: ArrayLike | None = None,
        u: ArrayLike | None = None,
        udot: ArrayLike | None = None,
        inputs: Mapping[str, float] | None = None,
        t: float = 0.0,
    ) -> None:
        n = len(system.speeds)
        zero = np.zeros(n)
        self.system = system
        self.state = State(
            system.neutral if q is None else np.asarray(q, float),
            zero if u is None else np.asarray(u, float),
            zero if udot is None else np.asarray(udot, float),
            zero,
            {**system.input_values, **(inputs or {})},
            t,
        )

    @staticmethod
    def at_random(system: System, seed: int = 1) -> Seen:
        """Somewhere, moving."""
        state = random_state(system, np.random.default_rng(seed))
        return Seen(system, state.q, state.u, state.udot, state.inputs, state.time)

    def at(self, system: System) -> Seen:
        """Another system in the same state."""
        state = self.state
        return Seen(system, state.q, state.u, state.udot, state.inputs, state.time)

    @property
    def mechanics(self) -> Mechanics:
        return Mechanics(self.system)

    @cached_property
    def forces(self) -> Array:
        """Inverse dynamics."""
        mechanics = self.mechanics
        return evaluate(mechanics, mechanics.inverse_dynamics(), self.state)

    @cached_property
    def outputs(self) -> dict[str, float]:
        mechanics = self.mechanics
        found = mechanics.outputs()
        return dict(zip(found, evaluate(mechanics, list(found.values()), self.state).tolist()))

    @cached_property
    def energy(self) -> tuple[float, float]:
        """Kinetic and potential."""
        mechanics = self.mechanics
        kinetic, potential = evaluate(mechanics, [*mechanics.energy()], self.state)
        return float(kinetic), float(potential)

    @cached_property
    def mass_matrix(self) -> Array:
        mechanics = self.mechanics
        return evaluate_rows(mechanics, mechanics.mass_matrix(), self.state)

    def pose(self, body: str) -> Array:
        """(4, 4)"""
        mechanics = self.mechanics
        return evaluate_rows(mechanics, mechanics.pose(body), self.state)


def births(graph: Graph) -> list[tuple[str, tuple[int, ...], object]]:
    """Everything in a graph: two graphs of which this is the same were made in the same way."""
    return [(x.op.name, tuple(y.id for y in x.args), repr(x.payload)) for x in graph.nodes]


def derived(system: System) -> list[list[tuple[str, tuple[int, ...], object]]]:
    """All that is built to derive a system's equations, and its outputs."""
    inverse, forward, outputs = Mechanics(system), Mechanics(system), Mechanics(system)
    inverse.inverse_dynamics()
    forward.forward_dynamics()
    outputs.outputs()
    outputs.energy()
    return [births(x.graph) for x in (inverse, forward, outputs)]


def close(a: ArrayLike, b: ArrayLike, scale: float = 1.0) -> bool:
    """To rounding."""
    x, y = np.asarray(a, float), np.asarray(b, float)
    return bool(np.abs(x - y).max(initial=0.0) <= 1e-12 * max(scale, float(np.abs(x).max(initial=0.0))))


def values(nodes: Sequence[Node]) -> list[float]:
    """Of constants."""
    return [x.value for x in nodes]
