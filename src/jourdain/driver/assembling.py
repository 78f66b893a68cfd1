"""Positions that satisfy a compiled system's constraints: what the rows miss, and the nearest one that closes them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .core import Core, Floats, Inputs, Time
from .partition import RANK, listed

CLOSED = 1e-10  # of a row's size: where one more step of Newton's leaves nothing but rounding
NEAR = 1e-9  # what a step towards the guess may be [rad or m] where assembling ends
ROUNDS = 100
LARGEST_STEP = 0.5  # of a joint in one round [rad or m]
ASIDE = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 0.8, 1.6, 1.6)  # how far from the guess attempts begin, one by one [rad or m]
STILL = 1e-9  # a step that is smaller, where the rows are not closed, leads nowhere [rad or m]


class AssemblyError(ValueError):
    """No position near the guess satisfies the constraints. `residuals`: by constraint, at the best that was found."""

    def __init__(self, message: str, residuals: dict[str, Floats]) -> None:
        super().__init__(message)
        self.residuals = residuals


class Assembling(Core):
    """Functions of the positions that this mode's constraints allow."""

    def assemble(
        self, q_guess: ArrayLike, hold: str | Sequence[str] = (), *, inputs: Inputs = None, t: Time = None
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
        failures: list[AssemblyError] = []
        for k, aside in enumerate(ASIDE):
            # Where all links lie in one line no row tells which way to fold: any way is as near as its mirror image.
            # And where links cannot reach each other from here, as a crank on the wrong side, they can from elsewhere.
            step = aside * np.cos(k + np.arange(len(self.system.joint_speeds)))
            step[held] = 0.0
            beside = self._call(("step", ()), (start, step), None, None, {}) if aside else start
            try:
                return self._assembled(names, start, beside, held, inputs, t)
            except AssemblyError as error:
                failures.append(error)
        raise min(failures, key=lambda x: _worst(x.residuals))

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
            if size <= STILL and not closed:
                break
            q = self._call(("step", ()), (q, step * min(1.0, LARGEST_STEP / size if size else 1.0)), None, None, {})
        raise self._open(names, q, inputs, t)

    def _open(self, names: tuple[str, ...], q: Floats, inputs: Inputs, t: Time) -> AssemblyError:
        """What is said of a position that does not close."""
        residuals = self._positions(names, q, inputs, t)
        misses = {name: float(np.abs(x).max()) for name, x in residuals.items()}
        said = ", ".join(f"{name!r} misses by {x:.3g}" for name, x in misses.items() if not x <= 1e-9)
        return AssemblyError(
            f"system {self.system.name!r} does not close near this guess: {said or 'the rows did not settle'} at best; "
            "try another guess, or look whether the lengths allow it",
            residuals,
        )

    def _held(self, names: str | Sequence[str]) -> list[int]:
        """Places, among the joints' own speeds, of joints that stay where they are."""
        every = range(len(self.system.joint_speeds))
        return [k for name in listed(names) for k in every[self.system.slices(name)[1]]]

    # -- rows ------------------------------------------------------------------------------------------------------

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


def _worst(residuals: dict[str, Floats]) -> float:
    """The largest miss; infinity where one is not a number."""
    found = max((float(np.abs(x).max(initial=0.0)) for x in residuals.values()), default=0.0)
    return found if np.isfinite(found) else np.inf


def _small(miss: Any, scale: Any) -> bool:
    return bool(np.all(np.abs(miss) <= 1e-3 * scale))
