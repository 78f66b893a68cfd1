"""The motion in a mode, by numbers alone: any rows may hold, any contacts slip.

A slipping contact's friction is −μ λ_n along its slip, and λ_n is what the embedded rows carry with that friction
acting: one small linear system more (Gillespie 2003, section 4: friction couples the dynamic and kinetostatic ones).
"""

from __future__ import annotations

from math import sqrt

from ...program import Floats, kernel
from ..contact.dense import eliminate
from .embedding import prepare, respond
from .sharing import find_spare, share
from .touching import SLIPS, SLOW


@kernel
def slip_direction(velocities: Floats, row: int, tangents: int, heading: Floats, to: Floats) -> None:
    """to (2,): the unit vector along which a contact slips. velocities (rows,); heading (2,): how it began.

    Along a single tangent it is how it began: its reversal is an event.
    """
    to[0] = heading[0]
    to[1] = heading[1]
    if tangents == 2:
        speed = sqrt(velocities[row] * velocities[row] + velocities[row + 1] * velocities[row + 1])
        if speed > SLOW:
            to[0] = velocities[row] / speed
            to[1] = velocities[row + 1] / speed


@kernel
def move(
    n: int, rows: int, contacts: int, u: Floats, mass: Floats, force: Floats, matrix: Floats, rest: Floats,
    velocities: Floats, friction: Floats, normals: Floats, slips: Floats, tangents: Floats, touch: Floats,
    heading: Floats, holds: Floats, owners: Floats, pivots: Floats, columns: Floats, rank: int, block: Floats,
    follow: Floats, reduced: Floats, spare: Floats, shares: Floats, gram: Floats, wanted: Floats, work: Floats,
    rates: Floats, carried: Floats, power: Floats, strength: Floats,
) -> None:  # fmt: skip
    """rates (n,) = u̇, carried (rows,) = λ of every row, friction's among them; power (1,) of all of λ is added.

    u (n,); mass (n, n), force (n,): M u̇ = force + Aᵀ λ; matrix A (rows, n), rest (rows,): the rows' rates at u̇ = 0;
    velocities (rows,). Of contacts: friction (coefficients), normals and slips (their first rows), tangents (how many),
    touch, heading (2 each). pivots, columns, rank: from `choose`. block, follow, reduced: room for `prepare`.
    strength (1,): how strongly dependent speeds follow. spare, shares, gram: room for `find_spare`; wanted (rows,):
    forces of contacts that are shared so, where they can be. work: n² + 3 n + 2 rows + contacts (n + rows + contacts
    + 2).
    """
    strength[0] = prepare(matrix, mass, pivots, columns, rank, n, block, follow, reduced, work)
    inner = 0  # work: of `respond` (2 n), then rows of zeros, then responses to each slipping contact's friction
    still = inner + 2 * n
    pull = still + rows
    direction = pull + n
    system = direction + 2
    answer = system + contacts * contacts
    moved = answer + contacts
    borne = moved + contacts * n
    respond(matrix, mass, force, rest, rows, pivots, columns, rank, n, block, follow, reduced, work, rates, carried)
    spares = find_spare(matrix, holds, owners, pivots, columns, rank, rows, n, block, spare, shares, gram)
    if spares > 0:
        share(spares, rank, owners, pivots, spare, shares, gram, wanted, carried, work)
    for i in range(rows):
        work[still + i] = 0.0
    count = 0
    for k in range(contacts):
        if touch[k] == SLIPS and friction[k] > 0.0:
            count += 1
    if count > 0:
        j = 0
        for k in range(contacts):
            if touch[k] == SLIPS and friction[k] > 0.0:
                first = int(slips[k])
                slip_direction(velocities, first, int(tangents[k]), heading[2 * k :], work[direction:])
                for i in range(n):
                    total = 0.0
                    for s in range(int(tangents[k])):
                        total += work[direction + s] * matrix[(first + s) * n + i]
                    work[pull + i] = -friction[k] * total
                respond(
                    matrix, mass, work[pull:], work[still:], rows, pivots, columns, rank, n, block, follow, reduced,
                    work, work[moved + j * n :], work[borne + j * rows :],
                )  # fmt: skip
                if spares > 0:
                    share(
                        spares, rank, owners, pivots, spare, shares, gram, work[still:], work[borne + j * rows :], work
                    )
                j += 1
        i = 0
        for k in range(contacts):
            if touch[k] == SLIPS and friction[k] > 0.0:
                for j in range(count):
                    work[system + i * count + j] = -work[borne + j * rows + int(normals[k])]
                work[system + i * count + i] += 1.0
                work[answer + i] = carried[int(normals[k])]
                i += 1
        eliminate(work[system:], work[answer:], count)
        for j in range(count):
            for i in range(n):
                rates[i] += work[answer + j] * work[moved + j * n + i]
            for i in range(rows):
                carried[i] += work[answer + j] * work[borne + j * rows + i]
        for k in range(contacts):
            if touch[k] == SLIPS and friction[k] > 0.0:
                first = int(slips[k])
                slip_direction(velocities, first, int(tangents[k]), heading[2 * k :], work[direction:])
                for s in range(int(tangents[k])):
                    carried[first + s] = -friction[k] * carried[int(normals[k])] * work[direction + s]
    for i in range(rows):
        if carried[i] != 0.0:
            total = 0.0
            for j in range(n):
                total += matrix[i * n + j] * u[j]
            power[0] += carried[i] * total
