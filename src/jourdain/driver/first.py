"""A first answer before there is code: Kane's equations at one state in numbers, solved for the speeds' rates.

What a read-out's code is made of (solved equations, the cheapest of several formulations, machine code) takes ten times
as long as its first answer needs. F_r + F_r* = 0 is affine in the speeds' rates: its value where these are zero and its
slopes are the bias forces and the mass matrix, M u̇ + h = f, and LAPACK solves these, A u̇ + b = 0 beside them. The
answer is that of the code but for rounding. Where anything is not as plain as that, the code is made at once.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..equations.constraints import Mode, bonds
from ..equations.formulation import Formulation
from ..equations.generalized import mechanics_of
from ..graph import Node, Role
from ..graph.affine import NotAffine, affine
from ..graph.pause import collector_paused
from ..model.system import TIME, System

Floats = NDArray[np.float64]

# Calls of a read-out that are answered so before its code is made; 0: none, each call is the code's.
PATIENCE = 1
# Of a mass: the square root of what elimination leaves of it; below, the derivation has to see what has no inertia.
LIGHT = 1e-5
# Of rows of length one, in the measure of the masses: singular values above the first say something new, those below
# the second say nothing; what lies between, or asks for something else than the others do, the derivation decides on.
NEW, NOTHING = 1e-3, 1e-9
SAME = 1e-12
QUICKEST = Formulation(settled=False, grouped=False)


def first_rates(
    system: System,
    imposed: Mode,
    parameters: Mapping[str, float],
    inputs: Mapping[str, float],
    t: float,
    q: Floats,
    u: Floats,
    f: Floats,
) -> Floats | None:
    """u̇ (speeds,) under the declared forces and f, these constraints kept; None where it takes more than this."""
    n = len(system.speeds)
    if system.frictions or not n:
        return None
    with collector_paused():
        mechanics = mechanics_of(system, QUICKEST)
        graph = mechanics.graph
        values: dict[Node, float] = {graph.symbol(TIME, Role.TIME): t}
        values.update(zip(mechanics.q, q.tolist()))
        values.update(zip(mechanics.u, u.tolist()))
        values.update((graph.symbol(name, Role.PARAMETER), x) for name, x in parameters.items())
        values.update((graph.symbol(name, Role.INPUT), x) for name, x in inputs.items())
        forces = mechanics.inverse_dynamics()
        rows = bonds(mechanics, imposed)
        outputs = [*forces, *rows.rest, *(x for row in rows.matrix for x in row)]
        try:
            found = affine(outputs, values, mechanics.udot)
        except NotAffine:
            return None
    count = len(rows.rest)
    bias, mass = found[:n, 0], found[:n, 1:]
    asked, matrix = -found[n : n + count, 0], found[n + count :, 0].reshape(count, n)
    return solved(mass, f - bias, matrix, asked) if np.isfinite(found).all() else None


def solved(mass: Floats, force: Floats, rows: Floats, asked: Floats) -> Floats | None:
    """x (n,) of M x − Aᵀ λ = force, A x = asked; None where M is not definite, or rows contradict each other.

    In y = Lᵀ x, M = L Lᵀ, the rows A L⁻ᵀ ask for their part of y, and across them y is what the force makes it.
    """
    size = np.sqrt(np.maximum(np.diagonal(mass), 0.0))
    if not size.all():
        return None
    try:
        lower = np.linalg.cholesky(mass / size / size[:, None])
        if not np.diagonal(lower).min() > LIGHT:
            return None
        y = np.linalg.solve(lower, force / size)
        if len(rows):
            columns = np.linalg.solve(lower, (rows / size).T)
            length = np.linalg.norm(columns, axis=0)
            length[length <= SAME * length.max()] = 1.0  # a row of nothing, as of a planar loop in space
            along, new, mixed = np.linalg.svd(columns / length, full_matrices=False)
            rank = int((new > NEW).sum())
            share = mixed @ (asked / length)
            told = mixed[:rank].T @ share[:rank]
            scale = max(np.abs(told).max(), np.abs(y @ columns / length).max())  # asked for, or done without rows
            if (new[rank:] > NOTHING).any() or not np.abs(told - asked / length).max() <= SAME * scale:
                return None
            y = y + along[:, :rank] @ (share[:rank] / new[:rank] - along[:, :rank].T @ y)
        x: Floats = np.linalg.solve(lower.T, y) / size
    except np.linalg.LinAlgError:
        return None
    return x if np.isfinite(x).all() else None
