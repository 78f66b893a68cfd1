"""Our own functions, as `jourdain.compile` makes them but afresh, and the states at which everyone is compared."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..driver.library import derive_readout, readout
from ..model.motion import Orientation
from ..model.system import System
from ..native import Bound, Cache, compile_program
from ..program import Program
from .case import QUANTITIES, Batch, Case, Clock, Ready, State, check
from .mechanism import Array, Mechanism, Unsupported, mechanism

STATES = 3
# Straight-line code of a long chain's mass matrix grows with the square of its length: minutes to compile.
MOST_SPEEDS = {"mass_matrix": 150}
MEMBERS = 4096
SEED = 1983


class Sample(NamedTuple):
    """A state in our own coordinates and speeds, or many along leading axes; f: the forces that go with udot."""

    q: Array
    u: Array
    udot: Array
    f: Array


@dataclass(frozen=True)
class Own:
    """Our three functions of a system without its loads, and states to call them at; first what the clocks use."""

    mechanism: Mechanism
    functions: Mapping[str, Bound]
    states: Sample  # (STATES, …)
    derive_s: float
    compile_s: float

    def case(self) -> Case:
        """The states in the plain form with our answers."""
        q, u, udot, f = self.states
        back = np.linalg.inv(self.mechanism.speeds)
        bias = self.functions["inverse_dynamics"](q, u, np.zeros_like(udot))
        mass = self._mass(q)
        rates = self.functions["forward_dynamics"](q, u, f)
        found = []
        for i in range(STATES):
            state = State(
                self.mechanism.configuration(q[i]), self.mechanism.speeds @ u[i], self.mechanism.speeds @ udot[i],
                f[i] @ back, bias[i] @ back, back.T @ mass[i] @ back,
            )  # fmt: skip
            check("inverse_dynamics", state.mass @ state.a + state.bias, state)
            check("forward_dynamics", self.mechanism.speeds @ rates[i], state)
            found.append(state)
        return Case(self.mechanism.name, self.mechanism, tuple(found))

    def _mass(self, q: Array) -> Array:
        """Mass matrices (STATES, n, n); of a system too large for the function, column by column from the forces."""
        function = self.functions.get("mass_matrix")
        if function is not None:
            found: Array = function(q)
            return found
        still = np.zeros(self.states.u.shape[-1])
        forces = self.functions["inverse_dynamics"](q[:, None], still, np.eye(still.size))
        rest = self.functions["inverse_dynamics"](q[:, None], still, still)
        return np.swapaxes(forces - rest, -1, -2)

    def ready(self) -> Ready:
        """The clock of one call in a compiled loop, and of an evaluation over a batch."""
        from ..targets.llvm import host

        first = Sample(*(x[0] for x in self.states))
        many = samples(self.mechanism.system, self.functions["inverse_dynamics"], MEMBERS)
        lanes = host().vector_bytes // 8
        absent = [name.replace("_", " ") for name in QUANTITIES if name not in self.functions]
        note = f"no code for the {', '.join(absent)} at this size" if absent else ""
        return Ready(self._clock(first), Batch(MEMBERS, lanes, self._clock(many)), self.derive_s, self.compile_s, note)

    def _clock(self, at: Sample) -> Clock:
        def clock(seconds: float) -> dict[str, float]:
            times = {}
            for name, function in self.functions.items():
                measure = function.fastest_ns if at.q.ndim == 1 else function.fastest_batch_ns
                times[name] = measure(*(getattr(at, x) for x in readout((name, None)).arguments), seconds=seconds)
            return times

        return clock


def own(system: System) -> Own:
    """Derives and compiles from nothing, the cache left aside, so that the times are a first start's.

    The formulation is chosen as for every user, and derive_s holds the time of choosing. Loads are left out: the peers
    have none. Raises Unsupported for what the peers cannot be given.
    """
    bare = replace(system, loads=())
    if not bare.speeds:
        raise Unsupported("nothing in it can move")
    wanted = [name for name in QUANTITIES if len(bare.speeds) <= MOST_SPEEDS.get(name, len(bare.speeds))]
    start = time.perf_counter()
    programs = {name: program(bare, name) for name in wanted}
    derived = time.perf_counter()
    plain = mechanism(bare)
    compiling = time.perf_counter()
    parameters = list(bare.parameters.values())
    functions = {name: compile_program(x, cache=Cache(None)).bind(parameters) for name, x in programs.items()}
    compiled = time.perf_counter()
    states = samples(bare, functions["inverse_dynamics"], STATES)
    return Own(plain, functions, states, derived - start, compiled - compiling)


def program(system: System, quantity: str) -> Program:
    """One of the three, exactly as `jourdain.compile` compiles it."""
    found, _ = derive_readout(system, (quantity, None))
    if found.takes_inputs or found.takes_time:
        raise Unsupported("its dynamics depend on inputs or on time; the peers know neither")
    return found.program


def samples(system: System, inverse: Bound, count: int) -> Sample:
    """Random states (count, …): coordinates, speeds and rates in [−1, 1], quaternions of unit length."""
    rng = np.random.default_rng(SEED)
    q = rng.uniform(-1.0, 1.0, (count, len(system.coordinates)))
    for joint in system.joints:
        if joint.motion.orientation is Orientation.QUATERNION and not joint.prescribed:
            own_slice, _ = system.slices(joint.name)
            inner = list(joint.motion.coordinate_order)
            four = own_slice.start + np.array([inner.index(k) for k in range(4)])
            q[:, four] /= np.linalg.norm(q[:, four], axis=1, keepdims=True)
    u, udot = rng.uniform(-1.0, 1.0, (2, count, len(system.speeds)))
    return Sample(q, u, udot, inverse(q, u, udot))
