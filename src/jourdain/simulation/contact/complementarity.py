"""Contacts with friction, many at once and redundant: forces to rounding, by sweeps, Newton's method and Lemke's.

W is singular where contacts are redundant, so a little ε is added to its diagonal, and taken away again by repeating
with the forces found (the proximal point method, Rockafellar 1976). The ε makes the forces of redundant contacts
unique, nearly the shortest; which contacts carry, stick and slip is known then, and the shortest forces of just those
follow from one least-norm solution.
"""

from __future__ import annotations

from ...program import Floats, kernel
from .cone import newton_rows, residual, sweep
from .dense import are_finite, dot, eliminate, least_norm
from .lemke import facets

EPSILON = 1e-8  # beside the largest entry of W
ROUNDING = 1e-14  # as `residual` has it
STRICT = 6  # repeats in which only rounding is taken for an answer
LOOSE = 1e-9  # as well: what redundant rows, each rounded by itself, may disagree by
ROUGH = 1e-11  # the same, where rounding is not reached: masses or forces differ by many powers of ten
RANK = 1e-11
NEWTON_ROUNDS = 12
SEARCHES = 7
REPEATS = 60
HARD = 6


@kernel
def newton(
    a: Floats, q: Floats, x: Floats, m: int, contacts: int, at: Floats, tangents: Floats, mu: Floats, base: Floats,
    moving: Floats, direction: Floats, epsilon: float, old: Floats, codes: Floats, gain: Floats, right: Floats,
    matrix: Floats,
) -> int:  # fmt: skip
    """x by Newton's method from x; 1 where what holds at contacts is then met to rounding.

    gain, right (m) and matrix (m, m): work.
    """
    for _ in range(NEWTON_ROUNDS):
        worst = residual(
            a, q, x, m, contacts, at, tangents, mu, base, moving, direction, epsilon, old, gain, codes
        )  # fmt: skip
        if worst <= ROUNDING:
            return 1
        newton_rows(a, q, x, m, contacts, at, tangents, mu, base, direction, epsilon, old, gain, codes, matrix, right)
        for i in range(m):
            right[i] -= dot(matrix[i * m :], x, m)
        if eliminate(matrix, right, m) == 0 or are_finite(right, m) == 0:
            return 0
        for i in range(m):
            x[i] += right[i]
    return 0


@kernel
def search(
    a: Floats, q: Floats, x: Floats, m: int, contacts: int, at: Floats, tangents: Floats, mu: Floats, base: Floats,
    moving: Floats, direction: Floats, epsilon: float, old: Floats, codes: Floats, gain: Floats, right: Floats,
    start: Floats, work: Floats,
) -> int:  # fmt: skip
    """x that holds with this ε, by Newton's method from better and better starts; 1 if found.

    gain, right, start (m) and work: m², or as of `facets` if that is more.
    """
    for i in range(m):
        start[i] = x[i]
    many = 4
    for turn in range(SEARCHES):
        done = newton(
            a, q, x, m, contacts, at, tangents, mu, base, moving, direction, epsilon, old, codes, gain, right, work
        )  # fmt: skip
        if done == 1:
            return 1
        if turn == 2:
            if facets(a, q, x, m, contacts, at, tangents, mu, base, moving, direction, epsilon, old, work) == 1:
                done = newton(
                    a, q, x, m, contacts, at, tangents, mu, base, moving, direction, epsilon, old, codes, gain, right,
                    work,
                )  # fmt: skip
                if done == 1:
                    return 1
            for i in range(m):
                start[i] = 0.0
        for i in range(m):
            x[i] = start[i]
        for _ in range(many):
            sweep(a, q, x, m, contacts, at, tangents, mu, base, moving, direction, epsilon, old)
        if are_finite(x, m) == 0:
            return 0
        for i in range(m):
            start[i] = x[i]
        many = 3 * many
    return 0


@kernel
def polish(
    a: Floats, q: Floats, x: Floats, m: int, contacts: int, at: Floats, tangents: Floats, mu: Floats, base: Floats,
    moving: Floats, direction: Floats, codes: Floats, gain: Floats, right: Floats, trial: Floats, seen: Floats,
    step: Floats, spare: Floats, matrix: Floats, tolerance: float,
) -> int:  # fmt: skip
    """The shortest x among those whose contacts carry, stick and slip as these do; 1 if it holds, ε = 0.

    tolerance: of what misses. Where it does not, x stays. gain, right, trial (m), seen (2 K), step (m), spare (3 m) and
    matrix (m, m): work.
    """
    for i in range(m):
        trial[i] = x[i]
    for turn in range(4):
        worst = residual(
            a, q, trial, m, contacts, at, tangents, mu, base, moving, direction, 0.0, trial, gain, seen
        )  # fmt: skip
        if turn > 0 and worst <= (ROUNDING if turn < 3 else tolerance):
            for i in range(m):
                x[i] = trial[i]
            return 1
        newton_rows(a, q, trial, m, contacts, at, tangents, mu, base, direction, 0.0, trial, gain, codes, matrix, right)
        if turn > 0:
            for i in range(m):
                right[i] -= dot(matrix[i * m :], trial, m)
        least_norm(matrix, right, step, m, RANK, spare)
        if are_finite(step, m) == 0:
            return 0
        for i in range(m):
            trial[i] = step[i] if turn == 0 else trial[i] + step[i]
    return 0


@kernel
def settle(
    a: Floats, q: Floats, x: Floats, m: int, contacts: int, at: Floats, tangents: Floats, mu: Floats, base: Floats,
    moving: Floats, direction: Floats, codes: Floats, work: Floats,
) -> int:  # fmt: skip
    """x that holds at all contacts, from x; 0 if found, to rounding; 1 if not.

    Entries of A are at most 1. work: 8 m + 2 K, and m², or as of `facets` if that is more.
    """
    # work: old forces, gain, right, trial or start, seen, step, spare, matrix
    far = 8 * m + 2 * contacts
    epsilon = EPSILON
    hard = 0
    for repeat in range(REPEATS):
        for i in range(m):
            work[i] = x[i]
        found = search(
            a, q, x, m, contacts, at, tangents, mu, base, moving, direction, epsilon, work, codes, work[m:],
            work[2 * m :], work[3 * m :], work[far:],
        )  # fmt: skip
        if found == 1:
            found = polish(
                a, q, x, m, contacts, at, tangents, mu, base, moving, direction, codes, work[m:], work[2 * m :],
                work[3 * m :], work[4 * m :], work[4 * m + 2 * contacts :],
                work[5 * m + 2 * contacts :], work[far:], ROUNDING if repeat < STRICT else LOOSE,
            )  # fmt: skip
            if found == 1:
                return 0
            worst = residual(
                a, q, x, m, contacts, at, tangents, mu, base, moving, direction, 0.0, x, work[m:], codes
            )  # fmt: skip
            if worst <= ROUNDING:
                return 0
            epsilon = max(0.1 * epsilon, EPSILON)
        else:
            # Wedged: forces are great, and sweeps slow. More is added to the diagonal, and taken away more slowly.
            for i in range(m):
                x[i] = work[i]
            hard += 1
            if hard > HARD:
                break
            epsilon = 0.1 if hard == 1 else min(1.0, 30.0 * epsilon)
    worst = residual(a, q, x, m, contacts, at, tangents, mu, base, moving, direction, 0.0, x, work[m:], codes)
    return 0 if worst <= ROUGH else 1
