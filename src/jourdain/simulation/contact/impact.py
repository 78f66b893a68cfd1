"""Impulses of contacts that strike, by the law that was chosen, and what they do to the kinetic energy."""

from __future__ import annotations

from math import sqrt

from ...program import Floats, kernel
from .acceleration import SOLVED, solve_with, solving_work
from .dense import are_finite
from .line_impact import strike_line
from .plane_impact import strike_plane
from .spring_impact import spring_through

STRONGE = 0  # energetic: each normal force gives back e² of the work it took; never creates energy
NEWTON = 1  # kinematic: v_n⁺ ≥ −e v_n⁻; with friction it can create energy
POISSON = 2  # kinetic: the impulse of restitution is e times that of compression; with friction it can create energy

RESOLVED = 0
PLASTIC = 1  # the law found no end or no answer; e = 0 was taken instead
UNRESOLVED = 2  # not finite, or nothing turns the approach back; nothing was changed

CLOSED = 1e-14  # an approach beside the greatest velocity: less is none
GAINED = 1e-12  # kinetic energy beside all there can be: less is rounding
HELD = 1e-5  # slip beside the greatest velocity: less is what steps left over where a contact sticks
SPARE = 1e-3  # the part of an impulse whose friction takes that away


def impact_work(rows: int, contacts: int) -> int:
    """The length of `work` that resolves an impact of `contacts` contacts with `rows` rows."""
    return rows * rows + 6 * rows + 16 * contacts + 8 + solving_work(rows, contacts)


@kernel
def resolve_impact(
    W: Floats, v: Floats, ld: int, contacts: int, start: Floats, tangents: Floats, mu: Floats, e: Floats, law: int,
    impulse: Floats, after: Floats, energy: Floats, work: Floats,
) -> int:  # fmt: skip
    """Impulses p and velocities v⁺ = v + W p after contacts struck; 0 RESOLVED, 1 PLASTIC, 2 UNRESOLVED.

    W, ld, contacts, start, tangents, mu: as for `solve_contacts`; v: velocities of the rows before [m/s], normals
    negative where bodies approach; e: coefficient of restitution by contact; law: STRONGE, NEWTON or POISSON. impulse
    [N s] and after [m/s] are written in the contacts' rows; energy[0]: change of the kinetic energy, Σ p (v + v⁺) / 2
    [J]. Contacts that are closed (v_n = 0) take part. work: impact_work(m, K).
    """
    m = 0
    size = 0.0
    scale = 0.0
    approach = 0.0
    finite = 1
    energy[0] = 0.0
    for k in range(contacts):
        n = int(start[k])
        count = int(tangents[k])
        finite = min(finite, are_finite(v[n:], count + 1))
        for t in range(count + 1):
            size = max(size, abs(W[(n + t) * ld + n + t]))
            scale = max(scale, abs(v[n + t]))
            impulse[n + t] = 0.0
            after[n + t] = v[n + t]
        approach = max(approach, -v[n])
        m += count + 1
    if finite == 0:
        return UNRESOLVED
    if not (approach > CLOSED * scale):
        return RESOLVED
    if not (size > 0.0 and size < 1e150):
        return UNRESOLVED
    end = m * m + 4 * m
    return resolve_scaled(
        W, v, ld, contacts, start, tangents, mu, e, law, impulse, after, energy, m, size, scale, work, work[m * m :],
        work[m * m + m :], work[m * m + 2 * m :], work[m * m + 3 * m :], work[end:], work[end + contacts :],
    )  # fmt: skip


@kernel
def resolve_scaled(
    W: Floats, v: Floats, ld: int, contacts: int, start: Floats, tangents: Floats, mu: Floats, e: Floats, law: int,
    impulse: Floats, after: Floats, energy: Floats, m: int, size: float, scale: float, a: Floats, u: Floats, p: Floats,
    now: Floats, more: Floats, at: Floats, rest: Floats,
) -> int:  # fmt: skip
    """`resolve_impact` in units of the greatest entry of W, `size`, and of the velocities, `scale`: u + a p, tight."""
    i = 0
    for k in range(contacts):
        at[k] = float(i)
        for t in range(int(tangents[k]) + 1):
            row = int(start[k]) + t
            u[i] = v[row] / scale
            p[i] = 0.0
            j = 0
            for other in range(contacts):
                for s in range(int(tangents[other]) + 1):
                    a[i * m + j] = W[row * ld + int(start[other]) + s] / size
                    j += 1
            i += 1
    if are_finite(a, m * m) == 0:
        return UNRESOLVED
    status = UNRESOLVED
    if contacts == 1 and law == STRONGE:
        # Alone it needs no units, and its own rows are exact.
        n = int(start[0])
        count = int(tangents[0])
        if count == 2 and mu[0] > 0.0:
            failed = strike_plane(W, v, ld, n, mu[0], e[0], impulse, after, rest, rest[2:], rest[5:])
        else:
            failed = strike_line(W, v, ld, n, min(1, count), mu[0], e[0], impulse, after)
            if count == 2:
                impulse[n + 2] = 0.0
                after[n + 1] = v[n + 1] + W[(n + 1) * ld + n] * impulse[n]
                after[n + 2] = v[n + 2] + W[(n + 2) * ld + n] * impulse[n]
        if failed == 0 and are_finite(impulse[n:], count + 1) == 1:
            for t in range(count + 1):
                energy[0] += 0.5 * impulse[n + t] * (v[n + t] + after[n + t])
            return RESOLVED
    elif law == STRONGE:
        status = by_springs(a, u, p, now, more, m, contacts, at, tangents, mu, e, rest)
    elif law == NEWTON:
        status = by_newton(a, u, p, now, m, contacts, at, tangents, mu, e, rest)
    else:
        status = by_poisson(a, u, p, now, more, m, contacts, at, tangents, mu, e, rest)
    if status != UNRESOLVED and law == STRONGE and gained(a, u, p, now, m) > GAINED:
        status = UNRESOLVED
    if status == UNRESOLVED:
        status = PLASTIC
        failed = allowed(a, u, p, m, contacts, at, tangents, mu, 0.0, e, 0.0, rest)
        if failed != RESOLVED or gained(a, u, p, now, m) > GAINED:
            for i in range(m):
                p[i] = 0.0
            status = UNRESOLVED
    advance(a, u, p, now, m)
    for k in range(contacts):
        for t in range(int(tangents[k]) + 1):
            i = int(at[k]) + t
            row = int(start[k]) + t
            impulse[row] = p[i] * (scale / size)
            after[row] = now[i] * scale
            energy[0] += 0.5 * impulse[row] * (v[row] + after[row])
    return status


@kernel
def bring_to_rest(
    W: Floats, v: Floats, ld: int, contacts: int, start: Floats, tangents: Floats, mu: Floats, none: Floats,
    impulse: Floats, after: Floats, energy: Floats, work: Floats,
) -> int:  # fmt: skip
    """Impulses after which no contact approaches any more, nor leaves if it did; friction at the velocities after.

    Moreau's law with e = 0: it never creates energy. none (K): overwritten with zeros. Everything else as for
    `resolve_impact`.
    """
    for k in range(contacts):
        none[k] = 0.0
    return resolve_impact(
        W, v, ld, contacts, start, tangents, mu, none, NEWTON, impulse, after, energy, work
    )  # fmt: skip


@kernel
def advance(a: Floats, u: Floats, p: Floats, now: Floats, m: int) -> None:
    """now = u + A p."""
    for i in range(m):
        now[i] = u[i]
        for j in range(m):
            now[i] += a[i * m + j] * p[j]


@kernel
def gained(a: Floats, u: Floats, p: Floats, now: Floats, m: int) -> float:
    """The kinetic energy that p adds, beside the sum of what its parts add and take; writes now = u + A p."""
    advance(a, u, p, now, m)
    change = 0.0
    all_of_it = 1e-300
    for i in range(m):
        change += 0.5 * p[i] * (u[i] + now[i])
        all_of_it += abs(p[i]) * (abs(u[i]) + abs(now[i]))
    return change / all_of_it


@kernel
def by_newton(
    a: Floats, u: Floats, p: Floats, now: Floats, m: int, contacts: int, at: Floats, tangents: Floats, mu: Floats,
    e: Floats, work: Floats,
) -> int:  # fmt: skip
    """p with v_n⁺ ≥ −e v_n⁻ ⟂ p_n ≥ 0, and friction at the velocities after (Moreau 1988)."""
    for i in range(m):
        now[i] = u[i]
    for k in range(contacts):
        now[int(at[k])] += e[k] * min(0.0, u[int(at[k])])
    return allowed(a, now, p, m, contacts, at, tangents, mu, 0.0, e, 0.0, work)


@kernel
def by_poisson(
    a: Floats, u: Floats, p: Floats, now: Floats, more: Floats, m: int, contacts: int, at: Floats, tangents: Floats,
    mu: Floats, e: Floats, work: Floats,
) -> int:  # fmt: skip
    """Compression until nothing approaches; then e times its normal impulses, and what more it takes to stay apart.

    F. Pfeiffer and C. Glocker, Multibody Dynamics with Unilateral Contacts (1996), ch. 8; friction at the velocities
    after each of the two. work: contacts, and as of `allowed`.
    """
    status = allowed(a, u, p, m, contacts, at, tangents, mu, 0.0, work, 0.0, work[contacts:])
    if status != RESOLVED:
        return status
    for k in range(contacts):
        n = int(at[k])
        work[k] = e[k] * p[n]
        p[n] += work[k]
    advance(a, u, p, now, m)
    status = allowed(a, now, more, m, contacts, at, tangents, mu, 1.0, work, 1.0, work[contacts:])
    for i in range(m):
        p[i] += more[i]
    return status


@kernel
def by_springs(
    a: Floats, u: Floats, p: Floats, now: Floats, more: Floats, m: int, contacts: int, at: Floats, tangents: Floats,
    mu: Floats, e: Floats, work: Floats,
) -> int:  # fmt: skip
    """p of springs; then what little approach and slip their steps left is ended to rounding.

    PLASTIC where springs did not come to an end: what was left then is ended with e = 0. work: 10 contacts + m, and as
    of `allowed`.
    """
    for i in range(m):
        now[i] = u[i]
    status = spring_through(
        a, now, p, m, contacts, at, tangents, mu, e, work[contacts:], work[2 * contacts :], work[3 * contacts :],
        work[4 * contacts :], work[5 * contacts :], work[6 * contacts :], work[8 * contacts :], work[10 * contacts :],
    )  # fmt: skip
    for k in range(contacts):
        n = int(at[k])
        work[k] = mu[k] * p[n] - friction(p[n:], int(tangents[k]))  # what friction has to spare
        if work[k] < 0.0:
            # A force that ended early owes friction: it is given back.
            ratio = mu[k] * p[n] / friction(p[n:], int(tangents[k]))
            for t in range(int(tangents[k])):
                p[n + 1 + t] = p[n + 1 + t] * ratio
            work[k] = 0.0
    advance(a, u, p, now, m)
    for k in range(contacts):
        n = int(at[k])
        if friction(now[n:], int(tangents[k])) > HELD:
            work[k] = 0.0
        elif work[k] > 0.0:
            work[k] = min(p[n], 0.999 * work[k] / (mu[k] * SPARE))
    found = allowed(a, now, more, m, contacts, at, tangents, mu, SPARE, work, 1.0, work[contacts:])
    if found != RESOLVED:
        return found
    for i in range(m):
        p[i] += more[i]
    return RESOLVED if status == 0 else PLASTIC


@kernel
def friction(p: Floats, count: int) -> float:
    """The magnitude of the tangential part of one contact's rows."""
    if count == 0:
        return 0.0
    if count == 1:
        return float(abs(p[1]))
    return sqrt(p[1] * p[1] + p[2] * p[2])


@kernel
def allowed(
    a: Floats, u: Floats, p: Floats, m: int, contacts: int, at: Floats, tangents: Floats, mu: Floats, share: float,
    given: Floats, least: float, work: Floats,
) -> int:  # fmt: skip
    """p with u + A p allowed: p_n ≥ 0 ⟂ v_n ≥ 0, friction at v within μ (p_n + share given). RESOLVED or UNRESOLVED.

    least: the size of the velocities of which u is what was left.
    work: 4 contacts + 1, and as for `solve_contacts`.
    """
    for i in range(4 * contacts + 1):
        work[i] = 0.0
    status = solve_with(
        a, u, m, contacts, at, tangents, mu, work, work[contacts:], p, work[3 * contacts :], work[4 * contacts :],
        share, given, least, work[4 * contacts + 1 :],
    )  # fmt: skip
    return RESOLVED if status == SOLVED else UNRESOLVED
