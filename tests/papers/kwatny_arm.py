"""Kwatny & Blankenship's six-degree-of-freedom arm in plain NumPy, from poses alone, and the results they print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import cos, sin
from numpy.typing import NDArray

Array = NDArray[Any]

NAMES = ("s1", "s2", "e", "t1", "t2", "t3")
LENGTHS = (3.0, 3.0, 0.7)
MASSES = (1.0, 1.0, 0.5)
RADIUS = 0.35
BAR = 9.0 / 12.0
ACROSS = 0.5 / 12.0 * (0.7**2 + 3 * RADIUS**2)
ALONG = 0.5 / 12.0 * RADIUS**2  # as printed; a solid cylinder has m R² / 2
MOMENTS = ((BAR, BAR, 0.0), (BAR, BAR, 0.0), (ACROSS, ACROSS, ALONG))


def rx(a: Any) -> Array:
    return np.array([[1, 0, 0], [0, cos(a), -sin(a)], [0, sin(a), cos(a)]])


def ry(a: Any) -> Array:
    return np.array([[cos(a), 0, sin(a)], [0, 1, 0], [-sin(a), 0, cos(a)]])


def rz(a: Any) -> Array:
    return np.array([[cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]])


def rotations(q: Array) -> list[Array]:
    """Of each body in the one before: the joints' columns are y, z; y; y, z, x, the first acting innermost."""
    s1, s2, e, t1, t2, t3 = q
    return [rz(s2) @ ry(s1), ry(e), rx(t3) @ rz(t2) @ ry(t1)]


def places(q: Array) -> list[tuple[Array, Array]]:
    """Rotation and origin of each body's frame in space."""
    found = []
    turned, origin = np.eye(3), np.zeros(3)
    for rotation, length in zip(rotations(q), LENGTHS):
        turned = turned @ rotation
        found.append((turned, origin))
        origin = origin + turned @ np.array([0.0, 0.0, length])
    return found


def end_effector(q: Array) -> Array:
    """4×4: the gripper's frame moved to its tip."""
    turned, origin = places(q)[-1]
    pose: Array = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turned, origin + turned @ np.array([0.0, 0.0, LENGTHS[-1]])
    return pose


def potential(q: Array, g: float) -> float:
    """Σ m g z of the mass centres."""
    heights = [origin[2] + turned[2, 2] * length / 2 for (turned, origin), length in zip(places(q), LENGTHS)]
    return float(g * np.dot(MASSES, heights))


def mass_matrix(q: Array, speeds: Array | None = None) -> Array:
    """M for rates of the coordinates, or for speeds p with q̇ = `speeds` p, by a complex step through the poses."""
    step = 1e-40
    total = np.zeros((6, 6))
    here = places(q)
    moved = [places(q + 1j * step * unit) for unit in np.eye(6)]
    for k, (turned, _) in enumerate(here):
        columns = []
        for each in moved:
            turning, center = each[k][0], each[k][1] + each[k][0] @ np.array([0, 0, LENGTHS[k] / 2])
            spin = turned.T @ np.imag(turning) / step
            columns.append(np.array([spin[2, 1], spin[0, 2], spin[1, 0], *(turned.T @ np.imag(center) / step)]))
        jacobian = np.column_stack(columns)
        total += jacobian.T @ np.diag([*MOMENTS[k], *[MASSES[k]] * 3]) @ jacobian
    return total if speeds is None else speeds.T @ total @ speeds


def wrist_speeds(q: Array) -> Array:
    """q̇ = V p where the wrist is simple, r = {3}: p are ω relative to the forearm along the gripper's y, z and x."""
    _, _, _, t1, t2, _ = q
    y, z, x = np.eye(3)[[1, 2, 0]]
    axes = np.column_stack([y, ry(t1).T @ z, (rz(t2) @ ry(t1)).T @ x])  # ω for unit rates of t1, t2, t3
    v = np.eye(6)
    v[3:, 3:] = np.linalg.inv(axes) @ np.column_stack([y, z, x])
    return v


def shifted_mass_matrix(q: Array, shoulder: Array, wrist: Array) -> Array:
    """The recursion (45)–(52) with the rotation of joint k−1, not of joint k, taken from body k−1 to body k.

    shoulder, wrist: the joint maps' angular rows (3×2, 3×3). It is not a mass matrix of anything; it is what the
    paper's last rows were printed from.
    """
    turns = rotations(q)
    maps = [shoulder, np.eye(3)[:, [1]], wrist]
    carried = np.zeros((6, 0))
    total = np.zeros((6, 6))
    for k, own in enumerate(maps):
        if k:
            arm = np.eye(6)
            arm[3:, :3] = -_cross(np.array([0.0, 0.0, LENGTHS[k - 1]]))
            carried = np.kron(np.eye(2), turns[k - 1].T) @ arm @ carried
        carried = np.hstack([carried, np.vstack([own, np.zeros_like(own)])])
        center = np.eye(6)
        center[3:, :3] = -_cross(np.array([0.0, 0.0, LENGTHS[k] / 2]))
        jacobian = center @ carried
        n = jacobian.shape[1]
        total[:n, :n] += jacobian.T @ np.diag([*MOMENTS[k], *[MASSES[k]] * 3]) @ jacobian
    return total


def _cross(v: Sequence[float] | Array) -> Array:
    x, y, z = v
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


# -- as printed ------------------------------------------------------------------------------------------------------


def printed_end_effector(q: Array) -> Array:
    s1, s2, e, t1, t2, t3 = q
    a = [cos(e) * cos(s1) * cos(s2) - cos(s2) * sin(e) * sin(s1),
         cos(e) * cos(s1) * sin(s2) - sin(e) * sin(s1) * sin(s2),
         -(cos(s1) * sin(e)) - cos(e) * sin(s1)]
    b = [cos(s1) * cos(s2) * sin(e) + cos(e) * cos(s2) * sin(s1),
         cos(s1) * sin(e) * sin(s2) + cos(e) * sin(s1) * sin(s2),
         cos(e) * cos(s1) - sin(e) * sin(s1)]
    c = [-sin(s2), cos(s2), 0.0]
    first = [cos(s2) * sin(s1), sin(s1) * sin(s2), cos(s1)]
    rows = []
    for k in range(3):
        tip = (cos(t2) * a[k] * sin(t1) + c[k] * (cos(t3) * sin(t1) * sin(t2) - cos(t1) * sin(t3))
               + b[k] * (cos(t1) * cos(t3) + sin(t1) * sin(t2) * sin(t3)))
        rows.append([
            cos(t1) * cos(t2) * a[k] + c[k] * (cos(t1) * cos(t3) * sin(t2) + sin(t1) * sin(t3))
            + b[k] * (-(cos(t3) * sin(t1)) + cos(t1) * sin(t2) * sin(t3)),
            c[k] * cos(t2) * cos(t3) - a[k] * sin(t2) + cos(t2) * b[k] * sin(t3),
            tip,
            3 * first[k] + 3 * b[k] + 0.7 * tip,
        ])  # fmt: skip
    return np.array([*rows, [0.0, 0.0, 0.0, 1.0]])


def printed_potential(q: Array) -> float:
    s1, _, e, t1, t2, t3 = q
    forearm = cos(e) * cos(s1) - sin(e) * sin(s1)
    gripper = cos(t2) * (-(cos(s1) * sin(e)) - cos(e) * sin(s1)) * sin(t1) + forearm * (
        cos(t1) * cos(t3) + sin(t1) * sin(t2) * sin(t3)
    )
    return float(3 * cos(s1) / 2 + 3 * forearm / 2 + 0.35 * gripper)


def printed_compound_row(q: Array, square: bool = True) -> Array:
    """square: with the exponent of cos² (s1/2) that the second entry has lost."""
    s1, s2, e, t1, t2, _ = q
    half = cos(s1 / 2) ** (2 if square else 1)
    lever = 1.05 * cos(e + s1 / 2) * cos(s1 / 2)
    return np.array([
        1.05 * cos(s1 / 2) ** 2 * cos(t1) * cos(t2) * sin(s2) + 0.0969792 * cos(e + s1) * cos(t1) * cos(t2) * sin(s2)
        + 0.00510417 * cos(t2) * sin(e + s1) * sin(s2) * sin(t1) - 0.0969792 * cos(s2) * sin(t2)
        - lever * cos(s2) * sin(t2),
        -0.175 * cos(t1) * cos(t2) * (6 * half * cos(s2) * sin(s1) + 3 * sin(2 * s1) / 2)
        + 0.0969792 * cos(t1) * cos(t2) * (-(cos(e + s1) * cos(s2) * sin(s1)) - cos(s1) * sin(e + s1))
        + 0.00510417 * cos(t2) * (cos(s1) * cos(e + s1) - cos(s2) * sin(s1) * sin(e + s1)) * sin(t1)
        - 0.0969792 * sin(s1) * sin(s2) * sin(t2) - lever * sin(s1) * sin(s2) * sin(t2),
        -0.0969792 * sin(t2) - 0.525 * cos(e) * sin(t2),
        -0.0969792 * sin(t2),
        -0.091875 * cos(t1) * cos(t2) * sin(t1),
        0.0969792 * cos(t1) ** 2 * cos(t2) ** 2 + 0.00510417 * cos(t2) ** 2 * sin(t1) ** 2 + 0.0969792 * sin(t2) ** 2,
    ])  # fmt: skip


def printed_simple_row(q: Array) -> Array:
    s1, s2, e, _, _, _ = q
    return np.array([
        1.05 * cos(s1 / 2) ** 2 * sin(s2) + 0.0969792 * cos(e + s1) * sin(s2),
        -0.525 * sin(s1) - 0.0969792 * sin(e + s1),
        0.0, 0.0, 0.0, 0.0969792,
    ])  # fmt: skip
