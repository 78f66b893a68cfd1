"""Kane and Levinson (1983) beside their appendices: speeds (2, 3), efforts (118)–(126), active forces (111)–(116).

All for numbers, arrays of them, or expressions; indices are the paper's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = Mapping[int, Any]  # by the paper's index: numbers, or arrays of them
SPEEDS = range(1, 7)


def speeds(q: Values, rates: Values) -> dict[int, Any]:
    """(5), (6), (7) and (3)."""
    s2, c2, s3, c3 = np.sin(q[2]), np.cos(q[2]), np.sin(q[3]), np.cos(q[3])
    u = {k: rates[k] for k in (4, 5, 6)}
    u[1] = rates[1] * s2 * s3 + rates[2] * c3
    u[2] = rates[1] * c2 + rates[3]
    u[3] = -rates[1] * s2 * c3 + rates[2] * s3
    return u


def speed_rates(q: Values, v: Values, a: Values) -> dict[int, Any]:
    """The same differentiated, by a complex step along q + v t, v + a t."""
    t = 1e-40j
    moved = speeds({k: q[k] + v[k] * t for k in SPEEDS}, {k: v[k] + a[k] * t for k in SPEEDS})
    return {k: x.imag / t.imag for k, x in moved.items()}


def efforts(row: Mapping[int, Any], z: Mapping[str, Any]) -> dict[str, Any]:
    """τ1 … τ5 and σ by (118) to (126), from the sums Σ X_rs u̇_s of each row and the Z's."""
    tau3 = row[2] + z["Z193"] + z["Z183"]
    y1 = row[1] + tau3 * z["Z6"] + z["Z192"] + z["Z182"]
    y2 = row[3] + tau3 * z["Z7"] + z["Z194"] + z["Z184"]
    return {
        "tau1": z["s2"] * (-y1 * z["s3"] + y2 * z["c3"]),
        "tau2": y1 * z["c3"] + y2 * z["s3"],
        "tau3": tau3,
        "tau4": row[4] + z["Z195"] + z["Z185"],
        "tau5": row[5] + z["Z186"],
        "sigma": row[6] + z["Z196"] + z["Z187"],
    }


def active_forces(z: Mapping[str, Any], tau: Mapping[str, Any]) -> list[Any]:
    """K1 … K6 of the efforts and gravity, (111) to (116)."""
    return [
        tau["tau1"] * z["Z4"] - tau["tau2"] * z["c3"] + tau["tau3"] * z["Z6"] + z["Z192"],
        -tau["tau3"] + z["Z193"],
        tau["tau1"] * z["Z5"] - tau["tau2"] * z["s3"] + tau["tau3"] * z["Z7"] + z["Z194"],
        -tau["tau4"] + z["Z195"],
        -tau["tau5"],
        -tau["sigma"] + z["Z196"],
    ]


def rates(z: Mapping[str, Any], u: Values) -> dict[int, Any]:
    """q̇1 … q̇6, (11) and (12)."""
    return {k: z[f"Z{k}"] if k < 4 else u[k] for k in SPEEDS}


def accelerations(z: Mapping[str, Any], tau: Mapping[str, Any]) -> NDArray[np.float64]:
    """u̇1 … u̇6 (6,) under the efforts, by solving (118) to (123) at one state."""
    matrix = np.array([[z[f"X{r}{s}"] for s in SPEEDS] for r in SPEEDS])
    right = [-k - z[f"Z{181 + r}"] for r, k in zip(SPEEDS, active_forces(z, tau))]
    return np.linalg.solve(matrix, right)


def joint_forces(efforts: Mapping[str, Any]) -> dict[str, Any]:
    """The usual generalized forces, inner body on outer, by joint: τ2 … τ5 and σ are what the outer exerts on the
    inner (102, 108, 109); τ1 is what the ground exerts on A (103)."""
    return {
        "q1": efforts["tau1"],
        "q2": -efforts["tau2"],
        "q3": -efforts["tau3"],
        "q4": -efforts["tau4"],
        "q5": -efforts["tau5"],
        "q6": -efforts["sigma"],
    }
