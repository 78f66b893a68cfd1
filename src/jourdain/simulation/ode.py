"""The equations of motion as SciPy's solvers, and others, take them: y = (q, u), f(t, y) and its Jacobian."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..driver import Compiled
from ..driver.call import packed
from ..driver.moving import Moving
from ..native import Bound, compile_program
from ..program import Block, Program
from .drive import Drives, drives_of

Floats = NDArray[np.float64]


def ode(compiled: Compiled, inputs: Mapping[str, Any] | None = None) -> Ode:
    """ẏ = f(t, y) of a compiled system in its mode, y = (q, u), to be handed to `scipy.integrate.solve_ivp`.

        f = jourdain.ode(compiled)
        solve_ivp(f, (0, 10), f.state(q0, u0), method="Radau", jac=f.jacobian)

    inputs: as of `simulate`. Constraints hold by their accelerations alone: what drifts is not projected out, and unit
    quaternions drift with the solver's tolerance.
    """
    return Ode(compiled, drives_of(compiled.system, compiled.inputs, inputs))


class Ode:
    """A function of (t, y); y may have leading axes."""

    def __init__(self, compiled: Compiled, drives: Drives) -> None:
        self.compiled, self.drives = compiled, drives
        self.moving = Moving(compiled.system, compiled.imposed, drives.expressions)
        self.parameters = packed(compiled.system.parameters, compiled.parameters, "parameter")
        if self.parameters.ndim > 1:
            raise ValueError("parameters have batch axes; one motion is simulated at a time")
        self._nq = len(compiled.system.coordinates)

    def __call__(self, t: float, y: ArrayLike) -> Floats:
        y = np.asarray(y, dtype=float)
        found: Floats = self._rates(y, self.inputs_at(t, y), t)
        return found

    def jacobian(self, t: float, y: ArrayLike) -> Floats:
        """∂f/∂y (..., n, n), exact; inputs that are functions count as constant."""
        y = np.asarray(y, dtype=float)
        found: Floats = self._slopes(y, self.inputs_at(t, y), t)
        return found

    def state(self, q: ArrayLike, u: ArrayLike) -> Floats:
        """y (..., n)"""
        return np.concatenate([np.asarray(q, dtype=float), np.asarray(u, dtype=float)], axis=-1)

    def split(self, y: ArrayLike) -> tuple[Floats, Floats]:
        """q and u, the other way."""
        y = np.asarray(y, dtype=float)
        return y[..., : self._nq], y[..., self._nq :]

    def settled(self, t: float, y: Floats) -> Floats:
        """y on the constraints, from near them."""
        from .plant import CLOSED, ROUNDS

        q, u = self.split(y)
        values = self.inputs_at(t, y)
        if self._positions is not None:
            for _ in range(ROUNDS):
                q, miss = self._positions(q, u, values, t)
                if float(np.max(miss)) <= CLOSED:
                    break
        if self._speeds is not None:
            u = self._speeds(q, u, values, t)[0]
        return np.concatenate([q, u], axis=-1)

    def is_lost(self, t: float, y: Floats) -> bool:
        """Whether a state that was put on the constraints is not on them."""
        from .plant import CONTRARY, LOST

        q, u = self.split(y)
        values, found = self.inputs_at(t, y), False
        if self._positions is not None:
            found = not float(np.max(self._positions(q, u, values, t)[1])) <= LOST
        if self._speeds is not None:
            found = found or not float(np.max(self._speeds(q, u, values, t)[1])) <= CONTRARY
        return found

    def inputs(self, t: ArrayLike, q: Floats, u: Floats) -> Floats:
        """All inputs (..., inputs) as they act."""
        values = self.values(t, q, u)
        found: Floats = values
        if self.drives.expressions:
            found = self.bound(self.moving.inputs)(q, u, values, t)
        return found

    # -- inside ---------------------------------------------------------------------------------------------------

    def inputs_at(self, t: float, y: Floats) -> Floats:
        """Inputs (inputs,) as the equations take them, those that follow expressions left alone."""
        return self.values(t, *self.split(y)) if self.drives.moves else self.drives.values

    def values(self, t: ArrayLike, q: Floats, u: Floats) -> Floats:
        """Inputs (..., inputs) before expressions; functions are called state by state."""
        if not self.drives.moves:
            return self.drives.values
        if q.ndim == 1:
            return self.drives.at(float(np.asarray(t)), q, u)
        times = np.broadcast_to(np.asarray(t, float), q.shape[:-1])
        if not self.drives.functions:
            found = np.broadcast_to(self.drives.values, (*times.shape, len(self.drives.values))).copy()
            for place, _, table in self.drives.tables:
                found[..., place] = table.at(times)
            return found
        flat = [self.drives.at(*x) for x in zip(times.ravel(), q.reshape(-1, q.shape[-1]), u.reshape(-1, u.shape[-1]))]
        return np.array(flat).reshape(*q.shape[:-1], -1)

    def bound(self, program: Program) -> Bound:
        """A program of this system's, compiled, at its parameters."""
        return compile_program(program, cache=self.compiled.cache).bind(self.parameters)

    @cached_property
    def _rates(self) -> Bound:
        return self.bound(_stacked(self.moving.motion, "rates"))

    @cached_property
    def _slopes(self) -> Bound:
        return self.bound(_stacked(self.moving.slopes, "slopes"))

    @cached_property
    def _positions(self) -> Bound | None:
        return None if self.moving.positions is None else self.bound(self.moving.positions)

    @cached_property
    def _speeds(self) -> Bound | None:
        return None if self.moving.speeds is None else self.bound(self.moving.speeds)


def _stacked(program: Program, name: str) -> Program:
    """With q and u one argument; outputs that are vectors one result."""
    q, u, *others = program.inputs
    outputs = program.outputs
    if len(outputs) > 1:
        outputs = (Block(name, tuple(x for block in outputs for x in block.nodes)),)
    return Program(name, (Block("y", (*q.nodes, *u.nodes)), *others), program.parameters, outputs)
