"""A compiled system's constraints: their residuals and forces, independent speeds, efforts.

What is small and needs pivots or singular values is done by LAPACK on arrays that compiled functions fill.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..equations.constraints import bonds
from ..equations.generalized import mechanics_of
from ..equations.redundancy import Redundancy, redundancy, redundancy_of
from ..model.mistakes import counted, did_you_mean
from .assembling import Assembling
from .call import broadcast
from .core import Floats, Inputs, Time
from .library import Key
from .partition import RANK, following, free_places, listed, making_up


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


class Constrained(Assembling):
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
        return redundancy_of([matrix], [name for name, rows in places.items() for _ in rows])

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
        names: str | Sequence[str] | None = None,
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

    def _speeds(self, names: str | Sequence[str], what: str) -> list[int]:
        """Places of speeds, each named once; what: one of them, for messages."""
        speeds = self.system.speeds
        places: list[int] = []
        for name in listed(names):
            if name not in speeds:
                raise KeyError(f"system {self.system.name!r} has no speed {name!r}; {did_you_mean(name, speeds)}")
            if speeds.index(name) in places:
                raise ValueError(f"the {what} {name!r} is named twice")
            places.append(speeds.index(name))
        return places
