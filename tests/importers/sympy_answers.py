"""What SymPy's own equations answer, in numbers, and what ours do at the same state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy.core.function import AppliedUndef
from sympy.physics.mechanics import dynamicsymbols, find_dynamicsymbols

import jourdain as jd
from jourdain.bench.sympy_models import SympyModel

Floats = NDArray[np.float64]
TIME = 0.3


@dataclass(frozen=True)
class State:
    """Coordinates, speeds, and values of inputs (derivatives of inputs among them), in SymPy's order and by name."""

    q: Floats
    u: Floats
    inputs: Mapping[str, float]


@dataclass(frozen=True)
class Equations:
    """M u̇ = forcing: a function of q, u, inputs, parameters."""

    q: list[Any]
    u: list[Any]
    inputs: list[Any]
    parameters: list[Any]
    function: Any

    @staticmethod
    def of(given: SympyModel) -> Equations:
        """SymPy forms them; auxiliary speeds are zero."""
        method = given.form()
        still = {x: 0 for aux in getattr(method, "_uaux", []) for x in (aux, aux.diff())}
        mass, forcing = method.mass_matrix.subs(still), method.forcing.subs(still)
        q, u = list(method.q), list(method.u)
        both = [*mass, *forcing]
        inputs = sorted(find_dynamicsymbols(sympy.Matrix(both)) - {*q, *u}, key=str)
        symbols = sympy.Matrix(both).free_symbols - {dynamicsymbols._t}
        parameters = sorted(symbols, key=str)
        arguments = [q, u, inputs, parameters, dynamicsymbols._t]
        return Equations(q, u, inputs, parameters, sympy.lambdify(arguments, [mass, forcing], "numpy", cse=True))

    def state(self, seed: int) -> State:
        """Nothing lines up."""
        rng = np.random.default_rng(seed)
        q, u = rng.uniform(0.2, 0.8, len(self.q)), rng.uniform(-1.0, 1.0, len(self.u))
        inputs = {called(x): float(rng.uniform(-1.0, 1.0)) for x in self.inputs}
        return State(q, u, inputs)

    def matrices(self, state: State, parameters: Mapping[str, float]) -> tuple[Floats, Floats]:
        """M and forcing."""
        values = [parameters[x.name] for x in self.parameters]
        inputs = [state.inputs[called(x)] for x in self.inputs]
        mass, forcing = self.function(state.q, state.u, inputs, values, TIME)
        return np.asarray(mass, float), np.asarray(forcing, float)[:, 0]

    def accelerations(self, state: State, parameters: Mapping[str, float]) -> Floats:
        """u̇"""
        return np.asarray(np.linalg.solve(*self.matrices(state, parameters)), float)


def called(symbol: Any) -> str:
    """An input's name here: a derivative's is its function's with "dot" for each time."""
    if isinstance(symbol, AppliedUndef):
        return str(symbol.func.__name__)
    return str(symbol.args[0].func.__name__) + "dot" * int(symbol.derivative_count)


def ours(system: jd.System, state: State) -> Floats:
    """u̇ of the imported system; coordinates that SymPy does not have are put anywhere, for nothing depends on them."""
    more = np.linspace(5.0, 9.0, len(system.coordinates) - len(state.q))
    inputs = {name: value for name, value in state.inputs.items() if name in system.inputs}
    found: Floats = jd.compile(system).forward_dynamics([*state.q, *more], state.u, inputs=inputs, t=TIME)
    return found


def agree(given: SympyModel, system: jd.System | None = None) -> None:
    """Equal accelerations at three random states."""
    if system is None:
        system = jd.from_sympy(given.model, bodies=given.bodies, loads=given.loads, values=given.values)
    equations = Equations.of(given)
    for seed in range(3):
        state = equations.state(seed)
        theirs = equations.accelerations(state, system.parameters)
        size = max(1.0, float(np.abs(theirs).max()))
        np.testing.assert_allclose(ours(system, state), theirs, rtol=1e-10, atol=1e-10 * size)
