"""The laws of mechanics that the recursions must obey, each written once and run over trees of every kind of joint."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import ArrayLike

from jourdain.equations.articulated import forward_dynamics
from jourdain.equations.coriolis import coriolis_matrix
from jourdain.equations.energy import energy, mass_center, mass_center_jacobian, momentum, momentum_matrix
from jourdain.equations.factor import factorize
from jourdain.equations.inverse import Load, inverse_dynamics, project
from jourdain.equations.kinematics import across, columns_at, places, shifted, twists
from jourdain.equations.mass import mass_matrix
from jourdain.equations.regressor import regressor
from jourdain.equations.regroup import regroup
from jourdain.graph import Node
from jourdain.spatial import Vector

from .trees import KINDS, Array, Sample, Traits, random_tree

# Massless links carry one-freedom joints only: a massless link between two free joints has no mass matrix.
SIMPLE = ("revolute", "prismatic", "screw")
FREE: dict[str, Sample] = {
    **{kind: random_tree(7 + i, 3, Traits(kinds=("revolute", kind))) for i, kind in enumerate(KINDS)},
    **{f"tree-{seed}": random_tree(seed, 2 + seed % 8) for seed in range(10)},
    **{f"massless-{seed}": random_tree(seed, 7, Traits(kinds=SIMPLE, bare=0.4)) for seed in range(300, 304)},
    **{f"rotors-{seed}": random_tree(seed, 5, Traits(rotors=True)) for seed in range(100, 105)},
    **{f"aligned-{seed}": random_tree(seed, 5, Traits(rotors=True, aligned=True)) for seed in range(150, 153)},
}
DRIVEN: dict[str, Sample] = {
    **FREE,
    **{f"driven-{seed}": random_tree(seed, 6, Traits(driven=True, rotors=True)) for seed in range(200, 206)},
}
free = pytest.mark.parametrize("sample", FREE.values(), ids=FREE)
driven = pytest.mark.parametrize("sample", DRIVEN.values(), ids=DRIVEN)


def agree(a: ArrayLike, b: ArrayLike, scale: float = 1.0) -> None:
    """To rounding, relative to the largest entry."""
    x, y = np.asarray(a), np.asarray(b)
    assert x.shape == y.shape
    size = max(scale, float(np.abs(y).max(initial=0.0)))
    assert float(np.abs(x - y).max(initial=0.0)) <= 1e-12 * size


def zeros(sample: Sample) -> list[Node]:
    return [sample.tree.graph.zero] * sample.tree.freedom


def torques(sample: Sample) -> list[Node]:
    """Of the free speeds."""
    return inverse_dynamics(sample.tree, sample.u, sample.udot)[: sample.tree.freedom]


def applied(sample: Sample) -> list[Load]:
    """Some load on every link."""
    graph, rng = sample.tree.graph, np.random.default_rng(5)
    return [Load(*(Vector.of(graph, rng.normal(size=3).tolist()) for _ in range(2))) for _ in sample.tree.links]


@driven
def test_mass_matrix_is_symmetric_and_positive(sample: Sample) -> None:
    m = sample.matrix(mass_matrix(sample.tree))
    agree(m, m.T)
    assert np.linalg.eigvalsh(m).min(initial=1.0) > 1e-5


@driven
def test_inverse_dynamics_is_mass_matrix_times_acceleration_plus_bias(sample: Sample) -> None:
    bias = inverse_dynamics(sample.tree, sample.u, zeros(sample))[: sample.tree.freedom]
    m = sample.matrix(mass_matrix(sample.tree))
    agree(m @ sample.state("udot") + sample.at(*bias), sample.at(*torques(sample)))


@free
def test_kinetic_energy_is_a_form_of_the_mass_matrix(sample: Sample) -> None:
    u = sample.state("u")
    m = sample.matrix(mass_matrix(sample.tree))
    agree(sample.at(energy(sample.tree, sample.u).kinetic), [0.5 * u @ m @ u])


@driven
def test_forward_undoes_inverse_dynamics(sample: Sample) -> None:
    """By articulated bodies and by LᵀDL; compared as forces, for a mass matrix may be ill-conditioned."""
    tree, loads = sample.tree, applied(sample)
    f = inverse_dynamics(tree, sample.u, sample.udot, loads)[: tree.freedom]
    m = mass_matrix(tree)
    wanted = sample.at(*f)
    bias = inverse_dynamics(tree, sample.u, zeros(sample), loads)[: tree.freedom]
    numbers, h = sample.matrix(m), sample.at(*bias)
    solved = factorize(m).solve([x - y for x, y in zip(f, bias)]) if f else []
    for found in (forward_dynamics(tree, sample.u, f, loads), solved):
        agree(numbers @ sample.at(*found) + h, wanted, scale=float(np.abs(h).max(initial=1.0)))


@driven
def test_loads_act_through_their_projection(sample: Sample) -> None:
    tree, loads = sample.tree, applied(sample)
    with_loads = inverse_dynamics(tree, sample.u, sample.udot, loads)
    without = inverse_dynamics(tree, sample.u, sample.udot)
    agree(sample.at(*without) - sample.at(*with_loads), sample.at(*project(tree, loads)), 10.0)


@free
def test_coriolis_matrix_gives_the_velocity_terms(sample: Sample) -> None:
    tree = sample.tree
    c = sample.matrix(coriolis_matrix(tree, sample.u))
    bias = sample.at(*inverse_dynamics(tree, sample.u, zeros(sample)))
    gravity = sample.at(*inverse_dynamics(tree, zeros(sample), zeros(sample)))
    agree(c @ sample.state("u") + gravity, bias, scale=float(np.abs(c).max(initial=1.0)))


@driven
def test_mass_matrix_rate_less_twice_coriolis_is_skew(sample: Sample) -> None:
    n = sample.tree.freedom
    rate = sample.along_motion(*(x for row in mass_matrix(sample.tree) for x in row)).reshape(n, n)
    c = sample.matrix(coriolis_matrix(sample.tree, sample.u))
    agree(rate, c + c.T)


@driven
def test_energy_changes_by_the_power_of_all_forces(sample: Sample) -> None:
    tree = sample.tree
    total = energy(tree, sample.u)
    forces = sample.at(*inverse_dynamics(tree, sample.u, sample.udot))
    power = forces * sample.at(*tree.all_speeds(sample.u))
    agree(sample.along_motion(total.kinetic + total.potential), [power.sum()], scale=float(np.abs(power).sum()))


@driven
def test_inverse_dynamics_is_the_regressor_times_the_parameters(sample: Sample) -> None:
    bare = replace(sample, tree=replace(sample.tree, rotors=()))
    y = sample.matrix(regressor(bare.tree, sample.u, sample.udot))
    agree(y @ standard_parameters(bare), sample.at(*torques(bare)), scale=float(np.abs(y).max(initial=1.0)))


def standard_parameters(sample: Sample) -> Array:
    """The ten of every link, in the order of the regressor's columns."""
    found: list[Node] = []
    for link in sample.tree.links:
        j = link.inertia.matrix
        found += [link.inertia.mass, *link.inertia.moment, j.a.x, j.b.y, j.c.z, j.a.y, j.a.z, j.b.z]
    return sample.at(*found)


@driven
def test_regrouped_inertias_move_the_same(sample: Sample) -> None:
    """Only the free speeds' forces stay the same: what drives the driven ones is not asked of regrouped inertias."""
    grouped = replace(sample, tree=regroup(sample.tree))
    agree(sample.at(*torques(grouped)), sample.at(*torques(sample)))
    agree(sample.matrix(mass_matrix(grouped.tree)), sample.matrix(mass_matrix(sample.tree)))


@driven
def test_twists_are_the_rates_of_places(sample: Sample) -> None:
    """In a link's axes, R' = R [w×] and r' = R v, and the columns of the link's Jacobian add up to its twist."""
    tree = sample.tree
    speeds = sample.at(*tree.all_speeds(sample.u))
    for index, (place, twist) in enumerate(zip(places(tree), twists(tree, sample.u))):
        entries = [x for row in place.rotation for x in row]
        rotation = sample.at(*entries).reshape(3, 3)
        spin = rotation.T @ sample.along_motion(*entries).reshape(3, 3)
        w, v = sample.at(*twist.w), sample.at(*twist.v)
        agree(rotation.T @ rotation, np.eye(3))
        agree([spin[2, 1], spin[0, 2], spin[1, 0]], w)
        agree(sample.along_motion(*place.origin), rotation @ v)
        columns = columns_at(tree, index)
        total = sum((sample.at(*c.angular, *c.linear) * speeds[k] for k, c in columns.items()), np.zeros(6))
        agree(total, [*w, *v])
        offset = Vector.of(tree.graph, (0.3, -0.2, 0.5))
        total = sum((sample.at(*shifted(c, offset).linear) * speeds[k] for k, c in columns.items()), np.zeros(3))
        agree(total, v + np.cross(w, [0.3, -0.2, 0.5]))


@driven
def test_vectors_cross_the_tree_as_their_frames_stand(sample: Sample) -> None:
    tree = sample.tree
    vector = Vector.of(tree.graph, (0.3, -0.2, 0.5))
    stands = [np.eye(3)]
    for place in places(tree):
        stands.append(sample.at(*(x for row in place.rotation for x in row)).reshape(3, 3))
    last = len(tree.links) - 1
    for source, target in [(-1, last), (last, -1), (0, last), (last, last // 2), (last, last)]:
        seen = sample.at(*across(tree, vector, source, target))
        agree(stands[target + 1] @ seen, stands[source + 1] @ [0.3, -0.2, 0.5])


@driven
def test_momentum_is_the_masses_motion(sample: Sample) -> None:
    """Linear momentum is the total mass times the mass centre's velocity; both momenta are the matrix times speeds."""
    tree = sample.tree
    about = mass_center(tree)
    mass = sum(sample.at(solid.mass)[0] for solid in tree.solids)
    angular, linear = momentum(tree, sample.u, about)
    agree(mass * sample.along_motion(*about), sample.at(*linear))
    speeds = sample.at(*tree.all_speeds(sample.u))
    agree(sample.matrix(momentum_matrix(tree, about)) @ speeds, sample.at(*angular, *linear))
    jacobian = sample.matrix(mass_center_jacobian(tree))
    agree(mass * jacobian, sample.matrix(momentum_matrix(tree, about))[3:, : tree.freedom])


@pytest.mark.parametrize("seed", range(3))
def test_momentum_changes_by_the_root_joints_force_and_gravity(seed: int) -> None:
    """A tree on one free joint: about the ground's origin, the rate of momentum is what acts from outside."""
    sample = random_tree(seed, 5, Traits(floating=True))
    tree = sample.tree
    f = sample.at(*torques(sample))
    root = places(tree)[0]
    rotation = sample.at(*(x for row in root.rotation for x in row)).reshape(3, 3)
    origin = sample.at(*root.origin)
    torque, force = rotation @ f[:3], rotation @ f[3:6]
    mass = sum(sample.at(solid.mass)[0] for solid in tree.solids)
    weight, center = mass * sample.at(*tree.gravity), sample.at(*mass_center(tree))
    angular, linear = momentum(tree, sample.u, Vector.zero(tree.graph))
    agree(sample.along_motion(*linear), force + weight)
    agree(sample.along_motion(*angular), torque + np.cross(origin, force) + np.cross(center, weight))
