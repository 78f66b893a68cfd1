"""Steps on the configuration manifold: the laws that `integrate` and `difference` obey, down to the smallest angle."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import DTypeLike

from jourdain.equations.manifold import difference, integrate
from jourdain.equations.mechanics import Mechanics
from jourdain.graph import Node, Role, interpret
from jourdain.graph.differentiate import jacobian
from jourdain.model.motion import Orientation
from jourdain.model.system import System

from .systems import KINDS, Array, Traits, quaternion_places, random_state, random_system

# What is lost near half a turn: the quaternion's w is then of the size of the angle's distance from it.
SIZES = (0.0, 1e-300, 1e-16, 1e-12, 1e-9, 1e-6, 1e-3, 0.5, 0.999, 1.001, 2.0, 3.0, 3.1415, np.pi - 1e-9)


class Steps:
    """The two functions of a system, in some precision."""

    def __init__(self, system: System, dtype: DTypeLike = np.float64) -> None:
        self.system, self.dtype = system, dtype
        self.mechanics = Mechanics(system)
        graph = self.mechanics.graph
        self.dq = [graph.symbol(f"dq{k}", Role.INPUT) for k in range(len(system.speeds))]
        self.q1 = [graph.symbol(f"q1{k}", Role.INPUT) for k in range(len(system.coordinates))]
        lowered, q = self.mechanics.lowered, self.mechanics.q
        self.forward, self.back = integrate(lowered, q, self.dq), difference(lowered, q, self.q1)

    def integrate(self, q: Array, dq: Array) -> Array:
        return self._numbers(self.forward, q, self.dq, dq)

    def difference(self, q: Array, q1: Array) -> Array:
        return self._numbers(self.back, q, self.q1, q1)

    def _numbers(self, nodes: Sequence[Node], q: Array, symbols: Sequence[Node], values: Array) -> Array:
        """(..., n): over leading axes at once."""
        given = {x: q[..., k] for k, x in enumerate(self.mechanics.q)}
        given.update({x: values[..., k] for k, x in enumerate(symbols)})
        for name, value in self.system.defaults.items():
            given[self.mechanics.graph.symbol(name, Role.PARAMETER)] = np.asarray(value)
        found = np.broadcast_arrays(*interpret(nodes, given, self.dtype)) if nodes else []
        return np.stack(found, axis=-1) if len(found) else np.zeros((0,))


def one_joint(kind: str, seed: int = 3) -> System:
    return random_system(seed, 1, Traits((kind,), symbolic=True))


def states(system: System, number: int) -> Array:
    rng = np.random.default_rng(5)
    return np.stack([random_state(system, rng).q for _ in range(number)])


def steps_of(system: System, size: float, number: int) -> Array:
    """Whose rotation has this angle, where the joint has one."""
    rng = np.random.default_rng(6)
    found = rng.normal(size=(number, len(system.speeds)))
    turning = found[:, :3]
    if size == 0.0:
        return np.zeros_like(found)
    if len(system.speeds) >= 3:
        turning *= size / np.linalg.norm(turning, axis=-1, keepdims=True)
        return np.concatenate([turning, found[:, 3:]], axis=-1)
    return found * size


def same(system: System, a: Array, b: Array, tolerance: float) -> None:
    """Coordinates, but for the sign of a quaternion."""
    a = a.copy()
    for joint in system.joints:
        if joint.motion.orientation is Orientation.QUATERNION:
            four = quaternion_places(system, joint)
            dots = (a[..., four] * b[..., four]).sum(axis=-1, keepdims=True)
            a[..., four] *= np.where(dots < 0.0, -1.0, 1.0)
    scale = max(1.0, float(np.abs(b).max(initial=0.0)))
    assert np.abs(a - b).max(initial=0.0) <= tolerance * scale


MOVING = [kind for kind in KINDS if kind != "weld"]
PRECISIONS = {"float64": (np.float64, 4e-15), "float32": (np.float32, 3e-6)}


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("kind", MOVING)
@pytest.mark.parametrize("size", SIZES)
def test_a_difference_undoes_a_step(kind: str, size: float, precision: str) -> None:
    """Of any rotation below half a turn, the smallest and none at all included."""
    dtype, rounding = PRECISIONS[precision]
    if dtype is np.float32 and size > 3.0:
        size = 3.0  # nearer to half a turn single precision takes the other way round
    system = one_joint(kind)
    steps = Steps(system, dtype)
    q, dq = states(system, 20).astype(dtype), steps_of(system, size, 20).astype(dtype)
    there = steps.integrate(q, dq)
    assert np.isfinite(there).all()
    found = steps.difference(q, there)
    # Angles in a chart stretch a step; a position, of order one, has its own rounding.
    scale = np.abs(dq).max() + np.abs(q).max() + np.abs(there).max()
    stretch = 200.0 if kind in ("spherical-angles", "free-angles", "compound") else 20.0
    near = 1.0 / max(np.pi - size, 1e-3) if size < 3.2 else 1.0
    assert np.abs(found - dq).max() <= stretch * rounding * scale * near


@pytest.mark.parametrize("kind", MOVING)
def test_a_step_along_a_difference_arrives(kind: str) -> None:
    system = one_joint(kind)
    steps = Steps(system)
    start, end = states(system, 40), states(system, 40)[::-1]
    end = np.where(np.abs(end - start) < 3.0, end, start)  # planar angles less than a turn apart
    for joint in system.joints:
        if joint.motion.orientation is Orientation.QUATERNION:
            four = quaternion_places(system, joint)
            end[:, four] /= np.linalg.norm(end[:, four], axis=-1, keepdims=True)
    same(system, steps.integrate(start, steps.difference(start, end)), end, 2e-13)
    assert np.abs(steps.difference(start, start)).max() <= 1e-15


@pytest.mark.parametrize("kind", MOVING)
def test_at_rest_the_derivative_is_the_rates(kind: str) -> None:
    """∂(q ⊕ dq)/∂dq at dq = 0 is Γ, exactly."""
    system = one_joint(kind)
    steps = Steps(system)
    mechanics = steps.mechanics
    rng = np.random.default_rng(1)
    state = random_state(system, rng)
    at_rest = dict(zip(steps.dq, [0.0] * len(steps.dq)))
    values = {**dict(zip(mechanics.q, state.q.tolist())), **at_rest, **dict(zip(mechanics.u, state.u.tolist()))}
    values.update({mechanics.graph.symbol(k, Role.PARAMETER): x for k, x in system.defaults.items()})
    rows = jacobian(steps.forward, steps.dq)
    matrix = np.array([float(x) for x in interpret([x for row in rows for x in row], values)])
    rates = np.array([float(x) for x in interpret(mechanics.rates(), values)])
    found = matrix.reshape(len(rates), -1) @ state.u
    assert np.abs(found - rates).max() <= 1e-14 * max(1.0, float(np.abs(rates).max()))


@pytest.mark.parametrize("kind", ["spherical", "free", "planar"])
def test_steps_along_one_twist_add_up(kind: str) -> None:
    """q ⊕ a ξ ⊕ b ξ = q ⊕ (a + b) ξ: the twist is constant in the moved frame."""
    system = one_joint(kind)
    steps = Steps(system)
    q, twist = states(system, 20), steps_of(system, 1.7, 20)
    once = steps.integrate(q, twist)
    same(system, steps.integrate(steps.integrate(q, twist * 0.3), twist * 0.7), once, 1e-14)


@pytest.mark.parametrize("kind", ["spherical", "free"])
def test_quaternions_stay_unit_through_many_steps(kind: str) -> None:
    """A hundred thousand steps of a hundred bodies' worth: a thousand steps of a hundred configurations each."""
    system = one_joint(kind)
    steps = Steps(system)
    q, dq = states(system, 1), steps_of(system, 0.01, 1)
    q = np.repeat(q, 100, axis=0)
    four = quaternion_places(system, system.joints[0])
    for _ in range(1000):
        q = steps.integrate(q, dq)
    assert np.abs(np.linalg.norm(q[:, four], axis=-1) - 1.0).max() <= 4 * np.finfo(float).eps


def test_a_random_tree_steps_joint_by_joint() -> None:
    for seed in range(6):
        system = random_system(seed, 5, Traits(symbolic=True))
        steps = Steps(system)
        q = states(system, 10)
        dq = 0.1 * np.random.default_rng(seed).normal(size=(10, len(system.speeds)))
        found = steps.difference(q, steps.integrate(q, dq))
        assert np.abs(found - dq).max() <= 1e-12


def test_whole_turns_of_a_planar_joint_are_kept() -> None:
    """Its angle counts turns, as that of a revolute joint does."""
    system = one_joint("planar")
    steps = Steps(system)
    q = states(system, 1)
    for turns in (1.5, -2.25):
        dq = np.array([[0.3, -0.2, turns * 2 * np.pi]])
        there = steps.integrate(q, dq)
        assert np.abs(steps.difference(q, there) - dq).max() <= 1e-12
