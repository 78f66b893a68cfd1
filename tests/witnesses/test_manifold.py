"""Pinocchio on configurations: steps and differences of the joints that both know."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from jourdain.equations.manifold import difference, integrate
from jourdain.equations.mechanics import Mechanics
from jourdain.graph import Role, interpret
from jourdain.model.motion import Orientation

from ..equations.systems import Array, Traits, quaternion_places, random_state, random_system, values_in
from .agreement import agree
from .pinocchio_bridge import bridge

KINDS = ("revolute", "prismatic", "screw", "planar", "spherical", "free")


@pytest.mark.parametrize("kind", [*KINDS, "any"])
def test_steps(kind: str) -> None:
    for seed in range(4):
        kinds = KINDS if kind == "any" else (kind,)
        system = random_system(seed, 5 if kind == "any" else 1, Traits(kinds, parallel=0.0))
        mechanics, made = Mechanics(system), bridge(system)
        rng = np.random.default_rng(seed)
        steps = [mechanics.graph.symbol(f"dq{k}", Role.INPUT) for k in range(len(system.speeds))]
        ends = [mechanics.graph.symbol(f"end{k}", Role.INPUT) for k in range(len(system.coordinates))]
        forward = integrate(mechanics.lowered, mechanics.q, steps)
        back = difference(mechanics.lowered, mechanics.q, ends)
        for size in (1.0, 1e-3, 1e-9, 0.0):
            state, other = random_state(system, rng), random_state(system, rng)
            step = size * state.udot
            for joint in system.joints:
                if joint.motion.kind == "planar":  # Pinocchio forgets whole turns
                    angle = system.slices(joint.name)[0].start + 2
                    other.q[angle] = state.q[angle] + 3.0 * np.sin(other.q[angle])
            values = values_in(mechanics, state)
            values.update(zip(steps, step.tolist()))
            values.update(zip(ends, other.q.tolist()))
            moved = np.array([float(x) for x in interpret(forward, values)])
            q = made.configuration(state.q)
            wanted = np.asarray(pin.integrate(made.model, q, made.velocity(step)))
            found = made.configuration(moved)
            agree(found, _signed(found, wanted, mechanics, moved), 10.0, "coordinates")
            gap = np.array([float(x) for x in interpret(back, values)])
            between = np.asarray(pin.difference(made.model, q, made.configuration(other.q)))
            agree(made.velocity(gap), between, 10.0, "difference")


def _signed(found: Array, wanted: Array, mechanics: Mechanics, moved: Array) -> Array:
    """Pinocchio's coordinates with each quaternion's sign as ours."""
    result = wanted.copy()
    at = 0
    for joint in mechanics.system.joints:
        wide = joint.motion.nq + (joint.motion.kind == "planar")
        if joint.motion.orientation is Orientation.QUATERNION:
            four = slice(at + wide - 4, at + wide)
            result[four] *= np.sign(found[four] @ wanted[four])
            assert abs(np.linalg.norm(moved[quaternion_places(mechanics.system, joint)]) - 1.0) < 1e-15 * 4
        at += wide
    return result
