"""A compiled system's constraints: their residuals and forces, assembled positions, independent speeds, efforts.

What is small and needs pivots or singular values is done by LAPACK on arrays that compiled functions fill.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..equations.constraints import bonds
from ..equations.generalized import mechanics_of
from ..equations.redundancy import Redundancy, redundancy, redundancy_of
from ..model.mistakes import counted, did_you_mean
from .call import broadcast
from .core import Core, Floats, Inputs, Time
from .library import Key
from .partition import RANK, following, free_places, making_up

CLOSED = 1e-10  # of a row's size: where one more step of Newton's leaves nothing but rounding
NEAR = 1e-9  # what a step towards the guess may be [rad or m] where assembling ends
ROUNDS = 100
LARGEST_STEP = 0.5  # of a joint in one round [rad or m]
ASIDE = 0.05  # how far from a guess that leads nowhere the next attempt begins [rad or m]


class AssemblyError(ValueError):
    """No position near the guess satisfies the constraints. `residuals`: by constraint, at the best that was found."""

    def __init__(self, message: str, residuals: dict[str, Floats]) -> None:
        super().__init__(message)
        self.residuals = residuals


@dataclass(frozen=True)
class Actuation:
    """What actuators must do for a motion, under constraints.

    efforts (..., actuators): the smallest that do it. multipliers: by constraint. missed (..., speeds): the part of the
    speeds' rates that no effort can give; with it taken away, the equations hold exactly.
    """

    efforts: Floats
    multipliers: dict[str, Floats]
    missed: Floats


class ConstraintSlopes(NamedTuple):
    """How the rows of a mode's constraints change near a state, (..., rows, ·).

    positions: of all rows of positions, by a step of the joints' own speeds. velocities: of the rows that are imposed
    on the speeds, as velocities, by such a step. matrix: of the same rows by the speeds u.
    """

    positions: Floats
    velocities: Floats
    matrix: Floats


class Constrained(Core):
    """Functions of the constraints that hold in this mode."""

    @property
    def imposed(self) -> tuple[str, ...]:
        """The constraints that hold in this mode and are not satisfied by the speeds themselves."""
        return self._imposed

    @cached_property
    def redundancy(self) -> Redundancy:
        """How many of this mode's rows are independent, and by name which constraints repeat others or share loads.

        Of several assembled positions that with the most independent rows tells; `redundancy_at` looks at one.
        """
        mechanics = mechanics_of(self.system)
        return redundancy(mechanics, bonds(mechanics, self._imposed))

    def redundancy_at(self, q: ArrayLike, *, inputs: Inputs = None, t: Time = None) -> Redundancy:
        """The same at one configuration (coordinates,): where a mechanism lies folded, or moves though most of its kind
        could not, more rows depend on one another. Multipliers of those left out there are 0."""
        if np.ndim(q) != 1:
            raise ValueError(f"q has the shape {np.shape(q)}; redundancy is that of one configuration")
        if not self._imposed:
            return Redundancy(0, (), (), (), True)
        matrix = self._call(("matrix", self._imposed), (q,), inputs, t, {})
        places = self._places(self._imposed)
        return redundancy_of(matrix, [name for name, rows in places.items() for _ in rows])

    def residual(
        self, q: ArrayLike, u: ArrayLike, *, inputs: Inputs = None, t: Time = None
    ) -> dict[str, Floats]:
        """What the constraints miss zero by, by name, those that the speeds satisfy among them.

        A constraint of velocities has (..., rows) velocities; one of positions its (..., rows) positions, then as many
        rates of theirs.
        """
        names = self._all
        if not names:
            return {}
        velocities = self._call(("velocities", names), (q, u), inputs, t, {})
        positions = self._positions(names, q, inputs, t)
        found: dict[str, Floats] = {}
        for name, places in self._places(names).items():
            rates = velocities[..., places]
            if name in positions:
                values = np.broadcast_to(positions[name], rates.shape)
                rates = np.concatenate([values, rates], axis=-1)
            found[name] = rates
        return found

    def constraint_forces(
        self, q: ArrayLike, u: ArrayLike, f: ArrayLike | None = None, *, inputs: Inputs = None, t: Time = None
    ) -> dict[str, Floats]:
        """Multipliers λ (..., rows) by constraint: M u̇ + h = f + Aᵀ λ, A the rows' dependence on the speeds.

        λ is the force, or moment, along what its row measures. Of rows that say nothing new it is 0; where `redundancy`
        names a constraint as not unique, others could carry a part of its load.
        """
        if not self._imposed:
            return {}
        arrays = (q, u, self._no_force if f is None else f)
        kept = self._call(("multipliers", self._imposed), arrays, inputs, t, {})
        count = sum(len(places) for places in self._places(self._imposed).values())
        every = np.zeros((*kept.shape[:-1], count), kept.dtype)
        every[..., list(self.redundancy.kept)] = kept
        return {name: every[..., places] for name, places in self._places(self._imposed).items()}

    def constraint_slopes(
        self, q: ArrayLike, u: ArrayLike, *, inputs: Inputs = None, t: Time = None
    ) -> ConstraintSlopes:
        """First derivatives of the rows that hold in this mode."""
        joints, speeds = len(self.system.joint_speeds), len(self.system.speeds)
        names = tuple(x for x in self._all if self._has_positions(x))
        nothing = np.zeros((0, joints)), np.zeros((0, joints)), np.zeros((0, speeds))
        positions = self._call(("position_slopes", names), (q,), inputs, t, {}) if names else nothing[0]
        if not self._imposed:
            return ConstraintSlopes(positions, *nothing[1:])
        velocities = self._call(("velocity_slopes", self._imposed), (q, u), inputs, t, {})
        return ConstraintSlopes(positions, velocities, self._call(("matrix", self._imposed), (q,), inputs, t, {}))

    # -- positions ------------------------------------------------------------------------------------------------

    def assemble(
        self, q_guess: ArrayLike, hold: Sequence[str] = (), *, inputs: Inputs = None, t: Time = None
    ) -> Floats:
        """The configuration (..., coordinates) nearest to a guess that satisfies all constraints of positions.

        hold: names of joints that stay as they are in the guess, a crank whose angle is given, for instance. Raises
        AssemblyError, with every constraint's residual, where none is found near the guess.
        """
        if self.dtype != np.float64:  # positions are closed further than single precision can tell
            return self._in(np.dtype(np.float64)).assemble(q_guess, hold, inputs=inputs, t=t).astype(self.dtype)
        guess = np.array(q_guess, dtype=np.float64)
        if guess.ndim > 1:
            flat = guess.reshape(-1, guess.shape[-1])
            return np.array([self.assemble(x, hold, inputs=inputs, t=t) for x in flat]).reshape(guess.shape)
        held = self._held(hold)
        start = self._call(("step", ()), (guess, np.zeros(len(self.system.joint_speeds))), None, None, {})
        names = tuple(x for x in self._all if self._has_positions(x))
        if not names:
            return start
        if np.ndim(self._call(("positions", names), (start,), inputs, t, {})) > 1:
            raise ValueError("assemble closes one mechanism at a time: its parameters, inputs and t have no batch axes")
        try:
            return self._assembled(names, start, start, held, inputs, t)
        except AssemblyError as error:
            # Where all links lie in one line no row tells which way to fold: any way is as near as its mirror image.
            aside = ASIDE * np.cos(1.0 + np.arange(len(self.system.joint_speeds)))
            aside[held] = 0.0
            beside = self._call(("step", ()), (start, aside), None, None, {})
            try:
                return self._assembled(names, start, beside, held, inputs, t)
            except AssemblyError:
                raise error from None

    def _assembled(
        self, names: tuple[str, ...], start: Floats, q: Floats, held: list[int], inputs: Inputs, t: Time
    ) -> Floats:
        """The position nearest to start that is found from q on, held joints left where they are."""
        key = ("positions", names)
        for i in range(ROUNDS):
            miss = np.atleast_1d(self._call(key, (q,), inputs, t, {}))
            slope = self._call(("position_slopes", names), (q,), inputs, t, {})
            slope[:, held] = 0.0
            scale = np.linalg.norm(slope, axis=-1) + 1.0
            if not (np.isfinite(miss).all() and np.isfinite(slope).all()):
                break
            # Nearest: among the steps that close the rows, the one that undoes what led away from the guess.
            away = self._call(("away", ()), (start, q), None, None, {})
            back = -away + np.linalg.pinv(slope, rcond=RANK) @ (slope @ away)
            step = np.linalg.lstsq(slope, -miss, rcond=RANK)[0]
            closed = bool(np.all(np.abs(miss) <= CLOSED * scale))
            if closed and (i == ROUNDS - 1 or float(np.abs(back).max()) <= NEAR):
                return self._call(("step", ()), (q, step), None, None, {})  # leaves nothing but rounding
            step = step + (0.5 * back if _small(miss, scale) else 0.0)
            size = float(np.abs(step).max(initial=0.0))
            shorter = min(1.0, LARGEST_STEP / size) if size else 1.0
            q = self._call(("step", ()), (q, step * shorter), None, None, {})
        residuals = self._positions(names, q, inputs, t)
        worst = {name: float(np.abs(x).max()) for name, x in residuals.items()}
        said = ", ".join(f"{name!r} misses by {x:.3g}" for name, x in worst.items() if x > 1e-9)
        raise AssemblyError(
            f"system {self.system.name!r} does not close near this guess: {said or 'the rows did not settle'}; "
            "try another guess, or look whether the lengths allow it",
            residuals,
        )

    def _held(self, names: Sequence[str]) -> list[int]:
        """Places, among the joints' own speeds, of joints that stay where they are."""
        if isinstance(names, str):
            raise TypeError(f"hold is {names!r}; a sequence of joints' names is needed, [{names!r}]")
        every = range(len(self.system.joint_speeds))
        return [k for name in names for k in every[self.system.slices(name)[1]]]

    # -- speeds ---------------------------------------------------------------------------------------------------

    def independent(self, q: ArrayLike, *, inputs: Inputs = None, t: Time = None) -> tuple[str, ...]:
        """Names of speeds that can be chosen freely at q, the others following; the best conditioned choice."""
        if np.ndim(q) != 1:
            raise ValueError(f"q has the shape {np.shape(q)}; independent speeds are those of one configuration")
        matrix, _ = self._rows(q, inputs, t)
        return tuple(self.system.speeds[k] for k in free_places(matrix))

    def complete(
        self,
        q: ArrayLike,
        u_independent: ArrayLike,
        names: Sequence[str] | None = None,
        *,
        inputs: Inputs = None,
        t: Time = None,
    ) -> Floats:
        """All speeds (..., speeds) that satisfy the constraints at q, from independent ones.

        u_independent: values of the speeds of `names`; if left out, of those that `independent` names at q, at the
        first q of a batch.
        """
        matrix, rest = self._rows(q, inputs, t)
        given = np.atleast_1d(np.asarray(u_independent, dtype=np.float64))
        chosen = free_places(matrix) if names is None else self._speeds(names, "independent speed")
        if given.shape[-1] != len(chosen):
            speeds = ", ".join(self.system.speeds[k] for k in chosen)
            values = "1 value is" if given.shape[-1] == 1 else f"{given.shape[-1]} values are"
            raise ValueError(f"{values} given for {counted(len(chosen), 'independent speed')}: {speeds}")
        follow = following(matrix, chosen, self.system.speeds, "q", "speeds")
        if matrix.shape[:-2] and given.shape[:-1]:
            broadcast({"q": matrix.shape[:-2], "u_independent": given.shape[:-1]})
        found: Floats = (follow @ given[..., None] + making_up(matrix, chosen, rest[..., None]))[..., 0]
        return found

    def reduced_mass_matrix(self, q: ArrayLike, *, inputs: Inputs = None, t: Time = None) -> Floats:
        """(..., p, p): the mass matrix Gᵀ M G felt by the speeds that `independent` names at q.

        At the first q of a batch, for all of them.
        """
        matrix, _ = self._rows(q, inputs, t)
        g = following(matrix, free_places(matrix), self.system.speeds, "q", "speeds")
        mass = self._call("mass_matrix", (q,), inputs, t, {})
        reduced: Floats = np.swapaxes(g, -1, -2) @ mass @ g
        return reduced

    def actuation(
        self,
        q: ArrayLike,
        u: ArrayLike,
        udot: ArrayLike,
        actuators: Sequence[str],
        *,
        inputs: Inputs = None,
        t: Time = None,
    ) -> Actuation:
        """Efforts of these speeds' actuators that give udot under the constraints, as far as they can.

        actuators: names of speeds on which the efforts act. Among all rates that such efforts give, the constraints
        kept, those nearest to udot in the measure of the masses are taken, with the smallest efforts that give them;
        what is left over is the part of udot that no effort gives. multipliers: as for `constraint_forces`.
        """
        rubbing = [x.name for x in self.system.frictions if x.joint or x.constraint in self._all]
        if rubbing:
            raise ValueError(
                f"friction {', '.join(map(repr, rubbing))} depends on forces of constraints, which the efforts change; "
                "efforts are found for mechanisms without it"
            )
        places = self._speeds(actuators, "actuator")
        n = len(self.system.speeds)
        if np.shape(udot)[-1:] != (n,):
            raise ValueError(f"udot has the shape {np.shape(udot)}; its last axis must have {n} elements")
        dynamics: str | Key = ("forward_dynamics", self._imposed) if self._imposed else "forward_dynamics"
        free = self._call(dynamics, (q, u, np.zeros(n)), inputs, t, {})
        broadcast({"q and u": free.shape[:-1], "udot": np.shape(udot)[:-1]})
        asked = np.asarray(udot, dtype=np.float64) - free
        batch = asked.shape[:-1]
        units = np.zeros((len(places), *(1,) * len(batch), n))
        units[range(len(places)), ..., places] = 1.0
        given = self._call(dynamics, (q, u, units), inputs, t, {}) - free if places else units
        columns = np.broadcast_to(np.moveaxis(given, 0, -1), (*batch, n, len(places)))
        # A square root of M, which is singular where constraints hold what has no inertia.
        sizes, axes = np.linalg.eigh(self._call("mass_matrix", (q,), inputs, t, {}))
        root = np.sqrt(np.maximum(sizes, 0.0))[..., None] * np.swapaxes(axes, -1, -2)
        efforts = (np.linalg.pinv(root @ columns, rcond=RANK) @ (root @ asked[..., None]))[..., 0]
        missed = asked - (columns @ efforts[..., None])[..., 0]
        f = np.zeros((*batch, n))
        f[..., places] = efforts
        return Actuation(efforts, self.constraint_forces(q, u, f, inputs=inputs, t=t), missed)

    # -- inside ---------------------------------------------------------------------------------------------------

    @cached_property
    def _all(self) -> tuple[str, ...]:
        """Every constraint that holds in this mode."""
        return tuple(x.name for x in self.system.conditions if not x.switchable or x.name in self.mode)

    def _has_positions(self, name: str) -> bool:
        return self.system.constraint(name).level.value == "position"

    def _places(self, names: Sequence[str]) -> dict[str, list[int]]:
        """Where the rows of each constraint lie among those of several."""
        found: dict[str, list[int]] = {}
        start = 0
        for name in names:
            count = len(self.system.constraint(name).rows)
            found[name] = list(range(start, start + count))
            start += count
        return found

    def _positions(self, names: Sequence[str], q: ArrayLike, inputs: Inputs, t: Time) -> dict[str, Floats]:
        own = tuple(x for x in names if self._has_positions(x))
        if not own:
            return {}
        values = self._call(("positions", own), (q,), inputs, t, {})
        return {name: values[..., places] for name, places in self._places(own).items()}

    def _rows(self, q: ArrayLike, inputs: Inputs, t: Time) -> tuple[Floats, Floats]:
        """A (..., rows, speeds) and C (..., rows) of this mode's independent rows."""
        if not self._imposed:
            n, wanted = len(self.system.speeds), len(self.system.coordinates)
            if np.shape(q)[-1:] != (wanted,):
                raise ValueError(f"q has the shape {np.shape(q)}; its last axis must have {wanted} elements")
            batch = np.shape(q)[:-1]
            return np.zeros((*batch, 0, n)), np.zeros((*batch, 0))
        kept = list(self.redundancy.kept)
        matrix = self._call(("matrix", self._imposed), (q,), inputs, t, {})
        rest = self._call(("remainders", self._imposed), (q,), inputs, t, {})
        return matrix[..., kept, :], rest[..., kept]

    def _speeds(self, names: Sequence[str], what: str) -> list[int]:
        """Places of speeds, each named once; what: one of them, for messages."""
        speeds = self.system.speeds
        places: list[int] = []
        for name in (names,) if isinstance(names, str) else names:
            if name not in speeds:
                raise KeyError(f"system {self.system.name!r} has no speed {name!r}; {did_you_mean(name, speeds)}")
            if speeds.index(name) in places:
                raise ValueError(f"the {what} {name!r} is named twice")
            places.append(speeds.index(name))
        return places


def _small(miss: Any, scale: Any) -> bool:
    return bool(np.all(np.abs(miss) <= 1e-3 * scale))
