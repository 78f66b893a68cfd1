"""Linear models ẋ = a + A x + B v of a mechanism about any state, with exact derivatives and constraints respected.

x holds only what can be chosen freely: steps ξ of the independent coordinates and changes of the independent speeds.
The others follow. With position rows φ(q, t) = 0 and velocity rows V(q, u, t) = 0 of the mode,
φ_ξ ξ = 0 makes ξ = N y, and V_ξ ξ + V_u δu = 0 makes δu = G w + K y, x = (y, w). The rates of ξ and u are those of the
compiled system, so what is kept at zero stays there to first order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..driver import Compiled, compile
from ..driver.partition import RANK, following, free_places, listed, making_up
from ..graph import Graph, Role
from ..model.mistakes import did_you_mean
from ..model.motion import Motion
from ..model.system import System

Floats = NDArray[Any]
KEPT = 1e-6  # of a row: how well a state has to satisfy the constraints


@dataclass(frozen=True)
class Linear:
    """A linear model ẋ = rate + A x + B v, x the deviation from a state and v that of the inputs.

    A: (..., states, states). B: (..., states, inputs). rate: (..., states), zero at an equilibrium of all states.
    states: names of independent coordinates, then of independent speeds; inputs: names of what B multiplies.
    steps: (..., joint speeds, states): how the joints' places follow x, as steps of the joints' own speeds.
    speeds: (..., speeds, states): how the speeds u follow x.
    """

    A: Floats
    B: Floats
    rate: Floats
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    steps: Floats
    speeds: Floats

    def __repr__(self) -> str:
        batch = f", {self.A.shape[:-2]} of them" if self.A.ndim > 2 else ""
        return f"<linear model ẋ = rate + A x + B v, x: {', '.join(self.states)}; v: {', '.join(self.inputs)}{batch}>"

    @property
    def eigenvalues(self) -> Floats:
        """Of A (..., states) [1/s], the fastest growing first."""
        found = np.linalg.eigvals(self.A)
        order = np.lexsort((-found.imag, -found.real), axis=-1)
        sorted_: Floats = np.take_along_axis(found, order, axis=-1)
        return sorted_

    def part(self, *states: str) -> Linear:
        """The model of these states alone, which the others must not act on: lean and steer without the place."""
        kept = [self._place(x) for x in states]
        left = [k for k in range(len(self.states)) if k not in kept]
        coupled = np.abs(self.A[..., kept, :][..., left])
        for i, k in np.argwhere(coupled.reshape(-1, len(kept), len(left)).max(axis=0, initial=0.0) > RANK * self._size):
            raise ValueError(
                f"{self.states[left[k]]!r} acts on {states[i]!r}; a part without it would be another mechanism's"
            )
        rows = self.A[..., kept, :]
        return Linear(
            rows[..., kept], self.B[..., kept, :], self.rate[..., kept], states, self.inputs, self.steps[..., kept],
            self.speeds[..., kept],
        )  # fmt: skip

    @property
    def _size(self) -> float:
        return max(1.0, float(np.abs(self.A).max(initial=0.0)))

    def _place(self, name: str) -> int:
        if name not in self.states:
            raise KeyError(f"the model has no state {name!r}; {did_you_mean(name, self.states)}")
        return self.states.index(name)


def linearize(
    system: System | Compiled,
    q: ArrayLike,
    u: ArrayLike,
    f: ArrayLike | None = None,
    *,
    inputs: Mapping[str, ArrayLike] | None = None,
    t: ArrayLike | None = None,
    by: str | Sequence[str] | None = None,
    coordinates: str | Sequence[str] | None = None,
    speeds: str | Sequence[str] | None = None,
) -> Linear:
    """The linear model about a state (q, u), an equilibrium or not, under the generalized forces f and the inputs.

    system: or a compiled one, at whose parameters, inputs and mode it is made. q, u: a state that satisfies the
    constraints (`assemble`, `complete`); leading axes broadcast. by: names of inputs, or of speeds, whose generalized
    forces are meant, that B refers to; all inputs if left out. coordinates, speeds: names of the independent ones; the
    best conditioned choice if left out (at the first state of a batch).

    Eigenvalues tell stability of an equilibrium, and of a motion during which A stays the same. So give what spins a
    joint of its own: along the axes of a wheel on one free joint even steady rolling has an A that changes.

    A state's coordinate is a step of its joint as `integrate` takes it. It has the coordinate's name where the
    coordinate's rate is the joint's speed; where it is not, as for a ball joint, "step of" the speed. Speeds have their
    symbols' names: that of a joint `elbow` is `elbowdot`. Inputs in constraints are taken as constant.
    """
    d = system if isinstance(system, Compiled) else compile(system)
    return _Linearizing(d, (q, u), f, inputs, t).model(by, coordinates, speeds)


class _Linearizing:
    def __init__(
        self,
        d: Compiled,
        state: tuple[ArrayLike, ArrayLike],
        f: ArrayLike | None,
        inputs: Mapping[str, ArrayLike] | None,
        t: ArrayLike | None,
    ) -> None:
        self.system = d.system
        self._check(d.residual(*state, inputs=inputs, t=t))
        self.rates = d.forward_dynamics(*state, f, inputs=inputs, t=t)
        self.by = d.forward_dynamics_derivatives(*state, f, inputs=inputs, t=t)
        self.tangent = d.tangent(*state, inputs=inputs, t=t)
        self.rows = d.constraint_slopes(*state, inputs=inputs, t=t)

    def model(
        self,
        by: str | Sequence[str] | None,
        coordinates: str | Sequence[str] | None,
        speeds: str | Sequence[str] | None,
    ) -> Linear:
        """The model in the chosen states."""
        step_names, speed_names = state_names(self.system)
        rows = self.rows
        places = free_places(rows.positions) if coordinates is None else _chosen(
            coordinates, step_names, (), "coordinates"
        )  # fmt: skip
        n = following(rows.positions, places, step_names, "state", "coordinates")
        own = free_places(rows.matrix) if speeds is None else _chosen(speeds, speed_names, self.system.speeds, "speeds")
        g = following(rows.matrix, own, speed_names, "state", "speeds")
        k = making_up(rows.matrix, own, rows.velocities @ n)
        joints = self.by.get("joints", self.by["q"])
        # ξ̇ and u̇ by (y, w), of which the rows of the independent ones are kept.
        steps = _stacked(n, np.zeros((*n.shape[:-1], len(own))), axis=-1)
        follow = _stacked(k, g, axis=-1)
        upper = self.tangent["joints"] @ steps + self.tangent["u"] @ follow
        lower = joints @ steps + self.by["u"] @ follow
        a = _stacked(upper[..., places, :], lower[..., own, :], axis=-2)
        names, upper_b, lower_b = self._inputs(by)
        b = _stacked(upper_b[..., places, :], lower_b[..., own, :], axis=-2)
        rate = _stacked(self.tangent["rates"][..., places], self.rates[..., own], axis=-1, own=1)
        states = (*(step_names[i] for i in places), *(speed_names[i] for i in own))
        return Linear(a, b, rate, states, names, steps, follow)

    def _inputs(self, by: str | Sequence[str] | None) -> tuple[tuple[str, ...], Floats, Floats]:
        """Names, and the rates of steps and of speeds by each of them."""
        system = self.system
        names = tuple(system.inputs if by is None else listed(by))
        upper, lower = [], []
        still = np.zeros((len(system.joint_speeds), 1))
        for name in names:
            if name in system.inputs:
                i = system.inputs.index(name)
                upper.append(self.tangent["inputs"][..., i : i + 1])
                lower.append(self.by["inputs"][..., i : i + 1])
            elif name in system.speeds:
                i = system.speeds.index(name)
                upper.append(still)
                lower.append(self.by["f"][..., i : i + 1])
            else:
                known = [*system.inputs, *system.speeds]
                raise KeyError(f"system {system.name!r} has no input or speed {name!r}; {did_you_mean(name, known)}")
        if not names:
            return names, still[:, :0], np.zeros((len(system.speeds), 0))
        return names, _stacked(*upper, axis=-1), _stacked(*lower, axis=-1)

    def _check(self, residual: Mapping[str, Floats]) -> None:
        missed = {name: float(np.abs(x).max(initial=0.0)) for name, x in residual.items()}
        wrong = [f"{name!r} by {x:.3g}" for name, x in missed.items() if not x <= KEPT]
        if wrong:
            raise ValueError(
                f"this state of system {self.system.name!r} does not satisfy its constraints: it misses "
                f"{', '.join(wrong)}; find one by assemble(q) and complete(q, u)"
            )


def state_names(system: System) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the joints' steps, and of the speeds, as `Linear.states` has them."""
    steps: list[str] = []
    for joint in system.joints:
        if not joint.prescribed:
            plain = _rates_are_speeds(joint.motion)
            steps += joint.coordinate_names if plain else [f"step of {x}" for x in joint.speed_names]
    return tuple(steps), tuple(x.name for x in system.speed_symbols)


def _rates_are_speeds(motion: Motion) -> bool:
    """Whether the coordinates' rates are the joint's speeds, one by one."""
    graph = Graph()
    own = motion.moved_to(graph)
    gamma = own.kinematic(graph, [graph.symbol(f"q{k}", Role.COORDINATE) for k in range(own.nq)])
    return own.nq == own.np and all(
        x is (graph.one if i == k else graph.zero) for i, row in enumerate(gamma) for k, x in enumerate(row)
    )


def _chosen(wanted: str | Sequence[str], labels: Sequence[str], also: Sequence[str], what: str) -> list[int]:
    """Places of names among labels, or among other names for the same."""
    places = []
    for name in listed(wanted):
        names = list(also if name in also else labels)
        if name not in names:
            raise KeyError(f"there are no {what} {name!r}; {did_you_mean(name, labels)}")
        places.append(names.index(name))
    return places


def _stacked(*blocks: Floats, axis: int, own: int = 2) -> Floats:
    """Blocks one after the other along an axis; own: how many of the last axes are not a batch's, which broadcast."""
    batch = np.broadcast_shapes(*(x.shape[: x.ndim - own] for x in blocks))
    return np.concatenate([np.broadcast_to(x, (*batch, *x.shape[x.ndim - own :])) for x in blocks], axis=axis)
