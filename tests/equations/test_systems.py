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
from jourdain.model.system import GROUND, JointForce, Strut, System, Torque
from jourdain.spatial import Vector

from .systems import (
    KINDS,
    Array,
    Traits,
    along_motion,
    complex_steps,
    evaluate,
    evaluate_rows,
    random_state,
    random_system,
    values_in,
)


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
        values = dict(zip(system.coordinate_symbols, case.state.q.tolist()))
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


RATES = ("revolute", "prismatic", "screw", "oblique-screw", "universal", "compound")


@some
def test_lagranges_equations(seed: int) -> None:
    """d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q, where speeds are rates of coordinates: no recursion but those of the energies."""
    case = Case(seed, 1 + seed % 4, Traits(RATES, symbolic=seed % 2 == 0))
    kinetic, potential = case.mechanics.energy()
    momenta = jacobian([kinetic], case.mechanics.u)[0]
    by_q = jacobian([kinetic - potential], case.mechanics.q)[0]
    wanted = case.rate(*momenta) - case.at(*by_q)
    agree(case.at(*case.mechanics.inverse_dynamics()), wanted, case.size)


@some
def test_rotors_add_to_lagranges_equations(seed: int) -> None:
    case = Case(seed, 1 + seed % 4, Traits(RATES, loads=True))
    case.system = replace(case.system, loads=())
    case.mechanics = Mechanics(case.system)
    kinetic, potential = case.mechanics.energy()
    wanted = case.rate(*jacobian([kinetic], case.mechanics.u)[0])
    wanted = wanted - case.at(*jacobian([kinetic - potential], case.mechanics.q)[0])
    agree(case.at(*case.mechanics.inverse_dynamics()), wanted, case.size)


@some
def test_momentum_of_a_floating_tree_changes_by_what_acts_on_its_base(seed: int) -> None:
    """And by its weight; angular momentum is about the mass centre."""
    case = Case(seed, 1 + seed % 5, Traits(floating=True))
    mechanics, root = case.mechanics, case.system.joints[0]
    f = case.at(*mechanics.inverse_dynamics())
    entries = [x for row in mechanics.pose("b0") for x in row]
    pose = case.at(*entries).reshape(4, 4)
    inner = [*(x for row in root.in_child.rotation.matrix() for x in row), *root.in_child.translation]
    numbers = np.array([float(x) for x in interpret(inner, {})])
    rotation = pose[:3, :3] @ numbers[:9].reshape(3, 3)
    origin = pose[:3, 3] + pose[:3, :3] @ numbers[9:]
    torque, force = rotation @ f[:3], rotation @ f[3:6]
    mass = float(sum(body.mass.value for body in case.system.bodies))
    weight = mass * np.array([x.value for x in case.system.gravity])
    arm = origin - case.at(*mechanics.mass_center())
    rate = case.rate(*mechanics.momentum())
    far = 1.0 + float(np.abs(arm).max())
    agree(rate[3:], force + weight, case.size)
    agree(rate[:3], torque + np.cross(arm, force), case.size * far)


@some
def test_momentum_is_its_matrix_times_the_speeds(seed: int) -> None:
    case = plain(seed)
    matrix = case.rows(case.mechanics.momentum_matrix())
    agree(case.at(*case.mechanics.momentum()), matrix @ case.state.u, float(np.abs(matrix).sum()))


@some
def test_jacobians_are_the_rates_of_poses(seed: int) -> None:
    """In both axes, at a point of the body; and their own rates are their derivatives."""
    case = plain(seed)
    mechanics = case.mechanics
    body = case.system.bodies[-1].name
    offset = (0.3, -0.2, 0.5)
    entries = [x for row in mechanics.pose(body) for x in row]
    pose, rate = case.at(*entries).reshape(4, 4), case.rate(*entries).reshape(4, 4)
    rotation = pose[:3, :3]
    agree(rotation @ rotation.T, np.eye(3))
    spin = rate[:3, :3] @ rotation.T
    w, v = np.array([spin[2, 1], spin[0, 2], spin[1, 0]]), (rate @ [*offset, 1.0])[:3]
    for ground_axes, axes in ((True, np.eye(3)), (False, rotation)):
        rows = mechanics.jacobian(body, Vector.of(mechanics.graph, offset), ground_axes)
        j = case.rows(rows)
        scale = float(np.abs(j).sum()) * float(np.abs(case.state.u).max(initial=1.0))
        agree(j @ case.state.u, [*(axes.T @ w), *(axes.T @ v)], scale)
        own = mechanics.jacobian_rate(body, Vector.of(mechanics.graph, offset), ground_axes)
        wanted = case.rate(*(x for row in rows for x in row)).reshape(6, case.n)
        agree(case.rows(own), wanted, scale)


@some
def test_mass_centre_moves_with_its_jacobian(seed: int) -> None:
    case = plain(seed)
    if not case.n:
        return
    jacobian_rows = case.rows(case.mechanics.mass_center_jacobian())
    wanted = case.rate(*case.mechanics.mass_center())
    agree(jacobian_rows @ case.state.u, wanted, float(np.abs(jacobian_rows).sum()))


def standard_parameters(system: System) -> Array:
    """π (10 · bodies,): of every body about its own frame, in the order of the regressor's columns."""
    values = {system.graph.symbol(k, Role.PARAMETER): v for k, v in system.defaults.items()}
    found: list[float] = []
    for body in system.bodies:
        entries = [body.mass, *body.center, *(x for row in body.inertia for x in row)]
        numbers = np.array([float(x) for x in interpret(entries, values)])
        m, c, central = numbers[0], numbers[1:4], numbers[4:].reshape(3, 3)
        j = central + m * ((c @ c) * np.eye(3) - np.outer(c, c))
        found += [m, *(m * c), j[0, 0], j[1, 1], j[2, 2], j[0, 1], j[0, 2], j[1, 2]]
    return np.array(found)


@some
def test_inverse_dynamics_is_the_regressor_times_the_parameters(seed: int) -> None:
    """Driven joints and all, without loads and rotors."""
    case = loaded(seed)
    case.system = replace(case.system, loads=(), rotors=())
    case.mechanics = Mechanics(case.system)
    y = case.rows(case.mechanics.regressor())
    pi = standard_parameters(case.system)
    agree(y @ pi, case.at(*case.mechanics.inverse_dynamics()), float((np.abs(y) @ np.abs(pi)).max(initial=1.0)))


@pytest.mark.parametrize("seed", range(6))
def test_operational_space_inertia(seed: int) -> None:
    """(J M⁻¹ Jᵀ)⁻¹, with J and M in numbers."""
    case = Case(seed, 8, Traits(("revolute", "prismatic", "screw"), branching=0.0, parallel=0.0))
    mechanics = case.mechanics
    rows = mechanics.jacobian("b7", Vector.of(mechanics.graph, (0.1, 0.2, -0.3)), True)
    m, j = case.rows(mechanics.mass_matrix()), case.rows(rows)
    felt = j @ np.linalg.solve(m, j.T)
    factors = factorize(mechanics.mass_matrix())
    found = case.rows(mobility(factors, rows))
    scale = float(np.linalg.cond(m)) * float(np.abs(felt).max())
    assert np.abs(found - felt).max() <= 1e-14 * scale
    assert np.array_equal(found, found.T)
    inertia = case.rows(operational_inertia(mobility(factors, rows)))
    rest = felt @ inertia - np.eye(6)
    assert np.abs(rest).max() <= 1e-14 * float(np.linalg.cond(m) + np.linalg.cond(felt)) * 10.0


@pytest.mark.parametrize("seed", range(6))
def test_derivatives_are_those_of_complex_steps(seed: int) -> None:
    """With loads, rotors and driven joints; along each speed, by the speeds, by rates or forces, by parameters."""
    case = Case(seed, 3, Traits(symbolic=True, loads=True, driven=seed % 2 == 0))
    mechanics, n = case.mechanics, case.n
    inverse, forward = inverse_derivatives(mechanics), forward_derivatives(mechanics)
    m = case.rows(mechanics.mass_matrix())
    size = case.size
    for name, found in inverse.items():
        wanted = stepped(case, mechanics.inverse_dynamics(), name)
        agree(case.rows(found), wanted, size * float(1.0 + np.abs(wanted).max(initial=0.0) / 100.0))
    for name, found in forward.items():
        wanted = stepped(case, mechanics.forward_dynamics(), name)
        scale = size * float(1.0 + (np.abs(m) @ np.abs(wanted)).max(initial=0.0))
        agree(m @ case.rows(found).reshape(n, -1), m @ wanted, scale)


def stepped(case: Case, outputs: Sequence[Node], name: str) -> Array:
    """Columns of the derivative by the named variables."""
    mechanics = case.mechanics
    if name == "q":
        still: dict[Node, ArrayLike] = {**values_in(mechanics, case.state), **dict(zip(mechanics.u, np.eye(case.n)))}
        rates = [np.broadcast_to(x, case.n) for x in interpret(mechanics.rates(), still)]
        return complex_steps(mechanics, outputs, case.state, dict(zip(mechanics.q, rates)), case.n)
    parameters = [mechanics.graph.symbol(x, Role.PARAMETER) for x in case.system.parameters]
    inputs = [mechanics.graph.symbol(x, Role.INPUT) for x in case.system.inputs]
    symbols = {
        "u": mechanics.u, "udot": mechanics.udot, "f": mechanics.f, "parameters": parameters, "inputs": inputs,
    }[name]  # fmt: skip
    return complex_steps(mechanics, outputs, case.state, dict(zip(symbols, np.eye(len(symbols)))), len(symbols))
