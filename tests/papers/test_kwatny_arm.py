"""Kwatny & Blankenship 1995, section IV: the six-degree-of-freedom arm, and what its print has wrong."""

from __future__ import annotations

import numpy as np
import pytest

from . import kwatny_arm as arm

STATES = [np.random.default_rng([1995, k]).uniform(-1.2, 1.2, 6) for k in range(5)]
DIGITS = 2e-6  # the print's numbers have six


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
