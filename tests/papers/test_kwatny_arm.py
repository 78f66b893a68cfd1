"""Kwatny & Blankenship 1995, section IV: the six-degree-of-freedom arm of our gallery, and what the print has wrong.

| where | as printed | as it must be | how we know |
|---|---|---|---|
| end effector | right, once the scan's brackets are put back | | poses multiplied out in NumPy |
| potential | heights of mass centres above their own joints | Σ m g z | at q = 0, g = 1 it is 9.175, not 3.35 |
| last rows of M | shoulder's and elbow's columns | those of Σ Jᵀ M J | s2, a turn of the whole arm, is in them |
| last rows of M | joint k−1 turns body k−1 to body k | joint k does | every printed entry follows from it |
| compound row, 2nd entry | cos(s1/2) | cos²(s1/2) | the same |
| simple shoulder | r = {2} | compound, r = {1, 1} | its two columns are not closed under the bracket |
"""

from __future__ import annotations

import numpy as np
import pytest

from jourdain.gallery import kwatny_arm
from jourdain.model.mistakes import ModelError
from jourdain.model.model import Model

from . import kwatny_arm as arm
from .evaluated import Evaluated

STATES = [np.random.default_rng([1995, k]).uniform(-1.2, 1.2, 6) for k in range(5)]
DIGITS = 2e-6  # the print's numbers have six


# -- the gallery's arm -------------------------------------------------------------------------------------------------

WRISTS = [(1, 1, 1), (3,)]


def test_data_of_the_gallery() -> None:
    """The paper's numbers, in the order of its coordinates."""
    system = kwatny_arm()
    assert system.parameters == {
        "m1": 1.0, "L1": 3.0, "m2": 1.0, "L2": 3.0, "m3": 0.5, "L3": 0.7, "R3": 0.35, "g": 9.81
    }  # fmt: skip
    assert system.coordinates == ("shoulder.q1", "shoulder.q2", "elbow", "wrist.q1", "wrist.q2", "wrist.q3")


@pytest.mark.parametrize("wrist", WRISTS)
@pytest.mark.parametrize("q", STATES)
def test_end_effector_of_the_gallery(q: arm.Array, wrist: tuple[int, ...]) -> None:
    """The same in both representations, and the printed one."""
    pose = Evaluated(kwatny_arm(wrist), q).at(lambda m: m.pose("gripper"))
    tip = np.eye(4)
    tip[2, 3] = arm.LENGTHS[-1]
    assert np.abs(pose @ tip - arm.printed_end_effector(q)).max() < 1e-14


@pytest.mark.parametrize("wrist", WRISTS)
@pytest.mark.parametrize("q", STATES)
def test_potential_of_the_gallery(q: arm.Array, wrist: tuple[int, ...]) -> None:
    potential = Evaluated(kwatny_arm(wrist), q, np.zeros(6)).at(lambda m: [m.energy().potential])
    assert abs(float(potential[0]) - arm.potential(q, 9.81)) < 1e-13 * 9.81 * 10


@pytest.mark.parametrize("q", STATES)
def test_inertia_of_the_gallery_compound(q: arm.Array) -> None:
    """Speeds are rates of the coordinates; all rows, the last among them, against poses alone."""
    found = Evaluated(kwatny_arm(), q).at(lambda m: m.mass_matrix())
    assert np.abs(found - arm.mass_matrix(q)).max() < 1e-13


@pytest.mark.parametrize("q", STATES)
def test_inertia_of_the_gallery_simple(q: arm.Array) -> None:
    """The wrist's speeds are the gripper's angular velocity in the forearm along its own y, z and x."""
    system = kwatny_arm((3,))
    found = Evaluated(system, q).at(lambda m: m.mass_matrix())
    assert np.abs(found - arm.mass_matrix(q, arm.wrist_speeds(q))).max() < 1e-13
    rates = Evaluated(system, q, np.arange(1.0, 7.0)).at(lambda m: m.rates())
    assert np.abs(rates - arm.wrist_speeds(q) @ np.arange(1.0, 7.0)).max() < 1e-13


def test_a_simple_shoulder_is_refused() -> None:
    """r = {2} of the paper's last page is no joint; the message offers the compound one."""
    m = Model("arm")
    body = m.body("upper arm", mass=1.0, center=(0, 0, 1.5), inertia=(0.75, 0.75, 0.0))
    with pytest.raises(ModelError, match=r"(?s)closed.*compound"):
        m.joint("shoulder", m.ground, body, H=[[0, 0], [1, 0], [0, 1], [0, 0], [0, 0], [0, 0]], r=[2])
        m.system()


# -- what is printed ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("q", STATES)
def test_printed_end_effector(q: arm.Array) -> None:
    """Right, once the scan's brackets are put back."""
    assert np.abs(arm.printed_end_effector(q) - arm.end_effector(q)).max() < 1e-14


@pytest.mark.parametrize("q", STATES)
def test_printed_potential_is_none_of_the_arms(q: arm.Array) -> None:
    """It adds the heights of the mass centres above their own bodies' joints: no masses, no bodies below, g = 1."""
    own = 0.0
    for (turned, _), length in zip(arm.places(q), arm.LENGTHS):
        own += turned[2, 2] * length / 2
    assert abs(arm.printed_potential(q) - own) < 1e-14
    straight = np.zeros(6)
    assert abs(arm.potential(straight, 1.0) - (1.5 + 4.5 + 0.5 * 6.35)) < 1e-14
    assert abs(arm.printed_potential(straight) - 3.35) < 1e-14


@pytest.mark.parametrize("q", STATES)
def test_printed_last_row_compound(q: arm.Array) -> None:
    """Entries of the wrist's own three speeds are right; those of shoulder and elbow are not."""
    right, printed = arm.mass_matrix(q)[-1], arm.printed_compound_row(q)
    assert np.abs(printed - right)[3:].max() < DIGITS
    assert np.abs(printed - right)[:3].min() > 1e-2


@pytest.mark.parametrize("q", STATES)
def test_printed_last_row_simple(q: arm.Array) -> None:
    """The same for the simple wrist. (A simple shoulder, r = {2}, has a map that is not closed: no such joint.)"""
    right, printed = arm.mass_matrix(q, arm.wrist_speeds(q))[-1], arm.printed_simple_row(q)
    assert np.abs(printed - right)[3:].max() < DIGITS
    assert np.abs(printed - right)[:3].max() > 0.1
    # The coupling with the elbow cannot vanish: it carries the gripper's mass on the forearm's arm.
    assert printed[2] == 0.0
    assert abs(right[2]) > 1e-2


@pytest.mark.parametrize("q", STATES)
def test_where_the_printed_rows_come_from(q: arm.Array) -> None:
    """Every printed entry follows from taking each joint's rotation one joint too late along the chain."""
    s1, _, _, t1, t2, _ = q
    y, z, x = np.eye(3)[[1, 2, 0]]
    shoulder = np.column_stack([y, arm.ry(s1).T @ z])
    wrist = np.column_stack([y, arm.ry(t1).T @ z, (arm.rz(t2) @ arm.ry(t1)).T @ x])
    compound = arm.shifted_mass_matrix(q, shoulder, wrist)[-1]
    assert np.abs(arm.printed_compound_row(q) - compound).max() < DIGITS
    assert np.abs(arm.printed_compound_row(q, square=False) - compound)[1] > 1e-4
    simple = arm.shifted_mass_matrix(q, np.column_stack([y, z]), np.column_stack([y, z, x]))[-1]
    assert np.abs(arm.printed_simple_row(q) - simple).max() < DIGITS


def test_no_inertia_depends_on_a_turn_about_the_first_vertical_axis() -> None:
    """s2 turns the whole arm about an axis fixed in space, so M cannot contain it; both printed rows do."""
    q = STATES[0]
    turned = q + np.array([0.0, 0.7, 0.0, 0.0, 0.0, 0.0])
    assert np.abs(arm.mass_matrix(q) - arm.mass_matrix(turned)).max() < 1e-13
    assert np.abs(arm.printed_compound_row(q) - arm.printed_compound_row(turned)).max() > 0.1
    assert np.abs(arm.printed_simple_row(q) - arm.printed_simple_row(turned)).max() > 0.1
