"""Laws of mechanics over whole systems: every joint, loads, rotors, driven joints, as the model declares them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import ArrayLike

from jourdain.equations.derivatives import forward_derivatives, inverse_derivatives
from jourdain.equations.factor import factorize
from jourdain.equations.mechanics import Mechanics
from jourdain.equations.operational import mobility, operational_inertia
from jourdain.graph import Node, Role, interpret
from jourdain.graph.differentiate import jacobian, jvp
from jourdain.model.system import GROUND, JointForce, Strut, System
from jourdain.spatial import Vector

from .systems import (
    KINDS,
    Array,
    State,
    Traits,
    along_motion,
    evaluate,
    evaluate_rows,
    random_state,
    random_system,
    values_in,
)

STEP = 1e-40  # of complex steps, which lose nothing


def agree(a: ArrayLike, b: ArrayLike, scale: float = 1.0) -> None:
    """To rounding, relative to the largest entry or to the size of the terms that were summed."""
    x, y = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    assert x.shape == y.shape
    size = max(scale, float(np.abs(y).max(initial=0.0)))
    assert float(np.abs(x - y).max(initial=0.0)) <= 1e-12 * size


class Case:
    """A system, its equations and a state to look at them in."""

    def __init__(self, seed: int, size: int, traits: Traits) -> None:
        self.system = random_system(seed, size, traits)
        self.state = random_state(self.system, np.random.default_rng(seed))
        self.mechanics = Mechanics(self.system)

    @property
    def n(self) -> int:
        return len(self.system.speeds)

    def at(self, *nodes: Node) -> Array:
        return evaluate(self.mechanics, nodes, self.state)

    def rows(self, rows: Sequence[Sequence[Node]]) -> Array:
        return evaluate_rows(self.mechanics, rows, self.state)

    def rate(self, *nodes: Node) -> Array:
        return along_motion(self.mechanics, nodes, self.state)

    @property
    def size(self) -> float:
        """Of the forces that are summed: terms of the mass matrix, the bias, and single loads."""
        m = np.abs(self.rows(self.mechanics.mass_matrix()))
        h = np.abs(self.at(*self.mechanics.bias_forces()))
        u, udot = np.abs(self.state.u), np.abs(self.state.udot)
        return float((m @ udot + m @ u * u.max(initial=0.0) + h).max(initial=0.0)) + 100.0


def plain(seed: int) -> Case:
    """Nothing acts but gravity."""
    return Case(seed, 1 + seed % 5, Traits(symbolic=seed % 2 == 0))


def loaded(seed: int) -> Case:
    """Loads act, rotors turn, some joints move as given."""
    return Case(seed, 2 + seed % 4, Traits(symbolic=seed % 2 == 0, loads=True, driven=seed % 3 == 0))


some = pytest.mark.parametrize("seed", range(300, 312))


@some
def test_forward_undoes_inverse_dynamics(seed: int) -> None:
    """Both ways of forward dynamics; compared as forces."""
    case = loaded(seed)
    for articulated in (False, True):
        other = Mechanics(case.system, replace(case.mechanics.formulation, articulated=articulated))
        udot = evaluate(other, other.forward_dynamics(), case.state)
        then = replace(case.state, udot=udot)
        size = case.size + float((np.abs(case.rows(case.mechanics.mass_matrix())) @ np.abs(udot)).max(initial=0.0))
        agree(evaluate(case.mechanics, case.mechanics.inverse_dynamics(), then), case.state.f, size)


@some
def test_inverse_dynamics_is_mass_matrix_times_rates_plus_bias(seed: int) -> None:
    case = loaded(seed)
    m, h = case.rows(case.mechanics.mass_matrix()), case.at(*case.mechanics.bias_forces())
    agree(case.at(*case.mechanics.inverse_dynamics()), m @ case.state.udot + h, case.size)


@some
def test_mass_matrix_is_symmetric_and_positive(seed: int) -> None:
    case = loaded(seed)
    m = case.rows(case.mechanics.mass_matrix())
    agree(m, m.T)
    assert np.linalg.eigvalsh(m).min(initial=1.0) > 0.0


@some
def test_mass_matrix_rate_less_twice_coriolis_is_skew(seed: int) -> None:
    case = plain(seed)
    c = case.rows(case.mechanics.coriolis_matrix())
    rate = case.rate(*(x for row in case.mechanics.mass_matrix() for x in row)).reshape(case.n, case.n)
    agree(rate, c + c.T, case.size)


@some
def test_coriolis_matrix_gives_the_velocity_terms(seed: int) -> None:
    case = plain(seed)
    bias, gravity = case.at(*case.mechanics.bias_forces()), case.at(*case.mechanics.gravity_forces())
    agree(case.rows(case.mechanics.coriolis_matrix()) @ case.state.u, bias - gravity, case.size)


@some
def test_energy_changes_by_the_power_of_what_is_added(seed: int) -> None:
    """Nothing acts but springs that store what they are given, gravity, and the forces that are added."""
    case = Case(seed, 2 + seed % 4, Traits(loads=True))
    springs = tuple(elastic(load) for load in case.system.loads if isinstance(load, Strut) and load.energy is not None)
    case.system = replace(case.system, loads=springs)
    case.mechanics = Mechanics(case.system)
    forces = case.at(*case.mechanics.inverse_dynamics())
    power = forces * case.state.u
    agree(case.rate(sum_of(case.mechanics.energy())), [power.sum()], case.size * float(np.abs(case.state.u).sum()))


def elastic(strut: Strut) -> Strut:
    """The spring of a strut without its damper: the tension is what the energy grows by with length."""
    assert strut.energy is not None
    return replace(strut, tension=jvp([strut.energy], {strut.length: strut.length.graph.one})[0])


def sum_of(nodes: Sequence[Node]) -> Node:
    total = nodes[0]
    for x in nodes[1:]:
        total = total + x
    return total


@some
def test_loads_do_the_power_of_their_points(seed: int) -> None:
    """f of all declared loads = Jᵀ wrench: their power on the free motion is force times velocity, found from poses."""
    case = Case(seed, 2 + seed % 4, Traits(loads=True, kinds=tuple(x for x in KINDS if x != "weld")))
    bare = replace(case.system, loads=())
    acting = case.at(*case.mechanics.bias_forces())
    alone = Mechanics(bare)
    still = evaluate(alone, alone.bias_forces(), case.state)
    power = float((still - acting) @ case.state.u)
    terms = list(powers(case))
    agree(power, sum(terms), float(np.abs(terms).sum()) + case.size * float(np.abs(case.state.u).sum()))


def powers(case: Case) -> list[float]:
    """Of each load, from the rates of poses alone."""
    system, mechanics = case.system, case.mechanics

    def carried(body: str) -> tuple[Array, Array]:
        if body == GROUND:
            return np.eye(4), np.zeros((4, 4))
        entries = [x for row in mechanics.pose(body) for x in row]
        return case.at(*entries).reshape(4, 4), case.rate(*entries).reshape(4, 4)

    def numbers(nodes: Sequence[Node], more: dict[Node, float] | None = None) -> Array:
        values = {x: v for x, v in zip(system.coordinate_symbols, case.state.q.tolist())}
        values.update(zip(system.speed_symbols, case.state.u.tolist()))
        values.update({system.graph.symbol(k, Role.INPUT): v for k, v in case.state.inputs.items()})
        return np.array([float(x) for x in interpret(list(nodes), values | (more or {}))])

    found: list[float] = []
    for load in system.loads:
        if isinstance(load, JointForce):
            k = system.slices(load.joint)[1].start + load.index
            found.append(float(numbers([load.value])[0] * case.state.u[k]))
            continue
        if isinstance(load, Strut):
            (a, da), (b, db) = (carried(body) for body in (load.body_a, load.body_b))
            ends = [np.append(numbers(offset), 1.0) for offset in (load.offset_a, load.offset_b)]
            line, rate = (b @ ends[1] - a @ ends[0])[:3], (db @ ends[1] - da @ ends[0])[:3]
            length = float(np.linalg.norm(line))
            speed = float(line @ rate) / length
            tension = numbers([load.tension], {load.length: length, load.rate: speed})[0]
            found.append(float(-tension * speed))
            continue
        axes, _ = carried(load.axes)
        vector = axes[:3, :3] @ numbers(load.components)
        for body, sign in ((load.body, 1.0), (load.reaction, -1.0)):
            pose, rate = carried(body)
            if isinstance(load, Torque):
                spin = rate[:3, :3] @ pose[:3, :3].T
                w = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
                found.append(sign * float(vector @ w))
                continue
            # Action and reaction at one and the same place, which is fixed in the first body.
            first, _ = carried(load.body)
            place = first @ np.append(numbers(load.offset), 1.0)
            here = np.linalg.solve(pose, place)
            found.append(sign * float(vector @ (rate @ here)[:3]))
    return found
