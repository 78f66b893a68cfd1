"""Kwatny & Blankenship 1995, the thin disk: (53) to (55) of our gallery's disk, and where the print is wrong.

| where | as printed | as it must be | how we know |
|---|---|---|---|
| (53b) | − + +  before its three terms | + − − | from (40) alone, and from Lagrange's equations |
| (53c) | V⁻ᵀ | Vᵀ | power is the same in both speeds |
| (54b) | −5 p2 p3, 5 p1 p3, 0 | 5 p2 p3, −5 p1 p3, 0 | ω × I ω |
| (55a) | 5 sin t2 in the last entry | 5 sin² t2 | Bᵀ I B |
| (55b) | all three rows negative | as printed with the sign changed | Lagrange's equations |
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from jourdain.gallery import thin_disk

from .evaluated import Evaluated
from .symbolic import Joint, map_matrix, zero

SPHERICAL = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
ANGLES = sp.symbols("t1 t2 t3")
SPEEDS = sp.Matrix(sp.symbols("p1 p2 p3"))
INERTIA = sp.diag(5, 5, 10)  # m = 5, R = 2: m R² / 4 and m R² / 2

t1, t2, _ = ANGLES
p1, p2, p3 = SPEEDS
sin, cos = sp.sin, sp.cos

# (55) as printed, the scan's line breaks apart.
PRINTED_MASS = sp.Matrix(
    [
        [5, 0, -5 * sin(t2)],
        [0, sp.Rational(5, 2) * (3 - cos(2 * t1)), -sp.Rational(5, 2) * cos(t2) * sin(2 * t1)],
        [
            -5 * sin(t2),
            -sp.Rational(5, 2) * cos(t2) * sin(2 * t1),
            10 * cos(t1) ** 2 * cos(t2) ** 2 + 5 * cos(t2) ** 2 * sin(t1) ** 2 + 5 * sin(t2),
        ],
    ]
)
PRINTED_FORCES = sp.Matrix(
    [
        p3 * (-5 * p2 * cos(2 * t1) * cos(t2) - 5 * p3 * cos(t2) ** 2 * sin(2 * t1)) / 2
        + p2 * (5 * p3 * cos(t2) + (-5 * p3 * cos(2 * t1) * cos(t2) + 5 * p2 * sin(2 * t1)) / 2),
        p1 * (-5 * p3 * cos(t2) / 2 + 5 * p3 * cos(2 * t1) * cos(t2) - 5 * p2 * sin(2 * t1))
        - 5 * p2 * p3 * sin(2 * t1) * sin(t2) / 4
        + (p3 * (-5 * p1 * cos(t2) + 5 * p2 * sin(2 * t1) * sin(t2) / 2 - 5 * p3 * cos(t1) ** 2 * sin(2 * t2))) / 2,
        p1 * (5 * p2 * cos(2 * t1) * cos(t2) + 5 * p3 * cos(t2) ** 2 * sin(2 * t1))
        + p2 * (5 * p1 * cos(t2) - 5 * p2 * sin(2 * t1) * sin(t2) / 2 + 5 * p3 * cos(t1) ** 2 * sin(2 * t2)),
    ]
)


def expanded(matrix: sp.Matrix) -> sp.Matrix:
    """Without sines and cosines of doubled angles."""
    return matrix.applyfunc(lambda x: sp.expand_trig(x.expand()))


def poincare(mass: sp.Matrix, v: sp.Matrix) -> sp.Matrix:
    """C(q, p) p, from (40) alone: d/dt ∂T/∂p_k − Σ c_{kj}^i p_j ∂T/∂p_i − v_k(T), less M ṗ.

    The commutators are [v_j, v_k] = (∂v_k/∂q) v_j − (∂v_j/∂q) v_k.
    """
    momentum = mass * SPEEDS
    energy = sp.Matrix([(SPEEDS.T * momentum)[0] / 2])
    fields = [v[:, k] for k in range(3)]
    rows = []
    for k in range(3):
        commutators = [fields[k].jacobian(ANGLES) * w - w.jacobian(ANGLES) * fields[k] for w in fields]
        swept = sum((p * (v.inv() * x) for p, x in zip(SPEEDS, commutators)), sp.zeros(3, 1))
        along_motion = (momentum[k : k + 1, :].jacobian(ANGLES) * v * SPEEDS)[0]
        rows.append(along_motion - (momentum.T * swept)[0] - (energy.jacobian(ANGLES) * fields[k])[0])
    return sp.Matrix(rows)


def c_matrix(mass: sp.Matrix, v: sp.Matrix, signs: tuple[int, int, int]) -> sp.Matrix:
    """(53b) with its three terms under the signs given; the print has (−1, 1/2, 1): all three reversed."""
    swept = (mass * SPEEDS).jacobian(ANGLES) * v
    commutators = sp.zeros(3, 3)
    for j in range(3):
        columns = [v[:, i].jacobian(ANGLES) * v[:, j] - v[:, j].jacobian(ANGLES) * v[:, i] for i in range(3)]
        commutators += SPEEDS[j] * sp.Matrix.hstack(*columns).T
    return signs[0] * swept + signs[1] * swept.T / 2 + signs[2] * commutators * v.inv().T * mass


@pytest.fixture(scope="module")
def simple() -> Joint:
    return Joint(SPHERICAL, (3,), [x.name for x in ANGLES])


@pytest.fixture(scope="module")
def compound() -> Joint:
    return Joint(SPHERICAL, (1, 1, 1), [x.name for x in ANGLES])


def mass_of(joint: Joint) -> sp.Matrix:
    turning = joint.joint_map[:3, :]
    return turning.T * INERTIA * turning


def lagrange(mass: sp.Matrix) -> sp.Matrix:
    """Velocity terms of Lagrange's equations, for q̇ = p."""
    momentum = mass * SPEEDS
    energy = sp.Matrix([(SPEEDS.T * momentum)[0] / 2])
    return momentum.jacobian(ANGLES) * SPEEDS - energy.jacobian(ANGLES).T


def test_the_simple_joint_gives_eulers_equations(simple: Joint) -> None:
    """(54): M is constant, and the velocity terms are ω × I ω whatever the angles; the print has them negative."""
    assert mass_of(simple) == INERTIA
    euler = SPEEDS.cross(INERTIA * SPEEDS)
    assert zero(poincare(INERTIA, simple.kinematic) - euler)
    printed = sp.Matrix([-5 * p2 * p3, 5 * p1 * p3, 0])
    assert printed == -euler


def test_the_compound_joint_gives_lagranges_equations(compound: Joint) -> None:
    """(55): the velocity terms are those of Lagrange's equations; the print has all three rows negative."""
    mass = mass_of(compound)
    right = lagrange(mass)
    assert zero(poincare(mass, compound.kinematic) - right)
    assert zero(expanded(PRINTED_FORCES) + right)


def test_the_mass_matrix_of_the_compound_joint(compound: Joint) -> None:
    """(55a) with sin² t2 where the print has sin t2, in its last entry."""
    mass = mass_of(compound)
    rates = map_matrix(compound.configuration, compound.symbols)[:3, :]
    assert zero(mass - rates.T * INERTIA * rates)
    difference = expanded(PRINTED_MASS) - mass
    assert zero(difference - sp.diag(0, 0, 5 * sin(t2) - 5 * sin(t2) ** 2))


@pytest.mark.parametrize("groups", [(3,), (1, 1, 1)])
def test_the_matrix_of_velocity_terms_has_its_signs_reversed(groups: tuple[int, ...]) -> None:
    """(53b): (40) gives + − − where the print has − + +."""
    joint = Joint(SPHERICAL, groups, [x.name for x in ANGLES])
    mass = mass_of(joint)
    right = poincare(mass, joint.kinematic)
    assert zero(c_matrix(mass, joint.kinematic, (1, -1, -1)) * SPEEDS - right)
    assert zero(c_matrix(mass, joint.kinematic, (-1, 1, 1)) * SPEEDS + right)
    assert not zero(right)


def test_forces_are_carried_by_the_transpose(simple: Joint) -> None:
    """(53c): power Qᵀ q̇ = Q_pᵀ p for q̇ = V p asks for Q_p = Vᵀ Q; the print has V⁻ᵀ."""
    v = simple.kinematic
    force = sp.Matrix(sp.symbols("f1 f2 f3"))
    power = (force.T * v * SPEEDS)[0]
    assert zero(sp.Matrix([power - ((v.T * force).T * SPEEDS)[0]]))
    assert not zero(sp.Matrix([power - ((v.inv().T * force).T * SPEEDS)[0]]))


# -- the gallery's disk ------------------------------------------------------------------------------------------------

STATES = [np.random.default_rng([54, k]).uniform(-1.2, 1.2, (3, 3)) for k in range(5)]


@pytest.mark.parametrize("state", STATES)
def test_the_gallerys_simple_disk_obeys_euler(state: np.ndarray) -> None:
    """(54), its velocity terms' signs changed."""
    q, p, rates = state
    forces = Evaluated(thin_disk((3,)), q, p, rates).at(lambda m: m.inverse_dynamics())
    inertia = np.array(INERTIA, float)
    assert np.abs(forces - (inertia @ rates + np.cross(p, inertia @ p))).max() < 1e-13
    printed = np.array([-5 * p[1] * p[2], 5 * p[0] * p[2], 0.0])
    assert np.abs(forces - (inertia @ rates - printed)).max() < 1e-13


@pytest.mark.parametrize("state", STATES)
def test_the_gallerys_compound_disk_obeys_lagrange(state: np.ndarray) -> None:
    """(55), sin² t2 in the mass matrix and the velocity terms' signs changed."""
    q, p, rates = state
    disk = Evaluated(thin_disk((1, 1, 1)), q, p, rates)
    values = dict(zip([*ANGLES, *SPEEDS], [*q, *p]))
    mass = np.array((PRINTED_MASS + sp.diag(0, 0, 5 * sin(t2) ** 2 - 5 * sin(t2))).subs(values), float)
    velocity = -np.array(PRINTED_FORCES.subs(values), float).ravel()
    assert np.abs(disk.at(lambda m: m.mass_matrix()) - mass).max() < 1e-13
    assert np.abs(disk.at(lambda m: m.inverse_dynamics()) - (mass @ rates + velocity)).max() < 1e-13
