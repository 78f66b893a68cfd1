"""Kwatny & Blankenship 1995, section II: Tables I and II, (35), (36), Propositions 1 to 3 and the corollary."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import sympy as sp

from jourdain.model.closure import open_pairs

from .symbolic import Joint, map_matrix, rigid_inverse, unvee, zero

Rows = Sequence[Sequence[float | str]]

# Table I, and the other joints of the paper's text: rows of H by name.
REVOLUTE = [[0], [0], [1], [0], [0], [0]]
PRISMATIC = [[0], [0], [0], [0], [0], [1]]
SCREW: Rows = [[0], [0], [1], [0], [0], ["s"]]
CYLINDRICAL = [[0, 0], [0, 0], [1, 0], [0, 0], [0, 0], [0, 1]]
UNIVERSAL = [[0, 0], [1, 0], [0, 1], [0, 0], [0, 0], [0, 0]]
UNIVERSAL_SCREW: Rows = [[0, 1], [0, 0], [1, 0], [0, "s"], [0, 0], [0, 0]]
SPHERICAL = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
FREE = np.eye(6).tolist()
WRIST = [[0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]

SIMPLE: dict[str, tuple[Rows, tuple[int, ...]]] = {
    "revolute": (REVOLUTE, (1,)),
    "prismatic": (PRISMATIC, (1,)),
    "screw": (SCREW, (1,)),
    "cylindrical": (CYLINDRICAL, (2,)),
    "spherical": (SPHERICAL, (3,)),
    "wrist": (WRIST, (3,)),
    "free": (FREE, (6,)),
}
COMPOUND: dict[str, tuple[Rows, tuple[int, ...]]] = {
    "universal": (UNIVERSAL, (1, 1)),
    "universal-screw": (UNIVERSAL_SCREW, (1, 1)),
    "three-degree universal": (SPHERICAL, (1, 1, 1)),
    "wrist in turns": (WRIST, (1, 1, 1)),
    "cylindrical in two": (CYLINDRICAL, (1, 1)),
    "turning then sliding": (FREE, (3, 3)),
}
ALL = SIMPLE | COMPOUND


def named(name: str) -> Joint:
    matrix, groups = ALL[name]
    return Joint(matrix, groups, [f"q{k + 1}" for k in range(sum(groups))])


def screw(column: Sequence[sp.Expr], e: sp.Symbol) -> sp.Matrix:
    """λ(ε) of one column."""
    return Joint([[str(x) if sp.sympify(x).free_symbols else float(x)] for x in column], (1,), [str(e)]).configuration


t1, t2, t3 = sp.symbols("t1 t2 t3")
c1, c2, c3, s1, s2, s3 = (f(t) for f in (sp.cos, sp.sin) for t in (t1, t2, t3))

# (35b) without its last row and column, and (36b), both in t1, t2, t3 (the paper's ax, ay, az in 36)
TURNED = sp.Matrix(
    [
        [c2 * c3, c3 * s1 * s2 - c1 * s3, c1 * c3 * s2 + s1 * s3],
        [c2 * s3, c1 * c3 + s1 * s2 * s3, -c3 * s1 + c1 * s2 * s3],
        [-s2, c2 * s1, c1 * c2],
    ]
)
EULER_RATES = sp.Matrix([[1, s1 * s2 / c2, c1 * s2 / c2], [0, c1, -s1], [0, s1 / c2, c1 / c2]])


@pytest.mark.parametrize("name", SIMPLE)
def test_every_simple_joint_of_table_one_keeps_its_map(name: str) -> None:
    joint = named(name)
    assert zero(joint.joint_map - sp.Matrix(joint.columns).T)
    assert not open_pairs(joint.motion.columns)


@pytest.mark.parametrize("name", ["revolute", "prismatic", "screw"])
def test_one_freedom_follows_proposition_one(name: str) -> None:
    joint = named(name)
    e = joint.symbols[0]
    assert zero(joint.configuration.diff(e) - joint.configuration * unvee(joint.columns[0]))  # (13)
    assert joint.configuration.subs(e, 0) == sp.eye(4)
    assert joint.kinematic == sp.eye(1)  # Table II's first three rows


def test_a_column_that_turns_and_slides_askew_follows_proposition_one() -> None:
    joint = Joint([["a"], [0], [0], ["b"], ["c"], [0]], (1,), ["e"])
    e, a, b, c = sp.symbols("e a b c")
    assert zero(joint.configuration.diff(e) - joint.configuration * unvee(joint.columns[0]))
    # (12b) integrated: along the axis b e, across it a circle of radius c / a
    assert zero(
        joint.configuration[:3, 3] - sp.Matrix([b * e, c / a * sp.sin(a * e), c / a * (1 - sp.cos(a * e))])
    )


@pytest.mark.parametrize("name", ALL)
def test_the_configuration_is_the_product_of_its_columns_screws(name: str) -> None:
    """Corollary 1 and (26), with the remark that grouping does not matter: the first column acts innermost."""
    joint = named(name)
    product = sp.eye(4)
    for column, e in zip(joint.columns, joint.symbols):
        product = screw(column, e) * product
    assert zero(joint.configuration - product)


@pytest.mark.parametrize("name", ALL)
def test_map_and_kinematic_matrix_say_how_the_frame_moves(name: str) -> None:
    """Propositions 2 and 3 at once: X⁻¹ Ẋ = hat(B q̇) = hat(H p) with q̇ = Γ p, so that B Γ = H."""
    joint = named(name)
    rates = map_matrix(joint.configuration, joint.symbols)
    assert zero(rates * joint.kinematic - joint.joint_map)


@pytest.mark.parametrize("name", [name for name, (_, groups) in COMPOUND.items() if max(groups) == 1])
def test_in_single_steps_speeds_are_rates(name: str) -> None:
    """(25): a compound joint of single freedoms has Γ = 1, whence Poincaré's equations are Lagrange's."""
    joint = named(name)
    assert joint.kinematic == sp.eye(len(joint.symbols))


def test_table_two_spherical() -> None:
    joint = Joint(SPHERICAL, (3,), ["t1", "t2", "t3"])
    assert zero(joint.kinematic - EULER_RATES)


def test_three_degree_universal_joint() -> None:
    """(35)."""
    joint = Joint(SPHERICAL, (1, 1, 1), ["t1", "t2", "t3"])
    axes = sp.Matrix([[1, 0, -s2], [0, c1, c2 * s1], [0, -s1, c1 * c2]])
    assert zero(joint.joint_map - axes.col_join(sp.zeros(3, 3)))
    assert zero(joint.configuration - sp.diag(TURNED, 1))
    assert joint.kinematic == sp.eye(3)


def test_six_degree_joint() -> None:
    """(36): 3-2-1 angles, and the position in the space frame though the speed is in the body's."""
    joint = Joint(FREE, (6,), ["t1", "t2", "t3", "x", "y", "z"])
    assert zero(joint.kinematic - sp.diag(EULER_RATES, TURNED))
    assert zero(joint.configuration[:3, 3] - sp.Matrix(sp.symbols("x y z")))


def test_displacements_before_turns_are_in_the_body_frame() -> None:
    """Section II.F: columns of displacement put first make the coordinates measure it along the body's axes."""
    swapped = np.eye(6)[:, [3, 4, 5, 0, 1, 2]].tolist()
    joint = Joint(swapped, (6,), ["x", "y", "z", "t1", "t2", "t3"])
    assert zero(joint.configuration[:3, 3] - TURNED * sp.Matrix(sp.symbols("x y z")))


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_the_order_of_columns_chooses_the_angles(order: tuple[int, int, int]) -> None:
    """Section II.F: the angle of the last column turns first, about an axis fixed in space."""
    turns = [sp.rot_ccw_axis1(t1), sp.rot_ccw_axis2(t1), sp.rot_ccw_axis3(t1)]
    names = ["t1", "t2", "t3"]
    joint = Joint(np.eye(6)[:, list(order)].tolist(), (3,), names)
    expected = sp.eye(3)
    for axis, name in zip(order, names):
        expected = turns[axis].subs(t1, sp.Symbol(name)) * expected
    assert zero(joint.configuration[:3, :3] - expected)
    assert zero(map_matrix(joint.configuration, joint.symbols) * joint.kinematic - joint.joint_map)


# -- what the print has wrong ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("matrix", [UNIVERSAL, UNIVERSAL_SCREW], ids=["universal", "universal-screw"])
def test_table_two_universal_joints_are_not_simple(matrix: list[list[float | str]]) -> None:
    """Table II gives Γ = diag(1, cos z1) for both. It is the least-squares inverse of B, and the motion that it
    makes is not the one that H prescribes: at any z1 ≠ 0 the frame also turns about the axis that H lacks."""
    joint = Joint(matrix, (1, 1), ["z1", "z2"])
    assert open_pairs(joint.motion.columns) == [(0, 1)]
    z1, _ = joint.symbols
    b, h = map_matrix(joint.configuration, joint.symbols), sp.Matrix(joint.columns).T
    printed = sp.diag(1, sp.cos(z1))
    assert zero((b.T * b).inv() * b.T * h - printed)
    here = dict(zip([*joint.symbols, sp.Symbol("s")], (0.5, 0.7, 1.0 / 3.0)))
    numbers = np.array(b.subs(here), float)
    wanted = np.array(h.subs(here), float)
    unwanted = numbers @ np.array([0.0, np.cos(0.5)]) - wanted[:, 1]  # made, less prescribed, at a unit of speed
    lacked = 0 if matrix is UNIVERSAL else 1
    assert abs(abs(unwanted[lacked]) - 0.5 * np.sin(1.0)) < 1e-15  # sin z1 cos z1
    # and no Γ at all would do: H p leaves the range of B
    assert np.linalg.matrix_rank(np.hstack([numbers, wanted])) > np.linalg.matrix_rank(numbers)


def test_printed_inverse_of_a_configuration() -> None:
    """(2b) prints −R where −L R must stand: the product with X is then not the identity."""
    joint = Joint(FREE, (6,), ["t1", "t2", "t3", "x", "y", "z"])
    x = joint.configuration
    printed = x[:3, :3].T.row_join(-x[:3, 3]).col_join(sp.Matrix([[0, 0, 0, 1]]))
    here = dict(zip(joint.symbols, (0.3, -0.5, 0.7, 1.0, 2.0, 3.0)))
    assert np.abs(np.array((printed * x).subs(here), float) - np.eye(4)).max() > 1.0
    assert zero(rigid_inverse(x) * x - sp.eye(4))


def test_printed_recursion_of_proposition_two() -> None:
    """(17) prints sums of L_j and L_{j−1} and starts from 𝓡₀ = 1; the proof's (23) has products and 𝓡₀ = 0."""
    turning, sliding = sp.symbols("a x")
    first, second = screw([0, 0, 0, 1, 0, 0], sliding), screw([0, 0, 1, 0, 0, 0], turning)
    r1, r2 = first[:3, 3], second[:3, 3]
    product = second * first
    assert zero(product[:3, 3] - (second[:3, :3] * r1 + r2))
    assert zero(product[:3, :3] - second[:3, :3] * first[:3, :3])
    assert not zero(product[:3, :3] - (second[:3, :3] + first[:3, :3]))


def test_the_text_of_proposition_three_needs_the_inverse() -> None:
    """(32) follows (29) on multiplying by λ⁻¹; the text says λ. With λ it is the twist in the space frame."""
    joint = named("three-degree universal")
    x = joint.configuration
    rate = sum((x.diff(e) * sp.Symbol(f"r{k}") for k, e in enumerate(joint.symbols)), sp.zeros(4, 4))
    p = joint.joint_map * sp.Matrix(sp.symbols("r0 r1 r2"))
    assert zero(rigid_inverse(x) * rate - unvee(list(p)))
    here = {e: 0.4 + k for k, e in enumerate([*joint.symbols, *sp.symbols("r0 r1 r2")])}
    assert float(sp.Matrix((x * rate - unvee(list(p))).subs(here)).norm()) > 0.1
