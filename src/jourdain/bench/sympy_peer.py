"""SymPy's KanesMethod: what a Python user waits for, and what its lambdified functions cost. Small models only."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from .case import Case, Ready, State, check
from .mechanism import Array, Link, Mechanism
from .timing import fastest_call_ns
from .toolchain import Refused, package

MOST_SPEEDS = 6
"""KanesMethod's time grows fast: seconds for six joints, minutes for ten, hours for thirty."""


@dataclass(frozen=True)
class Equations:
    """M(q) u̇ = forcing(q, u): SymPy's matrices, their symbols, and the time it took."""

    mass: Any
    forcing: Any
    q: tuple[Any, ...]
    u: tuple[Any, ...]
    seconds: float


class SympyKane:
    """`KanesMethod` and `lambdify(cse=True)`, called from Python."""

    name = "sympy KanesMethod"

    def prepare(self, case: Case) -> Ready:
        """Derived, lambdified and checked."""
        package("sympy", "sympy")
        if case.mechanism.nv > MOST_SPEEDS:
            raise Refused(f"KanesMethod takes minutes beyond {MOST_SPEEDS} speeds")
        found = kanes_equations(case.mechanism)
        start = time.perf_counter()
        import sympy

        mass = sympy.lambdify([found.q], found.mass, "numpy", cse=True)
        both = sympy.lambdify([found.q, found.u], [found.mass, found.forcing], "numpy", cse=True)
        compiled = time.perf_counter() - start

        def inverse(s: State) -> Array:
            m, forcing = both(s.q, s.v)
            answer: Array = m @ s.a - forcing[:, 0]
            return answer

        def forward(s: State) -> Array:
            m, forcing = both(s.q, s.v)
            answer: Array = np.linalg.solve(m, forcing[:, 0] + s.tau)
            return answer

        for s in case.states:
            check("inverse_dynamics", inverse(s), s)
            check("forward_dynamics", forward(s), s)
            check("mass_matrix", np.asarray(mass(s.q)), s)
        first = case.states[0]

        def clock(seconds: float) -> dict[str, float]:
            return {
                "inverse_dynamics": fastest_call_ns(lambda: inverse(first), seconds),
                "forward_dynamics": fastest_call_ns(lambda: forward(first), seconds),
                "mass_matrix": fastest_call_ns(lambda: mass(first.q), seconds),
            }

        return Ready(clock, derive_s=found.seconds, compile_s=compiled, note="called from Python")


def kanes_equations(mechanism: Mechanism) -> Equations:
    """The equations of a tree of turning and sliding links, with its numbers put in."""
    from sympy import Matrix
    from sympy.physics.mechanics import KanesMethod, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

    start = time.perf_counter()
    n = mechanism.nv
    q, u = dynamicsymbols(f"q:{n}"), dynamicsymbols(f"u:{n}")
    ground, base = ReferenceFrame("N"), Point("O")
    base.set_vel(ground, 0)
    frames: list[Any] = []
    origins: list[Any] = []
    bodies, loads = [], []
    for i, link in enumerate(mechanism.links):
        if len(link.steps) != 1 or link.steps[0].kind == "screw" or link.armature.any():
            raise Refused("only turning and sliding joints, without rotors, are converted for SymPy")
        frame_in, origin_in = (frames[link.parent], origins[link.parent]) if link.parent >= 0 else (ground, base)
        frame, origin = _joint(link, i, frame_in, origin_in, q[i], u[i], ground)
        frames.append(frame)
        origins.append(origin)
        center = origin.locatenew(f"G{i}", _vector(link.center, frame))
        center.v2pt_theory(origin, ground, frame)
        j = link.inertia
        tensor = inertia(frame, j[0, 0], j[1, 1], j[2, 2], j[0, 1], j[1, 2], j[0, 2])
        bodies.append(RigidBody(f"B{i}", center, frame, link.mass, (tensor, center)))
        loads.append((center, _vector(link.mass * mechanism.gravity, ground)))
    kinematic = [rate - speed for rate, speed in zip((x.diff() for x in q), u)]
    method = KanesMethod(ground, q_ind=list(q), u_ind=list(u), kd_eqs=kinematic)
    method.kanes_equations(bodies, loads)
    mass, forcing = Matrix(method.mass_matrix), Matrix(method.forcing)
    return Equations(mass, forcing, tuple(q), tuple(u), time.perf_counter() - start)


def _joint(link: Link, i: int, outer: Any, base: Any, q: Any, u: Any, ground: Any) -> tuple[Any, Any]:
    """The moving frame and its origin, with their velocities."""
    from sympy import Matrix
    from sympy.physics.mechanics import ReferenceFrame

    step = link.steps[0]
    fixed = outer
    if not np.array_equal(link.rotation, np.eye(3)):
        fixed = ReferenceFrame(f"F{i}")
        fixed.orient_explicit(outer, Matrix(_exact(link.rotation)))
    place = link.translation + link.rotation @ step.translation
    frame = ReferenceFrame(f"A{i}")
    axis = _vector(step.axis, fixed)
    anchor = base.locatenew(f"P{i}", _vector(place, outer))
    anchor.v2pt_theory(base, ground, outer)
    if step.kind == "revolute":
        frame.orient_axis(fixed, axis, q)
        frame.set_ang_vel(fixed, u * axis)
        return frame, anchor
    frame.orient_axis(fixed, axis, 0)
    frame.set_ang_vel(fixed, 0)
    origin = anchor.locatenew(f"O{i}", q * axis)
    origin.set_vel(fixed, u * axis)
    origin.set_vel(ground, anchor.vel(ground) + u * axis + (fixed.ang_vel_in(ground) ^ (q * axis)))
    return frame, origin


def _vector(values: Array, frame: Any) -> Any:
    x, y, z = _exact(values)
    return x * frame.x + y * frame.y + z * frame.z


def _exact(values: Array) -> Any:
    """Whole numbers as integers, so that SymPy can drop zeros and ones."""
    if values.ndim > 1:
        return [_exact(row) for row in values]
    return [int(x) if x == int(x) else float(x) for x in values]
