"""Forces at contacts with friction, such that accelerations are allowed: what leaves, rests, sticks or slips."""

from __future__ import annotations

from math import sqrt

from ...program import Floats, kernel
from . import cone
from .complementarity import settle
from .cone import residual
from .dense import are_finite

SOLVED = 0
NOT_FOUND = 1
INCONSISTENT = 2
INDETERMINATE = 3

LEAVES = 0
RESTS = 1
STICKS = 2
SLIPS = 3

ZERO = 1e-9  # a force or an acceleration beside the greatest of its kind; redundant rows may disagree by so much
ROUNDED = 1e-12  # as well, where forces were found to rounding


def solving_work(rows: int, contacts: int) -> int:
    """The length of `work` that solves `contacts` contacts with `rows` rows."""
    facets = 6 * contacts
    settling = 8 * rows + 2 * contacts + max(3 * facets * facets + 8 * facets + 2, rows * rows)
    return settling + rows * rows + 3 * rows + 4 * contacts


@kernel
def solve_contacts(
    W: Floats, b: Floats, ld: int, contacts: int, start: Floats, tangents: Floats, mu: Floats, moving: Floats,
    direction: Floats, force: Floats, state: Floats, report: Floats, work: Floats,
) -> int:  # fmt: skip
    """Forces λ with a = W λ + b allowed at every contact; 0 solved, 1 not found, 2 inconsistent, 3 indeterminate.

    W = J M⁻¹ Jᵀ, entry (i, j) at i ld + j; b: accelerations without contact forces, by rows [m/s²]. Of contact k:
    start[k] is the normal's row, positive away from what is touched, and tangents[k] rows (0, 1 or 2) follow it;
    mu[k]; moving[k] is 1 where it slips already, along the unit direction[2 k: 2 k + 2] (±1, 0 with one tangent).
    force: written in the contacts' rows [N]; state[k]: LEAVES (no force, and accelerates away), RESTS (neither), STICKS
    (or carries, without tangents), SLIPS; where it begins to slip, direction says whereto. report[0]: the contact that
    status 2 or 3 is about (Painlevé's paradox: friction of a contact that slips overcomes what its normal force does),
    else −1. Of redundant contacts, the shortest forces of those that carry. work: solving_work(m, K).
    """
    return solve_with(
        W, b, ld, contacts, start, tangents, mu, moving, direction, force, state, report, 0.0, work, 0.0, work
    )  # fmt: skip


@kernel
def solve_with(
    W: Floats, b: Floats, ld: int, contacts: int, start: Floats, tangents: Floats, mu: Floats, moving: Floats,
    direction: Floats, force: Floats, state: Floats, report: Floats, share: float, given: Floats, least: float,
    work: Floats,
) -> int:  # fmt: skip
    """As `solve_contacts`, where normal forces share · given[k] press already; `force` is what comes on top of them.

    least: a size of accelerations beside which those of b are rounded, if they are smaller.
    """
    m = 0
    size = 0.0
    scale = 0.0
    report[0] = -1.0
    for k in range(contacts):
        count = int(tangents[k])
        n = int(start[k])
        for t in range(count + 1):
            size = max(size, abs(W[(n + t) * ld + n + t]))
            scale = max(scale, abs(b[n + t]))
            force[n + t] = 0.0
        state[k] = float(RESTS)
        m += 1 + count
        if are_finite(b[n:], count + 1) == 0:
            return NOT_FOUND
    if share > 0.0:
        for k in range(contacts):
            scale = max(scale, share * given[k] * size)
    scale = max(scale, least)
    if scale == 0.0:
        return SOLVED
    if not (size > 0.0 and size < 1e150):
        return without_forces(b, contacts, start, state, report, scale)
    end = m * m + 3 * m
    return solve_scaled(
        W, b, ld, contacts, start, tangents, mu, moving, direction, force, state, report, share, given, m, size, scale,
        work, work[m * m :], work[m * m + m :], work[m * m + 2 * m :], work[end:], work[end + contacts :],
        work[end + 2 * contacts :], work[end + 4 * contacts :],
    )  # fmt: skip


@kernel
def solve_scaled(
    W: Floats, b: Floats, ld: int, contacts: int, start: Floats, tangents: Floats, mu: Floats, moving: Floats,
    direction: Floats, force: Floats, state: Floats, report: Floats, share: float, given: Floats, m: int, size: float,
    scale: float, a: Floats, q: Floats, x: Floats, gain: Floats, at: Floats, base: Floats, codes: Floats, rest: Floats,
) -> int:  # fmt: skip
    """`solve_with` in units of the greatest entry of W, `size`, and of b, `scale`: a x + q, contacts tight."""
    unit = scale / size  # of a force
    i = 0
    for k in range(contacts):
        at[k] = float(i)
        base[k] = 0.0
        if share > 0.0:
            base[k] = share * given[k] / unit
        for t in range(int(tangents[k]) + 1):
            row = int(start[k]) + t
            q[i] = b[row] / scale
            x[i] = 0.0
            j = 0
            for other in range(contacts):
                for s in range(int(tangents[other]) + 1):
                    a[i * m + j] = W[row * ld + int(start[other]) + s] / size
                    j += 1
            i += 1
    if are_finite(a, m * m) == 0:
        return NOT_FOUND
    status = paradox(a, q, m, contacts, at, tangents, mu, moving, direction, report)
    if contacts == 1 and status == INCONSISTENT:
        return status
    worst = 0
    if status == SOLVED or contacts > 1:
        worst = settle(a, q, x, m, contacts, at, tangents, mu, base, moving, direction, codes, rest)
    else:
        codes[0] = 0.0
    if worst == 1:
        if status == SOLVED:
            return NOT_FOUND
        return INCONSISTENT
    missed = residual(a, q, x, m, contacts, at, tangents, mu, base, moving, direction, 0.0, x, gain, codes)
    certain = min(ZERO, max(ROUNDED, 10.0 * missed))
    top = 0.0
    for i in range(m):
        top = max(top, abs(x[i]))
    for k in range(contacts):
        n = int(at[k])
        count = int(tangents[k])
        row = int(start[k])
        normal = 0.0
        if codes[2 * k] > 0.5:
            normal = max(0.0, x[n])
        force[row] = normal * unit
        state[k] = float(STICKS)
        if normal <= ZERO * top:
            state[k] = float(LEAVES) if gain[n] > certain * (1.0 + top) else float(RESTS)
        square = 0.0
        for t in range(count):
            force[row + 1 + t] = x[n + 1 + t] * unit
            square += gain[n + 1 + t] * gain[n + 1 + t]
        if count > 0 and moving[k] > 0.5:
            for t in range(count):
                force[row + 1 + t] = -mu[k] * (normal + base[k]) * unit * direction[2 * k + t]
            if normal > ZERO * top:
                state[k] = float(SLIPS)
        elif (
            int(codes[2 * k + 1]) == cone.SLIPS
            and int(state[k]) == STICKS
            and sqrt(square) > certain * (1.0 + top)
        ):
            state[k] = float(SLIPS)
            rubbed = 0.0
            for t in range(count):
                rubbed += x[n + 1 + t] * x[n + 1 + t]
            for t in range(count):
                # The friction knows the direction better than an acceleration that may be small; but it may be none.
                direction[2 * k + t] = -x[n + 1 + t] / sqrt(rubbed) if rubbed > 0.0 else gain[n + 1 + t] / sqrt(square)
                force[row + 1 + t] = -mu[k] * (normal + base[k]) * unit * direction[2 * k + t]
    return SOLVED if status == SOLVED else INDETERMINATE


@kernel
def paradox(
    a: Floats, q: Floats, m: int, contacts: int, at: Floats, tangents: Floats, mu: Floats, moving: Floats,
    direction: Floats, report: Floats,
) -> int:  # fmt: skip
    """Whether a contact slips such that more normal force presses it more: Painlevé (1895).

    W_nn − μ W_nt·d ≤ 0 leaves no force that holds it where it is pressed (INCONSISTENT), and two answers where it is
    about to leave (INDETERMINATE); report[0] says which contact.
    """
    for k in range(contacts):
        if tangents[k] > 0.5 and moving[k] > 0.5:
            n = int(at[k])
            slope = a[n * m + n]
            for t in range(int(tangents[k])):
                slope -= mu[k] * direction[2 * k + t] * a[n * m + n + 1 + t]
            if slope <= 1e-14:
                report[0] = float(k)
                return INCONSISTENT if q[n] < 0.0 else INDETERMINATE
    return SOLVED


@kernel
def without_forces(b: Floats, contacts: int, start: Floats, state: Floats, report: Floats, scale: float) -> int:
    """Where no force moves anything: solved if nothing is pressed."""
    for k in range(contacts):
        gain = b[int(start[k])]
        if gain < 0.0:
            report[0] = float(k)
            return NOT_FOUND
        state[k] = float(LEAVES) if gain > ZERO * scale else float(RESTS)
    return SOLVED
